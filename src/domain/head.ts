import { canonicalJson } from "./canonical.ts";
import type { RowEnd } from "./row.ts";

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

/** The `prev` of the first row of a chain and of the first entry of the index. */
export const CHAIN_START = "0".repeat(64);

/** The text that an entry's hash covers: the canonical JSON of all of its other fields. */
export function headText(entry: Omit<HeadEntry, "hash">): string {
  const { at, head, n, prev, run, seq } = entry;
  return canonicalJson({ at, head, n, prev, run, seq });
}

/** A HeadEntry whose hashes are worked out when somebody first asks for them, as those of a ChainedRow are. */
export class ChainedHead implements HeadEntry {
  readonly n: number;
  readonly at: number;
  readonly run: string;
  readonly seq: number;
  readonly #previous: HeadEntry | null;
  readonly #row: RowEnd;
  readonly #hashText: (text: string) => string;
  #hash = "";

  constructor(previous: HeadEntry | null, at: number, row: RowEnd, hashText: (text: string) => string) {
    this.n = (previous?.n ?? 0) + 1;
    this.at = at;
    this.run = row.run;
    this.seq = row.seq;
    this.#previous = previous;
    this.#row = row;
    this.#hashText = hashText;
  }

  get head(): string {
    return this.#row.hash;
  }

  get prev(): string {
    return this.#previous?.hash ?? CHAIN_START;
  }

  get hash(): string {
    if (this.#hash === "") this.#hash = this.#hashText(headText(this));
    return this.#hash;
  }

  /** Whether it was made to hang on exactly this entry and to name exactly this row. False says nothing. */
  isBetween(previous: HeadEntry | null, row: object): boolean {
    return this.#previous === previous && this.#row === row;
  }
}
