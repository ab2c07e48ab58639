import fc from "fast-check";
import { expect, test } from "vitest";
import { wilson, Z_95 } from "./wilson.ts";

const rounded = (hits: number, trials: number, digits: number) => {
  const { low, high } = wilson(hits, trials);
  return [low.toFixed(digits), high.toFixed(digits)];
};

test("the figures of the published table: 3 of 3, and 0 of 3", () => {
  expect(rounded(3, 3, 2)).toEqual(["0.44", "1.00"]);
  expect(rounded(0, 3, 2)).toEqual(["0.00", "0.56"]);
});

// Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I, method 3.
test.each([
  [81, 263, ["0.2553", "0.3662"]],
  [15, 148, ["0.0624", "0.1605"]],
  [0, 20, ["0.0000", "0.1611"]],
  [1, 29, ["0.0061", "0.1718"]],
] as const)("%i of %i as Newcombe's table has it", (hits, trials, interval) => {
  expect(rounded(hits, trials, 4)).toEqual(interval);
});

test("at the borders it reaches 0 and 1 exactly, and elsewhere it does not", () => {
  for (const trials of [1, 2, 3, 10, 1_000_003]) {
    expect(wilson(0, trials).low).toBe(0);
    expect(wilson(trials, trials).high).toBe(1);
    expect(wilson(1, trials).low).toBeGreaterThan(0);
    expect(wilson(trials - 1, trials).high).toBeLessThan(1);
    // 0 of n and n of n are closed forms: z^2 / (n + z^2) away from the border.
    const far = (Z_95 * Z_95) / (trials + Z_95 * Z_95);
    expect(wilson(0, trials).high).toBeCloseTo(far, 12);
    expect(wilson(trials, trials).low).toBeCloseTo(1 - far, 12);
  }
});

test("nothing is known without a trial", () => {
  expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
});

test("what are no counts is refused", () => {
  for (const [hits, trials] of [
    [-1, 3],
    [4, 3],
    [0.5, 3],
    [1, 2.5],
    [Number.NaN, 3],
    [0, Number.POSITIVE_INFINITY],
    [0, -1],
  ] as const) {
    expect(() => wilson(hits, trials), `${hits} of ${trials}`).toThrow(RangeError);
  }
});

test("it holds the rate, stays within [0, 1], mirrors, and narrows with more trials", () => {
  const counts = fc.nat({ max: 100_000 }).chain((trials) => fc.tuple(fc.nat({ max: trials }), fc.constant(trials)));
  fc.assert(
    fc.property(counts, ([hits, trials]) => {
      const { low, high } = wilson(hits, trials);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      if (trials > 0) {
        expect(low).toBeLessThanOrEqual(hits / trials);
        expect(high).toBeGreaterThanOrEqual(hits / trials);
      }
      const mirrored = wilson(trials - hits, trials);
      expect(mirrored.low).toBeCloseTo(1 - high, 9);
      expect(mirrored.high).toBeCloseTo(1 - low, 9);
      const more = wilson(hits * 4, trials * 4);
      expect(more.high - more.low).toBeLessThanOrEqual(high - low);
    }),
  );
});
