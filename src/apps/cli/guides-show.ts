import { structuredPatch } from "diff";
import type { Guides, RuleState, RuleStatus } from "../../index.ts";
import { SignalboxError } from "../../index.ts";
import { printFramed, printHead } from "./framed.ts";
import { budgetBar, kilobytes } from "./guide-texts.ts";
import { commandOf, type Io, paint, type Style } from "./io.ts";
import { printFindings } from "./print-findings.ts";
import { printNote } from "./print-row.ts";
import { clip, counted, exactLines, grouped, jsonDocument, pad, visible } from "./text.ts";

/** As many digits of a digest as are printed to be copied. */
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

/** Where each rule stands, one a line. */
export async function listRules(io: Io, guides: Guides, json: boolean): Promise<number> {
  const all = await guides.status();
  if (json) {
    io.stdout.write(jsonDocument(all));
    return 0;
  }
  if (all.length === 0) io.stdout.write(`no rules yet: ${commandOf(io)} guides import .cursor/rules\n`);
  for (const one of all) {
    const { rule, state, published, revision, safety, bytes } = one;
    const other = published !== null && published !== revision ? `serves ${published.slice(0, DIGEST_DIGITS)}` : "";
    const cells = [
      pad(clip(visible(rule ?? one.file ?? ""), 40), 40),
      paint(io, STYLES[state], pad(state, 10)),
      pad((revision ?? "").slice(0, DIGEST_DIGITS), DIGEST_DIGITS),
      `${grouped(bytes)} B`.padStart(9),
      safety ? "safety" : "",
      other,
    ];
    io.stdout.write(`${cells.join("  ").trimEnd()}\n`);
  }
  return 0;
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
  printFindings(io, findings);
  for (const { profile, bytes, budgetBytes } of safety) {
    const facts = `${kilobytes(bytes)} of ${kilobytes(budgetBytes)} KB are safety rules`;
    printNote(io, `${pad(visible(profile), 16)} ${budgetBar(io, bytes, 0, budgetBytes)} ${facts}`, "dim");
  }
  const counts = [
    counted(files, "file"),
    counted(rules.length, "rule"),
    counted(errors, "error"),
    counted(findings.length - errors, "warning"),
  ];
  io.stdout.write(
    `${paint(io, errors > 0 ? "red" : "green", errors > 0 ? "errors" : "fine")} · ${counts.join(" · ")}\n`,
  );
  if (unreadable.length > 0) {
    const what = `nothing is published or served while ${unreadable.map(visible).join(", ")} cannot be read`;
    printNote(io, `${what}: mend it, or name it in guides.exclude of the config`, "red");
  }
  return errors > 0 ? 1 : 0;
}

/** The exact bytes of a rule's file, and where it stands. */
export async function showRule(io: Io, guides: Guides, id: string, json: boolean): Promise<number> {
  const status = statusOf(await guides.status(), id);
  const text = await fileOf(guides, id);
  if (json) {
    io.stdout.write(jsonDocument({ ...status, text }));
    return 0;
  }
  printHead(
    io,
    status.state,
    [visible(id), visible(status.file ?? ""), `${grouped(status.bytes)} bytes of text`],
    STYLES[status.state],
  );
  printHead(io, "exactly this", [`SHA-256 ${status.revision ?? ""}`]);
  printFramed(io, text);
  if (status.state === "verified") {
    const token = `${visible(id)}@${(status.revision ?? "").slice(0, DIGEST_DIGITS)}`;
    printNote(io, "", "dim");
    printNote(io, `${commandOf(io)} guides approve ${token} --as WHO --why "…"`, "green");
  }
  return 0;
}

/** The file against what is published. Exit code 0 where they are the same bytes, else 1. */
export async function diffRule(io: Io, guides: Guides, id: string, json: boolean): Promise<number> {
  const { file, published } = await guides.diff(id);
  if (file === null && published === null) throw unknownRule(id, await guides.status());
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

/** Lines that went, and lines that came, with a few around them. Carriage returns and hidden characters are written out. */
export function printDifference(io: Io, before: string, after: string): void {
  for (const { oldStart, newStart, lines } of structuredPatch("", "", before, after, "", "", { context: 2 }).hunks) {
    io.stdout.write(`${paint(io, "dim", `  @@ line ${oldStart}, now ${newStart}`)}\n`);
    for (const line of lines) {
      const shown = exactLines(line).join("");
      const style = line.startsWith("+") ? "green" : line.startsWith("-") ? "red" : "dim";
      io.stdout.write(`  ${paint(io, style, shown)}\n`);
    }
  }
}

export async function fileOf(guides: Guides, rule: string): Promise<string> {
  const { file } = await guides.diff(rule);
  if (file !== null) return file;
  throw noFile(rule);
}

export function noFile(rule: string): SignalboxError {
  return new SignalboxError("no_file", `there is no file of rule ${rule}`, { hint: "signalbox guides list" });
}

export function statusOf(all: readonly RuleStatus[], id: string): RuleStatus {
  const found = all.find(({ rule }) => rule === id);
  if (found !== undefined) return found;
  throw unknownRule(id, all);
}

function unknownRule(id: string, all: readonly RuleStatus[]): SignalboxError {
  const known = all.flatMap(({ rule }) => rule ?? []).slice(0, 8);
  return new SignalboxError("unknown_rule", `there is no rule ${visible(id).slice(0, 80)}`, {
    hint: known.length === 0 ? "there are no rules yet" : `there are ${known.join(", ")}${all.length > 8 ? ", …" : ""}`,
  });
}
