import type { Budgets } from "../domain/budgets.ts";
import { type Began, NOTHING_SPENT, operatorWords, type RunEvent, type Spent } from "../domain/event.ts";
import type { NestedOutcome } from "../domain/tool.ts";
import { advance, type LoopRules, newRun, type Run } from "../loop/index.ts";
import { SignalboxError } from "./error.ts";
import { eventsOf } from "./journal.ts";
import type { Parts } from "./parts.ts";

/** Runs inside runs inside runs: as deep as this and no deeper. */
const DEPTH_MAX = 3;

/** The nested runs of one step, and what they have used of the outer run's budgets. */
export class Nest {
  readonly outer: Run;
  readonly #parts: Parts;
  readonly #step: number;
  #spent: Spent;
  #open: Promise<NestedOutcome> | null = null;
  #over = false;
  #stop: AbortController | null = null;

  /** `already`: what nested runs of this step used before a crash. */
  constructor(parts: Parts, outer: Run, step: number, already: Spent = NOTHING_SPENT) {
    this.outer = outer;
    this.#parts = parts;
    this.#step = step;
    this.#spent = already;
  }

  /** `signal` is the step's own: a nested run does not outlive its step. */
  async run(request: string, signal: AbortSignal): Promise<NestedOutcome> {
    const { began } = this.outer;
    if (began === null || this.#over) throw new SignalboxError("step_over", "the step is over");
    // Two at a time could each be given the whole remainder.
    if (this.#open !== null) throw new SignalboxError("nested_twice", "a step carries one nested run at a time");
    if ((began.parent?.depth ?? 0) >= DEPTH_MAX) {
      throw new SignalboxError("nested_too_deep", `runs nest ${DEPTH_MAX} deep at most`);
    }
    this.#open = this.#begin(began, request, signal);
    try {
      return await this.#open;
    } finally {
      this.#open = null;
    }
  }

  /** Stops what still runs, and lets nothing more begin. null where there is nothing to wait for. */
  close(): Promise<void> | null {
    this.#over = true;
    if (this.#open === null) return null;
    this.#stop?.abort(STEP_OVER);
    // Its failure is the business of whoever awaits it in the tool; here it only has to be over.
    return this.#open.then(nothing, nothing);
  }

  /** Complete once the nest is closed. */
  spent(): Spent {
    return this.#spent;
  }

  async #begin(began: Began, request: string, signal: AbortSignal): Promise<NestedOutcome> {
    const parts = this.#parts;
    this.#stop ??= new AbortController();
    const before = this.#spent;
    const { parent } = began;
    const outcome = await parts.begin(parts, {
      thread: `${began.run}.${this.#step}`,
      principal: began.principal,
      customer: began.customer,
      request,
      about: { app: began.guides?.app ?? null, paths: began.guides?.paths ?? [] },
      parent: {
        run: began.run,
        step: this.#step,
        thread: parent?.thread ?? began.thread,
        root: parent?.root ?? began.run,
        depth: (parent?.depth ?? 0) + 1,
      },
      budgets: remaining(began.budgets, this.outer, before, parts.clock.now()),
      earlier: { earlierRequests: operatorWords(began), past: [], pastCut: 0 },
      listeners: {
        onEvent: (_event: RunEvent, state: Run) => {
          this.#spent = addSpent(before, state.used);
        },
        onText: null,
      },
      cancel: AbortSignal.any([signal, this.#stop.signal]),
    });
    const { run, ending, text, lastResult } = outcome;
    return { run, ending, text, lastResult: lastResult?.result ?? null };
  }
}

function nothing(): void {}

const STEP_OVER = new Error("the step is over");

/** What nested runs of a step used, read from their rows: for a step that a crash left open. */
export async function spentInside(parts: Parts, rules: LoopRules, run: string, step: number): Promise<Spent> {
  let spent: Spent = NOTHING_SPENT;
  for (const entry of await parts.store.listRuns({ thread: `${run}.${step}`, limit: 1_000 })) {
    const events = eventsOf(await parts.store.readRows(entry.run));
    const state = events.reduce(advance, newRun(rules));
    spent = addSpent(addSpent(spent, state.used), await spentInside(parts, rules, entry.run, state.step));
  }
  return spent;
}

/** What the outer run has left. A nested run needs at least one of everything. */
function remaining(budgets: Budgets, outer: Run, spent: Spent, now: number): Budgets {
  const { used } = outer;
  const left = {
    turns: budgets.turns - used.turns - spent.turns,
    modelCalls: budgets.modelCalls - used.modelCalls - spent.modelCalls,
    steps: budgets.steps - used.steps - spent.steps,
    tokens: budgets.tokens - used.tokens - spent.tokens,
    costMicro: budgets.costMicro - used.costMicro - spent.costMicro,
    wallMs: budgets.wallMs - (now - used.since),
  };
  const short = Object.entries(left).find(([, amount]) => amount < 1);
  if (short !== undefined) throw new SignalboxError("no_budget", `no ${short[0]} left for a nested run`);
  return { ...budgets, ...left };
}

export function addSpent(a: Spent, b: Spent): Spent {
  return {
    turns: a.turns + b.turns,
    modelCalls: a.modelCalls + b.modelCalls,
    steps: a.steps + b.steps,
    tokens: a.tokens + b.tokens,
    costMicro: a.costMicro + b.costMicro,
  };
}
