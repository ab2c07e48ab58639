/** The laws of a harvest, on the real house. Their twins are in test/twins/harvest.test.ts. */
import { describe, test } from "vitest";
import * as markup from "../../src/adapters/markup-saxes/index.ts";
import * as map from "../../src/domain/control-map.ts";
import * as limits from "../../src/domain/map-limits.ts";
import * as ids from "../../src/domain/unique-ids.ts";
import * as guides from "../../src/guides/index.ts";
import { HARVEST_CHECKS } from "../checks/harvest.ts";
import { WRITTEN } from "../harvest/texts.ts";
import { seed } from "../seed.ts";

const RUNS = 6_000;

describe("the laws of a harvest", () => {
  for (const [name, check] of Object.entries(HARVEST_CHECKS)) {
    test(name, () => {
      check({ guides, markup, map, limits, ids, seed, runs: RUNS, write: (kind, names) => WRITTEN[kind](names, 0) });
    });
  }
});
