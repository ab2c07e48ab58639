import type { CapRange, CapSlot, CapUse, Reservation } from "../domain/cap.ts";
import type { Outcome } from "../domain/effect.ts";
import type { Ending } from "../domain/ending.ts";
import type { HeadEntry } from "../domain/head.ts";
import type { Json } from "../domain/json.ts";
import type { Revision } from "../domain/revision.ts";
import type { Row } from "../domain/row.ts";

/**
 * The Store: rows, and the few books that follow from them (effects by settle key, cap usage, run heads), always written
 * in one transaction with the rows that say why.
 *
 * Every method either does all of it or nothing. `append`, `decide` and `settle` refuse with `conflict` when the run's
 * head is no longer `rows[0].prev`: somebody else carries this run, and the caller must stop.
 *
 * A store throws StoreError. What `judge` or `Closing.head` throws passes through unchanged, after everything was rolled
 * back. A mistake of the caller is a TypeError and also writes nothing: no rows at all, rows that do not chain or do not say
 * what the write says, a value that is not JSON, an effect started over one that is done, a reservation beyond its limit. A
 * store keeps copies: nobody changes a row by changing what was handed in or out.
 *
 * The books repeat what the rows say (see RunHeader, Closing, DecideWrite, SettleWrite), and `checkBooks` holds them
 * against the rows, so that nobody can edit the one without the other.
 */
export type Store = {
  /**
   * Says that this store takes rows and head entries whose hash and body are worked out when they are first asked for. Such
   * a row has every field of a Row, and only reading the field by its name gives it: a spread or a structured clone lacks
   * some. A store that does not say so is handed plain values.
   */
  readonly lazyRows?: true;

  /**
   * Takes a run for this process, until it is released or the process dies. `conflict` where a living process carries it.
   * Whoever carries a run holds its claim: so that an effect in the making is not made a second time by a resume.
   */
  claim(run: string): Promise<void>;
  release(run: string): Promise<void>;
  /** Whether a living process carries the run; null where that cannot be known. Takes nothing. */
  isCarried(run: string): Promise<boolean | null>;

  /** Opens a run: its first rows, and its index entry, which says what the first of them says. `conflict` where the id exists. */
  begin(run: RunHeader, rows: readonly Row[]): Promise<void>;

  /** Appends rows. Without a closing the run is open afterwards, also where it had ended before (design 5.2.1). */
  append(rows: readonly Row[], closing: Closing | null): Promise<void>;

  /**
   * The deciding transaction: reads what the decision needs, calls `judge` synchronously, and writes what it returns.
   * `judge` must not wait for anything. A step that is decided again after a crash replaces its own reservations.
   */
  decide(query: DecideQuery, judge: (seen: DecideSeen) => DecideWrite): Promise<void>;

  /**
   * Writes the outcome of a step: its rows, the effect's state, and its reservations: settled when done, released when
   * failed, kept when unknown. An unknown outcome may be settled once more, when a person has looked; `done` and
   * `failed` are final.
   */
  settle(write: SettleWrite): Promise<void>;

  /** The rows of a run by `seq`; none for a run that is not there. `damaged` says where, and what was read before it. */
  readRows(run: string): Promise<readonly Row[]>;
  readRun(run: string): Promise<RunEntry | null>;
  /** Newest first. `thread` narrows to one thread. An entry with a `headSeq` of 0 is of a run that has no rows any more. */
  listRuns(filter: { readonly thread?: string; readonly limit: number }): Promise<readonly RunEntry[]>;
  /** Every run id, in the order in which runs began: for verification. */
  listRunIds(): Promise<readonly string[]>;
  /**
   * Hands each row of these kinds to `visit`, run by run in the order in which runs began, and by `seq` within a run: for
   * lists and counts over many runs, without holding them. Nothing is verified here; what acts on a run reads and verifies
   * that run. `visit` must not use the store. `damaged` where a row cannot be read.
   */
  scan(kinds: readonly string[], visit: (row: ScannedRow) => void): Promise<void>;
  /** The index of run heads: one entry each time a run closed, chained (design 8). */
  readHeads(): Promise<readonly HeadEntry[]>;
  /** What is held of each slot, in the order asked; `except` leaves out one step's own reservations. */
  capUse(
    slots: readonly CapSlot[],
    except: { readonly run: string; readonly step: number } | null,
  ): Promise<readonly CapUse[]>;
  /** What is held of the caps and by whom: the slots of which anything is held, those first that moved last. */
  readCaps(filter: CapFilter): Promise<readonly CapEntry[]>;
  /**
   * The rows of the guides' chain behind row `after`, by `seq`: rows of the run GUIDES, which is one chain beside those of the
   * runs (design 7.4). `damaged` says where, as of a run's rows.
   */
  readGuides(after: number): Promise<readonly Row[]>;
  /**
   * Appends to the guides' chain, and keeps the bytes of these revisions, in one transaction. `conflict` where the chain has
   * gone on since the writer read it. A TypeError, and nothing written, where a revision is not named by the SHA-256 of its
   * bytes, or a row breaks one of GUIDE_LAWS (guide-laws.ts). A revision that is there already stays as it is, unless what is
   * kept of it is not its bytes any more: then these are put back.
   */
  appendGuides(rows: readonly Row[], revisions: readonly Revision[]): Promise<void>;
  /** The bytes of a revision as they were kept; null where there are none. Whether its name is theirs is not looked at here. */
  readRevision(digest: string): Promise<Uint8Array | null>;
  /** The names of all revisions, in order. */
  listRevisions(): Promise<readonly string[]>;
  /** Books that disagree with the rows they name, as one line each; empty when sound. For `ledger verify`. */
  checkBooks(): Promise<readonly string[]>;
  close(): Promise<void>;
};

/** Which slots: of one cap, of one key, with windows in a range. `limit`: at most so many, and holders of each. */
export type CapFilter = {
  readonly cap?: string;
  readonly key?: string;
  readonly range?: CapRange;
  readonly limit: number;
};

/** One slot. `settled + reserved + kept` is what is used of it: by effects that are done, open, and unknown. */
export type CapEntry = Omit<CapSlot, "range"> & {
  /** As the newest reservation has it. What is declared today may be another. */
  readonly limit: number;
  readonly settled: number;
  readonly reserved: number;
  readonly kept: number;
  /** The `at` of the row that last moved the slot. */
  readonly movedAt: number;
  /** How many reservations are reserved or kept. */
  readonly open: number;
  /** These, newest first, up to the limit. */
  readonly holders: readonly CapHolder[];
};

/** A reservation that waits for an outcome (`reserved`), or for a person to say what it was (`kept`). */
export type CapHolder = {
  readonly run: string;
  readonly step: number;
  readonly tool: string;
  readonly state: "reserved" | "kept";
  readonly amount: number;
  /** The `at` of the decision that reserved it. */
  readonly since: number;
  /** Whether a living process carries the run; null where the store cannot tell. */
  readonly carried: boolean | null;
  /** Whether its `began` row says that somebody else's loop carries it: that one claims nothing. */
  readonly outside: boolean;
};

/** What a run is begun with. It repeats the `began` row: `principal` is the principal's id, `startedAt` that row's `at`. */
export type RunHeader = {
  readonly run: string;
  readonly thread: string;
  readonly principal: string;
  readonly startedAt: number;
  readonly request: string;
};

export type RunEntry = RunHeader & {
  readonly headSeq: number;
  readonly headHash: string;
  /** The `at` of the newest row. */
  readonly updatedAt: number;
  /** null while it runs, or after a crash until it is resumed. */
  readonly ending: Ending | null;
  readonly text: string | null;
};

/** The kinds of rows about people's approvals. They are few among many, and a store should find them without reading the others. */
export const APPROVAL_KINDS = ["approved", "edited", "rejected", "staged"] as const;

/** A row as `scan` hands it out: what it says, without its place in the chain. */
export type ScannedRow = Pick<Row, "run" | "seq" | "at" | "kind" | "body">;

/** The last rows of a run end it: the index entry says how, as the `ended` row does, and a head entry is chained. */
export type Closing = {
  readonly ending: Ending;
  readonly text: string;
  /** Makes the head entry; gets the newest entry of the index, or null for the first. */
  readonly head: (previous: HeadEntry | null) => HeadEntry;
};

export type { HeadEntry };

export type DecideQuery = {
  readonly run: string;
  readonly step: number;
  /** The thread in which the step's `once` effect settles: the run's own, or for a nested run the outermost one's. */
  readonly thread: string;
  /** For a `once` tool: the digest of tool + canonical params. An effect of this thread with this key settles the proposal. */
  readonly settleKey: string | null;
  readonly slots: readonly CapSlot[];
};

export type DecideSeen = {
  /** What others hold of each slot of the query, in its order; the run's own reservation for this step is not counted. */
  readonly capUse: readonly CapUse[];
  /**
   * The newest effect of the thread under the settle key that is done, open or unknown; not this very step's. Newest is
   * the highest step of the run that began last.
   */
  readonly settled: SettledEffect | null;
};

export type SettledEffect = {
  readonly run: string;
  readonly step: number;
  readonly state: "started" | "done" | "outcome_unknown";
  readonly result: Json;
};

export type DecideWrite = {
  /** At least one: also a denial has its row. */
  readonly rows: readonly Row[];
  /**
   * Present when the effect may now start: its book entry, as the `started` row has it, and its reservations, as the
   * `decided` row has them. Each reservation's slot must be one of the query's: nothing is reserved unseen.
   */
  readonly start: {
    readonly tool: string;
    readonly effect: string;
    readonly reservations: readonly Reservation[];
  } | null;
};

/** `outcome` and `result` repeat the `finished` row. */
export type SettleWrite = {
  readonly run: string;
  readonly step: number;
  readonly outcome: Outcome;
  readonly result: Json;
  readonly rows: readonly Row[];
};

/**
 * What a store throws, and nothing else. `conflict`: another owner. `unavailable`: it cannot be read or written now.
 * `newer_version`: made by a newer release. `damaged`: what it holds cannot be read back.
 */
export class StoreError extends Error {
  readonly code: "conflict" | "unavailable" | "newer_version" | "damaged";
  /** For a damaged row: which one, and the rows of its run that could be read before it. */
  readonly where: DamagedRow | null;

  constructor(code: StoreError["code"], message: string, options?: { cause?: unknown; where?: DamagedRow }) {
    super(message, options);
    this.name = "StoreError";
    this.code = code;
    this.where = options?.where ?? null;
  }
}

export type DamagedRow = { readonly run: string; readonly seq: number; readonly before: readonly Row[] };
