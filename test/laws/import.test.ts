/** The laws of src/guides/import/import-file.ts, on texts that nobody would write. The figures of real files: test/guides/. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FOREIGN_FORMATS, foreignFormat } from "../../src/domain/foreign-rule.ts";
import { utf8Length } from "../../src/domain/utf8.ts";
import { importAll, importFile, parseRule, readForeignHeader } from "../../src/guides/index.ts";
import { judgeWhole } from "../checks/import.ts";
import { seed } from "../seed.ts";

const NAMES: Readonly<Record<(typeof FOREIGN_FORMATS)[number], string>> = {
  cursor_rule: "web/.cursor/rules/x.mdc",
  cursorrules: ".cursorrules",
  skill: ".claude/skills/x/SKILL.md",
  instructions: ".github/instructions/x.instructions.md",
  copilot_instructions: ".github/copilot-instructions.md",
  agents: "web/AGENTS.md",
  claude: "CLAUDE.md",
  claude_rule: ".claude/rules/x.md",
};

test("the names are of every format", () => {
  expect(Object.values(NAMES).map(foreignFormat)).toEqual([...FOREIGN_FORMATS]);
});

const PIECES = [
  ...["---", "...", "# A", "## B", "### C", "###### F", "## B", "text", "- item", "    code", "> quote", "| a | b |"],
  ...[
    "```",
    "~~~~",
    "````",
    "<!--",
    "-->",
    "===",
    "---",
    "***",
    "",
    "",
    "",
    "  ",
    "\t",
    "Ärger 🚪 予約",
    "\u00ad",
    "\r",
  ],
  ...["globs: **/*.{js,ts}, b", "globs:", "  - a/**", "- !x", "applyTo: '**'", "alwaysApply: true", "alwaysApply: x"],
  ...['description: "a: b"', "description: >-", "  folded", "name: x", "paths: [a, b", "]", "model: y", "a:", ": b"],
  ...["NEVER delete a password", "[a](b.md) @c.md", "\ud800"],
];
const line = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...PIECES) },
  fc.string({ unit: "binary", maxLength: 30 }),
);
const markdown = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.constantFrom("\n", "\r\n"), fc.constantFrom("", "\ufeff", "---\n"))
  .map(([lines, end, start]) => start + lines.join(end));
const name = fc.constantFrom(...Object.values(NAMES), "x.md", "a__b__SKILL.md", "\u202e/é/.mdc");
const budgetBytes = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom(200, 2_048));

function holds<T>(values: fc.Arbitrary<T>, check: (value: T) => void): void {
  fc.assert(fc.property(values, check), { seed, numRuns: 3_000 });
}

describe("one-line", () => {
  test("any text gives one line of three kinds, and its findings say why", () => {
    holds(fc.record({ name, text: markdown, budgetBytes }), ({ budgetBytes, ...file }) => {
      const { outcome, code, rules, findings } = importFile(file, { budgetBytes });
      expect(code === null).toBe(outcome !== "refused");
      expect(rules.length === 0).toBe(outcome === "refused");
      expect(findings.length === 0).toBe(outcome === "imported");
    });
  });

  test("[guide-import-named] any files, in any order, give the same report, with a line each and each id once", () => {
    const files = fc.array(fc.record({ name, text: markdown }), { maxLength: 6 });
    holds(fc.tuple(files, budgetBytes, fc.integer()), ([all, bytes, turn]) => {
      const report = importAll(all, { budgetBytes: bytes });
      expect(report.files.length).toBe(all.length);
      expect(report.imported + report.importedWithFindings + report.refused).toBe(all.length);
      const ids = report.rules.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const id of ids) expect(id).toMatch(/^[a-z0-9][a-z0-9._-]{0,63}$/);
      const turned = [...all.slice(Math.abs(turn) % 6), ...all.slice(0, Math.abs(turn) % 6)];
      expect(importAll(turned, { budgetBytes: bytes })).toEqual(report);
    });
  });
});

describe("no-byte-lost", () => {
  test("[guide-import-untouched] the bodies of a file's rules are its body", () => {
    holds(fc.record({ text: markdown.map((text) => text.toWellFormed()), budgetBytes }), ({ text, budgetBytes }) => {
      const { rules, code } = importFile({ name: NAMES.cursor_rule, text }, { budgetBytes });
      if (code !== null) return;
      judgeWhole(text, utf8Length(text.slice(0, readForeignHeader(text).bodyFrom)), rules);
    });
  });

  test("importing a rule again gives that rule: what was split is not split further", () => {
    holds(fc.record({ text: markdown.map((text) => text.toWellFormed()), budgetBytes }), ({ text, budgetBytes }) => {
      const { rules } = importFile({ name: NAMES.cursor_rule, text }, { budgetBytes });
      for (const { body } of rules) {
        // Behind a header of its own: a body may begin with a line that opens one.
        const again = importFile({ name: NAMES.cursor_rule, text: `---\nglobs: x\n---\n${body}\n` }, { budgetBytes });
        expect(again.rules.map((rule) => rule.body)).toEqual([body]);
      }
    });
  });

  test("a section is over its budget only where no heading divides it", () => {
    holds(fc.record({ text: markdown, budgetBytes }), ({ text, budgetBytes }) => {
      const { rules, findings } = importFile({ name: NAMES.claude, text }, { budgetBytes });
      const over = rules.filter(({ bytes }) => bytes > budgetBytes).map(({ file }) => file);
      const named = findings.filter(({ rule }) => rule === "larger_than_budget").map(({ where }) => where);
      expect(named).toEqual(over);
    });
  });
});

describe("drafts are rule files", () => {
  test("the strict parser reads the header of every draft, and finds nothing but what the import has named", () => {
    holds(fc.record({ name, text: markdown, budgetBytes }), ({ budgetBytes, ...file }) => {
      const { rules, findings } = importFile(file, { budgetBytes });
      for (const { id, file: draft, text, body } of rules) {
        const read = parseRule({ name: draft, text, digest: "" });
        const lone = !text.isWellFormed();
        if (!read.ok) {
          const codes = [
            ...new Set(read.findings.filter(({ severity }) => severity === "error").map(({ rule }) => rule)),
          ];
          expect(codes).toEqual([lone ? "lone_surrogate" : "hidden_code_point"]);
          expect(read.headerUnreadable).toBe(lone);
          if (!lone) expect(findings.some((one) => one.rule === "hidden_code_point" && one.where === draft)).toBe(true);
        } else expect(read.rule).toMatchObject({ id, body, safety: false });
      }
    });
  });
});

test("whatever a header says, the header of the draft can be read, and its matcher is what was meant", () => {
  const said = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc.lorem(),
  );
  const glob = fc.string({ unit: fc.constantFrom(..."ab*?[]{},!/.\\-'\" #\u00ad"), maxLength: 20 });
  holds(fc.record({ said, glob, name }), ({ said, glob, name }) => {
    const lines = [`description: ${said.replace(/[\n\r]/g, " ").toWellFormed()}`, `globs: ${glob}`, `applyTo: ${glob}`];
    const { rules } = importFile({ name, text: `---\n${lines.join("\n")}\n---\ntext\n` });
    for (const { text } of rules) {
      const read = parseRule({ name: "x.md", text, digest: "" });
      if (!read.ok) throw new Error(`${read.findings.map(({ message }) => message).join("\n")}\n${text}`);
      expect(read.rule.body).toBe("text");
    }
  });
});

describe("total", () => {
  test("any text has a header or none, and a body that is a part of it", () => {
    holds(fc.oneof(markdown, fc.string({ unit: "binary", maxLength: 200 })), (text) => {
      const header = readForeignHeader(text);
      expect(header.bodyFrom).toBeGreaterThanOrEqual(0);
      expect(header.bodyFrom).toBeLessThanOrEqual(text.length);
      if (!header.present) expect(header.bodyFrom).toBe(text.startsWith("\ufeff") ? 1 : 0);
    });
  });

  // A quadratic step on these takes minutes; the test's own limit is the only clock.
  test.each([
    ["headings", "# a\n"],
    ["headings of all levels", "# a\n## b\n### c\n#### d\n"],
    ["sections", "## a\nb\n\n"],
    ["underlines", "a\n-\n"],
    ["fences", "```\n"],
    ["comments", "<!--\n"],
    ["backquotes", "`"],
    ["dashes", "- "],
    ["brackets", "[a]("],
    ["brackets closed", "]("],
    ["mentions", "@a/"],
    ["stars", "**"],
    ["quotes", "\"'"],
    ["hidden", "\u200b"],
    ["joiners", "👩\u200d"],
    ["blanks", " \t"],
    ["empty lines", "\n"],
    ["carriage returns", "\r"],
    ["nevers", "never "],
    ["bundled", "references/a"],
    ["kanji", "予約"],
    ["marks", "a\u0301\u0302"],
  ])("300 kB of %s, as body and as description", (_name, piece) => {
    const many = piece.repeat(300_000 / Buffer.byteLength(piece));
    for (const text of [
      many,
      `---\nglobs: a\n---\n${many}`,
      `---\ndescription: ${many}\n---\ntext`,
      `---\nglobs: ${many}\n---\ntext`,
      `---\nglobs: a\n${many}`,
    ]) {
      // Of all formats the one that looks for most, and of the others the one with globs.
      const file = text.includes("globs") ? NAMES.cursor_rule : NAMES.skill;
      expect(importFile({ name: file, text }).name).toBe(file);
    }
  });
});
