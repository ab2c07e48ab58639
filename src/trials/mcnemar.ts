import { binomialAt, binomialUpTo } from "./binomial.ts";

/** `exact` decides. `mid` is told beside it: it is nearly always nearer to the truth, and does not promise its level. */
export type McNemar = { readonly exact: number; readonly mid: number };

/**
 * McNemar's test of pairs, two-sided. Only the pairs that came out differently say anything: if the arms were alike, each of
 * them would be heads or tails. `one` and `other` are how many went the one way and the other.
 *
 * Sources: Q. McNemar, "Note on the sampling error of the difference between correlated proportions or percentages",
 * Psychometrika 12 (1947); the exact conditional form and the mid-p as in M. W. Fagerland, S. Lydersen, P. Laake, "The
 * McNemar test for binary matched-pairs data", BMC Medical Research Methodology 13:91 (2013).
 * @throws RangeError where these are no counts.
 */
export function mcnemar(one: number, other: number): McNemar {
  for (const count of [one, other]) {
    if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`${count} is no count`);
  }
  const differing = one + other;
  if (differing === 0) return { exact: 1, mid: 1 };
  const fewer = Math.min(one, other);
  const there = binomialAt(fewer, differing, 0.5);
  if (one === other) return { exact: 1, mid: 1 - there / 2 };
  const exact = Math.min(1, 2 * binomialUpTo(fewer, differing, 0.5));
  return { exact, mid: Math.max(0, exact - there) };
}

/**
 * Holm's adjustment of several p-values, in their order: the chance that anything is found among them where nothing is
 * there stays below the level, whatever depends on whatever.
 *
 * Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979).
 */
export function holm(values: readonly number[]): readonly number[] {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value || a.index - b.index);
  const adjusted = [...values];
  let floor = 0;
  order.forEach(({ value, index }, rank) => {
    floor = Math.max(floor, Math.min(1, value * (values.length - rank)));
    adjusted[index] = floor;
  });
  return adjusted;
}
