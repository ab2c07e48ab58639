import { createHmac, hash } from "node:crypto";
import type { CapSlot, CapUse, Reservation } from "../../src/domain/cap.ts";
import type { Outcome } from "../../src/domain/effect.ts";
import type { Ending } from "../../src/domain/ending.ts";
import type { Json } from "../../src/domain/json.ts";
import type { Row } from "../../src/domain/row.ts";
import { type ChainEnd, chainRow, chainStart, type HashText, headEntry } from "../../src/ledger/index.ts";
import type { DecideSeen, HeadEntry, Store } from "../../src/ports/store.ts";

/** SHA-256, keyed where there is a key: as the runtime's Hash port. */
export function ledgerHash(key: string | null = null): HashText {
  if (key === null) return (text) => hash("sha256", text);
  return (text) => createHmac("sha256", key).update(text).digest("hex");
}

export const SHA = ledgerHash();

/** What an effect turn of a Carrier asks for. */
export type Turn = {
  readonly step: number;
  readonly tool?: string;
  readonly settleKey?: string | null;
  readonly reservations?: readonly Reservation[];
};

/**
 * Carries one run through a store as the corridor does: its rows are those of RunEvents, so that a store can hold its
 * books against them. What it has written moves `end`; what failed does not.
 */
export class Carrier {
  readonly store: Store;
  readonly run: string;
  readonly thread: string;
  readonly hash: HashText;
  /** Where `once` effects settle: for a nested run another thread than its own. */
  settlesIn: string;
  end: ChainEnd;
  at: number;

  constructor(store: Store, run: string, thread = "thread-1", hash: HashText = SHA) {
    this.store = store;
    this.run = run;
    this.thread = thread;
    this.settlesIn = thread;
    this.hash = hash;
    this.end = chainStart(run);
    this.at = 1_000;
  }

  /** The next rows, by kind and body. Nothing is written. */
  rows(...bodies: readonly (readonly [string, Json])[]): Row[] {
    let end = this.end;
    return bodies.map(([kind, body]) => {
      const row = chainRow(end, this.at, kind, body, this.hash);
      end = { run: row.run, seq: row.seq, hash: row.hash };
      return row;
    });
  }

  async begin(request = "please"): Promise<Row[]> {
    const { run, settlesIn, thread } = this;
    const principal = { id: "agent:desk", tools: [], attributes: {} };
    const parent = settlesIn === thread ? null : { run: "outer", step: 1, thread: settlesIn, depth: 1 };
    const rows = this.rows(["began", { run, thread, request, principal, parent }]);
    await this.store.begin({ run, thread, principal: "agent:desk", startedAt: this.at, request }, rows);
    return this.moved(rows);
  }

  async append(...bodies: readonly (readonly [string, Json])[]): Promise<Row[]> {
    const rows = this.rows(...bodies);
    await this.store.append(rows, null);
    return this.moved(rows);
  }

  /** Decides a step and starts it, without looking at what the store shows: the caps are the caller's concern. */
  start(turn: Turn, slots?: readonly CapSlot[]): Promise<DecideSeen> {
    return this.decide(turn, () => true, slots);
  }

  /**
   * Decides a step: it starts where `permits` says so, and is denied otherwise. Returns what the judge saw. `asked`: which
   * slots are read; left out, those of the reservations.
   */
  async decide(
    turn: Turn,
    permits: (seen: DecideSeen) => boolean,
    asked: readonly CapSlot[] | null = null,
  ): Promise<DecideSeen> {
    const { step, tool = "refund", settleKey = null, reservations = [] } = turn;
    const slots = asked ?? reservations.map(({ cap, key, window }): CapSlot => ({ cap, key, window }));
    let rows: Row[] = [];
    let shown: DecideSeen = { capUse: [], settled: null };
    await this.store.decide({ run: this.run, step, thread: this.settlesIn, settleKey, slots }, (seen) => {
      shown = seen;
      const permitted = permits(seen);
      const capUse = seen.capUse.map(({ cap, key, window, used }) => ({ cap, key, window, used }));
      const held = permitted ? reservations.map((reservation) => ({ ...reservation })) : [];
      const decided = { step, tool, capUse, outcome: permitted ? "permit" : "deny", reservations: held };
      const started = { step, tool, params: {}, effect: "once", settleKey };
      rows = permitted ? this.rows(["decided", decided], ["started", started]) : this.rows(["decided", decided]);
      return { rows, start: permitted ? { tool, effect: "once", reservations } : null };
    });
    this.moved(rows);
    return shown;
  }

  async settle(step: number, outcome: Outcome, result: Json = null): Promise<Row[]> {
    const rows = this.rows(["finished", { step, tool: "refund", outcome, result }]);
    await this.store.settle({ run: this.run, step, outcome, result, rows });
    return this.moved(rows);
  }

  /** Ends the run. */
  async close(ending: Ending = "answered", text = "done"): Promise<Row[]> {
    const rows = this.rows(["ended", { ending, text, detail: "" }]);
    const last = rows.at(-1);
    if (last === undefined) throw new Error("a run ends with a row");
    const head = (previous: HeadEntry | null) => headEntry(previous, this.at, this.run, last.seq, last.hash, this.hash);
    await this.store.append(rows, { ending, text, head });
    return this.moved(rows);
  }

  moved(rows: readonly Row[]): Row[] {
    const last = rows.at(-1);
    if (last !== undefined) this.end = { run: last.run, seq: last.seq, hash: last.hash };
    this.at += 1;
    return [...rows];
  }
}

export function reservation(amount: number, limit = 100, cap = "refunds", window = "day:2026-11-30@UTC"): Reservation {
  return { cap, key: "all", window, amount, limit };
}

/** Whether reservations fit beside what others hold: the arithmetic of the blast-radius rail, said once more. */
export function fits(reservations: readonly Reservation[], use: readonly CapUse[]): boolean {
  return reservations.every(
    (wanted, index) => (use[index]?.used ?? Number.POSITIVE_INFINITY) + wanted.amount <= wanted.limit,
  );
}

/** Everything that a store shows of itself, so that two moments can be compared. */
export async function stateOf(store: Store, slots: readonly CapSlot[] = [reservation(0)]): Promise<unknown> {
  const ids = await store.listRunIds();
  const runs: unknown[] = [];
  for (const id of ids) runs.push([await store.readRun(id), await store.readRows(id)]);
  return {
    runs,
    heads: await store.readHeads(),
    guides: await store.readGuides(0),
    revisions: await store.listRevisions(),
    caps: await store.capUse(slots, null),
    books: await store.checkBooks(),
  };
}
