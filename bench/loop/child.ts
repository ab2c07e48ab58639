/**
 * One variant in a process of its own: warms up, then measures repetitions and prints them as one line of JSON.
 *
 *   node child.ts FILE EXPORT TURNS MEASURE_MS REPETITIONS_MIN
 *
 * It imports the variant by the file's address, so that a peer's packages are found beside the peer.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Variant } from "./variant.ts";
import { ANSWER } from "./workload.ts";

/** Turns of one repetition, so that a short run is not lost in the clock's grain. */
const TURNS_A_REPETITION = 500;

export type Repetition = { readonly cpuMicros: number; readonly wallMicros: number };
/** Microseconds a turn of each repetition, and the bytes that one run left on disk (0 without a database). */
export type Measured = { readonly repetitions: readonly Repetition[]; readonly storedBytes: number };

const [file = "", name = "", turnsText = "", measureText = "", minText = ""] = process.argv.slice(2);
const measured = await measure(await variantOf(), Number(turnsText));
// Some peers leave timers and handles behind.
process.stdout.write(`${JSON.stringify(measured)}\n`, () => process.exit(0));

async function variantOf(): Promise<Variant> {
  const found: unknown = (await import(file))[name];
  if (typeof found !== "function") throw new Error(`${file} exports no ${name}`);
  return found as Variant;
}

async function measure(variant: Variant, turns: number): Promise<Measured> {
  const measureMs = Number(measureText);
  const repetitionsMin = Number(minText);
  const storedBytes = await inFolder(async (folder) => {
    const session = await variant(folder);
    await checked(session.run, turns);
    await session.close();
    return bytesIn(folder);
  });
  // Twice as long as is measured, so that what is measured is compiled: the compiler's threads count as CPU of the process.
  const warmUntil = performance.now() + 2 * measureMs;
  while (performance.now() < warmUntil) await repetition(variant, turns);
  const repetitions: Repetition[] = [];
  const until = performance.now() + measureMs;
  while (repetitions.length < repetitionsMin || performance.now() < until) {
    repetitions.push(await repetition(variant, turns));
  }
  return { repetitions, storedBytes };
}

/** Opening and closing are outside of what is timed: a program does them once. */
async function repetition(variant: Variant, turns: number): Promise<Repetition> {
  return await inFolder(async (folder) => {
    const session = await variant(folder);
    const runs = Math.max(1, Math.round(TURNS_A_REPETITION / turns));
    const cpu = process.cpuUsage();
    const start = performance.now();
    for (let i = 0; i < runs; i += 1) await checked(session.run, turns);
    const wallMicros = (performance.now() - start) * 1_000;
    const { user, system } = process.cpuUsage(cpu);
    await session.close();
    return { cpuMicros: (user + system) / (runs * turns), wallMicros: wallMicros / (runs * turns) };
  });
}

async function checked(run: Awaited<ReturnType<Variant>>["run"], turns: number): Promise<void> {
  const { lookups, text } = await run(turns);
  if (lookups !== turns - 1 || text !== ANSWER)
    throw new Error(`${name}: ${lookups} lookups of ${turns - 1}, "${text}"`);
}

async function inFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-loop-"));
  try {
    return await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, entry) => sum + statSync(join(folder, entry)).size, 0);
}
