import { canonicalJson } from "../domain/canonical.ts";
import type { Ending } from "../domain/ending.ts";
import { CHAIN_START, type HashText } from "./rows.ts";

/**
 * A HeadEntry: one link of the index of run heads, made each time a run closes. It chains the runs to each other, so
 * that rows cut off the end of a closed run, or a whole closed run that is gone, leave an entry that nothing answers.
 */
export type HeadEntry = {
  /** 1, 2, 3 … without a gap. */
  readonly n: number;
  /** Milliseconds since 1970-01-01T00:00Z. */
  readonly at: number;
  readonly run: string;
  /** The newest row of the run when it closed, and that row's hash. */
  readonly seq: number;
  readonly head: string;
  /** The hash of entry `n - 1`; for the first entry, 64 zeros. */
  readonly prev: string;
  readonly hash: string;
};

/** The text that an entry's hash covers: the canonical JSON of all of its other fields. */
export function headText(entry: Omit<HeadEntry, "hash">): string {
  const { at, head, n, prev, run, seq } = entry;
  return canonicalJson({ at, head, n, prev, run, seq });
}

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

/** What the index of runs says of one run, as far as verification and checkpoints need it. */
export type EntryFacts = {
  readonly run: string;
  readonly headSeq: number;
  readonly headHash: string;
  readonly ending: Ending | null;
};
