import { canonicalJson } from "../../domain/canonical.ts";
import type { CapSlot, CapUse } from "../../domain/cap.ts";
import type { Json } from "../../domain/json.ts";
import type { Row } from "../../domain/row.ts";
import {
  type Closing,
  type DecideQuery,
  type DecideSeen,
  type DecideWrite,
  type HeadEntry,
  type RunEntry,
  type RunHeader,
  type SettledEffect,
  type SettleWrite,
  type Store,
  StoreError,
} from "../../ports/store.ts";
import { type ChainHead, lastOfChain, runOf } from "../../ports/written-rows.ts";
import { CapBooks } from "./cap-books.ts";

/** A Store that lives as long as the process: for tests, simulations and replays. The same contract as on disk. */
export function openMemoryStore(): Store {
  return new MemoryStore();
}

type Run = {
  entry: RunEntry;
  readonly rows: KeptRow[];
  readonly effects: Map<number, Effect>;
  /** The place of the run in the order of beginning. */
  readonly n: number;
};

/** A row with its body as canonical text: a copy that nobody else holds. */
type KeptRow = Omit<Row, "body"> & { readonly text: string };

type Effect = {
  readonly run: Run;
  readonly step: number;
  /** Where it settles: not always the thread of its run (DecideQuery.thread). */
  readonly key: string | null;
  state: "started" | "done" | "failed" | "outcome_unknown";
  /** Canonical JSON. */
  result: string;
};

// A method checks everything before it changes anything: nothing can throw between the first change and the last, so
// all or nothing needs no undoing.
class MemoryStore implements Store {
  readonly #runs = new Map<string, Run>();
  readonly #heads: HeadEntry[] = [];
  readonly #caps = new CapBooks();
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

  async begin(run: RunHeader, rows: readonly Row[]): Promise<void> {
    this.#use("begin");
    if (this.#runs.has(run.run)) throw new StoreError("conflict", `run ${run.run} has already begun`);
    const last = lastOfChain(rows, run.run, null);
    const { thread, principal, startedAt, request } = run;
    for (const text of [run.run, thread, principal, request]) canonicalJson(text);
    const kept = rows.map(keep);
    const entry = Object.freeze({
      ...{ run: run.run, thread, principal, startedAt, request },
      ...{ headSeq: last.seq, headHash: last.hash, updatedAt: last.at, ending: null, text: null },
    });
    this.#runs.set(run.run, { entry, rows: kept, effects: new Map(), n: this.#runs.size + 1 });
  }

  async append(rows: readonly Row[], closing: Closing | null): Promise<void> {
    this.#use("append");
    const run = this.#run(runOf(rows));
    const last = lastOfChain(rows, run.entry.run, headOf(run));
    const kept = rows.map(keep);
    if (closing === null) {
      this.#write(run, kept, last, null);
      return;
    }
    canonicalJson(closing.text);
    const previous = this.#heads.at(-1) ?? null;
    const entry = closing.head(previous);
    if (entry.run !== last.run || entry.seq !== last.seq || entry.head !== last.hash) {
      throw new TypeError("the head entry names another row");
    }
    if (entry.n !== (previous?.n ?? 0) + 1 || entry.prev !== (previous?.hash ?? "0".repeat(64))) {
      throw new TypeError("the head entry does not hang on the newest one");
    }
    // `head` is the caller's code, and could have written to this store in the meantime.
    lastOfChain(rows, run.entry.run, headOf(run));
    this.#write(run, kept, last, closing);
    this.#heads.push(Object.freeze({ ...entry }));
  }

  async decide(query: DecideQuery, judge: (seen: DecideSeen) => DecideWrite): Promise<void> {
    this.#use("decide");
    const { step, slots } = query;
    const run = this.#run(query.run);
    const capUse = slots.map((slot) => this.#caps.use(slot, { run: query.run, step }));
    const write = judge({ capUse, settled: this.#settled(query) });
    const last = lastOfChain(write.rows, query.run, headOf(run));
    const kept = write.rows.map(keep);
    const { start } = write;
    if (start !== null) {
      const state = run.effects.get(step)?.state ?? "failed";
      if (state !== "started" && state !== "failed") {
        throw new TypeError(`step ${step} of run ${query.run} is ${state} and cannot start again`);
      }
      this.#caps.check(capUse, start.reservations);
      this.#caps.reserve({ run: query.run, step }, start.reservations);
      this.#start(run, query);
    }
    this.#write(run, kept, last, null);
  }

  async settle({ run: id, step, outcome, result, rows }: SettleWrite): Promise<void> {
    this.#use("settle");
    const run = this.#run(id);
    const last = lastOfChain(rows, id, headOf(run));
    const effect = run.effects.get(step);
    if (effect === undefined) throw new TypeError(`step ${step} of run ${id} was never started`);
    const open = effect.state === "started" || (effect.state === "outcome_unknown" && outcome !== "outcome_unknown");
    if (!open) throw new TypeError(`step ${step} of run ${id} is ${effect.state} and cannot become ${outcome}`);
    const kept = rows.map(keep);
    effect.result = canonicalJson(result);
    effect.state = outcome;
    if (outcome === "failed") this.#caps.release({ run: id, step });
    this.#write(run, kept, last, null);
  }

  async readRows(run: string): Promise<readonly Row[]> {
    this.#use("read rows");
    return (this.#runs.get(run)?.rows ?? []).map(({ text, ...row }) => ({ ...row, body: jsonOf(text) }));
  }

  async readRun(run: string): Promise<RunEntry | null> {
    this.#use("read run");
    return this.#runs.get(run)?.entry ?? null;
  }

  async listRuns({
    thread,
    limit,
  }: {
    readonly thread?: string;
    readonly limit: number;
  }): Promise<readonly RunEntry[]> {
    this.#use("list runs");
    const found: RunEntry[] = [];
    for (const { entry } of [...this.#runs.values()].reverse()) {
      if (found.length >= limit) break;
      if (thread === undefined || entry.thread === thread) found.push(entry);
    }
    return found;
  }

  async listRunIds(): Promise<readonly string[]> {
    this.#use("list runs");
    return [...this.#runs.keys()];
  }

  async readHeads(): Promise<readonly HeadEntry[]> {
    this.#use("read heads");
    return [...this.#heads];
  }

  async capUse(
    slots: readonly CapSlot[],
    except: { readonly run: string; readonly step: number } | null,
  ): Promise<readonly CapUse[]> {
    this.#use("read caps");
    return slots.map((slot) => this.#caps.use(slot, except));
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
    const effect: Effect = { run, step, key, state: "started", result: "null" };
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
      if (effect.state === "failed" || (effect.run.entry.run === run && effect.step === step)) continue;
      if (newest === null || isNewer(effect, newest)) newest = effect;
    }
    if (newest === null || newest.state === "failed") return null;
    return { run: newest.run.entry.run, step: newest.step, state: newest.state, result: jsonOf(newest.result) };
  }

  #write(run: Run, rows: readonly KeptRow[], last: Row, closing: Closing | null): void {
    for (const row of rows) run.rows.push(row);
    const { seq: headSeq, hash: headHash, at: updatedAt } = last;
    const ending = closing?.ending ?? null;
    run.entry = Object.freeze({ ...run.entry, headSeq, headHash, updatedAt, ending, text: closing?.text ?? null });
  }
}

function keyName(thread: string, settleKey: string): string {
  return JSON.stringify([thread, settleKey]);
}

function keep({ run, seq, at, kind, body, prev, hash }: Row): KeptRow {
  return { run, seq, at, kind, text: canonicalJson(body), prev, hash };
}

function jsonOf(text: string): Json {
  return JSON.parse(text);
}

function isNewer(a: Effect, b: Effect): boolean {
  return a.run.n === b.run.n ? a.step > b.step : a.run.n > b.run.n;
}

function headOf({ entry }: Run): ChainHead {
  return { seq: entry.headSeq, hash: entry.headHash };
}
