/** Reading back what the database holds, strictly: a column that is not what was written is damage, and is named. */

import type { StatementSync } from "node:sqlite";
import { canonicalJson } from "../../domain/canonical.ts";
import { isEnding } from "../../domain/ending.ts";
import { CHAIN_START } from "../../domain/head.ts";
import type { Json } from "../../domain/json.ts";
import { jsonFrom } from "../../domain/json-text.ts";
import type { Row, RowEnd } from "../../domain/row.ts";
import { type HeadEntry, type RunEntry, type ScannedRow, type SettledEffect, StoreError } from "../../ports/store.ts";
import { endOf, fieldOf } from "../../ports/written-rows.ts";
import { errcode } from "./errors.ts";
import type { Held } from "./reservations.ts";
import { seqOfId } from "./row-id.ts";

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
    value = jsonFrom(text);
    again = canonicalJson(value);
  } catch {
    throw new Unreadable(`column ${name} is not JSON`);
  }
  if (again !== text) throw new Unreadable(`column ${name} is not canonical JSON`);
  return value;
}

export function bytesIn(columns: Columns, name: string): Uint8Array {
  const value = columns[name];
  if (!(value instanceof Uint8Array)) throw new Unreadable(`column ${name} is not bytes`);
  return value;
}

/** The 32 bytes of a hash, as 64 hexadecimal digits. */
export function hashIn(columns: Columns, name: string): string {
  const value = bytesIn(columns, name);
  if (value.length !== 32) throw new Unreadable(`column ${name} is no hash`);
  return Buffer.from(value.buffer, value.byteOffset, value.length).toString("hex");
}

function readRow(columns: Columns, run: string, prev: string): Row {
  return {
    run,
    seq: seqOfId(wholeIn(columns, "id")),
    at: wholeIn(columns, "at"),
    kind: textIn(columns, "kind"),
    body: jsonIn(columns, "body"),
    prev,
    hash: hashIn(columns, "hash"),
  };
}

/** A row that a scan came upon, without its place in the chain. */
export function readScanned(columns: Columns): ScannedRow {
  const [run, seq] = [textIn(columns, "run"), seqOfId(wholeIn(columns, "id"))];
  try {
    const [at, kind, body] = [wholeIn(columns, "at"), textIn(columns, "kind"), jsonIn(columns, "body")];
    return { run, seq, at, kind, body };
  } catch (error) {
    throw isDamage(error) ? damagedRow(run, seq, [], error) : error;
  }
}

/** The index entry of a run: what it was begun with, and what its newest row says of its end. */
export function readEntry(columns: Columns): RunEntry {
  const header = {
    run: textIn(columns, "run"),
    thread: textIn(columns, "thread"),
    principal: textIn(columns, "principal"),
    startedAt: wholeIn(columns, "started_at"),
    request: textIn(columns, "request"),
  };
  // A run of which every row was taken away has no newest one.
  if (columns.id === null) {
    return { ...header, headSeq: 0, headHash: CHAIN_START, updatedAt: header.startedAt, ending: null, text: null };
  }
  const seq = seqOfId(wholeIn(columns, "id"));
  try {
    return { ...header, headSeq: seq, ...readNewest(columns) };
  } catch (error) {
    throw isDamage(error) ? damagedRow(header.run, seq, [], error) : error;
  }
}

/** What the index says of the newest row of a run. */
function readNewest(columns: Columns): Pick<RunEntry, "headHash" | "updatedAt" | "ending" | "text"> {
  const head = { headHash: hashIn(columns, "hash"), updatedAt: wholeIn(columns, "at") };
  if (columns.ended === null) return { ...head, ending: null, text: null };
  const { ending, text } = endOf(jsonIn(columns, "ended"));
  if (ending === null || !isEnding(ending)) throw new Unreadable("it names no ending");
  if (text === null) throw new Unreadable("it ends the run and has no text");
  return { ...head, ending, text };
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

/** An effect under its key. `finished` is the row that settled it, and is not asked for where none did. */
export function readSettled(columns: Columns, finished: (id: number) => Columns | undefined): SettledEffect {
  const state = textIn(columns, "state");
  if (state !== "started" && state !== "done" && state !== "outcome_unknown") {
    throw new Unreadable(`column state says ${state}`);
  }
  const id = wholeIn(columns, "id");
  const [run, step] = [textIn(columns, "run"), seqOfId(id)];
  if (state === "started") return { run, step, state, result: null };
  const seq = wholeIn(columns, "settled_seq");
  const row = finished(id - step + seq);
  if (row === undefined || row.kind !== "finished") throw new Unreadable(`row ${seq} of run ${run} is no outcome`);
  return { run, step, state, result: fieldOf(jsonIn(row, "body"), "result") ?? null };
}

export function readHeld(columns: Columns): Held {
  const released = textIn(columns, "state") === "released";
  const amount = released ? 0 : wholeIn(columns, "amount");
  const slot = { cap: textIn(columns, "cap"), key: textIn(columns, "key"), window: textIn(columns, "window") };
  return { ...slot, amount, released };
}

/** The rows of a run, in the order in which the statement gives them. Damage names the first row that cannot be read. */
export function readRowsOf(run: string, statement: StatementSync): readonly Row[] {
  return readRowsFrom({ run, seq: 0, hash: CHAIN_START }, statement, run);
}

/** The rows behind `end`, as the statement gives them for `wanted`. */
export function readRowsFrom(end: RowEnd, statement: StatementSync, wanted: string | number): readonly Row[] {
  const { run } = end;
  const rows: Row[] = [];
  let seq = end.seq + 1;
  let prev = end.hash;
  try {
    for (const columns of statement.iterate(wanted)) {
      seq = typeof columns.id === "number" ? seqOfId(columns.id) : seq;
      const row = readRow(columns, run, prev);
      rows.push(row);
      prev = row.hash;
      // Where the next row cannot even be fetched, this is its seq.
      seq += 1;
    }
  } catch (error) {
    throw isDamage(error) ? damagedRow(run, seq, rows, error) : error;
  }
  return rows;
}

function damagedRow(run: string, seq: number, before: readonly Row[], cause: Error): StoreError {
  const message = `row ${seq} of run ${run} cannot be read: ${cause.message}`;
  return new StoreError("damaged", message, { cause, where: { run, seq, before } });
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
