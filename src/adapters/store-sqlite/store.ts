import { canonicalJson } from "../../domain/canonical.ts";
import type { CapSlot, CapUse } from "../../domain/cap.ts";
import { bodyText, type Row } from "../../domain/row.ts";
import {
  type Closing,
  type DecideQuery,
  type DecideSeen,
  type DecideWrite,
  type HeadEntry,
  type RunEntry,
  type RunHeader,
  type SettledEffect,
  type SettleWrite,
  type Store,
  StoreError,
} from "../../ports/store.ts";
import { type ChainHead, lastOfChain, runOf } from "../../ports/written-rows.ts";
import { checkBooks } from "./check-books.ts";
import { callOut, Database } from "./database.ts";
import { Owners } from "./owners.ts";
import { readEntry, readHead, readHeld, reading, readRowsOf, readSettled, textIn, wholeIn } from "./read.ts";
import { type Held, reserve, settleReservations } from "./reservations.ts";
import { SQL } from "./sql.ts";

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
/** The head of a run, and what the books say of one of its steps: null where its effect never started. */
type StepHead = ChainHead & { readonly thread: string; readonly state: string | null };

// Every method is async for its errors to be rejections, and none awaits: a transaction is one turn of the event loop.
class SqliteStore implements Store {
  readonly #db: Database;
  readonly #owners: Owners;

  constructor(db: Database, owners: Owners) {
    this.#db = db;
    this.#owners = owners;
  }

  async claim(run: string): Promise<void> {
    this.#owners.claim(run);
  }

  async release(run: string): Promise<void> {
    this.#owners.release(run);
  }

  async begin(run: RunHeader, rows: readonly Row[]): Promise<void> {
    this.#db.transaction("begin", () => {
      if (this.#head(run.run) !== null) throw new StoreError("conflict", `run ${run.run} has already begun`);
      const last = lastOfChain(rows, run.run, null);
      this.#insertRows(rows);
      const { thread, principal, startedAt, request } = run;
      // A lone surrogate would silently become another character in the file.
      for (const text of [run.run, thread, principal, request]) canonicalJson(text);
      this.#db.write("insert run", SQL.insertRun, run.run, thread, principal, startedAt, request, seqOf(rows, "began"));
      this.#db.write("insert run state", SQL.insertState, run.run, last.seq, last.hash, last.at);
    });
  }

  async append(rows: readonly Row[], closing: Closing | null): Promise<void> {
    this.#db.transaction("append", () => {
      const run = runOf(rows);
      const last = lastOfChain(rows, run, this.#head(run) ?? absent(run));
      this.#insertRows(rows);
      if (closing !== null) this.#insertHead(last, closing);
      this.#moveHead(last, closing);
    });
  }

  async decide(query: DecideQuery, judge: (seen: DecideSeen) => DecideWrite): Promise<void> {
    this.#db.transaction("decide", () => {
      const { run, step, slots } = query;
      const head = this.#stepHead(run, step);
      const own = head.state === null ? [] : this.#held(run, step);
      const capUse = slots.map((slot) => this.#use(slot, own));
      const settled = this.#settled(query);
      const write = callOut(() => judge({ capUse, settled }));
      const last = lastOfChain(write.rows, run, head);
      this.#insertRows(write.rows);
      if (write.start !== null) {
        this.#start(query, head.state, write.start, seqOf(write.rows, "started"));
        const { reservations } = write.start;
        reserve(this.#db, { run, step, own, capUse, reservations, seq: seqOf(write.rows, "decided") });
      }
      this.#moveHead(last, null);
    });
  }

  async settle(write: SettleWrite): Promise<void> {
    this.#db.transaction("settle", () => {
      const { run, step, outcome, rows } = write;
      const head = this.#stepHead(run, step);
      const last = lastOfChain(rows, run, head);
      if (head.state === null) throw new TypeError(`step ${step} of run ${run} was never started`);
      const open = head.state === "started" || (head.state === "outcome_unknown" && outcome !== "outcome_unknown");
      if (!open) throw new TypeError(`step ${step} of run ${run} is ${head.state} and cannot become ${outcome}`);
      const seq = seqOf(rows, "finished");
      this.#insertRows(rows);
      this.#db.write("settle effect", SQL.settleEffect, outcome, canonicalJson(write.result), seq, run, step);
      settleReservations(this.#db, { run, step, outcome, own: this.#held(run, step), seq });
      this.#moveHead(last, null);
    });
  }

  async readRows(run: string): Promise<readonly Row[]> {
    return this.#db.use("read rows", () => readRowsOf(run, this.#db.statement(SQL.rows)));
  }

  async readRun(run: string): Promise<RunEntry | null> {
    return this.#db.use("read run", () =>
      reading(`the index entry of run ${run}`, () => {
        const columns = this.#db.statement(SQL.entry).get(run);
        return columns === undefined ? null : readEntry(columns);
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

  async readHeads(): Promise<readonly HeadEntry[]> {
    return this.#db.use("read heads", () =>
      reading("the index of heads", () => this.#db.statement(SQL.heads).all().map(readHead)),
    );
  }

  async capUse(slots: readonly CapSlot[], except: StepOfRun | null): Promise<readonly CapUse[]> {
    return this.#db.snapshot("read caps", () => {
      const own = except === null ? [] : this.#held(except.run, except.step);
      return slots.map((slot) => this.#use(slot, own));
    });
  }

  async checkBooks(): Promise<readonly string[]> {
    return this.#db.snapshot("check books", () => checkBooks(this.#db));
  }

  async close(): Promise<void> {
    this.#owners.close();
    this.#db.close();
  }

  #head(run: string): ChainHead | null {
    const columns = this.#db.statement(SQL.head).get(run);
    if (columns === undefined) return null;
    return reading(`the index entry of run ${run}`, () => ({
      seq: wholeIn(columns, "seq"),
      hash: textIn(columns, "hash"),
    }));
  }

  #stepHead(run: string, step: number): StepHead {
    const columns = this.#db.statement(SQL.stepHead).get(step, run) ?? absent(run);
    return reading(`the index entry of run ${run}`, () => ({
      seq: wholeIn(columns, "seq"),
      hash: textIn(columns, "hash"),
      thread: textIn(columns, "thread"),
      state: columns.state === null ? null : textIn(columns, "state"),
    }));
  }

  #insertRows(rows: readonly Row[]): void {
    for (const row of rows) {
      const { run, seq, at, kind, prev, hash } = row;
      this.#db.write("insert rows", SQL.insertRow, run, seq, at, kind, bodyText(row), prev, hash);
    }
  }

  #moveHead(last: Row, closing: Closing | null): void {
    const text = closing?.text ?? null;
    if (text !== null) canonicalJson(text);
    const { seq, hash, at, run } = last;
    this.#db.write("move run state", SQL.moveState, seq, hash, at, closing?.ending ?? null, text, run);
  }

  #insertHead(last: Row, closing: Closing): void {
    const columns = this.#db.statement(SQL.newestHead).get();
    const previous = columns === undefined ? null : reading("the newest head entry", () => readHead(columns));
    const entry = callOut(() => closing.head(previous));
    const { n, at, run, seq, head, prev, hash } = entry;
    if (run !== last.run || seq !== last.seq || head !== last.hash)
      throw new TypeError("the head entry names another row");
    if (n !== (previous?.n ?? 0) + 1 || prev !== (previous?.hash ?? "0".repeat(64))) {
      throw new TypeError("the head entry does not hang on the newest one");
    }
    this.#db.write("insert head", SQL.insertHead, n, at, run, seq, head, prev, hash);
  }

  #held(run: string, step: number): readonly Held[] {
    return reading(`the reservations of step ${step} of run ${run}`, () =>
      this.#db.statement(SQL.reservations).all(run, step).map(readHeld),
    );
  }

  #use({ cap, key, window }: CapSlot, own: readonly Held[]): CapUse {
    const columns = this.#db.statement(SQL.held).get(cap, key, window);
    let used = columns === undefined ? 0 : reading(`the use of cap ${cap}`, () => wholeIn(columns, "held"));
    for (const held of own) {
      if (held.cap === cap && held.key === key && held.window === window) used -= held.amount;
    }
    return { cap, key, window, used };
  }

  #settled({ run, step, thread, settleKey }: DecideQuery): SettledEffect | null {
    if (settleKey === null) return null;
    const columns = this.#db.statement(SQL.settledEffect).get(thread, settleKey, run, step);
    if (columns === undefined) return null;
    return reading(`the effect that settles step ${step} of run ${run}`, () => readSettled(columns));
  }

  #start(query: DecideQuery, state: string | null, start: NonNullable<DecideWrite["start"]>, seq: number): void {
    const { run, step, thread, settleKey } = query;
    const { tool, effect } = start;
    if (state === null) {
      this.#db.write("insert effect", SQL.insertEffect, run, step, thread, tool, settleKey, effect, seq);
    } else if (state === "started" || state === "failed") {
      this.#db.write("restart effect", SQL.restartEffect, thread, tool, settleKey, effect, seq, run, step);
    } else throw new TypeError(`step ${step} of run ${run} is ${state} and cannot start again`);
  }
}

function absent(run: string): never {
  throw new StoreError("conflict", `run ${run} is not in this store`);
}

/** The row of a write that says why a book changes: the newest of this kind, or else the newest of all. */
function seqOf(rows: readonly Row[], kind: string): number {
  const row = rows.findLast((known) => known.kind === kind) ?? rows.at(-1);
  return row?.seq ?? 0;
}
