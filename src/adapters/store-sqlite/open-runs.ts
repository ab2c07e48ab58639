import { CHAIN_START } from "../../domain/head.ts";
import type { Row } from "../../domain/row.ts";
import { StoreError } from "../../ports/store.ts";
import type { ChainHead } from "../../ports/written-rows.ts";
import { type Book, booksOf } from "./books.ts";
import type { Database } from "./database.ts";
import { hashIn, reading, readRowsOf, wholeIn } from "./read.ts";
import { firstIdAfter, IDS_A_RUN, seqOfId } from "./row-id.ts";
import { SQL } from "./sql.ts";

/** What the rows say of a step that was started. `keyed`: a book is kept of it, under its settle key. */
export type StepBefore = { readonly state: string; readonly keyed: boolean };

/** A run as its rows are known here: the newest of them, and its steps. */
export type OpenRun = ChainHead & {
  readonly run: string;
  /** The id of its first row. */
  readonly first: number;
  readonly steps: Map<number, StepBefore>;
};
/** What a write made of a step. */
export type StepAfter = StepBefore & { readonly step: number };

/** How many runs are remembered. One that was forgotten is read again, which is all that it costs. */
const RUNS_MAX = 1_024;

/**
 * The runs that this process writes. A run's head and the states of its steps are not in a book of their own but follow
 * from its rows, and are remembered here from one write to the next. Each write looks first whether the newest row is
 * still the one that is remembered: rows are only ever appended, so then the others are as well.
 */
export class OpenRuns {
  readonly #db: Database;
  readonly #runs = new Map<string, OpenRun>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** The id of a run's first row, or null where there is no such run. */
  firstOf(run: string): number | null {
    const columns = this.#db.statement(SQL.first).get(run);
    return columns === undefined ? null : reading(`the index entry of run ${run}`, () => wholeIn(columns, "first"));
  }

  /** The id under which the next run begins. */
  nextFirst(): number {
    const columns = this.#db.statement(SQL.newestRun).get() ?? {};
    const number = (name: string) =>
      columns[name] === null ? null : reading("the index of runs", () => wholeIn(columns, name));
    const first = firstIdAfter(number("first"));
    const newest = number("newest");
    if (newest !== null && newest >= first)
      throw new StoreError("damaged", "where the next run would begin are rows of none: restore a copy");
    return first;
  }

  /** The run as it is in the transaction under way. `conflict` where it is not in this store. */
  at(run: string): OpenRun {
    const known = this.#runs.get(run);
    const first = known?.first ?? this.firstOf(run);
    if (first === null) throw new StoreError("conflict", `run ${run} is not in this store`);
    const columns = this.#db.statement(SQL.head).get(first - 1, first - 2 + IDS_A_RUN);
    if (columns === undefined) throw new StoreError("damaged", `run ${run} has no rows: restore a copy`);
    const head = reading(`the newest row of run ${run}`, () => ({
      seq: seqOfId(wholeIn(columns, "id")),
      hash: hashIn(columns, "hash"),
    }));
    if (known !== undefined && known.seq === head.seq && known.hash === head.hash) return known;
    const { effects } = booksOf(readRowsOf(run, this.#db.statement(SQL.rows)));
    const steps = new Map([...effects].map(([step, book]) => [step, stepOf(book)] as const));
    return this.#remember({ ...head, run, first, steps });
  }

  /** A run with these rows was begun, and that is committed. */
  began(first: number, rows: readonly Row[]): void {
    const run = rows[0]?.run ?? "";
    this.wrote({ run, first, seq: 0, hash: CHAIN_START, steps: new Map() }, rows, null);
  }

  /** Rows were written behind those of `run`, and are committed. `step`: what they made of a step, if of any. */
  wrote({ run, first, steps }: OpenRun, rows: readonly Row[], step: StepAfter | null): void {
    const last = rows.at(-1);
    const untold = step === null && rows.some(({ kind }) => kind === "started" || kind === "finished");
    if (last === undefined || untold) {
      this.forget(run);
      return;
    }
    const { seq, hash } = last;
    if (step !== null) steps.set(step.step, { state: step.state, keyed: step.keyed });
    this.#remember({ run, first, seq, hash, steps });
  }

  forget(run: string): void {
    this.#runs.delete(run);
  }

  #remember(run: OpenRun): OpenRun {
    this.#runs.delete(run.run);
    this.#runs.set(run.run, run);
    for (const oldest of this.#runs.keys()) {
      if (this.#runs.size <= RUNS_MAX) break;
      this.#runs.delete(oldest);
    }
    return run;
  }
}

function stepOf({ settle_key: key, state }: Book): StepBefore {
  return { state: String(state), keyed: key !== null };
}
