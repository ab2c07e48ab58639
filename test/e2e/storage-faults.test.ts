/** Claims R11 and S8: where the ledger cannot be written nothing happens, and nothing is written past the ledger. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { REAL_HOUSE } from "../crash/real-house.ts";
import { newScratch } from "../crash/scratch.ts";
import { syncedCommits, wholeCommits } from "../twins/commits.ts";
import {
  carryWhole,
  type Failing,
  failEverywhere,
  failingCalls,
  failingReads,
  failingStatements,
  fullAfter,
  memoryShelf,
  type Shelf,
  sqliteShelf,
} from "../twins/faults.ts";

let directory: string;
beforeEach(() => {
  directory = newScratch("storage");
});
afterEach(() => rmSync(directory, { recursive: true }));

const inMemory = (): Shelf => memoryShelf(REAL_HOUSE);
const onDisk = (n: number | string): Shelf => sqliteShelf(REAL_HOUSE, join(directory, String(n)));
const calls = failingCalls(REAL_HOUSE);
const reads = failingReads(REAL_HOUSE);

/** Writing calls of the scenario. Each is a place where the disk can be full. */
const WRITES = 38;

describe("a storage that fails", () => {
  test("[ledger-unwritable-denies] in memory, at each writing call", async () => {
    const whole = await carryWhole(REAL_HOUSE, inMemory());
    expect(await failEverywhere(REAL_HOUSE, inMemory, calls, whole)).toBe(WRITES);
  });

  test("[ledger-unwritable-denies] on SQLite, at each writing call", async () => {
    const whole = await carryWhole(REAL_HOUSE, onDisk("whole"));
    expect(whole).toEqual(await carryWhole(REAL_HOUSE, inMemory()));
    expect(await failEverywhere(REAL_HOUSE, onDisk, calls, whole)).toBe(WRITES);
  });

  test("[ledger-unwritable-denies] on SQLite, at each statement, commit and acknowledgement", async () => {
    const whole = await carryWhole(REAL_HOUSE, onDisk("whole"));
    const places = await failEverywhere(REAL_HOUSE, onDisk, failingStatements, whole);
    console.log(`${places} places where a statement failed`);
    expect(places).toBeGreaterThanOrEqual(234);
  });

  test("[ledger-unwritable-denies] on SQLite, when the file is full at each size that it comes to", async () => {
    const whole = await carryWhole(REAL_HOUSE, onDisk("whole"));
    const sizes = await failEverywhere(REAL_HOUSE, onDisk, fullAfter, whole);
    console.log(`${sizes} sizes at which the file was full`);
    expect(sizes).toBeGreaterThan(20);
  });

  test("[ledger-unwritable-denies] at each call, reading ones as well", async () => {
    const whole = await carryWhole(REAL_HOUSE, inMemory());
    expect(await failEverywhere(REAL_HOUSE, inMemory, reads, whole)).toBeGreaterThan(WRITES);
  });

  test("[ledger-unwritable-denies] and once more while the run is resumed", async () => {
    const whole = await carryWhole(REAL_HOUSE, inMemory());
    const again: readonly { readonly failing: Failing; readonly n: number }[] = [
      ...[1, 2, 3].map((n) => ({ failing: calls, n })),
      ...[1, 2, 3, 4].map((n) => ({ failing: reads, n })),
    ];
    for (const then of again) expect(await failEverywhere(REAL_HOUSE, inMemory, calls, whole, then)).toBe(WRITES);
  });
});

describe("every change of state", () => {
  test("[ledger-same-transaction] is committed with the row that says so, and the row with it", async () => {
    const commits = await wholeCommits(REAL_HOUSE, directory);
    // Every form of a write that there is, denials and failures included.
    expect([...new Set(commits.map(({ method, kinds }) => `${method}: ${kinds}`))].sort()).toEqual([
      "append: ended",
      "append: replied",
      "append: replied ended",
      "append: replied settled_before",
      "appendGuides: guide_approved",
      "appendGuides: guide_published",
      "appendGuides: guide_verified",
      "begin: began",
      "decide: decided",
      "decide: decided started",
      "decide: replied decided",
      "decide: replied decided started",
      "decide: replied settled_before",
      "settle: finished",
    ]);
    // A failed effect gives back what it held, in that same commit.
    expect(commits.filter(({ method, books }) => method === "settle" && books.includes("cap_usage"))).toHaveLength(1);
  });

  test("is synced before it is acknowledged", () => syncedCommits(REAL_HOUSE, directory));
});
