import type { ArmCount, SafetyFacts, TrialRun } from "../domain/trial-run.ts";
import { wilson } from "../domain/wilson.ts";
import { drawsOf } from "./repeats.ts";

/**
 * What the runs of one arm came to. The rate is of those that obeyed or broke the rule; the others are told beside it.
 * `repeats`: whether a prompt counts once.
 */
export function countArm(arm: string, all: readonly TrialRun[], repeats: boolean): ArmCount {
  const runs = drawsOf(all, repeats);
  const count = (outcome: TrialRun["outcome"]): number => runs.filter((run) => run.outcome === outcome).length;
  const [obeyed, broken] = [count("obeyed"), count("broken")];
  const [abstained, errors] = [count("abstained"), count("error")];
  const judged = obeyed + broken;
  return {
    arm,
    runs: all.length,
    repeats: all.length - runs.length,
    obeyed,
    broken,
    abstained,
    errors,
    rate: judged === 0 ? null : obeyed / judged,
    interval: wilson(obeyed, judged),
    abstainedInterval: wilson(abstained, runs.length),
    errorsInterval: wilson(errors, runs.length),
    safety: safetyFacts(runs),
    neighbours: rangeOf(all.map(({ told }) => told.neighbours)),
    bytes: rangeOf(all.map(({ told }) => told.bytes)),
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
