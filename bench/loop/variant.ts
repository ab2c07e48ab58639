/** What came of one run, so that a peer which skips work is found out. */
export type Seen = { readonly lookups: number; readonly text: string };

/** A peer that is ready: what it sets up once is set up. */
export type Session = {
  /** Carries one fresh run of this many turns to its answer. */
  readonly run: (turns: number) => Promise<Seen>;
  readonly close: () => Promise<void>;
};

/** A Variant: one way to carry the workload. `folder` is empty, its own, and on the disk that is measured. */
export type Variant = (folder: string) => Promise<Session>;
