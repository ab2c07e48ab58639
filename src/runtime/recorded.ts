import type { Began, RunEvent } from "../domain/event.ts";
import type { Row } from "../domain/row.ts";
import { contextAfter } from "../domain/row-body.ts";
import { verifyRun } from "../ledger/index.ts";
import { advance } from "../loop/index.ts";
import { SignalboxError, textOf } from "./error.ts";
import { type Journal, type Listeners, openJournal } from "./journal.ts";
import { type Parts, scopeOfRun } from "./parts.ts";
import { witness } from "./witness.ts";

/** The rows of a run, verified. @throws SignalboxError `unknown_run`, `ledger_damaged`. */
export async function readVerified(parts: Parts, id: string): Promise<readonly Row[]> {
  const rows = await parts.store.readRows(id);
  if (rows.length === 0) {
    throw new SignalboxError("unknown_run", `there is no run ${textOf(id)}`, { hint: "signalbox runs lists them" });
  }
  checkVerified(parts, id, rows);
  return rows;
}

/** @throws SignalboxError `ledger_damaged` where the rows are not those that were written. */
export function checkVerified({ ledgerHash }: Pick<Parts, "ledgerHash">, id: string, rows: readonly Row[]): void {
  const verified = verifyRun(rows, ledgerHash);
  if (!verified.ok) throw damaged(id, `row ${verified.seq}: ${verified.code}: ${verified.detail}`);
}

export function damaged(run: string, why: string): SignalboxError {
  return new SignalboxError("ledger_damaged", `run ${run}, ${why}`, {
    exitCode: 7,
    hint: "signalbox ledger verify lists everything that does not fit",
  });
}

export function beganOf(events: readonly RunEvent[], id: string): Began {
  const began = events[0];
  if (began?.kind === "began") return began;
  throw new SignalboxError("ledger_damaged", `run ${id} does not begin with its beginning`, { exitCode: 7 });
}

/** The journal of a run at the end of its rows: to carry it on, or for a person's word about it. */
export function journalOf(
  parts: Parts,
  began: Began,
  rows: readonly Row[],
  events: readonly RunEvent[],
  listeners: Listeners,
): Journal {
  const journal = openJournal(parts, scopeOfRun(parts, began), began.run, listeners);
  for (const event of events) {
    journal.run = advance(journal.run, event);
    journal.context = contextAfter(journal.context, event);
    if (journal.witness !== null) witness(journal.witness, event);
  }
  const last = rows.at(-1);
  if (last !== undefined) journal.end = { run: began.run, seq: last.seq, hash: last.hash };
  return journal;
}
