import type { Budgets } from "../domain/budgets.ts";
import { NOTHING_SPENT, type RunEvent, type Spent } from "../domain/event.ts";
import type { CallContext } from "../domain/tool.ts";
import type { Run } from "../loop/index.ts";
import { SignalboxError } from "./error.ts";
import type { Parts } from "./parts.ts";

/** Runs inside runs inside runs: as deep as this and no deeper. */
const DEPTH_MAX = 3;

/** The nested runs of one step, and what they have used of the outer run's budgets. */
export type Nest = { readonly run: CallContext["nested"]; readonly spent: () => Spent };

export function nestIn(parts: Parts, outer: Run, step: number, cancel: AbortSignal | null): Nest {
  let spent: Spent = NOTHING_SPENT;
  let open = false;
  const run: CallContext["nested"] = async (request) => {
    const began = outer.began;
    if (began === null) throw new SignalboxError("not_begun", "there is no run to nest in");
    // Two at a time could each be given the whole remainder.
    if (open) throw new SignalboxError("nested_twice", "a step carries one nested run at a time");
    const depth = (began.parent?.depth ?? 0) + 1;
    if (depth > DEPTH_MAX) throw new SignalboxError("nested_too_deep", `runs nest ${DEPTH_MAX} deep at most`);
    const budgets = remaining(began.budgets, outer, spent, parts.clock.now());
    open = true;
    let last: Run | null = null;
    try {
      const outcome = await parts.begin(parts, {
        thread: `${began.run}.${step}`,
        principal: began.principal,
        customer: began.customer,
        request,
        parent: { run: began.run, step, thread: began.parent?.thread ?? began.thread, depth },
        budgets,
        earlier: { earlierRequests: operatorWords(began), past: [], pastCut: 0 },
        onEvent: (_event: RunEvent, state: Run) => {
          last = state;
        },
        cancel,
      });
      return {
        run: outcome.run,
        ending: outcome.ending,
        text: outcome.text,
        lastResult: outcome.lastResult?.result ?? null,
      };
    } finally {
      open = false;
      spent = add(spent, last);
    }
  };
  return { run, spent: () => spent };
}

function operatorWords(began: NonNullable<Run["began"]>): readonly string[] {
  return began.parent === null ? [...began.earlierRequests, began.request] : began.earlierRequests;
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

function add(spent: Spent, state: Run | null): Spent {
  if (state === null) return spent;
  const { turns, modelCalls, steps, tokens, costMicro } = state.used;
  return {
    turns: spent.turns + turns,
    modelCalls: spent.modelCalls + modelCalls,
    steps: spent.steps + steps,
    tokens: spent.tokens + tokens,
    costMicro: spent.costMicro + costMicro,
  };
}
