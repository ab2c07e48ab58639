import { ChainedRow, type Row } from "../domain/row.ts";
import { StoreError } from "./store.ts";

/** What every store checks of the rows of a write, before it writes any of them. */

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
