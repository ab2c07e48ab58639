import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openMemoryStore } from "../../src/adapters/store-memory/index.ts";
import { openSqliteStore } from "../../src/adapters/store-sqlite/index.ts";
import type { Store } from "../../src/ports/store.ts";
import { Carrier, reservation, stateOf } from "./carrier.ts";
import { storeContract } from "./store.ts";

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
  const alone = [
    "UPDATE rows SET body = '{}' WHERE run = 'r1' AND seq = 1",
    "UPDATE rows SET seq = 99 WHERE run = 'r1' AND seq = 4",
    "DELETE FROM rows WHERE run = 'r1' AND seq = 5",
    "INSERT INTO rows SELECT run, 9, at, kind, body, prev, hash FROM rows WHERE run = 'r1' AND seq = 5",
    "INSERT OR REPLACE INTO rows SELECT run, seq, at, kind, '{}', prev, hash FROM rows WHERE run = 'r1' AND seq = 5",
    "INSERT INTO rows SELECT 'r9', seq, at, kind, body, prev, hash FROM rows WHERE run = 'r1' AND seq = 1",
    "UPDATE heads SET at = 1",
    "DELETE FROM heads",
    "INSERT INTO heads SELECT n + 1, at, run, seq, head, hash, hash FROM heads",
    "INSERT OR REPLACE INTO heads SELECT n, 7, run, seq, head, prev, hash FROM heads",
    "UPDATE runs SET request = 'x'",
    "DELETE FROM runs WHERE run = 'r2'",
    "INSERT INTO runs SELECT 3, 'r3', thread, principal, started_at, request, seq FROM runs WHERE n = 1",
    "INSERT OR REPLACE INTO runs SELECT n, run, 'x', principal, started_at, request, seq FROM runs WHERE n = 1",
    "UPDATE run_state SET ending = 'failed', text = 'x' WHERE run = 'r1'",
    "UPDATE run_state SET seq = seq - 1, hash = (SELECT prev FROM rows WHERE run = 'r1' AND seq = 6) WHERE run = 'r1'",
    "INSERT OR REPLACE INTO run_state SELECT run, seq, hash, 7, ending, text FROM run_state WHERE run = 'r1'",
    "DELETE FROM run_state WHERE run = 'r2'",
    "UPDATE effects SET state = 'failed' WHERE step = 1",
    "UPDATE effects SET state = 'done', settled_seq = 5 WHERE step = 2",
    "UPDATE effects SET state = 'done', settled_seq = 6 WHERE step = 2",
    "UPDATE effects SET state = 'done', settled_seq = 7 WHERE step = 2",
    "UPDATE effects SET settle_key = NULL",
    "DELETE FROM effects WHERE step = 2",
    "INSERT INTO effects SELECT run, 3, thread, tool, 'm', effect, 'started', 'null', 6, NULL FROM effects WHERE step = 2",
    "INSERT OR REPLACE INTO effects SELECT run, step, thread, tool, 'm', effect, state, result, started_seq, settled_seq FROM effects",
    "UPDATE reservations SET amount = 0",
    "UPDATE reservations SET state = 'released', settled_seq = 6 WHERE step = 2",
    "DELETE FROM reservations",
    `INSERT INTO reservations SELECT run, 2, 'other', key, "window", amount, "limit", 'reserved', 6, NULL FROM reservations WHERE step = 1`,
    "UPDATE cap_usage SET held = 0",
    "UPDATE cap_usage SET held = 0, seq = 6",
    "DELETE FROM cap_usage",
    "INSERT INTO cap_usage SELECT 'other', key, \"window\", 1, run, 6 FROM cap_usage",
    'INSERT OR REPLACE INTO cap_usage SELECT cap, key, "window", 0, run, seq FROM cap_usage',
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
    raw.exec(`BEGIN;
      INSERT INTO rows SELECT run, 7, at, 'finished', '{}', hash, 'h7' FROM rows WHERE run = 'r1' AND seq = 6;
      UPDATE effects SET state = 'done', settled_seq = 7 WHERE run = 'r1' AND step = 2;
      UPDATE run_state SET seq = 7, hash = 'h7' WHERE run = 'r1'`);
    // The head has come up to row 7, so it can no longer be named.
    expect(() => raw.exec("UPDATE effects SET state = 'failed' WHERE run = 'r1' AND step = 2")).toThrow(/ledger row/);
    raw.exec("ROLLBACK");
    raw.close();
  });
});
