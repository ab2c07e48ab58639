/**
 * The process that dies. `crash-child.ts FOLDER` carries the trial on the file in FOLDER: from the beginning, or from
 * wherever a dead process left it. At the point CRASH_AT it kills itself, as `kill -9` would. It prints how many points there were.
 */
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { runTrial } from "../../src/runtime/trials/run-trial.ts";
import { GOES_ON, STOPS, worldOf } from "../checks/trial-world.ts";
import { CRASH_DESIGN } from "./crash-design.ts";

const [folder = ""] = process.argv.slice(2);
const crashAt = Number(process.env.CRASH_AT ?? 0);
const log = openSync(join(folder, "carried"), "a");
let points = 0;

function point(): void {
  points += 1;
  if (points === crashAt) process.kill(process.pid, "SIGKILL");
}

const { world } = worldOf(({ copies, neighbours }, { seed, served }) => {
  // On the disk before the run is over: so it is known of every run that was begun.
  writeSync(log, `${seed} ${served.plan}\n`);
  fsyncSync(log);
  point();
  return copies > 0 && neighbours < 40 ? STOPS : GOES_ON;
});
const end = await runTrial(world, CRASH_DESIGN, { file: join(folder, "runs.jsonl"), seam: point });
closeSync(log);
process.stdout.write(`${JSON.stringify({ points, ending: end.ending, made: end.made })}\n`);
