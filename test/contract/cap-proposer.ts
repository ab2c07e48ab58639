/**
 * A process of its own that proposes against a cap: several proposers, each with its own run, each asking 20 times for 1
 * to 7 units. Started by store-faults.test.ts: cap-proposer.ts <path> <name> <proposers> <seed> <atomic|twin> <limit>.
 * Says `ready`, waits for one line on stdin, works, and exits 0.
 *
 * `twin` is the planted fault: it looks at the cap first and writes later, as everyone does who has not been bitten yet,
 * with the store's own second look out of the way. It asks for 7 each time and never fails, so that it does not depend on
 * luck: all proposers of a process look before the first of them writes.
 */
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { openSqliteStore } from "../../src/adapters/store-sqlite/index.ts";
import { Carrier, fits, reservation } from "./carrier.ts";

const [path = "", name = "", proposers = "8", seed = "1", mode = "atomic", limit = "100"] = process.argv.slice(2);
const TRIES = 20;

const store = openSqliteStore({ path });
console.log("ready");
await once(process.stdin, "data");
await Promise.all(Array.from({ length: Number(proposers) }, (_, n) => propose(n)));
await store.close();
process.exit(0);

async function propose(n: number): Promise<void> {
  const run = new Carrier(store, `${name}-${n}`, name);
  await run.begin();
  let state = Number(seed) + n * 7_919;
  for (let step = 1; step <= TRIES; step++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const wanted = reservation(mode === "twin" ? 7 : 1 + ((state >>> 16) % 7), Number(limit));
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
    await setImmediate();
    // Some of the first half fail and give back what they held; nothing of the second half does, so the cap fills up.
    const fails = mode !== "twin" && step <= TRIES / 2 && (state >>> 24) % 4 === 0;
    if (permitted) await run.settle(step, fails ? "failed" : (state >>> 24) % 5 === 0 ? "outcome_unknown" : "done");
  }
}
