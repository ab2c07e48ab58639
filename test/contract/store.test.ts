import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openMemoryStore } from "../../src/adapters/store-memory/index.ts";
import { openSqliteStore } from "../../src/adapters/store-sqlite/index.ts";
import type { Json } from "../../src/domain/json.ts";
import { ChainedRow } from "../../src/domain/row.ts";
import { headOf } from "../../src/ledger/index.ts";
import type { Store } from "../../src/ports/store.ts";
import { Carrier, reservation, SHA, stateOf } from "./carrier.ts";
import { storeContract } from "./store.ts";
import { verifyStore } from "./verify-store.ts";

storeContract("memory", async () => {
  const store = openMemoryStore();
  return { store, close: () => store.close() };
});

storeContract("sqlite", async () => {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-"));
  const store = openSqliteStore({ path: join(directory, "signalbox.db") });
  const close = async () => {
    await store.close();
    rmSync(directory, { recursive: true });
  };
  return { store, close };
});

describe("in memory", () => {
  const notJson = [{ x: "\ud800" }, { x: Number.NaN }, { x: undefined }, new Date(0)] as unknown as Json[];

  test.each(notJson.map((body, n) => [n, body] as const))(
    "a row that turns out to have no text damages its own run and no other: %i",
    async (_, body) => {
      const store = openMemoryStore();
      const bad = new Carrier(store, "bad");
      const began = await bad.begin("do it");
      const [last] = began;
      if (last === undefined) throw new Error("a run has a first row");
      const note = new ChainedRow(last, { at: 2_000, kind: "note" }, () => body, SHA);
      await store.append([note], null);
      const said = { ending: "answered", text: "t" } as const;
      const ended = new ChainedRow(note, { at: 2_001, kind: "ended" }, () => said, SHA);
      await store.append([ended], { ...said, head: (previous) => headOf(previous, 2_001, ended, SHA) });
      const good = new Carrier(store, "good");
      await good.begin();
      await good.close();
      const damage = {
        code: "damaged",
        message: expect.stringMatching(/^row 2 of run bad cannot be read: /),
        where: { run: "bad", seq: 2, before: began },
      };
      await expect(store.readRows("bad")).rejects.toMatchObject(damage);
      await expect(store.readRun("bad")).rejects.toMatchObject(damage);
      expect(await store.listRuns({ limit: 9 })).toEqual([
        await store.readRun("good"),
        {
          ...{ run: "bad", thread: "thread-1", principal: "agent:desk", startedAt: 1_000, request: "do it" },
          ...{ headSeq: 1, headHash: last.hash, updatedAt: 1_000, ending: null, text: null },
        },
      ]);
      const verdict = await verifyStore(store, SHA);
      expect(verdict.faults).toEqual([expect.objectContaining({ run: "bad", seq: 2, code: "unreadable" })]);
      expect(verdict).toMatchObject({ runs: 2, heads: 2 });
    },
  );
});

describe("sqlite", () => {
  let directory: string;
  let path: string;
  let store: Store;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "signalbox-"));
    path = join(directory, "signalbox.db");
    store = openSqliteStore({ path });
    const run = new Carrier(store, "r1");
    await run.begin();
    await run.start({ step: 1, settleKey: "k", reservations: [reservation(5)] });
    await run.settle(1, "done", { receipt: 1 });
    await run.start({ step: 2, settleKey: "l", reservations: [reservation(5)] });
    const other = new Carrier(store, "r2");
    await other.begin();
    await other.close();
  });

  afterEach(async () => {
    await store.close();
    rmSync(directory, { recursive: true });
  });

  test("what one connection wrote, another reads, and a third after all were closed", async () => {
    const second = openSqliteStore({ path });
    const state = await stateOf(store);
    expect(await stateOf(second)).toEqual(state);
    await second.close();
    await store.close();
    store = openSqliteStore({ path });
    expect(await stateOf(store)).toEqual(state);
  });

  test("a new file is for its owner only, and so is its log", () => {
    for (const file of [path, `${path}-wal`]) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  // Any connection, ours or not: the triggers are in the file. Each of these tries to change a book alone.
  // Row k of r1 is 2^24 + k, its step k the same; r2 is run number 2.
  const r1 = (k: number) => 2 ** 24 + k;
  const r2 = (k: number) => 2 * 2 ** 24 + k;
  const alone = [
    `UPDATE rows SET body = '{}' WHERE id = ${r1(1)}`,
    `UPDATE rows SET hash = zeroblob(32) WHERE id = ${r1(1)}`,
    `UPDATE rows SET id = ${r1(99)} WHERE id = ${r1(4)}`,
    `DELETE FROM rows WHERE id = ${r1(6)}`,
    `INSERT INTO rows SELECT ${r1(9)}, at, kind, body, hash FROM rows WHERE id = ${r1(5)}`,
    `INSERT INTO rows SELECT ${r1(0)}, at, kind, body, hash FROM rows WHERE id = ${r1(5)}`,
    `INSERT INTO rows SELECT ${r1(-1)}, at, kind, body, hash FROM rows WHERE id = ${r1(5)}`,
    `INSERT OR REPLACE INTO rows SELECT id, at, kind, '{}', hash FROM rows WHERE id = ${r1(5)}`,
    `INSERT INTO rows SELECT ${r2(2 ** 24 + 2)}, at, kind, body, hash FROM rows WHERE id = ${r1(1)}`,
    `INSERT INTO rows SELECT ${r2(2 ** 24)}, at, kind, body, hash FROM rows WHERE id = ${r1(1)}`,
    `INSERT INTO rows SELECT ${r2(2 * 2 ** 24 + 1)}, at, kind, body, hash FROM rows WHERE id = ${r1(1)}`,
    "INSERT INTO rows (at, kind, body, hash) VALUES (1, 'note', '{}', zeroblob(32))",
    "UPDATE heads SET at = 1",
    "DELETE FROM heads",
    "INSERT INTO heads SELECT n + 1, at, run, seq, head, hash, hash FROM heads",
    `INSERT INTO heads SELECT 2, 1, 'r1', 6, lower(hex(r.hash)), h.hash, h.hash FROM heads h, rows r WHERE r.id = ${r1(6)}`,
    "INSERT OR REPLACE INTO heads SELECT n, 7, run, seq, head, prev, hash FROM heads",
    "UPDATE runs SET request = 'x'",
    "DELETE FROM runs WHERE run = 'r2'",
    `INSERT INTO runs SELECT ${r2(2 ** 24 + 1)}, 'r3', thread, principal, started_at, request FROM runs WHERE run = 'r1'`,
    `PRAGMA foreign_keys = OFF; INSERT INTO runs SELECT ${r2(2 ** 24 + 1)}, 'r3', thread, principal, started_at, request FROM runs WHERE run = 'r1'`,
    `INSERT INTO runs SELECT ${r1(7)}, 'r3', thread, principal, started_at, request FROM runs WHERE run = 'r1'`,
    "INSERT OR REPLACE INTO runs SELECT first, run, 'x', principal, started_at, request FROM runs WHERE run = 'r1'",
    "UPDATE keyed_effects SET state = 'failed' WHERE id % 16777216 = 1",
    "UPDATE keyed_effects SET state = 'done', settled_seq = 5 WHERE id % 16777216 = 2",
    "UPDATE keyed_effects SET state = 'done', settled_seq = 6 WHERE id % 16777216 = 2",
    "UPDATE keyed_effects SET state = 'done', settled_seq = 7 WHERE id % 16777216 = 2",
    "UPDATE keyed_effects SET state = 'done', settled_seq = 4 WHERE id % 16777216 = 2",
    "UPDATE keyed_effects SET settled_seq = 7 WHERE id % 16777216 = 1",
    "UPDATE keyed_effects SET started_seq = 2",
    "UPDATE keyed_effects SET thread = 'x'",
    "UPDATE keyed_effects SET settle_key = NULL",
    "UPDATE keyed_effects SET id = id + 7",
    "DELETE FROM keyed_effects WHERE id % 16777216 = 2",
    "INSERT INTO keyed_effects SELECT id + 1, thread, 'm', 'started', 6, NULL FROM keyed_effects WHERE id % 16777216 = 2",
    "INSERT INTO keyed_effects SELECT id + 1, thread, 'l', 'started', 6, NULL FROM keyed_effects WHERE id % 16777216 = 2",
    "INSERT OR REPLACE INTO keyed_effects SELECT id, thread, 'm', state, started_seq, settled_seq FROM keyed_effects",
    "INSERT OR REPLACE INTO keyed_effects SELECT id, 'x', settle_key, 'started', started_seq, NULL FROM keyed_effects",
    "UPDATE reservations SET amount = 0",
    "UPDATE reservations SET state = 'released', settled_seq = 6 WHERE effect % 16777216 = 2",
    "UPDATE reservations SET state = 'settled', settled_seq = 4 WHERE effect % 16777216 = 2",
    "UPDATE reservations SET state = 'reserved', settled_seq = NULL WHERE effect % 16777216 = 1",
    "UPDATE reservations SET state = 'reserved', settled_seq = NULL, seq = 5 WHERE effect % 16777216 = 1",
    "DELETE FROM reservations",
    `INSERT INTO reservations SELECT effect + 1, 'other', key, "window", amount, "limit", 'reserved', 5, NULL FROM reservations WHERE effect % 16777216 = 1`,
    `INSERT INTO reservations SELECT effect + 1, 'other', key, "window", amount, "limit", 'reserved', 6, NULL FROM reservations WHERE effect % 16777216 = 1`,
    `INSERT INTO reservations SELECT effect, cap, key, 'x', amount, "limit", 'reserved', 2, NULL FROM reservations WHERE effect % 16777216 = 1`,
    `INSERT OR REPLACE INTO reservations SELECT effect, cap, key, "window", amount, "limit", 'reserved', 5, NULL FROM reservations`,
    "UPDATE cap_usage SET held = 0",
    `UPDATE cap_usage SET held = 0, row = ${r1(2)}`,
    `UPDATE cap_usage SET held = 0, row = ${r1(4)}`,
    `UPDATE cap_usage SET held = 0, row = ${r1(5)}`,
    `UPDATE cap_usage SET held = 0, row = ${r1(6)}`,
    `UPDATE cap_usage SET held = 0, row = ${r1(7)}`,
    "DELETE FROM cap_usage",
    `INSERT INTO cap_usage SELECT 'other', key, "window", 1, ${r1(5)} FROM cap_usage`,
    `INSERT INTO cap_usage SELECT cap, key, 'x', 1, ${r1(6)} FROM cap_usage`,
    `INSERT OR REPLACE INTO cap_usage SELECT cap, key, "window", 0, ${r1(5)} FROM cap_usage`,
    "UPDATE meta SET value = '99'",
    "DELETE FROM meta",
    "INSERT OR REPLACE INTO meta VALUES ('schema', '99')",
  ];

  test.each(alone)("[ledger-same-transaction] no state changes without its row: %s", async (sql) => {
    const before = await stateOf(store);
    const raw = new DatabaseSync(path);
    try {
      expect(() => raw.exec(sql)).toThrow();
    } finally {
      raw.close();
    }
    expect(await stateOf(store)).toEqual(before);
  });

  test("[ledger-same-transaction] the same changes pass once the triggers are gone: it is they that refuse", () => {
    const raw = new DatabaseSync(path, { enableForeignKeyConstraints: false });
    const triggers = raw.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all();
    expect(triggers.length).toBeGreaterThan(15);
    for (const { name } of triggers) raw.exec(`DROP TRIGGER ${name}`);
    const passed = alone.filter((sql) => {
      raw.exec("SAVEPOINT attempt");
      try {
        raw.exec(sql);
        return true;
      } catch {
        // A primary key or a CHECK refuses a few of them by itself.
        return false;
      } finally {
        raw.exec("ROLLBACK TO attempt; RELEASE attempt");
      }
    });
    expect(alone.filter((sql) => !passed.includes(sql))).toEqual([]);
    raw.close();
  });

  test("[ledger-same-transaction] a change passes with its row, in one transaction, and never again", () => {
    const raw = new DatabaseSync(path);
    const row = (seq: number, kind: string, body: string) =>
      `INSERT INTO rows VALUES (${r1(seq)}, 1, '${kind}', '${body}', zeroblob(32))`;
    const failed = "UPDATE keyed_effects SET state = 'failed', settled_seq = 7 WHERE id % 16777216 = 2";
    const released = "UPDATE reservations SET state = 'released', settled_seq = 7 WHERE effect % 16777216 = 2";
    const used = `UPDATE cap_usage SET held = held - 5, row = ${r1(7)}`;
    raw.exec(`BEGIN; ${row(7, "finished", '{"outcome":"failed","step":2}')}`);
    // Only what the row says, and of no other step.
    expect(() => raw.exec(failed.replace("'failed'", "'done'"))).toThrow(/ledger row/);
    expect(() => raw.exec(failed.replace("= 2", "= 1"))).toThrow(/ledger row/);
    expect(() => raw.exec(released.replace("released", "kept"))).toThrow(/ledger row/);
    // Once a book stands on the row, the row can no longer be named.
    for (const sql of [failed, used, released]) raw.exec(sql);
    for (const sql of [failed, used, released]) expect(() => raw.exec(sql)).toThrow(/ledger row/);
    raw.exec("ROLLBACK");
    // What another decision says is refused like what none says.
    const asks = (cap: string, amount: number) =>
      `{"reservations":[{"amount":${amount},"cap":"${cap}","key":"all","limit":9,"window":"w"}],"step":3}`;
    const reserve = `INSERT INTO reservations VALUES (${r1(3)}, 'mails', 'all', 'w', 1, 9, 'reserved', 7, NULL)`;
    for (const [cap, amount] of [
      ["mails", 2],
      ["refunds", 1],
    ] as const) {
      raw.exec(`BEGIN; ${row(7, "decided", asks(cap, amount))}`);
      expect(() => raw.exec(reserve)).toThrow(/ledger row/);
      raw.exec("ROLLBACK");
    }
    raw.exec(`BEGIN; ${row(7, "decided", asks("mails", 1))}; ${reserve}; ROLLBACK`);
    // Nor an effect under another key, or under one where the row has none.
    const book = `INSERT INTO keyed_effects VALUES (${r1(3)}, 'thread-1', 'm', 'started', 7, NULL)`;
    for (const key of ["null", '"n"']) {
      raw.exec(`BEGIN; ${row(7, "started", `{"settleKey":${key},"step":3}`)}`);
      expect(() => raw.exec(book)).toThrow(/ledger row/);
      raw.exec("ROLLBACK");
    }
    raw.exec(`BEGIN; ${row(7, "started", '{"settleKey":"m","step":3}')}; ${book}; ROLLBACK`);
    // A run has its first row, which says the same of it, also where nobody looks at foreign keys.
    raw.exec("PRAGMA foreign_keys = OFF");
    const first = r2(2 ** 24 + 1);
    const begins = (id: number, name = "r3", header = "'t', 'p', 1, 'q'") =>
      `INSERT INTO runs VALUES (${id}, '${name}', ${header})`;
    const beginning = (body: string, kind = "began") =>
      `INSERT INTO rows VALUES (${first}, 1, '${kind}', '${body}', zeroblob(32))`;
    const body = '{"principal":{"id":"p"},"request":"q","thread":"t"}';
    expect(() => raw.exec(begins(first))).toThrow(/ledger row/);
    raw.exec(`BEGIN; ${beginning(body)}`);
    for (const id of [first + 1, first - 1, first + 2 ** 24, r1(1 - 2 ** 24)]) {
      expect(() => raw.exec(begins(id))).toThrow();
    }
    expect(() => raw.exec(begins(first, "r1"))).toThrow(/begins once/);
    for (const header of ["'T', 'p', 1, 'q'", "'t', 'P', 1, 'q'", "'t', 'p', 2, 'q'", "'t', 'p', 1, ''"]) {
      expect(() => raw.exec(begins(first, "r3", header))).toThrow(/ledger row/);
    }
    raw.exec(`${begins(first)}; ROLLBACK`);
    for (const row of [beginning(body, "note"), beginning("{}"), beginning(body.replace('{"id":"p"}', "null"))]) {
      raw.exec(`BEGIN; ${row}`);
      expect(() => raw.exec(begins(first))).toThrow(/ledger row/);
      raw.exec("ROLLBACK");
    }
    raw.close();
  });

  test("[ledger-tamper] a first row without its run is found, and is nobody's beginning", async () => {
    const raw = new DatabaseSync(path);
    const first = r2(2 ** 24 + 1);
    raw.exec(`INSERT INTO rows SELECT ${first}, at, kind, body, hash FROM rows WHERE id = ${r1(1)}`);
    raw.close();
    expect(await store.checkBooks()).toEqual(["run number 3 row 1: rows: the index of runs does not know this run"]);
    expect(await store.listRunIds()).toEqual(["r1", "r2"]);
    await expect(new Carrier(store, "r3").begin()).rejects.toMatchObject({
      code: "damaged",
      message: "where the next run would begin are rows of none: restore a copy",
    });
  });

  test("[ledger-tamper] an entry of a run without rows, or with another beginning, is found", async () => {
    const raw = new DatabaseSync(path, { enableForeignKeyConstraints: false });
    raw.exec("DROP TRIGGER runs_insert_needs_row; DROP TRIGGER rows_no_update");
    raw.exec(`INSERT INTO runs VALUES (${r2(2 ** 24 + 1)}, 'ghost', 'thread-1', 'operator', 1, 'allow everything')`);
    const ghost = "run ghost row 1: the run: no row says so";
    expect(await store.checkBooks()).toContain(ghost);
    expect((await verifyStore(store, SHA)).faults).toContainEqual(
      expect.objectContaining({ run: "ghost", seq: 1, code: "gap" }),
    );
    raw.exec(`UPDATE rows SET kind = 'note' WHERE id = ${r1(1)}`);
    expect(await store.checkBooks()).toContain("run r1 row 1: the run: no row says so");
    raw.close();
  });

  test("what nobody writes down a second time is read from the rows, also by people", async () => {
    const raw = new DatabaseSync(path);
    const written = await store.readRows("r1");
    const seen = raw.prepare("SELECT * FROM ledger WHERE run = 'r1' ORDER BY seq").all();
    expect(seen.map((row) => ({ ...row, body: JSON.parse(String(row.body)) }))).toEqual(written);
    expect(raw.prepare("SELECT * FROM effects ORDER BY step").all()).toEqual([
      { run: "r1", step: 1, tool: "refund", settle_key: "k", state: "done", started_seq: 3, settled_seq: 4 },
      { run: "r1", step: 2, tool: "refund", settle_key: "l", state: "started", started_seq: 6, settled_seq: null },
    ]);
    for (const view of ["ledger", "effects"]) expect(() => raw.exec(`DELETE FROM ${view}`)).toThrow(/view/);
    raw.close();
  });

  test("the log has its length from the first write on and keeps to it, and a file without room for that is written all the same", async () => {
    const lengthOf = (file: string) => Math.floor(statSync(`${file}-wal`).size / 4_120);
    const log = join(directory, "log.db");
    const long = openSqliteStore({ path: log });
    expect(lengthOf(log)).toBeLessThan(30);
    const run = new Carrier(long, "r1");
    await run.begin();
    const length = lengthOf(log);
    expect(length).toBeGreaterThan(128);
    for (let n = 0; n < 300; n++) await run.append(["note", "x".repeat(3_000)]);
    expect(lengthOf(log)).toBeLessThan(length + 30);
    expect(await long.checkBooks()).toEqual([]);
    await long.close();
    const file = new DatabaseSync(log);
    expect(file.prepare("SELECT name FROM meta").all()).toEqual([{ name: "schema" }]);
    file.close();
    const tight = join(directory, "tight.db");
    const small = openSqliteStore({ path: tight, pagesMax: 40 });
    await new Carrier(small, "r1").begin();
    expect(lengthOf(tight)).toBeLessThan(60);
    expect(await small.checkBooks()).toEqual([]);
    await small.close();
  });

  test("a run has at most 2^24 - 1 rows and as many steps, and a file 2^29 - 1 runs", async () => {
    const run = new Carrier(store, "r1");
    run.moved(await store.readRows("r1"));
    for (const step of [-1, 0.5, 2 ** 24, Number.NaN]) await expect(run.start({ step })).rejects.toThrow(TypeError);
    await run.start({ step: 2 ** 24 - 1 });
    const raw = new DatabaseSync(path, { enableForeignKeyConstraints: false });
    const triggers = raw.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
    for (const { name } of triggers) raw.exec(`DROP TRIGGER ${name}`);
    const last = 2 ** 24 - 2;
    raw.exec(`UPDATE rows SET id = ${r1(last)} WHERE id = ${r1(8)}`);
    raw.exec(`UPDATE runs SET first = ${2 ** 53 - 2 * 2 ** 24 + 1} WHERE run = 'r2'`);
    for (const { sql } of triggers) raw.exec(String(sql));
    raw.close();
    run.end = { ...run.end, seq: last };
    await run.append(["note", 1]);
    expect(run.end.seq).toBe(2 ** 24 - 1);
    await expect(run.append(["note", 2])).rejects.toMatchObject({
      code: "unavailable",
      message: "run r1 has 16777215 rows and takes no more: begin another",
    });
    await new Carrier(store, "r3").begin();
    expect((await store.readRows("r3")).map((row) => row.seq)).toEqual([1]);
    await expect(new Carrier(store, "r4").begin()).rejects.toMatchObject({
      code: "unavailable",
      message: "this file has 536870911 runs and takes no more: use a new one",
    });
  });

  test("a row that could not be read back as it is is not written", async () => {
    const run = new Carrier(store, "r1");
    run.moved(await store.readRows("r1"));
    const before = await stateOf(store);
    for (const hash of ["", "f".repeat(63), "F".repeat(64), "g".repeat(64), `${"f".repeat(64)}\n`]) {
      const [row] = run.rows(["note", {}]);
      if (row === undefined) throw new Error("one row");
      await expect(store.append([{ ...row, hash }], null)).rejects.toThrow(TypeError);
    }
    expect(await stateOf(store)).toEqual(before);
  });

  test("a run that another process carried on is seen as it is now, steps included", async () => {
    const [here, there] = [new Carrier(store, "r1"), openSqliteStore({ path })];
    const other = new Carrier(there, "r1");
    for (const carrier of [here, other]) carrier.moved(await store.readRows("r1"));
    await other.settle(2, "done");
    await other.start({ step: 3 });
    here.moved(await store.readRows("r1"));
    await expect(here.settle(2, "done")).rejects.toThrow(/step 2 of run r1 is done/);
    await expect(here.start({ step: 2 })).rejects.toThrow(/step 2 of run r1 is done/);
    await here.settle(3, "failed");
    other.moved(await store.readRows("r1"));
    await other.start({ step: 3 });
    await there.close();
  });

  test("a step that is started again without its key, and again with one, settles as its rows say", async () => {
    const run = new Carrier(store, "r3", "thread-3");
    const asks = new Carrier(store, "r4", "thread-3");
    for (const carrier of [run, asks]) await carrier.begin();
    const settled = async () => (await asks.decide({ step: 1, settleKey: "k" }, () => false)).settled?.state ?? null;
    const states: unknown[] = [];
    for (const settleKey of [null, "k", null, "k"]) {
      await run.start({ step: 1, settleKey });
      states.push(await settled());
      // As after a restart: what is known of the run is read from its rows.
      await store.release("r3");
      await run.settle(1, "failed");
      expect(await store.checkBooks()).toEqual([]);
    }
    await run.start({ step: 1, settleKey: "k" });
    await run.settle(1, "done");
    expect([...states, await settled()]).toEqual([null, "started", null, "started", "done"]);
    await run.start({ step: 2 });
    expect(await store.checkBooks()).toEqual([]);
    // A book of an effect that has no key.
    const raw = new DatabaseSync(path);
    raw.exec(`DROP TRIGGER keyed_effects_insert_needs_row;
      INSERT INTO keyed_effects SELECT id + 1, thread, 'x', state, started_seq, settled_seq FROM keyed_effects WHERE thread = 'thread-3'`);
    raw.close();
    expect(await store.checkBooks()).toContainEqual(expect.stringMatching(/^run r3 row \d+: the effect of step 2: /));
  });
});
