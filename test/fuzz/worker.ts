/** A process of its own for a fuzz: `worker.ts SRC SEED OPERATIONS FAULTS_MAX`. See test/apart.ts. */
import { cpuSeconds, tell } from "../apart.ts";
import { openHouse } from "../crash/house.ts";
import { fuzz } from "./campaign.ts";

const [src = "", seed = "", operations = "", faultsMax = ""] = process.argv.slice(2);
const report = await fuzz({
  house: await openHouse(src),
  seed: Number(seed),
  operations: Number(operations),
  faultsMax: Number(faultsMax),
  progress: (done) => tell({ done }),
});
tell({ report: { ...report, counts: [...report.counts] }, cpuSeconds: cpuSeconds() });
