/** The import has twins, and the checks that the real one passes catch every one of them. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as guides from "../../src/guides/index.ts";
import { type Guides, IMPORT_CHECKS } from "../checks/import.ts";
import { IMPORT_TWINS } from "./import-twins.ts";
import { type Copy, withCopy, withTwin } from "./twin.ts";

const NAMES = Object.keys(IMPORT_CHECKS) as (keyof typeof IMPORT_CHECKS)[];

// Node itself loads a copy, past vite, which takes ten times as long to transform what is used once.
const nativeRequire = createRequire(import.meta.url);

function guidesOf({ src }: Copy): Guides {
  return nativeRequire(join(src, "guides/index.ts"));
}

describe("an import", () => {
  test.each(NAMES)("%s", (name) => IMPORT_CHECKS[name](guides));
});

describe("the import's twins", () => {
  test("without a fault every check passes", () =>
    withCopy("import control", [], (copy) => {
      for (const name of NAMES) IMPORT_CHECKS[name](guidesOf(copy));
    }));

  for (const { fault, check, patches } of IMPORT_TWINS) {
    test(`${check}: ${fault}`, () =>
      withTwin(`${check} ${fault}`, patches, (copy) => IMPORT_CHECKS[check](guidesOf(copy))));
  }

  test("every check has a twin", () => {
    expect(new Set(IMPORT_TWINS.map(({ check }) => check))).toEqual(new Set(NAMES));
  });
});
