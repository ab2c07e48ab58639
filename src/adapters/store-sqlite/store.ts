import { canonicalJson } from "../../domain/canonical.ts";
import { type CapSlot, type CapUse, countsIn } from "../../domain/cap.ts";
import { CHAIN_START } from "../../domain/head.ts";
import type { Revision } from "../../domain/revision.ts";
import { bodyText, type Row } from "../../domain/row.ts";
import {
  type CapEntry,
  type CapFilter,
  type Closing,
  type DecideQuery,
  type DecideSeen,
  type DecideWrite,
  type HeadEntry,
  type RunEntry,
  type RunHeader,
  type ScannedRow,
  type SettledEffect,
  type SettleWrite,
  type Store,
  StoreError,
} from "../../ports/store.ts";
import {
  checkBeginning,
  checkClosing,
  decidedRow,
  finishedRow,
  lastOfChain,
  runOf,
  startedRow,
} from "../../ports/written-rows.ts";
import { checkBooks } from "./check-books.ts";
import { callOut, Database } from "./database.ts";
import { appendGuides, listRevisions, readGuides, readRevision } from "./guide-shelf.ts";
import { OpenRuns, type StepAfter, type StepBefore } from "./open-runs.ts";
import { Owners } from "./owners.ts";
import {
  readEntry,
  readHead,
  readHeld,
  reading,
  readRowsOf,
  readScanned,
  readSettled,
  textIn,
  wholeIn,
} from "./read.ts";
import { readCaps } from "./read-caps.ts";
import { type Held, reserve, settleReservations } from "./reservations.ts";
import { hashBytes, rowId, stepId } from "./row-id.ts";
import { SQL, scanOf } from "./sql.ts";

export type SqliteStoreOptions = {
  /** A file, which is made where there is none; its directory must be there. Or a `file:` URI. */
  readonly path: string;
  /** For tests: called at each point where a write can fail. What it throws counts as a failing disk. */
  readonly seam?: (point: string) => void;
  /** The most pages (of 4,096 bytes) that the file may grow to. A file at its limit is like a full disk: it denies. */
  readonly pagesMax?: number;
  /** How long to wait for another process that is writing. Ours hold the lock for about a millisecond. Default 5,000. */
  readonly busyMs?: number;
};

/**
 * Opens a Store in one SQLite file, with a write-ahead log and synchronous=FULL: what was acknowledged is on the disk.
 * Several processes may have one file open; their transactions follow one another.
 *
 * @throws StoreError `unavailable` where the file cannot be opened, `newer_version` where a newer release wrote it,
 *   `damaged` where it is no signalbox database.
 */
export function openSqliteStore(options: SqliteStoreOptions): Store {
  const { path, seam = null, pagesMax = null, busyMs = 5_000 } = options;
  for (const bound of [pagesMax ?? 1, busyMs]) {
    if (!Number.isSafeInteger(bound) || bound < 0) throw new TypeError("pagesMax and busyMs are whole numbers");
  }
  return new SqliteStore(new Database(path, { seam, pagesMax, busyMs }), new Owners(fileOf(path)));
}

/** Where the files beside the database go: the path itself, or what a `file:` URI names. */
function fileOf(path: string): string {
  return path.startsWith("file:") ? decodeURIComponent(new URL(path).pathname) : path;
}

type StepOfRun = { readonly run: string; readonly step: number };

// Every method is async for its errors to be rejections, and none awaits: a transaction is one turn of the event loop.
class SqliteStore implements Store {
  readonly lazyRows = true;
  readonly #db: Database;
  readonly #owners: Owners;
  readonly #runs: OpenRuns;

  constructor(db: Database, owners: Owners) {
    this.#db = db;
    this.#owners = owners;
    this.#runs = new OpenRuns(db);
  }

  async claim(run: string): Promise<void> {
    this.#owners.claim(run);
  }

  async release(run: string): Promise<void> {
    this.#runs.forget(run);
    this.#owners.release(run);
  }

  async isCarried(run: string): Promise<boolean | null> {
    return this.#owners.carry(new Set([run])).get(run) ?? null;
  }

  async begin(run: RunHeader, rows: readonly Row[]): Promise<void> {
    const begun = this.#db.transaction("begin", () => {
      if (this.#runs.firstOf(run.run) !== null) throw new StoreError("conflict", `run ${run.run} has already begun`);
      lastOfChain(rows, run.run, null);
      const { thread, principal, startedAt, request } = run;
      // A lone surrogate would silently become another character in the file.
      for (const text of [run.run, thread, principal, request]) canonicalJson(text);
      checkBeginning(run, rows);
      const first = this.#runs.nextFirst();
      // The rows come first, so that a trigger can hold the entry against the first of them.
      this.#insertRows(rows, first);
      this.#db.write("insert run", SQL.insertRun, first, run.run, thread, principal, startedAt, request);
      return first;
    });
    this.#runs.began(begun, rows);
  }

  async append(rows: readonly Row[], closing: Closing | null): Promise<void> {
    const run = runOf(rows);
    const open = this.#db.transaction("append", () => {
      const known = this.#runs.at(run);
      const last = lastOfChain(rows, run, known);
      checkClosing(last, closing);
      this.#insertRows(rows, known.first);
      if (closing !== null) this.#insertHead(last, closing);
      return known;
    });
    this.#runs.wrote(open, rows, null);
  }

  async decide(query: DecideQuery, judge: (seen: DecideSeen) => DecideWrite): Promise<void> {
    const { run, step, slots } = query;
    let rows: readonly Row[] = [];
    let started: StepAfter | null = null;
    const open = this.#db.transaction("decide", () => {
      const known = this.#runs.at(run);
      const effect = stepId(known.first, run, step);
      const before = known.steps.get(step) ?? null;
      const own = before === null ? [] : this.#held(effect);
      const capUse = slots.map((slot) => this.#use(slot, own));
      const settled = this.#settled(query, effect);
      const write = callOut(() => judge({ capUse, settled }));
      rows = write.rows;
      lastOfChain(rows, run, known);
      this.#insertRows(rows, known.first);
      if (write.start !== null) {
        started = this.#start(query, effect, before, startedRow(rows, query).seq);
        const { reservations } = write.start;
        if (reservations.length > 0 || own.length > 0) {
          const row = rowId(known.first, run, decidedRow(rows, query, reservations).seq);
          reserve(this.#db, { effect, own, capUse, reservations, row });
        }
      }
      return known;
    });
    this.#runs.wrote(open, rows, started);
  }

  async settle(write: SettleWrite): Promise<void> {
    const { run, step, outcome, rows } = write;
    let settled: StepAfter | null = null;
    const open = this.#db.transaction("settle", () => {
      const known = this.#runs.at(run);
      lastOfChain(rows, run, known);
      const before = known.steps.get(step) ?? null;
      if (before === null) throw new TypeError(`step ${step} of run ${run} was never started`);
      const { state } = before;
      if (state !== "started" && (state !== "outcome_unknown" || outcome === "outcome_unknown")) {
        throw new TypeError(`step ${step} of run ${run} is ${state} and cannot become ${outcome}`);
      }
      const effect = stepId(known.first, run, step);
      const { seq } = finishedRow(write);
      this.#insertRows(rows, known.first);
      if (before.keyed) this.#db.write("settle effect", SQL.settleEffect, outcome, seq, effect);
      settleReservations(this.#db, { effect, outcome, own: this.#held(effect), row: rowId(known.first, run, seq) });
      settled = { step, state: outcome, keyed: before.keyed };
      return known;
    });
    this.#runs.wrote(open, rows, settled);
  }

  async readRows(run: string): Promise<readonly Row[]> {
    return this.#db.use("read rows", () => readRowsOf(run, this.#db.statement(SQL.rows)));
  }

  async readRun(run: string): Promise<RunEntry | null> {
    return this.#db.snapshot("read run", () =>
      reading(`the index entry of run ${run}`, () => {
        const columns = this.#db.statement(SQL.entry).get(run);
        if (columns === undefined) return null;
        try {
          return readEntry(columns);
        } catch (error) {
          // The newest row is damaged. It may not be the first that is.
          if (!(error instanceof StoreError) || error.where === null) throw error;
          const rows = readRowsOf(run, this.#db.statement(SQL.rows));
          throw new StoreError("damaged", error.message, {
            cause: error,
            where: { ...error.where, before: rows.slice(0, -1) },
          });
        }
      }),
    );
  }

  async listRuns({
    thread,
    limit,
  }: {
    readonly thread?: string;
    readonly limit: number;
  }): Promise<readonly RunEntry[]> {
    return this.#db.use("list runs", () =>
      reading("the index of runs", () =>
        (thread === undefined
          ? this.#db.statement(SQL.entries).all(limit)
          : this.#db.statement(SQL.entriesOfThread).all(thread, limit)
        ).map(readEntry),
      ),
    );
  }

  async listRunIds(): Promise<readonly string[]> {
    return this.#db.use("list runs", () =>
      reading("the index of runs", () =>
        this.#db
          .statement(SQL.runIds)
          .all()
          .map((columns) => textIn(columns, "run")),
      ),
    );
  }

  async scan(kinds: readonly string[], visit: (row: ScannedRow) => void): Promise<void> {
    if (kinds.length === 0) return;
    const sql = scanOf(kinds);
    this.#db.snapshot("scan rows", () =>
      reading("a row", () => {
        for (const columns of this.#db.statement(sql).iterate()) {
          const row = readScanned(columns);
          callOut(() => visit(row));
        }
      }),
    );
  }

  async readHeads(): Promise<readonly HeadEntry[]> {
    return this.#db.use("read heads", () =>
      reading("the index of heads", () => this.#db.statement(SQL.heads).all().map(readHead)),
    );
  }

  async capUse(slots: readonly CapSlot[], except: StepOfRun | null): Promise<readonly CapUse[]> {
    return this.#db.snapshot("read caps", () => {
      const own = except === null ? [] : this.#heldBy(except);
      return slots.map((slot) => this.#use(slot, own));
    });
  }

  async readCaps(filter: CapFilter): Promise<readonly CapEntry[]> {
    return this.#db.snapshot("read caps", () => readCaps(this.#db, filter, (runs) => this.#owners.carry(runs)));
  }

  async readGuides(after: number): Promise<readonly Row[]> {
    return this.#db.snapshot("read guides", () => readGuides(this.#db, after));
  }

  async appendGuides(rows: readonly Row[], revisions: readonly Revision[]): Promise<void> {
    this.#db.transaction("append guides", () => appendGuides(this.#db, rows, revisions));
  }

  async readRevision(digest: string): Promise<Uint8Array | null> {
    return this.#db.use("read revision", () => readRevision(this.#db, digest));
  }

  async listRevisions(): Promise<readonly string[]> {
    return this.#db.use("list revisions", () => listRevisions(this.#db));
  }

  async checkBooks(): Promise<readonly string[]> {
    return this.#db.snapshot("check books", () => checkBooks(this.#db));
  }

  async close(): Promise<void> {
    this.#owners.close();
    this.#db.close();
  }

  #insertRows(rows: readonly Row[], first: number): void {
    for (const row of rows) {
      const { run, seq, at, kind, hash } = row;
      const id = rowId(first, run, seq);
      this.#db.write("insert rows", SQL.insertRow, id, at, kind, bodyText(row), hashBytes(hash));
    }
  }

  #insertHead(last: Row, closing: Closing): void {
    const columns = this.#db.statement(SQL.newestHead).get();
    const previous = columns === undefined ? null : reading("the newest head entry", () => readHead(columns));
    const entry = callOut(() => closing.head(previous));
    const { n, at, run, seq, head, prev, hash } = entry;
    if (run !== last.run || seq !== last.seq || head !== last.hash)
      throw new TypeError("the head entry names another row");
    if (n !== (previous?.n ?? 0) + 1 || prev !== (previous?.hash ?? CHAIN_START)) {
      throw new TypeError("the head entry does not hang on the newest one");
    }
    this.#db.write("insert head", SQL.insertHead, n, at, run, seq, head, prev, hash);
  }

  #heldBy({ run, step }: StepOfRun): readonly Held[] {
    const first = this.#runs.firstOf(run);
    return first === null ? [] : this.#held(stepId(first, run, step));
  }

  #held(effect: number): readonly Held[] {
    return reading("the reservations of a step", () => this.#db.statement(SQL.reservations).all(effect).map(readHeld));
  }

  #use(slot: CapSlot, own: readonly Held[]): CapUse {
    const { cap, key, window, range } = slot;
    const columns =
      range === undefined
        ? this.#db.statement(SQL.held).get(cap, key, window)
        : this.#db.statement(SQL.heldInRange).get(cap, key, range.from, range.below);
    // The sum of no rows is NULL.
    const isHeld = columns !== undefined && columns.held !== null;
    let used = isHeld ? reading(`the use of cap ${cap}`, () => wholeIn(columns, "held")) : 0;
    for (const held of own) {
      if (held.cap === cap && held.key === key && countsIn(slot, held.window)) used -= held.amount;
    }
    return { cap, key, window, used };
  }

  #settled({ run, step, thread, settleKey }: DecideQuery, effect: number): SettledEffect | null {
    if (settleKey === null) return null;
    const columns = this.#db.statement(SQL.settledEffect).get(thread, settleKey, effect);
    if (columns === undefined) return null;
    return reading(`the effect that settles step ${step} of run ${run}`, () =>
      readSettled(columns, (id) => this.#db.statement(SQL.row).get(id)),
    );
  }

  /** A book is kept of an effect that has a key. The others are in the rows alone. */
  #start(
    { run, step, thread, settleKey }: DecideQuery,
    effect: number,
    before: StepBefore | null,
    seq: number,
  ): StepAfter {
    if (before !== null && before.state !== "started" && before.state !== "failed") {
      throw new TypeError(`step ${step} of run ${run} is ${before.state} and cannot start again`);
    }
    // A step that was started before may have a book, and takes the key out of it where it has none any more.
    const restarted =
      before !== null && this.#db.write("restart effect", SQL.restartEffect, thread, settleKey, seq, effect) > 0;
    if (settleKey !== null && !restarted) {
      this.#db.write("insert effect", SQL.insertEffect, effect, thread, settleKey, seq);
    }
    return { step, state: "started", keyed: settleKey !== null };
  }
}
