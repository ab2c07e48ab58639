import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Store } from "../../src/index.ts";
import type { House } from "../crash/house.ts";
import { memoryWorld, openScenario, REQUESTS } from "../crash/scenario.ts";
import { GuideWriter } from "../guides/sayings.ts";

/**
 * Claim S8 from outside: a second connection reads what is committed at every point of the seam, before and after each
 * statement and each COMMIT. Whatever changed since the last look must be one whole: every changed book names a row that
 * came with it, and every row that says something of a book came with that book.
 */
export type Commit = { readonly method: string; readonly kinds: string; readonly books: readonly string[] };

const WRITERS = ["begin", "append", "decide", "settle", "appendGuides"];
const READERS = [
  "readRows",
  "readRun",
  "listRuns",
  "listRunIds",
  "scan",
  "readHeads",
  "readGuides",
  "readRevision",
  "listRevisions",
  "capUse",
  "checkBooks",
  "readCaps",
  "close",
  "claim",
  "release",
  "isCarried",
];

/** Carries every run of the scenario and looks at each commit. Returns what each commit wrote, in order. */
export async function wholeCommits(house: House, directory: string): Promise<readonly Commit[]> {
  const path = join(directory, "ledger.db");
  const commits: Commit[] = [];
  const called = new Map<string, number>();
  let method = "open";
  let before = NOTHING;
  let reader: DatabaseSync | null = null;
  let wrong: unknown = null;
  const watch = (point: string): void => {
    // Thrown at the seam it would pass for a failing disk, so it is kept for the end.
    try {
      look(point);
    } catch (error) {
      wrong ??= error;
    }
  };
  const look = (point: string): void => {
    reader ??= readerOf(path);
    if (reader === null) return;
    const now = read(reader);
    const changed = changesOf(before, now);
    before = now;
    if (changed.length === 0) return;
    assert.equal(point, "committed", `${method}: state appeared at "${point}", outside of a transaction`);
    assert.ok(WRITERS.includes(method), `${method} is not known to write, and wrote`);
    judgeWhole(changed, now);
    const of = (book: Book) => changed.filter((entry) => entry.book === book);
    commits.push({
      method,
      kinds: [...of("rows"), ...of("guide_rows")].map(({ columns }) => textOf(columns.kind)).join(" "),
      books: BOOKS.filter((book) => book !== "rows" && book !== "guide_rows" && of(book).length > 0),
    });
  };
  const inner = house.sqlite.openSqliteStore({ path, seam: watch });
  assert.deepEqual(methodsOf(inner), new Set([...WRITERS, ...READERS]), "the store has a method that nobody watches");
  const store = watched(inner, (name) => {
    method = name;
    called.set(name, (called.get(name) ?? 0) + 1);
  });

  const { box, carry } = openScenario(house, store, memoryWorld());
  const endings: string[] = [];
  for (const request of [...REQUESTS, "break"] as const) {
    const { ending } = await carry(request).catch((error: unknown) => ({ ending: String(error) }));
    endings.push(ending);
  }
  await new GuideWriter(store).publish("rule", "what the model is told");
  if (wrong !== null) throw wrong;
  assert.deepEqual(endings, ["answered", "answered", "outcome_unknown"]);
  assert.ok((await box.verifyLedger()).ok);
  const { runs, thread } = { runs: await box.runs(), thread: await box.runs({ thread: "thread1" }) };
  assert.deepEqual(runs, thread);
  await store.capUse([], null);
  assert.equal(await store.isCarried("nobody"), false);
  await store.readCaps({ limit: 1 });
  await store.scan(["began"], () => undefined);
  await box.close();
  watch("closed");
  if (wrong !== null) throw wrong;
  (reader as DatabaseSync | null)?.close();
  assert.deepEqual(new Set(called.keys()), new Set([...WRITERS, ...READERS]), "every method was called");
  const writes = WRITERS.reduce((sum, name) => sum + (called.get(name) ?? 0), 0);
  assert.equal(commits.length, writes, "a write is one commit");
  return commits;
}

/**
 * Claim R3, the part of it that no `kill -9` shows: whatever is acknowledged was synced. The setting is read back from the
 * very connection that writes, which is caught as it prepares its first statement, at every one of its commits.
 */
export async function syncedCommits(house: House, directory: string): Promise<void> {
  const prototype = DatabaseSync.prototype;
  const prepare = prototype.prepare;
  const connections = new Set<DatabaseSync>();
  prototype.prepare = function (...given: Parameters<typeof prepare>) {
    // Who carries what lies in files of its own beside the ledger, and is no part of it.
    if (!/-owners?(-|$)/.test(this.location() ?? "")) connections.add(this);
    return prepare.apply(this, given);
  };
  const settings: unknown[] = [];
  const look = (point: string): void => {
    if (point !== "commit") return;
    for (const db of connections) settings.push(prepare.call(db, "PRAGMA synchronous").get()?.synchronous);
  };
  try {
    const store = house.sqlite.openSqliteStore({ path: join(directory, "ledger.db"), seam: look });
    const { box, carry } = openScenario(house, store, memoryWorld());
    for (const request of REQUESTS) await carry(request);
    await box.close();
  } finally {
    prototype.prepare = prepare;
  }
  assert.equal(connections.size, 1, "one connection writes");
  assert.ok(settings.length > 30, "it was looked at");
  // https://sqlite.org/pragma.html#pragma_synchronous: 2 is FULL, 3 is EXTRA.
  for (const setting of settings) assert.ok(setting === 2 || setting === 3, `synchronous is ${setting}`);
}

const BOOKS = [
  "rows",
  "runs",
  "keyed_effects",
  "reservations",
  "cap_usage",
  "heads",
  "guide_rows",
  "revisions",
] as const;
type Book = (typeof BOOKS)[number];
type Columns = { readonly [column: string]: unknown };
type Entry = { readonly book: Book; readonly key: string; readonly columns: Columns; readonly text: string };
type State = ReadonlyMap<string, Entry>;

const NOTHING: State = new Map();

/** What names an entry of a book, and the row that it says it stands on. */
const KEYS: { readonly [book in Book]: readonly string[] } = {
  rows: ["run", "seq"],
  runs: ["run"],
  keyed_effects: ["run", "step"],
  reservations: ["run", "step", "cap", "key", "window"],
  cap_usage: ["cap", "key", "window"],
  heads: ["n"],
  guide_rows: ["seq"],
  revisions: ["digest"],
};

/** Ids taken apart, so that each entry says of which run it is, and on which row it stands. */
const READ: { readonly [book in Book]: string } = {
  // Not by the view: it leaves out rows of runs that the index does not know.
  rows: `SELECT u.run, r.id & 16777215 AS seq, r.at, r.kind, r.body, lower(hex(r.hash)) AS hash FROM rows r
    LEFT JOIN runs u ON u.first = r.id - (r.id & 16777215) + 1`,
  runs: "SELECT *, first & 16777215 AS seq FROM runs",
  keyed_effects: `SELECT u.run, k.id & 16777215 AS step, k.* FROM keyed_effects k
    LEFT JOIN runs u ON u.first = k.id - (k.id & 16777215) + 1`,
  reservations: `SELECT u.run, v.effect & 16777215 AS step, v.* FROM reservations v
    LEFT JOIN runs u ON u.first = v.effect - (v.effect & 16777215) + 1`,
  cap_usage: `SELECT u.run, c.row & 16777215 AS seq, c.* FROM cap_usage c
    LEFT JOIN runs u ON u.first = c.row - (c.row & 16777215) + 1`,
  heads: "SELECT * FROM heads",
  guide_rows: "SELECT seq, kind, body, lower(hex(hash)) AS hash FROM guide_rows",
  revisions: "SELECT digest, hex(bytes) AS bytes FROM revisions",
};

function readerOf(path: string): DatabaseSync | null {
  if (!existsSync(path)) return null;
  const db = new DatabaseSync(path, { readOnly: true });
  if (db.prepare("SELECT count(*) AS n FROM sqlite_schema").get()?.n !== 0) return db;
  db.close();
  return null;
}

function read(db: DatabaseSync): State {
  const entries: Entry[] = BOOKS.flatMap((book) =>
    db
      .prepare(READ[book])
      .all()
      .map((columns) => {
        const key = JSON.stringify([book, ...KEYS[book].map((column) => columns[column])]);
        return { book, key, columns, text: JSON.stringify(columns) };
      }),
  );
  return new Map(entries.map((entry) => [entry.key, entry]));
}

function changesOf(before: State, now: State): readonly Entry[] {
  for (const [key] of before) assert.ok(now.has(key), `${key} was deleted`);
  return [...now.values()].filter(({ key, text }) => before.get(key)?.text !== text);
}

/** Rows and books that changed together, held against each other both ways. */
function judgeWhole(changed: readonly Entry[], now: State): void {
  const rows = changed.filter(({ book }) => book === "rows");
  const isNew = (run: unknown, seq: unknown): boolean =>
    rows.some(({ columns }) => columns.run === run && columns.seq === seq);
  judgeGuides(changed);
  for (const { book, columns, key } of changed) {
    if (book === "guide_rows" || book === "revisions") continue;
    const seq = columns.settled_seq ?? columns.started_seq ?? columns.seq;
    assert.ok(isNew(columns.run, seq), `${key} changed without its row`);
    if (book === "heads") assert.ok(!isNew(columns.run, Number(seq) + 1), `${key} is not the newest row`);
  }
  const withIt = (book: Book, told: Columns): boolean =>
    changed.some(
      (entry) => entry.book === book && Object.keys(told).every((name) => entry.columns[name] === told[name]),
    );
  for (const { columns } of rows) {
    const { run, seq, kind } = columns;
    const body = JSON.parse(textOf(columns.body));
    const says = `row ${seq}, ${kind}, came without what it says of`;
    assert.ok(now.has(JSON.stringify(["runs", run])), `${says} the run`);
    if (kind === "began") assert.ok(withIt("runs", { run, seq }), `${says} the run`);
    if (kind === "started" && body.settleKey !== undefined && body.settleKey !== null) {
      const told = { run, step: body.step, settle_key: body.settleKey, started_seq: seq, state: "started" };
      assert.ok(withIt("keyed_effects", told), `${says} the effect`);
    }
    if (kind === "decided") {
      for (const { cap, key, window, amount, limit } of body.reservations ?? []) {
        const told = { run, step: body.step, cap, key, window, amount, limit, seq, state: "reserved" };
        assert.ok(withIt("reservations", told), `${says} the reservation of ${cap}`);
        assert.ok(amount === 0 || withIt("cap_usage", { cap, key, window, run, seq }), `${says} the use of ${cap}`);
      }
    }
    if (kind === "finished") {
      const outcome = textOf(body.outcome ?? "done");
      if (now.has(JSON.stringify(["keyed_effects", run, body.step]))) {
        const told = { run, step: body.step, settled_seq: seq, state: outcome };
        assert.ok(withIt("keyed_effects", told), `${says} the outcome`);
      }
      const state = { done: "settled", failed: "released", outcome_unknown: "kept" }[outcome];
      for (const { book, columns: held } of now.values()) {
        if (book !== "reservations" || held.run !== run || held.step !== body.step) continue;
        assert.deepEqual([held.state, held.settled_seq], [state, seq], `${says} the reservations`);
      }
    }
    if (kind === "ended") {
      assert.ok(withIt("heads", { run, seq, head: columns.hash }), `${says} the index of heads`);
    }
  }
}

/** A revision comes with the verification that is about it. */
function judgeGuides(changed: readonly Entry[]): void {
  const verified = changed
    .filter(({ book, columns }) => book === "guide_rows" && columns.kind === "guide_verified")
    .map(({ columns }) => JSON.parse(textOf(columns.body)).revision);
  for (const { book, columns, key } of changed) {
    if (book === "revisions") assert.ok(verified.includes(columns.digest), `${key} came without its row`);
  }
}

function textOf(value: unknown): string {
  assert.ok(typeof value === "string");
  return value;
}

function methodsOf(store: Store): ReadonlySet<string> {
  return new Set(Object.getOwnPropertyNames(Object.getPrototypeOf(store)).filter((name) => name !== "constructor"));
}

/** The same store, which says what is called of it. */
export function watched(store: Store, hear: (method: string) => void): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return (...given: unknown[]) => {
        hear(String(name));
        return method.apply(target, given);
      };
    },
  });
}
