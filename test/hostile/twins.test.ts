/** The campaign can fail: each of these houses has a fault, and a campaign of fifty thousand inputs must find it. */
import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { TWIN_SEED } from "../seed.ts";
import { withCopy, withTwin } from "../twins/twin.ts";
import { carryOut } from "./harness.ts";
import { HOSTILE_TWINS } from "./twins.ts";

const INPUTS = 50_000;
/** What a house without a fault is tried with here; the real one gets its millions elsewhere. */
const CONTROL_INPUTS = 20_000;

async function carry(src: string, inputs: number): Promise<void> {
  const { faults } = await carryOut({ src, seed: TWIN_SEED, inputs, workers: 1, untilFault: true });
  // A house that does not even open is no twin, and its fault is not the one that was planted.
  const broke = faults.find((fault) => fault.startsWith("a worker broke off"));
  if (broke !== undefined) throw new Error(broke);
  assert.deepEqual(faults, []);
}

describe.concurrent("the twins of the hostile model", { timeout: 600_000 }, () => {
  test("without a fault a copy passes", () => withCopy("hostile control", [], ({ src }) => carry(src, CONTROL_INPUTS)));

  for (const { fault, patches } of HOSTILE_TWINS) {
    test(fault, () => withTwin(`hostile ${fault}`, patches, ({ src }) => carry(src, INPUTS)));
  }
});
