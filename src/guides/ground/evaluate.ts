/** How well anything that binds intents to controls does, on pairs of which the right control is known. */
import { type Interval, wilson } from "../../domain/wilson.ts";

/** An intent in a map, with the control that is right; null: none, and it has to stay unbound. */
export type Pair = {
  readonly id: string;
  readonly map: string;
  readonly intent: string;
  readonly expected: string | null;
  /** Other controls that are as right. */
  readonly accept: readonly string[];
  readonly kind: string;
  /** Of the pairs that figures are about. */
  readonly core: boolean;
  /** Of the file that it was read from. */
  readonly line?: number;
};

/** How a pair came out. */
export type Outcome = keyof Counts;

export type Counts = {
  /** Pairs with a right control: bound to it, bound to another, not bound. */
  readonly right: number;
  readonly wrong: number;
  readonly missed: number;
  /** Pairs without: left unbound, and bound all the same. */
  readonly leftUnbound: number;
  readonly boundAnyway: number;
};

/** `rate` of nothing is null, and its interval all of [0, 1]. */
export type Rate = {
  readonly hits: number;
  readonly of: number;
  readonly rate: number | null;
  readonly interval: Interval;
};

export type Evaluation = {
  readonly counts: Counts;
  /** Of everything that was bound, what was bound rightly. */
  readonly precision: Rate;
  /** Of the pairs with a right control, those that were bound to it. */
  readonly recall: Rate;
  /** Of the pairs without, those that were left unbound. */
  readonly negatives: Rate;
};

/** The intervals are Wilson's, 95 %. */
export function evaluate(pairs: readonly Pair[], bind: (pair: Pair) => string | null): Evaluation {
  const counts = { right: 0, wrong: 0, missed: 0, leftUnbound: 0, boundAnyway: 0 };
  for (const pair of pairs) counts[outcomeOf(pair, bind(pair))] += 1;
  return evaluationOf(counts);
}

export function outcomeOf({ expected, accept }: Pick<Pair, "expected" | "accept">, bound: string | null): Outcome {
  if (expected === null) return bound === null ? "leftUnbound" : "boundAnyway";
  if (bound === null) return "missed";
  return bound === expected || accept.includes(bound) ? "right" : "wrong";
}

export function evaluationOf(counts: Counts): Evaluation {
  const { right, wrong, missed, leftUnbound, boundAnyway } = counts;
  return {
    counts,
    precision: rateOf(right, right + wrong + boundAnyway),
    recall: rateOf(right, right + wrong + missed),
    negatives: rateOf(leftUnbound, leftUnbound + boundAnyway),
  };
}

function rateOf(hits: number, of: number): Rate {
  return { hits, of, rate: of === 0 ? null : hits / of, interval: wilson(hits, of) };
}
