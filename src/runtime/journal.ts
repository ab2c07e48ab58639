import type { RunEvent } from "../domain/event.ts";
import { isJsonObject, type Json } from "../domain/json.ts";
import { type Parsed, parsed, unparsed } from "../domain/parsed.ts";
import type { Row } from "../domain/row.ts";
import { type ChainEnd, chainRow, chainStart, headEntry } from "../ledger/index.ts";
import { advance, newRun, type Run } from "../loop/index.ts";
import type { Closing } from "../ports/store.ts";
import type { Hash } from "../ports/world.ts";
import type { Parts, Scope } from "./parts.ts";

/**
 * A run being carried: its state, the end of its chain, and the rows that happened but are not written yet. Pending rows
 * are written before anything outside is touched, so each event is durable before the next step.
 */
export type Journal = {
  readonly id: string;
  readonly scope: Scope;
  run: Run;
  end: ChainEnd;
  pending: Row[];
  readonly hash: Hash;
  readonly onEvent: EventListener;
};

/** Hears each event with the state that it led to. */
export type EventListener = (event: RunEvent, run: Run) => void;

export function openJournal(parts: Parts, scope: Scope, id: string, onEvent: EventListener): Journal {
  return { id, scope, run: newRun(scope.rules), end: chainStart(id), pending: [], hash: parts.ledgerHash, onEvent };
}

/** Folds an event into the run and hangs its row on the chain. Writes nothing yet. */
export function note(journal: Journal, event: RunEvent): void {
  const { kind, at, ...body } = event;
  const row = chainRow(journal.end, at, kind, body as unknown as Json, journal.hash);
  journal.run = advance(journal.run, event);
  journal.end = { run: journal.id, seq: row.seq, hash: row.hash };
  journal.pending.push(row);
  journal.onEvent(event, journal.run);
}

/** Hands over the pending rows to a transaction. */
export function takePending(journal: Journal): readonly Row[] {
  const rows = journal.pending;
  journal.pending = [];
  return rows;
}

/**
 * Writes what is pending before `next` touches anything outside. A `perform` takes the pending rows into its own deciding
 * transaction instead, so that an effect turn costs two transactions and no more.
 */
export async function flush(parts: Parts, journal: Journal, next: "ask_model" | "perform" | "retrieve"): Promise<void> {
  if (journal.pending.length === 0 || next === "perform") return;
  await parts.store.append(journal.pending, null);
  journal.pending = [];
}

export type Snapshot = Pick<Journal, "run" | "end" | "pending">;

export function snapshot(journal: Journal): Snapshot {
  return { run: journal.run, end: journal.end, pending: [...journal.pending] };
}

/** Back to what is durable, after a transaction that was not written. */
export function restore(journal: Journal, before: Snapshot): void {
  journal.run = before.run;
  journal.end = before.end;
  journal.pending = [...before.pending];
}

/** Reads a row back as the event that it records. */
export function eventOf(row: Row): Parsed<RunEvent> {
  if (!isJsonObject(row.body) || !KINDS.has(row.kind)) return unparsed("unreadable", `row ${row.seq} is no event`);
  // The chain's hash vouches for the body: it is what `note` wrote.
  return parsed({ kind: row.kind, at: row.at, ...row.body } as unknown as RunEvent);
}

const KINDS: ReadonlySet<string> = new Set<RunEvent["kind"]>([
  "began",
  "replied",
  "model_failed",
  "decided",
  "started",
  "finished",
  "settled_before",
  "retrieved",
  "interrupted",
  "continued",
  "ended",
]);

export function closingOf(journal: Journal, event: Extract<RunEvent, { kind: "ended" }>): Closing {
  const { end, hash } = journal;
  return {
    ending: event.ending,
    text: event.text,
    head: (previous) => headEntry(previous, event.at, end.run, end.seq, end.hash, hash),
  };
}
