import { randomUUID } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "../../ports/store.ts";
import { errcode, isBusy, storeError } from "./errors.ts";

/**
 * The locks of this process. A store that nothing refers to any more is collected and its files are closed, which would free the
 * lock while its process lives: only `close` and the end of the process do that.
 */
const HELD = new Set<DatabaseSync>();

/**
 * Who carries which run, beside the ledger and not in it. Each process holds a lock on a file of its own for as long as it
 * lives; the system frees it when the process dies, however it dies. A claim names its owner's file, so whether an owner
 * is alive is asked of the system and of no clock.
 */
export class Owners {
  readonly #path: string;
  readonly #token = randomUUID();
  #claims: DatabaseSync | null = null;
  #mine: DatabaseSync | null = null;
  readonly #carried = new Set<string>();

  constructor(path: string) {
    this.#path = path;
  }

  /** Throws `conflict` where a living process carries the run, this one included. */
  claim(run: string): void {
    if (this.#carried.has(run)) throw carriedBy(run, "this process");
    this.#guarded("claim", () => {
      const claims = this.#open();
      claims.exec("BEGIN IMMEDIATE");
      try {
        const owner = claims.prepare("SELECT owner FROM claims WHERE run = ?").get(run)?.owner;
        if (typeof owner === "string" && this.#isAlive(owner)) throw carriedBy(run, "another process");
        claims.prepare("INSERT OR REPLACE INTO claims (run, owner) VALUES (?, ?)").run(run, this.#token);
        claims.exec("COMMIT");
      } catch (error) {
        claims.exec("ROLLBACK");
        throw error;
      }
    });
    this.#carried.add(run);
  }

  release(run: string): void {
    if (!this.#carried.delete(run) || this.#claims === null) return;
    this.#guarded("release", () =>
      this.#claims?.prepare("DELETE FROM claims WHERE run = ? AND owner = ?").run(run, this.#token),
    );
  }

  /** Of each run whether a living process carries it; null where that cannot be told, on a read-only disk for example. */
  carry(runs: ReadonlySet<string>): ReadonlyMap<string, boolean | null> {
    const known = new Map<string, boolean | null>();
    for (const run of runs) known.set(run, this.#carried.has(run));
    const path = `${this.#path}-owners`;
    const asked = [...runs].filter((run) => !this.#carried.has(run));
    if (asked.length === 0 || !existsSync(path)) return known;
    for (const run of asked) known.set(run, null);
    let claims: DatabaseSync | null = null;
    try {
      // Whoever only looks carries nothing, and needs no file of its own.
      claims = this.#claims ?? new DatabaseSync(path, { readOnly: true });
      const find = claims.prepare("SELECT owner FROM claims WHERE run = ?");
      for (const run of asked) {
        const owner = find.get(run)?.owner;
        known.set(run, owner === this.#token || (typeof owner === "string" && this.#isAlive(owner)));
      }
    } catch (error) {
      if (errcode(error) === null) throw error;
    } finally {
      if (claims !== this.#claims) claims?.close();
    }
    return known;
  }

  close(): void {
    this.#claims?.close();
    this.#claims = null;
    if (this.#mine === null) return;
    rmSync(this.#fileOf(this.#token), { force: true });
    HELD.delete(this.#mine);
    this.#mine.close();
    this.#mine = null;
  }

  #open(): DatabaseSync {
    if (this.#claims !== null) return this.#claims;
    this.#mine = new DatabaseSync(this.#fileOf(this.#token));
    HELD.add(this.#mine);
    this.#mine.exec("BEGIN EXCLUSIVE");
    const claims = new DatabaseSync(`${this.#path}-owners`);
    // Nothing here outlives a power cut with its meaning: after one, every owner is dead.
    claims.exec("PRAGMA busy_timeout = 5000; PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY");
    claims.exec("CREATE TABLE IF NOT EXISTS claims (run TEXT PRIMARY KEY, owner TEXT NOT NULL) WITHOUT ROWID");
    this.#claims = claims;
    return claims;
  }

  /** Tokens are never used twice, so the file of a dead owner can be removed without harm. */
  #isAlive(token: string): boolean {
    if (token === this.#token) return false;
    const file = this.#fileOf(token);
    if (!/^[0-9a-f-]{36}$/.test(token) || !existsSync(file)) return false;
    const probe = new DatabaseSync(file);
    try {
      probe.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
    } catch (error) {
      if (isBusy(error)) return true;
      throw error;
    } finally {
      probe.close();
    }
    rmSync(file, { force: true });
    return false;
  }

  #fileOf(token: string): string {
    return `${this.#path}-owner-${token}`;
  }

  #guarded<T>(doing: string, body: () => T): T {
    try {
      return body();
    } catch (error) {
      throw errcode(error) === null ? error : storeError(error, this.#path, doing);
    }
  }
}

function carriedBy(run: string, whom: string): StoreError {
  return new StoreError("conflict", `run ${run} is being carried by ${whom}: wait for it, or stop it first`);
}
