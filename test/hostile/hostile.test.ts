/**
 * A model that says anything (claim S1): replies of every kind and form, mutants of them, raw bytes, forged approvals,
 * other runs' ids, and adapters that break their own type. Whatever the house performs is held against the rails as
 * spec/rails.ts says them again.
 */
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { seed } from "../seed.ts";
import { carryOut } from "./harness.ts";
import { TO_BE_SEEN } from "./seen.ts";
import { printed } from "./tally.ts";

const INPUTS = inputsFrom(process.env.SIGNALBOX_HOSTILE_INPUTS);
const WORKERS = 2;
const KEPT_BYTES_MAX = 64 * 1024 * 1024;
/** With fewer inputs the rarest things may well not come up. */
const INPUTS_FOR_ALL = 1_000_000;
const A_FEW = 3;

function inputsFrom(given: string | undefined): number {
  const inputs = Number(given === undefined || given === "" ? 2_000_000 : given);
  // A number that cannot be read must not pass for a campaign that found nothing.
  if (!Number.isInteger(inputs) || inputs < 1) throw new RangeError(`SIGNALBOX_HOSTILE_INPUTS: "${given}"`);
  return inputs;
}

test("[rails-silence-denies] [loop-ends] whatever a model says or is, nothing is performed that the rails do not permit, and each run ends by name", {
  timeout: 1_800_000,
}, async () => {
  const src = fileURLToPath(new URL("../../src", import.meta.url));
  const began = performance.now();
  const total = await carryOut({ src, seed, inputs: INPUTS, workers: WORKERS, untilFault: false });
  const wall = (performance.now() - began) / 1_000;
  const rate = Math.round(total.inputs / total.cpuSeconds);
  const kept = (total.heapGrowth / 1e6).toFixed(1);
  console.log(
    `${total.inputs} inputs of a hostile model, seed ${seed}: ${wall.toFixed(0)} s, ${rate} a second of a processor, ` +
      `${kept} MB kept\n${printed(total.counts)}`,
  );
  expect(total.faults, `SIGNALBOX_SEED=${seed}`).toEqual([]);
  expect(total.inputs).toBeGreaterThanOrEqual(INPUTS);
  expect(total.heapGrowth).toBeLessThan(KEPT_BYTES_MAX);
  const seen = TO_BE_SEEN.filter((name) => (total.counts.get(name) ?? 0) < A_FEW);
  if (INPUTS >= INPUTS_FOR_ALL) expect(seen, "what hardly came up").toEqual([]);
});
