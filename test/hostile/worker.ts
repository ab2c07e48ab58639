/**
 * A process of its own for one part of a campaign: `worker.ts SRC SEED INPUTS [until-fault]`. It prints a line of JSON for
 * each batch, so that whoever waits for it knows where it hangs, and at last one with the report.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { campaign } from "./campaign.ts";
import type { Door } from "./tools.ts";

const [src = "", seed = "", inputs = "", until = ""] = process.argv.slice(2);
// What a path names is what it exports: the one claim here that no compiler checks.
const door: Door = await import(pathToFileURL(join(src, "index.ts")).href);
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const report = await campaign({
  door,
  seed: Number(seed),
  inputs: Number(inputs),
  untilFault: until === "until-fault",
  progress: (batch, done) => say({ batch, done }),
});
const { user, system } = process.cpuUsage();
say({ report: { ...report, counts: [...report.counts] }, cpuSeconds: (user + system) / 1e6 });
