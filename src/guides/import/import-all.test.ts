import { expect, test } from "vitest";
import { importAll } from "./import-all.ts";
import { importLines } from "./import-lines.ts";

const FILES = [
  { name: "web/AGENTS.md", text: "Be kind.\n" },
  { name: "AGENTS.md", text: "Be kind.\n" },
  { name: "notes.md", text: "Nobody reads this.\n" },
  { name: ".cursor/rules/a.mdc", text: "---\nglobs: *.ts\n---\n## A\n\nOne.\n\n## B\n\nTwo.\n" },
  { name: ".cursor/rules/A.mdc", text: "---\nglobs: *.js\n---\nThree.\n" },
  { name: "x.mdc", failed: { code: "not_utf8", detail: "its bytes are no UTF-8" } },
] as const;

test("every file has its line, in the order of the names, and the counts add up", () => {
  const report = importAll(FILES, { budgetBytes: 20 });
  expect(report.files.map(({ name, outcome, code }) => [name, outcome, code])).toEqual([
    [".cursor/rules/A.mdc", "imported", null],
    [".cursor/rules/a.mdc", "imported", null],
    ["AGENTS.md", "imported", null],
    ["notes.md", "refused", "unknown_format"],
    ["web/AGENTS.md", "imported_with_findings", null],
    ["x.mdc", "refused", "not_utf8"],
  ]);
  expect(report).toMatchObject({ seen: 6, imported: 3, importedWithFindings: 1, refused: 2 });
  expect(report.rules.map(({ id }) => id)).toEqual(["a", "a--a", "a--b", "agents", "web-agents"]);
});

test("a text that is there twice is named, and both stay", () => {
  const report = importAll(FILES);
  expect(report.duplicates).toEqual([{ id: "web-agents", first: "agents" }]);
  expect(report.files.find(({ name }) => name === "web/AGENTS.md")?.findings).toEqual([
    {
      rule: "duplicate_text",
      severity: "warning",
      where: "web-agents.md",
      message: "its text is byte for byte that of agents",
    },
  ]);
});

test("the order in which files come changes nothing, and neither does importing them again", () => {
  const report = importAll(FILES, { budgetBytes: 20 });
  expect(importAll([...FILES].reverse(), { budgetBytes: 20 })).toEqual(report);
  const twice = [
    { name: "a.mdc", text: "one" },
    { name: "a.mdc", text: "two" },
  ];
  expect(importAll(twice)).toEqual(importAll([...twice].reverse()));
  expect(importAll(twice).rules.map(({ id }) => id)).toEqual(["a", "a-2"]);
});

test("the report for people", () => {
  expect(importLines(importAll(FILES, { budgetBytes: 20 }))).toEqual([
    "imported  .cursor/rules/A.mdc  cursor_rule, 27 B -> 1 rule, a",
    "imported  .cursor/rules/a.mdc  cursor_rule, 43 B -> 2 rules",
    "    a--a  10 B",
    "    a--b  10 B",
    "imported  AGENTS.md  agents, 9 B -> 1 rule, agents",
    "refused (unknown_format)  notes.md",
    "    error unknown_format  notes.md: no tool that is known here reads a file of this name",
    "imported with findings  web/AGENTS.md  agents, 9 B -> 1 rule, web-agents",
    "    warning duplicate_text  web-agents.md: its text is byte for byte that of agents",
    "refused (not_utf8)  x.mdc",
    "    error not_utf8  x.mdc: its bytes are no UTF-8",
    "6 files: 3 imported, 1 imported with findings, 2 refused; 5 rules, 1 of them with the text of another",
  ]);
});

test("a name cannot write on a screen", () => {
  const [line] = importLines(importAll([{ name: "a\u001b]0;x\u0007\n\u202e.mdc", text: "text" }]));
  expect(line).toContain("a\\u001b]0;x\\u0007\\u000a\\u202e.mdc");
});
