/** The trials' checks have twins: each planted fault is caught by the check that the product passes. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Trials } from "../checks/trial-results.ts";
import { type Runner, TRIAL_RUN_CHECKS } from "../checks/trial-runs.ts";
import { TRIAL_CHECKS } from "../checks/trials.ts";
import { TRIAL_RUN_TWINS, TRIAL_TWINS } from "./trial-twins.ts";
import { type Copy, withCopy, withTwin } from "./twin.ts";

/** The rooms that are checked, with what they stand on. */
const ROOM = ["src/domain", "src/trials", "test/checks"];
const CORRIDOR = [...ROOM, "src/guides", "src/ports", "src/rails", "src/loop", "src/ledger", "src/runtime"];

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
    withCopy(
      "trials control",
      [],
      (copy) => {
        for (const name of CHECK_NAMES) runCheck(copy, name);
      },
      ROOM,
    ));

  for (const { fault, check, patches } of TRIAL_TWINS) {
    test(`${check}: ${fault}`, () =>
      withTwin(`trials ${check} ${fault}`, patches, (copy) => runCheck(copy, check), ROOM));
  }

  test("every check has a twin", () => {
    expect(new Set(TRIAL_TWINS.map(({ check }) => check))).toEqual(new Set(CHECK_NAMES));
  });
});

const RUN_CHECK_NAMES = Object.keys(TRIAL_RUN_CHECKS) as (keyof typeof TRIAL_RUN_CHECKS)[];

async function runRunCheck({ src, checks }: Copy, name: keyof typeof TRIAL_RUN_CHECKS): Promise<void> {
  const runner: Runner = nativeRequire(join(src, "runtime/trials/run-trial.ts"));
  const own: typeof TRIAL_RUN_CHECKS = nativeRequire(join(checks, "trial-runs.ts")).TRIAL_RUN_CHECKS;
  await own[name](runner);
}

describe("the twins of the runner of trials", () => {
  test("without a fault every check passes", () =>
    withCopy(
      "trial runs control",
      [],
      async (copy) => {
        for (const name of RUN_CHECK_NAMES) await runRunCheck(copy, name);
      },
      CORRIDOR,
    ));

  for (const { fault, check, patches } of TRIAL_RUN_TWINS) {
    test(`${check}: ${fault}`, () =>
      withTwin(`trial runs ${check}`, patches, (copy) => runRunCheck(copy, check), CORRIDOR));
  }

  test("every check has a twin", () => {
    expect(new Set(TRIAL_RUN_TWINS.map(({ check }) => check))).toEqual(new Set(RUN_CHECK_NAMES));
  });
});
