import { rmSync } from "node:fs";
import { CAP_FULL, CAP_LIMIT, type CrashResult, crashRound } from "../../test/contract/cap-crash.ts";
import { newScratch } from "../../test/crash/scratch.ts";
import type { Figure } from "./figure.ts";

const ROUNDS_DEFAULT = 5;

export const caps: Figure = {
  name: "caps",
  takes: "half a minute; SIGNALBOX_CAP_SEEDS=1000 for an hour and more of it",
  title: "a cap of 100 under 64 proposers in 4 processes, two of them killed in the middle and started again",
  goal:
    `never more than ${CAP_LIMIT} settled, reserved and kept at any look of a process that only reads; at least ${CAP_FULL} ` +
    "taken in the end, nothing left waiting, and sound books; the twin that checks first and writes later is seen exceeding it",
  async run({ seed }) {
    const count = Number(process.env.SIGNALBOX_CAP_SEEDS || ROUNDS_DEFAULT);
    if (!Number.isSafeInteger(count) || count < 1)
      throw new RangeError("SIGNALBOX_CAP_SEEDS must be a whole number from 1");
    const directory = newScratch("figure-caps");
    try {
      const rounds: CrashResult[] = [];
      for (let n = 0; n < count; n++) {
        if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2Kround ${n + 1} of ${count}`);
        rounds.push(await crashRound(directory, seed + n, "atomic"));
      }
      const twin = await crashRound(directory, seed, "twin");
      if (process.stderr.isTTY) process.stderr.write("\r\u001b[2K");
      return {
        holds: rounds.every((round) => wrongIn(round).length === 0) && twin.highest > CAP_LIMIT,
        lines: [...table(rounds, twin), "", ...judgements(rounds, twin)],
        json: { limit: CAP_LIMIT, rounds: rounds.map(plain), twin: plain(twin) },
      };
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
};

/** What of the goal does not hold in a round. */
function wrongIn({ highest, end, stillOpen, differing, faults, killed, samples }: CrashResult): readonly string[] {
  return [
    ...(highest > CAP_LIMIT || end > CAP_LIMIT ? ["exceeded"] : []),
    ...(end < CAP_FULL ? ["not used"] : []),
    ...(stillOpen > 0 ? ["left waiting"] : []),
    ...(differing > 0 || faults.length > 0 ? ["books"] : []),
    // A round in which nobody was killed, or nobody looked, shows nothing.
    ...(killed < 2 || samples === 0 ? ["empty"] : []),
  ];
}

const COLUMNS = ["seed", "looks", "highest seen", "killed", "left open", "taken at the end", "integrity and books"];

function table(rounds: readonly CrashResult[], twin: CrashResult): readonly string[] {
  const row = (cells: readonly string[]): string =>
    cells.map((cell, i) => cell.padStart(i === 0 ? 6 : (COLUMNS[i]?.length ?? 0))).join("  ");
  const cells = (
    { seed, samples, highest, killed, leftOpen, end, faults, differing }: CrashResult,
    name = String(seed),
  ) => [
    name,
    String(samples),
    String(highest),
    String(killed),
    String(leftOpen),
    `${end} of ${CAP_LIMIT}`,
    faults.length === 0 && differing === 0 ? "sound" : `${faults.length + differing} faults`,
  ];
  return [row(COLUMNS), ...rounds.map((round) => row(cells(round))), row(cells(twin, "twin"))];
}

function judgements(rounds: readonly CrashResult[], twin: CrashResult): readonly string[] {
  const looks = rounds.reduce((sum, { samples }) => sum + samples, 0);
  const killed = rounds.reduce((sum, round) => sum + round.killed, 0);
  const highest = Math.max(...rounds.map((round) => round.highest));
  const wrong = rounds.flatMap((round) => wrongIn(round).map((what) => `seed ${round.seed}: ${what}`));
  return [
    `highest of ${looks} looks while ${killed} processes were killed: ${highest} of ${CAP_LIMIT}`,
    `the twin that checks first and writes later: ${twin.highest} of ${CAP_LIMIT}, ${twin.highest > CAP_LIMIT ? "seen exceeding it" : "NOT CAUGHT"}`,
    ...wrong.map((what) => `DOES NOT HOLD  ${what}`),
  ];
}

function plain({ faults, ...round }: CrashResult): { readonly [field: string]: number | string[] } {
  return { ...round, faults: [...faults] };
}
