import { approvalId, readApprovalId } from "../domain/approval.ts";
import type { Reservation } from "../domain/cap.ts";
import { type Began, type Finished, NOTHING_SPENT, type RunEvent } from "../domain/event.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import { frozenJson } from "../domain/plain.ts";
import { redactJson } from "../domain/redact.ts";
import { oneLine } from "../domain/result.ts";
import type { RunEntry } from "../ports/store.ts";
import { checkedWhy, said } from "./approvals.ts";
import { lineOf, passOf } from "./call-tool.ts";
import { SignalboxError, textOf } from "./error.ts";
import { eventsOf, NOBODY, note, pendingRows } from "./journal.ts";
import type { Parts } from "./parts.ts";
import { beganOf, journalOf, readVerified } from "./recorded.ts";

/** An effect of which nobody knows whether it happened: work for a person (design 6.5). */
export type OpenOutcome = {
  /** `RUN-STEP`. */
  readonly id: string;
  readonly run: string;
  readonly step: number;
  readonly thread: string;
  readonly customer: string | null;
  readonly principal: string;
  readonly request: string;
  readonly tool: string;
  readonly params: JsonObject;
  /** What the system that was called knows the effect by. */
  readonly idempotencyKey: string;
  /**
   * `outcome_unknown`: settled as that, and only a person can say more. `open`: begun and not settled; the process that was
   * at it is gone, and a resume settles it. `running`: a living process is at it, or somebody else's loop.
   */
  readonly state: "outcome_unknown" | "open" | "running";
  readonly since: number;
  readonly why: string;
  /** What it holds of the caps until somebody has looked. */
  readonly reservations: readonly Reservation[];
  readonly outside: boolean;
};

/** What a person found out. */
export type Resolution = {
  /** The id of an approver of the config. */
  readonly as: string;
  readonly outcome: "done" | "failed";
  /** How they know. */
  readonly why: string;
  /** For `done`: the result, where it is known. */
  readonly result?: unknown;
  /** Whoever began it is gone for good: needed for a step of another loop that has not said that it does not know. */
  readonly gone?: boolean;
};

const RUNS_MAX = 1_000_000;

/** Effects whose outcome is not known, newest run first; those that are still being worked on come with `running`. */
export async function listOutcomes(parts: Parts): Promise<readonly OpenOutcome[]> {
  const outcomes: OpenOutcome[] = [];
  for (const entry of await parts.store.listRuns({ limit: RUNS_MAX })) {
    // Only a run that is open, or ended for this very reason, can hold one.
    if (entry.ending !== null && entry.ending !== "outcome_unknown") continue;
    outcomes.push(...(await openIn(parts, entry)));
  }
  return outcomes;
}

async function openIn(parts: Parts, { run }: RunEntry): Promise<readonly OpenOutcome[]> {
  const events = eventsOf(await readVerified(parts, run));
  const began = beganOf(events, run);
  const open = openSteps(began, events);
  if (open.every(({ state }) => state === "outcome_unknown")) return open;
  const alive = began.outside || (await parts.store.isCarried(run)) !== false;
  return open.map((outcome) => (alive && outcome.state === "open" ? { ...outcome, state: "running" } : outcome));
}

function openSteps(began: Began, events: readonly RunEvent[]): readonly OpenOutcome[] {
  const open = new Map<number, OpenOutcome>();
  const reserved = new Map<number, readonly Reservation[]>();
  for (const event of events) {
    if (event.kind === "decided") {
      // That it may not be begun again takes nothing of what it holds.
      if (event.outcome === "permit") reserved.set(event.step, event.reservations);
    } else if (event.kind === "started") {
      const { step, tool, params, idempotencyKey, at } = event;
      open.set(step, {
        id: approvalId(began.run, step),
        run: began.run,
        step,
        thread: began.thread,
        customer: began.customer,
        principal: began.principal.id,
        request: began.request,
        tool,
        params,
        idempotencyKey,
        state: "open",
        since: at,
        why: "begun, and no outcome was written",
        reservations: reserved.get(step) ?? [],
        outside: began.outside,
      });
    } else if (event.kind === "finished") {
      const known = open.get(event.step);
      if (known === undefined) continue;
      if (event.outcome !== "outcome_unknown") open.delete(event.step);
      else open.set(event.step, { ...known, state: "outcome_unknown", why: event.error ?? "" });
    }
  }
  return [...open.values()];
}

/**
 * Writes what a person found out about an effect whose outcome was unknown: its caps are settled or given back, a `once`
 * effect settles its thread or may be proposed again, and the run can go on.
 *
 * @throws SignalboxError `unknown_outcome`, `unknown_approver`, `no_reason`, `still_open`, `already_settled`.
 */
export async function resolveOutcome(parts: Parts, id: string, resolution: Resolution): Promise<void> {
  const { as, outcome } = resolution;
  if (!parts.approvers.has(as)) {
    throw new SignalboxError("unknown_approver", `there is no approver "${textOf(as).slice(0, 60)}"`, {
      hint: "declare some: `approvers` in the config",
    });
  }
  if (outcome !== "done" && outcome !== "failed") {
    throw new SignalboxError("bad_outcome", "the outcome is done or failed");
  }
  const why = checkedWhy(parts, resolution.why);
  if (why === null) throw new SignalboxError("no_reason", "say how you know", { hint: "--why" });
  const result = checkedResult(parts, outcome, resolution.result);
  await said(() => resolveOnce(parts, id, { as, outcome, why, result, gone: resolution.gone === true }));
}

type Checked = {
  readonly as: string;
  readonly outcome: "done" | "failed";
  readonly why: string;
  readonly result: Json;
  readonly gone: boolean;
};

async function resolveOnce(parts: Parts, id: string, { as, outcome, why, result, gone }: Checked): Promise<void> {
  const named = readApprovalId(textOf(id));
  const entry = named === null ? null : await parts.store.readRun(named.run);
  if (named === null || entry === null) throw unknownOutcome(id);
  const rows = await readVerified(parts, named.run);
  const events = eventsOf(rows);
  const began = beganOf(events, named.run);
  const open = openSteps(began, events).find(({ step }) => step === named.step);
  if (open === undefined) throw settledOrUnknown(id, named.step, events);
  if (open.state !== "outcome_unknown" && !(open.outside && gone)) {
    const hint = open.outside
      ? "its own loop settles it; where that is gone for good, say so: --gone"
      : `signalbox resume ${named.run} settles it, or says that nobody knows`;
    throw new SignalboxError("still_open", `${id} was begun and not settled`, { hint });
  }
  const tool = parts.tools.get(open.tool);
  const given = outcome === "done" && result !== null && tool !== undefined;
  const line = given ? lineOf(tool, result) : oneLine(`${open.tool}: ${outcome}, as ${as} found out`);
  const finished: Finished = {
    kind: "finished",
    at: parts.clock.now(),
    step: named.step,
    tool: open.tool,
    outcome,
    result,
    error: outcome === "failed" ? oneLine(why) : null,
    pass: outcome === "done" && (!given || passOf(tool, result)),
    line,
    events: [],
    spent: NOTHING_SPENT,
    resolved: { by: as, why },
  };
  const journal = journalOf(parts, began, rows, events, NOBODY);
  note(journal, finished);
  await parts.store.settle({ run: named.run, step: named.step, outcome, result, rows: pendingRows(journal) });
}

function unknownOutcome(id: string): SignalboxError {
  return new SignalboxError("unknown_outcome", `no effect was begun under "${textOf(id).slice(0, 140)}"`, {
    hint: "signalbox outcomes list",
  });
}

function settledOrUnknown(id: string, step: number, events: readonly RunEvent[]): SignalboxError {
  const finished = events.findLast((event) => event.kind === "finished" && event.step === step);
  if (finished?.kind !== "finished") return unknownOutcome(id);
  return new SignalboxError("already_settled", `${id} is settled: ${finished.outcome}`, { exitCode: 1 });
}

function checkedResult(parts: Parts, outcome: "done" | "failed", result: unknown): Json {
  if (result === undefined) return null;
  if (outcome === "failed") throw new SignalboxError("bad_result", "what failed has no result");
  const plain = frozenJson(result);
  if (!plain.ok) throw new SignalboxError("bad_result", `the result cannot be kept: ${plain.why.detail}`);
  return redactJson(plain.value, parts.redaction);
}
