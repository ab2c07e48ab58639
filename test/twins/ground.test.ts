/** Grounding and its gate have twins, and the check that the real one passes catches every one of them. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { GROUND_CHECKS, type Grounding } from "../checks/ground.ts";
import { GROUND_TWINS } from "./ground-twins.ts";
import { type Copy, withCopy, withTwin } from "./twin.ts";

const NAMES = Object.keys(GROUND_CHECKS) as (keyof typeof GROUND_CHECKS)[];
const nativeRequire = createRequire(import.meta.url);

function runCheck({ src }: Copy, name: keyof typeof GROUND_CHECKS): void {
  const grounding: Grounding = {
    ...nativeRequire(join(src, "guides/index.ts")),
    ...nativeRequire(join(src, "guides/ground/judge.ts")),
  };
  GROUND_CHECKS[name](grounding);
}

describe("the twins of grounding", () => {
  test("without a fault every check passes", () =>
    withCopy("ground", [], (copy) => {
      for (const name of NAMES) runCheck(copy, name);
    }));

  for (const { fault, check, patches } of GROUND_TWINS) {
    test(`${check}: ${fault}`, () => withTwin(`ground ${check} ${fault}`, patches, (copy) => runCheck(copy, check)));
  }

  test("every check has a twin", () => {
    expect(new Set(GROUND_TWINS.map(({ check }) => check))).toEqual(new Set(NAMES));
  });
});
