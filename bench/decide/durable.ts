/**
 * A decision that is written down: ours with evidence, the tool's rule, caps and ledger rows, and the bare transaction that
 * it needs at least. The peer writes the very bytes that ours wrote, by hand and without a check: the two ledger rows, the
 * row by which a retry is known, and for each cap a row of what is held, after a conditional update of its sum.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, StatementSync } from "node:sqlite";
import { createSignalbox, type Signalbox } from "../../src/index.ts";
import { scriptedModel, simulatedClock } from "../../src/testing/index.ts";
import type { Flat } from "./memory.ts";
import { CUSTOMER, NOW, orders, refund, refundOf } from "./workload.ts";

export type Cost = { readonly wallMicros: number; readonly cpuMicros: number };
export type Round = { readonly ours: Cost; readonly bare: Cost };

const DECISIONS = 500;

/** So many rounds, ours and the bare one in turns, after one of each that is not counted. */
export async function durableRounds(rounds: number): Promise<readonly Round[]> {
  const measured: Round[] = [];
  for (let i = -WARM; i < rounds; i++) {
    const round = await inFolder(async (folder) => {
      const { cost: ours, rows } = await oursIn(folder);
      return { ours, bare: bareIn(folder, rows) };
    });
    if (i >= 0) measured.push(round);
  }
  return measured;
}

const WARM = 6;

/** Where the time of one of our decisions goes, in microseconds: the commit, the other statements, and all that is not SQLite. */
export type Shares = { readonly commit: number; readonly statements: number; readonly rest: number };

/** A few rounds more, each statement timed. That takes time itself, so these count for nothing else. */
export async function shares(rounds: number): Promise<Shares> {
  const spent = { commit: 0, statements: 0 };
  const restore = timeStatements((sql, ms) => {
    spent[sql === "COMMIT" ? "commit" : "statements"] += ms * 1_000;
  });
  try {
    let wall = 0;
    for (let i = 0; i < rounds; i++) {
      wall += await inFolder(async (folder) => {
        const box = openBox(join(folder, "ours.db"));
        await decideOne(box, 0);
        // The first round is for the compiler.
        const { wallMicros } = await timed(async () => {
          for (let n = 1; n <= DECISIONS; n++) await decideOne(box, n);
        });
        if (i === 0) Object.assign(spent, { commit: 0, statements: 0 });
        await box.close();
        return i === 0 ? 0 : wallMicros;
      });
    }
    const counted = (rounds - 1) * DECISIONS;
    const [commit, statements] = [spent.commit / counted, spent.statements / counted];
    return { commit, statements, rest: wall / (rounds - 1) - commit - statements };
  } finally {
    restore();
  }
}

type Method = (this: StatementSync, ...values: unknown[]) => unknown;

function timeStatements(hear: (sql: string, ms: number) => void): () => void {
  const prototype = StatementSync.prototype as unknown as { [name: string]: Method };
  const before = new Map<string, Method>();
  for (const name of ["run", "get", "all"]) {
    const method = prototype[name];
    if (method === undefined) continue;
    before.set(name, method);
    prototype[name] = function timed(...values) {
      const start = performance.now();
      const result = method.apply(this, values);
      hear(this.sourceSQL, performance.now() - start);
      return result;
    };
  }
  return () => {
    for (const [name, method] of before) prototype[name] = method;
  };
}

type Written = { readonly at: number; readonly kind: string; readonly body: string };

async function oursIn(folder: string): Promise<{ readonly cost: Cost; readonly rows: readonly Written[] }> {
  const path = join(folder, "ours.db");
  const box = openBox(path);
  await decideOne(box, 0);
  const cost = await timed(async () => {
    for (let n = 1; n <= DECISIONS; n++) await decideOne(box, n);
  });
  await box.close();
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database
    .prepare("SELECT at, kind, body FROM rows WHERE kind IN ('decided', 'started') ORDER BY id")
    .all();
  database.close();
  return { cost, rows: rows as unknown as readonly Written[] };
}

export function openBox(store: string): Signalbox {
  return createSignalbox({
    model: scriptedModel({ replies: [] }),
    tools: [refund],
    principals: { "agent:desk": { tools: ["refund"] } },
    services: { orders, payments: {} },
    clock: simulatedClock(NOW),
    store,
  });
}

export async function decideOne(box: Signalbox, n: number, run = "their-run"): Promise<void> {
  const { params, evidence } = refundOf(n);
  const context = { customer: CUSTOMER };
  const said = await box.decide({
    run,
    step: n + 1,
    principal: "agent:desk",
    tool: "refund",
    params,
    evidence,
    context,
  });
  if (said.outcome !== "allow") throw new Error(`it was decided as ${JSON.stringify(said)}`);
}

/** Pages of the log, as in src/adapters/store-sqlite: laid down beforehand and kept short, which halves a commit. */
const LOG_PAGES = 128;
const CAPS = 3;

function bareIn(folder: string, rows: readonly Written[]): Cost {
  const database = new DatabaseSync(join(folder, "bare.db"));
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE rows (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, hash BLOB NOT NULL) STRICT;
    CREATE TABLE effects (id INTEGER PRIMARY KEY, thread TEXT NOT NULL, key TEXT NOT NULL, state TEXT NOT NULL) STRICT;
    CREATE INDEX effects_by_key ON effects (thread, key);
    CREATE TABLE held (effect INTEGER, cap TEXT, key TEXT, "window" TEXT, amount INTEGER NOT NULL, state TEXT NOT NULL,
      PRIMARY KEY (effect, cap, key, "window")) STRICT, WITHOUT ROWID;
    CREATE TABLE used (cap TEXT, key TEXT, "window" TEXT, held INTEGER NOT NULL, most INTEGER NOT NULL,
      PRIMARY KEY (cap, key, "window")) STRICT, WITHOUT ROWID;
    PRAGMA wal_autocheckpoint = ${LOG_PAGES}; PRAGMA cache_size = 10; BEGIN`);
  database.exec(`CREATE TABLE room (value TEXT); INSERT INTO room VALUES (hex(zeroblob(${LOG_PAGES * 2_000}))); ROLLBACK;
    PRAGMA cache_size = -2000`);
  const [insertRow, findEffect, insertEffect, insertHeld, use, begin, commit] = [
    "INSERT INTO rows VALUES (?, ?, ?, ?, ?)",
    "SELECT id FROM effects WHERE thread = ? AND key = ? AND state <> 'failed'",
    "INSERT INTO effects VALUES (?, ?, ?, 'started')",
    "INSERT INTO held VALUES (?, ?, ?, ?, ?, 'reserved')",
    'UPDATE used SET held = held + ? WHERE cap = ? AND key = ? AND "window" = ? AND held + ? <= most',
    "BEGIN IMMEDIATE",
    "COMMIT",
  ].map((sql) => database.prepare(sql)) as [
    Statement,
    Statement,
    Statement,
    Statement,
    Statement,
    Statement,
    Statement,
  ];
  const caps = Array.from(
    { length: CAPS },
    (_, i) => [`refunded_in_window_${i}`, CUSTOMER, `day:2026-03-16@Zone${i}`] as const,
  );
  for (const cap of caps) database.prepare("INSERT INTO used VALUES (?, ?, ?, 0, ?)").run(...cap, 2 ** 50);
  const hash = new Uint8Array(32).fill(7);
  // As spread as digests are, so that the index is written to at as many places.
  const keys = Array.from({ length: DECISIONS + 1 }, (_, n) => createHash("sha256").update(String(n)).digest("hex"));
  const one = (n: number): void => {
    const [decided, started] = [rows[2 * n], rows[2 * n + 1]];
    if (decided === undefined || started === undefined) throw new Error("there are too few rows");
    const key = keys[n] ?? "";
    begin.run();
    if (findEffect.get("their-run", key) !== undefined) throw new Error("it was done before");
    insertRow.run(2 * n, decided.at, decided.kind, decided.body, hash);
    insertRow.run(2 * n + 1, started.at, started.kind, started.body, hash);
    insertEffect.run(n, "their-run", key);
    for (const cap of caps) {
      if (Number(use.run(1, ...cap, 1).changes) !== 1) throw new Error("the cap is full");
      insertHeld.run(n, ...cap, 1);
    }
    commit.run();
  };
  one(0);
  const cost = timedNow(() => {
    for (let n = 1; n <= DECISIONS; n++) one(n);
  });
  database.close();
  return cost;
}

type Statement = ReturnType<DatabaseSync["prepare"]>;

async function timed(work: () => Promise<void>): Promise<Cost> {
  const [cpu, wall] = [process.threadCpuUsage(), performance.now()];
  await work();
  return costSince(cpu, wall);
}

function timedNow(work: () => void): Cost {
  const [cpu, wall] = [process.threadCpuUsage(), performance.now()];
  work();
  return costSince(cpu, wall);
}

function costSince(before: NodeJS.CpuUsage, wall: number): Cost {
  const wallMicros = ((performance.now() - wall) * 1_000) / DECISIONS;
  const { user, system } = process.threadCpuUsage(before);
  return { wallMicros, cpuMicros: (user + system) / DECISIONS };
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-decide-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Steps of a run, as a refund desk's are. */
const STEPS = 20;
/** Box and store keep the newest runs at hand, 1,024 at most. Until they are as many there is growth, which ends. */
const RUNS_AT_HAND = 1_024;

/** The heap after a collection while a box on disk decides, from where everything that is kept is there. */
export function durableHeaps(decisions: number, looks: number): Promise<readonly Flat[]> {
  return inFolder(async (folder) => {
    const box = openBox(join(folder, "flat.db"));
    const flat: Flat[] = [];
    const before = STEPS * RUNS_AT_HAND + decisions / looks;
    for (let n = 0; n <= before + decisions; n++) {
      if (n >= before && (n - before) % (decisions / looks) === 0) {
        globalThis.gc?.();
        flat.push({ decisions: n - before, heapBytes: process.memoryUsage().heapUsed });
      }
      await decideOne(box, n % STEPS, `run-${Math.floor(n / STEPS)}`);
    }
    await box.close();
    return flat;
  });
}
