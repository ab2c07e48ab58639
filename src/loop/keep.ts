import { type Finished, NOTHING_SPENT, type SettledBefore, type Spent } from "../domain/event.ts";
import type { Json } from "../domain/json.ts";
import type { Receipt } from "../domain/receipt.ts";
import { addLine, type History, newestOf } from "./guardrails/compression.ts";
import type { Run } from "./run.ts";
import { settleKeyOf } from "./step-keys.ts";

/** What a run keeps of what happened: its newest result, its lines, its receipts, and what nested runs used. */

/** The newest result moves in; the one before it becomes a line. */
export function remember(
  run: Run,
  result: { readonly tool: string; readonly line: string; readonly json: string },
  performed = run.performed,
): Run {
  const newest = newestOf(result.tool, result.line, result.json);
  return { ...run, history: withNewest(run), newest, since: [], performed };
}

/** A line of the loop's own, after the newest result, which becomes a line itself. */
export function noteLine(run: Run, line: string): Run {
  return { ...run, history: addLine(withNewest(run), line), newest: null, since: [] };
}

/** A line of the loop's own that leaves the newest result whole: it stands behind it, and follows it into the history. */
export function noteSince(run: Run, line: string): Run {
  if (run.newest === null) return { ...run, history: addLine(run.history, line) };
  return { ...run, since: [...run.since, line] };
}

function withNewest(run: Run): History | null {
  const history = run.newest === null ? run.history : addLine(run.history, run.newest.line);
  return run.since.reduce<History | null>(addLine, history);
}

/** Keeps what a done step settles: the last passing result for its key, and the receipt of a `once` effect. */
export function settle(run: Run, event: Finished | SettledBefore, result: Json): Run {
  const command = run.command;
  const lastDone = { tool: event.tool, result, line: event.line };
  if (command?.kind !== "perform") return { ...run, lastDone };
  const key = settleKeyOf(run, command);
  if (key === null) return { ...run, lastDone, lastSettled: null };
  const receipt: Receipt = { key, tool: event.tool, step: event.step, result, line: event.line };
  const lastSettled = event.pass ? receipt : null;
  const tool = run.rules.tools.get(event.tool);
  if (tool === undefined || !tool.once || tool.mayRepeat) return { ...run, lastDone, lastSettled };
  return { ...run, lastDone, lastSettled, receipts: { receipt, older: run.receipts } };
}

/** A nested run spends its parent's budget (design 5.2.1). */
export function charge(run: Run, spent: Spent): Run {
  if (spent === NOTHING_SPENT) return run;
  const { turns, modelCalls, steps, tokens, costMicro } = run.used;
  return {
    ...run,
    used: {
      ...run.used,
      turns: turns + spent.turns,
      modelCalls: modelCalls + spent.modelCalls,
      steps: steps + spent.steps,
      tokens: tokens + spent.tokens,
      costMicro: costMicro + spent.costMicro,
    },
  };
}
