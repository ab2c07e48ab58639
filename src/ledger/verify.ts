/**
 * Verification: whether a ledger still says what it said when it was written. Pure, and a fold over runs, so that a
 * ledger of any size is verified in the memory of its longest run and its index of heads.
 *
 * What the chains find by themselves: an edited, inserted, deleted, duplicated or reordered row; rows cut off the end of
 * a run; a closed run that is gone; an index that disagrees. With a key also a chain that was computed anew.
 *
 * What they cannot find, and only a Checkpoint kept elsewhere can (checkpoint.ts): an older copy of everything; an open
 * run that is gone, or cut together with its index entry; rows cut off the end of the guides' chain; and, without a key, a
 * ledger that was chained anew.
 */
import { canonicalJson } from "../domain/canonical.ts";
import { CHAIN_START, type HeadEntry, headText } from "../domain/head.ts";
import { type Row, rowText } from "../domain/row.ts";
import { type Checkpoint, checkpointDigest } from "./checkpoint.ts";
import type { EntryFacts } from "./heads.ts";
import type { HashText } from "./rows.ts";

/** What can be wrong with one row of a chain. */
export const ROW_FAULTS = [
  "gap",
  "duplicate",
  "reordered",
  "broken_link",
  "wrong_hash",
  "wrong_run",
  "unreadable",
] as const;
export type RowFault = (typeof ROW_FAULTS)[number];

/** What can be wrong with a ledger. */
export type FaultCode =
  | RowFault
  /** The index names another newest row than the chain has: rows were cut off, or added behind the index. */
  | "head_mismatch"
  /** A closed run without its entry in the index of heads. */
  | "head_missing"
  /** An entry whose run is gone. */
  | "run_missing"
  /** An entry whose row is not on its run's chain. */
  | "head_not_on_chain"
  /** The index of heads is not one chain. */
  | "head_chain"
  /** Two runs with one id, which no store hands out. */
  | "run_twice"
  /** A book disagrees with the rows it follows from. */
  | "books_disagree"
  /** A row of the guides that may not follow those before it: an approval without its verification, for example. */
  | "guide_refused"
  /** A verified revision without its bytes. */
  | "revision_missing"
  /** Bytes that are not what their name says. */
  | "revision_damaged"
  /** Bytes that no row of the guides is about. */
  | "revision_unexplained"
  /** The checkpoint itself was edited, or made under another key. */
  | "checkpoint_edited"
  /** What the checkpoint saw is no longer there. */
  | "checkpoint_missing";

export type Fault = {
  /** null where the fault belongs to no run. */
  readonly run: string | null;
  /** The first bad row of the run, or null where no row can be named. */
  readonly seq: number | null;
  readonly code: FaultCode;
  /** One line. */
  readonly detail: string;
};

/** The newest row of a chain. */
export type ChainHead = { readonly seq: number; readonly hash: string };

export type RunVerdict =
  | { readonly ok: true; readonly head: ChainHead }
  | { readonly ok: false; readonly seq: number; readonly code: RowFault; readonly detail: string };

/** The rows of a run as they could be read: all of them, or those before the first that could not be. */
export type RunRows = {
  readonly entry: EntryFacts;
  readonly rows: readonly Row[];
  readonly unreadable?: { readonly seq: number; readonly detail: string } | null;
};

export type VerifyOptions = {
  readonly heads: readonly HeadEntry[];
  /** What the store found out of step with the rows (Store.checkBooks), one line each. */
  readonly books: readonly string[];
  readonly checkpoint?: Checkpoint | null;
  readonly hash: HashText;
};

/** A verification under way. Opaque: begun, added to and finished by the functions below. */
export type Verification = {
  readonly options: VerifyOptions;
  readonly faults: Fault[];
  readonly seen: Set<string>;
  /** Per run, the rows that something outside of the run points at: head entries and the checkpoint's open runs. */
  readonly pointers: ReadonlyMap<string, readonly Pointer[]>;
  rows: number;
  /** Rows of the guides' chain. */
  guides: number;
  /** Revisions that are kept beside it. */
  revisions: number;
};

type Pointer = { readonly seq: number; readonly hash: string; readonly from: string; readonly code: FaultCode };

export type LedgerVerdict = {
  readonly ok: boolean;
  /** In the order: heads, checkpoint, runs as they were added, what is missing, books. */
  readonly faults: readonly Fault[];
  readonly runs: number;
  readonly rows: number;
  readonly heads: number;
  /** Rows of the guides' chain. */
  readonly guides: number;
  /** Revisions of rule files that are kept beside it, each of them hashed anew. */
  readonly revisions: number;
};

/**
 * Verifies one run's chain, its rows in the order in which the store gives them, and names the first bad row: for a gap
 * the row that is missing. The index is not looked at here, so rows missing at the end are not found here. `from`: the row
 * that they hang on, where those before it were verified already.
 */
export function verifyRun(rows: readonly Row[], hash: HashText, from: ChainHead = NO_ROWS): RunVerdict {
  const run = rows[0]?.run ?? "";
  let previous: ChainHead = { seq: from.seq, hash: from.hash };
  for (const [index, row] of rows.entries()) {
    const bad = rowFault(row, run, previous, hash);
    if (bad !== null) {
      const late = bad.code === "gap" && rows.slice(index).some((other) => other.seq === previous.seq + 1);
      return late ? { ...bad, code: "reordered", detail: `row ${bad.seq} comes after row ${row.seq}` } : bad;
    }
    previous = { seq: row.seq, hash: row.hash };
  }
  return { ok: true, head: previous };
}

const NO_ROWS: ChainHead = { seq: 0, hash: CHAIN_START };

type BadRow = Extract<RunVerdict, { ok: false }>;

function rowFault(row: Row, run: string, previous: ChainHead, hash: HashText): BadRow | null {
  const expected = previous.seq + 1;
  if (
    !isWhole(row.seq) ||
    row.seq < 1 ||
    !isWhole(row.at) ||
    !isText(row.run) ||
    !isText(row.kind) ||
    !isText(row.hash)
  ) {
    return bad(expected, "unreadable", "a column holds what no row of ours can");
  }
  if (row.run !== run) return bad(expected, "wrong_run", `the row belongs to run ${row.run}`);
  if (row.seq > expected) return bad(expected, "gap", `row ${expected} is missing, row ${row.seq} follows`);
  if (row.seq < expected) return bad(row.seq, "duplicate", `row ${row.seq} is there twice`);
  if (row.prev !== previous.hash) return bad(expected, "broken_link", `it does not hang on row ${previous.seq}`);
  const text = textOf(row);
  if (text === null) return bad(expected, "unreadable", "its body is not JSON");
  if (hash(text) !== row.hash) return bad(expected, "wrong_hash", "its hash is not that of its content");
  return null;
}

function textOf(row: Row): string | null {
  try {
    return rowText(row, canonicalJson(row.body));
  } catch {
    // canonicalJson throws for what JSON has no word for: such a row cannot have been written by us.
    return null;
  }
}

function bad(seq: number, code: RowFault, detail: string): BadRow {
  return { ok: false, seq, code, detail };
}

function isWhole(value: unknown): boolean {
  return Number.isSafeInteger(value);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

/**
 * Begins to verify a ledger: its index of heads now, then its runs one by one (addRun), the guides' chain (addGuides in
 * verify-guides.ts), then finishVerification.
 */
export function beginVerification(options: VerifyOptions): Verification {
  const pointers = new Map<string, Pointer[]>();
  const point = (run: string, pointer: Pointer) => {
    const list = pointers.get(run);
    if (list === undefined) pointers.set(run, [pointer]);
    else list.push(pointer);
  };
  for (const entry of options.heads) {
    point(entry.run, { seq: entry.seq, hash: entry.head, from: `head entry ${entry.n}`, code: "head_not_on_chain" });
  }
  for (const open of options.checkpoint?.open ?? []) {
    point(open.run, { seq: open.seq, hash: open.hash, from: "the checkpoint", code: "checkpoint_missing" });
  }
  const verification: Verification = {
    options,
    faults: [],
    seen: new Set(),
    pointers,
    rows: 0,
    guides: 0,
    revisions: 0,
  };
  verifyHeads(verification);
  verifyCheckpoint(verification);
  return verification;
}

/** Verifies one run. A run counts once; at most one fault of its chain is reported, and it names the first bad row. */
export function addRun(verification: Verification, run: RunRows): void {
  const { faults, options, seen } = verification;
  const { entry, rows } = run;
  const fault = (seq: number | null, code: FaultCode, detail: string) =>
    faults.push({ run: entry.run, seq, code, detail });
  if (seen.has(entry.run)) {
    fault(null, "run_twice", "the index of runs has this run twice");
    return;
  }
  seen.add(entry.run);
  const unreadable = run.unreadable ?? null;
  verification.rows += unreadable === null ? rows.length : Math.max(rows.length, entry.headSeq);
  const verdict = verifyRun(rows, options.hash);
  if (!verdict.ok) {
    fault(verdict.seq, verdict.code, verdict.detail);
    return;
  }
  if (rows[0] !== undefined && rows[0].run !== entry.run) {
    fault(1, "wrong_run", `the row belongs to run ${rows[0].run}`);
    return;
  }
  if (unreadable !== null) {
    fault(unreadable.seq, "unreadable", unreadable.detail);
    return;
  }
  const { seq, hash } = verdict.head;
  // Rows are cut off the end as well as missing, where the index knows of some.
  if (seq === 0 && entry.headSeq === 0) fault(1, "gap", "row 1 is missing, the run has no rows at all");
  if (entry.headSeq !== seq || entry.headHash !== hash) {
    // Rows that the index knows and the chain lacks, rows that the index does not know, or another hash for the newest.
    const first = entry.headSeq === seq ? seq : Math.min(entry.headSeq, seq) + 1;
    fault(
      first,
      "head_mismatch",
      `the index says that row ${entry.headSeq} is the newest, the chain ends at row ${seq}`,
    );
  }
  verifyPointers(verification, run);
}

/** A run that is in the index but whose rows could not be read at all, or whose entry could not. */
export function addUnreadableRun(verification: Verification, run: string, seq: number | null, detail: string): void {
  verification.seen.add(run);
  verification.faults.push({ run, seq, code: "unreadable", detail });
}

function verifyPointers(verification: Verification, { entry, rows }: RunRows): void {
  const { faults, pointers } = verification;
  let closed = false;
  for (const pointer of pointers.get(entry.run) ?? []) {
    // Row k is at index k - 1: the chain has just been found to have no gap.
    const row = rows[pointer.seq - 1];
    if (row === undefined || row.hash !== pointer.hash) {
      const what = row === undefined ? "the chain does not reach it" : "the chain has another row there";
      const seq = Math.min(pointer.seq, rows.length + 1);
      faults.push({
        run: entry.run,
        seq,
        code: pointer.code,
        detail: `${pointer.from} names row ${pointer.seq}: ${what}`,
      });
    }
    if (pointer.code === "head_not_on_chain" && pointer.seq === entry.headSeq) closed = true;
  }
  if (entry.ending !== null && !closed) {
    const detail = `the run ended at row ${entry.headSeq}, and the index of heads does not know`;
    faults.push({ run: entry.run, seq: entry.headSeq, code: "head_missing", detail });
  }
}

/** What is left when every run was added: runs that something points at and that are gone, counts, and the books. */
export function finishVerification(verification: Verification): LedgerVerdict {
  const { faults, guides, options, pointers, revisions, rows, seen } = verification;
  for (const [run, [pointer]] of pointers) {
    if (seen.has(run) || pointer === undefined) continue;
    const code = pointer.code === "checkpoint_missing" ? pointer.code : "run_missing";
    faults.push({ run, seq: 1, code, detail: `${pointer.from} names row ${pointer.seq} of this run, which is gone` });
  }
  const { checkpoint } = options;
  if (checkpoint !== undefined && checkpoint !== null) {
    count(faults, "runs", checkpoint.runs, seen.size);
    count(faults, "rows", checkpoint.rows, rows);
  }
  for (const line of options.books) faults.push({ run: null, seq: null, code: "books_disagree", detail: line });
  return { ok: faults.length === 0, faults, runs: seen.size, rows, heads: options.heads.length, guides, revisions };
}

function count(faults: Fault[], what: string, then: number, now: number): void {
  if (now >= then) return;
  const detail = `the checkpoint counted ${then} ${what}, and now there are ${now}`;
  faults.push({ run: null, seq: null, code: "checkpoint_missing", detail });
}

/** Verifies a whole ledger that is in memory, or whose runs come one by one from an iterator. */
export function verifyLedger(options: VerifyOptions & { readonly runs: Iterable<RunRows> }): LedgerVerdict {
  const verification = beginVerification(options);
  for (const run of options.runs) addRun(verification, run);
  return finishVerification(verification);
}

function verifyHeads({ faults, options }: Verification): void {
  let previous = { n: 0, hash: CHAIN_START };
  for (const entry of options.heads) {
    const detail = headFault(entry, previous, options.hash);
    if (detail !== null) {
      faults.push({ run: entry.run, seq: entry.seq, code: "head_chain", detail: `head entry ${entry.n}: ${detail}` });
      return;
    }
    previous = entry;
  }
}

function headFault(entry: HeadEntry, previous: { n: number; hash: string }, hash: HashText): string | null {
  if (entry.n !== previous.n + 1) return `entry ${previous.n + 1} should stand here`;
  if (entry.prev !== previous.hash) return `it does not hang on entry ${previous.n}`;
  try {
    return hash(headText(entry)) === entry.hash ? null : "its hash is not that of its content";
  } catch {
    return "it is not JSON";
  }
}

function verifyCheckpoint({ faults, options }: Verification): void {
  const { checkpoint, hash, heads } = options;
  if (checkpoint === undefined || checkpoint === null) return;
  const fault = (code: FaultCode, detail: string) => faults.push({ run: null, seq: null, code, detail });
  if (checkpointDigest(checkpoint, hash) !== checkpoint.digest) {
    fault("checkpoint_edited", "the checkpoint was edited, or it was made under another key");
  }
  if (checkpoint.heads === null) return;
  const { n } = checkpoint.heads;
  const entry = heads.find((known) => known.n === n);
  if (entry === undefined) fault("checkpoint_missing", `head entry ${n} is gone, the index ends at ${heads.length}`);
  else if (entry.hash !== checkpoint.heads.hash)
    fault("checkpoint_missing", `head entry ${n} is another one than then`);
}
