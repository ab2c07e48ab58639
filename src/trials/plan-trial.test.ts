import { describe, expect, test } from "vitest";
import { wilson } from "../domain/wilson.ts";
import { mcnemar } from "./mcnemar.ts";
import { isSeparate, PAIRS_MAX, planTable, planTrial, SPAN } from "./plan-trial.ts";
import { type Shares, supportPower, testPower } from "./power.ts";

/** Every outcome of `n` pairs with its probability, one by one. */
function overall(
  n: number,
  shares: Shares,
  holds: (onlyHigh: number, onlyLow: number, both: number) => boolean,
): number {
  const { both, onlyHigh, onlyLow, neither } = shares;
  const logs = [0];
  for (let i = 1; i <= n; i++) logs.push((logs[i - 1] ?? 0) + Math.log(i));
  const log = (i: number): number => logs[i] ?? 0;
  const power = (p: number, k: number): number => (k === 0 ? 0 : k * Math.log(p));
  let sum = 0;
  for (let b = 0; b <= n; b++) {
    for (let c = 0; b + c <= n; c++) {
      for (let a = 0; a + b + c <= n; a++) {
        if (!holds(b, c, a)) continue;
        const d = n - a - b - c;
        const ways = log(n) - log(a) - log(b) - log(c) - log(d);
        sum += Math.exp(ways + power(both, a) + power(onlyHigh, b) + power(onlyLow, c) + power(neither, d));
      }
    }
  }
  return sum;
}

const SHARES: readonly Shares[] = [
  { both: 0.45, onlyHigh: 0.45, onlyLow: 0.05, neither: 0.05 },
  { both: 0.1, onlyHigh: 0.6, onlyLow: 0, neither: 0.3 },
  { both: 0, onlyHigh: 0.8, onlyLow: 0.2, neither: 0 },
  { both: 0, onlyHigh: 1, onlyLow: 0, neither: 0 },
];

test("the power of the test, against every outcome one by one", () => {
  for (const shares of SHARES) {
    for (const [n, alpha] of [
      [1, 0.05],
      [5, 0.05],
      [9, 0.05],
      [20, 0.05],
      [30, 0.005],
    ] as const) {
      const right = overall(n, shares, (b, c) => b > c && mcnemar(b, c).exact <= alpha);
      expect(testPower(n, shares, alpha), `${n} pairs`).toBeCloseTo(right, 10);
    }
  }
});

test("the power of the whole decision, against every outcome one by one", () => {
  for (const shares of SHARES) {
    for (const [n, alpha] of [
      [1, 0.05],
      [6, 0.05],
      [13, 0.05],
      [30, 0.05],
      [30, 0.005],
    ] as const) {
      const right = overall(n, shares, (b, c, a) => {
        return b > c && mcnemar(b, c).exact <= alpha && wilson(a + b, n).low > wilson(a + c, n).high;
      });
      expect(supportPower(n, shares, alpha), `${n} pairs`).toBeCloseTo(right, 10);
    }
  }
});

describe("how many pairs are needed", () => {
  const rates = [
    [100, 0],
    [90, 10],
    [90, 50],
    [80, 60],
    [60, 40],
    [50, 0],
    [99, 90],
    [30, 25],
  ] as const;

  test.each(rates)(
    "[trial-plan] %i against %i percent: one pair fewer does not separate, it and all after it do",
    (high, low) => {
      const plan = planTrial({ high: high / 100, low: low / 100, discordance: null });
      if (!plan.ok) throw new Error(plan.why.detail);
      const { separate } = plan.value.needed;
      const n = separate ?? 0;
      expect(n).toBeGreaterThan(1);
      expect(isSeparate(n - 1, high / 100, low / 100)).toBe(false);
      for (let after = n; after < 3 * n + 200; after++) expect(isSeparate(after, high / 100, low / 100)).toBe(true);
      // Whole numbers once more, without the floating point of the rates.
      const hits = [Math.floor((n * high) / 100), Math.ceil((n * low) / 100)] as const;
      expect(wilson(hits[0], n).low).toBeGreaterThan(wilson(hits[1], n).high);
    },
  );

  test.each(rates)(
    "[trial-plan] %i against %i percent: one pair fewer has not the power, it and all after it have",
    (high, low) => {
      const plan = planTrial({ high: high / 100, low: low / 100, discordance: null });
      if (!plan.ok) throw new Error(plan.why.detail);
      const { needed, alpha, discordance } = plan.value;
      const [a, b] = [high / 100, low / 100];
      const onlyHigh = (discordance + a - b) / 2;
      const shares = { both: a - onlyHigh, onlyHigh, onlyLow: discordance - onlyHigh, neither: (1 - a) * (1 - b) };
      for (const [n, power] of [
        [needed.mcnemar ?? 0, testPower],
        [needed.supported ?? 0, supportPower],
      ] as const) {
        expect(power(n - 1, shares, alpha)).toBeLessThan(0.8);
        for (let after = n; after <= n + SPAN; after++) expect(power(after, shares, alpha)).toBeGreaterThanOrEqual(0.8);
      }
      expect(needed.supported).toBeGreaterThanOrEqual(needed.mcnemar ?? 0);
    },
  );

  test("three pairs separate nothing, which is the source's own pilot, and four separate all from none", () => {
    expect(isSeparate(3, 1, 0)).toBe(false);
    expect(isSeparate(4, 1, 0)).toBe(true);
    const plan = planTrial({ high: 1, low: 0, discordance: null });
    // The test needs six that all go one way: 2/64.
    expect(plan).toMatchObject({ ok: true, value: { needed: { separate: 4, mcnemar: 6, supported: 6 } } });
  });

  test("the more comparisons share the level, the more pairs; the more pairs differ, the more as well", () => {
    const needed = (discordance: number | null, comparisons: number): number => {
      const plan = planTrial({ high: 0.9, low: 0.6, discordance }, comparisons);
      return plan.ok ? (plan.value.needed.mcnemar ?? 0) : 0;
    };
    expect(needed(null, 10)).toBeGreaterThan(needed(null, 1));
    expect(needed(0.5, 1)).toBeGreaterThan(needed(0.3, 1));
  });

  test("what nobody could run is null", () => {
    const plan = planTrial({ high: 0.51, low: 0.5, discordance: null });
    expect(plan).toMatchObject({ ok: true, value: { needed: { separate: null, mcnemar: null, supported: null } } });
    expect(PAIRS_MAX).toBe(10_000);
  });

  test("rates that no pairs can have are refused", () => {
    for (const [high, low, discordance] of [
      [0.5, 0.5, null],
      [0.4, 0.5, null],
      [1.1, 0.5, null],
      [0.9, Number.NaN, null],
      [0.9, 0.5, 0.39],
      [0.9, 0.5, 0.61],
      [0.9, 0.5, -1],
    ] as const) {
      expect(planTrial({ high, low, discordance })).toMatchObject({ ok: false, why: { code: "impossible_rates" } });
    }
    for (const discordance of [0.4, 0.6]) {
      expect(planTrial({ high: 0.9, low: 0.5, discordance }).ok).toBe(true);
    }
  });

  test("the table goes down in steps of ten", () => {
    expect(planTable(0.95).map(({ low }) => low)).toEqual([0.85, 0.75, 0.65, 0.55, 0.45, 0.35, 0.25, 0.15, 0.05]);
    const needed = planTable(0.9).map((plan) => plan.needed.supported ?? 0);
    expect(needed).toEqual([...needed].sort((a, b) => b - a));
  });
});
