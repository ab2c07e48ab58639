/** The trials' checks have twins: each planted fault is caught by the check that the product passes. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Trials } from "../checks/trial-results.ts";
import { TRIAL_CHECKS } from "../checks/trials.ts";
import { TRIAL_TWINS } from "./trial-twins.ts";
import { type Copy, withCopy, withTwin } from "./twin.ts";

const CHECK_NAMES = Object.keys(TRIAL_CHECKS) as (keyof typeof TRIAL_CHECKS)[];

// Node itself loads a copy, past vite, which takes ten times as long to transform what is used once.
const nativeRequire = createRequire(import.meta.url);

function runCheck({ src, checks }: Copy, name: keyof typeof TRIAL_CHECKS): void {
  const room: Trials = nativeRequire(join(src, "trials/index.ts"));
  const own: typeof TRIAL_CHECKS = nativeRequire(join(checks, "trials.ts")).TRIAL_CHECKS;
  own[name](room);
}

describe("the trials' twins", () => {
  test("without a fault every check passes", () =>
    withCopy("trials control", [], (copy) => {
      for (const name of CHECK_NAMES) runCheck(copy, name);
    }));

  for (const { fault, check, patches } of TRIAL_TWINS) {
    test(`${check}: ${fault}`, () => withTwin(`trials ${check} ${fault}`, patches, (copy) => runCheck(copy, check)));
  }

  test("every check has a twin", () => {
    expect(new Set(TRIAL_TWINS.map(({ check }) => check))).toEqual(new Set(CHECK_NAMES));
  });
});
