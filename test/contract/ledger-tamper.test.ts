import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSqliteStore } from "../../src/adapters/store-sqlite/index.ts";
import type { Row } from "../../src/domain/row.ts";
import {
  type Checkpoint,
  chainRow,
  chainStart,
  type HashText,
  headEntry,
  parseCheckpoint,
  verifyRun,
} from "../../src/ledger/index.ts";
import { seed } from "../seed.ts";
import { Carrier, ledgerHash, reservation, SHA, stateOf } from "./carrier.ts";
import { checkpointOf, verifyFile } from "./verify-store.ts";

const KEYED = ledgerHash("a key that the intruder does not have");
const RUNS = 100;
const ROWS = 10_000;

/** Numbers from 0 to n - 1 that the seed decides (mulberry32). */
function dice(start: number): (n: number) => number {
  let state = start;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

let directory: string;
let sound: string;
let copies = 0;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "signalbox-tamper-"));
  sound = await buildLedger("sound.db", RUNS, ROWS / RUNS, KEYED);
}, 120_000);

afterAll(() => rmSync(directory, { recursive: true }));

/** Runs of `length` rows each: turns with and without caps and keys, outcomes of each kind; every tenth run stays open. */
async function buildLedger(file: string, runs: number, length: number, hash: HashText): Promise<string> {
  const path = join(directory, file);
  const store = openSqliteStore({ path });
  for (let n = 0; n < runs; n++) {
    const run = new Carrier(store, nameOf(n), `thread-${n % 7}`, hash);
    await run.begin(`request ${n}`);
    for (let step = 1; run.end.seq + 4 < length; step++) {
      const replies = Math.min(9, length - run.end.seq - 4);
      await run.append(...Array.from({ length: replies }, (_, turn) => replied(n, turn)));
      if (run.end.seq + 4 > length) break;
      const reservations = [reservation((n + step) % 9, 1_000_000)];
      await run.start({ step, settleKey: `key ${n} ${step}`, reservations: step % 2 === 0 ? reservations : [] });
      await run.settle(step, (["done", "failed", "outcome_unknown"] as const)[(n + step) % 3] ?? "done", {
        receipt: step,
      });
    }
    while (run.end.seq < length - 1) await run.append(replied(n, run.end.seq));
    if (n % 10 === 9) await run.append(replied(n, 0));
    else await run.close("answered", `answer ${n}`);
  }
  await store.close();
  return path;
}

function replied(n: number, turn: number): readonly [string, { turn: number; raw: string }] {
  return ["replied", { turn, raw: `{"kind":"action","text":"ä turn ${turn} of run ${n}, with some length to it"}` }];
}

/** The id of row `seq` of run `n` here, which is the n-th after the first to begin; a step's id is made the same way. */
function idOf(n: number, seq: number): number {
  return (n + 1) * 2 ** 24 + seq;
}

function nameOf(n: number): string {
  return `01jrun${String(n).padStart(14, "0")}`;
}

/**
 * What an intruder with the sqlite shell does: takes a copy of the ledger, drops the triggers, does his work with foreign
 * keys off, and puts the triggers back. Returns the path of what is left.
 */
function tampered(work: (db: DatabaseSync) => void, from = sound): string {
  copies += 1;
  const path = join(directory, `copy-${copies}.db`);
  copyFileSync(from, path);
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
  db.exec("BEGIN; PRAGMA ignore_check_constraints = ON");
  work(db);
  db.exec("COMMIT");
  for (const { sql } of triggers) db.exec(String(sql));
  db.close();
  return path;
}

/** `run seq` of each fault, sorted, each once; and every detail as one text, for what the books say. */
async function findings(path: string, checkpoint: Checkpoint | null = null, hash: HashText = KEYED) {
  const verdict = await verifyFile(path, hash, checkpoint);
  rmSync(path);
  const rows = verdict.faults.filter((fault) => fault.run !== null);
  return {
    ok: verdict.ok,
    where: [...new Set(rows.map((fault) => `${fault.run} ${fault.seq}`))].sort(),
    codes: [...new Set(verdict.faults.map((fault) => fault.code))].sort(),
    books: verdict.faults.filter((fault) => fault.code === "books_disagree").map((fault) => fault.detail),
  };
}

/** Changes one byte of a text, or one bit of a number. The result need not be UTF-8. */
function flipped(value: unknown, roll: (n: number) => number): { sql: string; value: SQLInputValue } {
  if (typeof value === "number") return { sql: "?", value: value ^ (1 << roll(10)) };
  const bytes = value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value));
  const at = roll(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << roll(8));
  return { sql: value instanceof Uint8Array ? "?" : "CAST(? AS TEXT)", value: bytes };
}

describe("a ledger of 10,000 rows", () => {
  test("[ledger-tamper] untouched, it verifies: 100 runs, 90 of them closed", async () => {
    const verdict = await verifyFile(sound, KEYED);
    expect(verdict).toEqual({ ok: true, faults: [], runs: RUNS, rows: ROWS, heads: 90, guides: 0, revisions: 0 });
  });

  test("[ledger-tamper] a careful copy with its triggers dropped and put back verifies: no false alarm", async () => {
    expect(await findings(tampered(() => {}))).toMatchObject({ ok: true });
  });

  // One row in each of the 100 runs, and each fault must name its own.
  const columns = ["at", "kind", "body", "hash", "body", "hash"] as const;
  test.each(columns.map((column, round) => [round, column] as const))(
    "[ledger-tamper] a flipped byte in 100 random rows, round %i: %s",
    async (round, column) => {
      const roll = dice(seed + round);
      const expected: string[] = [];
      const path = tampered((db) => {
        for (let n = 0; n < RUNS; n++) {
          const seq = 1 + roll(ROWS / RUNS);
          const old = db.prepare(`SELECT ${column} AS v FROM rows WHERE id = ?`).get(idOf(n, seq))?.v;
          const change = flipped(old, roll);
          db.prepare(`UPDATE rows SET ${column} = ${change.sql} WHERE id = ?`).run(change.value, idOf(n, seq));
          expected.push(`${nameOf(n)} ${seq}`);
        }
      });
      expect((await findings(path)).where).toEqual(expected.sort());
    },
  );

  test.each(["run", "seq"])("[ledger-tamper] 100 random rows with another %s", async (column) => {
    const roll = dice(seed + column.length);
    const expected: string[] = [];
    const path = tampered((db) => {
      for (let n = 0; n < RUNS; n++) {
        // The newest row of an open run is what only a checkpoint misses.
        const seq = 1 + roll(ROWS / RUNS - 1);
        const id = column === "run" ? idOf(n + 1_000, seq) : idOf(n, seq + 1_000 + roll(1_000));
        db.exec(`UPDATE rows SET id = ${id} WHERE id = ${idOf(n, seq)}`);
        expected.push(`${nameOf(n)} ${seq}`);
      }
    });
    const found = await findings(path);
    expect(found.where).toEqual(expected.sort());
    // Rows that were given to runs that do not exist are found as well.
    if (column === "run")
      expect(found.books.filter((line) => line.includes("does not know this run"))).toHaveLength(RUNS);
  });

  const run = nameOf(42);
  const row = (seq: number) => `id = ${idOf(42, seq)}`;
  const from = (seq: number) => `id BETWEEN ${idOf(42, seq)} AND ${idOf(42, 2 ** 24 - 1)}`;
  // In two moves, since no two rows may have one id for a moment.
  const shift = (seq: number, by: number) => `UPDATE rows SET id = -id WHERE ${from(seq)};
    UPDATE rows SET id = ${by} - id WHERE id < 0`;
  const copy = (seq: number, to: number, n = 42) =>
    `INSERT INTO rows SELECT ${idOf(42, to)}, at, kind, body, hash FROM rows WHERE id = ${idOf(n, seq)}`;
  // That a row hangs on another one is in its hash alone, so rows out of place have the wrong one.
  test.each<[string, string, number, string]>([
    ["the first row deleted", `DELETE FROM rows WHERE ${row(1)}`, 1, "gap"],
    ["a row deleted", `DELETE FROM rows WHERE ${row(50)}`, 50, "gap"],
    [
      "a row deleted and the later ones moved up",
      `DELETE FROM rows WHERE ${row(50)}; ${shift(51, -1)}`,
      50,
      "wrong_hash",
    ],
    ["the last row deleted", `DELETE FROM rows WHERE ${row(100)}`, 100, "head_not_on_chain"],
    ["the tail cut off", `DELETE FROM rows WHERE ${from(71)}`, 71, "head_not_on_chain"],
    ["all rows deleted", `DELETE FROM rows WHERE ${from(0)}`, 1, "head_not_on_chain"],
    [
      "neighbours swapped",
      `UPDATE rows SET id = -1 WHERE ${row(60)}; UPDATE rows SET id = ${idOf(42, 60)} WHERE ${row(61)};
      UPDATE rows SET id = ${idOf(42, 61)} WHERE id = -1`,
      60,
      "wrong_hash",
    ],
    ["a row duplicated", `${shift(31, 1)}; ${copy(30, 31)}`, 31, "wrong_hash"],
    ["a row added at the end", copy(100, 101), 101, "wrong_hash"],
    ["a row of another run put in place", `DELETE FROM rows WHERE ${row(20)}; ${copy(20, 20, 43)}`, 20, "wrong_hash"],
    ["a row before the first", `UPDATE rows SET id = ${idOf(42, 0)} WHERE ${row(30)}`, 1, "unreadable"],
  ])("[ledger-tamper] %s", async (_, sql, seq, code) => {
    const found = await findings(tampered((db) => db.exec(sql)));
    // The first fault of the chain is named; head entries that point behind it are named with it.
    expect(found.where[0]).toBe(`${run} ${seq}`);
    expect(new Set(found.where.map((line) => line.split(" ")[0]))).toEqual(new Set([run]));
    expect(found.codes).toContain(code);
  });

  test("[ledger-tamper] a row inserted by somebody without the key", async () => {
    const path = tampered((db) => {
      db.exec(shift(31, 1));
      const before = db.prepare("SELECT lower(hex(hash)) AS hash FROM rows WHERE id = ?").get(idOf(42, 30))?.hash;
      insert(
        db,
        idOf(42, 31),
        chainRow({ run, seq: 30, hash: String(before) }, 1_030, "replied", { forged: true }, SHA),
      );
    });
    expect(await findings(path)).toMatchObject({ where: [`${run} 31`] });
  });

  test("[ledger-tamper] chained anew without the key, index and heads included", async () => {
    const path = tampered((db) => rechain(db, 42, 64, SHA));
    const found = await findings(path);
    expect(found.where).toContain(`${run} 64`);
    expect(found.codes).toContain("wrong_hash");
    // The same with the key in hand is what nobody can find in the file alone.
    expect(await findings(tampered((db) => rechain(db, 42, 64, KEYED)))).toMatchObject({ where: [] });
  });

  test("[ledger-tamper] a closed run deleted, with everything that belongs to it", async () => {
    const found = await findings(tampered((db) => deleteRun(db, 42)));
    expect(found.where).toEqual([`${run} 1`]);
    expect(found.codes).toContain("run_missing");
  });

  test("[ledger-tamper] an open run deleted leaves a hole in the order of beginning", async () => {
    const found = await findings(tampered((db) => deleteRun(db, 49)));
    expect(found.books).toEqual([`runs: run 50 in the order of their beginning is missing, before run ${nameOf(50)}`]);
  });
});

describe("its books and its indexes", () => {
  // The same tables at a twentieth of the size: here each case changes one cell, and most are looked at one by one.
  const [SMALL, LENGTH] = [20, 30];
  const run = nameOf(12);
  let small: string;

  beforeAll(async () => {
    small = await buildLedger("books.db", SMALL, LENGTH, KEYED);
  });

  const edited = (sql: string) => findings(tampered((db) => db.exec(sql), small));

  // The index of runs says nothing of a run's newest row and of its end: that is read from the row, which the chain covers.
  test.each([
    ["ending", "body = replace(body, 'answered', 'failed')"],
    ["ending, as if it ran", "kind = 'replied'"],
    ["text", "body = replace(body, 'answer 12', 'answer 13')"],
    ["updated_at", "at = at + 1"],
  ])("[ledger-tamper] how a run ended, edited in its last row: %s", async (_, set) => {
    const found = await edited(`UPDATE rows SET ${set} WHERE id = ${idOf(12, LENGTH)}`);
    expect(found).toMatchObject({ where: [`${run} ${LENGTH}`], codes: ["wrong_hash"] });
  });

  test.each([
    "thread = 'x'",
    "principal = 'user:root'",
    "request = request || '!'",
    "started_at = 0",
    `first = ${idOf(1_000, 1)}`,
    "first = first + 1",
  ])("[ledger-tamper] only what a run was begun with edited: %s", async (set) => {
    const found = await edited(`UPDATE runs SET ${set} WHERE run = '${run}'`);
    if (set.startsWith("first "))
      expect(found.books.join("\n")).toContain("run 13 in the order of their beginning is missing");
    else expect(found.books.join("\n")).toContain(`run ${run} row 1: the run`);
  });

  test("[ledger-tamper] a run whose end the index of heads hides still says so in its rows", async () => {
    const found = await edited("DELETE FROM heads WHERE n = 18");
    expect(found).toMatchObject({ where: [`${nameOf(18)} ${LENGTH}`], codes: ["head_missing"], books: [] });
  });

  test.each(["n", "at", "run", "seq", "head", "prev", "hash"])(
    "[ledger-tamper] a flipped byte in a head entry: %s",
    async (column) => {
      const roll = dice(seed + column.charCodeAt(0));
      for (let round = 0; round < 2; round++) {
        const n = 1 + roll(18);
        const found = await findings(
          tampered((db) => {
            const old = db.prepare(`SELECT ${column} AS v FROM heads WHERE n = ?`).get(n)?.v;
            const change = column === "n" ? { sql: "?", value: n + 1_000 } : flipped(old, roll);
            db.prepare(`UPDATE heads SET ${column} = ${change.sql} WHERE n = ?`).run(change.value, n);
          }, small),
        );
        // Without its last entry the index is whole, and it is the run that misses it.
        expect(found.codes.some((code) => code === "head_chain" || code === "head_missing")).toBe(true);
      }
    },
  );

  test("[ledger-tamper] a head entry deleted, or all of them", async () => {
    expect((await edited("DELETE FROM heads WHERE n = 8")).codes).toContain("head_chain");
    expect((await edited("DELETE FROM heads WHERE n = 18")).codes).toEqual(["head_missing"]);
    const none = await edited("DELETE FROM heads");
    expect(none.where).toHaveLength(18);
  });

  const step = idOf(12, 2);
  test.each([
    ["keyed_effects", "state = 'failed'"],
    ["keyed_effects", "state = 'started', settled_seq = NULL"],
    ["keyed_effects", "thread = 'other'"],
    ["keyed_effects", "settle_key = 'other'"],
    ["keyed_effects", "settle_key = NULL"],
    ["keyed_effects", "started_seq = started_seq + 1"],
    ["keyed_effects", "settled_seq = settled_seq + 1"],
    ["keyed_effects", "id = id + 97"],
    ["reservations", "amount = amount + 1"],
    ["reservations", '"limit" = 1'],
    ["reservations", "state = 'settled'"],
    ["reservations", "cap = 'other'"],
    ["reservations", "key = 'other'"],
    ["reservations", "\"window\" = 'other'"],
    ["reservations", "effect = effect + 97"],
    ["reservations", "seq = seq + 1"],
    ["reservations", "settled_seq = settled_seq + 1"],
  ])("[ledger-tamper] a book edited: %s: %s", async (table, set) => {
    const found = await edited(
      `UPDATE ${table} SET ${set} WHERE ${table === "reservations" ? "effect" : "id"} = ${step}`,
    );
    expect(found.books.join("\n")).toMatch(new RegExp(`run ${run} row \\d+: the (effect|reservation)`));
  });

  // What a receipt says is in the row of the outcome, and in no book.
  test("[ledger-tamper] a result edited", async () => {
    const found = await edited(`UPDATE rows SET body = replace(body, '"receipt":2', '"receipt":1')
      WHERE id = (SELECT id - (id & 16777215) + settled_seq FROM keyed_effects WHERE id = ${step})`);
    expect(found.codes).toEqual(["wrong_hash"]);
    expect(found.where).toEqual([expect.stringMatching(`^${run} `)]);
  });

  test.each([
    "held = held - 1",
    "held = 0",
    "cap = 'other'",
    "key = 'x'",
    "\"window\" = 'x'",
    "row = row + 500",
    "row = 5",
    `row = ${idOf(1_000, 5)}`,
  ])("[ledger-tamper] a cap's sum edited: %s", async (set) => {
    const found = await edited(`UPDATE cap_usage SET ${set}`);
    expect(found.books.join("\n")).toContain("the use of cap");
  });

  test.each(["keyed_effects", "reservations", "cap_usage", "heads", "runs", "rows"])(
    "[ledger-tamper] a book emptied: %s",
    async (table) => {
      expect((await edited(`DELETE FROM ${table}`)).ok).toBe(false);
    },
  );

  test("[ledger-tamper] books of runs that are in no index", async () => {
    const found = await edited(`UPDATE keyed_effects SET id = id + (1000 << 24) WHERE id = ${step};
      UPDATE reservations SET effect = effect + (1000 << 24) WHERE effect = ${step}`);
    for (const table of ["keyed_effects", "reservations"]) {
      expect(found.books).toContain(`run number 1013 row 2: ${table}: the index of runs does not know this run`);
    }
  });

  test("[ledger-tamper] an index of SQLite's that leads to other rows than the table has", async () => {
    let page = 0;
    const path = tampered((db) => {
      page = Number(db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'runs_by_thread'").get()?.rootpage);
    }, small);
    const bytes = readFileSync(path);
    const at = bytes.indexOf("thread-3", (page - 1) * 4_096);
    bytes.write("thread-X", at);
    writeFileSync(path, bytes);
    const found = await findings(path);
    expect(found.books.join("\n")).toMatch(/^file: row \d+ missing from index runs_by_thread/);
  });

  test("[ledger-tamper] triggers that were dropped, changed or added are found, also where nothing else was touched", async () => {
    const work = [
      "DROP TRIGGER rows_no_update",
      "DROP TRIGGER rows_no_update; CREATE TRIGGER rows_no_update BEFORE UPDATE ON rows WHEN 0 BEGIN SELECT 1; END",
      "CREATE TRIGGER mine AFTER INSERT ON rows BEGIN SELECT 1; END",
    ];
    for (const sql of work) {
      const path = tampered(() => {}, small);
      const db = new DatabaseSync(path);
      db.exec(sql);
      db.close();
      expect((await findings(path)).books.join("\n")).toMatch(/^schema: the trigger (rows_no_update|mine) /);
    }
  });

  test("[ledger-tamper] a view that shows people other rows than there are is found", async () => {
    const work =
      "DROP VIEW ledger; CREATE VIEW ledger AS SELECT 'r1' AS run, 1 AS seq, 1 AS at, 'note' AS kind, '{}' AS body";
    const path = tampered((db) => db.exec(work), small);
    expect((await findings(path)).books).toEqual(["schema: the view ledger was changed"]);
  });
});

function insert(db: DatabaseSync, id: number, { at, kind, body, hash }: Row): void {
  const bytes = Buffer.from(hash, "hex");
  db.prepare("INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?, ?)").run(id, at, kind, JSON.stringify(body), bytes);
}

/** Changes the body of row `from` of run `n` and computes the chain anew from there, then the index of heads. */
function rechain(db: DatabaseSync, n: number, from: number, hash: HashText): void {
  const run = nameOf(n);
  const all = db.prepare("SELECT * FROM ledger WHERE run = ? ORDER BY seq").all(run);
  let end = chainStart(run);
  for (const old of all) {
    const seq = Number(old.seq);
    const body = JSON.parse(String(old.body));
    if (seq === from) body.raw = "never said";
    const next =
      seq < from ? { run, seq, hash: String(old.hash) } : chainRow(end, Number(old.at), String(old.kind), body, hash);
    if ("prev" in next) insert(db, idOf(n, seq), next);
    end = { run, seq, hash: next.hash };
  }
  const entries = db.prepare("SELECT * FROM heads ORDER BY n").all();
  let previous: { n: number; hash: string } | null = null;
  let changed = false;
  for (const old of entries) {
    changed ||= old.run === run;
    const head = old.run === run ? end.hash : String(old.head);
    const entry = headEntry(previous, Number(old.at), String(old.run), Number(old.seq), head, hash);
    previous = changed ? entry : { n: Number(old.n), hash: String(old.hash) };
    if (!changed) continue;
    db.prepare("UPDATE heads SET head = ?, prev = ?, hash = ? WHERE n = ?").run(head, entry.prev, entry.hash, entry.n);
  }
}

function deleteRun(db: DatabaseSync, n: number): void {
  const among = (id: string) => `${id} BETWEEN ${idOf(n, 0)} AND ${idOf(n + 1, -1)}`;
  const sums = db.prepare(
    `SELECT coalesce(sum(amount), 0) AS n FROM reservations WHERE ${among("effect")} AND state <> 'released'`,
  );
  db.prepare("UPDATE cap_usage SET held = held - ?").run(Number(sums.get()?.n));
  for (const [table, id] of Object.entries({
    rows: "id",
    runs: "first",
    keyed_effects: "id",
    reservations: "effect",
  })) {
    db.exec(`DELETE FROM ${table} WHERE ${among(id)}`);
  }
}

describe("every byte", () => {
  test("[ledger-tamper] of every column of a row: each flip is found, and named", async () => {
    const path = await buildLedger("small.db", 2, 12, KEYED);
    const store = openSqliteStore({ path });
    const db = new DatabaseSync(path);
    for (const { name } of db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all())
      db.exec(`DROP TRIGGER ${name}`);
    const target = `id = ${idOf(1, 11)}`;
    let flips = 0;
    for (const column of ["kind", "body", "hash"]) {
      const type = column === "hash" ? "BLOB" : "TEXT";
      const bytes = Buffer.from(
        db.prepare(`SELECT CAST(${column} AS BLOB) AS v FROM rows WHERE ${target}`).get()?.v as Uint8Array,
      );
      const write = db.prepare(`UPDATE rows SET ${column} = CAST(? AS ${type}) WHERE ${target}`);
      for (let at = 0; at < bytes.length; at++) {
        const flip = Buffer.from(bytes);
        flip[at] = (flip[at] ?? 0) ^ (1 << (flips % 8));
        write.run(flip);
        const seq = await store.readRows("01jrun00000000000001").then(
          (rows) => verifyRun(rows, KEYED),
          (error) => error.where,
        );
        expect(seq).toMatchObject({ seq: 11 });
        flips += 1;
      }
      write.run(bytes);
    }
    expect(flips).toBeGreaterThan(100);
    db.close();
    await store.close();
  });

  test("[ledger-tamper] of the file: what a flip changes is reported, and what is not reported was not changed", async () => {
    const path = await buildLedger("file.db", 6, 12, KEYED);
    const store = openSqliteStore({ path });
    const state = await stateOf(store);
    await store.close();
    const bytes = readFileSync(path);
    const verify = async (copy: Buffer, work: (target: string, ok: boolean) => Promise<void>) => {
      const target = join(directory, "flipped.db");
      writeFileSync(target, copy);
      await work(target, (await verifyFile(target, KEYED)).ok);
      for (const suffix of ["", "-wal", "-shm"]) rmSync(`${target}${suffix}`, { force: true });
    };
    const roll = dice(seed);
    for (let round = 0; round < 150; round++) {
      const copy = Buffer.from(bytes);
      // Half of them in the first pages, where the schema and the headers are.
      const at = round % 2 === 0 ? roll(copy.length) : roll(Math.min(copy.length, 16_384));
      copy[at] = (copy[at] ?? 0) ^ (1 << roll(8));
      await verify(copy, async (target, ok) => {
        if (!ok) return;
        const again = openSqliteStore({ path: target });
        expect(await stateOf(again), `byte ${at}`).toEqual(state);
        await again.close();
      });
    }
    // How many of those met what a row says is chance. These all do: a page may keep old copies, so each copy is flipped.
    for (let n = 0; n < 6; n++) {
      const said = `turn 0 of run ${n},`;
      const places = placesOf(bytes, said);
      expect(places, said).not.toEqual([]);
      const [byte, bit] = [roll(said.length), 1 << roll(8)];
      const copy = Buffer.from(bytes);
      for (const place of places) copy[place + byte] = (copy[place + byte] ?? 0) ^ bit;
      await verify(copy, async (_, ok) => expect(ok, `bit ${bit} of byte ${byte} of "${said}"`).toBe(false));
    }
  });
});

/** Where `text` begins in `bytes`, each time. */
function placesOf(bytes: Buffer, text: string): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) places.push(at);
  return places;
}

describe("what only a checkpoint finds", () => {
  const N = 12;
  let path: string;
  let early: Checkpoint;
  let late: Checkpoint;
  let old: string;

  // Unkeyed: the intruder can compute every hash. Runs 0 to 8 are closed, 9 is open, 10 closed, 11 closed.
  beforeAll(async () => {
    path = await buildLedger("checkpoint.db", N - 2, 12, SHA);
    const first = openSqliteStore({ path });
    early = await checkpointOf(first, SHA, false);
    await first.close();
    old = join(directory, "older.db");
    copyFileSync(path, old);
    const second = openSqliteStore({ path });
    for (const n of [N - 2, N - 1]) {
      const run = new Carrier(second, nameOf(n));
      await run.begin();
      await run.append(replied(n, 1), replied(n, 2));
      await run.close();
    }
    late = await checkpointOf(second, SHA, false);
    await second.close();
  });

  const last = nameOf(N - 1);

  test("[ledger-checkpoint] a ledger that went on passes every checkpoint of its past", async () => {
    for (const checkpoint of [early, late]) expect((await verifyFile(path, SHA, checkpoint)).faults).toEqual([]);
    expect(early).toMatchObject({ rows: 120, runs: 10, heads: { n: 9 }, open: [{ run: nameOf(9), seq: 12 }] });
    expect(late).toMatchObject({ rows: 128, runs: 12, heads: { n: 11 } });
  });

  const cutOff = (n: number, seq: number) =>
    `DELETE FROM rows WHERE id BETWEEN ${idOf(n, seq + 1)} AND ${idOf(n + 1, 0)}`;
  // The rows and the head entry: the file then looks as if the run were still under way.
  const cut = (db: DatabaseSync) => db.exec(`${cutOff(N - 1, 2)}; DELETE FROM heads WHERE run = '${last}'`);
  const open = (db: DatabaseSync) => db.exec(cutOff(9, 11));
  const gone = (db: DatabaseSync) => {
    deleteRun(db, N - 1);
    db.exec(`DELETE FROM heads WHERE run = '${last}'`);
  };

  test.each([
    ["a tail cut off together with the index", cut],
    ["the tail of an open run cut off", open],
    ["the newest run gone, with its index and head entry", gone],
    ["a run chained anew by somebody who can compute the hash", (db: DatabaseSync) => rechain(db, 3, 2, SHA)],
    ["an open run chained anew", (db: DatabaseSync) => rechain(db, 9, 2, SHA)],
  ])("[ledger-checkpoint] without a checkpoint nobody finds: %s; with one it is found", async (_, work) => {
    expect(await findings(tampered(work, path), null, SHA)).toMatchObject({ ok: true });
    const found = await findings(tampered(work, path), late, SHA);
    expect(found.ok).toBe(false);
    expect(found.codes).toContain("checkpoint_missing");
  });

  test("[ledger-checkpoint] an older copy of the whole file verifies by itself, and not against a later checkpoint", async () => {
    expect((await verifyFile(old, SHA, null)).ok).toBe(true);
    expect((await verifyFile(old, SHA, early)).ok).toBe(true);
    const verdict = await verifyFile(old, SHA, late);
    expect(verdict.faults.map((fault) => fault.detail)).toEqual([
      "head entry 11 is gone, the index ends at 9",
      "the checkpoint counted 12 runs, and now there are 10",
      "the checkpoint counted 128 rows, and now there are 120",
    ]);
  });

  test("[ledger-checkpoint] an edited checkpoint, or one under another key, is found", async () => {
    for (const edit of [{ at: 1 }, { rows: 1 }, { runs: 1 }, { heads: null }, { open: [] }, { keyed: true }]) {
      const verdict = await verifyFile(path, SHA, { ...late, ...edit });
      expect(verdict.faults.map((fault) => fault.code)).toContain("checkpoint_edited");
    }
    const store = openSqliteStore({ path });
    const keyed = await checkpointOf(store, KEYED, true);
    await store.close();
    expect((await verifyFile(path, SHA, keyed)).faults.map((fault) => fault.code)).toEqual(["checkpoint_edited"]);
  });

  test("[ledger-checkpoint] it survives the way to an issue and back as text", async () => {
    const read = parseCheckpoint(JSON.stringify(late, null, 2));
    expect(read).toEqual({ ok: true, value: late });
    if (read.ok) expect((await verifyFile(path, SHA, read.value)).ok).toBe(true);
  });
});
