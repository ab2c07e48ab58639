import { APPROVED_DIGITS_MIN } from "../../domain/revision.ts";
import { shownName } from "../../guides/index.ts";
import type { Guides, LintReport, RuleState, RuleStatus } from "../../index.ts";
import { WHOLE_FOLDER } from "../../ports/guide-files.ts";
import { printFramed, printHead } from "./framed.ts";
import { BAR_COLUMNS, budgetBar, budgetText } from "./guide-texts.ts";
import { commandOf, type Io, paint, type Style, widthOf } from "./io.ts";
import { namesIn, widest } from "./name-column.ts";
import { printDifference } from "./print-difference.ts";
import { printGrouped } from "./print-findings.ts";
import { printCommand, printNote } from "./print-row.ts";
import { printWithheld } from "./print-withheld.ts";
import { clipMiddle, columnsOf, counted, grouped, jsonDocument, pad, visible, wrapParts } from "./text.ts";

/** As many digits of a digest as are printed to tell bytes apart. What is to be approved has more: see approvalToken. */
export const DIGEST_DIGITS = 12;

const STYLES: { readonly [state in RuleState]: Style } = {
  unreadable: "red",
  draft: "dim",
  failed: "red",
  verified: "cyan",
  approved: "cyan",
  published: "green",
  revoked: "red",
  withdrawn: "dim",
};

/** Where each rule stands, one a line. Exit code 1 where the folder cannot be read, or not all of it. */
export async function listRules(io: Io, guides: Guides, json: boolean): Promise<number> {
  const all = await guides.status();
  const lost = all.filter(({ file, unreadable }) => file === WHOLE_FOLDER && unreadable !== null);
  const exitCode = lost.length > 0 ? 1 : 0;
  if (json) {
    io.stdout.write(jsonDocument(all));
    return exitCode;
  }
  if (all.length === 0) io.stdout.write(`no rules yet: ${commandOf(io)} guides import .cursor/rules\n`);
  printTable(
    io,
    all.filter((one) => !lost.includes(one)),
  );
  for (const { unreadable } of lost) printNote(io, visible(unreadable?.message ?? ""), "red");
  printWithheld(io, all);
  return exitCode;
}

/** Where the names leave no room for the rest on a terminal, that stands below each. */
function printTable(io: Io, all: readonly RuleStatus[]): void {
  const rows = all.map((one) => ({
    state: one.state,
    name: visible(one.rule ?? shownName(one.file ?? "")),
    facts: factsOf(one),
  }));
  const columns = [0, 1, 2, 3, 4].map((i) => widest(rows.map(({ facts }) => facts[i] ?? "")));
  const used = columns.filter((n) => n > 0);
  const width = widthOf(io);
  const names = namesIn(
    rows.map(({ name }) => name),
    width - used.reduce((sum, n) => sum + n + GAP.length, 0),
  );
  const nameColumns = widest(names ?? []);
  rows.forEach(({ facts, name, state }, i) => {
    const shown = facts[0] ?? "";
    if (names === null) {
      io.stdout.write(`${clipMiddle(name, width)}\n`);
      const [first = "", ...more] = wrapParts(
        facts.filter((fact) => fact !== ""),
        width - GAP.length,
      );
      io.stdout.write(`${GAP}${paint(io, STYLES[state], shown)}${first.slice(shown.length)}\n`);
      for (const line of more) io.stdout.write(`${GAP}${line}\n`);
      return;
    }
    const cells = facts.flatMap((fact, column) => {
      const n = columns[column] ?? 0;
      if (n === 0) return [];
      if (column === 0) return [paint(io, STYLES[state], pad(fact, n))];
      return [column === BYTES_COLUMN ? " ".repeat(n - columnsOf(fact)) + fact : pad(fact, n)];
    });
    io.stdout.write(`${[pad(names[i] ?? name, nameColumns), ...cells].join(GAP).trimEnd()}\n`);
  });
}

const GAP = "  ";
const BYTES_COLUMN = 2;

/** The state, the digest, the bytes of the text, and what else there is to say. */
function factsOf({ bytes, published, revision, safety, state, unreadable }: RuleStatus): readonly string[] {
  return [
    state,
    (revision ?? "").slice(0, DIGEST_DIGITS),
    unreadable === null ? `${grouped(bytes)} B` : "",
    safety ? "safety" : (unreadable?.rule ?? ""),
    published !== null && published !== revision ? `serves ${published.slice(0, DIGEST_DIGITS)}` : "",
  ];
}

/** What is wrong with the files. Exit code 1 where one is an error. */
export async function lintRules(io: Io, guides: Guides, json: boolean): Promise<number> {
  const report = await guides.lint();
  const { files, rules, findings, unreadable, safety } = report;
  const errors = findings.filter(({ severity }) => severity === "error").length;
  if (json) {
    io.stdout.write(jsonDocument(report));
    return errors > 0 ? 1 : 0;
  }
  printGrouped(io, findings);
  printShares(io, safety);
  const verdict = errors > 0 ? "errors" : "fine";
  const counts = [
    counted(files, "file"),
    counted(rules.length, "rule"),
    counted(errors, "error"),
    counted(findings.length - errors, "warning"),
  ];
  const [first = "", ...more] = wrapParts([verdict, ...counts], widthOf(io));
  io.stdout.write(`${paint(io, errors > 0 ? "red" : "green", verdict)}${first.slice(verdict.length)}\n`);
  for (const line of more) io.stdout.write(`${line}\n`);
  if (unreadable.length > 0) {
    const named = unreadable.map((name) => (name === WHOLE_FOLDER ? "the folder" : shownName(name))).join(", ");
    const mend = unreadable.every((name) => name === WHOLE_FOLDER)
      ? ""
      : ": mend it, or name it in guides.exclude of the config";
    printNote(io, `nothing is published or served while ${named} cannot be read${mend}`, "red");
  }
  return errors > 0 ? 1 : 0;
}

/** What the safety rules take of each budget: a line with a bar, or two where the width has no room for that. */
function printShares(io: Io, safety: LintReport["safety"]): void {
  const shares = safety.map(({ profile, bytes, budgetBytes }) => ({
    name: visible(profile),
    bar: budgetBar(io, bytes, 0, budgetBytes),
    facts: `${budgetText(bytes, budgetBytes)} are safety rules`,
  }));
  const facts = widest(shares.map((one) => one.facts));
  const bars = widest(shares.map(({ bar }) => (bar === "" ? "" : " ".repeat(BAR_COLUMNS))));
  const names = namesIn(
    shares.map(({ name }) => name),
    widthOf(io) - GAP.length - facts - bars - 2,
  );
  const nameColumns = Math.max(PROFILE_COLUMNS_MIN, widest(names ?? []));
  const isNarrow = names === null || GAP.length + nameColumns + bars + facts + 2 > widthOf(io);
  shares.forEach(({ bar, facts: text, name }, i) => {
    if (isNarrow) {
      printNote(io, `${name}: ${text}`, "dim");
      io.stdout.write(`${GAP}${bar}\n`);
    } else {
      const between = bar === "" ? "" : `${bar} `;
      io.stdout.write(`${GAP}${pad(names[i] ?? "", nameColumns)} ${between}${paint(io, "dim", text)}\n`);
    }
  });
}

const PROFILE_COLUMNS_MIN = 8;

/** The exact bytes of a rule's file and where it stands; of `RULE@DIGEST`, those that were verified under this digest. */
export async function showRule(io: Io, guides: Guides, id: string, json: boolean): Promise<number> {
  if (id.includes("@")) {
    const kept = await guides.revision(id);
    if (json) io.stdout.write(jsonDocument(kept));
    else printExact(io, { ...kept, digest: kept.revision }, ["as it was verified"]);
    return 0;
  }
  const shown = await guides.show(id);
  if (json) {
    io.stdout.write(jsonDocument(shown));
    return 0;
  }
  const from = shown.file === null ? "published, and there is no file of it" : shownName(shown.file);
  printExact(io, { ...shown, rule: id }, [from, `${grouped(shown.bytes)} bytes of text`]);
  return 0;
}

type Exact = { readonly rule: string; readonly state: RuleState; readonly digest: string; readonly text: string };

function printExact(io: Io, { rule, state, digest, text }: Exact, facts: readonly string[]): void {
  printHead(io, state, [visible(rule), ...facts], STYLES[state]);
  printHead(io, "exactly this", [`SHA-256 ${digest}`]);
  printFramed(io, text);
  if (state !== "verified") return;
  printNote(io, "", "dim");
  printCommand(io, `${commandOf(io)} guides approve ${approvalToken(rule, digest)} --as WHO --why "…"`, "green");
}

/** How bytes are named to be approved. */
export function approvalToken(rule: string, digest: string): string {
  return `${visible(rule)}@${digest.slice(0, APPROVED_DIGITS_MIN)}`;
}

/** The file against what is published. Exit code 0 where they are the same bytes, else 1. */
export async function diffRule(io: Io, guides: Guides, id: string, json: boolean): Promise<number> {
  const { file, published } = await guides.diff(id);
  const same = file === published;
  if (json) {
    io.stdout.write(jsonDocument({ rule: id, same, file, published }));
    return same ? 0 : 1;
  }
  if (same) io.stdout.write(`${visible(id)}: the file is what is published\n`);
  else if (published === null) io.stdout.write(`${visible(id)}: nothing is published\n`);
  else if (file === null) io.stdout.write(`${visible(id)}: published, and there is no file of it\n`);
  else printDifference(io, published, file);
  return same ? 0 : 1;
}
