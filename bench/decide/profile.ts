/**
 * Ours on disk, over and over, for a profiler:
 *
 *   npx node --conditions=signalbox-source --cpu-prof --cpu-prof-dir=/tmp/prof bench/decide/profile.ts [DECISIONS]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decideOne, openBox } from "./durable.ts";

const [decisions = "20000"] = process.argv.slice(2);
/** Steps of a run, with a box and a database of its own, as in the figure. */
const STEPS = 500;
const folder = mkdtempSync(join(tmpdir(), "signalbox-profile-"));
const start = performance.now();
try {
  for (let n = 0; n < Number(decisions); n += STEPS) {
    const box = openBox(join(folder, `${n}.db`));
    for (let step = 0; step < STEPS; step++) await decideOne(box, step);
    await box.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const micros = ((performance.now() - start) * 1_000) / Number(decisions);
process.stdout.write(`${decisions} decisions: ${micros.toFixed(1)} microseconds each\n`);
