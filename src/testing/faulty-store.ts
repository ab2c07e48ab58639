import { type Store, StoreError } from "../ports/store.ts";

export type FaultyStoreOptions = {
  /** Which mutating call fails, counted from 1 over begin, append, decide, settle and appendGuides. Default: none. */
  readonly failAt?: number;
  /** Told of every mutating call, before it is made or failed. */
  readonly onCall?: (name: string, n: number) => void;
};

/**
 * A Store whose N-th mutating call fails with `unavailable`, as a full disk would, and writes nothing. Every other call
 * goes to the inner store. Run the same scenario with N = 1, 2, 3 … until no call fails, and every place where the disk
 * can fail has been tried (claim R11).
 */
export function faultyStore(inner: Store, options: FaultyStoreOptions = {}): Store {
  let calls = 0;
  const mutate = async (name: string, call: () => Promise<void>): Promise<void> => {
    calls += 1;
    const n = calls;
    options.onCall?.(name, n);
    if (n === options.failAt) throw new StoreError("unavailable", `${name}: planted fault at call ${n}`);
    await call();
  };
  return {
    ...(inner.lazyRows === true ? { lazyRows: true } : {}),
    claim: (run) => inner.claim(run),
    release: (run) => inner.release(run),
    isCarried: (run) => inner.isCarried(run),
    begin: (run, rows) => mutate("begin", () => inner.begin(run, rows)),
    append: (rows, closing) => mutate("append", () => inner.append(rows, closing)),
    decide: (query, judge) => mutate("decide", () => inner.decide(query, judge)),
    settle: (write) => mutate("settle", () => inner.settle(write)),
    appendGuides: (rows, revisions) => mutate("appendGuides", () => inner.appendGuides(rows, revisions)),
    readGuides: (after) => inner.readGuides(after),
    readRevision: (digest) => inner.readRevision(digest),
    listRevisions: () => inner.listRevisions(),
    readRows: (run) => inner.readRows(run),
    readRun: (run) => inner.readRun(run),
    listRuns: (filter) => inner.listRuns(filter),
    listRunIds: () => inner.listRunIds(),
    scan: (kinds, visit) => inner.scan(kinds, visit),
    readHeads: () => inner.readHeads(),
    capUse: (slots, except) => inner.capUse(slots, except),
    readCaps: (filter) => inner.readCaps(filter),
    checkBooks: () => inner.checkBooks(),
    close: () => inner.close(),
  };
}
