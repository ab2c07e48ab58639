/** The crash harness has twins: a house with a planted fault, killed at a few points, must not pass. */
import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { carryUninterrupted, closeHarness, killAtEach, openHarness } from "../crash/harness.ts";
import { REAL_HOUSE } from "../crash/real-house.ts";
import { CRASH_TWINS, type CrashTwin } from "./crash-twins.ts";
import { withCopy, withTwin } from "./twin.ts";

/** Kills a house at the points that a twin names. */
async function killWhere(src: string, twins: readonly CrashTwin[]): Promise<void> {
  const harness = await openHarness(src, REAL_HOUSE);
  try {
    const reference = await carryUninterrupted(harness);
    const { points } = reference;
    const numbers = points.flatMap((point, i) => (twins.some(({ at }) => at(point, points[i + 1])) ? [i + 1] : []));
    assert.notEqual(numbers.length, 0);
    await killAtEach(harness, reference, numbers);
  } finally {
    closeHarness(harness);
  }
}

describe("the twins of the crash harness", { timeout: 300_000 }, () => {
  test("without a fault a copy is killed at all of their points and passes", () =>
    withCopy("control", [], ({ src }) =>
      killWhere(
        src,
        CRASH_TWINS.filter(({ fault }) => !fault.includes("two transactions")),
      ),
    ));

  for (const twin of CRASH_TWINS) {
    test(twin.fault, () => withTwin(twin.fault, twin.patches, ({ src }) => killWhere(src, [twin])));
  }
});
