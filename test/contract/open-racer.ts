/**
 * A thread that opens new stores at the same moment as its siblings, as two processes do that are started together.
 * Started by store-faults.test.ts. Posts each message that an opening failed with, and ends.
 */
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { openSqliteStore } from "../../src/adapters/store-sqlite/index.ts";

const { directory, arrived, racers } = workerData as { directory: string; arrived: Int32Array; racers: number };
for (let file = 0; file < arrived.length; file++) {
  Atomics.add(arrived, file, 1);
  while (Atomics.load(arrived, file) < racers) {
    // All start within the same microsecond, or the race would be won by whoever was started first.
  }
  try {
    const store = openSqliteStore({ path: join(directory, `raced-${file}.db`) });
    await store.claim(`run-${Math.random()}`);
    await store.close();
  } catch (error) {
    parentPort?.postMessage(error instanceof Error ? error.message : String(error));
  }
}
