import type { AskMode, Command } from "../domain/command.ts";
import { ENDINGS, type Ending } from "../domain/ending.ts";
import { turnBudgetSpent } from "./guardrails/turn-budget.ts";
import type { Run } from "./run.ts";

/** How a turn begins, and how a run ends. */

const FRESH: AskMode = { kind: "turn" };

/** The top of a turn: the turn budget before anything else, then the other budgets, then the model is asked. */
export function nextTurn(run: Run): Run {
  const began = run.began;
  if (began === null) return bug(run, "nothing happens before a run begins");
  if (turnBudgetSpent(run.used.turns, began.budgets.turns)) return end({ ...run, queue: null }, "turn_budget");
  const spent = spentBudget(run);
  if (spent !== null) return end({ ...run, queue: null }, spent);
  const turn = run.turn + 1;
  return {
    ...run,
    turn,
    queue: null,
    used: { ...run.used, turns: run.used.turns + 1, modelCalls: run.used.modelCalls + 1 },
    command: { kind: "ask_model", turn, call: 1, mode: FRESH },
  };
}

/** The budget that is used up before another model call, or null. */
export function spentBudget(run: Run): Ending | null {
  const budgets = run.began?.budgets;
  if (budgets === undefined) return null;
  if (run.used.modelCalls >= budgets.modelCalls) return "call_budget";
  if (run.used.tokens >= budgets.tokens || run.used.costMicro >= budgets.costMicro) return "budget_exhausted";
  if (run.lastAt - run.used.since >= budgets.wallMs) return "deadline";
  return null;
}

/** How much of its wall clock a run has used at a moment: while it lies and waits to be taken up, none of that time. */
export function wallUsed(run: Run, now: number): number {
  return (run.lying ? run.lastAt : now) - run.used.since;
}

export function end(run: Run, ending: Ending, detail = "", text?: string): Run {
  const last = run.lastDone === null ? "" : `\nLast result: ${run.lastDone.line}`;
  const command: Command = { kind: "end", ending, detail, text: text ?? `${ENDINGS[ending].message}${last}` };
  return { ...run, command };
}

export function bug(run: Run, detail: string): Run {
  return end(run, "failed", detail);
}
