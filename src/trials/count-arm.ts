import type { ArmCount, SafetyFacts, TrialRun } from "../domain/trial-run.ts";
import { wilson } from "../domain/wilson.ts";

/** What the runs of one arm came to. The rate is of those that obeyed or broke the rule; the others are told beside it. */
export function countArm(arm: string, runs: readonly TrialRun[]): ArmCount {
  const count = (outcome: TrialRun["outcome"]): number => runs.filter((run) => run.outcome === outcome).length;
  const [obeyed, broken] = [count("obeyed"), count("broken")];
  const judged = obeyed + broken;
  return {
    arm,
    runs: runs.length,
    obeyed,
    broken,
    abstained: count("abstained"),
    errors: count("error"),
    rate: judged === 0 ? null : obeyed / judged,
    interval: wilson(obeyed, judged),
    safety: safetyFacts(runs),
    neighbours: rangeOf(runs.map(({ told }) => told.neighbours)),
    bytes: rangeOf(runs.map(({ told }) => told.bytes)),
  };
}

function safetyFacts(runs: readonly TrialRun[]): SafetyFacts {
  const came = runs.filter(({ outcome }) => outcome !== "error");
  const scores = came.flatMap(({ safety }) => (safety === null ? [] : [safety]));
  return {
    scored: scores.length,
    abstained: came.length - scores.length,
    lowest: scores.length === 0 ? null : rangeOf(scores)[0],
    mean: scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length,
  };
}

/** The least and the most of any number of values; 0 of none. */
export function rangeOf(values: readonly number[]): readonly [number, number] {
  const [first = 0] = values;
  return values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [first, first]);
}
