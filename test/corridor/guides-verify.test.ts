/** What a verification finds, keeps and writes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSqliteStore } from "../../src/adapters/store-sqlite/index.ts";
import type { Signalbox } from "../../src/index.ts";
import { codeOf, DAY, Folder, named, openGuideBox, publishRule, ruleFile, servedText } from "../guides/box.ts";

const WORD = { as: "user:sue", why: "read it" };

describe("[guide-chain] what is found in a file counts for that file", () => {
  test.each(["👩\u200d💻.md", "🏴\u200d☠️/rules.md", "a:1:1.md", "profile tone.md"])(
    "whatever it is called: %s",
    async (name) => {
      const folder = new Folder()
        .put("a.md", ruleFile({ id: "a", safety: true }, "The real safety rule."))
        .put(name, ruleFile({ id: "a" }, "Another text with the same id."))
        .put("long.md", ruleFile({ id: "long" }, "x".repeat(5_000)));
      const { box } = openGuideBox(folder);
      const found = new Map((await box.guides.verify()).map((one) => [one.file, one]));
      expect(found.get(name)).toMatchObject({ passed: false, findings: [{ rule: "duplicate_id" }] });
      expect(found.get("a.md")).toMatchObject({ passed: false, findings: [{ rule: "duplicate_id" }] });
      expect(found.get("long.md")?.findings.map(({ rule }) => rule)).toEqual(["larger_than_budget"]);
      expect(await codeOf(box.guides.approve(`a@${found.get(name)?.revision}`, WORD))).toBe("verification_failed");
      expect(await servedText(box)).toBe("");
    },
  );

  test("a file that is called like a profile's finding fails no safety rule", async () => {
    const folder = new Folder()
      .put("a.md", ruleFile({ id: "a", safety: true }, "Never delete anything."))
      .put("profile default", ruleFile({ id: "long" }, "x".repeat(5_000)));
    const found = await openGuideBox(folder).box.guides.verify();
    expect(found.map(({ file, passed }) => [file, passed])).toEqual([
      ["a.md", true],
      ["profile default", false],
    ]);
  });
});

describe("[guide-chain] which profiles are asked", () => {
  const rule = ruleFile({ id: "long" }, "x".repeat(3_999));
  const profiles = { big: { budgetBytes: 8_192 } };

  test("none that no run is served for", async () => {
    const { box } = openGuideBox(new Folder().put("long.md", rule), { profiles, guides: { profile: "big" } });
    expect(await box.guides.verify()).toMatchObject([{ passed: true, findings: [] }]);
    await publishRule(box, "long");
    expect(await servedText(box)).toBe("x".repeat(3_999));
    expect(await box.guides.serve({ task: "x", profile: "default" })).toMatchObject({
      code: "unknown_profile",
      detail: 'there is no profile "default": there is big',
    });
  });

  test("the default one, where runs are served for it", async () => {
    const { box } = openGuideBox(new Folder().put("long.md", rule), { profiles });
    expect(await box.guides.verify()).toMatchObject([{ passed: false, findings: [{ rule: "larger_than_budget" }] }]);
  });
});

describe("[guide-chain] whether an approval is awaited", () => {
  const TONE = ruleFile({ id: "tone" }, "Be polite.");
  const approved = async (box: Signalbox) => (await box.guides.verify()).map((one) => one.approved);

  test("not of what is approved on such a receipt, whatever else is found; of everything else it is", async () => {
    const folder = new Folder().put("tone.md", TONE);
    const { box, clock, store } = openGuideBox(folder);
    expect(await approved(box)).toEqual([false]);
    await box.guides.approve(await named(box, "tone"), WORD);
    expect(await approved(box)).toEqual([true]);
    await box.guides.publish(["tone"], WORD);
    expect(await approved(box)).toEqual([true]);
    folder.put("twin.md", ruleFile({ id: "twin" }, "Be polite."));
    expect(await box.guides.verify(["tone"])).toMatchObject([{ approved: true }]);
    const other = (more: object) => openGuideBox(folder, { store, clock, ...more }).box.guides.verify(["tone"]);
    expect(await other({ profiles: { default: { budgetBytes: 1_000 } } })).toMatchObject([{ approved: false }]);
    expect(await other({ approvers: { "user:sue": { roles: ["teller"] } } })).toMatchObject([{ approved: false }]);
    expect(await other({})).toMatchObject([{ approved: true }]);
    folder.put("tone.md", ruleFile({ id: "tone" }, "Be brief."));
    expect(await box.guides.verify(["tone"])).toMatchObject([{ approved: false }]);
    folder.put("tone.md", TONE);
    await box.guides.revoke(await named(box, "tone"), WORD);
    expect(await box.guides.verify(["tone"])).toMatchObject([{ approved: false }]);
  });
});

describe("[guide-chain] a receipt is written where it says something", () => {
  const TONE = ruleFile({ id: "tone" }, "Be polite.");
  const OTHER = ruleFile({ id: "tone" }, "Be brief.");

  const rows = async (box: Signalbox) => (await box.parts.store.readGuides(0)).length;

  test("unchanged files that are verified again and again add nothing, and keep the receipt that they have", async () => {
    const folder = new Folder().put("tone.md", TONE).put("bad.md", "---\nid: bad\n---\n");
    // Two files with one id fail, and do not take turns in being the newest.
    folder.put("x.md", ruleFile({ id: "x" }, "one")).put("y.md", ruleFile({ id: "x" }, "two"));
    const { box } = openGuideBox(folder);
    const first = await box.guides.verify();
    expect(await rows(box)).toBe(4);
    for (let i = 0; i < 3; i++) expect(await box.guides.verify()).toEqual(first);
    expect(await box.guides.verify(["tone"])).toEqual(first.filter(({ rule }) => rule === "tone"));
    expect(await rows(box)).toBe(4);
    expect(first.map(({ cited }) => cited?.seq).sort()).toEqual([1, 2, 3, 4]);
  });

  test("one that was used, or that was followed by a revocation or a withdrawal, is followed by one that can be", async () => {
    const { box } = openGuideBox(new Folder().put("tone.md", TONE));
    const written = async () => {
      const before = await rows(box);
      await box.guides.verify();
      await box.guides.verify();
      return (await rows(box)) - before;
    };
    const [id, word] = [await named(box, "tone"), WORD];
    expect(await written()).toBe(1);
    await box.guides.approve(id, word);
    expect(await written()).toBe(1);
    expect(await codeOf(box.guides.approve(id, word))).toBe("ok");
    await box.guides.publish([id], word);
    expect(await written()).toBe(1);
    await box.guides.revoke(id, word);
    expect(await written()).toBe(1);
    expect(await codeOf(box.guides.approve(id, word))).toBe("ok");
    await box.guides.publish([id], word);
    await box.guides.verify();
    await box.guides.withdraw("tone", word);
    expect(await written()).toBe(1);
    expect(await codeOf(box.guides.approve(id, { ...word, as: "user:tom" }))).toBe("ok");
  });

  test("what is found otherwise, or of another file, or for another profile, is another receipt", async () => {
    const folder = new Folder().put("tone.md", ruleFile({ id: "tone", expires: "2026-12-02" }, "Be polite."));
    const { box, clock, store } = openGuideBox(folder);
    await box.guides.verify();
    folder.put("copy.md", ruleFile({ id: "tone" }, "Another."));
    await box.guides.verify(["tone"]);
    expect(await rows(box)).toBe(3);
    folder.files.delete("copy.md");
    await box.guides.verify();
    expect(await rows(box)).toBe(4);
    folder.put("moved.md", folder.files.get("tone.md") ?? "").files.delete("tone.md");
    await box.guides.verify();
    expect(await rows(box)).toBe(5);
    clock.advance(3 * DAY);
    await box.guides.verify();
    expect(await rows(box)).toBe(6);
    const { box: other } = openGuideBox(folder, { store, clock, profiles: { small: { budgetBytes: 100 } } });
    await other.guides.verify();
    expect(await rows(box)).toBe(7);
  });

  test("bytes of before that are verified again are the ones that were verified last", async () => {
    const folder = new Folder().put("tone.md", TONE);
    const { box } = openGuideBox(folder);
    await box.guides.verify();
    folder.put("tone.md", OTHER);
    await box.guides.verify();
    expect(await box.guides.revision("tone")).toMatchObject({ text: OTHER });
    folder.put("tone.md", TONE);
    const [again] = await box.guides.verify();
    expect(again?.cited?.seq).toBe(3);
    expect(await box.guides.revision("tone")).toMatchObject({ text: TONE });
    await box.guides.verify();
    expect(await rows(box)).toBe(3);
  });
});

describe("[guide-ledger] bytes that are damaged in the store", () => {
  const RULE = ruleFile({ id: "a", safety: true }, "Never delete anything.");
  let directory: string;
  let path: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "signalbox-verify-"));
    path = join(directory, "signalbox.db");
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  /** A published rule whose bytes rot, as seen by a process that begins then. */
  async function rotten(work: string) {
    const folder = new Folder().put("a.md", RULE).put("b.md", ruleFile({ id: "b" }, "Be brief."));
    const first = openGuideBox(folder, { store: openSqliteStore({ path }) });
    const id = await publishRule(first.box, "a");
    await first.box.close();
    const db = new DatabaseSync(path);
    const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
    for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
    db.exec(work);
    for (const { sql } of triggers) db.exec(String(sql));
    db.close();
    return { folder, id };
  }

  test.each([
    ["changed", "UPDATE revisions SET bytes = x'726f74'"],
    ["empty", "UPDATE revisions SET bytes = x''"],
    ["gone", "DELETE FROM revisions"],
  ])("are put back from the file by a verification: %s", async (_, work) => {
    const { folder, id } = await rotten(work);
    const { box } = openGuideBox(folder, { store: openSqliteStore({ path }) });
    expect(await servedText(box)).toBe("revision_damaged");
    await expect(box.guides.revision(id)).rejects.toMatchObject({
      code: "revision_damaged",
      hint: expect.stringContaining("signalbox guides verify a"),
    });
    expect((await box.verifyLedger()).ok).toBe(false);
    await box.guides.verify(["b"]);
    expect(await servedText(box)).toBe("revision_damaged");
    const [verified] = await box.guides.verify(["a"]);
    expect(verified).toMatchObject({ passed: true, cited: { seq: 5 }, restored: true });
    // What was approved was approved: the same bytes are served, and nobody has to say anything again.
    expect(await servedText(box)).toBe("Never delete anything.");
    expect(await box.verifyLedger()).toMatchObject({ ok: true, faults: [] });
    expect(await box.guides.verify(["a"])).toMatchObject([{ restored: false }]);
    expect(await box.parts.store.readGuides(5)).toEqual([]);
    await box.close();
  });

  test("a file with other bytes puts nothing back", async () => {
    const { folder, id } = await rotten("UPDATE revisions SET bytes = x'726f74'");
    folder.put("a.md", `${RULE}More.\n`);
    const { box } = openGuideBox(folder, { store: openSqliteStore({ path }) });
    await box.guides.verify();
    expect(await servedText(box)).toBe("revision_damaged");
    expect(await codeOf(box.guides.revision(id))).toBe("revision_damaged");
    await box.close();
  });

  test("wherever that is interrupted, the law stands and nothing is half done; nobody else may change a byte", async () => {
    const work = "UPDATE revisions SET bytes = x'726f74'";
    for (let failAt = 1; failAt <= 20; failAt++) {
      const { folder } = await rotten(work);
      const points: string[] = [];
      let isCounting = false;
      const seam = (point: string): void => {
        if (!isCounting) return;
        points.push(point);
        if (points.length === failAt) throw new Error("the disk is gone");
      };
      const { box } = openGuideBox(folder, { store: openSqliteStore({ path, seam }) });
      isCounting = true;
      const code = await codeOf(box.guides.verify(["a"]));
      isCounting = false;
      const isDone = code === "ok" || points.at(-1) === "committed";
      await box.close();
      const db = new DatabaseSync(path);
      expect(() => db.exec(work)).toThrow(/nothing is ever changed/);
      db.close();
      const later = openGuideBox(folder, { store: openSqliteStore({ path }) });
      expect(await servedText(later.box), points.join()).toBe(isDone ? "Never delete anything." : "revision_damaged");
      await later.box.close();
      for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
      if (code === "ok") {
        expect(points).toContain("mend revision");
        return;
      }
    }
    throw new Error("a verification has fewer points than that");
  });
});
