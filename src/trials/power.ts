import { wilson } from "../domain/wilson.ts";
import { binomialAt, binomialFrom, binomialSums, binomialUpTo } from "./binomial.ts";

/** Of the pairs: both followed the rule, only the run of the higher arm did, only the other one, neither. They add up to 1. */
export type Shares = {
  readonly both: number;
  readonly onlyHigh: number;
  readonly onlyLow: number;
  readonly neither: number;
};

/** Outcomes that are rarer than this are left out: all of them together change no figure. */
const RARE = 1e-13;

/**
 * The most pairs that may go against the rest of `differing` ones, so that McNemar's exact test is at most `alpha`; -1 where
 * none may. Asked for one number after the other, each answer is at most one more than the last.
 */
function mostAgainst(differing: number, alpha: number): number {
  // Near the normal approximation, and from there step by step.
  let most = Math.max(-1, Math.floor(differing / 2 - Math.sqrt(differing)) - 1);
  while (most >= 0 && 2 * binomialUpTo(most, differing, 0.5) > alpha) most -= 1;
  while (2 * most + 2 < differing && 2 * binomialUpTo(most + 1, differing, 0.5) <= alpha) most += 1;
  return most;
}

/** The numbers of differing pairs that are not too rare, with how likely each is. */
function* differings(n: number, share: number): Generator<{ readonly differing: number; readonly chance: number }> {
  const middle = Math.min(n, Math.floor((n + 1) * share));
  for (const step of [-1, 1]) {
    for (let differing = step < 0 ? middle : middle + 1; differing >= 0 && differing <= n; differing += step) {
      const chance = binomialAt(differing, n, share);
      if (chance < RARE) break;
      yield { differing, chance };
    }
  }
}

/** The probability that McNemar's exact test of `n` pairs is at most `alpha`, and in the direction that is there. */
export function testPower(n: number, { onlyHigh, onlyLow }: Shares, alpha: number): number {
  const share = onlyHigh + onlyLow;
  let power = 0;
  for (const { differing, chance } of differings(n, share)) {
    const against = mostAgainst(differing, alpha);
    if (against >= 0) power += chance * binomialFrom(differing - against, differing, onlyHigh / share);
  }
  return power;
}

/**
 * The probability that the ordering is supported: the test is at most `alpha` in the direction that is there, and the Wilson
 * intervals of the two arms do not overlap. A sum over all outcomes of `n` pairs: how many differ, how many of those go the
 * right way, and how many of the others follow the rule in both runs.
 */
export function supportPower(n: number, { both, onlyHigh, onlyLow, neither }: Shares, alpha: number): number {
  const share = onlyHigh + onlyLow;
  const spans = spansOf(n);
  const same = both + neither;
  let power = 0;
  for (const { differing, chance } of differings(n, share)) {
    const against = mostAgainst(differing, alpha);
    if (against < 0) continue;
    const rest = n - differing;
    const sums = binomialSums(rest, same <= 0 ? 0 : both / same);
    for (let wrong = against; wrong >= 0; wrong--) {
      const right = differing - wrong;
      const likely = chance * binomialAt(right, differing, onlyHigh / share);
      if (likely < RARE) continue;
      // The higher arm has as many hits as pairs in which both followed, and those that went the right way.
      for (const { from, to } of spans(right - wrong)) {
        power += likely * between(sums, from - right, Math.min(rest, to - right));
      }
    }
  }
  return Math.min(1, power);
}

type Span = { readonly from: number; readonly to: number };

/**
 * For a difference of hits: the numbers of hits of the higher arm with which the intervals are apart. Towards 0 and `n` they
 * are narrower, so these are mostly a span at either end, which meet where the difference is large.
 */
function spansOf(n: number): (difference: number) => readonly Span[] {
  const intervals = [...Array(n + 1).keys()].map((hits) => wilson(hits, n));
  const needed = new Int32Array(n + 1);
  let below = -1;
  intervals.forEach(({ low }, hits) => {
    while ((intervals[below + 1]?.high ?? 1) < low) below += 1;
    needed[hits] = hits - below;
  });
  const known = new Map<number, readonly Span[]>();
  return (difference) => {
    const before = known.get(difference);
    if (before !== undefined) return before;
    const spans: Span[] = [];
    let from = -1;
    for (let hits = 0; hits <= n + 1; hits++) {
      const isApart = hits <= n && (needed[hits] ?? n) <= difference;
      if (isApart && from < 0) from = hits;
      if (isApart || from < 0) continue;
      spans.push({ from, to: hits - 1 });
      from = -1;
    }
    known.set(difference, spans);
    return spans;
  };
}

/** The probability of `from` to `to`, both included. */
function between(sums: Float64Array, from: number, to: number): number {
  if (to < Math.max(0, from)) return 0;
  return (sums[to] ?? 0) - (from <= 0 ? 0 : (sums[from - 1] ?? 0));
}
