import { fileURLToPath } from "node:url";
import { TO_BE_SEEN as FUZZ_TO_BE_SEEN, fuzzed } from "../../test/fuzz/fuzzed.ts";
import { FUZZ_TWINS } from "../../test/fuzz/twins.ts";
import type { Counts } from "../../test/hostile/tally.ts";
import { TO_BE_SEEN as DIFFERENTIAL_TO_BE_SEEN, differential } from "../../test/laws/decision/differential.ts";
import { RAILS_TWINS } from "../../test/laws/decision/twins.ts";
import { type Patch, withCopy } from "../../test/twins/twin.ts";
import type { Figure } from "./figure.ts";

const CASES = numberFrom("SIGNALBOX_DIFFERENTIAL", 1_000_000);
const OPERATIONS = numberFrom("SIGNALBOX_FUZZ", 300_000);
const TWIN_CASES = 50_000;
const TWIN_OPERATIONS = 100_000;
const SRC = fileURLToPath(new URL("../../src", import.meta.url));

type Campaign = {
  readonly name: string;
  readonly done: number;
  readonly faults: readonly string[];
  readonly unseen: readonly string[];
  readonly cpuSeconds: number;
  readonly counts: Counts;
};
type Hole = { readonly name: string; readonly fault: string; readonly after: number | null; readonly as: string };

export const fuzz: Figure = {
  name: "fuzz",
  takes: "three minutes; SIGNALBOX_DIFFERENTIAL and SIGNALBOX_FUZZ set how much of each",
  title:
    "the rails beside the slow ones on random worlds, and random operations on whole boxes, each effect judged by the slow ones",
  goal:
    `no difference in ${CASES.toLocaleString("en")} decisions and no fault in ${OPERATIONS.toLocaleString("en")} operations, all that ` +
    "can come up seen; every planted fault found",
  async run({ seed }) {
    const rails = await differential(SRC, seed, CASES, 5);
    const boxes = await fuzzed(SRC, seed, OPERATIONS, 5);
    const campaigns: readonly Campaign[] = [
      { name: "decisions", done: rails.cases, unseen: unseen(rails.counts, DIFFERENTIAL_TO_BE_SEEN), ...rails },
      { name: "operations", done: boxes.operations, unseen: unseen(boxes.counts, FUZZ_TO_BE_SEEN), ...boxes },
    ];
    const holes: Hole[] = [];
    for (const { fault, patches } of RAILS_TWINS) {
      const found = await planted(patches, (src) => differential(src, seed, TWIN_CASES, 1));
      holes.push({ name: "decisions", fault, after: found?.cases ?? null, as: found?.faults[0] ?? "" });
    }
    for (const { fault, patches } of FUZZ_TWINS) {
      const found = await planted(patches, (src) => fuzzed(src, seed, TWIN_OPERATIONS, 1));
      // What broke off at once did not open: it is no fault that was found.
      const opened = found !== null && found.operations > 0 ? found : null;
      holes.push({ name: "operations", fault, after: opened?.operations ?? null, as: opened?.faults[0] ?? "" });
    }
    const clean = campaigns.every(({ faults, unseen }) => faults.length === 0 && unseen.length === 0);
    return {
      holds: clean && holes.every(({ after }) => after !== null),
      lines: [...campaigns.flatMap(campaignLines), "", ...holeLines(holes)],
      json: {
        campaigns: campaigns.map(({ counts, name, done, cpuSeconds, faults, unseen }) => ({
          ...{ name, done, cpuSeconds, faults: [...faults], unseen: [...unseen] },
          counts: Object.fromEntries(counts),
        })),
        holes: holes.map(({ name, fault, after, as }) => ({ name, fault, after, as: firstLine(as) })),
      },
    };
  },
};

async function planted<R extends { readonly faults: readonly string[] }>(
  patches: readonly Patch[],
  carry: (src: string) => Promise<R>,
): Promise<R | null> {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${patches[0]?.file ?? ""}`);
  let report: R | null = null;
  await withCopy("figure", patches, async ({ src }) => {
    report = await carry(src);
  });
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[2K");
  return report !== null && (report as R).faults.length > 0 ? report : null;
}

function unseen(counts: Counts, wanted: readonly string[]): readonly string[] {
  return wanted.filter((name) => !counts.has(name));
}

function campaignLines({ name, done, faults, unseen: missing, cpuSeconds, counts }: Campaign): readonly string[] {
  const outcomes = [...counts].filter(([what]) => what.startsWith("outcome "));
  const codes = [...counts].filter(([what]) => what.startsWith("denial ")).length;
  return [
    `${done.toLocaleString("en")} ${name}: ${faults.length === 0 ? "nothing found" : `${faults.length} FAULTS`}, ${cpuSeconds.toFixed(0)} s of a processor`,
    `  ${outcomes.map(([what, times]) => `${what.slice(8)} ${times.toLocaleString("en")}`).join(", ")}; ${codes} codes of denial seen`,
    ...faults.map((fault) => `  FAULT  ${fault.slice(0, 1_000)}`),
    ...(missing.length > 0 ? [`  NEVER SEEN  ${missing.join(", ")}`] : []),
  ];
}

function holeLines(holes: readonly Hole[]): readonly string[] {
  const width = Math.max(...holes.map(({ fault }) => fault.length));
  const row = ({ name, fault, after }: Hole): string =>
    `  ${fault.padEnd(width)}  ${after === null ? "NOT FOUND" : `after ${after.toLocaleString("en").padStart(7)} ${name}`}`;
  const found = holes.filter(({ after }) => after !== null).length;
  return [`planted faults, and when they were found: ${found} of ${holes.length}`, ...holes.map(row)];
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}

function numberFrom(name: string, usual: number): number {
  const given = Number(process.env[name] || usual);
  if (!Number.isSafeInteger(given) || given < 1) throw new RangeError(`${name} must be a whole number from 1`);
  return given;
}
