import { type Began, OUTSIDE_REQUEST, type RunEvent } from "../domain/event.ts";
import { contextAfter } from "../domain/row-body.ts";
import { type OutsideStep, stepAfter } from "../loop/index.ts";
import { StoreError } from "../ports/store.ts";
import { earlierOf } from "./begin.ts";
import { SignalboxError } from "./error.ts";
import type { GuardOutcome } from "./guard.ts";
import { eventsOf, type Journal, note, openJournal, pendingRows, written } from "./journal.ts";
import { type Parts, scopeOfRun } from "./parts.ts";
import type { CheckedProposal } from "./proposed.ts";
import { beganOf, readVerified } from "./recorded.ts";
import { witness } from "./witness.ts";

/** A run that somebody else's loop carries, as this process knows it: its chain's end, and where each of its steps stands. */
export type OutsideRun = {
  readonly journal: Journal;
  readonly began: Began;
  readonly steps: Map<number, OutsideStep>;
  /** What was written last, since somebody took it. */
  heard: RunEvent[];
  /** Writes of one process follow one another; between processes the chain decides who was first. */
  tail: Promise<unknown>;
};

/** The outside runs that this process knows. */
export type OutsideRuns = {
  readonly byId: Map<string, OutsideRun>;
  /** What `guard` is at, by its whole proposal. */
  readonly guarded: Map<string, Promise<GuardOutcome>>;
  /** The steps that `guard` is calling something for at this moment, as `RUN-STEP`. */
  readonly guarding: Set<string>;
};

export function newOutsideRuns(): OutsideRuns {
  return { byId: new Map(), guarded: new Map(), guarding: new Set() };
}

/** A run that is not among the newest is read again when it is asked for. */
const RUNS_MAX = 256;
/** How often a write begins anew because another process was quicker. */
const TRIES = 16;

/** Whose run is wanted: by its id alone where it must be there, else with what it begins with. */
export type Wanted = CheckedProposal | { readonly run: string };

/** The run, read and verified once, and begun where it is not there yet. */
export async function opened(parts: Parts, runs: OutsideRuns, wanted: Wanted): Promise<OutsideRun> {
  const known = runs.byId.get(wanted.run) ?? (await loaded(parts, runs, wanted));
  if ("tool" in wanted) checkSame(known.began, wanted);
  return known;
}

async function loaded(parts: Parts, runs: OutsideRuns, wanted: Wanted): Promise<OutsideRun> {
  const entry = await parts.store.readRun(wanted.run);
  const run = entry === null && "tool" in wanted ? await begun(parts, wanted) : await readBack(parts, wanted.run);
  runs.byId.set(wanted.run, run);
  if (runs.byId.size > RUNS_MAX) forgetOldest(runs);
  return run;
}

function forgetOldest(runs: OutsideRuns): void {
  const oldest = runs.byId.keys().next().value;
  if (oldest !== undefined) runs.byId.delete(oldest);
}

/** Reads what another process may have written since; what is known already is kept where nothing was. */
export async function refreshed(parts: Parts, runs: OutsideRuns, run: OutsideRun): Promise<OutsideRun> {
  const { id, end } = run.journal;
  const entry = await parts.store.readRun(id);
  if (entry !== null && entry.headHash === end.hash) return run;
  runs.byId.delete(id);
  return opened(parts, runs, { run: id });
}

/** Throws `conflict` where another process has written to the run since: then it is read again. */
export async function checkNewest(parts: Parts, { journal }: OutsideRun): Promise<void> {
  const entry = await parts.store.readRun(journal.id);
  if (entry === null || entry.headHash === journal.end.hash) return;
  throw new StoreError("conflict", `run ${journal.id} has gone on`);
}

async function begun(parts: Parts, wanted: CheckedProposal): Promise<OutsideRun> {
  const { run: id, thread, principal, customer, promptVersion, model } = wanted;
  const said = wanted.requests ?? [];
  const earlier = await earlierOf(parts, thread, { principal, customer });
  const request = said.at(-1) ?? OUTSIDE_REQUEST;
  const event: Began = {
    kind: "began",
    at: parts.clock.now(),
    run: id,
    thread,
    request,
    parent: null,
    principal,
    customer,
    budgets: parts.budgets,
    window: parts.window,
    ...earlier,
    earlierRequests: [...earlier.earlierRequests, ...said.slice(0, -1)],
    outside: true,
    guides: null,
    promptVersion,
    policyVersion: parts.policyVersion,
    model,
  };
  const run = empty(parts, event);
  note(run.journal, event);
  const header = { run: id, thread, principal: principal.id, startedAt: event.at, request };
  try {
    await parts.store.begin(header, pendingRows(run.journal));
  } catch (error) {
    // Another process has begun it in this very moment.
    if (error instanceof StoreError && error.code === "conflict") return readBack(parts, id);
    throw error;
  }
  written(run.journal);
  return run;
}

function empty(parts: Parts, began: Began): OutsideRun {
  const scope = scopeOfRun(parts, began);
  const steps = new Map<number, OutsideStep>();
  const heard: RunEvent[] = [];
  const onEvent = (event: RunEvent): void => {
    run.heard.push(event);
    keepStep(parts, steps, event);
  };
  const journal = openJournal(parts, scope, began.run, { onEvent, onText: null });
  const run: OutsideRun = { journal, began, steps, heard, tail: Promise.resolve() };
  return run;
}

function keepStep({ hash }: Parts, steps: Map<number, OutsideStep>, event: RunEvent): void {
  if (!("step" in event)) return;
  const after = stepAfter(steps.get(event.step) ?? null, event, hash);
  if (after !== null) steps.set(event.step, after);
}

async function readBack(parts: Parts, id: string): Promise<OutsideRun> {
  const rows = await readVerified(parts, id);
  const events = eventsOf(rows);
  const began = beganOf(events, id);
  if (!began.outside) {
    throw new SignalboxError("run_of_signalbox", `run ${id} is carried by signalbox itself`, {
      hint: "name a run of your own: any id that is not in the ledger begins one",
    });
  }
  const run = empty(parts, began);
  const { journal } = run;
  for (const event of events) {
    journal.context = contextAfter(journal.context, event);
    if (journal.witness !== null) witness(journal.witness, event);
    keepStep(parts, run.steps, event);
  }
  journal.run = { ...journal.run, began };
  const last = rows.at(-1);
  if (last !== undefined) journal.end = { run: id, seq: last.seq, hash: last.hash };
  return run;
}

/** A run has one principal, one thread and one customer, and the words that it began with. */
function checkSame(began: Began, wanted: CheckedProposal): void {
  const said = began.request === OUTSIDE_REQUEST ? [] : [began.request];
  const differs =
    began.principal.id !== wanted.principal.id
      ? "principal"
      : began.thread !== wanted.thread
        ? "thread"
        : began.customer !== wanted.customer
          ? "customer"
          : wanted.requests !== null && wanted.requests.at(-1) !== said.at(-1)
            ? "requests"
            : null;
  if (differs === null) return;
  throw new SignalboxError("run_of_another", `run ${began.run} began with another ${differs}`, {
    hint: "begin another run for it",
  });
}

/**
 * Does something with a run while nothing else of this process writes to it. Where another process was quicker, the run is
 * read again and the work begins anew: `work` must not have touched anything outside before it writes.
 */
export async function atomically<T>(
  parts: Parts,
  runs: OutsideRuns,
  wanted: Wanted,
  work: (run: OutsideRun) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const run = await opened(parts, runs, wanted);
    const before = run.tail;
    let open = (): void => undefined;
    run.tail = new Promise<void>((resolve) => {
      open = resolve;
    });
    await before;
    try {
      // While we waited it may have been read again.
      if (runs.byId.get(run.journal.id) !== run) continue;
      run.heard = [];
      return await work(run);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "conflict" || tries >= TRIES) throw error;
      runs.byId.delete(run.journal.id);
    } finally {
      open();
    }
  }
}

/** What was written of one step, oldest first. */
export async function eventsOfStep(parts: Parts, run: string, step: number): Promise<readonly RunEvent[]> {
  return eventsOf(await readVerified(parts, run)).filter((event) => "step" in event && event.step === step);
}
