/** What a verification finds, keeps and writes. */
import { describe, expect, test } from "vitest";
import { codeOf, Folder, openGuideBox, ruleFile, servedText } from "../guides/box.ts";

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
