import { DIGEST_DIGITS_MIN, isDigestOf } from "../../domain/approval.ts";
import type { ApprovalEntry, ApprovalFilter, Signalbox } from "../../index.ts";
import { SignalboxError } from "../../index.ts";
import { printFramed, printHead } from "./framed.ts";
import { minuteText } from "./instant.ts";
import { commandOf, type Io, type Style } from "./io.ts";
import { printCommand, printNote, printUnder } from "./print-row.ts";
import { runIdOf } from "./run-id.ts";
import { callText } from "./run-texts.ts";
import { counted, jsonDocument, visible } from "./text.ts";

/** As many digits of a digest as `@` takes at the least, and as are printed to be copied. */
const DIGEST_DIGITS = 12;

export const STATES = [
  "waiting",
  "approved",
  "used",
  "rejected",
  "expired",
  "edited",
  "stale",
  "denied",
  "all",
] as const;

const STYLES: { readonly [state in ApprovalEntry["state"]]: Style } = {
  waiting: "yellow",
  approved: "cyan",
  used: "green",
  rejected: "red",
  expired: "dim",
  edited: "dim",
  stale: "red",
  denied: "red",
};

export async function listApprovals(io: Io, box: Signalbox, filter: ApprovalFilter, json: boolean): Promise<number> {
  const entries = await box.approvals.list(filter);
  if (json) {
    io.stdout.write(jsonDocument(entries));
    return 0;
  }
  if (entries.length === 0) {
    const what =
      filter.state === undefined || filter.state === "waiting" ? "nothing waits for a person" : "there is none";
    io.stdout.write(`${what}\n`);
  }
  for (const entry of entries) printEntry(io, entry);
  return 0;
}

/** One proposal in a few lines: what, whose, until when, and the command that shows it whole. */
function printEntry(io: Io, entry: ApprovalEntry): void {
  const { id, state, role, digest } = entry;
  const whom = state === "waiting" ? [`needs ${visible(role)}`, `until ${timeOf(entry.expiresAt)}`] : wordOf(entry);
  printHead(io, state, whom, STYLES[state]);
  printUnder(io, callText(entry), "bold");
  printUnder(io, whoseOf(entry).join(" · "), "dim");
  if (entry.reason !== "") printUnder(io, visible(entry.reason), "yellow");
  printUnder(io, `${commandOf(io)} approvals show ${visible(id)}   (digest ${digest.slice(0, DIGEST_DIGITS)})`, "dim");
}

function whoseOf({ principal, proposer, customer, rule, stagedAt }: ApprovalEntry): readonly string[] {
  return [
    `by ${visible(proposer)}`,
    ...(proposer === principal ? [] : [`on the authority of ${visible(principal)}`]),
    ...(customer === null ? [] : [`for ${visible(customer)}`]),
    `rule ${visible(rule)}`,
    timeOf(stagedAt),
  ];
}

/** Who said what of it, and what came of it. */
function wordOf({ by, at, why, decided, outcome }: ApprovalEntry): readonly string[] {
  const said = by === null || at === null ? [] : [`by ${visible(by)}`, timeOf(at)];
  const words = why === null ? [] : [`"${visible(why)}"`];
  const came = decided === null ? [] : [`at its commit: ${visible(decided)}`, ...(outcome === null ? [] : [outcome])];
  return [...said, ...words, ...came];
}

export async function showApproval(io: Io, box: Signalbox, id: string, json: boolean): Promise<number> {
  const entry = await box.approvals.show(await approvalIdOf(box, id));
  if (json) io.stdout.write(jsonDocument(entry));
  else {
    printWhole(io, entry);
    if (entry.state === "waiting") printNext(io, entry);
  }
  return 0;
}

/** Everything that is approved, byte for byte, and what it was judged on. */
export function printWhole(io: Io, entry: ApprovalEntry): void {
  printHead(io, entry.state, [visible(entry.id), ...wordOf(entry)], STYLES[entry.state]);
  printHead(io, "proposal", [callText(entry)]);
  printHead(io, "whose", whoseOf(entry));
  printHead(io, "needs", [visible(entry.role), `until ${timeOf(entry.expiresAt)}`]);
  printHead(io, "request", [visible(entry.request)]);
  if (entry.reason !== "") printHead(io, "why a person", [visible(entry.reason)], "yellow");
  if (entry.refusedBefore !== null) {
    const { by, at, why } = entry.refusedBefore;
    printHead(io, "refused before", [`by ${visible(by)}`, timeOf(at), `"${visible(why)}"`], "red");
  }
  if (isOpen(entry) && entry.changed.length > 0) {
    const what = `${entry.changed.join(", ")} changed since: while that is so, approving it does nothing`;
    printHead(io, "stale", [what], "red");
  }
  if (entry.record !== null) {
    printHead(io, "judged on this record");
    printFramed(io, JSON.stringify(entry.record, null, 2));
  }
  printHead(io, "approved is exactly this", [`SHA-256 ${entry.digest}`]);
  printFramed(io, entry.text);
}

function isOpen({ state }: ApprovalEntry): boolean {
  return state === "waiting" || state === "approved";
}

function printNext(io: Io, { id, digest }: ApprovalEntry): void {
  const token = `${visible(id)}@${digest.slice(0, DIGEST_DIGITS)}`;
  printNote(io, "", "dim");
  printCommand(io, `${commandOf(io)} approvals approve ${token} --as WHO`, "green");
  printCommand(io, `${commandOf(io)} approvals reject ${token} --as WHO --why "…"`, "red");
  printCommand(io, `${commandOf(io)} approvals edit ${token} --as WHO --params '{…}'`, "dim");
}

export type Saying = {
  readonly as: string;
  readonly why?: string;
  readonly json: boolean;
};

/** What is named on the command line: `RUN-STEP`, with `@` and the beginning of its digest. */
type Named = { readonly entry: ApprovalEntry; readonly digest: string | null };

/**
 * Approves what was named, each under the digest that the person saw: given with `@`, or shown here and confirmed on a
 * terminal. Returns the runs that can go on, or null where the person said no.
 */
export async function approveAll(
  io: Io,
  box: Signalbox,
  tokens: readonly string[],
  { as, why, json }: Saying,
): Promise<readonly ApprovalEntry[] | null> {
  const named: Named[] = [];
  for (const token of tokens) named.push(await namedBy(box, token));
  const unseen = named.filter(({ digest }) => digest === null);
  // All of them first: what one of several cannot have is said before anything is shown or approved.
  for (const { entry, digest } of named) {
    await box.approvals.check(entry.id, as);
    if (digest !== null) checkDigest(entry, digest);
  }
  if (unseen.length > 0 && !(await confirmed(io, unseen, json))) return null;
  const approved: ApprovalEntry[] = [];
  for (const { entry, digest } of named) {
    const word = { as, digest: digest ?? entry.digest, ...(why === undefined ? {} : { why }) };
    approved.push(await box.approvals.approve(entry.id, word));
  }
  if (!json) {
    for (const { id, by, digest } of approved) {
      printHead(
        io,
        "approved",
        [visible(id), `by ${visible(by ?? "")}`, `digest ${digest.slice(0, DIGEST_DIGITS)}`],
        "green",
      );
    }
  }
  return approved;
}

function checkDigest({ id, digest }: ApprovalEntry, given: string): void {
  if (isDigestOf(given, digest)) return;
  const what =
    given.length < DIGEST_DIGITS_MIN
      ? `a digest is named by at least ${DIGEST_DIGITS_MIN} of its digits`
      : `${given} is not its digest`;
  throw new SignalboxError("approval_mismatch", `${id}: ${what}`, {
    exitCode: 3,
    hint: `look at it again: signalbox approvals show ${id}`,
  });
}

/** Shows the exact bytes of each and asks once. Where nobody can be asked, the digests have to be named. */
async function confirmed(io: Io, unseen: readonly Named[], json: boolean): Promise<boolean> {
  if (io.ask === undefined || json) {
    throw new SignalboxError("usage", "say which bytes you approve: the id, @ and the beginning of its digest", {
      hint: unseen.map(({ entry }) => `${commandOf(io)} approvals show ${entry.id}`).join("; "),
    });
  }
  for (const { entry } of unseen) printWhole(io, entry);
  const question = unseen.length === 1 ? "Approve this? [y/N] " : `Approve all ${unseen.length}? [y/N] `;
  const yes = /^y(es)?$/i.test((await io.ask(question)).trim());
  if (!yes)
    printNote(
      io,
      `nothing was approved: ${counted(unseen.length, "proposal")} still ${unseen.length === 1 ? "waits" : "wait"}`,
      "yellow",
    );
  return yes;
}

export async function rejectOne(
  io: Io,
  box: Signalbox,
  token: string,
  { as, why, json }: Saying,
): Promise<ApprovalEntry> {
  const { entry, digest } = await namedBy(box, token);
  const word = { as, ...(why === undefined ? {} : { why }), ...(digest === null ? {} : { digest }) };
  const rejected = await box.approvals.reject(entry.id, word);
  if (!json) printHead(io, "rejected", [visible(rejected.id), ...wordOf(rejected)], "red");
  return rejected;
}

export async function editOne(
  io: Io,
  box: Signalbox,
  token: string,
  {
    as,
    why,
    json,
    params,
    cites,
  }: Saying & { readonly params: unknown; readonly cites: readonly string[] | undefined },
): Promise<ApprovalEntry> {
  const { entry, digest } = await namedBy(box, token);
  const edited = await box.approvals.edit(entry.id, {
    as,
    params,
    ...(why === undefined ? {} : { why }),
    ...(digest === null ? {} : { digest }),
    ...(cites === undefined ? {} : { evidence: cites }),
  });
  if (!json) printHead(io, "edited", [visible(edited.id), ...wordOf(edited)], "cyan");
  return edited;
}

async function namedBy(box: Signalbox, token: string): Promise<Named> {
  const at = token.indexOf("@");
  const id = await approvalIdOf(box, at < 0 ? token : token.slice(0, at));
  return { entry: await box.approvals.show(id), digest: at < 0 ? null : token.slice(at + 1) };
}

/** `RUN-STEP` with the run named as every command takes it: by its end, for example. */
export async function approvalIdOf(box: Signalbox, given: string): Promise<string> {
  const cut = given.lastIndexOf("-");
  if (cut < 1) return given;
  return `${await runIdOf(box, given.slice(0, cut))}${given.slice(cut)}`;
}

/** `2026-12-07 10:00Z`. */
export function timeOf(at: number): string {
  return Number.isNaN(new Date(at).getTime()) ? String(at) : `${minuteText(at)}Z`;
}
