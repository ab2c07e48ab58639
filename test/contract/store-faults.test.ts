import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openMemoryStore } from "../../src/adapters/store-memory/index.ts";
import { openSqliteStore } from "../../src/adapters/store-sqlite/index.ts";
import type { Json } from "../../src/domain/json.ts";
import type { Row } from "../../src/domain/row.ts";
import { type Store, StoreError } from "../../src/ports/store.ts";
import { faultyStore } from "../../src/testing/faulty-store.ts";
import { approved, GuideWriter, published, revisionOf, type Saying, verified } from "../guides/sayings.ts";
import { seed } from "../seed.ts";
import { Carrier, reservation, SHA, stateOf } from "./carrier.ts";
import { verifyStore } from "./verify-store.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "signalbox-faults-"));
});

afterEach(() => rmSync(directory, { recursive: true }));

async function failureOf(work: () => unknown): Promise<StoreError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  throw new Error("it should have failed");
}

/** An open store whose file can be found as `signalbox.db` in the test's directory, with one run begun. */
async function begun(options: { readonly pagesMax?: number; readonly busyMs?: number } = {}) {
  const path = join(directory, "signalbox.db");
  const store = openSqliteStore({ path, ...options });
  const run = new Carrier(store, "r1");
  await run.begin();
  return { path, store, run };
}

/**
 * Everything a store writes, one step a transaction. Made anew for each store, since a Carrier remembers its run.
 * Between them the steps use every statement that writes.
 */
function scenario(store: Store, a = new Carrier(store, "a"), b = new Carrier(store, "b")): (() => Promise<unknown>)[] {
  const day = (amount: number, window: string) => [
    reservation(amount, 100, "refunds", window),
    reservation(1, 9, "mails"),
  ];
  return [
    () => a.begin(),
    () => a.append(["replied", { turn: 1 }], ["replied", { turn: 2 }]),
    () => a.start({ step: 1, settleKey: "k1", reservations: day(5, "mon") }),
    () => a.settle(1, "done", { receipt: 1 }),
    () => b.begin(),
    () => b.start({ step: 1, settleKey: "k2", reservations: day(7, "mon") }),
    () => b.start({ step: 1, settleKey: "k2", reservations: day(6, "mon") }),
    () => b.start({ step: 1, settleKey: "k2", reservations: day(6, "tue") }),
    () => b.settle(1, "failed", "no"),
    () => b.start({ step: 1, settleKey: "k2", reservations: day(2, "mon") }),
    () => b.settle(1, "outcome_unknown"),
    () => b.settle(1, "done"),
    () => a.decide({ step: 2, settleKey: "k2", reservations: day(1, "mon") }, () => false),
    () => a.close("turn_budget", "so far"),
    () => a.append(["continued", { budgets: {} }]),
    () => b.close(),
    () => a.close(),
    ...guideSteps(store),
  ];
}

/** The way of a rule to its publication, two of them at once. Each step reads the chain first, as somebody else may have begun. */
function guideSteps(store: Store): (() => Promise<unknown>)[] {
  const revisions = [revisionOf("bytes a"), revisionOf("bytes b")];
  const of = revisions.map(({ digest }, n) => ({ rule: `rule-${n}`, revision: digest }));
  const all = async (saying: (n: number, rows: readonly Row[]) => Saying) => {
    const guides = await new GuideWriter(store).catchUp();
    const rows = await store.readGuides(0);
    guides.at = 5_000 + rows.length;
    const written = of.map((_, n) => {
      const { kind, ...body } = saying(n, rows);
      const row = guides.row(kind, body as unknown as Json);
      guides.end = row;
      return row;
    });
    await store.appendGuides(written, rows.length === 0 ? revisions : []);
  };
  const cited = (rows: readonly Row[], seq: number) => rows[seq - 1] ?? { seq, hash: "" };
  const named = (n: number) => of[n] ?? { rule: "", revision: "" };
  return [
    () => all((n) => verified(named(n))),
    () => all((n, rows) => approved(named(n), "user:sue", cited(rows, n + 1))),
    () => all((n, rows) => published(named(n), cited(rows, n + 3))),
  ];
}

/** The same steps for a store in which some of them have been made. */
async function resumed(store: Store): Promise<(() => Promise<unknown>)[]> {
  const [a, b] = [new Carrier(store, "a"), new Carrier(store, "b")];
  for (const carrier of [a, b]) {
    const rows = await store.readRows(carrier.run);
    carrier.moved(rows);
    carrier.at = (rows.at(-1)?.at ?? 999) + 1;
  }
  return scenario(store, a, b);
}

const SLOTS = [reservation(0, 0, "refunds", "mon"), reservation(0, 0, "refunds", "tue"), reservation(0, 0, "mails")];

/** What a store looks like before the first step, after it, … and after the last. */
async function snapshots(store: Store): Promise<unknown[]> {
  const states = [await stateOf(store, SLOTS)];
  for (const step of scenario(store)) {
    await step();
    states.push(await stateOf(store, SLOTS));
  }
  return states;
}

/** Runs the scenario until a step fails. Says which one, and how. */
async function untilFailure(store: Store): Promise<{ step: number; error: StoreError } | null> {
  for (const [step, work] of scenario(store).entries()) {
    try {
      await work();
    } catch (error) {
      if (error instanceof StoreError) return { step, error };
      throw error;
    }
  }
  return null;
}

describe("a write that fails half way", () => {
  test("[ledger-unwritable-denies] wherever the disk fails, nothing is half written: the seam at N = 1 to all", async () => {
    // A clean run first: the points of each step, and the file and the state before it.
    const file = (name: string) => join(directory, `${name}.db`);
    const points: string[][] = [];
    const states: unknown[] = [];
    const steps = scenario(openMemoryStore()).length;
    openSqliteStore({ path: file("clean"), seam: (point) => points.push([point]) }).close();
    const creating = points.splice(0).flat();
    for (let step = 0; step <= steps; step++) {
      copyFileSync(file("clean"), file(`before-${step}`));
      const seen: string[] = [];
      const store = openSqliteStore({ path: file("clean"), seam: (point) => seen.push(point) });
      states.push(await stateOf(store, SLOTS));
      await (await resumed(store))[step]?.();
      await store.close();
      points.push(seen);
    }
    // Every statement that writes is in the scenario: a new one has to be put there.
    expect([...new Set([...creating, ...points.flat()])].sort()).toEqual(
      ["create", "commit", "committed", "insert rows", "insert run", "insert head"]
        .concat(["insert effect", "restart effect", "settle effect", "insert reservation", "renew reservation"])
        .concat(["release reservation", "settle reservations", "move cap usage", "insert cap usage"])
        .concat(["insert revision", "insert guide row"])
        .sort(),
    );

    let tried = 0;
    const failAt = (n: number) => {
      let calls = 0;
      return () => {
        calls += 1;
        if (calls === n) throw new Error(`planted fault ${n}`);
      };
    };
    for (let n = 1; n <= creating.length; n++) {
      const path = file(`create-${n}`);
      expect((await failureOf(() => openSqliteStore({ path, seam: failAt(n) }))).code).toBe("unavailable");
      const again = openSqliteStore({ path });
      expect(await stateOf(again, SLOTS), creating[n - 1]).toEqual(states[0]);
      await again.close();
      tried += 1;
    }
    for (const [step, names] of points.entries()) {
      for (const [index, name] of names.entries()) {
        const path = file(`${step}-${index}`);
        copyFileSync(file(`before-${step}`), path);
        const store = openSqliteStore({ path, seam: failAt(index + 1) });
        const work = (await resumed(store))[step];
        const error = await failureOf(() => work?.());
        expect(error.code).toBe("unavailable");
        expect(error.message).toContain(`failed at "${name}"`);
        // A commit that was made and not acknowledged is there: the only place where the caller does not know.
        const expected = states[name === "committed" ? step + 1 : step];
        expect(await stateOf(store, SLOTS), `step ${step}, ${name}`).toEqual(expected);
        // The connection is fit for use: what failed can be done again.
        if (name !== "committed") await work?.();
        await store.close();
        const again = openSqliteStore({ path });
        expect(await stateOf(again, SLOTS), `step ${step}, ${name}, again`).toEqual(states[step + 1]);
        expect((await verifyStore(again, SHA)).faults).toEqual([]);
        await again.close();
        tried += 1;
      }
    }
    expect(tried).toBe(creating.length + points.flat().length);
    expect(tried).toBeGreaterThan(120);
  }, 120_000);

  test("[ledger-unwritable-denies] a FaultyStore fails its N-th mutating call, and only that", async () => {
    const names: string[] = [];
    const states = await snapshots(faultyStore(openMemoryStore(), { onCall: (name, n) => names.push(`${n} ${name}`) }));
    expect(names.slice(0, 4)).toEqual(["1 begin", "2 append", "3 decide", "4 settle"]);
    for (let failAt = 1; failAt <= names.length; failAt++) {
      const store = faultyStore(openMemoryStore(), { failAt });
      const failed = await untilFailure(store);
      expect(failed).toMatchObject({ step: failAt - 1, error: { code: "unavailable" } });
      expect(await stateOf(store, SLOTS)).toEqual(states[failAt - 1]);
    }
    expect(await untilFailure(faultyStore(openMemoryStore(), { failAt: names.length + 1 }))).toBeNull();
  });

  test("[ledger-same-transaction] memory and SQLite go through the same states", async () => {
    const sqlite = openSqliteStore({ path: join(directory, "same.db") });
    expect(await snapshots(openMemoryStore())).toEqual(await snapshots(sqlite));
    await sqlite.close();
  });
});

describe("a disk that is full or read-only", () => {
  test("[ledger-unwritable-denies] a file at its size limit denies, keeps what it had, and goes on when there is room", async () => {
    const { path, store, run } = await begun({ pagesMax: 60 });
    let before = await stateOf(store);
    let step = 0;
    const error = await failureOf(async () => {
      for (;;) {
        step += 1;
        await run.start({ step, settleKey: `k${step}`, reservations: [reservation(1, 1_000)] });
        before = await stateOf(store);
        await run.settle(step, "done", { text: "x".repeat(2_000) });
        before = await stateOf(store);
      }
    });
    expect(error.code).toBe("unavailable");
    expect(error.message).toMatch(
      /^(decide|settle): the disk is full, or .*signalbox\.db has reached its size limit: make room$/,
    );
    expect(step).toBeGreaterThan(3);
    expect(await stateOf(store)).toEqual(before);
    await store.close();
    const again = openSqliteStore({ path });
    expect(await stateOf(again)).toEqual(before);
    const on = new Carrier(again, "r1");
    on.moved(await again.readRows("r1"));
    await on.append(["note", "x".repeat(5_000)]);
    expect((await verifyStore(again, SHA)).faults).toEqual([]);
    await again.close();
  });

  test("[ledger-unwritable-denies] a real full disk, and one that became read-only", async (context) => {
    const mount = join(directory, "mount");
    mkdirSync(mount);
    // The mount lives in a namespace of the child's own: it is gone with the child, however that ends.
    const script = `mount -t tmpfs -o size=2m tmpfs "$1" && exec "$2" "$3" "$1"`;
    const child = join(import.meta.dirname, "full-disk.ts");
    const args = ["--mount", "--propagation", "private", "sh", "-c", script, "sh", mount, process.execPath, child];
    const probe = spawnSync("unshare", [
      "--mount",
      "--propagation",
      "private",
      "sh",
      "-c",
      `mount -t tmpfs tmpfs "$1"`,
      "sh",
      mount,
    ]);
    if (probe.status !== 0) {
      console.log(
        `skipped: a mount of its own is not permitted here (${probe.error?.message ?? String(probe.stderr).trim()})`,
      );
      context.skip();
      return;
    }
    const { status, stdout, stderr } = spawnSync("unshare", args, { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(status).toBe(0);
    const found = JSON.parse(stdout);
    expect(found).toMatchObject({ unchanged: true, soundWhenFull: true, soundAfter: true });
    for (const failure of [found.full, found.readOnly, found.fresh]) expect(failure.code).toBe("unavailable");
    expect(found.full.message).toMatch(/^(append|decide|settle): the disk .*\bfull\b/);
    expect(found.readOnly.message).toMatch(/signalbox\.db is read-only: make the file and its directory writable$/);
    expect(found.fresh.message).toMatch(/no file can be created in .*, check its permissions and its disk$/);
    expect(found.judged).toBeGreaterThan(3);
    expect(readFileSync("/proc/mounts", "utf8")).not.toContain(mount);
  });

  test("[ledger-unwritable-denies] a database that is open for reading only can be read, and denies every write", async () => {
    const { path, store, run } = await begun();
    await run.start({ step: 1 });
    const before = await stateOf(store);
    const reader = openSqliteStore({ path: `file:${path}?mode=ro` });
    const blind = new Carrier(reader, "r1");
    blind.moved(await reader.readRows("r1"));
    const attempts = [
      () => blind.append(["note", {}]),
      () => blind.settle(1, "done"),
      () => blind.close(),
      () => new Carrier(reader, "r2").begin(),
      () => blind.start({ step: 2 }),
    ];
    for (const attempt of attempts) {
      const error = await failureOf(attempt);
      expect(error.code).toBe("unavailable");
      expect(error.message).toMatch(/signalbox\.db\?mode=ro is read-only: make the file and its directory writable$/);
    }
    expect(await stateOf(reader)).toEqual(before);
    await reader.close();
    await store.close();
  });

  test("[ledger-unwritable-denies] another process that does not let go of the lock", async () => {
    const { path, store, run } = await begun({ busyMs: 20 });
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    const error = await failureOf(() => run.append(["note", {}]));
    expect(error.code).toBe("unavailable");
    expect(error.message).toMatch(/^append: .*signalbox\.db is locked by another process/);
    expect(await store.readRows("r1")).toHaveLength(1);
    other.exec("ROLLBACK");
    other.close();
    await run.append(["note", {}]);
    expect(await store.readRows("r1")).toHaveLength(2);
    await store.close();
  });
});

describe("what cannot be opened", () => {
  const made: [string, (path: string) => string, StoreError["code"], RegExp][] = [
    [
      "a directory",
      (path) => mkdirSync(path, { recursive: true }) ?? path,
      "unavailable",
      /cannot be opened: it is a directory, give the path of a file in it$/,
    ],
    [
      "in a directory that is not there",
      (path) => join(path, "x.db"),
      "unavailable",
      /cannot be opened: the directory .* does not exist, create it$/,
    ],
    [
      "below a file",
      (path) => join(withText(path, ""), "x.db"),
      "unavailable",
      /cannot be opened: .* is not a directory$/,
    ],
    ["no file", () => "", "unavailable", /needs a file/],
    ["memory", () => ":memory:", "unavailable", /needs a file: use openMemoryStore\(\)/],
    ["a path with a null byte", (path) => `${path}\0x`, "unavailable", /null bytes/],
    [
      "text",
      (path) => withText(path, "not a database at all, but long enough\n".repeat(30)),
      "damaged",
      /is not a database: give the path of/,
    ],
    ["a few bytes", (path) => withText(path, "hello"), "damaged", /is not a database/],
    [
      "somebody else's database",
      (path) => withSql(path, "CREATE TABLE notes (text)"),
      "damaged",
      /is not a signalbox database/,
    ],
    [
      "another application's",
      (path) => withSql(path, "PRAGMA application_id = 7"),
      "damaged",
      /is not a signalbox database/,
    ],
    [
      "a newer one",
      (path) => ours(path, "PRAGMA user_version = 5"),
      "newer_version",
      /was written by a newer signalbox \(schema 5, this one reads 4\): upgrade signalbox$/,
    ],
    [
      "a newer one by its meta",
      (path) => ours(path, "DROP TRIGGER meta_no_update; UPDATE meta SET value = '5'"),
      "newer_version",
      /schema 5, this one reads 4/,
    ],
    [
      "one from before the first release",
      (path) => ours(path, "PRAGMA user_version = 1; DROP TRIGGER meta_no_update; UPDATE meta SET value = '1'"),
      "damaged",
      /was made by a development version of signalbox \(schema 1\), which none reads any more: start a new file$/,
    ],
    [
      "one that knew no guides",
      (path) => ours(path, "PRAGMA user_version = 3; DROP TRIGGER meta_no_update; UPDATE meta SET value = '3'"),
      "damaged",
      /was made by a development version of signalbox \(schema 3\), which none reads any more: start a new file$/,
    ],
    [
      "one of two versions",
      (path) => ours(path, "PRAGMA user_version = 1"),
      "damaged",
      /names no schema version that ever was/,
    ],
    [
      "one of no version",
      (path) => ours(path, "DROP TRIGGER meta_no_update; UPDATE meta SET value = 'x'"),
      "damaged",
      /names no schema version that ever was/,
    ],
    [
      "one of version 0",
      (path) => ours(path, "PRAGMA user_version = 0"),
      "damaged",
      /names no schema version that ever was/,
    ],
    [
      "one without its meta",
      (path) => ours(path, "DROP TABLE meta"),
      "damaged",
      /lacks a part of its schema \(no such table: meta\)/,
    ],
  ];

  function withText(path: string, text: string): string {
    writeFileSync(path, text);
    return path;
  }

  function withSql(path: string, sql: string): string {
    const db = new DatabaseSync(path);
    db.exec(sql);
    db.close();
    return path;
  }

  function ours(path: string, sql: string): string {
    openSqliteStore({ path }).close();
    return withSql(path, sql);
  }

  test.each(made)("[ledger-newer-version] [ledger-unwritable-denies] %s", async (_, make, code, message) => {
    const path = make(join(directory, "target"));
    const bytes = contentOf(path);
    const error = await failureOf(() => openSqliteStore({ path }));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain("\n");
    // A stranger's file is not touched, not even its journal mode.
    expect(contentOf(path)).toEqual(bytes);
  });

  function contentOf(path: string): Buffer | null {
    try {
      return readFileSync(path);
    } catch {
      return null;
    }
  }

  test("an empty file becomes a database", async () => {
    const path = join(directory, "empty.db");
    writeFileSync(path, "");
    const store = openSqliteStore({ path });
    await new Carrier(store, "r1").begin();
    await store.close();
  });
});

describe("damage is named", () => {
  test.each([
    ["body = '{'", /^row 2 of run r1 cannot be read: column body is not JSON$/],
    ["body = '{\"a\": 1}'", /row 2 of run r1 .* column body is not canonical JSON/],
    ['body = \'{"a":1,"a":1}\'', /row 2 of run r1 .* not canonical/],
    ['body = \'{"a":"\\ud800"}\'', /row 2 of run r1 .* not JSON/],
    ["at = 9223372036854775807", /row 2 of run r1 cannot be read: /],
    ["hash = zeroblob(31)", /row 2 of run r1 cannot be read: column hash is no hash$/],
    ["hash = zeroblob(33)", /row 2 of run r1 cannot be read: column hash is no hash$/],
  ])("%s", async (set, message) => {
    const { path, store, run } = await begun();
    await run.append(["note", { a: 1 }], ["note", { a: 2 }]);
    await store.close();
    const db = new DatabaseSync(path);
    db.exec(`DROP TRIGGER rows_no_update; UPDATE rows SET ${set} WHERE id = ${2 ** 24 + 2}`);
    db.close();
    const again = openSqliteStore({ path });
    const error = await failureOf(() => again.readRows("r1"));
    expect(error.code).toBe("damaged");
    expect(error.message).toMatch(message);
    expect(error.where).toMatchObject({ run: "r1", seq: 2, before: [{ seq: 1, kind: "began" }] });
    const verdict = await verifyStore(again, SHA);
    expect(verdict.faults[0]).toMatchObject({ run: "r1", seq: 2, code: "unreadable" });
    await again.close();
  });

  test("in the index entry, in a head entry and in a receipt", async () => {
    const { path, store, run } = await begun();
    await run.start({ step: 1, settleKey: "k" });
    await run.settle(1, "done", { receipt: 1 });
    await run.close();
    const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
    for (const { name } of db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all())
      db.exec(`DROP TRIGGER ${name}`);
    const end = (body: string) => db.prepare("UPDATE rows SET body = ? WHERE kind = 'ended'").run(body);
    end('{"ending":"happily","text":"x"}');
    db.exec("UPDATE heads SET at = 9223372036854775807");
    expect(await failureOf(() => store.readRun("r1"))).toMatchObject({
      code: "damaged",
      message: "row 5 of run r1 cannot be read: it names no ending",
      where: { run: "r1", seq: 5, before: (await store.readRows("r1")).slice(0, -1) },
    });
    expect((await failureOf(() => store.listRuns({ limit: 1 }))).code).toBe("damaged");
    end('{"ending":"answered"}');
    expect((await failureOf(() => store.readRun("r1"))).message).toMatch(
      /^row 5 of run r1 .* it ends the run and has no text$/,
    );
    end("{");
    expect((await failureOf(() => store.readRun("r1"))).message).toMatch(
      /^row 5 of run r1 .* column body is not JSON$/,
    );
    const faultOf = async () => (await verifyStore(store, SHA)).faults.find((fault) => fault.run === "r1");
    expect(await faultOf()).toMatchObject({ seq: 5, code: "unreadable" });
    // Named is the first bad row, also where the last is one as well.
    db.exec(`UPDATE rows SET at = at + 1 WHERE id = ${2 ** 24 + 3}`);
    expect(await faultOf()).toMatchObject({ seq: 3, code: "wrong_hash" });
    db.exec(`UPDATE rows SET body = '[' WHERE id = ${2 ** 24 + 2}`);
    expect(await faultOf()).toMatchObject({ seq: 2, code: "unreadable" });
    db.exec("UPDATE rows SET body = '{]' WHERE kind = 'finished'");
    expect((await failureOf(() => store.readHeads())).code).toBe("damaged");
    const decide = () => run.decide({ step: 2, settleKey: "k" }, () => true);
    const error = await failureOf(decide);
    expect(error).toMatchObject({ code: "damaged" });
    expect(error.message).toMatch(/column body is not JSON/);
    db.exec("UPDATE rows SET kind = 'note' WHERE kind = 'finished'");
    expect((await failureOf(decide)).message).toMatch(/row 4 of run r1 is no outcome$/);
    db.exec("UPDATE keyed_effects SET settled_seq = 99");
    expect((await failureOf(decide)).message).toMatch(/row 99 of run r1 is no outcome$/);
    db.exec("DELETE FROM rows");
    expect(await failureOf(decide)).toMatchObject({ code: "damaged", message: "run r1 has no rows: restore a copy" });
    db.close();
    await store.close();
  });
});

describe("several processes", () => {
  test("opened by two at the very same moment, a new file is a store for both", async () => {
    const racers = 2;
    const arrived = new Int32Array(new SharedArrayBuffer(4 * 200));
    const failures: string[] = [];
    const threads = Array.from({ length: racers }, () => {
      const url = new URL("open-racer.ts", import.meta.url);
      const thread = new Worker(url, { workerData: { directory, arrived, racers } });
      thread.on("message", (message: string) => failures.push(message));
      return once(thread, "exit");
    });
    expect(await Promise.all(threads)).toEqual([[0], [0]]);
    expect(failures).toEqual([]);
  });

  test("[caps-shown] where the claims cannot be read, the store does not say who carries what", async () => {
    const { path, store, run } = await begun();
    await run.start({ step: 1, reservations: [reservation(5)] });
    await run.start({ step: 2, reservations: [reservation(6)] });
    await store.claim("r1");
    const other = openSqliteStore({ path });
    const carried = async (of: Store) => (await of.readCaps({ limit: 9 }))[0]?.holders.map((holder) => holder.carried);
    expect([await carried(store), await carried(other)]).toEqual([
      [true, true],
      [true, true],
    ]);
    await store.close();
    expect(await carried(other)).toEqual([false, false]);
    writeFileSync(`${path}-owners`, "no database, and long enough to be taken for one".repeat(200));
    expect(await carried(other)).toEqual([null, null]);
    await other.close();
  });

  function started(script: string, ...args: string[]): ChildProcess {
    return spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
      stdio: ["pipe", "pipe", "inherit"],
    });
  }

  /** Resolves when a child says that it is ready. A child that ends before it does is the test's failure, not its silence. */
  async function ready(child: ChildProcess): Promise<void> {
    if (child.stdout === null) throw new Error("the child has no stdout");
    const ended = once(child, "exit").then(([code]) => `it ended with ${code}`);
    const said = once(child.stdout, "data").then(([data]) => String(data).trim());
    expect(await Promise.race([ended, said])).toBe("ready");
  }

  async function exitOf(child: ChildProcess): Promise<number | null> {
    if (child.exitCode === null) await once(child, "exit");
    return child.exitCode;
  }

  /** Two processes of 8 proposers each. Returns what the cap held at each look and in the end. */
  async function race(mode: "atomic" | "twin"): Promise<{ looks: number[]; end: number; reserved: number }> {
    const path = join(directory, `${mode}.db`);
    // No store is there yet: the two also race for making it.
    const children = ["p", "q"].map((name, n) =>
      started("cap-proposer.ts", path, name, "8", String(seed + n), mode, "100"),
    );
    await Promise.all(children.map(ready));
    const store = openSqliteStore({ path });
    for (const child of children) child.stdin?.end("go\n");
    const looks: number[] = [];
    const exits = Promise.all(children.map(exitOf));
    let running = true;
    exits.finally(() => {
      running = false;
    });
    while (running) {
      const [use] = await store.capUse([reservation(0)], null);
      looks.push(use?.used ?? 0);
      await setTimeout(2);
    }
    expect(await exits).toEqual([0, 0]);
    const [use] = await store.capUse([reservation(0)], null);
    const verdict = await verifyStore(store, SHA);
    expect(verdict.faults).toEqual([]);
    expect(verdict.runs).toBe(16);
    await store.close();
    const db = new DatabaseSync(path);
    const reserved = Number(db.prepare("SELECT sum(amount) AS n FROM reservations WHERE state <> 'released'").get()?.n);
    db.close();
    return { looks, end: use?.used ?? 0, reserved };
  }

  test("[rails-cap-exact] 2 processes with 8 proposers each keep a cap of 100, and use it", async () => {
    const { looks, end, reserved } = await race("atomic");
    expect(Math.max(...looks)).toBeLessThanOrEqual(100);
    expect(end).toBe(reserved);
    expect(end).toBeLessThanOrEqual(100);
    // Otherwise the test is empty: at most 6 of 100 may be left, since 7 is the most that anyone asks for.
    expect(end).toBeGreaterThanOrEqual(94);
  });

  test("[rails-cap-exact] the twin that checks and then writes exceeds it: the test above can fail", async () => {
    const { end } = await race("twin");
    expect(end).toBeGreaterThan(100);
  });
});
