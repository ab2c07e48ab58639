/**
 * A process of its own that fills a real file system, and then finds it read-only. Started by store-faults.test.ts in a
 * mount namespace of its own, which goes away with it: full-disk.ts <directory of the mount>. Prints one line of JSON.
 */
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSqliteStore } from "../../src/adapters/store-sqlite/index.ts";
import { StoreError } from "../../src/ports/store.ts";
import { Carrier, reservation, SHA, stateOf } from "./carrier.ts";
import { verifyStore } from "./verify-store.ts";

const [directory = ""] = process.argv.slice(2);
const path = join(directory, "signalbox.db");
const ballast = join(directory, "ballast");
writeFileSync(ballast, Buffer.alloc(256 * 1024));

const store = openSqliteStore({ path });
const run = new Carrier(store, "r1");
await run.begin();
let before = await stateOf(store);
let judged = 0;
const full = await failureOf(async () => {
  for (let step = 1; step < 10_000; step++) {
    before = await stateOf(store);
    await run.append(["note", "x".repeat(50_000)]);
    before = await stateOf(store);
    await run.decide({ step, settleKey: String(step), reservations: [reservation(1, 10_000)] }, () => {
      judged += 1;
      return true;
    });
    before = await stateOf(store);
    await run.settle(step, "done", { judged });
  }
});
const unchanged = JSON.stringify(await stateOf(store)) === JSON.stringify(before);
const soundWhenFull = (await verifyStore(store, SHA)).ok;

// Somebody makes room, and the same connection goes on.
rmSync(ballast);
await run.append(["note", "there is room again"]);
const soundAfter = (await verifyStore(store, SHA)).ok;

await store.close();

execFileSync("mount", ["-o", "remount,ro", directory]);
const readOnly = await failureOf(async () => {
  const again = openSqliteStore({ path });
  await again.append(run.rows(["note", {}]), null);
});
const fresh = await failureOf(async () => openSqliteStore({ path: join(directory, "new.db") }));
console.log(JSON.stringify({ full, unchanged, soundWhenFull, soundAfter, judged, readOnly, fresh }));

async function failureOf(work: () => Promise<unknown>): Promise<{ code: string; message: string } | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof StoreError) return { code: error.code, message: error.message };
    throw error;
  }
}
