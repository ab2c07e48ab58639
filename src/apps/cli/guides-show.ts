import { APPROVED_DIGITS_MIN } from "../../domain/revision.ts";
import type { Guides, RuleState } from "../../index.ts";
import { printFramed, printHead } from "./framed.ts";
import { budgetBar, budgetText } from "./guide-texts.ts";
import { commandOf, type Io, paint, type Style } from "./io.ts";
import { printDifference } from "./print-difference.ts";
import { printFindings } from "./print-findings.ts";
import { printNote } from "./print-row.ts";
import { printWithheld } from "./print-withheld.ts";
import { clip, counted, grouped, jsonDocument, pad, visible } from "./text.ts";

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
  printWithheld(io, all);
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
    const facts = `${budgetText(bytes, budgetBytes)} are safety rules`;
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
    const named = unreadable.map((name) => (name === "." ? "the folder" : visible(name))).join(", ");
    const mend = unreadable.every((name) => name === ".")
      ? ""
      : ": mend it, or name it in guides.exclude of the config";
    printNote(io, `nothing is published or served while ${named} cannot be read${mend}`, "red");
  }
  return errors > 0 ? 1 : 0;
}

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
  const from = shown.file === null ? "published, and there is no file of it" : visible(shown.file);
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
  printNote(io, `${commandOf(io)} guides approve ${approvalToken(rule, digest)} --as WHO --why "…"`, "green");
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
