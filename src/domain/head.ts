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

/**
 * A HeadEntry whose hashes are worked out when somebody first asks for them, as those of a ChainedRow are. A row that turns
 * out to have none, since what it says is not JSON, is named by zeros: then its run is damaged, and the entries after it
 * are not.
 */
export class ChainedHead implements HeadEntry {
  readonly n: number;
  readonly at: number;
  readonly run: string;
  readonly seq: number;
  readonly #hashText: (text: string) => string;
  /** What it hangs on and which row it names, until its own hash is known. */
  #open: { readonly previous: HeadEntry | null; readonly row: RowEnd } | null;
  #head = "";
  #prev = "";
  #hash = "";

  constructor(previous: HeadEntry | null, at: number, row: RowEnd, hashText: (text: string) => string) {
    this.n = (previous?.n ?? 0) + 1;
    this.at = at;
    this.run = row.run;
    this.seq = row.seq;
    this.#hashText = hashText;
    this.#open = { previous, row };
  }

  get head(): string {
    if (this.#open !== null) this.#seal();
    return this.#head;
  }

  get prev(): string {
    if (this.#open !== null) this.#seal();
    return this.#prev;
  }

  get hash(): string {
    if (this.#open !== null) this.#seal();
    return this.#hash;
  }

  /** Whether it was made to hang on exactly this entry and to name exactly this row. False says nothing. */
  isBetween(previous: HeadEntry | null, row: object): boolean {
    return this.#open !== null && this.#open.previous === previous && this.#open.row === row;
  }

  /** The same as a plain value, which can be copied and written down in any way. */
  toJSON(): HeadEntry {
    const { n, at, run, seq, head, prev, hash } = this;
    return { n, at, run, seq, head, prev, hash };
  }

  /** From the oldest entry that is still open to this one: an index can be longer than the stack is deep. */
  #seal(): void {
    const chain: ChainedHead[] = [];
    let entry: HeadEntry | null = this;
    while (entry instanceof ChainedHead && entry.#open !== null) {
      chain.push(entry);
      entry = entry.#open.previous;
    }
    for (const next of chain.reverse()) {
      if (next.#open === null) continue;
      const { previous, row } = next.#open;
      const { n, at, run, seq } = next;
      next.#head = hashOf(row);
      next.#prev = previous?.hash ?? CHAIN_START;
      next.#hash = next.#hashText(headText({ n, at, run, seq, head: next.#head, prev: next.#prev }));
      next.#open = null;
    }
  }
}

function hashOf(row: RowEnd): string {
  try {
    return row.hash;
  } catch (error) {
    // Whoever reads the row is told what is wrong with it.
    if (error instanceof TypeError) return CHAIN_START;
    throw error;
  }
}
