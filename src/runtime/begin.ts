import type { Budgets } from "../domain/budgets.ts";
import { OUTSIDE_REQUEST, type Parent, type PastExchange } from "../domain/event.ts";
import type { Principal } from "../domain/principal.ts";
import { redactText } from "../domain/redact.ts";
import { oneLine } from "../domain/result.ts";
import { isWellFormed } from "../domain/text.ts";
import { utf8Length, utf8Prefix } from "../domain/utf8.ts";
import { type RunEntry, StoreError } from "../ports/store.ts";
import { refusedBy, SignalboxError } from "./error.ts";
import { type About, refusalText } from "./guides/serving.ts";
import { eventsOf, type Listeners, letGo, note, openJournal, pendingRows, written } from "./journal.ts";
import { type Parts, scopeOfRun } from "./parts.ts";
import { carry, type RunOutcome } from "./run.ts";

const REQUEST_BYTES_MAX = 32_768;
/** How much of a thread goes along: requests for policies, exchanges for the prompt. */
const EARLIER_MAX = 50;
const EARLIER_BYTES_MAX = 4_096;
const PAST_MAX = 8;
const PAST_BYTES_MAX = 1_024;
const PAST_LINES_MAX = 8;

/** What a thread's earlier runs give to a new one. */
export type Earlier = {
  readonly earlierRequests: readonly string[];
  readonly past: readonly PastExchange[];
  readonly pastCut: number;
};

export type NewRun = {
  readonly thread: string;
  readonly principal: Principal;
  readonly customer: string | null;
  readonly request: string;
  /** What the rules' matchers look at besides the request; null where nothing is said: then as the config has it. */
  readonly about: About;
  readonly parent: Parent | null;
  readonly budgets: Budgets;
  readonly earlier: Earlier;
  readonly listeners: Listeners;
  readonly cancel: AbortSignal | null;
};

/** Opens a run with its first row, and carries it to its end. */
export async function begin(parts: Parts, wanted: NewRun): Promise<RunOutcome> {
  const { thread, principal, customer, parent, budgets, earlier } = wanted;
  const request = redactText(checkedRequest(wanted.request), parts.redaction);
  const told = (await parts.serving?.serve({ text: request, ...wanted.about })) ?? null;
  const guides = told?.kind === "served" ? told.served : null;
  const scope = scopeOfRun(parts, { principal, guides });
  const run = parts.ids.next();
  const journal = openJournal(parts, scope, run, wanted.listeners);
  const at = parts.clock.now();
  note(journal, {
    kind: "began",
    at,
    run,
    thread,
    request,
    parent,
    principal,
    customer,
    budgets,
    window: parts.window,
    ...earlier,
    outside: false,
    guides,
    promptVersion: scope.promptVersion,
    policyVersion: parts.policyVersion,
    model: parts.model.name,
  });
  if (told?.kind === "refusal") {
    const detail = oneLine(redactText(refusalText(told), parts.redaction));
    note(journal, { kind: "interrupted", at: parts.clock.now(), ending: "guide_refused", detail });
  }
  const header = { run, thread, principal: principal.id, startedAt: at, request };
  try {
    await parts.store.claim(run);
    await parts.store.begin(header, pendingRows(journal));
  } catch (error) {
    await letGo(parts, run);
    // Without a first row there is no run that anybody could resume, so this is an error and not an ending.
    throw error instanceof StoreError ? refusedBy(error) : error;
  }
  written(journal);
  return carry(parts, journal, wanted.cancel).finally(() => letGo(parts, run));
}

/** What of the thread's earlier runs goes into a new one, newest kept. */
export async function earlierOf(parts: Parts, thread: string, whose: Whose): Promise<Earlier> {
  const entries = await parts.store.listRuns({ thread, limit: EARLIER_MAX });
  await checkThread(parts, entries, thread, whose);
  const past: PastExchange[] = [];
  for (const entry of entries.slice(0, PAST_MAX)) {
    past.push({
      request: utf8Prefix(entry.request, PAST_BYTES_MAX),
      answer: utf8Prefix(entry.text ?? "(not finished)", PAST_BYTES_MAX),
      did: await linesOf(parts, entry.run),
    });
  }
  return {
    earlierRequests: entries
      .filter(({ request }) => request !== OUTSIDE_REQUEST)
      .map(({ request }) => utf8Prefix(request, EARLIER_BYTES_MAX))
      .reverse(),
    past: past.reverse(),
    pastCut: Math.max(0, entries.length - PAST_MAX),
  };
}

type Whose = { readonly principal: Principal; readonly customer: string | null };

/**
 * A thread has one principal and one customer: what was said and done for one must not reach another, and a receipt must not
 * be had by whoever may not have the effect. A nested run's thread is closed, since its requests are not the operator's.
 */
async function checkThread(parts: Parts, entries: readonly RunEntry[], thread: string, whose: Whose): Promise<void> {
  const newest = entries[0];
  if (newest === undefined) return;
  // An entry without a row is nobody's word, and would otherwise stand before the one that says whose the thread is.
  const empty = entries.find((entry) => entry.headSeq === 0);
  if (empty !== undefined) throw damagedThread(thread, `run ${empty.run} has no rows`);
  const began = eventsOf((await parts.store.readRows(newest.run)).slice(0, 1))[0];
  if (began?.kind !== "began" || began.thread !== thread) {
    throw damagedThread(thread, `run ${newest.run} has no row that begins it here`);
  }
  if (began.parent !== null) {
    throw new SignalboxError("nested_thread", `thread ${thread} belongs to a step of run ${began.parent.run}`);
  }
  if (began.customer === whose.customer && began.principal.id === whose.principal.id) return;
  const about = `${began.principal.id}, about ${began.customer ?? "no customer"}`;
  throw new SignalboxError("thread_of_another", `thread ${thread} is of ${about}`, {
    hint: "begin another thread for another customer or principal",
  });
}

function damagedThread(thread: string, why: string): SignalboxError {
  return new SignalboxError("ledger_damaged", `thread ${thread}: ${why}`, {
    exitCode: 7,
    hint: "signalbox ledger verify lists everything that does not fit",
  });
}

/** The one-liners of what a run did to the world. */
async function linesOf(parts: Parts, run: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const event of eventsOf(await parts.store.readRows(run))) {
    if (event.kind === "finished" && event.outcome === "done") lines.push(event.line);
  }
  return lines.slice(-PAST_LINES_MAX);
}

function checkedRequest(request: unknown): string {
  if (typeof request !== "string" || request.trim() === "") {
    throw new SignalboxError("empty_request", "the request is empty", { hint: 'signalbox run "what is to be done"' });
  }
  if (!isWellFormed(request)) {
    throw new SignalboxError("bad_request", "the request holds half of a character pair (a lone surrogate)");
  }
  const bytes = utf8Length(request);
  if (bytes <= REQUEST_BYTES_MAX) return request;
  throw new SignalboxError(
    "request_too_large",
    `the request takes ${bytes} bytes, at most ${REQUEST_BYTES_MAX} are taken`,
  );
}
