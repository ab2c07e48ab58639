/** What compile may never do, over random rules; and that each law catches what breaks it. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as guides from "../../src/guides/index.ts";
import { TWIN_SEED } from "../seed.ts";
import { withCopy, withTwin } from "../twins/twin.ts";
import { type Guides, LAWS, type LawName, seenIn } from "./guides/laws.ts";
import { GUIDE_TWINS } from "./guides/twins.ts";

const RUNS = { numRuns: runsFrom(process.env.SIGNALBOX_GUIDES) };
const TWIN_RUNS = { seed: TWIN_SEED, numRuns: 3_000, endOnFailure: true };
const A_FEW = { numRuns: 200 };

function runsFrom(given: string | undefined): number {
  const runs = Number(given === undefined || given === "" ? 5_000 : given);
  // A number that cannot be read must not pass for laws that hold.
  if (!Number.isInteger(runs) || runs < 1) throw new RangeError(`SIGNALBOX_GUIDES: "${given}"`);
  return runs;
}

const LAW_NAMES = Object.keys(LAWS) as LawName[];

describe("the laws of compile", { timeout: 300_000 }, () => {
  for (const name of LAW_NAMES) test(name, () => LAWS[name](guides, RUNS));

  test("are tried on everything that there is", () => {
    const seldom = [...seenIn(5_000)].filter(([, times]) => times < 10);
    expect(seldom).toEqual([]);
  });
});

// Node itself loads a copy, past vite, which takes ten times as long to transform what is used once.
const nativeRequire = createRequire(import.meta.url);
const roomIn = (src: string): Guides => nativeRequire(join(src, "guides/index.ts"));

describe("the twins of compile", { timeout: 300_000 }, () => {
  test("without a fault every law holds", () =>
    withCopy("guides control", [], ({ src }) => {
      for (const name of LAW_NAMES) LAWS[name](roomIn(src), A_FEW);
    }));

  for (const { law, fault, patches } of GUIDE_TWINS) {
    test(`${law}: ${fault}`, () =>
      withTwin(`guides ${fault}`, patches, ({ src }) => LAWS[law](roomIn(src), TWIN_RUNS)));
  }

  test("every law has a twin", () => {
    expect(new Set(GUIDE_TWINS.map(({ law }) => law))).toEqual(new Set(LAW_NAMES));
  });
});
