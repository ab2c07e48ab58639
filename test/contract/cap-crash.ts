/**
 * Claim R1 as a measurement: 64 proposers in 4 processes against a cap of 100, of which two are killed at a random moment
 * and started again, while a fifth process only looks. For caps-crash.test.ts and `npm run figures -- caps`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { openSqliteStore } from "../../src/adapters/store-sqlite/index.ts";
import type { Seen } from "./cap-sampler.ts";
import { SHA } from "./carrier.ts";
import { verifyStore } from "./verify-store.ts";

export const CAP_LIMIT = 100;
/** What must be taken in the end: nobody asks for more than 7, so at most 6 are left. */
export const CAP_FULL = CAP_LIMIT - 6;
const PROCESSES = ["p", "q", "r", "s"];
const PROPOSERS_EACH = "16";
/** An effect takes up to so many milliseconds. */
const PAUSE_MS = "40";

export type CrashResult = {
  readonly seed: number;
  /** How often the fifth process looked, and the most that it saw. */
  readonly samples: number;
  readonly highest: number;
  /** Looks at which the sum in the books was not that of the reservations. */
  readonly differing: number;
  /** How many processes a SIGKILL ended, and how many reservations they left without an outcome. */
  readonly killed: number;
  readonly leftOpen: number;
  /** What is settled and kept in the end, and what still waits for an outcome. */
  readonly end: number;
  readonly stillOpen: number;
  /** What the integrity check and the verification of the ledger with its books find. */
  readonly faults: readonly string[];
};

/** One round in an empty directory. `twin` plants the fault: check first, write later. */
export async function crashRound(directory: string, seed: number, mode: "atomic" | "twin"): Promise<CrashResult> {
  const path = join(directory, `${mode}-${seed}.db`);
  const chance = generator(seed);
  const start = (name: string, round: number): Child =>
    new Child(
      "cap-proposer.ts",
      path,
      name,
      PROPOSERS_EACH,
      String(chance() + round),
      mode,
      String(CAP_LIMIT),
      PAUSE_MS,
    );
  // No store is there yet: the four also race for making it.
  const first = PROCESSES.map((name) => start(name, 0));
  await Promise.all(first.map((child) => child.ready()));
  const sampler = new Child("cap-sampler.ts", path);
  await sampler.ready();

  let killed = 0;
  let leftOpen = 0;
  const victims = new Map([0, 1].map((n) => [(n * 2 + (chance() % 2)) % 4, 50 + (chance() % 451)]));
  const carried = first.map(async (child, n) => {
    child.tell();
    const afterMs = victims.get(n);
    if (afterMs === undefined) return child.ended();
    await Promise.race([setTimeout(afterMs), child.gone]);
    if (!child.kill()) return child.ended();
    await child.gone;
    killed += 1;
    const name = PROCESSES[n] ?? "";
    leftOpen += openOf(path, name);
    const again = start(name, 1);
    await again.ready();
    again.tell();
    return again.ended();
  });
  await Promise.all(carried);
  sampler.tell();
  const seen: Seen = JSON.parse(await sampler.lastLine());
  return { seed, ...seen, killed, leftOpen, ...(await endOf(path)) };
}

/** A pseudo-random whole number at each call, the same for the same seed. */
function generator(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0;
    return (state ^ (state >>> 13)) >>> 4;
  };
}

/** How many reservations the runs of one process have without an outcome. */
function openOf(path: string, thread: string): number {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  const sql = `SELECT count(*) AS n FROM reservations v JOIN runs u ON u.first = v.effect - (v.effect & 16777215) + 1
WHERE v.state = 'reserved' AND u.thread = ?`;
  const open = Number(db.prepare(sql).get(thread)?.n);
  db.close();
  return open;
}

async function endOf(path: string): Promise<Pick<CrashResult, "end" | "stillOpen" | "faults">> {
  const db = new DatabaseSync(path);
  const integrity = db
    .prepare("PRAGMA integrity_check")
    .all()
    .map((row) => String(row.integrity_check));
  db.close();
  const store = openSqliteStore({ path });
  const caps = await store.readCaps({ limit: 10 });
  const verdict = await verifyStore(store, SHA);
  await store.close();
  const sum = (of: (cap: (typeof caps)[number]) => number): number => caps.reduce((total, cap) => total + of(cap), 0);
  return {
    end: sum(({ settled, reserved, kept }) => settled + reserved + kept),
    stillOpen: sum(({ reserved }) => reserved),
    faults: [...integrity.filter((line) => line !== "ok"), ...verdict.faults.map((fault) => JSON.stringify(fault))],
  };
}

/** A process that says `ready`, waits for a line and works. */
class Child {
  readonly gone: Promise<unknown>;
  readonly #process: ChildProcess;
  readonly #first: Promise<string>;
  #said = "";

  constructor(script: string, ...args: readonly string[]) {
    this.#process = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const { stdout } = this.#process;
    if (stdout === null) throw new Error("the child has no stdout");
    stdout.setEncoding("utf8").on("data", (text: string) => {
      this.#said += text;
    });
    this.#first = once(stdout, "data").then(() => this.#said);
    this.gone = once(this.#process, "close");
    // Whoever is killed before it reads leaves a pipe that nobody reads; that it is gone is seen elsewhere.
    this.#process.stdin?.on("error", () => undefined);
  }

  async ready(): Promise<void> {
    const said = await Promise.race([this.#first, this.gone.then(() => "it ended before it was ready")]);
    if (said !== "ready\n") throw new Error(`a child was not ready: ${said}`);
  }

  tell(): void {
    this.#process.stdin?.end("go\n");
  }

  /** Whether there was still something to kill. */
  kill(): boolean {
    return this.#process.exitCode === null && this.#process.kill("SIGKILL");
  }

  async ended(): Promise<void> {
    await this.gone;
    if (this.#process.exitCode !== 0) throw new Error(`a child ended with ${this.#process.exitCode}`);
  }

  async lastLine(): Promise<string> {
    await this.ended();
    return this.#said.trimEnd().split("\n").at(-1) ?? "";
  }
}
