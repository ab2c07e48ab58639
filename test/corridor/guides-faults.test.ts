import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openMemoryStore } from "../../src/adapters/store-memory/index.ts";
import { type GuideFiles, type Store, StoreError } from "../../src/index.ts";
import { faultyStore } from "../../src/testing/index.ts";
import { codeOf, Folder, named, openGuideBox, publishRule, reopened, ruleFile, servedText } from "../guides/box.ts";
import { liveModel } from "./box.ts";

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

  test("whose bytes of one rule are lost still says where each rule stands, and what is not served", async () => {
    const inner = openMemoryStore();
    const folder = new Folder().put("tone.md", TONE);
    await publishRule(openGuideBox(folder, { store: inner }).box, "tone");
    const failing = (code: "damaged" | "unavailable"): Store => ({
      ...faultyStore(inner),
      readRevision: async () => {
        throw new StoreError(code, "the page is torn");
      },
    });
    const { box } = openGuideBox(folder, { store: failing("damaged") });
    expect(await box.guides.status()).toMatchObject([
      { rule: "tone", state: "published", withheld: { code: "revision_damaged", detail: "the page is torn" } },
    ]);
    const gone = openGuideBox(folder, { store: failing("unavailable") });
    expect(await codeOf(gone.box.guides.status())).toBe("ledger_unavailable");
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

  test("[guide-exact] while a box is open: each run asks whether the folder is as before, and reads it where it is not", async () => {
    class Versioned extends Folder {
      reads = 0;
      at = "1";
      override async read() {
        this.reads += 1;
        return super.read();
      }
      async version() {
        return this.at;
      }
    }
    const folder = new Versioned().put("tone.md", TONE) as Versioned;
    const { box } = openGuideBox(folder);
    await publishRule(box, "tone");
    folder.reads = 0;
    for (let i = 0; i < 3; i++) expect(await servedText(box)).toBe("Be polite.");
    expect(folder.reads).toBe(1);
    folder.put("new.md", "---\nid: [\n---\nNever delete anything.\n");
    folder.at = "2";
    for (let i = 0; i < 3; i++) expect(await servedText(box)).toBe("unreadable_header");
    expect(folder.reads).toBe(2);
    folder.put("new.md", ruleFile({ id: "new" }, "Fine."));
    folder.at = "3";
    expect(await servedText(box)).toBe("Be polite.");
    expect(folder.reads).toBe(3);
  });

  test("[guide-exact] a real folder, changed under a process that serves runs", async () => {
    const place = mkdtempSync(join(tmpdir(), "signalbox-folder-"));
    onTestFinished(() => rmSync(place, { recursive: true }));
    writeFileSync(join(place, "tone.md"), TONE);
    const model = liveModel(() => JSON.stringify({ kind: "conversation", text: "done" }));
    const { box } = openGuideBox(new Folder(), { model, guides: { folder: place } });
    await publishRule(box, "tone");
    expect((await box.run("x")).ending).toBe("answered");
    writeFileSync(join(place, "new.md"), "---\nid: [\n---\nNever delete anything.\n");
    expect(await box.run("x")).toMatchObject({
      ending: "guide_refused",
      detail: expect.stringMatching(
        /^unreadable_header: what may be a safety rule cannot be read: new\.md:3:1: unreadable_header: not YAML: /,
      ),
    });
    writeFileSync(join(place, "new.md"), ruleFile({ id: "new" }, "Fine."));
    expect((await box.run("x")).ending).toBe("answered");
    expect(model.requests).toHaveLength(2);
  });

  test("that is not there says so, and is left out by no name", async () => {
    const gone = join(tmpdir(), "signalbox-no-such-folder");
    const { box } = openGuideBox(new Folder(), { guides: { folder: gone } });
    const says = `a safety rule may be missing: there is no such folder: ${gone} (ENOENT)`;
    expect(await box.guides.serve({ task: "x" })).toMatchObject({ code: "unreadable_header", detail: says });
    await expect(box.guides.publish(["a"], WORD)).rejects.toMatchObject({ code: "unreadable_header", message: says });
    expect((await box.guides.lint()).findings).toMatchObject([{ message: expect.stringMatching(/ENOENT\)$/) }]);
    const { guides } = box.parts;
    if (guides === null) throw new Error("guides are configured");
    const excluding = reopened(box, { guides: { ...guides, exclude: ["."] } });
    expect(await servedText(excluding)).toBe("unreadable_header");
    const both: GuideFiles = {
      read: async () => [
        { name: ".", bytes: new Uint8Array(0), failed: "more than 2 rule files: those from c.md on were not read" },
        { name: "a.md", bytes: new TextEncoder().encode("no header"), failed: null },
      ],
    };
    expect(
      await openGuideBox(new Folder(), { guides: { folder: both } }).box.guides.serve({ task: "x" }),
    ).toMatchObject({
      detail: expect.stringMatching(
        /^what may be a safety rule cannot be read: more than 2 rule files: those from c\.md on were not read; a\.md:1:1: unreadable_header: /,
      ),
    });
  });

  test("what lint finds is what the refusal says, without declared secrets", async () => {
    const secret = "sk-canary-0123456789";
    const place = mkdtempSync(join(tmpdir(), "signalbox-folder-"));
    onTestFinished(() => rmSync(place, { recursive: true }));
    const { box } = openGuideBox(new Folder(), { guides: { folder: place }, redact: { values: [secret] } });
    const detailOf = async (text: string): Promise<string> => {
      writeFileSync(join(place, "a.md"), text);
      const served = await box.guides.serve({ task: "x" });
      return served.kind === "plan" ? "" : served.detail;
    };
    expect(await detailOf("---\nid: a\nbreach: { tool: tap }\n---\nDo not.\n")).toBe(
      "what may be a safety rule cannot be read: a.md:3:1: breach_without_escalate: `breach` without `escalate`: " +
        "say `escalate: warn` or `escalate: end`",
    );
    expect(await detailOf(`---\nid: a\n${secret}: 1\n---\nDo not.\n`)).toContain('unknown_key: "[redacted]"');
  });
});

test("what was loaded before the chain went on is not kept", async () => {
  const { box } = openGuideBox(new Folder().put("tone.md", TONE));
  await publishRule(box, "tone");
  for (let i = 0; i < 5; i++) {
    await box.guides.pin(`p${i}`, { task: `t${i}` }, { as: "ci" });
    expect(await servedText(box)).toBe("Be polite.");
    expect(box.parts.guideBook.loaded.size).toBe(1);
  }
});
