import { describe, test } from "vitest";
import * as loop from "../../src/loop/index.ts";
import * as checks from "../checks/guardrails.ts";

describe("the guardrails, at border-1, border and border+1", () => {
  test("[loop-turn-budget] the turn budget", () => checks.turnBudget(loop));
  test("[loop-turn-budget] model calls and steps have counters of their own", () => checks.callAndStepBudgets(loop));
  test("[loop-repetition] the third identical proposal in a row is not run", () => checks.repetition(loop));
  test("[loop-repetition] denied, planned and unreadable ones count as well", () =>
    checks.repetitionOfEverything(loop));
  test("[oracle-reask] one re-ask, and three malformed turns end the run", () => checks.malformed(loop));
  test("[loop-repetition] a tool may declare that it repeats", () => checks.mayRepeat(loop));
  test("[loop-cycle] cycles of period 2, 3 and 4", () => checks.cycle(loop));
  test("[loop-short-circuit] what passed is not done again", () => checks.shortCircuit(loop));
  test("[rails-once-settles] a payment proposed again returns its receipt", () => checks.onceSettles(loop));
  test("[loop-auto-correction] the system picks the path", () => checks.autoCorrection(loop));
  test("[loop-auto-correction] a plan stops at the first step that is not done", () => checks.planStops(loop));
  test("[loop-compression] prompts fit at 2, 42 and 270 KB over 30 turns", () => checks.compression(loop));
  test("[run-continue] a plan that a budget cut off goes on where it stopped", () => checks.continues(loop));
});
