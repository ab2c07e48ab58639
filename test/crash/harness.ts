import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.ts";
import type { Carried, Point } from "./child.ts";
import type { House } from "./house.ts";
import { type EffectLine, ONCE_TOOLS, openScenario, REQUESTS, WITHOUT_PROBE } from "./scenario.ts";
import { newScratch } from "./scratch.ts";

/**
 * The crash harness: carries the scenario once without a crash, then kills it at a point, lets another process take it
 * up, and holds what came of it against the run that nobody killed. It judges any house, also one with a planted fault.
 */
export type Harness = {
  /** The house that is judged: its `src`, and the one file that dies quicker. */
  readonly src: string;
  readonly file: string;
  readonly base: string;
  readonly judge: House;
  /** Tables that the judge has verified already. */
  readonly verified: Set<string>;
};

/** What the run writes where nobody kills it. */
export type Reference = Snapshot & { readonly points: readonly Point[] };

/** What lies on the disk at some moment. */
export type Snapshot = {
  /** Every table, each row as text, in the order of its key. */
  readonly tables: { readonly [table in (typeof TABLES)[number]["name"]]: readonly string[] };
  readonly open: readonly EffectRow[];
  /** Replies of the model that are on the disk. */
  readonly replies: number;
  readonly calls: readonly string[];
  readonly effects: readonly EffectLine[];
};

type EffectRow = { readonly run: string; readonly step: number; readonly tool: string; readonly state: string };

/** A killed process, and what it left. */
export type Dead = { readonly at: number; readonly left: Snapshot };

const TABLES = [
  { name: "rows", sql: "SELECT * FROM ledger ORDER BY run, seq" },
  { name: "runs", sql: "SELECT * FROM runs ORDER BY first" },
  // What the rows say of each effect, and the book of those that settle something.
  { name: "effects", sql: "SELECT * FROM effects ORDER BY run, step" },
  { name: "keyed_effects", sql: "SELECT * FROM keyed_effects ORDER BY id" },
  {
    name: "reservations",
    sql: `SELECT u.run, v.effect & 16777215 AS step, v.* FROM reservations v
      JOIN runs u ON u.first = v.effect - (v.effect & 16777215) + 1 ORDER BY v.effect, cap, key, "window"`,
  },
  { name: "cap_usage", sql: `SELECT * FROM cap_usage ORDER BY cap, key, "window"` },
  { name: "heads", sql: "SELECT * FROM heads ORDER BY n" },
] as const;

const CHILD = fileURLToPath(new URL("child.ts", import.meta.url));

export async function openHarness(src: string, judge: House): Promise<Harness> {
  const base = newScratch("crash");
  return { src, file: await bundle(src, join(base, "house.mjs")), base, judge, verified: new Set() };
}

export function closeHarness({ base }: Harness): void {
  rmSync(base, { recursive: true, force: true });
}

/** Carries the scenario to its end. Also fills the compile cache, which killed processes do not. */
export function carryUninterrupted(harness: Harness): Promise<Reference> {
  return carryOnce(harness, harness.file);
}

/** The same by the source as it is, without a bundler in between. */
export function carryFromSource(harness: Harness): Promise<Reference> {
  return carryOnce(harness, harness.src);
}

async function carryOnce(harness: Harness, house: string): Promise<Reference> {
  const directory = mkdtempSync(join(harness.base, "uninterrupted-"));
  const { points, outcomes } = carriedOf(await run(harness, [directory], 0, house));
  assert.deepEqual(
    outcomes.map(({ ending }) => ending),
    REQUESTS.map(() => "answered"),
    `without a crash every run is answered: ${JSON.stringify(outcomes)}`,
  );
  const left = snapshotOf(directory);
  assert.equal(new Set(left.effects.map(({ key }) => key)).size, left.effects.length, "one effect under each key");
  await verify(harness, directory, left);
  return { ...left, points };
}

/** Kills a process at its point `at`: a fresh one, or one that takes up what lies in `directory`. */
export async function killAt(harness: Harness, directory: string, at: number): Promise<Dead> {
  mkdirSync(directory, { recursive: true });
  const { signal, stderr } = await run(harness, [directory], at);
  assert.equal(signal, "SIGKILL", `the process at point ${at} was to be killed: ${stderr}`);
  return { at, left: snapshotOf(directory) };
}

/** Lets one new process take up what lies in each directory and carry it to its end. */
export async function resumeIn(harness: Harness, directories: readonly string[]): Promise<readonly Carried[]> {
  const { stdout, stderr } = await run(harness, directories);
  const carried = stdout.split("\n").slice(0, -1).map(parseCarried);
  assert.equal(carried.length, directories.length, `a resume broke off: ${stderr}`);
  return carried;
}

/**
 * Holds a run that was killed (`deads`, oldest first) and then carried to its end in `directory` against the run that
 * nobody killed. Throws an AssertionError for the first promise that was broken.
 */
export async function judge(
  harness: Harness,
  reference: Reference,
  deads: readonly Dead[],
  directory: string,
  carried: Carried,
): Promise<void> {
  const final = snapshotOf(directory);
  const lefts = deads.map(({ left }) => left);
  for (const left of [...lefts, final]) judgeEffects(reference, left);
  judgeCalls(reference, [...lefts, final]);
  const open = lefts.flatMap((left) => left.open.filter(({ tool }) => tool === WITHOUT_PROBE))[0];
  const endings = carried.outcomes.map(({ ending }) => ending);
  if (open === undefined) {
    assert.deepEqual(
      endings,
      REQUESTS.map(() => "answered"),
      JSON.stringify(carried.outcomes),
    );
    assert.deepEqual(final.tables, reference.tables, "the same rows, byte for byte, and the same books");
    assert.deepEqual(keysOf(final), keysOf(reference), "each effect of the uninterrupted run happened");
  } else {
    assert.equal(endings.at(-1), "outcome_unknown", `the effect of step ${open.step} was open`);
    judgeUnknown(reference, final, open);
  }
  await verify(harness, directory, final);
}

/** No effect without its row, none twice where once was promised, every retry under its own key, and none that was made up. */
function judgeEffects(reference: Reference, { effects, tables }: Snapshot): void {
  const rows = tables.effects.map(parseEffectRow);
  const keys = new Map<string, string>();
  for (const { run, step, tool, key } of effects) {
    const name = `${run} ${step}`;
    const again = keys.get(name);
    assert.ok(
      rows.some((row) => row.run === run && row.step === step),
      `step ${step} had an effect and no row`,
    );
    assert.equal(again ?? key, key, `step ${step} ran again under another key`);
    assert.ok(again === undefined || !ONCE_TOOLS.includes(tool), `step ${step}, ${tool}, happened twice`);
    keys.set(name, key);
  }
  assert.equal(new Set(keys.values()).size, keys.size, "two steps share a key");
  const known = new Set(keysOf(reference));
  for (const key of keys.values()) assert.ok(known.has(key), `nobody asked for the effect ${key}`);
  for (const { run, step, state, tool } of rows) {
    if (state === "done") assert.ok(keys.has(`${run} ${step}`), `step ${step}, ${tool}, is done and never happened`);
  }
}

/** Each process asks for the replies that are not on the disk and for no other, and waits for each before the next. */
function judgeCalls(reference: Reference, lefts: readonly Snapshot[]): void {
  let durable = 0;
  let made = 0;
  for (const { calls, open, replies } of lefts) {
    const asked = calls.slice(made);
    assert.deepEqual(asked, reference.calls.slice(durable, durable + asked.length), "asked again for a finished turn");
    assert.ok(replies >= durable + asked.length - 1, "asked for the next reply before the last one was on the disk");
    if (open.length > 0) assert.equal(replies, durable + asked.length, "a step was started before its reply was kept");
    made = calls.length;
    durable = replies;
  }
}

/** The rows end where the open effect began, with its unknown outcome; what it holds is kept. */
function judgeUnknown(reference: Reference, final: Snapshot, open: EffectRow): void {
  const before = final.tables.rows.slice(0, -2);
  assert.deepEqual(before, reference.tables.rows.slice(0, before.length), "the rows before it are the same");
  const [started, finished, ended] = final.tables.rows.slice(-3).map(parseRow);
  assert.deepEqual([started?.kind, started?.body.step], ["started", open.step]);
  assert.deepEqual(
    [finished?.kind, finished?.body.step, finished?.body.outcome],
    ["finished", open.step, "outcome_unknown"],
  );
  assert.deepEqual([ended?.kind, ended?.body.ending], ["ended", "outcome_unknown"]);
  assert.equal(final.tables.effects.map(parseEffectRow).at(-1)?.state, "outcome_unknown");
  const held = final.tables.reservations.filter((text) => {
    const { run, step } = JSON.parse(text);
    return run === open.run && step === open.step;
  });
  assert.deepEqual(
    held.map((text) => JSON.parse(text).state),
    ["kept"],
    "an unknown effect keeps its reservation",
  );
}

/**
 * The ledger verifies, and the judge's own house says so, whatever was planted in the one that is judged. The same tables
 * verify the same way, so each content is verified once; the file itself is looked at every time.
 */
async function verify({ judge: house, verified }: Harness, directory: string, { tables }: Snapshot): Promise<void> {
  const path = join(directory, "ledger.db");
  const db = new DatabaseSync(path, { readOnly: true });
  const damage = db.prepare("PRAGMA integrity_check").all();
  db.close();
  assert.deepEqual(
    damage.map(({ integrity_check: line }) => line),
    ["ok"],
  );
  const content = JSON.stringify(tables);
  if (verified.has(content)) return;
  const nothing = () => assert.fail("a verification does nothing");
  const world = { point: nothing, effect: nothing, effects: () => [], called: nothing };
  const { box } = openScenario(house, house.sqlite.openSqliteStore({ path }), world);
  try {
    const { ok, faults } = await box.verifyLedger();
    assert.ok(ok, `the ledger does not verify: ${JSON.stringify(faults)}`);
  } finally {
    await box.close();
  }
  verified.add(content);
}

function snapshotOf(directory: string): Snapshot {
  const tables = readTables(join(directory, "ledger.db"));
  const rows = tables.rows.map(parseRow);
  return {
    tables,
    open: tables.effects.map(parseEffectRow).filter(({ state }) => state === "started"),
    replies: rows.filter(({ kind }) => kind === "replied" || kind === "model_failed").length,
    calls: linesOf(directory, "calls"),
    effects: linesOf(directory, "effects").map((line): EffectLine => JSON.parse(line)),
  };
}

/** Read past the product, so that what it believes is not what is believed of it. */
function readTables(path: string): Snapshot["tables"] {
  const empty = Object.fromEntries(TABLES.map(({ name }) => [name, []])) as unknown as Snapshot["tables"];
  if (!existsSync(path)) return empty;
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    if (db.prepare("SELECT count(*) AS n FROM sqlite_schema").get()?.n === 0) return empty;
    const read = TABLES.map(({ name, sql }) => [
      name,
      db
        .prepare(sql)
        .all()
        .map((row) => JSON.stringify(row)),
    ]);
    return Object.fromEntries(read);
  } finally {
    db.close();
  }
}

type RowText = { readonly run: string; readonly kind: string; readonly body: { readonly [key: string]: unknown } };

function parseRow(text: string): RowText {
  const row = JSON.parse(text);
  return { ...row, body: JSON.parse(row.body) };
}

function parseEffectRow(text: string): EffectRow {
  return JSON.parse(text);
}

function parseCarried(line: string): Carried {
  return JSON.parse(line);
}

function carriedOf({ stdout, stderr }: Ended): Carried {
  assert.ok(stdout.endsWith("\n"), `the process broke off: ${stderr}`);
  return parseCarried(stdout);
}

function linesOf(directory: string, name: string): readonly string[] {
  const path = join(directory, name);
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
}

function keysOf({ effects }: Snapshot): readonly string[] {
  return [...new Set(effects.map(({ key }) => key))];
}

type Ended = { readonly signal: string | null; readonly stdout: string; readonly stderr: string };

function run({ file, base }: Harness, directories: readonly string[], crashAt = 0, house = file): Promise<Ended> {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(base, "compile-cache"), CRASH_AT: String(crashAt) };
  const child = spawn(process.execPath, ["--no-warnings", CHILD, house, ...directories], { env, stdio: "pipe" });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (_code, signal) => {
      resolve({ signal, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() });
    });
  });
}

/** How many processes at a time. */
const AT_A_TIME = Math.max(2, availableParallelism());

/** Does something for each item, a few at a time. The first that fails is thrown when those under way have ended. */
export async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const hand = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_A_TIME }, hand));
  const broken = ended.find((hands) => hands.status === "rejected");
  if (broken !== undefined) throw broken.reason;
}

/** Kills at each of the points, resumes in new processes, judges, and cleans up what was in order. */
export async function killAtEach(harness: Harness, reference: Reference, points: readonly number[]): Promise<void> {
  const size = Math.min(BATCH_MAX, Math.ceil(points.length / AT_A_TIME));
  const batches = Array.from({ length: Math.ceil(points.length / size) }, (_, i) =>
    points.slice(i * size, (i + 1) * size),
  );
  await forEach(batches, async (batch) => {
    const killed: { readonly directory: string; readonly dead: Dead }[] = [];
    for (const at of batch) {
      const directory = join(harness.base, `point-${at}`);
      killed.push({ directory, dead: await killAt(harness, directory, at) });
    }
    const carried = await resumeIn(
      harness,
      killed.map(({ directory }) => directory),
    );
    for (const [i, { directory, dead }] of killed.entries()) {
      const one = carried[i];
      if (one === undefined) continue;
      await judgeAt(harness, reference, [dead], directory, one);
      rmSync(directory, { recursive: true });
    }
  });
}

/** One process takes up as many killed runs as this: it is new to each of them, and processes are what takes the time. */
const BATCH_MAX = 24;

/** `judge`, and a failure says at which points the processes were killed. */
export async function judgeAt(
  harness: Harness,
  reference: Reference,
  deads: readonly Dead[],
  directory: string,
  carried: Carried,
): Promise<void> {
  try {
    await judge(harness, reference, deads, directory, carried);
  } catch (error) {
    const label = reference.points[(deads[0]?.at ?? 0) - 1]?.label;
    if (error instanceof Error)
      error.message = `killed at ${deads.map(({ at }) => at).join(", then ")} (${label}): ${error.message}`;
    throw error;
  }
}
