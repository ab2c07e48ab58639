import type { ApprovalEntry, ApprovalFilter, Signalbox } from "../../index.ts";
import { SignalboxError } from "../../index.ts";
import { printFramed, printHead } from "./framed.ts";
import { commandOf, type Io, type Style } from "./io.ts";
import { printNote, printUnder } from "./print-row.ts";
import { runIdOf } from "./run-id.ts";
import { callText } from "./run-texts.ts";
import { counted, jsonDocument, visible } from "./text.ts";

/** As many digits of a digest as `@` takes at the least, and as are printed to be copied. */
const DIGEST_DIGITS = 12;

export const STATES = ["waiting", "approved", "used", "rejected", "expired", "edited", "all"] as const;

const STYLES: { readonly [state in ApprovalEntry["state"]]: Style } = {
  waiting: "yellow",
  approved: "cyan",
  used: "green",
  rejected: "red",
  expired: "dim",
  edited: "dim",
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
  printUnder(io, `${callText(entry)}`, "bold");
  printUnder(io, `${whoseOf(entry).join(" · ")}`, "dim");
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
function wordOf({ state, by, at, why, decided, outcome }: ApprovalEntry): readonly string[] {
  const said = by === null || at === null ? [] : [`by ${visible(by)}`, timeOf(at)];
  const words = why === null ? [] : [`"${visible(why)}"`];
  const came =
    state !== "used" ? [] : [`at its commit: ${decided ?? "unknown"}`, ...(outcome === null ? [] : [outcome])];
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
  if (entry.record !== null) {
    printHead(io, "judged on this record");
    printFramed(io, JSON.stringify(entry.record, null, 2));
  }
  printHead(io, "approved is exactly this", [`SHA-256 ${entry.digest}`]);
  printFramed(io, entry.text);
}

function printNext(io: Io, { id, digest }: ApprovalEntry): void {
  const token = `${visible(id)}@${digest.slice(0, DIGEST_DIGITS)}`;
  printNote(io, "", "dim");
  printNote(io, `${commandOf(io)} approvals approve ${token} --as WHO`, "green");
  printNote(io, `${commandOf(io)} approvals reject ${token} --as WHO --why "…"`, "red");
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
  // Nobody is shown a screen of bytes to be told at its end that they may not approve them.
  for (const { entry } of unseen) checkRole(box, as, entry);
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

function checkRole({ parts }: Signalbox, as: string, { id, role }: ApprovalEntry): void {
  const roles = parts.approvers.get(as)?.roles;
  if (roles === undefined) {
    throw new SignalboxError("unknown_approver", `there is no approver "${as.slice(0, 60)}"`, {
      hint: `declare them in the config (\`approvers\`): ${[...parts.approvers.keys()].join(", ") || "there is none yet"}`,
    });
  }
  if (roles.includes(role)) return;
  throw new SignalboxError("approver_lacks_role", `${id} needs the role ${role}, and ${as} has ${roles.join(", ")}`, {
    exitCode: 3,
  });
}

/** Shows the exact bytes of each and asks once. Where nobody can be asked, the digests have to be named. */
async function confirmed(io: Io, unseen: readonly Named[], json: boolean): Promise<boolean> {
  if (io.ask === undefined || json) {
    const tokens = unseen.map(({ entry }) => `${entry.id}@${entry.digest.slice(0, DIGEST_DIGITS)}`);
    throw new SignalboxError("usage", "say which bytes you approve: the id, @ and the beginning of its digest", {
      hint: `signalbox approvals show prints it: ${tokens.join(" ")}`,
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
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? String(at) : `${date.toISOString().slice(0, 16).replace("T", " ")}Z`;
}
