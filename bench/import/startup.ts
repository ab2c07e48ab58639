import { spawnSync } from "node:child_process";
import { median } from "../figures/median.ts";

const STARTS = 15;

/** What to import, and the folder from which it is found. */
export type Imported = { readonly specifier: string; readonly folder: string };

/**
 * Milliseconds that importing takes in a fresh process: the median start with the import less the median start of Node with
 * nothing. All take turns, so that what the machine does meanwhile meets them all.
 */
export function importMillis(all: readonly Imported[]): { readonly bare: number; readonly each: readonly number[] } {
  const bare: number[] = [];
  const each = all.map((): number[] => []);
  // The first round fills the disk's cache and does not count.
  for (let round = 0; round <= STARTS; round += 1) {
    const start = started("", process.cwd());
    if (round > 0) bare.push(start);
    for (const [i, { specifier, folder }] of all.entries()) {
      const millis = started(`import ${JSON.stringify(specifier)};`, folder);
      if (round > 0) each[i]?.push(millis);
    }
  }
  const least = median(bare);
  return { bare: least, each: each.map((millis) => median(millis) - least) };
}

function started(program: string, cwd: string): number {
  const start = performance.now();
  const child = spawnSync(process.execPath, ["--input-type=module", "--eval", program], { cwd, encoding: "utf8" });
  const millis = performance.now() - start;
  if (child.status !== 0) throw new Error(`${program} failed: ${child.stderr.trim()}`);
  return millis;
}
