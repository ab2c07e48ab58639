import type { RunEvent } from "../domain/event.ts";
import { deepFreeze, isJsonObject } from "../domain/json.ts";
import { type Parsed, parsed, unparsed } from "../domain/parsed.ts";
import { ChainedRow, plainRow, type Row } from "../domain/row.ts";
import { bodyOf, contextAfter, fieldsOf, NO_CONTEXT, type RowContext } from "../domain/row-body.ts";
import { sealed } from "../domain/sealed.ts";
import { plainEvent } from "../domain/sent-prompt.ts";
import { type ChainEnd, chainStart, headEntry, headOf } from "../ledger/index.ts";
import { advance, newRun, type Run } from "../loop/index.ts";
import { type Closing, StoreError } from "../ports/store.ts";
import type { Hash } from "../ports/world.ts";
import type { TextListener } from "./drafting.ts";
import { SignalboxError, textOf } from "./error.ts";
import type { Parts, Scope } from "./parts.ts";
import { openWitness, type Witness, witness } from "./witness.ts";

/**
 * A run being carried: its state, the end of its chain, and what happened but is not written yet. Pending rows are written
 * before anything outside is touched, so each event is durable before the next step.
 */
export type Journal = {
  readonly id: string;
  readonly scope: Scope;
  run: Run;
  end: ChainEnd;
  /** What the next row can lean on. */
  context: RowContext;
  pending: readonly Pending[];
  /** Whether the store takes rows whose hash is not worked out yet. */
  readonly lazy: boolean;
  readonly hash: Hash;
  readonly onEvent: EventListener;
  readonly onText: TextListener | null;
  /** Whether the run says already what its model's server is like. */
  probed: boolean;
  /** What was seen in the thread, where some tool of the box declares provenance or trust. */
  readonly witness: Witness | null;
  /** What a listener threw. It hears nothing more, and the outcome says so; the run goes on. */
  deaf: string | null;
};

type Pending = { readonly row: Row; readonly event: RunEvent; readonly run: Run };

/** Hears each event, once it is durable, with the state that it led to and the `seq` of its row in the ledger. */
export type EventListener = (event: RunEvent, run: Run, seq: number) => void;

/** For runs that nobody listens to. */
export function unheard(): void {}

/** Who listens to a run. */
export type Listeners = { readonly onEvent: EventListener; readonly onText: TextListener | null };

/** Of a run that is not carried: a row is only added to it. */
export const NOBODY: Listeners = { onEvent: unheard, onText: null };

export function openJournal(parts: Parts, scope: Scope, id: string, { onEvent, onText }: Listeners): Journal {
  const { ledgerHash: hash } = parts;
  return {
    id,
    scope,
    run: newRun(scope.rules),
    end: chainStart(id),
    context: NO_CONTEXT,
    pending: [],
    lazy: parts.store.lazyRows === true,
    hash,
    onEvent,
    onText,
    probed: false,
    witness: openWitness(parts.tools),
    deaf: null,
  };
}

/** Folds an event into the run and hangs its row on the chain. Writes nothing yet, and nobody hears of it yet. */
export function note(journal: Journal, event: RunEvent): void {
  // Frozen, so that no tool, policy or listener that is handed a part of it can change what is hashed.
  sealed(event);
  const { context } = journal;
  const row = new ChainedRow(journal.end, event, () => bodyOf(plainEvent(event), context), journal.hash);
  journal.context = contextAfter(context, event);
  const run = advance(journal.run, event);
  journal.run = run;
  journal.end = row;
  journal.pending = [...journal.pending, { row, event, run }];
}

export function pendingRows(journal: Journal): readonly Row[] {
  return journal.pending.map(({ row }) => (journal.lazy ? row : plainRow(row)));
}

/** The pending rows are durable: the listener hears of them. */
export function written(journal: Journal): void {
  const heard = journal.pending;
  journal.pending = [];
  if (journal.witness !== null) for (const { event } of heard) witness(journal.witness, event);
  for (const { row, event, run } of heard) {
    if (journal.deaf !== null || journal.onEvent === unheard) return;
    try {
      journal.onEvent(deepFreeze(plainEvent(event)), run, row.seq);
    } catch (error) {
      journal.deaf = textOf(error);
    }
  }
}

/** Writes what is pending, before anything outside is touched. */
export async function flush(parts: Parts, journal: Journal): Promise<void> {
  await parts.store.append(pendingRows(journal), null);
  written(journal);
}

export type Snapshot = Pick<Journal, "run" | "end" | "context" | "pending">;

export function snapshot(journal: Journal): Snapshot {
  const { run, end, context, pending } = journal;
  return { run, end, context, pending };
}

/** Back to what is durable, after a transaction that was not written. */
export function restore(journal: Journal, before: Snapshot): void {
  journal.run = before.run;
  journal.end = before.end;
  journal.context = before.context;
  journal.pending = before.pending;
}

/** Gives up the claim on a run. A claim that cannot be given up ends with this process; it must not cost the run its outcome. */
export async function letGo(parts: Parts, run: string): Promise<void> {
  try {
    await parts.store.release(run);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}

/** Reads the rows of a run back as the events that they record, or says which is none. */
export function readEvents(rows: readonly Row[]): Parsed<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  let context = NO_CONTEXT;
  for (const row of rows) {
    if (!isJsonObject(row.body) || !KINDS.has(row.kind)) return unparsed("unreadable", `row ${row.seq} is no event`);
    // The chain's hash vouches for the body: it is what `note` wrote.
    const event = { kind: row.kind, at: row.at, ...fieldsOf(row.kind, row.body, context) } as unknown as RunEvent;
    context = contextAfter(context, event);
    events.push(event);
  }
  return parsed(events);
}

/** The same, for rows whose chain was verified: one that is no event all the same is damage. */
export function eventsOf(rows: readonly Row[]): readonly RunEvent[] {
  const events = readEvents(rows);
  if (events.ok) return events.value;
  throw new SignalboxError("ledger_damaged", `run ${rows[0]?.run}: ${events.why.detail}`, { exitCode: 7 });
}

const KINDS: ReadonlySet<string> = new Set<RunEvent["kind"]>([
  "began",
  "probed",
  "replied",
  "model_failed",
  "decided",
  "staged",
  "approved",
  "rejected",
  "edited",
  "started",
  "finished",
  "settled_before",
  "injected",
  "retrieved",
  "interrupted",
  "continued",
  "ended",
]);

export function closingOf(journal: Journal, event: Extract<RunEvent, { kind: "ended" }>): Closing {
  const { end, hash, lazy } = journal;
  return {
    ending: event.ending,
    text: event.text,
    head: (previous) =>
      lazy ? headOf(previous, event.at, end, hash) : headEntry(previous, event.at, end.run, end.seq, end.hash, hash),
  };
}
