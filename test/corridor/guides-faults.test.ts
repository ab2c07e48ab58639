import { describe, expect, test } from "vitest";
import { openMemoryStore } from "../../src/adapters/store-memory/index.ts";
import { type GuideFiles, type Store, StoreError } from "../../src/index.ts";
import { faultyStore } from "../../src/testing/index.ts";
import { codeOf, Folder, named, openGuideBox, publishRule, ruleFile, servedText } from "../guides/box.ts";

const TONE = ruleFile({ id: "tone" }, "Be polite.");
const WORD = { as: "user:sue", why: "read it" };

describe("a store that fails", () => {
  test("at each write of a rule's way: the verb says so, nothing of it is written, and it can be done again", async () => {
    for (let failAt = 1; failAt <= 5; failAt++) {
      const names: string[] = [];
      const store = faultyStore(openMemoryStore(), { failAt, onCall: (name) => names.push(name) });
      const { box } = openGuideBox(new Folder().put("tone.md", TONE), { store });
      const id = await named(box, "tone");
      const steps = [
        () => box.guides.verify(),
        () => box.guides.approve(id, WORD),
        () => box.guides.publish([id], { as: WORD.as }),
        () => box.guides.revoke(id, WORD),
        () => box.guides.withdraw("tone", WORD),
      ];
      for (const [index, step] of steps.entries()) {
        const rows = (await store.readGuides(0)).length;
        const code = await codeOf(step());
        expect(code).toBe(index + 1 === failAt ? "ledger_unavailable" : "ok");
        expect(await store.readGuides(0)).toHaveLength(code === "ok" ? rows + 1 : rows);
        if (code !== "ok") await step();
      }
      expect(names).toEqual(Array.from({ length: 6 }, () => "appendGuides"));
      expect((await box.verifyLedger()).ok).toBe(true);
    }
  });

  test("that cannot be read serves nothing", async () => {
    const inner = openMemoryStore();
    const first = openGuideBox(new Folder().put("tone.md", TONE), { store: inner });
    await publishRule(first.box, "tone");
    for (const method of ["readGuides", "readRevision"] as const) {
      const store: Store = {
        ...faultyStore(inner),
        [method]: async () => {
          throw new StoreError("unavailable", "the disk is gone");
        },
      };
      const { box } = openGuideBox(new Folder(), { store });
      expect(await codeOf(box.guides.serve({ task: "x" }))).toBe("ledger_unavailable");
    }
  });

  test("that is written to between the reading and the writing: said again from what is there by then", async () => {
    const inner = openMemoryStore();
    const folder = new Folder().put("tone.md", TONE);
    const other = openGuideBox(folder, { store: inner });
    let left = 3;
    const store: Store = {
      ...faultyStore(inner),
      appendGuides: async (rows, revisions) => {
        left -= 1;
        if (left >= 0) await other.box.guides.pin(`p${left}`, { task: "x" }, { as: "ci" });
        await inner.appendGuides(rows, revisions);
      },
    };
    const { box } = openGuideBox(folder, { store });
    await box.guides.verify();
    expect((await inner.readGuides(0)).map(({ kind }) => kind)).toEqual([
      "guide_pinned",
      "guide_pinned",
      "guide_pinned",
      "guide_verified",
    ]);
    // A revocation that comes in between is seen by the publication that it overtakes.
    const id = await named(box, "tone");
    await box.guides.approve(id, WORD);
    let once = true;
    const overtaken: Store = {
      ...faultyStore(inner),
      appendGuides: async (rows, revisions) => {
        if (once) {
          once = false;
          await other.box.guides.revoke(id, WORD);
        }
        await inner.appendGuides(rows, revisions);
      },
    };
    const late = openGuideBox(folder, { store: overtaken });
    expect(await codeOf(late.box.guides.publish([id], { as: WORD.as }))).toBe("approval_revoked");
    expect(await servedText(late.box)).toBe("");
  });

  test("that many write to at once: in one box one after the other, and what stays without its turn says which chain it is", async () => {
    const folder = new Folder();
    const rules = Array.from({ length: 24 }, (_, i) => `r${i}`);
    for (const rule of rules) folder.put(`${rule}.md`, ruleFile({ id: rule }, `Text of ${rule}.`));
    const { box, store } = openGuideBox(folder);
    await Promise.all(rules.map((rule) => box.guides.verify([rule])));
    const ids = await Promise.all(rules.map((rule) => named(box, rule)));
    const codes = await Promise.all(ids.map((id) => codeOf(box.guides.approve(id, WORD))));
    expect(new Set(codes)).toEqual(new Set(["ok"]));
    expect(await store.readGuides(0)).toHaveLength(48);
    // One that is refused keeps nobody waiting.
    expect(
      await Promise.all([codeOf(box.guides.publish(["no"], WORD)), codeOf(box.guides.publish(ids, WORD))]),
    ).toEqual(["unknown_rule", "ok"]);
    const busy: Store = {
      ...faultyStore(store),
      appendGuides: async () => {
        throw new StoreError("conflict", "somebody was quicker");
      },
    };
    const late = openGuideBox(folder, { store: busy }).box;
    await expect(late.guides.revoke(ids[0] ?? "", WORD)).rejects.toMatchObject({ code: "guides_busy", exitCode: 1 });
  });
});

describe("a folder that fails", () => {
  test("as a whole or in part: what cannot be read may be a safety rule", async () => {
    const store = openMemoryStore();
    const first = openGuideBox(new Folder().put("tone.md", TONE), { store });
    await publishRule(first.box, "tone");
    const failing: GuideFiles = {
      read: async () => [{ name: "x.md", bytes: new Uint8Array(0), failed: "cannot be read (EACCES)" }],
    };
    const open = (folder: GuideFiles) => openGuideBox(new Folder(), { store, guides: { folder } }).box;
    expect(await servedText(open(failing))).toBe("unreadable_header");
    expect(await codeOf(open(failing).guides.publish([`tone@${"0".repeat(8)}`], { as: WORD.as }))).toBe(
      "unreadable_header",
    );
    expect(await open(failing).guides.lint()).toMatchObject({
      unreadable: ["x.md"],
      findings: [{ rule: "unreadable_file" }],
    });
    expect((await open(failing).guides.status())[0]).toMatchObject({ rule: null, state: "unreadable", file: "x.md" });
  });
});
