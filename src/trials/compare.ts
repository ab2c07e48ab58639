import type { Comparison, TrialOutcome } from "../domain/trial-run.ts";
import { type Interval, wilson } from "../domain/wilson.ts";
import { holm, mcnemar } from "./mcnemar.ts";
import { ALPHA } from "./plan-trial.ts";

/** An arm as comparisons see it: what each pair's run came to, and the interval over all of its runs. */
export type Compared = {
  readonly arm: string;
  readonly interval: Interval;
  readonly outcomes: ReadonlyMap<number, TrialOutcome>;
};

/**
 * Compares every arm with every other one. An ordering is supported only where all of these hold: every run was made; the
 * Wilson 95 % intervals of the two arms do not overlap, neither over all of their runs nor over the complete pairs; and
 * McNemar's exact test on those pairs, after Holm over all comparisons, is at most ALPHA. Nothing else is an ordering.
 */
export function compareArms(arms: readonly Compared[], pairs: number, finished: boolean): readonly Comparison[] {
  const counted = arms.flatMap((first, i) =>
    arms.slice(i + 1).map((second) => ({ first, second, ...countPairs(first, second, pairs) })),
  );
  const tests = counted.map(({ onlyFirst, onlySecond }) => mcnemar(onlyFirst, onlySecond));
  const adjusted = holm(tests.map(({ exact }) => exact));
  return counted.map(({ first, second, ...counts }, i) => {
    const { exact, mid } = tests[i] ?? { exact: 1, mid: 1 };
    const after = adjusted[i] ?? 1;
    const of = [
      [first.interval, second.interval],
      [counts.firstInterval, counts.secondInterval],
    ] as const;
    const isAbove = of.every(([a, b]) => a.low > b.high);
    const isBelow = of.every(([a, b]) => a.high < b.low);
    const overlap = !isAbove && !isBelow;
    const because = !finished ? "unfinished" : overlap ? "overlap" : after > ALPHA ? "chance" : null;
    const higher = because === null ? (isAbove ? first.arm : second.arm) : null;
    return { first: first.arm, second: second.arm, ...counts, exact, mid, holm: after, overlap, higher, because };
  });
}

type Counts = Pick<
  Comparison,
  "complete" | "incomplete" | "both" | "onlyFirst" | "onlySecond" | "neither" | "firstInterval" | "secondInterval"
>;

/** A pair is complete where both runs obeyed or broke the rule: an abstention or an error beside a hit is no difference. */
function countPairs(first: Compared, second: Compared, pairs: number): Counts {
  const counts = { both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 };
  for (let pair = 0; pair < pairs; pair++) {
    const a = isObeyed(first.outcomes.get(pair));
    const b = isObeyed(second.outcomes.get(pair));
    if (a === null || b === null) continue;
    counts[a ? (b ? "both" : "onlyFirst") : b ? "onlySecond" : "neither"] += 1;
  }
  const complete = counts.both + counts.onlyFirst + counts.onlySecond + counts.neither;
  return {
    complete,
    incomplete: pairs - complete,
    ...counts,
    firstInterval: wilson(counts.both + counts.onlyFirst, complete),
    secondInterval: wilson(counts.both + counts.onlySecond, complete),
  };
}

function isObeyed(outcome: TrialOutcome | undefined): boolean | null {
  return outcome === "obeyed" ? true : outcome === "broken" ? false : null;
}
