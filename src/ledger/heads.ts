import type { Ending } from "../domain/ending.ts";
import { CHAIN_START, ChainedHead, type HeadEntry, headText } from "../domain/head.ts";
import type { RowEnd } from "../domain/row.ts";
import type { HashText } from "./rows.ts";

/** The next entry of the index: run `run` closed at row `seq`, whose hash is `head`. */
export function headEntry(
  previous: { readonly n: number; readonly hash: string } | null,
  at: number,
  run: string,
  seq: number,
  head: string,
  hash: HashText,
): HeadEntry {
  const open = { n: (previous?.n ?? 0) + 1, at, run, seq, head, prev: previous?.hash ?? CHAIN_START };
  return { ...open, hash: hash(headText(open)) };
}

/** The same for a row whose hash need not be known yet. */
export function headOf(previous: HeadEntry | null, at: number, row: RowEnd, hash: HashText): HeadEntry {
  return new ChainedHead(previous, at, row, hash);
}

/** What the index of runs says of one run, as far as verification and checkpoints need it. */
export type EntryFacts = {
  readonly run: string;
  readonly headSeq: number;
  readonly headHash: string;
  readonly ending: Ending | null;
};
