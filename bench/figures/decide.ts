import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Round, Shares } from "../decide/durable.ts";
import type { Flat } from "../decide/memory.ts";
import type { Figure, FigureResult } from "./figure.ts";
import { machineLines } from "./machine.ts";
import { median } from "./median.ts";

const RATE_MIN = 100_000;
const SHARE_MIN = 0.9;
/** What a heap may differ by from one collection to the next and still be flat. */
const HEAP_GROWTH_MAX = 1_000_000;

export const decide: Figure = {
  name: "decide",
  takes: "two minutes on a quiet machine",
  title: "what a decision costs: refunds of the example desk, with evidence, policy, caps and ledger rows",
  goal:
    "on disk at least 90 % of the rate of the bare SQLite transaction that it needs, in wall time; in memory at least " +
    "100,000 decisions a second of one core; memory flat over a million decisions",
  async run() {
    return judged({
      rates: measured<readonly number[]>("memory"),
      rounds: measured<readonly Round[]>("durable"),
      shares: measured<Shares>("shares"),
      flat: measured<readonly Flat[]>("flat"),
      flatDurable: measured<readonly Flat[]>("flat-durable"),
    });
  },
};

type Measured = {
  readonly rates: readonly number[];
  readonly rounds: readonly Round[];
  readonly shares: Shares;
  readonly flat: readonly Flat[];
  readonly flatDurable: readonly Flat[];
};

function judged({ rates, rounds, shares, flat, flatDurable }: Measured): FigureResult {
  const machine = machineLines();
  const rate = median(rates);
  const wall = {
    ours: median(rounds.map(({ ours }) => ours.wallMicros)),
    bare: median(rounds.map(({ bare }) => bare.wallMicros)),
  };
  const cpu = {
    ours: median(rounds.map(({ ours }) => ours.cpuMicros)),
    bare: median(rounds.map(({ bare }) => bare.cpuMicros)),
  };
  // Of each round by itself, since the two of a round met the same machine.
  const share = median(rounds.map(({ ours, bare }) => bare.wallMicros / ours.wallMicros));
  const [growth, growthDurable] = [growthOf(flat), growthOf(flatDurable)];
  const judgements = [
    line(rate >= RATE_MIN, `in memory: ${whole(rate)} decisions a second of one core (at least ${whole(RATE_MIN)})`),
    line(
      share >= SHARE_MIN,
      `on disk: ${(100 * share).toFixed(0)} % of the bare transaction's rate (at least ${100 * SHARE_MIN} %)`,
    ),
    line(growth <= HEAP_GROWTH_MAX, `heap over ${decisionsOf(flat)} decisions in memory: ${kilobytes(growth)}`),
    line(
      growthDurable <= HEAP_GROWTH_MAX,
      `heap over ${decisionsOf(flatDurable)} decisions on disk: ${kilobytes(growthDurable)}`,
    ),
  ];
  return {
    holds: judgements.every(({ holds }) => holds),
    lines: [
      ...machine,
      "",
      "microseconds a decision      wall     CPU",
      `ours on disk             ${cell(wall.ours)}${cell(cpu.ours)}`,
      `the bare transaction     ${cell(wall.bare)}${cell(cpu.bare)}`,
      `the rails alone                  ${cell(1e6 / rate)}`,
      "",
      `where ours goes, each statement timed: the commit ${micros(shares.commit)}, the other statements with the triggers that`,
      `guard the books ${micros(shares.statements)}, and all that is not SQLite (JSON, hashes, rails) ${micros(shares.rest)} microseconds`,
      "",
      ...judgements.map(({ text }) => text),
    ],
    json: {
      machine: [...machine],
      rates: [...rates],
      rounds: [...rounds],
      shares,
      share,
      flat: [...flat],
      flatDurable: [...flatDurable],
    },
  };
}

const CHILD = fileURLToPath(new URL("../decide/child.ts", import.meta.url));

/** Each part in a process of its own, so that none is compiled for another's objects. */
function measured<T>(what: string): T {
  const args = ["--conditions=signalbox-source", "--no-warnings", "--expose-gc", CHILD, what];
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${what}`);
  const child = spawnSync(process.execPath, args, {
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[2K");
  if (child.status !== 0) throw new Error(`${what} failed: ${child.stderr.trim()}`);
  return JSON.parse(child.stdout) as T;
}

/** By the median of the last looks beside that of the first, so that one odd collection decides nothing. */
function growthOf(flat: readonly Flat[]): number {
  const heaps = flat.map(({ heapBytes }) => heapBytes);
  return median(heaps.slice(-3)) - median(heaps.slice(0, 3));
}

function line(holds: boolean, text: string): { readonly holds: boolean; readonly text: string } {
  return { holds, text: `${(holds ? "holds" : "DOES NOT HOLD").padEnd(14)} ${text}` };
}

const micros = (value: number): string => value.toFixed(value < 100 ? 1 : 0);
const cell = (value: number): string => micros(value).padStart(8);
const whole = (value: number): string => Math.round(value).toLocaleString("en");
const kilobytes = (bytes: number): string => `${bytes < 0 ? "-" : "+"}${(Math.abs(bytes) / 1e3).toFixed(0)} kB`;
const decisionsOf = (flat: readonly Flat[]): string => whole(flat.at(-1)?.decisions ?? 0);
