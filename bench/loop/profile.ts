/**
 * Ours in memory, over and over, for a profiler:
 *
 *   npx node --conditions=signalbox-source --cpu-prof --cpu-prof-dir=/tmp/prof bench/loop/profile.ts [RUNS] [TURNS] [memory|durable]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { oursDurable, oursInMemory } from "./ours.ts";

const [runs = "200", turns = "500", store = "memory"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "signalbox-profile-"));
const start = performance.now();
try {
  for (let i = 0; i < Number(runs); i += 1) {
    // A box of its own each, as in the figure, so that the store does not grow into the profile.
    const session = store === "durable" ? await oursDurable(mkdtempSync(join(folder, "run-"))) : await oursInMemory();
    await session.run(Number(turns));
    await session.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const micros = ((performance.now() - start) * 1_000) / (Number(runs) * Number(turns));
process.stdout.write(`${runs} runs of ${turns} turns, ${store}: ${micros.toFixed(1)} microseconds a turn\n`);
