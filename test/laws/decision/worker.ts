/** A process of its own for a differential campaign: `worker.ts SRC SEED CASES FAULTS_MAX`. See test/apart.ts. */
import { cpuSeconds, tell } from "../../apart.ts";
import { openHouse } from "../../crash/house.ts";
import { decideTwice } from "./campaign.ts";

const [src = "", seed = "", cases = "", faultsMax = ""] = process.argv.slice(2);
const report = decideTwice({
  house: await openHouse(src),
  seed: Number(seed),
  cases: Number(cases),
  faultsMax: Number(faultsMax),
  progress: (done) => tell({ done }),
});
tell({ report: { ...report, counts: [...report.counts] }, cpuSeconds: cpuSeconds() });
