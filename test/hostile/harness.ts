import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Counts, count } from "./tally.ts";

/** Carries a campaign out in processes of its own, whose heaps are theirs alone and which can be killed where they hang. */

export type Wanted = {
  /** The `src` of the house that is tried: the real one, or a copy with a planted fault. */
  readonly src: string;
  readonly seed: number;
  readonly inputs: number;
  readonly workers: number;
  readonly untilFault: boolean;
};

export type Total = {
  readonly inputs: number;
  readonly counts: Counts;
  readonly faults: readonly string[];
  readonly heapGrowth: number;
  readonly cpuSeconds: number;
};

const WORKER = fileURLToPath(new URL("./worker.ts", import.meta.url));
/** A batch takes a tenth of a second. One that takes this long, on however busy a machine, hangs. */
const SILENCE_MS = 90_000;

export async function carryOut(wanted: Wanted): Promise<Total> {
  const share = Math.ceil(wanted.inputs / wanted.workers);
  const parts = await Promise.all(
    // Each of them draws from sequences of its own, and the whole follows from the one seed.
    Array.from({ length: wanted.workers }, (_, i) => work(wanted, (wanted.seed + i * 1_000_003) | 0, share)),
  );
  const counts: Counts = new Map();
  for (const part of parts) for (const [name, times] of part.counts) count(counts, name, times);
  return {
    inputs: parts.reduce((sum, { inputs }) => sum + inputs, 0),
    counts,
    faults: parts.flatMap(({ faults }) => faults),
    heapGrowth: Math.max(...parts.map(({ heapGrowth }) => heapGrowth)),
    cpuSeconds: parts.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
  };
}

type Part = Omit<Total, "counts"> & { readonly counts: readonly (readonly [string, number])[] };
type Line =
  | { readonly batch: number; readonly done: number }
  | { readonly report: Omit<Part, "cpuSeconds">; readonly cpuSeconds: number };

function work({ src, untilFault }: Wanted, seed: number, inputs: number): Promise<Part> {
  const flags = ["--expose-gc", "--conditions=signalbox-source", "--no-warnings"];
  const until = untilFault ? ["until-fault"] : [];
  const args = [...flags, WORKER, src, String(seed), String(inputs), ...until];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  return new Promise((resolve, reject) => {
    let batch = -1;
    let report: Part | null = null;
    let rest = "";
    let errors = "";
    const broken = (why: string): void => {
      const faults = [`${why} in batch ${batch + 1} of its seed ${seed}: ${errors.slice(-2_000)}`];
      resolve({ inputs: 0, counts: [], faults, heapGrowth: 0, cpuSeconds: 0 });
    };
    let silence = setTimeout(() => {}, 0);
    const listen = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        broken(`a worker hangs`);
        child.kill("SIGKILL");
      }, SILENCE_MS);
    };
    listen();
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      listen();
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const text of lines) {
        const line: Line = JSON.parse(text);
        if ("batch" in line) batch = line.batch;
        else report = { ...line.report, cpuSeconds: line.cpuSeconds };
      }
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      errors += chunk;
    });
    child.on("error", reject);
    child.on("close", () => {
      clearTimeout(silence);
      if (report === null) broken("a worker broke off");
      else resolve(report);
    });
  });
}
