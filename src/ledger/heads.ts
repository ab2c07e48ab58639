import { canonicalJson } from "../domain/canonical.ts";
import type { Ending } from "../domain/ending.ts";
import type { HeadEntry } from "../domain/head.ts";
import { CHAIN_START, type HashText } from "./rows.ts";

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
