/** What went wrong when other tools read rule files, each as a test that is named after the report. */
import { describe, expect, test } from "vitest";
import type { Rule } from "../../src/domain/rule.ts";
import { parsePathGlob } from "../../src/guides/glob.ts";
import { matchesPath } from "../../src/guides/glob-match.ts";
import { importAll, importFile, importLines, parseRule } from "../../src/guides/index.ts";

/** The one rule that a file with this header gives, as the strict parser reads it. */
function ruleOf(name: string, ...header: readonly string[]): Rule {
  const [draft, ...more] = importFile({ name, text: `---\n${header.join("\n")}\n---\n\nUse short names.\n` }).rules;
  expect(more).toEqual([]);
  const read = parseRule({ name: draft?.file ?? "", text: draft?.text ?? "", digest: "" });
  if (!read.ok) throw new Error(read.findings.map(({ message }) => message).join("\n"));
  return read.rule;
}

/** Whether a rule is for a task about this file. */
function isFor({ paths }: Rule, file: string): boolean {
  return (
    paths.length === 0 ||
    paths.some((path) => {
      const glob = parsePathGlob(path);
      return glob.ok && matchesPath(glob.value, file);
    })
  );
}

test("microsoft/vscode#258378: a list with a space behind its comma is a list, and no rule for every file", () => {
  for (const value of ["app/models/**/*.rb, db/**/*.rb", "'app/models/**/*.rb,db/**/*.rb'"]) {
    const rule = ruleOf(".github/instructions/models.instructions.md", `applyTo: ${value}`);
    expect(rule.paths).toEqual(["app/models/**/*.rb", "db/**/*.rb"]);
    expect(isFor(rule, "web/x.ts")).toBe(false);
    expect(isFor(rule, "app/models/user/name.rb")).toBe(true);
    expect(isFor(rule, "db/seed.rb")).toBe(true);
  }
});

test("matlab/rules#5: a YAML list says what the same list in one text says", () => {
  const rule = ".cursor/rules/matlab.mdc";
  const text = ruleOf(rule, "globs: **/*.m, **/*.mlx");
  expect(text.paths).toEqual(["**/*.m", "**/*.mlx"]);
  expect(ruleOf(rule, "globs:", '  - "**/*.m"', '  - "**/*.mlx"')).toEqual(text);
  expect(ruleOf(rule, 'globs: ["**/*.m", "**/*.mlx"]')).toEqual(text);
});

test("bmadcode/cursor-custom-agents-rules-generator#26: a glob with braces stays one, and matches", () => {
  const rule = ruleOf(".cursor/rules/web.mdc", "globs: src/**/*.{js,ts}, *.{css,scss}");
  expect(rule.paths).toEqual(["src/**/*.{js,ts}", "*.{css,scss}"]);
  for (const file of ["src/a.js", "src/b/c.ts", "web/d.scss"]) expect(isFor(rule, file)).toBe(true);
  for (const file of ["src/a.jsx", "b.ts"]) expect(isFor(rule, file)).toBe(false);
});

test("anthropics/claude-code#16299, #22170: a rule with paths is for those, and one without is for every task", () => {
  const rule = ruleOf(".claude/rules/api.md", "paths:", "  - src/api/**/*.ts");
  expect([isFor(rule, "src/api/v1/rooms.ts"), isFor(rule, "src/web.ts")]).toEqual([true, false]);
  expect(ruleOf(".claude/rules/style.md", "description: style")).toMatchObject({ paths: [], task: null });
});

test("anthropics/claude-code#64606: 56 skills with 8,311 characters of matchers, and no word of one is left out", () => {
  const word = (n: number): string => `topic${String(n).padStart(4, "0")}`;
  const files = Array.from({ length: 56 }, (_, skill) => {
    const words = Array.from({ length: 11 }, (_, i) => word(skill * 11 + i));
    return { words, name: `skills/s${skill}x/SKILL.md`, description: words.join(" or ") };
  });
  const short = 8_311 - files.reduce((sum, { description }) => sum + description.length, 0);
  const [first, ...rest] = files;
  if (first === undefined) throw new Error("no files");
  const last = "x".repeat(short - 1);
  const all = [{ ...first, words: [...first.words, last], description: `${first.description} ${last}` }, ...rest];
  expect(all.reduce((sum, { description }) => sum + description.length, 0)).toBe(8_311);
  const report = importAll(
    all.map(({ name, description }) => ({ name, text: `---\ndescription: ${description}\n---\nDo it.\n` })),
  );
  expect(report).toMatchObject({ seen: 56, refused: 0 });
  for (const { name, words } of all) {
    const file = report.files.find((line) => line.name === name);
    const written = /^ {2}words: \[(.*)\]$/m.exec(file?.rules[0]?.text ?? "")?.[1]?.split(", ");
    expect(written?.slice(1)).toEqual(words);
  }
});

test("vercel-labs/skills#1058, mattpocock/skills#908: 35 skills, 6 with a colon in the description: 35 seen, 35 named", () => {
  const files = Array.from({ length: 35 }, (_, i) => {
    const description = i % 6 === 3 ? `Guests: book room ${i}, e.g.: "a suite"` : `Book room ${i} for guests`;
    return {
      name: `skills/room-${i}/SKILL.md`,
      text: `---\nname: room-${i}\ndescription: ${description}\n---\nBook.\n`,
    };
  });
  expect(files.filter(({ text }) => /description: .*: /.test(text)).length).toBe(6);
  const report = importAll(files);
  expect(report).toMatchObject({ seen: 35, refused: 0 });
  expect(report.files.map(({ name }) => name).sort()).toEqual(files.map(({ name }) => name).sort());
  for (const { name, rules } of report.files) {
    expect(rules[0]?.text).toContain(`\n  any: "${name.split("/")[1]?.replace("-", " ")}"\n  words: [room, `);
  }
});

describe("Mr-DooSun/fastapi-agent-blueprint#413: a file of 34,886 bytes", () => {
  const section = (n: number): string => `## Part ${n}\n\n${`Rule ${n} says what to do. `.repeat(40)}\n\n`;
  const head = `# All of it\n\n${Array.from({ length: 33 }, (_, n) => section(n)).join("")}`;
  const text = head.padEnd(34_885, "x").concat("\n");

  test("every section is named with its bytes, to the last line", () => {
    expect(Buffer.byteLength(text)).toBe(34_886);
    const report = importAll([{ name: "AGENTS.md", text }]);
    expect(report.rules.length).toBe(33);
    const bodies = report.rules.reduce((sum, { bytes }) => sum + bytes, 0);
    // What is in no rule is white space between two of them.
    expect(text.length - bodies).toBe(text.length - report.rules.map(({ body }) => body).join("").length);
    expect(report.rules.map(({ body }) => body.replace(/\s/g, "")).join("")).toBe(text.replace(/\s/g, ""));
    const lines = importLines(report);
    for (const { id, bytes } of report.rules) expect(lines).toContain(`    ${id}  ${bytes} B`);
  });
});

test("anthropics/claude-code#93435: two rules with one text under two names are both there, and one is named", () => {
  const text = "---\nglobs: *.ts\n---\nUse short names.\n";
  const report = importAll([
    { name: ".cursor/rules/names.mdc", text },
    { name: ".cursor/rules/names-copy.mdc", text },
  ]);
  expect(report.rules.map(({ id }) => id)).toEqual(["names-copy", "names"]);
  expect(report.duplicates).toEqual([{ id: "names", first: "names-copy" }]);
});

test("anthropics/claude-code#15443: a rule that is stated three times in one file is named twice", () => {
  const said = "## Tests\n\nRun all tests before you say that you are done.\n\n";
  const report = importAll([{ name: "CLAUDE.md", text: said.repeat(3) }], { budgetBytes: 100 });
  expect(report.duplicates).toEqual([
    { id: "claude--tests-2", first: "claude--tests" },
    { id: "claude--tests-3", first: "claude--tests" },
  ]);
});

test("openai/codex#7138: one rule of 40,960 bytes is an error finding, and still there", () => {
  const { rules, findings } = importFile({ name: "AGENTS.md", text: "x".repeat(40_960) });
  expect(rules.map(({ bytes }) => bytes)).toEqual([40_960]);
  expect(findings).toMatchObject([{ rule: "larger_than_budget", severity: "error" }]);
  expect(findings[0]?.message).toContain("40960 bytes");
});

test("msitarzewski/agency-agents#478, microsoft/apm#312: a soft hyphen and a tag character are errors that name them", () => {
  const { findings } = importFile({ name: "AGENTS.md", text: "Be ki\u00adnd\u{e0041}.\n" });
  expect(findings).toMatchObject([{ rule: "hidden_code_point", severity: "error" }]);
  expect(findings[0]?.message).toMatch(/U\+00AD .*U\+E0041/);
});
