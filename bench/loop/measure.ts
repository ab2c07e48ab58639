/** Measures the variants, each in fresh processes, in turns: what the machine does meanwhile then meets them all. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median } from "../figures/median.ts";
import type { Measured } from "./child.ts";
import { type Cost, type Costs, SIZES, type Size } from "./judge.ts";
import type { VariantEntry, VariantId } from "./variants.ts";

/** Rounds of the variants that goals lean on; the others take part in the first. */
const ROUNDS = 5;
const MEASURE_MS = 600;
const REPETITIONS_MIN = 3;

const CHILD = fileURLToPath(new URL("./child.ts", import.meta.url));

/** Calls `say` before each process, since all of it takes minutes. */
export function measureAll(variants: readonly VariantEntry[], say: (what: string) => void): Costs {
  const seen = new Map<VariantId, Map<Size, Cost[]>>(variants.map(({ id }) => [id, new Map()]));
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const size of SIZES) {
      for (const variant of variants.filter(({ judged }) => judged || round === 1)) {
        say(`round ${round} of ${ROUNDS}, ${size} turns: ${variant.id}`);
        const cost = costOf(measureOne(variant, size));
        const sizes = seen.get(variant.id);
        sizes?.set(size, [...(sizes.get(size) ?? []), cost]);
      }
    }
  }
  return seen;
}

function measureOne({ file, name }: VariantEntry, size: Size): Measured {
  const args = [
    "--conditions=signalbox-source",
    CHILD,
    file,
    name,
    String(size),
    `${MEASURE_MS}`,
    `${REPETITIONS_MIN}`,
  ];
  const { LANGSMITH_TRACING: _, LANGCHAIN_TRACING_V2: __, ...env } = process.env;
  const child = spawnSync(process.execPath, args, {
    encoding: "utf8",
    env: { ...env, NODE_ENV: "production" },
    maxBuffer: 64 * 1024 * 1024,
  });
  if (child.status !== 0) throw new Error(`${name} at ${size} turns failed: ${child.stderr.trim()}`);
  return JSON.parse(child.stdout) as Measured;
}

function costOf({ repetitions, storedBytes }: Measured): Cost {
  return {
    cpu: median(repetitions.map(({ cpuMicros }) => cpuMicros)),
    wall: median(repetitions.map(({ wallMicros }) => wallMicros)),
    storedBytes,
  };
}
