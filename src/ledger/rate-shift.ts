import { type Interval, wilson } from "../domain/wilson.ts";

/** So many of so many. */
export type Share = { readonly n: number; readonly of: number };

/** How a rate differs from what it was in the window before. */
export type RateShift = {
  /** The rate now less the rate before: 0.05 is five percentage points more. */
  readonly change: number;
  /** The 95 % interval of the change. */
  readonly interval: Interval;
  /** The interval excludes 0, and each window has at least SHIFT_PROPOSALS_MIN proposals. */
  readonly moved: boolean;
};

/**
 * With fewer proposals in a window nothing is said to have moved. The interval nearly says so by itself, but not at the very
 * smallest counts: for 2 of 2 against 0 of 2 it excludes 0, and chance alone deals two of four so in one case of three.
 */
export const SHIFT_PROPOSALS_MIN = 10;

/**
 * The difference of two independent rates with its 95 % interval; null where a window has no proposals, so no rate.
 *
 * Source: R. G. Newcombe, "Interval estimation for the difference between independent proportions: comparison of eleven
 * methods", Statistics in Medicine 17 (1998), method 10: from the Wilson intervals of both rates.
 */
export function rateShift(now: Share, before: Share): RateShift | null {
  if (now.of === 0 || before.of === 0) return null;
  const [rateNow, rateBefore] = [now.n / now.of, before.n / before.of];
  const [a, b] = [wilson(now.n, now.of), wilson(before.n, before.of)];
  const change = rateNow - rateBefore;
  const low = change - Math.hypot(rateNow - a.low, b.high - rateBefore);
  const high = change + Math.hypot(a.high - rateNow, rateBefore - b.low);
  const enough = Math.min(now.of, before.of) >= SHIFT_PROPOSALS_MIN;
  return { change, interval: { low, high }, moved: enough && (low > 0 || high < 0) };
}
