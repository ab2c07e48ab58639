import { describe, expect, test } from "vitest";
import { median } from "../figures/median.ts";
import { type Cost, type Costs, costOver, judge, SIZES, type Size } from "./judge.ts";
import type { VariantId } from "./variants.ts";
import { ANSWER, callOf, lookup, ownBytes } from "./workload.ts";

type Rounds = ReadonlyMap<Size, readonly Cost[]>;

const same = (cost: Cost): Rounds => new Map(SIZES.map((size) => [size, [cost]]));

function costs(changed: readonly (readonly [VariantId, Rounds])[] = []): Costs {
  return new Map([
    ["pi-loop", same({ cpu: 20, wall: 20, storedBytes: 0 })],
    ["bare-sqlite", same({ cpu: 100, wall: 300, storedBytes: 0 })],
    ["ours", same({ cpu: 10, wall: 10, storedBytes: 0 })],
    ["ours-sqlite", same({ cpu: 150, wall: 390, storedBytes: 3_000 })],
    ...changed,
  ]);
}

const failing = (changed: Parameters<typeof costs>[0], own = 1_000): readonly string[] =>
  judge(costs(changed), own)
    .filter((one) => one.holds !== true)
    .map((one) => one.goal);

describe("the goals of the figure loop", () => {
  test("hold at their limits", () => {
    const flat = new Map(same({ cpu: 10, wall: 10, storedBytes: 0 })).set(500, [{ cpu: 12, wall: 12, storedBytes: 0 }]);
    const linear = new Map(same({ cpu: 150, wall: 390, storedBytes: 1_000 }));
    linear.set(500, [{ cpu: 150, wall: 390, storedBytes: 5_500 }]);
    expect(failing([])).toEqual([]);
    expect(failing([["ours", flat]])).toEqual([]);
    expect(failing([["ours-sqlite", linear]], 2_000)).toEqual([]);
  });

  test("fail beyond them, and as fast as pi is not faster", () => {
    const flat = new Map(same({ cpu: 10, wall: 10, storedBytes: 0 })).set(500, [
      { cpu: 12.1, wall: 12, storedBytes: 0 },
    ]);
    expect(failing([["ours", flat]])).toEqual(["in memory, 500 turns / 10 turns, cpu"]);
    expect(failing([["pi-loop", same({ cpu: 20, wall: 10, storedBytes: 0 })]])).toEqual(
      SIZES.map((size) => `in memory / pi's loop function, ${size} turns, wall`),
    );
    expect(failing([["ours-sqlite", same({ cpu: 150, wall: 390.1, storedBytes: 3_001 })]])).toEqual([
      ...SIZES.map((size) => `durable / bare loop with two transactions, ${size} turns, wall`),
      "bytes on disk / the run's own bytes, 500 turns",
    ]);
  });

  test("compare round with round, so that what slows a whole round down changes nothing", () => {
    const rounds = (wall: readonly number[]): Rounds =>
      new Map(SIZES.map((size) => [size, wall.map((value) => ({ cpu: 1, wall: value, storedBytes: 3_000 }))]));
    const slowed = judge(
      costs([
        ["ours-sqlite", rounds([380, 3_800, 390])],
        ["bare-sqlite", rounds([300, 3_000, 300])],
      ]),
      1e4,
    );
    expect(slowed.filter((one) => one.goal.startsWith("durable")).map((one) => one.ratio)).toEqual(
      SIZES.map(() => 380 / 300),
    );
    expect(costOver(rounds([3, 1, 2]).get(10) ?? [])).toEqual({ cpu: 1, wall: 2, storedBytes: 3_000 });
  });

  test("are not judged where a peer was not measured", () => {
    const without = new Map(costs());
    without.delete("pi-loop");
    const unjudged = judge(without, 1_000).filter((one) => one.holds === null);
    expect(unjudged.map((one) => one.ratio)).toEqual(Array.from({ length: 6 }, () => null));
  });
});

test("the median is the middle value, and nothing has none", () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(median([])).toBeNaN();
});

test("a run of N turns is N - 1 calls with results that differ, then the answer", () => {
  const calls = Array.from({ length: 500 }, (_, i) => callOf(i + 1, 500));
  expect(calls.filter((params) => params === null)).toEqual([null]);
  expect(calls.at(-1)).toBeNull();
  const results = new Set(calls.flatMap((params) => (params === null ? [] : [JSON.stringify(lookup(params))])));
  expect(results.size).toBe(499);
  for (const text of results) expect(Math.abs(text.length - 450)).toBeLessThan(50);
  expect(ownBytes(500)).toBeGreaterThan(320_000);
  expect(ownBytes(500)).toBeLessThan(360_000);
  expect(ANSWER).not.toBe("");
});
