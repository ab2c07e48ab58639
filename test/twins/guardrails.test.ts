/** Each guardrail has twins, and the check that the real one passes catches every one of them. */
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Loop } from "../checks/drive.ts";
import { GUARDRAIL_CHECKS } from "../checks/guardrails.ts";
import type { CheckName } from "./guardrail-twin.ts";
import { GUARDRAIL_TWINS } from "./guardrail-twins.ts";
import { MORE_CHECKS } from "./more-guardrails.ts";
import { type Copy, withCopy, withTwin } from "./twin.ts";

const CHECK_NAMES = Object.keys({ ...GUARDRAIL_CHECKS, ...MORE_CHECKS }) as CheckName[];

// Node itself loads a copy, past vite, which takes ten times as long to transform what is used once.
const nativeRequire = createRequire(import.meta.url);

/** Runs a check against the loop of a copy: the copy's own check, with the copy's own nouns. */
function runCheck({ src, checks }: Copy, name: CheckName): void {
  const loop: Loop = nativeRequire(join(src, "loop/index.ts"));
  const own: typeof GUARDRAIL_CHECKS = nativeRequire(join(checks, "guardrails.ts")).GUARDRAIL_CHECKS;
  const all = { ...own, ...MORE_CHECKS };
  all[name](loop);
}

describe("the guardrails' twins", () => {
  test("without a fault every check passes", () =>
    withCopy("control", [], (copy) => {
      for (const name of CHECK_NAMES) runCheck(copy, name);
    }));

  for (const { fault, check, patches } of GUARDRAIL_TWINS) {
    test(`${check}: ${fault}`, () => withTwin(`${check} ${fault}`, patches, (copy) => runCheck(copy, check)));
  }

  test("every check has a twin, and so has every guardrail", () => {
    expect(new Set(GUARDRAIL_TWINS.map(({ check }) => check))).toEqual(new Set(CHECK_NAMES));
    const folder = fileURLToPath(new URL("../../src/loop/guardrails", import.meta.url));
    const files = readdirSync(folder).filter((file) => !file.endsWith(".test.ts"));
    const hit = GUARDRAIL_TWINS.flatMap(({ patches }) => patches.map(({ file }) => file));
    expect(files.filter((file) => !hit.includes(`loop/guardrails/${file}`))).toEqual([]);
  });
});
