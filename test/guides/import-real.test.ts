/** All public rule files that lie beside the repository, imported: facts about them, and no sentence of theirs. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { RULE_FILES, ruleFiles } from "../../bench/guides/rule-files.ts";
import { readForeign } from "../../src/adapters/guides-folder/index.ts";
import type { ImportReport } from "../../src/domain/imported.ts";
import { importAll, parseRule, readForeignHeader } from "../../src/guides/index.ts";
import { judgeWhole } from "../checks/import.ts";

const hasData = existsSync(RULE_FILES);

/** How often each answer comes. */
function counted<T>(items: readonly T[], of: (item: T) => readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const answer of items.flatMap(of)) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  return Object.fromEntries([...counts].sort());
}

function totals(reports: readonly ImportReport[]) {
  const sum = (of: (report: ImportReport) => number): number => reports.reduce((all, report) => all + of(report), 0);
  return {
    seen: sum(({ seen }) => seen),
    imported: sum(({ imported }) => imported),
    withFindings: sum(({ importedWithFindings }) => importedWithFindings),
    refused: sum(({ refused }) => refused),
    rules: sum(({ rules }) => rules.length),
    duplicates: sum(({ duplicates }) => duplicates.length),
  };
}

const FIGURES = { seen: 264, imported: 106, withFindings: 157, refused: 1, rules: 2072, duplicates: 13 };

if (!hasData) test("264 public rule files", (ctx) => ctx.skip(`the public data is not at ${RULE_FILES}`));

describe.runIf(hasData)("264 public rule files, each repository by itself", () => {
  const files = hasData ? ruleFiles(RULE_FILES) : [];
  const repositories = [...new Set(files.map(({ repository }) => repository))];
  const texts = new Map(files.map((file) => [file, readFileSync(file.path, "utf8")]));
  const imported = repositories.map((repository) => {
    const own = files.filter((file) => file.repository === repository);
    return { own, report: importAll(own.map((file) => ({ name: file.name, text: texts.get(file) ?? "" }))) };
  });
  const reports = imported.map(({ report }) => report);
  const lines = reports.flatMap((report) => report.files);

  test("[guide-import-named] every file has its line", () => {
    for (const { own, report } of imported) {
      expect(report.files.map(({ name }) => name)).toEqual(own.map(({ name }) => name).sort());
    }
    expect(totals(reports)).toEqual(FIGURES);
    expect(counted(lines, ({ format, outcome, code }) => [`${format} ${code ?? outcome}`])).toEqual({
      "agents imported": 2,
      "agents imported_with_findings": 7,
      "claude imported": 1,
      "claude imported_with_findings": 1,
      "cursor_rule imported": 81,
      "cursor_rule imported_with_findings": 54,
      "instructions imported": 22,
      "instructions imported_with_findings": 23,
      "skill imported_with_findings": 72,
      "skill no_body": 1,
    });
  });

  test("what was found in them, by how many files", () => {
    expect(counted(lines, ({ findings }) => [...new Set(findings.map(({ rule }) => rule))])).toEqual({
      duplicate_text: 5,
      guessed_matcher: 73,
      hidden_code_point: 1,
      key_not_kept: 20,
      larger_than_budget: 68,
      maybe_safety: 52,
      no_body: 1,
      refers_to_file: 23,
    });
  });

  test("[guide-import-untouched] no byte of a rule is lost or changed", () => {
    for (const { own, report } of imported) {
      for (const { name, rules, code } of report.files) {
        const file = own.find((candidate) => candidate.name === name);
        const text = (file === undefined ? undefined : texts.get(file)) ?? "";
        if (code === null) judgeWhole(text, Buffer.byteLength(text.slice(0, readForeignHeader(text).bodyFrom)), rules);
      }
    }
  });

  test("every draft is a rule file for the strict parser, but for one that no verification would pass", () => {
    const read = reports.flatMap(({ rules }) =>
      rules.map(({ file, text }) => parseRule({ name: file, text, digest: "" })),
    );
    const found = read.flatMap(({ findings }) => findings.map(({ rule }) => rule));
    expect(
      counted(read, (parse) => [parse.ok ? "rule" : `header ${parse.headerUnreadable ? "not read" : "read"}`]),
    ).toEqual({
      "header read": 1,
      rule: 2071,
    });
    expect(counted(found, (code) => [code])).toEqual({ hidden_code_point: 1 });
  });

  test("every header is read: no line and no value of one is left", () => {
    const headers = [...texts.values()].map(readForeignHeader);
    expect(headers.filter(({ faults }) => faults.length > 0)).toEqual([]);
    expect(headers.filter(({ present }) => present).length).toBe(252);
    expect(headers.filter(({ globs }) => globs !== null).length).toBe(135);
    expect(headers.filter(({ applyTo }) => applyTo !== null).length).toBe(44);
    expect(headers.filter(({ description }) => description !== null).length).toBe(247);
  });

  test("when they are served: for every task, for files, or by a guess", () => {
    const kinds = counted(lines, ({ rules }) => {
      const head = rules[0]?.text.split("\n---\n")[0] ?? "";
      return rules.length === 0
        ? []
        : [/\ntask:/.test(head) ? "guess" : /\npaths:/.test(head) ? "files" : "every task"];
    });
    expect(kinds).toEqual({ "every task": 129, files: 61, guess: 73 });
  });
});

test.runIf(hasData)("the folder as it lies there gives the same, name for name", async () => {
  const read = await readForeign(RULE_FILES);
  if (!read.ok) throw new Error(read.why.detail);
  expect(read.value.files.length).toBe(264);
  // The manifest itself.
  expect(read.value.others).toBe(1);
  expect(totals([importAll(read.value.files)])).toEqual(FIGURES);
});
