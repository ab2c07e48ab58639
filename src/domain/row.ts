import type { Json } from "./json.ts";

/** A Row: one link of a run's chain in the ledger (design 8). `hash` covers every other field, so no column can be edited alone. */
export type Row = {
  readonly run: string;
  /** 1, 2, 3 … without a gap. */
  readonly seq: number;
  /** Milliseconds since 1970-01-01T00:00Z. */
  readonly at: number;
  readonly kind: string;
  readonly body: Json;
  /** The hash of row `seq - 1`; for the first row, 64 zeros. */
  readonly prev: string;
  readonly hash: string;
};
