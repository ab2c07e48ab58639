/**
 * Runs and rows are numbered. A row's id is `n * 2^24 + seq`, where run n is the n-th that began in this file: rows of a
 * run lie side by side in their order, and what concerns a step is found under `n * 2^24 + step`. Ids stay within the
 * whole numbers that JavaScript can count.
 */
import { StoreError } from "../../ports/store.ts";

/** The ids of one run. Every id from here on is arithmetic and not bits: JavaScript has bits for 32 only. */
export const IDS_A_RUN = 2 ** 24;
const SEQ_MAX = IDS_A_RUN - 1;
const RUNS_MAX = 2 ** 29 - 1;

/** The id of a run's first row, by which the index of runs names the run. */
export function firstIdAfter(newest: number | null): number {
  const n = newest === null ? 1 : runNumberOf(newest) + 1;
  if (n > RUNS_MAX)
    throw new StoreError("unavailable", `this file has ${RUNS_MAX} runs and takes no more: use a new one`);
  return n * IDS_A_RUN + 1;
}

export function runNumberOf(id: number): number {
  return Math.floor(id / IDS_A_RUN);
}

/** The row's place in its run, or the number of the step that an id names. */
export function seqOfId(id: number): number {
  return id % IDS_A_RUN;
}

/** `first` is the id of the run's first row. */
export function rowId(first: number, run: string, seq: number): number {
  if (seq > SEQ_MAX)
    throw new StoreError("unavailable", `run ${run} has ${SEQ_MAX} rows and takes no more: begin another`);
  return first - 1 + seq;
}

export function stepId(first: number, run: string, step: number): number {
  if (!isStep(step)) throw new TypeError(`step ${step} of run ${run} is no whole number from 0 to ${SEQ_MAX}`);
  return first - 1 + step;
}

export function isStep(step: number): boolean {
  return Number.isInteger(step) && step >= 0 && step <= SEQ_MAX;
}

/** A hash lies in the file as its 32 bytes. */
export function hashBytes(hash: string): Uint8Array {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new TypeError("the hash of a row is 64 hexadecimal digits");
  return Buffer.from(hash, "hex");
}
