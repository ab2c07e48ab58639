import type { ArmCount, Comparison, TrialRun } from "../domain/trial-run.ts";
import { type Interval, wilson } from "../domain/wilson.ts";
import { holm, mcnemar } from "./mcnemar.ts";
import { ALPHA } from "./plan-trial.ts";
import { freshPairs, promptOf } from "./repeats.ts";

/** An arm as comparisons see it: what its runs came to, all of them, and what of that was counted. */
export type Compared = { readonly count: ArmCount; readonly runs: readonly TrialRun[] };

export type Comparing = {
  readonly pairs: number;
  /** Whether every run was made. */
  readonly finished: boolean;
  /** How many complete pairs an ordering takes, as was computed before the first run; null: more than are looked for. */
  readonly needed: number | null;
  /** Whether a prompt counts once. */
  readonly repeats: boolean;
};

/**
 * Compares every arm with every other one. An ordering is supported only where all of these hold: every run was made; runs
 * were lost to abstentions and errors alike in both arms; the Wilson 95 % intervals of the two arms do not overlap, neither
 * over all of their runs nor over the complete pairs; McNemar's exact test on those pairs, after Holm over all comparisons, is
 * at most ALPHA; and there are as many complete pairs as were planned. Nothing else is an ordering.
 */
export function compareArms(arms: readonly Compared[], comparing: Comparing): readonly Comparison[] {
  const counted = arms.flatMap((first, i) =>
    arms.slice(i + 1).map((second) => ({ first, second, ...countPairs(first, second, comparing) })),
  );
  const tests = counted.map(({ onlyFirst, onlySecond }) => mcnemar(onlyFirst, onlySecond));
  const adjusted = holm(tests.map(({ exact }) => exact));
  return counted.map(({ first, second, ...counts }, i) => {
    const { exact, mid } = tests[i] ?? { exact: 1, mid: 1 };
    const after = adjusted[i] ?? 1;
    const of = [
      [first.count.interval, second.count.interval],
      [counts.firstInterval, counts.secondInterval],
    ] as const;
    const isAbove = of.every(([a, b]) => a.low > b.high);
    const isBelow = of.every(([a, b]) => a.high < b.low);
    const overlap = !isAbove && !isBelow;
    const survivors = isUneven(first, second);
    const isShort = comparing.needed === null || counts.complete < comparing.needed;
    const because = whyNot(comparing.finished, survivors, overlap, after > ALPHA, isShort);
    const higher = because === null ? (isAbove ? first : second).count.arm : null;
    const named = { first: first.count.arm, second: second.count.arm };
    return { ...named, ...counts, exact, mid, holm: after, overlap, survivors, higher, because };
  });
}

function whyNot(
  finished: boolean,
  survivors: boolean,
  overlap: boolean,
  chance: boolean,
  isShort: boolean,
): Comparison["because"] {
  if (!finished) return "unfinished";
  if (survivors) return "survivors";
  if (overlap) return "overlap";
  if (chance) return "chance";
  return isShort ? "few" : null;
}

type Counts = Pick<
  Comparison,
  | "complete"
  | "incomplete"
  | "repeated"
  | "both"
  | "onlyFirst"
  | "onlySecond"
  | "neither"
  | "firstInterval"
  | "secondInterval"
>;

/** A pair is complete where both runs obeyed or broke the rule: an abstention or an error beside a hit is no difference. */
function countPairs(first: Compared, second: Compared, { pairs, repeats }: Comparing): Counts {
  const judged = pairsIn(first, second).filter((pair) => pair.every(({ outcome }) => isJudged(outcome)));
  const own = repeats ? freshPairs(judged, ([a, b]) => [promptOf(a), promptOf(b)]) : judged;
  const counts = { both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 };
  for (const [a, b] of own) {
    const [isFirst, isSecond] = [a.outcome === "obeyed", b.outcome === "obeyed"];
    counts[isFirst ? (isSecond ? "both" : "onlyFirst") : isSecond ? "onlySecond" : "neither"] += 1;
  }
  return {
    complete: own.length,
    incomplete: pairs - judged.length,
    repeated: judged.length - own.length,
    ...counts,
    firstInterval: wilson(counts.both + counts.onlyFirst, own.length),
    secondInterval: wilson(counts.both + counts.onlySecond, own.length),
  };
}

function isJudged(outcome: TrialRun["outcome"]): boolean {
  return outcome === "obeyed" || outcome === "broken";
}

/** The pairs of which both runs were made, in their order. */
function pairsIn(first: Compared, second: Compared): readonly (readonly [TrialRun, TrialRun])[] {
  const others = new Map(second.runs.map((run) => [run.pair, run]));
  const pairs = first.runs.flatMap((run): readonly (readonly [TrialRun, TrialRun])[] => {
    const other = others.get(run.pair);
    return other === undefined ? [] : [[run, other]];
  });
  return pairs.toSorted(([a], [b]) => a.pair - b.pair);
}

type Loss = { readonly of: (count: ArmCount) => number; readonly outcomes: readonly TrialRun["outcome"][] };

/** How runs are lost: they abstained, they came to an error, or either. */
const LOSSES: readonly Loss[] = [
  { of: ({ abstained }) => abstained, outcomes: ["abstained"] },
  { of: ({ errors }) => errors, outcomes: ["error"] },
  { of: ({ abstained, errors }) => abstained + errors, outcomes: ["abstained", "error"] },
];

/**
 * Whether one arm lost more runs than the other: the Wilson intervals of that do not overlap, or McNemar's exact test on all
 * pairs is at most ALPHA. What is left of such arms are survivors, chosen by what is to be measured, and says nothing of the
 * arms. No share of ALPHA is kept for this: seen once too often it only supports less.
 */
function isUneven(first: Compared, second: Compared): boolean {
  const pairs = pairsIn(first, second);
  return LOSSES.some(({ of, outcomes }) => {
    const lost = ({ outcome }: TrialRun): boolean => outcomes.includes(outcome);
    const only = (a: boolean, b: boolean): number =>
      pairs.filter((pair) => lost(pair[0]) === a && lost(pair[1]) === b).length;
    if (mcnemar(only(true, false), only(false, true)).exact <= ALPHA) return true;
    return isApart(lossOf(first.count, of(first.count)), lossOf(second.count, of(second.count)));
  });
}

/** The interval of a share of an arm's runs. */
export function lossOf({ obeyed, broken, abstained, errors }: ArmCount, lost: number): Interval {
  return wilson(lost, obeyed + broken + abstained + errors);
}

function isApart(a: Interval, b: Interval): boolean {
  return a.low > b.high || a.high < b.low;
}
