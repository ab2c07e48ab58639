/**
 * The binomial distribution, to nearly the last digit for any n that a trial can have: no factorial is ever formed, so
 * nothing overflows, and no difference of large logarithms, so nothing is lost.
 *
 * Source: C. Loader, "Fast and accurate computation of binomial probabilities" (2000): the saddle-point form.
 */

/** The probability of exactly `k` of `n`, each with probability `p`. Zero outside of 0 to `n`. */
export function binomialAt(k: number, n: number, p: number): number {
  if (k < 0 || k > n) return 0;
  if (p <= 0) return k === 0 ? 1 : 0;
  if (p >= 1) return k === n ? 1 : 0;
  if (p === 0.5 && n <= COINS_MAX) return coins(k, n);
  if (n === 0) return 1;
  if (k === 0) return Math.exp(n * Math.log1p(-p));
  if (k === n) return Math.exp(n * Math.log(p));
  const q = 1 - p;
  const saddle =
    stirlingError(n) - stirlingError(k) - stirlingError(n - k) - deviance(k, n * p) - deviance(n - k, n * q);
  return Math.exp(saddle) * Math.sqrt(n / (2 * Math.PI * k * (n - k)));
}

/** The probability of at most `k` of `n`. */
export function binomialUpTo(k: number, n: number, p: number): number {
  if (k < 0) return 0;
  if (k >= n) return 1;
  if (p === 0.5 && n <= COINS_MAX) return coinsUpTo(k, n);
  // The tail that is the smaller one is summed, so that a small probability keeps its digits.
  if (k < n * p) return tailBelow(k, n, p);
  return Math.max(0, 1 - tailBelow(n - k - 1, n, 1 - p));
}

/** The probability of at least `k` of `n`. */
export function binomialFrom(k: number, n: number, p: number): number {
  return binomialUpTo(n - k, n, 1 - p);
}

/** The probabilities of at most 0, 1, … and `n` of `n`. */
export function binomialSums(n: number, p: number): Float64Array {
  const sums = new Float64Array(n + 1);
  const mode = Math.min(n, Math.floor((n + 1) * p));
  sums[mode] = binomialAt(mode, n, p);
  for (let k = mode; k > 0; k--) sums[k - 1] = (sums[k] ?? 0) * stepDown(k, n, p);
  for (let k = mode; k < n; k++) sums[k + 1] = (sums[k] ?? 0) / stepDown(k + 1, n, p);
  for (let k = 1; k <= n; k++) sums[k] = (sums[k] ?? 0) + (sums[k - 1] ?? 0);
  return sums;
}

/** So many fair coins have whole numbers of ways that a double holds: their probabilities are exact to the last digit. */
const COINS_MAX = 50;

function coins(k: number, n: number): number {
  let ways = 1;
  for (let i = 0; i < k; i++) ways = (ways * (n - i)) / (i + 1);
  return ways / 2 ** n;
}

function coinsUpTo(k: number, n: number): number {
  let sum = 0;
  for (let i = 0; i <= k; i++) sum += coins(i, n);
  return sum;
}

/** From the probability of `k` to that of `k - 1`. */
function stepDown(k: number, n: number, p: number): number {
  return (k * (1 - p)) / ((n - k + 1) * p);
}

/** A sum that begins with its largest term, and ends where the terms no longer count. */
function tailBelow(k: number, n: number, p: number): number {
  let term = binomialAt(k, n, p);
  let sum = term;
  for (let at = k; at > 0 && term > sum * 1e-18; at--) {
    term *= stepDown(at, n, p);
    sum += term;
  }
  return Math.min(1, sum);
}

/** ln(n!) less Stirling's formula for it, of 0 to 15. */
const STIRLING: readonly number[] = [
  0, 0.08106146679532726, 0.0413406959554093, 0.02767792568499834, 0.020790672103765093, 0.016644691189821193,
  0.013876128823070748, 0.01189670994589177, 0.010411265261972096, 0.009255462182712733, 0.008330563433363133,
  0.007573675487951841, 0.00694284010720953, 0.006408994188004207, 0.0059513701127588475, 0.005554733551962801,
];

function stirlingError(n: number): number {
  const known = STIRLING[n];
  if (known !== undefined) return known;
  const square = n * n;
  return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square) / n;
}

/** k ln(k/m) + m - k. Where k is near m that is a small difference of large numbers, and a series has its digits. */
function deviance(k: number, m: number): number {
  if (Math.abs(k - m) >= 0.1 * (k + m)) return k * Math.log(k / m) + m - k;
  const v = (k - m) / (k + m);
  let sum = (k - m) * v;
  let term = 2 * k * v;
  for (let j = 1; ; j++) {
    term *= v * v;
    const next = sum + term / (2 * j + 1);
    if (next === sum) return sum;
    sum = next;
  }
}
