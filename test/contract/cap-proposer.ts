/**
 * A process of its own that proposes against a cap: several proposers, each with its own run, each asking 20 times for 1
 * to 7 units. Started by store-faults.test.ts and cap-crash.ts:
 * cap-proposer.ts <path> <name> <proposers> <seed> <atomic|twin> <limit> [pause].
 * Says `ready`, waits for one line on stdin, works, and exits 0. With a pause, an effect takes up to so many milliseconds,
 * and so does the time between two of them: whoever is killed is then killed in the middle of something.
 *
 * A process of the same name that was killed before is gone on from: what it left open is settled first, as a resume would
 * after a probe, and each run goes on behind the last step that was decided.
 *
 * `twin` is the planted fault: it looks at the cap first and writes later, as everyone does who has not been bitten yet,
 * with the store's own second look out of the way. It asks for 7 each time and never fails, so that it does not depend on
 * luck: all proposers of a process look before the first of them writes.
 */
import { once } from "node:events";
import { setImmediate, setTimeout } from "node:timers/promises";
import { openSqliteStore } from "../../src/adapters/store-sqlite/index.ts";
import { isJsonObject, own } from "../../src/domain/json.ts";
import type { Row } from "../../src/domain/row.ts";
import { Carrier, fits, reservation } from "./carrier.ts";

const [path = "", name = "", proposers = "8", seed = "1", mode = "atomic", limit = "100", pause = "0"] =
  process.argv.slice(2);
const TRIES = 20;

const store = openSqliteStore({ path });
console.log("ready");
await once(process.stdin, "data");
await Promise.all(Array.from({ length: Number(proposers) }, (_, n) => propose(n)));
await store.close();
process.exit(0);

async function propose(n: number): Promise<void> {
  const run = new Carrier(store, `${name}-${n}`, name);
  await store.claim(run.run);
  let state = Number(seed) + n * 7_919;
  const chance = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 8;
  };
  const first = await takeUp(run, chance);
  for (let step = first; step <= TRIES; step++) {
    const wanted = reservation(mode === "twin" ? 7 : 1 + (chance() % 7), Number(limit));
    let permitted = false;
    if (mode === "twin") {
      const seen = await store.capUse([wanted], null);
      await setImmediate();
      permitted = fits([wanted], seen);
      if (permitted) await run.start({ step, reservations: [{ ...wanted, limit: Number.MAX_SAFE_INTEGER }] });
    } else {
      await run.decide({ step, reservations: [wanted] }, (seen) => {
        permitted = fits([wanted], seen.capUse);
        return permitted;
      });
    }
    await moment(chance);
    // Of the first half some fail and give back what they held, with a pause most, so that a kill finds something open;
    // nothing of the second half does, so the cap fills up.
    const fails = mode !== "twin" && step <= TRIES / 2 && chance() % 8 < (Number(pause) > 0 ? 7 : 2);
    if (permitted) await run.settle(step, fails ? "failed" : chance() % 5 === 0 ? "outcome_unknown" : "done");
    if (Number(pause) > 0) await moment(chance);
  }
  await store.release(run.run);
}

async function moment(chance: () => number): Promise<void> {
  if (Number(pause) === 0) await setImmediate();
  else await setTimeout(chance() % (Number(pause) + 1));
}

/** Begins the run or goes on from what a killed predecessor left of it. Returns the step that is next. */
async function takeUp(run: Carrier, chance: () => number): Promise<number> {
  const rows = await store.readRows(run.run);
  if (rows.length === 0) {
    await run.begin();
    return 1;
  }
  run.at = (rows.at(-1)?.at ?? 0) + 1;
  run.moved(rows);
  const started = rows.findLast(({ kind }) => kind === "started");
  const finished = rows.findLast(({ kind }) => kind === "finished");
  if (started !== undefined && started.seq > (finished?.seq ?? 0)) {
    // What the probe says: it did not happen, it did, or nobody can tell.
    const outcome = (["failed", "done", "outcome_unknown"] as const)[chance() % 3] ?? "done";
    await run.settle(stepOf(started), outcome);
  }
  const decided = rows.findLast(({ kind }) => kind === "decided");
  return decided === undefined ? 1 : stepOf(decided) + 1;
}

function stepOf({ body }: Row): number {
  return Number(isJsonObject(body) ? own(body, "step") : 0);
}
