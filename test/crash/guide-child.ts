/**
 * The process that dies while a rule is on its way to what is served: guide-child.ts <database> <folder>. Carries the stages
 * that are left, and kills itself as `kill -9` would at the crash point CRASH_AT. Prints its points as one line of JSON.
 */
import { openSqliteStore } from "../../src/adapters/store-sqlite/index.ts";
import { carryStage, nextStage, openStages } from "./guide-stages.ts";

const [path = "", folder = ""] = process.argv.slice(2);
const crashAt = Number(process.env.CRASH_AT ?? 0);
const points: string[] = [];
let at = "open";
const seam = (point: string): void => {
  points.push(`${at}: ${point}`);
  if (points.length === crashAt) process.kill(process.pid, "SIGKILL");
};

const box = openStages(openSqliteStore({ path, seam }), folder);
for (let stage = await nextStage(box); stage !== null; stage = await nextStage(box)) {
  at = stage;
  await carryStage(box, stage);
}
await box.close();
console.log(JSON.stringify(points));
