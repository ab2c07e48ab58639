import { closeSync, openSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { StoreError } from "../../ports/store.ts";
import { errcode, isBusy, storeError } from "./errors.ts";
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION } from "./schema.ts";

/**
 * How many pages the write-ahead log gets before it is copied into the file and written over from its beginning. A commit
 * that writes over what is there costs half of one that makes the log longer, and so the log is short and long at once.
 */
const LOG_PAGES = 128;

/** What a synchronous wait waits on: nothing ever wakes it, so it takes its whole time. */
const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(4));

/** Called with the name of each point where a write can fail: before every statement that writes, `commit`, `committed`. */
export type Seam = (point: string) => void;

export type DatabaseOptions = {
  readonly seam: Seam | null;
  readonly pagesMax: number | null;
  readonly busyMs: number;
};

/**
 * One connection: statements that are prepared once, transactions that are all or nothing, and errors that a person can
 * act on. Everything is synchronous, so that nothing of ours can come between BEGIN and COMMIT.
 */
export class Database {
  readonly path: string;
  readonly #db: DatabaseSync;
  readonly #seam: Seam | null;
  readonly #statements = new Map<string, StatementSync>();
  #doing = "open";
  #closed = false;
  /** Whether the log has its length, or is not to get it: before there are tables there is nothing to write it with. */
  #hasRoom = true;

  constructor(path: string, options: DatabaseOptions) {
    this.path = path;
    this.#seam = options.seam;
    this.#db = connect(path);
    try {
      this.#setUp(options);
    } catch (error) {
      this.#db.close();
      throw storeError(error, path, this.#doing);
    }
  }

  statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Runs a statement that writes, and says how many rows it wrote. `point` is what it is called at the seam. */
  write(point: string, sql: string, ...values: (string | number | null | Uint8Array)[]): number {
    this.#at(point);
    return Number(this.statement(sql).run(...values).changes);
  }

  /** One writing transaction. The lock is taken at once, so what `body` reads stays true until the commit. */
  transaction<T>(doing: string, body: () => T): T {
    return this.use(doing, () => {
      if (!this.#hasRoom) this.#makeRoom();
      this.statement("BEGIN IMMEDIATE").run();
      let result: T;
      try {
        result = body();
        this.#at("commit");
        this.statement("COMMIT").run();
      } catch (error) {
        this.#rollBack();
        throw error;
      }
      this.#at("committed");
      return result;
    });
  }

  /** Several reads of one moment. */
  snapshot<T>(doing: string, body: () => T): T {
    return this.use(doing, () => {
      this.statement("BEGIN").run();
      try {
        return body();
      } finally {
        this.#rollBack();
      }
    });
  }

  /** Does something with the database, and turns its errors into StoreErrors. */
  use<T>(doing: string, body: () => T): T {
    this.#doing = doing;
    if (this.#closed) throw new StoreError("unavailable", `${doing}: the store at ${this.path} is closed`);
    try {
      return body();
    } catch (error) {
      if (error instanceof Foreign) throw error.thrown;
      // Only SQLite's errors have an errcode. Any other is a StoreError already, or a mistake of the caller.
      throw errcode(error) === null ? error : storeError(error, this.path, doing);
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#statements.clear();
    this.#db.close();
  }

  #at(point: string): void {
    if (this.#seam === null) return;
    try {
      this.#seam(point);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      throw new StoreError("unavailable", `${this.#doing}: ${this.path} failed at "${point}"`, { cause: error });
    }
  }

  #rollBack(): void {
    try {
      this.statement("ROLLBACK").run();
    } catch {
      // After some errors (a full disk, an I/O error) SQLite has rolled back by itself, and there is nothing to do.
    }
  }

  #setUp({ busyMs, pagesMax }: DatabaseOptions): void {
    // Waiting is set first and the file is only read until it is known to be ours: nothing is written into a stranger's.
    this.#db.exec(`PRAGMA busy_timeout = ${busyMs}`);
    const fresh = this.snapshot("open", () => this.#identify());
    if (pagesMax !== null) this.#db.exec(`PRAGMA max_page_count = ${pagesMax}`);
    const mode = this.#takeLog(busyMs);
    if (mode !== "wal") {
      const message = `open: ${this.path} cannot keep a write-ahead log (journal mode ${mode}): use a file on a local disk`;
      throw new StoreError("unavailable", message);
    }
    // FULL: a commit is on the disk before it is acknowledged (claim R3).
    this.#db.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    this.#db.exec(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`);
    if (fresh) this.#create();
    this.#hasRoom = false;
  }

  /**
   * Turns the write-ahead log on. Two processes that do it at once to a new file each hold what the other one needs, and
   * SQLite says `busy` to one of them without having waited (its busy handler is not asked there), so the waiting is here.
   */
  #takeLog(busyMs: number): unknown {
    const until = performance.now() + busyMs;
    while (true) {
      try {
        return this.#db.prepare("PRAGMA journal_mode = WAL").get()?.journal_mode;
      } catch (error) {
        if (!isBusy(error) || performance.now() >= until) throw error;
        Atomics.wait(NEVER_WOKEN, 0, 0, 2);
      }
    }
  }

  /**
   * Gives the log its length before the first write: what is too large for a small cache goes into the log at once, and
   * rolled back it leaves nothing but the room that it took.
   */
  #makeRoom(): void {
    this.statement("BEGIN IMMEDIATE").run();
    this.#hasRoom = true;
    try {
      this.#db.exec("PRAGMA cache_size = 10");
      this.#db.exec(`INSERT INTO meta (name, value) VALUES ('room', hex(zeroblob(${LOG_PAGES * 2_000})))`);
    } catch {
      // A disk or a file that has no room for it may have room for what is to be written, and says so if it has not.
    } finally {
      this.#rollBack();
      this.#db.exec("PRAGMA cache_size = -2000");
    }
  }

  /** Whether the file is empty. Throws for a file that is not ours to write. */
  #identify(): boolean {
    const application = this.#pragma("application_id");
    const version = this.#pragma("user_version");
    const objects = Number(this.#db.prepare("SELECT count(*) AS n FROM sqlite_schema").get()?.n);
    if (application === 0 && version === 0 && objects === 0) return true;
    if (application !== APPLICATION_ID) {
      const message = `open: ${this.path} is not a signalbox database: give the path of one, or of a new file`;
      throw new StoreError("damaged", message);
    }
    const noted = Number(this.#db.prepare("SELECT value FROM meta WHERE name = 'schema'").get()?.value);
    const newest = Math.max(version, noted);
    if (newest > SCHEMA_VERSION) {
      const message = `open: ${this.path} was written by a newer signalbox (schema ${newest}, this one reads ${SCHEMA_VERSION}): upgrade signalbox`;
      throw new StoreError("newer_version", message);
    }
    if (version === noted && version >= 1 && version < SCHEMA_VERSION) {
      const message = `open: ${this.path} was made by a development version of signalbox (schema ${version}), which none reads any more: start a new file`;
      throw new StoreError("damaged", message);
    }
    if (version !== SCHEMA_VERSION || noted !== SCHEMA_VERSION) {
      throw new StoreError("damaged", `open: ${this.path} names no schema version that ever was: restore a copy`);
    }
    return false;
  }

  #create(): void {
    this.transaction("create", () => {
      // Another process may have been quicker; then the tables are there, and they are the same.
      if (!this.#identify()) return;
      for (const sql of SCHEMA) {
        this.#at("create");
        this.#db.exec(sql);
      }
      this.write("create", "INSERT INTO meta (name, value) VALUES ('schema', ?)", String(SCHEMA_VERSION));
      this.#db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
    });
  }

  #pragma(name: "application_id" | "user_version"): number {
    return Number(this.#db.prepare(`PRAGMA ${name}`).get()?.[name]);
  }
}

function connect(path: string): DatabaseSync {
  if (path === "" || path === ":memory:") {
    throw new StoreError("unavailable", "open: a SQLite store needs a file: use openMemoryStore() for one in memory");
  }
  createPrivate(path);
  try {
    return new DatabaseSync(path);
  } catch (error) {
    throw storeError(error, path, "open");
  }
}

/** A ledger holds what people asked for and what was done: a new file is for its owner only. SQLite's own follow its mode. */
function createPrivate(path: string): void {
  if (path.startsWith("file:")) return;
  try {
    closeSync(openSync(path, "ax", 0o600));
  } catch {
    // The file is there already, or cannot be made: SQLite says which, in an error that storeError can explain.
  }
}

/** An error of the caller's function, on its way through a transaction: it reaches the caller as it was thrown. */
class Foreign extends Error {
  readonly thrown: unknown;

  constructor(thrown: unknown) {
    super("thrown by the caller's function");
    this.thrown = thrown;
  }
}

/** Calls a function of the caller's inside a transaction. */
export function callOut<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw new Foreign(error);
  }
}
