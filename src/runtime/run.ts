import type { Command } from "../domain/command.ts";
import { ENDINGS, type Ending } from "../domain/ending.ts";
import type { Json } from "../domain/json.ts";
import { redactText } from "../domain/redact.ts";
import { oneLine } from "../domain/result.ts";
import { unreachable } from "../domain/unreachable.ts";
import { StoreError } from "../ports/store.ts";
import { ask } from "./ask.ts";
import { textOf } from "./error.ts";
import { closingOf, flush, type Journal, note, pendingRows, restore, snapshot, written } from "./journal.ts";
import type { Parts } from "./parts.ts";
import { perform } from "./perform.ts";
import { retrieve } from "./retrieve.ts";

/** What a run came to. `text` is for the operator and is never empty; `exitCode` is 0 only for `answered` and `retrieved`. */
export type RunOutcome = {
  readonly run: string;
  readonly thread: string;
  readonly ending: Ending;
  readonly exitCode: number;
  readonly message: string;
  readonly text: string;
  /** Why, where the ending alone does not say. */
  readonly detail: string;
  /** The newest result that was done, whatever the ending. */
  readonly lastResult: { readonly tool: string; readonly result: Json; readonly line: string } | null;
  readonly turns: number;
  readonly steps: number;
  /** Steps that were done in this run, continues included; what nested runs did is not counted. */
  readonly performed: number;
  /** Proposals that a rail denied. A run that goes on after a denial may well end as `answered`. */
  readonly denied: number;
  /** On whose authority and about whom: the thread goes on only with the same two. */
  readonly principal: string;
  readonly customer: string | null;
};

/**
 * The corridor (design 4): takes the next command, carries it out through a port, turns what happened into an event,
 * appends it to the ledger and asks the loop again. All sequencing and waiting of the house is here.
 */
export async function carry(parts: Parts, journal: Journal, cancel: AbortSignal | null): Promise<RunOutcome> {
  try {
    for (;;) {
      const command = journal.run.command;
      if (command === null) throw new Error("a run without a command");
      if (command.kind === "end") return await close(parts, journal, command);
      if (command.kind === "await_approval") return await closeWaiting(parts, journal, command);
      if (cancel?.aborted === true) {
        // What a person approved is not thrown away with the run: it is begun by the next resume.
        if (journal.run.approved !== null && journal.run.stepState.state === "proposed") {
          const detail = `cancelled: step ${journal.run.step} is approved and was not begun; resume again`;
          return outcomeOf(journal, "awaiting_approval", detail, ENDINGS.awaiting_approval.message);
        }
        note(journal, {
          kind: "interrupted",
          at: parts.clock.now(),
          ending: "cancelled",
          detail: "cancelled by the caller",
        });
        continue;
      }
      // A `perform` takes the pending rows into its own transaction, so that an effect turn costs two and no more.
      if (journal.pending.length > 0 && command.kind !== "perform") await flush(parts, journal);
      switch (command.kind) {
        case "ask_model":
          await ask(parts, journal, command, cancel);
          break;
        case "perform": {
          const notBegun = await perform(parts, journal, command, cancel);
          if (notBegun === null) break;
          return outcomeOf(journal, "awaiting_approval", notBegun.why, ENDINGS.awaiting_approval.message);
        }
        case "inject":
          note(journal, { kind: "injected", at: parts.clock.now(), step: command.step, rules: command.rules });
          break;
        case "retrieve":
          await retrieve(parts, journal, command.query, cancel);
          break;
        default:
          unreachable(command);
      }
    }
  } catch (error) {
    if (error instanceof StoreError) return unrecorded(journal, error);
    try {
      return await failedBy(parts, journal, error);
    } catch (second) {
      if (second instanceof StoreError) return unrecorded(journal, second);
      throw second;
    }
  }
}

/** A person may be quicker than the row that says that the run waits: then it waits all the same, and has its word already. */
async function closeWaiting(
  parts: Parts,
  journal: Journal,
  { step, role }: Extract<Command, { kind: "await_approval" }>,
): Promise<RunOutcome> {
  const [detail, text] = [`step ${step} waits for ${role}`, ENDINGS.awaiting_approval.message];
  const before = snapshot(journal);
  try {
    return await close(parts, journal, { ending: "awaiting_approval", detail, text });
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "conflict") throw error;
    restore(journal, before);
    return outcomeOf(journal, "awaiting_approval", `${detail}: somebody has said something already; resume`, text);
  }
}

/** The end of a run, written with its last rows, the index entry and a head entry in one transaction. */
async function close(
  parts: Parts,
  journal: Journal,
  as: { readonly ending: Ending; readonly detail: string; readonly text: string },
): Promise<RunOutcome> {
  const { ending, detail, text } = as;
  const event = { kind: "ended" as const, at: parts.clock.now(), ending, detail: oneLine(detail), text };
  note(journal, event);
  await parts.store.append(pendingRows(journal), closingOf(journal, event));
  written(journal);
  return outcomeOf(journal, ending, detail, text);
}

/**
 * The ledger could not be written, or another process carries the run. Nothing further was allowed; what is durable stays as
 * it is, and the run can be resumed.
 */
export function unrecorded(journal: Journal, error: StoreError): RunOutcome {
  const ending = error.code === "conflict" ? "failed" : "ledger_unavailable";
  const last = journal.run.lastDone === null ? "" : `\nLast result: ${journal.run.lastDone.line}`;
  return outcomeOf(journal, ending, error.message, `${ENDINGS[ending].message}${last}`);
}

/**
 * A bug of ours or of an adapter: the run stops as `failed` (design 9). With an effect open nothing is closed, so that a
 * resume can settle it. The bug itself is thrown where even this cannot be recorded.
 */
async function failedBy(parts: Parts, journal: Journal, error: unknown): Promise<RunOutcome> {
  const detail = oneLine(redactText(textOf(error), parts.redaction));
  if (journal.run.ended !== null || journal.run.began === null) throw error;
  if (journal.run.stepState.state === "started" && journal.run.command?.kind === "perform") {
    return outcomeOf(journal, "failed", detail, ENDINGS.failed.message);
  }
  note(journal, { kind: "interrupted", at: parts.clock.now(), ending: "failed", detail });
  // The loop's own text, so that a replay derives the same.
  const command = journal.run.command;
  if (command?.kind !== "end") throw error;
  return await close(parts, journal, command);
}

export function outcomeOf(journal: Journal, ending: Ending, detail: string, text: string): RunOutcome {
  const { run } = journal;
  const { exitCode, message } = ENDINGS[ending];
  const thread = run.began?.thread ?? "";
  const { turn: turns, step: steps, lastDone: lastResult, performed, denied } = run;
  const principal = run.began?.principal.id ?? "";
  const customer = run.began?.customer ?? null;
  const heard = journal.deaf === null ? detail : oneLine(`${detail} (the listener threw: ${journal.deaf})`.trim());
  return {
    run: journal.id,
    thread,
    ending,
    exitCode,
    message,
    text,
    detail: heard,
    lastResult,
    turns,
    steps,
    performed,
    denied,
    principal,
    customer,
  };
}
