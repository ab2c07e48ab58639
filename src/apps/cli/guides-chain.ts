import { APPROVED_DIGITS_MIN } from "../../domain/revision.ts";
import { shownName } from "../../guides/index.ts";
import type { ApprovedRule, Guides, KeptRevision, RuleStatus, Verified } from "../../index.ts";
import { SignalboxError } from "../../index.ts";
import { printFramed, printHead } from "./framed.ts";
import { approvalToken, DIGEST_DIGITS } from "./guides-show.ts";
import { commandOf, type Io } from "./io.ts";
import { printFindings } from "./print-findings.ts";
import { printCommand, printNote, printUnder } from "./print-row.ts";
import { counted, jsonDocument, visible } from "./text.ts";

type Word = { readonly as: string; readonly why: string; readonly json?: boolean };

/** Verifies, and says what a person is to look at next. */
export async function verifyRules(io: Io, guides: Guides, ids: readonly string[], json: boolean): Promise<number> {
  const verified = await guides.verify(ids.length === 0 ? undefined : ids);
  const exitCode = verified.every(({ passed }) => passed) ? 0 : 1;
  if (json) {
    io.stdout.write(jsonDocument(verified));
    return exitCode;
  }
  if (verified.length === 0) io.stdout.write("there is no rule to verify\n");
  const passed = verified.filter((one) => one.passed);
  // Where there are too many for the line below, they are named here to be approved.
  const digits = passed.filter(({ approved }) => !approved).length > NAMED_MAX ? APPROVED_DIGITS_MIN : DIGEST_DIGITS;
  const said = new Set<string>();
  for (const one of verified) printVerified(io, one, digits, said);
  if (passed.length > 0) printNext(io, passed);
  return exitCode;
}

/** Only what awaits an approval is to be read. */
function printNext(io: Io, passed: readonly Verified[]): void {
  const waiting = passed.filter(({ approved }) => !approved);
  printNote(io, "", "dim");
  if (waiting.length === 0) {
    printNote(io, "nothing awaits an approval", "dim");
    return;
  }
  const tokens = waiting.map(({ rule, revision }) => approvalToken(rule ?? "", revision));
  const named = tokens.length > NAMED_MAX ? "RULE@DIGEST …" : tokens.join(" ");
  const rest = passed.length - waiting.length;
  const others = rest === 0 ? "" : ` (${counted(waiting.length, "rule")}; ${rest} of the others need no approval)`;
  printNote(io, `read ${waiting.length === 1 ? "it" : "them"}${others}, then:`, "dim");
  printCommand(io, `${commandOf(io)} guides approve ${named} --as WHO --why "…"`, "dim");
}

/** As many rules as are named in one line. */
const NAMED_MAX = 8;

function printVerified(
  io: Io,
  { rule, revision, passed, checks, findings, cited, file, approved, restored }: Verified,
  digits: number,
  said: Set<string>,
): void {
  const facts = [
    ...(rule === null ? [] : [visible(rule)]),
    revision.slice(0, digits),
    `${counted(checks.length, "check")}, ${counted(findings.length, "finding")}`,
    ...(cited === null ? [] : [`v-${cited.seq}`]),
    ...(approved ? ["approved already"] : []),
    shownName(file),
  ];
  printHead(io, passed ? "verified" : "failed", facts, passed ? "green" : "red");
  if (restored)
    printUnder(io, "the bytes that are kept were gone or damaged: they are put back from the file", "yellow");
  printFindings(io, findings, said);
}

/**
 * Approves what was named, all of it or nothing, each under the digest that the person saw: given with `@`, or shown here and
 * confirmed. What one of several cannot have is said before anything is shown.
 */
export async function approveRules(
  io: Io,
  guides: Guides,
  tokens: readonly string[],
  word: Word & { readonly signing: { readonly signature: string } | { readonly privateKey: string } | null },
): Promise<number> {
  const { as, why, json = false, signing } = word;
  const unseen = tokens.filter((token) => !token.includes("@"));
  const shown: KeptRevision[] = [];
  for (const rule of unseen) shown.push(await guides.revision(rule));
  const seen = new Map(shown.map(({ revision, rule }) => [rule, `${rule}@${revision}`]));
  const ids = tokens.map((token) => seen.get(token) ?? token);
  for (const id of ids) await guides.statement(id, { as, why });
  if (shown.length > 0 && !(await confirmed(io, guides, shown, json))) return 1;
  const approved = await guides.approveAll(ids, { as, why, ...(signing === null ? {} : { signature: signing }) });
  if (json) {
    io.stdout.write(jsonDocument(approved));
    return 0;
  }
  for (const { rule, revision, by, verification, signature } of approved) {
    const signed = signature === null ? [] : [`signed with ${visible(signature.key)}`];
    const facts = [revision.slice(0, DIGEST_DIGITS), `by ${visible(by)}`, `cites verification v-${verification.seq}`];
    printHead(io, "approved", [visible(rule), ...facts, ...signed], "green");
  }
  const files = new Map((await guides.status()).map(({ revision, rule }) => [rule, revision]));
  const isOfFile = ({ revision, rule }: ApprovedRule): boolean => files.get(rule) === revision;
  const all =
    approved.length > NAMED_MAX ? [approved.filter(isOfFile), approved.filter((one) => !isOfFile(one))] : [approved];
  for (const [i, some] of all.entries()) {
    if (some.length === 0) continue;
    // Without a digest `publish` means the bytes of the file, and without a rule all of those that are approved.
    const tokens = some.map((one) => (isOfFile(one) ? visible(one.rule) : approvalToken(one.rule, one.revision)));
    const named = all.length > 1 && i === 0 ? "" : `${tokens.join(" ")} `;
    printCommand(io, `${commandOf(io)} guides publish ${named}--as ${visible(as)}`, "dim");
  }
  return 0;
}

/**
 * Shows the bytes of each that would be approved, from where they are kept, and asks once. Where nobody can be asked, the digests
 * have to be named.
 */
async function confirmed(io: Io, guides: Guides, unseen: readonly KeptRevision[], json: boolean): Promise<boolean> {
  if (io.ask === undefined || json) {
    throw new SignalboxError(
      "usage",
      `say which bytes you approve: the rule, @ and at least ${APPROVED_DIGITS_MIN} digits of its digest`,
      {
        hint: unseen.map(({ rule }) => `${commandOf(io)} guides show ${rule}`).join("; "),
      },
    );
  }
  const files = await guides.status();
  for (const { rule, revision, text } of unseen) {
    printHead(io, "approved is exactly this", [visible(rule), `SHA-256 ${revision}`]);
    printFramed(io, text);
    const now = files.find((one) => one.rule === rule)?.revision ?? revision;
    if (now !== revision) {
      printNote(io, `its file has other bytes by now: ${now.slice(0, DIGEST_DIGITS)}`, "yellow");
    }
  }
  const question = unseen.length === 1 ? "Approve this? [y/N] " : `Approve all ${unseen.length}? [y/N] `;
  const yes = /^y(es)?$/i.test((await io.ask(question)).trim());
  if (!yes) printNote(io, "nothing was approved", "yellow");
  return yes;
}

export async function publishRules(
  io: Io,
  guides: Guides,
  ids: readonly string[],
  { as, json = false }: { readonly as: string; readonly json?: boolean },
): Promise<number> {
  const wanted = ids.length > 0 ? ids : approvedIn(await guides.status());
  if (wanted.length === 0) {
    throw new SignalboxError(
      "nothing_approved",
      "no rule of the folder has an approval that was given since it was published",
      {
        hint: "signalbox guides list",
        exitCode: 1,
      },
    );
  }
  const published = await guides.publish(wanted, { as });
  if (json) {
    io.stdout.write(jsonDocument(published));
    return 0;
  }
  for (const { rule, revision, before } of published) {
    const instead = before === null ? [] : [`instead of ${before.slice(0, DIGEST_DIGITS)}`];
    printHead(io, "published", [visible(rule), revision.slice(0, DIGEST_DIGITS), ...instead], "green");
  }
  return 0;
}

function approvedIn(all: readonly RuleStatus[]): readonly string[] {
  return all.flatMap(({ rule, toPublish }) => (toPublish && rule !== null ? [rule] : []));
}

export async function revokeRule(io: Io, guides: Guides, id: string, { as, why, json = false }: Word): Promise<number> {
  const [rule = ""] = id.split("@");
  // Its file may be gone, and it may never have been published.
  const before = (await guides.status()).find((one) => one.rule === rule);
  await guides.revoke(id, { as, why });
  if (json) io.stdout.write(jsonDocument({ rule, revoked: true }));
  else {
    printHead(io, "revoked", [visible(rule), `by ${visible(as)}`], "yellow");
    if (before !== undefined && before.published !== null && before.safety) {
      printUnder(
        io,
        "it is a safety rule: nothing is served until another revision is published, or it is withdrawn:",
        "red",
      );
      printCommand(io, `${commandOf(io)} guides withdraw ${visible(rule)} --as ${visible(as)} --why "…"`, "red");
    }
  }
  return 0;
}

export async function withdrawRule(
  io: Io,
  guides: Guides,
  id: string,
  { as, why, json = false }: Word,
): Promise<number> {
  await guides.withdraw(id, { as, why });
  if (json) io.stdout.write(jsonDocument({ rule: id, withdrawn: true }));
  else printHead(io, "withdrawn", [visible(id), `by ${visible(as)}`], "yellow");
  return 0;
}
