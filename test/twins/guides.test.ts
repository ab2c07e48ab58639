/** Each gate of the approval chain has twins, and the check that the real house passes catches each. */
import { mkdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DOORS, type House } from "../crash/house.ts";
import { REAL_HOUSE } from "../crash/real-house.ts";
import { newScratch } from "../crash/scratch.ts";
import { GUIDE_TWINS, type GuideCheck } from "./guide-twins.ts";
import { publicationIsApproved, servingChecksAgain, signaturesAreChecked, storesKeepTheLaws } from "./guides.ts";
import { withCopy, withTwin } from "./twin.ts";

let directory: string;
beforeEach(() => {
  directory = newScratch("guide-twins");
});
afterEach(() => rmSync(directory, { recursive: true }));

const CHECKS: { readonly [name in GuideCheck]: (house: House, at: string) => Promise<void> } = {
  publicationIsApproved,
  storesKeepTheLaws,
  servingChecksAgain,
  signaturesAreChecked,
};
const NAMES = Object.keys(CHECKS) as GuideCheck[];

async function run(name: GuideCheck, house: House): Promise<void> {
  const at = join(directory, name);
  mkdirSync(at);
  await CHECKS[name](house, at);
}

// Node itself loads a copy, past vite, which takes longer to transform what is used once.
const nativeRequire = createRequire(import.meta.url);

function requireHouse(src: string): House {
  const entries = Object.entries(DOORS).map(([name, path]) => [name, nativeRequire(join(src, path))]);
  return Object.fromEntries(entries) as unknown as House;
}

describe("the gates of the approval chain", () => {
  test.each(NAMES)("[guide-chain] %s", (name) => run(name, REAL_HOUSE));
});

describe("their twins", () => {
  test("without a fault a copy passes every check", () =>
    withCopy("guides control", [], async ({ src }) => {
      for (const name of NAMES) await run(name, requireHouse(src));
    }));

  for (const { fault, check, patches } of GUIDE_TWINS) {
    test(`${check}: ${fault}`, () =>
      withTwin(`${check} ${fault}`.slice(0, 60), patches, ({ src }) => run(check, requireHouse(src))));
  }

  test("every check has a twin", () => {
    expect(new Set(GUIDE_TWINS.map(({ check }) => check))).toEqual(new Set(NAMES));
  });
});
