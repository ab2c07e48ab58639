/** Reading back what the database holds, strictly: a column that is not what was written is damage, and is named. */
import type { StatementSync } from "node:sqlite";
import { canonicalJson } from "../../domain/canonical.ts";
import { isEnding } from "../../domain/ending.ts";
import type { Json } from "../../domain/json.ts";
import type { Row } from "../../domain/row.ts";
import { type HeadEntry, type RunEntry, type SettledEffect, StoreError } from "../../ports/store.ts";
import { errcode } from "./errors.ts";
import type { Held } from "./reservations.ts";

/** One row of a query's answer. */
export type Columns = { readonly [name: string]: unknown };

/** What a column was found to be. Caught here, and turned into a StoreError that says where. */
class Unreadable extends Error {}

export function textIn(columns: Columns, name: string): string {
  const value = columns[name];
  if (typeof value !== "string") throw new Unreadable(`column ${name} is not text`);
  return value;
}

export function wholeIn(columns: Columns, name: string): number {
  const value = columns[name];
  if (typeof value !== "number" || !Number.isSafeInteger(value))
    throw new Unreadable(`column ${name} is not a whole number`);
  return value;
}

/** JSON is stored in its canonical text. Any other text has another meaning, or two. */
export function jsonIn(columns: Columns, name: string): Json {
  const text = textIn(columns, name);
  let value: Json;
  let again: string;
  try {
    value = JSON.parse(text);
    again = canonicalJson(value);
  } catch {
    throw new Unreadable(`column ${name} is not JSON`);
  }
  if (again !== text) throw new Unreadable(`column ${name} is not canonical JSON`);
  return value;
}

export function readRow(columns: Columns): Row {
  return {
    run: textIn(columns, "run"),
    seq: wholeIn(columns, "seq"),
    at: wholeIn(columns, "at"),
    kind: textIn(columns, "kind"),
    body: jsonIn(columns, "body"),
    prev: textIn(columns, "prev"),
    hash: textIn(columns, "hash"),
  };
}

export function readEntry(columns: Columns): RunEntry {
  const ending = columns.ending === null ? null : textIn(columns, "ending");
  if (ending !== null && !isEnding(ending)) throw new Unreadable("column ending is no ending");
  return {
    run: textIn(columns, "run"),
    thread: textIn(columns, "thread"),
    principal: textIn(columns, "principal"),
    startedAt: wholeIn(columns, "started_at"),
    request: textIn(columns, "request"),
    headSeq: wholeIn(columns, "seq"),
    headHash: textIn(columns, "hash"),
    updatedAt: wholeIn(columns, "updated_at"),
    ending,
    text: columns.text === null ? null : textIn(columns, "text"),
  };
}

export function readHead(columns: Columns): HeadEntry {
  return {
    n: wholeIn(columns, "n"),
    at: wholeIn(columns, "at"),
    run: textIn(columns, "run"),
    seq: wholeIn(columns, "seq"),
    head: textIn(columns, "head"),
    prev: textIn(columns, "prev"),
    hash: textIn(columns, "hash"),
  };
}

export function readSettled(columns: Columns): SettledEffect {
  const state = textIn(columns, "state");
  if (state !== "started" && state !== "done" && state !== "outcome_unknown") {
    throw new Unreadable(`column state says ${state}`);
  }
  return { run: textIn(columns, "run"), step: wholeIn(columns, "step"), state, result: jsonIn(columns, "result") };
}

export function readHeld(columns: Columns): Held {
  const released = textIn(columns, "state") === "released";
  const amount = released ? 0 : wholeIn(columns, "amount");
  const slot = { cap: textIn(columns, "cap"), key: textIn(columns, "key"), window: textIn(columns, "window") };
  return { ...slot, amount, released };
}

/** The rows of a run, in the order in which the statement gives them. Damage names the first row that cannot be read. */
export function readRowsOf(run: string, statement: StatementSync): readonly Row[] {
  const rows: Row[] = [];
  let seq = 1;
  try {
    for (const columns of statement.iterate(run)) {
      seq = typeof columns.seq === "number" ? columns.seq : seq;
      rows.push(readRow(columns));
      // Where the next row cannot even be fetched, this is its seq.
      seq += 1;
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
    const message = `row ${seq} of run ${run} cannot be read: ${error.message}`;
    throw new StoreError("damaged", message, { cause: error, where: { run, seq, before: rows } });
  }
  return rows;
}

/** Runs a reading function, and says what was being read if it finds damage. */
export function reading<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw new StoreError("damaged", `${what} cannot be read: ${error.message}`, { cause: error });
  }
}

/** SQLITE_CORRUPT, and Node's refusal of an integer beyond 2^53, are damage too; every other error is not about content. */
function isDamage(error: unknown): error is Error {
  if (error instanceof Unreadable) return true;
  if (!(error instanceof Error)) return false;
  const code = errcode(error);
  return code === null ? "code" in error && error.code === "ERR_OUT_OF_RANGE" : (code & 0xff) === 11;
}
