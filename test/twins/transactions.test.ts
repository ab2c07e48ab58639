/** Each transaction, the last gate and the rails have twins, and the check that the real house passes catches each. */
import { mkdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DOORS, type House } from "../crash/house.ts";
import { REAL_HOUSE } from "../crash/real-house.ts";
import { newScratch } from "../crash/scratch.ts";
import { syncedCommits, wholeCommits } from "./commits.ts";
import { carryWhole, failEverywhere, failingCalls, failingStatements, memoryShelf, sqliteShelf } from "./faults.ts";
import { oneOwner } from "./owners.ts";
import { capsAreExact, denyOverrides, evidenceIsChecked, gateIsShut, provenanceIsTraced } from "./rails.ts";
import { type CheckName, TRANSACTION_TWINS } from "./transaction-twins.ts";
import { withCopy, withTwin } from "./twin.ts";

let directory: string;
beforeEach(() => {
  directory = newScratch("twins");
});
afterEach(() => rmSync(directory, { recursive: true }));

const CHECKS: { readonly [name in CheckName]: (house: House, at: string) => unknown } = {
  wholeCommits,
  syncedCommits,
  oneOwnerInMemory: (house) => {
    const shelf = memoryShelf(house);
    return oneOwner(house, () => shelf.open());
  },
  oneOwnerOnSqlite: (house, at) => {
    const shelf = sqliteShelf(house, join(at, "owners"));
    return oneOwner(house, () => shelf.open());
  },
  failingCalls: async (house) => {
    const whole = await carryWhole(house, memoryShelf(house));
    await failEverywhere(house, () => memoryShelf(house), failingCalls(house), whole);
  },
  failingStatements: async (house, at) => {
    const whole = await carryWhole(house, sqliteShelf(house, join(at, "whole")));
    await failEverywhere(house, (n) => sqliteShelf(house, join(at, String(n))), failingStatements, whole);
  },
  evidenceIsChecked,
  denyOverrides,
  capsAreExact,
  gateIsShut,
  provenanceIsTraced,
};

const CHECK_NAMES = Object.keys(CHECKS) as CheckName[];

/** Runs a check in a directory of its own. */
async function run(name: CheckName, house: House): Promise<void> {
  const at = join(directory, name);
  mkdirSync(at);
  await CHECKS[name](house, at);
}

// Node itself loads a copy, past vite, which takes longer to transform what is used once.
const nativeRequire = createRequire(import.meta.url);

function requireHouse(src: string): House {
  return Object.fromEntries(
    Object.entries(DOORS).map(([name, path]) => [name, nativeRequire(join(src, path))]),
  ) as unknown as House;
}

describe("without a fault", () => {
  test("a copy passes every check", () =>
    withCopy("control", [], async ({ src }) => {
      const house = requireHouse(src);
      // This one is the longest, and has just been passed by the house itself in test/e2e/storage-faults.test.ts.
      const names = CHECK_NAMES.filter((name) => name !== "failingStatements");
      for (const name of names) await run(name, house);
    }));
  test("[rails-one-mint] no likeness of a token opens the last gate", () => run("gateIsShut", REAL_HOUSE));
  test("of two owners of a run in memory, the second carries on and the first stops", () =>
    run("oneOwnerInMemory", REAL_HOUSE));
  test("of two owners of a run on SQLite, the second carries on and the first stops", () =>
    run("oneOwnerOnSqlite", REAL_HOUSE));
});

describe("the twins of transactions, gates and rails", () => {
  for (const { fault, check, patches } of TRANSACTION_TWINS) {
    test(`${check}: ${fault}`, () =>
      withTwin(`${check} ${fault}`.slice(0, 60), patches, ({ src }) => run(check, requireHouse(src))));
  }

  test("every check has a twin", () => {
    expect(new Set(TRANSACTION_TWINS.map(({ check }) => check))).toEqual(new Set(CHECK_NAMES));
  });
});
