import { approvalId } from "../domain/approval.ts";
import { canonicalJson } from "../domain/canonical.ts";
import type { Reservation } from "../domain/cap.ts";
import { type Denial, denial } from "../domain/denial.ts";
import type { Outcome } from "../domain/effect.ts";
import { NOTHING_SPENT, type RunEvent, type Staged } from "../domain/event.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import type { CallContext } from "../domain/tool.ts";
import { newRun, type OutsideStep } from "../loop/index.ts";
import type { Authorised } from "../rails/index.ts";
import { checkedId } from "./authority.ts";
import { callTool, failed, messageOf, type Settlement, settlementOf, unknown } from "./call-tool.ts";
import { SignalboxError, textOf } from "./error.ts";
import { eventsOf, flush, note, restore, snapshot } from "./journal.ts";
import { Nest } from "./nest.ts";
import { atomically, type OutsideRun, type OutsideRuns, opened, refreshed } from "./outside-run.ts";
import type { Parts } from "./parts.ts";
import { callOf, decideAndStart, type Perform, type Prepared, prepare, recordOf, settle } from "./perform.ts";
import { type CheckedProposal, checkedProposal, type OutsideProposal } from "./proposed.ts";
import { readVerified } from "./resume.ts";
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

/** What `guard` came to. */
export type GuardOutcome =
  | { readonly kind: "done"; readonly result: Json; readonly line: string }
  | { readonly kind: "failed"; readonly error: string }
  | { readonly kind: "outcome_unknown"; readonly error: string }
  | ({ readonly kind: "denied" } & Omit<Extract<DecideOutcome, { outcome: "deny" }>, "outcome">)
  | ({ readonly kind: "staged" } & Omit<Extract<DecideOutcome, { outcome: "stage" }>, "outcome">);

/** What the caller of `guard` performs with: the checked params, and the moment's context. */
export type GuardCall = (call: { readonly params: JsonObject } & Omit<CallContext, "nested">) => unknown;

/** How a step that was allowed came out. */
export type Settling = {
  readonly run: string;
  readonly step: number;
  readonly outcome: Outcome;
  /** For `done`: plain JSON. */
  readonly result?: unknown;
  /** For `failed` and `outcome_unknown`: one line. */
  readonly error?: string;
};

type Allowed = { readonly token: Authorised; readonly command: Perform; readonly prepared: Prepared };
type Told = { readonly said: DecideOutcome; readonly allowed: Allowed | null };

/** Decides one proposal of somebody else's loop, and writes the decision before it is told. */
export async function decideOutside(
  parts: Parts,
  runs: OutsideRuns,
  proposal: OutsideProposal,
): Promise<DecideOutcome> {
  return (await decided(parts, runs, checkedProposal(parts, proposal))).said;
}

/**
 * Decides, calls, and settles, whatever the call does. Two calls of `guard` for one step at once are one: the second hears
 * what the first came to.
 */
export async function guardOutside(
  parts: Parts,
  runs: OutsideRuns,
  proposal: OutsideProposal,
  call: GuardCall,
): Promise<GuardOutcome> {
  const checked = checkedProposal(parts, proposal);
  const name = `${checked.run}-${checked.step}`;
  const going = runs.guarded.get(name);
  if (going !== undefined) return going;
  const guarded = guard(parts, runs, checked, call).finally(() => runs.guarded.delete(name));
  runs.guarded.set(name, guarded);
  return guarded;
}

async function guard(
  parts: Parts,
  runs: OutsideRuns,
  checked: CheckedProposal,
  perform: GuardCall,
): Promise<GuardOutcome> {
  const { said, allowed } = await decided(parts, runs, checked);
  if (said.outcome === "deny") return { kind: "denied", ...rest(said) };
  if (said.outcome === "stage") return { kind: "staged", ...rest(said) };
  if (allowed === null || allowed.prepared.tool === null) throw new Error("an allowed proposal without its token");
  const { token, command, prepared } = allowed;
  const run = await opened(parts, runs, checked);
  const { began } = run;
  const tool = {
    ...allowed.prepared.tool,
    execute: ({ params }: { readonly params: JsonObject }, { nested: _, ...context }: CallContext) =>
      perform({ ...context, params }),
  };
  const theirs = callOf(began, command, tool, token.params, recordOf(prepared));
  // A run of somebody else's loop has no runs inside it: a nest without an outer run begins none.
  const nest = new Nest(parts, newRun(run.journal.scope.rules), command.step);
  const settlement = await callTool(parts, token, theirs, nest, null);
  await settled(parts, runs, checked.run, command, settlement);
  const { outcome, result, error, line } = settlement;
  if (outcome === "done") return { kind: "done", result, line };
  return { kind: outcome, error: error ?? "" };
}

function rest<T extends DecideOutcome>({ outcome: _, ...others }: T): Omit<T, "outcome"> {
  return others;
}

/** Writes how a step came out. The same word twice is one; another word about a step that is settled is refused. */
export async function settleOutside(parts: Parts, runs: OutsideRuns, settling: Settling): Promise<void> {
  const id = checkedId("run", settling.run);
  const { step: number } = settling;
  await refreshed(parts, runs, await opened(parts, runs, { run: id }));
  // Where the step stands is looked at where it is written: two who settle it at once are one after the other.
  await atomically(parts, runs, { run: id }, async (run) => {
    const step = run.steps.get(number);
    const tool = parts.tools.get(step?.tool ?? "");
    if (step === undefined)
      throw new SignalboxError("unknown_step", `step ${textOf(number)} of run ${id} was never decided`);
    if (tool === undefined) throw new SignalboxError("unknown_tool", `there is no tool "${step.tool}" any more`);
    const settlement = settlementFor(parts, tool, settling);
    if (step.state === settling.outcome && (await wasSettledSo(parts, id, number, settlement))) return;
    checkStarted(id, number, step.state);
    await settle(parts, run.journal, performOf(number, step), settlement, NOTHING_SPENT);
  });
}

/** What is settled stays as it is, and what never began has no outcome. */
function checkStarted(run: string, step: number, state: OutsideStep["state"] | undefined): void {
  if (state === "started") return;
  const was = state === "done" || state === "failed" || state === "outcome_unknown";
  const code = was ? "already_settled" : "not_started";
  const hint = state === "outcome_unknown" ? "a person settles it: signalbox outcomes resolve" : "";
  throw new SignalboxError(code, `step ${step} of run ${run} is ${state}`, { hint, exitCode: 1 });
}

function settlementFor(
  parts: Parts,
  tool: Parameters<typeof settlementOf>[1],
  { outcome, result, error }: Settling,
): Settlement {
  switch (outcome) {
    case "done":
      return settlementOf(parts, tool, result, parts.budgets);
    case "failed":
      return failed(tool, messageFrom(parts, error, "it failed"));
    case "outcome_unknown":
      return unknown(tool, messageFrom(parts, error, "nobody can tell whether it happened"));
    default:
      throw new SignalboxError("bad_outcome", "the outcome is done, failed or outcome_unknown");
  }
}

/** Whether a step was settled by this very word before: a caller that did not hear of it says it again. */
async function wasSettledSo(parts: Parts, run: string, step: number, said: Settlement): Promise<boolean> {
  const events = await eventsOfStep(parts, run, step);
  const finished = events.findLast((event) => event.kind === "finished");
  return finished?.kind === "finished" && sameness(finished) === sameness(said);
}

function sameness({ outcome, result, error }: Pick<Settlement, "outcome" | "result" | "error">): string {
  return canonicalJson([outcome, outcome === "done" ? result : error]);
}

function messageFrom(parts: Parts, error: unknown, otherwise: string): string {
  return typeof error === "string" && error.trim() !== "" ? messageOf(error, parts) : otherwise;
}

async function settled(
  parts: Parts,
  runs: OutsideRuns,
  id: string,
  command: Perform,
  settlement: Settlement,
): Promise<void> {
  await atomically(parts, runs, { run: id }, async (run) => {
    checkStarted(id, command.step, run.steps.get(command.step)?.state);
    await settle(parts, run.journal, command, settlement, NOTHING_SPENT);
  });
}

async function decided(parts: Parts, runs: OutsideRuns, proposal: CheckedProposal): Promise<Told> {
  const { began, journal, steps } = await opened(parts, runs, proposal);
  // What this process knows of a step may be old: somebody may have approved it since.
  if (steps.has(proposal.step)) await refreshed(parts, runs, await opened(parts, runs, proposal));
  const { step, tool, params, evidence, refused } = proposal;
  const command: Perform = { kind: "perform", step, tool, params, evidence, route: "direct", receipt: null };
  const seen = journal.witness === null ? null : await seenBy(parts, journal.witness, began);
  const prepared = await prepare(parts, began, command, seen, null);
  return atomically(parts, runs, proposal, async (run) => {
    const known = run.steps.get(step) ?? null;
    const mismatch = mismatchOf(known, command);
    if (known !== null && mismatch === null) {
      const told = await toldBefore(parts, run, known, step);
      if (told !== null) return { said: told, allowed: null };
    }
    const unready = known?.state === "approved" && !prepared.facts.ok && prepared.facts.denial.retryable;
    // An approval is not used up by a record that cannot be loaded at this moment: nothing is written.
    if (unready && !prepared.facts.ok) return { said: refusal("record", prepared.facts.denial), allowed: null };
    run.journal.run = { ...run.journal.run, staged: known?.staged ?? null, approved: known?.approved ?? null };
    const forced =
      mismatch !== null
        ? { rule: "approval", denial: mismatch }
        : refused !== null
          ? { rule: "proposal", denial: refused }
          : null;
    const bounds = { forced, unstaged: known?.state === "started" ? NOT_AGAIN : isFull(run, known) ? FULL : null };
    const token = await decideAndStart(parts, run.journal, began, command, prepared, bounds);
    const said = mismatch === null ? saidBy(run.journal.id, step, run.heard) : refusal("approval", mismatch);
    return { said, allowed: token === null ? null : { token, command, prepared } };
  });
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
): Promise<DecideOutcome | null> {
  const { id } = run.journal;
  switch (state) {
    case "waiting": {
      if (staged === null || parts.clock.now() < staged.expiresAt)
        return saidBy(id, step, await eventsOfStep(parts, id, step));
      const late = `nobody with the role ${staged.role} approved it in time`;
      await lapse(parts, run, staged, late);
      return refusal("approval", denial("approval_expired", late));
    }
    case "rejected":
      return refusal("approval", denial("approval_rejected", why ?? ""));
    case "expired":
      return refusal("approval", denial("approval_expired", why ?? ""));
    case "done": {
      const events = await eventsOfStep(parts, id, step);
      const finished = events.findLast((event) => event.kind === "finished");
      const result = finished?.kind === "finished" ? finished.result : null;
      return alreadyDone({ run: id, step, result });
    }
    case "outcome_unknown":
      return openStep(tool, id, step);
    case "started":
      // What may happen twice is decided again under the same key; of anything else nobody knows whether it happened.
      return (parts.tools.get(tool)?.effect ?? "once") === "once" ? openStep(tool, id, step) : null;
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

/** What has begun does not wait for a person in order to begin again: it is settled first. */
const NOT_AGAIN = denial("outcome_open", "it was begun and not settled, and would need an approval to be begun again");

function isFull({ steps }: OutsideRun, known: OutsideStep | null): boolean {
  if (known !== null || steps.size < WAITING_MAX) return false;
  let waiting = 0;
  for (const { state } of steps.values()) if (state === "waiting") waiting += 1;
  return waiting >= WAITING_MAX;
}

async function eventsOfStep(parts: Parts, run: string, step: number): Promise<readonly RunEvent[]> {
  return eventsOf(await readVerified(parts, run)).filter((event) => "step" in event && event.step === step);
}

function openStep(tool: string, run: string, step: number): DecideOutcome {
  const detail = `${tool} was begun as step ${step} of run ${run} and its outcome is not known: settle it`;
  return refusal("once", denial("outcome_open", detail));
}

function performOf(step: number, { tool, params, evidence }: OutsideStep): Perform {
  return { kind: "perform", step, tool, params, evidence, route: "direct", receipt: null };
}

/** A step keeps what it proposed once a person may have seen it, or it has begun. */
function mismatchOf(known: OutsideStep | null, { tool, params, evidence }: Perform): Denial | null {
  if (known === null || ["denied", "failed", "settled_before"].includes(known.state)) return null;
  const before = canonicalJson([known.tool, known.params, [...known.evidence]]);
  if (before === canonicalJson([tool, params, [...evidence]])) return null;
  return denial("approval_mismatch", `this step proposed something else before, with ${known.tool}`);
}

/** What the rows of a step say of it, newest last, as its caller is told. */
function saidBy(run: string, step: number, events: readonly RunEvent[]): DecideOutcome {
  const last = events.findLast((event) => event.kind === "decided" || event.kind === "settled_before");
  if (last?.kind === "settled_before") return alreadyDone({ ...last.receipt, result: last.result });
  if (last?.kind !== "decided") throw new Error(`step ${step} of run ${run} has no decision`);
  if (last.outcome === "permit") {
    const started = events.findLast((event) => event.kind === "started");
    if (started?.kind !== "started") throw new Error(`step ${step} of run ${run} is permitted and was not started`);
    const { rule, reservations, approvedBy } = last;
    const message = approvedBy === null ? `permitted by ${rule}` : `permitted by ${rule}, approved by ${approvedBy}`;
    const { params, idempotencyKey } = started;
    return { outcome: "allow", rule, params, idempotencyKey, reservations, approvedBy, message };
  }
  const staged = events.findLast((event) => event.kind === "staged");
  if (last.outcome === "stage" && staged?.kind === "staged") {
    const { role, digest, expiresAt } = staged;
    const approval = approvalId(run, step);
    const message = `waits for ${role}: signalbox approvals show ${approval}`;
    return { outcome: "stage", rule: last.rule, role, approval, digest, expiresAt, message };
  }
  return refusal(last.rule, last.denial ?? denial("policy_error", "a denial without a reason"));
}

type Refused = Extract<DecideOutcome, { outcome: "deny" }>;

function alreadyDone(receipt: NonNullable<Refused["receipt"]>): DecideOutcome {
  const detail = `done already, by step ${receipt.step} of run ${receipt.run}`;
  return { ...refusal("once", denial("already_done", detail)), receipt };
}

function refusal(rule: string, { rail, code, detail, retryable }: Denial): Refused {
  return { outcome: "deny", rule, rail, code, message: detail, retryable, receipt: null };
}
