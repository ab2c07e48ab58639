import fc from "fast-check";
import { expect, test } from "vitest";
import { rateShift, SHIFT_PROPOSALS_MIN } from "./rate-shift.ts";

// Newcombe (1998), table II, the examples (a) to (h) by method 10.
test.each([
  [56, 70, 48, 80, "0.0524", "0.3339"],
  [9, 10, 3, 10, "0.1705", "0.8090"],
  [6, 7, 2, 7, "0.0582", "0.8062"],
  [5, 56, 0, 29, "-0.0381", "0.1926"],
  [0, 10, 0, 20, "-0.1611", "0.2775"],
  [0, 10, 0, 10, "-0.2775", "0.2775"],
  [10, 10, 0, 20, "0.6791", "1.0000"],
  [10, 10, 0, 10, "0.6075", "1.0000"],
] as const)("%i of %i against %i of %i as Newcombe's table has it", (n, of, nBefore, ofBefore, low, high) => {
  const shift = rateShift({ n, of }, { n: nBefore, of: ofBefore });
  expect([shift?.interval.low.toFixed(4), shift?.interval.high.toFixed(4)]).toEqual([low, high]);
  expect(shift?.change).toBeCloseTo(n / of - nBefore / ofBefore, 12);
});

test("it has moved where the interval excludes 0, up or down, and at 0 it has not", () => {
  expect(rateShift({ n: 60, of: 100 }, { n: 40, of: 100 })?.moved).toBe(true);
  expect(rateShift({ n: 40, of: 100 }, { n: 60, of: 100 })?.moved).toBe(true);
  expect(rateShift({ n: 53, of: 100 }, { n: 40, of: 100 })?.moved).toBe(false);
  expect(rateShift({ n: 54, of: 100 }, { n: 40, of: 100 })?.moved).toBe(true);
  expect(rateShift({ n: 40, of: 100 }, { n: 40, of: 100 })?.moved).toBe(false);
});

test("small counts never move: at one less than the least, at it, and whichever window is small", () => {
  const least = SHIFT_PROPOSALS_MIN;
  const few = least - 1;
  // The interval alone would say so even of two against two.
  expect(rateShift({ n: 2, of: 2 }, { n: 0, of: 2 })?.interval.low).toBeGreaterThan(0);
  expect(rateShift({ n: 2, of: 2 }, { n: 0, of: 2 })?.moved).toBe(false);
  expect(rateShift({ n: few, of: few }, { n: 0, of: few })?.moved).toBe(false);
  expect(rateShift({ n: few, of: few }, { n: 0, of: 1_000 })?.moved).toBe(false);
  expect(rateShift({ n: 1_000, of: 1_000 }, { n: 0, of: few })?.moved).toBe(false);
  expect(rateShift({ n: least, of: least }, { n: 0, of: least })?.moved).toBe(true);
});

test("without proposals there is no rate to compare", () => {
  expect(rateShift({ n: 0, of: 0 }, { n: 3, of: 30 })).toBeNull();
  expect(rateShift({ n: 3, of: 30 }, { n: 0, of: 0 })).toBeNull();
});

test("the interval holds the change, stays within [-1, 1], and mirrors where the windows change places", () => {
  const counts = fc
    .integer({ min: 1, max: 5_000 })
    .chain((of) => fc.record({ n: fc.nat({ max: of }), of: fc.constant(of) }));
  fc.assert(
    fc.property(counts, counts, (now, before) => {
      const shift = rateShift(now, before);
      const mirrored = rateShift(before, now);
      if (shift === null || mirrored === null) throw new Error("both have a rate");
      const { low, high } = shift.interval;
      expect(low).toBeLessThanOrEqual(shift.change);
      expect(high).toBeGreaterThanOrEqual(shift.change);
      expect(low).toBeGreaterThanOrEqual(-1 - 1e-12);
      expect(high).toBeLessThanOrEqual(1 + 1e-12);
      expect(mirrored.interval.low).toBeCloseTo(-high, 9);
      expect(mirrored.moved).toBe(shift.moved);
    }),
  );
});
