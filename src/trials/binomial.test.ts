import fc from "fast-check";
import { expect, test } from "vitest";
import { binomialAt, binomialFrom, binomialSums, binomialUpTo } from "./binomial.ts";

/** The probability by whole numbers alone: C(n, k) a^k (d-a)^(n-k) / d^n, for p = a/d. */
function exactly(k: number, n: number, a: number, d: number): number {
  let choose = 1n;
  for (let i = 0; i < k; i++) choose = (choose * BigInt(n - i)) / BigInt(i + 1);
  const top = choose * BigInt(a) ** BigInt(k) * BigInt(d - a) ** BigInt(n - k);
  // Digits enough for a double, wherever they begin.
  return Number((top * 10n ** 60n) / BigInt(d) ** BigInt(n)) / 1e60;
}

test("every probability of small n is the one that whole numbers give", () => {
  for (const [a, d] of [
    [1, 2],
    [1, 10],
    [9, 10],
    [37, 100],
  ] as const) {
    for (const n of [1, 2, 3, 7, 15, 16, 40]) {
      let sum = 0;
      const sums = binomialSums(n, a / d);
      for (let k = 0; k <= n; k++) {
        const right = exactly(k, n, a, d);
        sum += right;
        expect(binomialAt(k, n, a / d) / right, `${k} of ${n} at ${a}/${d}`).toBeCloseTo(1, 11);
        expect(binomialUpTo(k, n, a / d)).toBeCloseTo(Math.min(1, sum), 11);
        expect(sums[k]).toBeCloseTo(Math.min(1, sum), 11);
        expect(binomialFrom(k + 1, n, a / d)).toBeCloseTo(Math.max(0, 1 - sum), 11);
      }
    }
  }
});

test("large n overflows nothing and adds up to one", () => {
  for (const [n, p] of [
    [10_000, 0.5],
    [10_000, 0.03],
    [1_000_000, 0.5],
  ] as const) {
    expect(binomialSums(n, p)[n]).toBeCloseTo(1, 9);
    const middle = Math.floor(n * p);
    expect(binomialUpTo(middle, n, p) + binomialFrom(middle + 1, n, p)).toBeCloseTo(1, 9);
  }
  // de Moivre: the middle of 2m is near 1/sqrt(pi m), by less than 1/8m of it.
  expect(binomialAt(500_000, 1_000_000, 0.5) * Math.sqrt(Math.PI * 500_000)).toBeCloseTo(1, 6);
});

test("borders: what cannot be, what must be", () => {
  expect([binomialAt(-1, 5, 0.5), binomialAt(6, 5, 0.5), binomialUpTo(-1, 5, 0.5), binomialUpTo(5, 5, 0.5)]).toEqual([
    0, 0, 0, 1,
  ]);
  expect([binomialAt(0, 5, 0), binomialAt(1, 5, 0), binomialAt(5, 5, 1), binomialAt(4, 5, 1)]).toEqual([1, 0, 1, 0]);
  expect([binomialAt(0, 0, 0.5), ...binomialSums(0, 0.5)]).toEqual([1, 1]);
  expect([...binomialSums(3, 0)]).toEqual([1, 1, 1, 1]);
  expect([...binomialSums(3, 1)]).toEqual([0, 0, 0, 1]);
});

test("it mirrors: k of n with p is n - k of n without", () => {
  const cases = fc.record({ n: fc.integer({ min: 1, max: 5_000 }), part: fc.double({ min: 0, max: 1, noNaN: true }) });
  fc.assert(
    fc.property(cases, fc.double({ min: 0.01, max: 0.99, noNaN: true }), ({ n, part }, p) => {
      const k = Math.round(n * part);
      expect(binomialAt(k, n, p)).toBeCloseTo(binomialAt(n - k, n, 1 - p), 10);
      expect(binomialUpTo(k, n, p)).toBeCloseTo(binomialFrom(n - k, n, 1 - p), 10);
    }),
  );
});
