/** An interval of rates, both ends included. */
export type Interval = { readonly low: number; readonly high: number };

/** The quantile of the normal distribution for a two-sided interval of 95 %. */
export const Z_95 = 1.959963984540054;

/**
 * Wilson's score interval for a rate of which `hits` of `trials` were seen, 95 % unless another `z` is given. It stays
 * within [0, 1], says something of 0 of n and of n of n, and without a trial is all of [0, 1]: nothing is known.
 *
 * Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
 * @throws RangeError where these are no counts.
 */
export function wilson(hits: number, trials: number, z = Z_95): Interval {
  if (!Number.isSafeInteger(hits) || !Number.isSafeInteger(trials) || hits < 0 || hits > trials) {
    throw new RangeError(`${hits} of ${trials} is no count`);
  }
  if (trials === 0) return { low: 0, high: 1 };
  const rate = hits / trials;
  const square = (z * z) / trials;
  const middle = (rate + square / 2) / (1 + square);
  const half = (z / (1 + square)) * Math.sqrt((rate * (1 - rate)) / trials + square / (4 * trials));
  // At the borders the formula gives 0 and 1 exactly, and floating point nearly.
  return { low: hits === 0 ? 0 : middle - half, high: hits === trials ? 1 : middle + half };
}
