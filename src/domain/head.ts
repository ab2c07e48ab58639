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
