/**
 * What every store checks of a write before it writes any of it: that its rows continue the run, and that they say what the
 * write says. What is wrong here is a mistake of the caller, a TypeError; only a head that has moved on is a `conflict`.
 */
import type { Reservation } from "../domain/cap.ts";
import { isJsonObject, type Json, own } from "../domain/json.ts";
import { ChainedRow, type Row, saidBy } from "../domain/row.ts";
import { type Closing, type DecideQuery, type RunHeader, type SettleWrite, StoreError } from "./store.ts";

/** The newest row of a run's chain. */
export type ChainHead = { readonly seq: number; readonly hash: string };

/**
 * The last of the rows of a write, once they are known to continue the run; a head of null is that of a run that begins.
 * `conflict` where the head has moved on: then somebody else carries the run. Rows that do not even hang together are a
 * mistake of the caller.
 */
export function lastOfChain(rows: readonly Row[], run: string, head: ChainHead | null): Row {
  let previous = head ?? { seq: 0, hash: "0".repeat(64) };
  let last: Row | null = null;
  for (const row of rows) {
    if (row.run !== run) throw new TypeError(`a row of run ${row.run} in a write to run ${run}`);
    if (row.seq !== previous.seq + 1 || !hangsOn(row, previous)) {
      if (last !== null || head === null) throw new TypeError(`row ${row.seq} of run ${run} hangs on no row before it`);
      throw new StoreError("conflict", `run ${run} has gone on to row ${head.seq}: somebody else carries it`);
    }
    previous = row;
    last = row;
  }
  if (last === null) throw new TypeError("a write has at least one row");
  return last;
}

/** By what it was made to hang on where that is known, else by the hashes. */
function hangsOn(row: Row, previous: ChainHead): boolean {
  return (row instanceof ChainedRow && row.hangsOn(previous)) || row.prev === previous.hash;
}

/** The run that rows belong to. */
export function runOf(rows: readonly Row[]): string {
  const first = rows[0];
  if (first === undefined) throw new TypeError("a write has at least one row");
  return first.run;
}

/** A run begins with its `began` row, and the index says of its beginning what that row says. */
export function checkBeginning({ run, thread, principal, startedAt, request }: RunHeader, rows: readonly Row[]): void {
  const row = rows[0];
  const said = row?.kind === "began" ? headerOf(row) : null;
  if (said === null) throw new TypeError(`run ${run} does not begin with its beginning`);
  if (
    said.thread !== thread ||
    said.principal !== principal ||
    said.startedAt !== startedAt ||
    said.request !== request
  ) {
    throw new TypeError(`run ${run} begins as something else than its first row says`);
  }
}

/** What a `began` row says of its run; null for what it does not say. */
export function headerOf(began: Row): {
  readonly thread: string | null;
  readonly principal: string | null;
  readonly request: string | null;
  readonly startedAt: number;
} {
  const body = saidBy(began);
  const principal = fieldOf(body, "principal");
  return {
    thread: textOr(fieldOf(body, "thread")),
    principal: textOr(isJsonObject(principal) ? own(principal, "id") : principal),
    request: textOr(fieldOf(body, "request")),
    startedAt: began.at,
  };
}

/** The last row of a write ends the run exactly where there is a closing, and says of the end what the closing says. */
export function checkClosing(last: Row, closing: Closing | null): void {
  if ((last.kind === "ended") !== (closing !== null))
    throw new TypeError("an ended row comes with its closing, and a closing with its row");
  if (closing === null) return;
  const { ending, text } = endOf(saidBy(last));
  if (ending !== closing.ending || text !== closing.text)
    throw new TypeError("the closing says another end than its row");
}

/** How an `ended` row says that its run ended. */
export function endOf(body: Json): { readonly ending: string | null; readonly text: string | null } {
  return { ending: textOr(fieldOf(body, "ending")), text: textOr(fieldOf(body, "text")) };
}

/** The row that starts the effect of a step, with the key under which it settles. */
export function startedRow(rows: readonly Row[], { run, step, settleKey }: DecideQuery): Row {
  const { row, said } = rowOf(rows, "started", run, step);
  // A row leaves out what goes without saying (domain/row-body.ts).
  if (said !== null && (fieldOf(said, "settleKey") ?? null) !== settleKey)
    throw new TypeError(`step ${step} of run ${run} starts under another key than its row says`);
  return row;
}

/** The row that decides on a step and lists exactly these reservations. */
export function decidedRow(rows: readonly Row[], query: DecideQuery, reservations: readonly Reservation[]): Row {
  const { run, step } = query;
  const { row, said } = rowOf(rows, "decided", run, step);
  if (said === null) return row;
  const listed = fieldOf(said, "reservations") ?? [];
  const all = Array.isArray(listed) && listed.length === reservations.length;
  if (!all || !reservations.every((wanted) => listed.some((item) => isReservation(item, wanted))))
    throw new TypeError(`step ${step} of run ${run} reserves something else than its decision says`);
  return row;
}

function isReservation(item: Json, { cap, key, window, amount, limit }: Reservation): boolean {
  const is = (name: string, value: Json) => fieldOf(item, name) === value;
  return is("cap", cap) && is("key", key) && is("window", window) && is("amount", amount) && is("limit", limit);
}

/** The row that says how a step came out, as the write does. */
export function finishedRow({ run, step, outcome, rows }: SettleWrite): Row {
  const { row, said } = rowOf(rows, "finished", run, step);
  if (said !== null && (fieldOf(said, "outcome") ?? "done") !== outcome)
    throw new TypeError(`step ${step} of run ${run} comes out otherwise than its row says`);
  return row;
}

/**
 * The row of a write that says why a step changes, and what it says: the newest of this kind, which is about that step.
 *
 * `said` is null for a row that is worked out later: asking each of them would cost a fifth of a turn in memory. It was made
 * from the event that the write was made from, and a store on disk holds its books against the row's text all the same.
 */
function rowOf(
  rows: readonly Row[],
  kind: string,
  run: string,
  step: number,
): { readonly row: Row; readonly said: Json | null } {
  const row = rows.findLast((known) => known.kind === kind);
  if (row === undefined) throw new TypeError(`a write to step ${step} of run ${run} needs its ${kind} row`);
  if (row instanceof ChainedRow) return { row, said: null };
  if (fieldOf(row.body, "step") !== step)
    throw new TypeError(`the ${kind} row of a write to step ${step} of run ${run} is of another`);
  return { row, said: row.body };
}

export function fieldOf(body: Json, name: string): Json | undefined {
  return isJsonObject(body) ? own(body, name) : undefined;
}

export function textOr(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}
