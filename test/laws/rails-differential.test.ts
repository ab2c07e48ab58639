/**
 * The rails said twice: whatever is proposed under whatever rules, the rails of the house and the slow ones of spec/decision
 * come to the same outcome, by the same rule, with the same code, role and reservations.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { printed } from "../hostile/tally.ts";
import { seed, TWIN_SEED } from "../seed.ts";
import { withCopy, withTwin } from "../twins/twin.ts";
import { differential, TO_BE_SEEN } from "./decision/differential.ts";
import { RAILS_TWINS } from "./decision/twins.ts";

const CASES = casesFrom(process.env.SIGNALBOX_DIFFERENTIAL);
/** With fewer the rarest things may well not come up. */
const CASES_FOR_ALL = 100_000;
const A_FEW = 3;
const TWIN_CASES = 50_000;

function casesFrom(given: string | undefined): number {
  const cases = Number(given === undefined || given === "" ? 200_000 : given);
  // A number that cannot be read must not pass for a campaign that found nothing.
  if (!Number.isInteger(cases) || cases < 1) throw new RangeError(`SIGNALBOX_DIFFERENTIAL: "${given}"`);
  return cases;
}

test("[rails-said-twice] the rails and the slow ones decide alike", { timeout: 3_600_000 }, async () => {
  const src = fileURLToPath(new URL("../../src", import.meta.url));
  const { cases, counts, faults, cpuSeconds } = await differential(src, seed, CASES, 5);
  console.log(
    `${cases} decisions made twice, seed ${seed}: ${cpuSeconds.toFixed(1)} s of a processor\n${printed(counts)}`,
  );
  expect(faults, `SIGNALBOX_SEED=${seed}`).toEqual([]);
  expect(cases).toBe(CASES);
  const unseen = TO_BE_SEEN.filter((name) => (counts.get(name) ?? 0) < A_FEW);
  if (CASES >= CASES_FOR_ALL) expect(unseen, "what hardly came up").toEqual([]);
});

describe("rails with a fault are told from the slow ones", { timeout: 300_000 }, () => {
  const carry = async (src: string): Promise<void> => {
    const { faults } = await differential(src, TWIN_SEED, TWIN_CASES, 1);
    assert.deepEqual(faults, []);
  };

  test("a copy without one is not", () => withCopy("differential control", [], ({ src }) => carry(src)));

  for (const { fault, patches } of RAILS_TWINS) {
    test(fault, () => withTwin(`differential ${fault}`, patches, ({ src }) => carry(src)));
  }
});
