import { approvalId } from "../domain/approval.ts";
import type { Reservation } from "../domain/cap.ts";
import { type Denial, denial } from "../domain/denial.ts";
import type { RunEvent, Staged } from "../domain/event.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import { type OutsideStep, proposalText } from "../loop/index.ts";
import type { Authorised } from "../rails/index.ts";
import { checkAuthority } from "./authority.ts";
import { flush, note, restore, snapshot } from "./journal.ts";
import { atomically, eventsOfStep, type OutsideRun, type OutsideRuns, opened, refreshed } from "./outside-run.ts";
import type { Parts } from "./parts.ts";
import { decideAndStart, type Perform, type Prepared, prepare } from "./perform.ts";
import { type CheckedProposal, checkedProposal, type OutsideProposal } from "./proposed.ts";
import { seenBy } from "./thread-seen.ts";

/** What was decided of a proposal of somebody else's loop. */
export type DecideOutcome =
  | {
      readonly outcome: "allow";
      /** The rule that decided. */
      readonly rule: string;
      /** The params after the output rail: perform these. */
      readonly params: JsonObject;
      /** Hand it to the system that is called: the same for every attempt at this step. */
      readonly idempotencyKey: string;
      /** What is held of the caps until `settle`. */
      readonly reservations: readonly Reservation[];
      /** Who approved it, where a person had to. */
      readonly approvedBy: string | null;
      /** 1 for the first time that the effect of this step is begun; say it again in `settle`. */
      readonly attempt: number;
      readonly message: string;
    }
  | {
      readonly outcome: "deny";
      readonly rule: string;
      readonly rail: Denial["rail"];
      readonly code: string;
      readonly message: string;
      readonly retryable: boolean;
      /** For `already_done`: which step did it, and what came of it. */
      readonly receipt: { readonly run: string; readonly step: number; readonly result: Json } | null;
    }
  | {
      readonly outcome: "stage";
      readonly rule: string;
      readonly role: string;
      /** What a person approves: its id, the digest of everything that it is bound to, and until when. */
      readonly approval: string;
      readonly digest: string;
      readonly expiresAt: number;
      readonly message: string;
    };

/** What may be called now. */
export type Allowed = { readonly token: Authorised; readonly command: Perform; readonly prepared: Prepared };
type Told = { readonly said: DecideOutcome; readonly allowed: Allowed | null };

/** Decides one proposal of somebody else's loop, and writes the decision before it is told. */
export async function decideOutside(
  parts: Parts,
  runs: OutsideRuns,
  proposal: OutsideProposal,
): Promise<DecideOutcome> {
  return (await decided(parts, runs, checkedProposal(parts, proposal))).said;
}

/** What was decided of a checked proposal, with the token where it may be called now. */
export async function decided(parts: Parts, runs: OutsideRuns, proposal: CheckedProposal): Promise<Told> {
  const { step, tool, params, evidence } = proposal;
  const command: Perform = { kind: "perform", step, tool, params, evidence, route: "direct", receipt: null };
  for (;;) {
    let run = await opened(parts, runs, proposal);
    checkAuthority(parts, run.began.principal);
    // What this process knows may be old: somebody may have approved the step since, or something new was seen.
    if (run.steps.has(step) || run.journal.witness !== null) run = await refreshed(parts, runs, run);
    const { began, journal } = run;
    const seen = journal.witness === null ? null : await seenBy(parts, journal.witness, began);
    const prepared = await prepare(parts, began, command, seen, null);
    // Where the run was read again meanwhile, what was prepared is of the past: it is prepared anew.
    const told = await atomically(parts, runs, proposal, async (now) =>
      now === run ? decideNow(parts, run, proposal, command, prepared) : null,
    );
    if (told !== null) return told;
  }
}

async function decideNow(
  parts: Parts,
  run: OutsideRun,
  { step, refused, retry }: CheckedProposal,
  command: Perform,
  prepared: Prepared,
): Promise<Told> {
  const { journal, began } = run;
  const known = run.steps.get(step) ?? null;
  const mismatch = mismatchOf(parts, known, command, refused);
  if (known !== null && mismatch === null) {
    const told = await toldBefore(parts, run, known, step, retry);
    if (told !== null) return { said: told, allowed: null };
    // What waits to be used, or is begun, is not undone by a record that cannot be loaded at this moment: nothing is written.
    const keeps = known.state === "approved" || known.state === "started";
    if (keeps && !prepared.facts.ok && prepared.facts.denial.retryable) {
      return { said: refusal("record", prepared.facts.denial), allowed: null };
    }
  }
  journal.run = { ...journal.run, staged: known?.staged ?? null, approved: known?.approved ?? null };
  const forced =
    mismatch !== null
      ? { rule: "approval", denial: mismatch }
      : refused !== null
        ? { rule: "proposal", denial: refused }
        : null;
  const begun = known?.state === "started" ? BEGUN : null;
  const bounds = { forced, unstaged: begun ?? (isFull(run, known) ? FULL : null) };
  const token = await decideAndStart(parts, journal, began, command, prepared, bounds);
  const attempt = run.steps.get(step)?.attempts ?? 0;
  const said = mismatch === null ? saidBy(journal.id, step, run.heard, attempt) : refusal("approval", mismatch);
  return { said, allowed: token === null ? null : { token, command, prepared } };
}

/**
 * What was said of a step before, where that still stands: it waits, a person refused it, it is done, nobody knows. What
 * another step did before is looked up again: it is known by its params, and of this step's no row may be there.
 */
async function toldBefore(
  parts: Parts,
  run: OutsideRun,
  { state, staged, why, tool }: OutsideStep,
  step: number,
  retry: boolean,
): Promise<DecideOutcome | null> {
  const { id } = run.journal;
  switch (state) {
    case "waiting": {
      if (staged === null) return null;
      if (parts.clock.now() < staged.expiresAt) {
        const events = await eventsOfStep(parts, id, step);
        const by = events.findLast((event) => event.kind === "decided" && event.outcome === "stage");
        return stageOf(id, step, by?.kind === "decided" ? by.rule : "", staged);
      }
      const late = `nobody with the role ${staged.role} approved it in time`;
      await lapse(parts, run, staged, late);
      return refusal("approval", denial("approval_expired", late));
    }
    case "rejected":
      return refusal("approval", denial("approval_rejected", why ?? ""));
    case "expired":
      return refusal("approval", denial("approval_expired", why ?? ""));
    case "done": {
      const finished = (await eventsOfStep(parts, id, step)).findLast((event) => event.kind === "finished");
      const result = finished?.kind === "finished" ? finished.result : null;
      return alreadyDone({ run: id, step, result });
    }
    case "outcome_unknown":
      return openStep(tool, id, step, "a person has to look");
    case "started":
      // Only its caller knows whether the attempt before is over, and only what may happen twice may be begun again.
      if ((parts.tools.get(tool)?.effect ?? "once") === "once") return openStep(tool, id, step, "settle it");
      return retry ? null : openStep(tool, id, step, "settle it, or say `retry: true` where that attempt is over");
    default:
      return null;
  }
}

async function lapse(parts: Parts, { journal }: OutsideRun, { step, digest }: Staged, why: string): Promise<void> {
  const before = snapshot(journal);
  try {
    note(journal, { kind: "rejected", at: parts.clock.now(), step, digest, code: "approval_expired", by: null, why });
    await flush(parts, journal);
  } catch (error) {
    restore(journal, before);
    throw error;
  }
}

/** How many proposals of one run may wait for a person at a time (claim S22). */
const WAITING_MAX = 100;
const FULL = denial("too_many_waiting", `${WAITING_MAX} proposals of this run wait for a person already`);

/** What was begun before a person had to be asked is not staged afterwards: it may have happened. */
const BEGUN = denial(
  "outcome_open",
  "it was begun and its outcome is not known, and it now needs an approval: settle it",
);

/** A proposal that waits already takes no further place. */
function isFull({ steps }: OutsideRun, known: OutsideStep | null): boolean {
  if (steps.size < WAITING_MAX || known?.state === "waiting" || known?.state === "approved") return false;
  let waiting = 0;
  for (const { state } of steps.values()) if (state === "waiting" || state === "approved") waiting += 1;
  return waiting >= WAITING_MAX;
}

function openStep(tool: string, run: string, step: number, what: string): DecideOutcome {
  const detail = `${tool} was begun as step ${step} of run ${run} and its outcome is not known: ${what}`;
  return refusal("once", denial("outcome_open", detail));
}

/** A step keeps what it proposed once a person may have seen it, or it has begun. */
function mismatchOf(
  parts: Parts,
  known: OutsideStep | null,
  { tool, params, evidence }: Perform,
  refused: Denial | null,
): Denial | null {
  if (known === null || ["denied", "failed", "settled_before"].includes(known.state)) return null;
  // What is no data is recorded without what cannot be, and is then no longer what was proposed.
  if (refused === null && known.proposal === parts.hash(proposalText(tool, params, evidence))) return null;
  return denial("approval_mismatch", `this step proposed something else before, with ${known.tool}`);
}

/** What the rows that were just written say of a step, as its caller is told. */
function saidBy(run: string, step: number, events: readonly RunEvent[], attempt: number): DecideOutcome {
  const last = events.findLast((event) => event.kind === "decided" || event.kind === "settled_before");
  if (last?.kind === "settled_before") return alreadyDone({ ...last.receipt, result: last.result });
  if (last?.kind !== "decided") throw new Error(`step ${step} of run ${run} has no decision`);
  if (last.outcome === "permit") {
    const started = events.findLast((event) => event.kind === "started");
    if (started?.kind !== "started") throw new Error(`step ${step} of run ${run} is permitted and was not started`);
    const { rule, reservations, approvedBy } = last;
    const message = approvedBy === null ? `permitted by ${rule}` : `permitted by ${rule}, approved by ${approvedBy}`;
    const { params, idempotencyKey } = started;
    return { outcome: "allow", rule, params, idempotencyKey, reservations, approvedBy, attempt, message };
  }
  const staged = events.findLast((event) => event.kind === "staged");
  if (last.outcome === "stage" && staged?.kind === "staged") return stageOf(run, step, last.rule, staged);
  return refusal(last.rule, last.denial ?? denial("policy_error", "a denial without a reason"));
}

function stageOf(run: string, step: number, rule: string, { role, digest, expiresAt }: Staged): DecideOutcome {
  const approval = approvalId(run, step);
  const message = `waits for ${role}: signalbox approvals show ${approval}`;
  return { outcome: "stage", rule, role, approval, digest, expiresAt, message };
}

export type Refused = Extract<DecideOutcome, { outcome: "deny" }>;

function alreadyDone(receipt: NonNullable<Refused["receipt"]>): DecideOutcome {
  const detail = `done already, by step ${receipt.step} of run ${receipt.run}`;
  return { ...refusal("once", denial("already_done", detail)), receipt };
}

function refusal(rule: string, { rail, code, detail, retryable }: Denial): Refused {
  return { outcome: "deny", rule, rail, code, message: detail, retryable, receipt: null };
}
