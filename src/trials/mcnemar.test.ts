import fc from "fast-check";
import { expect, test } from "vitest";
import { holm, mcnemar } from "./mcnemar.ts";

// Fagerland, Lydersen and Laake, "The McNemar test for binary matched-pairs data: mid-p and asymptotic are better than exact
// conditional", BMC Medical Research Methodology 13:91 (2013): tables 1 and 2, with the p-values of table 3.
test.each([
  ["airway hyper-responsiveness before and after stem cell transplantation (Bentur et al.)", 1, 7, "0.0703", "0.0391"],
  ["complete response before and after consolidation therapy (Cavo et al.)", 6, 16, "0.0525", "0.0347"],
])("the published table: %s", (_, one, other, exact, mid) => {
  const test = mcnemar(one, other);
  expect([test.exact.toFixed(4), test.mid.toFixed(4)]).toEqual([exact, mid]);
});

// Agresti, Categorical Data Analysis: the approval of a president in two surveys; 86 and 150 changed their minds. The exact
// value is that of the two-sided binomial test of 86 of 236.
test("the published table: 86 against 150", () => {
  expect(mcnemar(86, 150).exact.toExponential(3)).toBe("3.716e-5");
});

/** Every way in which `n` pairs can differ, each as likely as the others: how many are at least as one-sided. */
function enumerated(one: number, other: number): { readonly exact: number; readonly mid: number } {
  const n = one + other;
  const fewer = Math.min(one, other);
  let [beyond, there] = [0, 0];
  for (let ways = 0; ways < 2 ** n; ways++) {
    const heads = ways.toString(2).replaceAll("0", "").length;
    if (heads < fewer) beyond += 1;
    if (heads === fewer) there += 1;
  }
  const exact = Math.min(1, (2 * (beyond + there)) / 2 ** n);
  return { exact, mid: one === other ? 1 - there / 2 ** n / 2 : exact - there / 2 ** n };
}

test("exact for every small table: all outcomes counted one by one", () => {
  for (let one = 0; one <= 12; one++) {
    for (let other = 0; one + other <= 12; other++) {
      if (one + other === 0) continue;
      const [found, right] = [mcnemar(one, other), enumerated(one, other)];
      expect(found.exact, `${one} and ${other}`).toBeCloseTo(right.exact, 12);
      expect(found.mid, `${one} and ${other}`).toBeCloseTo(right.mid, 12);
    }
  }
});

test("symmetric, at most 1, the mid-p below it, and smaller the more one-sided", () => {
  const count = fc.nat({ max: 200_000 });
  fc.assert(
    fc.property(count, count, (one, other) => {
      const test = mcnemar(one, other);
      expect(mcnemar(other, one)).toEqual(test);
      expect(test.exact).toBeGreaterThanOrEqual(0);
      expect(test.exact).toBeLessThanOrEqual(1);
      expect(test.mid).toBeGreaterThanOrEqual(0);
      expect(test.mid).toBeLessThanOrEqual(test.exact);
      const [fewer, more] = [Math.min(one, other), Math.max(one, other)];
      expect(mcnemar(fewer, more + 1).exact).toBeLessThanOrEqual(test.exact);
    }),
  );
});

test("pairs without a difference say nothing, and large counts overflow nothing", () => {
  expect(mcnemar(0, 0)).toEqual({ exact: 1, mid: 1 });
  expect(mcnemar(500, 500).exact).toBe(1);
  expect(mcnemar(1_000_000, 2_000_000).exact).toBe(0);
  // 2 of a million: the normal approximation with continuity correction is right to five digits there.
  expect(mcnemar(499_000, 501_000).exact).toBeCloseTo(0.045_608, 6);
});

test("what are no counts is refused", () => {
  for (const [one, other] of [
    [-1, 2],
    [0.5, 2],
    [Number.NaN, 0],
    [0, Number.POSITIVE_INFINITY],
  ] as const) {
    expect(() => mcnemar(one, other)).toThrow(RangeError);
  }
});

// As the p.adjust of R gives them.
test("Holm's adjustment, in the order in which the values came", () => {
  const rounded = (values: readonly number[]) => holm(values).map((value) => Number(value.toFixed(6)));
  expect(rounded([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02]);
  expect(rounded([0.02])).toEqual([0.02]);
  expect(rounded([0.5, 0.6])).toEqual([1, 1]);
  expect(holm([])).toEqual([]);
});
