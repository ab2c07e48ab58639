import { canonicalJson } from "../../domain/canonical.ts";
import type { CapSlot, CapUse } from "../../domain/cap.ts";
import type { Ending } from "../../domain/ending.ts";
import { CHAIN_START, ChainedHead } from "../../domain/head.ts";
import type { Json } from "../../domain/json.ts";
import type { Revision } from "../../domain/revision.ts";
import { ChainedRow, type Row } from "../../domain/row.ts";
import {
  type CapEntry,
  type CapFilter,
  type Closing,
  type DecideQuery,
  type DecideSeen,
  type DecideWrite,
  type HeadEntry,
  type RunEntry,
  type RunHeader,
  type ScannedRow,
  type SettledEffect,
  type SettleWrite,
  type Store,
  StoreError,
} from "../../ports/store.ts";
import {
  checkBeginning,
  checkClosing,
  decidedRow,
  fieldOf,
  finishedRow,
  lastOfChain,
  runOf,
  startedRow,
} from "../../ports/written-rows.ts";
import { CapBooks, type WrittenAt } from "./cap-books.ts";
import { GuideShelf } from "./guide-shelf.ts";
import { handedOut, isNoText, jsonOf, type KeptRow, keep, readable } from "./kept-rows.ts";

/** A Store that lives as long as the process: for tests, simulations and replays. The same contract as on disk. */
export function openMemoryStore(): Store {
  return new MemoryStore();
}

type Run = {
  readonly header: RunHeader;
  ending: Ending | null;
  text: string | null;
  /** The newest row: what the next one hangs on. */
  last: KeptRow;
  readonly rows: KeptRow[];
  readonly effects: Map<number, Effect>;
  /** The place of the run in the order of beginning. */
  readonly n: number;
};

type Effect = {
  readonly run: Run;
  readonly step: number;
  /** Where it settles: not always the thread of its run (DecideQuery.thread). */
  readonly key: string | null;
  state: "started" | "done" | "failed" | "outcome_unknown";
  /** A frozen value, or a copy as canonical JSON. */
  result: { readonly value: Json } | { readonly text: string };
};

// A method checks everything before it changes anything: nothing can throw between the first change and the last, so
// all or nothing needs no undoing.
class MemoryStore implements Store {
  readonly lazyRows = true;
  readonly #runs = new Map<string, Run>();
  /** The runs of each thread, in the order in which they began. */
  readonly #threads = new Map<string, Run[]>();
  readonly #heads: HeadEntry[] = [];
  readonly #caps = new CapBooks();
  readonly #guides = new GuideShelf();
  /** The effects of each thread by settle key: see keyName. */
  readonly #byKey = new Map<string, Set<Effect>>();
  #closed = false;
  readonly #carried = new Set<string>();

  async claim(run: string): Promise<void> {
    this.#use("claim");
    if (this.#carried.has(run)) throw new StoreError("conflict", `run ${run} is being carried already: wait for it`);
    this.#carried.add(run);
  }

  async release(run: string): Promise<void> {
    this.#carried.delete(run);
  }

  async isCarried(run: string): Promise<boolean | null> {
    return this.#carried.has(run);
  }

  async begin(run: RunHeader, rows: readonly Row[]): Promise<void> {
    this.#use("begin");
    if (this.#runs.has(run.run)) throw new StoreError("conflict", `run ${run.run} has already begun`);
    const last = lastOfChain(rows, run.run, null);
    const { thread, principal, startedAt, request } = run;
    for (const text of [run.run, thread, principal, request]) canonicalJson(text);
    checkBeginning(run, rows);
    const header = { run: run.run, thread, principal, startedAt, request };
    const state = { ending: null, text: null, last: keep(last), effects: new Map(), n: this.#runs.size + 1 };
    const begun = { header, rows: rows.map(keep), ...state };
    this.#runs.set(run.run, begun);
    const ofThread = this.#threads.get(thread);
    if (ofThread === undefined) this.#threads.set(thread, [begun]);
    else ofThread.push(begun);
  }

  async append(rows: readonly Row[], closing: Closing | null): Promise<void> {
    this.#use("append");
    const run = this.#run(runOf(rows));
    const last = lastOfChain(rows, run.header.run, run.last);
    checkClosing(last, closing);
    const kept = rows.map(keep);
    if (closing === null) {
      this.#write(run, kept, null);
      return;
    }
    canonicalJson(closing.text);
    const previous = this.#heads.at(-1) ?? null;
    const entry = keepHead(closing.head(previous), previous, last);
    // `head` is the caller's code, and could have written to this store in the meantime.
    lastOfChain(rows, run.header.run, run.last);
    this.#write(run, kept, closing);
    this.#heads.push(entry);
  }

  async decide(query: DecideQuery, judge: (seen: DecideSeen) => DecideWrite): Promise<void> {
    this.#use("decide");
    const { step, slots } = query;
    const run = this.#run(query.run);
    const capUse = slots.map((slot) => this.#caps.use(slot, { run: query.run, step }));
    const write = judge({ capUse, settled: this.#settled(query) });
    lastOfChain(write.rows, query.run, run.last);
    const kept = write.rows.map(keep);
    const { start } = write;
    if (start !== null) {
      const state = run.effects.get(step)?.state ?? "failed";
      if (state !== "started" && state !== "failed") {
        throw new TypeError(`step ${step} of run ${query.run} is ${state} and cannot start again`);
      }
      startedRow(write.rows, query);
      const { tool, reservations } = start;
      if (reservations.length > 0 || this.#caps.holds({ run: query.run, step })) {
        const row = decidedRow(write.rows, query, reservations);
        this.#caps.check(capUse, reservations);
        this.#caps.reserve({ run: query.run, step }, tool, reservations, writtenAt(run, row));
      }
      this.#start(run, query);
    }
    this.#write(run, kept, null);
  }

  async settle(write: SettleWrite): Promise<void> {
    const { run: id, step, outcome, result, rows } = write;
    this.#use("settle");
    const run = this.#run(id);
    lastOfChain(rows, id, run.last);
    const effect = run.effects.get(step);
    if (effect === undefined) throw new TypeError(`step ${step} of run ${id} was never started`);
    const open = effect.state === "started" || (effect.state === "outcome_unknown" && outcome !== "outcome_unknown");
    if (!open) throw new TypeError(`step ${step} of run ${id} is ${effect.state} and cannot become ${outcome}`);
    const finished = finishedRow(write);
    const kept = rows.map(keep);
    effect.result = isFrozenWith(rows, result) ? { value: result } : { text: canonicalJson(result) };
    effect.state = outcome;
    this.#caps.settle({ run: id, step }, outcome, writtenAt(run, finished));
    this.#write(run, kept, null);
  }

  async readRows(run: string): Promise<readonly Row[]> {
    this.#use("read rows");
    const { before, damaged } = readable(this.#runs.get(run)?.rows ?? []);
    if (damaged !== null) throw damaged;
    return before;
  }

  async readRun(run: string): Promise<RunEntry | null> {
    this.#use("read run");
    const found = this.#runs.get(run);
    if (found === undefined) return null;
    try {
      return entryOf(found, found.last);
    } catch (error) {
      if (!isNoText(error)) throw error;
      throw readable(found.rows).damaged ?? error;
    }
  }

  async listRuns({
    thread,
    limit,
  }: {
    readonly thread?: string;
    readonly limit: number;
  }): Promise<readonly RunEntry[]> {
    this.#use("list runs");
    const runs = thread === undefined ? [...this.#runs.values()] : (this.#threads.get(thread) ?? []);
    return runs
      .slice(Math.max(0, runs.length - limit))
      .reverse()
      .map(listed);
  }

  async listRunIds(): Promise<readonly string[]> {
    this.#use("list runs");
    return [...this.#runs.keys()];
  }

  async scan(kinds: readonly string[], visit: (row: ScannedRow) => void): Promise<void> {
    this.#use("scan rows");
    for (const { rows } of [...this.#runs.values()]) {
      const wanted = rows.filter((row) => kinds.includes(row.kind));
      const { before, damaged } = readable(wanted);
      for (const { run, seq, at, kind, body } of before) visit({ run, seq, at, kind, body });
      if (damaged !== null) throw damaged;
    }
  }

  async readHeads(): Promise<readonly HeadEntry[]> {
    this.#use("read heads");
    return this.#heads.map(({ n, at, run, seq, head, prev, hash }) => ({ n, at, run, seq, head, prev, hash }));
  }

  async capUse(
    slots: readonly CapSlot[],
    except: { readonly run: string; readonly step: number } | null,
  ): Promise<readonly CapUse[]> {
    this.#use("read caps");
    return slots.map((slot) => this.#caps.use(slot, except));
  }

  async readCaps(filter: CapFilter): Promise<readonly CapEntry[]> {
    this.#use("read caps");
    return this.#caps.read(filter, (run) => {
      const began = this.#runs.get(run)?.rows[0];
      const outside = began !== undefined && fieldOf(handedOut(began).body, "outside") === true;
      return { carried: this.#carried.has(run), outside };
    });
  }

  async readGuides(after: number): Promise<readonly Row[]> {
    this.#use("read guides");
    return this.#guides.read(after);
  }

  async appendGuides(rows: readonly Row[], revisions: readonly Revision[]): Promise<void> {
    this.#use("append guides");
    this.#guides.append(rows, revisions);
  }

  async readRevision(digest: string): Promise<Uint8Array | null> {
    this.#use("read revision");
    return this.#guides.revision(digest);
  }

  async listRevisions(): Promise<readonly string[]> {
    this.#use("list revisions");
    return this.#guides.revisions();
  }

  /** The books of this store are out of everyone's reach, so only their sums are compared. */
  async checkBooks(): Promise<readonly string[]> {
    this.#use("check books");
    return this.#caps.disagreements();
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #use(doing: string): void {
    if (this.#closed) throw new StoreError("unavailable", `${doing}: the store is closed`);
  }

  #run(id: string): Run {
    const run = this.#runs.get(id);
    if (run === undefined) throw new StoreError("conflict", `run ${id} is not in this store`);
    return run;
  }

  #start(run: Run, { step, thread, settleKey }: DecideQuery): void {
    const before = run.effects.get(step);
    if (before !== undefined && before.key !== null) this.#byKey.get(before.key)?.delete(before);
    const key = settleKey === null ? null : keyName(thread, settleKey);
    const effect: Effect = { run, step, key, state: "started", result: NOTHING };
    run.effects.set(step, effect);
    if (key === null) return;
    const keyed = this.#byKey.get(key);
    if (keyed === undefined) this.#byKey.set(key, new Set([effect]));
    else keyed.add(effect);
  }

  #settled({ run, step, thread, settleKey }: DecideQuery): SettledEffect | null {
    if (settleKey === null) return null;
    let newest: Effect | null = null;
    for (const effect of this.#byKey.get(keyName(thread, settleKey)) ?? []) {
      if (effect.state === "failed" || (effect.run.header.run === run && effect.step === step)) continue;
      if (newest === null || isNewer(effect, newest)) newest = effect;
    }
    if (newest === null || newest.state === "failed") return null;
    return { run: newest.run.header.run, step: newest.step, state: newest.state, result: resultOf(newest.result) };
  }

  #write(run: Run, rows: readonly KeptRow[], closing: Closing | null): void {
    for (const row of rows) {
      run.rows.push(row);
      run.last = row;
    }
    run.ending = closing?.ending ?? null;
    run.text = closing?.text ?? null;
  }
}

function keyName(thread: string, settleKey: string): string {
  return JSON.stringify([thread, settleKey]);
}

function writtenAt({ n }: Run, { seq, at }: Row): WrittenAt {
  return { n, seq, at };
}

const NOTHING = { value: null };

/** Whether a result is part of rows that nobody can change: then it needs no copy. */
function isFrozenWith(rows: readonly Row[], result: Json): boolean {
  return typeof result === "object" && result !== null && Object.isFrozen(result) && rows.some(isChained);
}

function isChained(row: Row): boolean {
  return row instanceof ChainedRow;
}

function resultOf(result: Effect["result"]): Json {
  return "value" in result ? result.value : jsonOf(result.text);
}

function isNewer(a: Effect, b: Effect): boolean {
  return a.run.n === b.run.n ? a.step > b.step : a.run.n > b.run.n;
}

function entryOf({ header, ending, text }: Run, last: Pick<Row, "seq" | "hash" | "at">): RunEntry {
  return Object.freeze({ ...header, headSeq: last.seq, headHash: last.hash, updatedAt: last.at, ending, text });
}

/** A damaged run is listed as far as it can be read, so that the others are. Whoever reads it is told. */
function listed(run: Run): RunEntry {
  try {
    return entryOf(run, run.last);
  } catch (error) {
    if (!isNoText(error)) throw error;
    const { header } = run;
    const last = readable(run.rows).before.at(-1) ?? { seq: 0, hash: CHAIN_START, at: header.startedAt };
    return entryOf({ ...run, ending: null, text: null }, last);
  }
}

/** The entry, once it is known to name this row and to hang on the newest entry; a copy, unless nobody can change it. */
function keepHead(entry: HeadEntry, previous: HeadEntry | null, last: Row): HeadEntry {
  if (entry instanceof ChainedHead && entry.isBetween(previous, last)) return entry;
  if (entry.run !== last.run || entry.seq !== last.seq || entry.head !== last.hash) {
    throw new TypeError("the head entry names another row");
  }
  if (entry.n !== (previous?.n ?? 0) + 1 || entry.prev !== (previous?.hash ?? CHAIN_START)) {
    throw new TypeError("the head entry does not hang on the newest one");
  }
  // By their names: a ChainedHead works them out, and a spread of it would lack them.
  const { n, at, run, seq, head, prev, hash } = entry;
  return Object.freeze({ n, at, run, seq, head, prev, hash });
}
