import type { Budgets } from "../domain/budgets.ts";
import type { RunEvent } from "../domain/event.ts";
import type { Principal } from "../domain/principal.ts";
import { redactText } from "../domain/redact.ts";
import { utf8Length } from "../domain/utf8.ts";
import { promptBytesMax } from "../domain/window.ts";
import type { Checkpoint, LedgerVerdict } from "../ledger/index.ts";
import { type RunEntry, StoreError } from "../ports/store.ts";
import { begin, earlierOf } from "./begin.ts";
import { mergeBudgets } from "./config.ts";
import { type Denials, type DenialsQuery, denials } from "./denials.ts";
import type { TextListener } from "./drafting.ts";
import { refusedBy, SignalboxError } from "./error.ts";
import { type EventListener, eventsOf, type Listeners, unheard } from "./journal.ts";
import { type Parts, scopeOf, toolText, type Wiring } from "./parts.ts";
import { newProbing } from "./probing.ts";
import { type Replay, replay } from "./replay.ts";
import { continueRun, resume } from "./resume.ts";
import type { RunOutcome } from "./run.ts";
import { type ShownTurn, showTurn } from "./shown.ts";
import { takeCheckpoint, verifyLedger } from "./verify.ts";

export type RunOptions = {
  /** Hears each event once it is durable. For screens: it decides nothing. What it throws is said in the outcome's detail. */
  readonly onEvent?: EventListener;
  /**
   * Hears the text of a conversation while it arrives, redacted. A draft: what counts is the reply that is recorded. What
   * was heard since the last event is void after `discarded`.
   */
  readonly onText?: TextListener;
  readonly signal?: AbortSignal;
  readonly budgets?: Partial<Budgets>;
};

export type ThreadOptions = {
  /** The thread's id; left out, a new one. */
  readonly id?: string;
  /** The principal on whose authority its runs act. Default `operator`. */
  readonly as?: string;
  /** Whom the thread is about. */
  readonly customer?: string;
};

export type Thread = {
  readonly id: string;
  /** Carries one request to its end. Never rejects for what a model, a tool or the ledger does: that is an ending. */
  run(request: string, options?: RunOptions): Promise<RunOutcome>;
};

export type Signalbox = {
  thread(options?: ThreadOptions): Thread;
  /** One request in a thread of its own. */
  run(request: string, options?: ThreadOptions & RunOptions): Promise<RunOutcome>;
  resume(run: string, options?: RunOptions): Promise<RunOutcome>;
  continue(run: string, options?: RunOptions): Promise<RunOutcome>;
  replay(run: string): Promise<Replay>;
  /** One turn of a recorded run: what each model call was sent, and what came back. Left out, the last turn. */
  show(run: string, turn?: number): Promise<ShownTurn>;
  /** The recorded events of a run, verified. */
  events(run: string): Promise<readonly RunEvent[]>;
  runs(filter?: { readonly thread?: string; readonly limit?: number }): Promise<readonly RunEntry[]>;
  /** Counts the recorded decisions: how often what was denied, by whom, and whether that has moved. */
  denials(query?: DenialsQuery): Promise<Denials>;
  verifyLedger(checkpoint?: Checkpoint): Promise<LedgerVerdict>;
  checkpoint(): Promise<Checkpoint>;
  readonly parts: Parts;
  close(): Promise<void>;
};

const ID = /^[A-Za-z0-9][A-Za-z0-9:._-]{0,127}$/;
/** Room that a request and the frame around it need beside the system text, at the very least, in bytes. */
const REQUEST_ROOM_BYTES = 2_048;

/** Opens a box over checked parts. Throws `prompt_too_large` where some principal's tools leave no room for a request. */
export function openSignalbox(wiring: Wiring): Signalbox {
  const parts: Parts = { ...wiring, begin, probing: newProbing(), scopes: new Map() };
  const everybody = parts.principals === null ? [principalOf(parts, "operator")] : [...parts.principals.values()];
  for (const principal of everybody) checkPromptFits(parts, principal);
  const box: Signalbox = {
    parts,
    thread: (options = {}) => {
      for (const name of [options.id, options.customer]) refuseSecret(parts, name);
      const id = checkedId("thread", options.id ?? parts.ids.next());
      const principal = principalOf(parts, options.as ?? "operator");
      const customer = options.customer === undefined ? null : checkedId("customer", options.customer);
      return {
        id,
        run: (request, run = {}) =>
          told(async () =>
            begin(parts, {
              thread: id,
              principal,
              customer,
              request,
              parent: null,
              budgets: mergeBudgets(parts.budgets, run.budgets),
              earlier: await earlierOf(parts, id, { principal, customer }),
              listeners: listenersOf(run),
              cancel: run.signal ?? null,
            }),
          ),
      };
    },
    run: (request, options = {}) => box.thread(options).run(request, options),
    resume: (run, options = {}) => told(() => resume(parts, run, listenersOf(options), options.signal ?? null)),
    continue: (run, options = {}) =>
      told(async () => {
        const budgets = mergeBudgets(parts.budgets, options.budgets);
        return continueRun(parts, run, budgets, listenersOf(options), options.signal ?? null);
      }),
    replay: (run) => told(() => replay(parts, run)),
    show: (run, turn) => told(() => showTurn(parts, run, turn ?? null)),
    events: (run) => told(async () => eventsOf(await parts.store.readRows(run))),
    runs: (filter = {}) => told(() => parts.store.listRuns({ limit: 50, ...filter })),
    denials: (query = {}) => told(() => denials(parts, query)),
    verifyLedger: (checkpoint) => told(() => verifyLedger(parts, checkpoint ?? null)),
    checkpoint: () => told(() => takeCheckpoint(parts)),
    close: () => parts.store.close(),
  };
  return Object.freeze(box);
}

/** A store that cannot be read is told like every other refusal: one line, a code and an exit code. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StoreError ? refusedBy(error) : error;
  }
}

/** An id is recorded as it is, so a declared secret cannot stand in one. */
function refuseSecret(parts: Parts, id: string | undefined): void {
  if (id === undefined || redactText(id, parts.redaction) === id) return;
  throw new SignalboxError("bad_id", "an id holds a declared secret, and ids are recorded as they are");
}

function checkPromptFits(parts: Parts, principal: Principal): void {
  const { system, wire } = scopeOf(parts, principal);
  const shown = system + toolText(wire);
  if (redactText(shown, parts.redaction) !== shown) {
    throw new SignalboxError(
      "secret_in_prompt",
      `a declared secret stands in the name, the description or the params of a tool that ${principal.id} may use`,
      { hint: "take it out: what a tool says of itself is shown to the model and its server" },
    );
  }
  const bytes = utf8Length(shown) + REQUEST_ROOM_BYTES;
  const bytesMax = promptBytesMax(parts.window);
  if (bytes <= bytesMax) return;
  throw new SignalboxError(
    "prompt_too_large",
    `system text and tools of ${principal.id} take ${bytes} bytes with the least room for a request; the window holds ${bytesMax}`,
    { hint: "give the principal fewer tools, shorten their descriptions, or declare a larger window" },
  );
}

export function principalOf(parts: Parts, id: string): Principal {
  const everything: Principal = { id: checkedId("principal", id), tools: [...parts.tools.keys()], attributes: {} };
  if (parts.principals === null) return everything;
  const principal = parts.principals.get(id);
  if (principal !== undefined) return principal;
  throw new SignalboxError("unknown_principal", `there is no principal "${id}"`, {
    hint: `name one with \`as\` (--as): ${[...parts.principals.keys()].join(", ")}`,
  });
}

function checkedId(what: string, id: string): string {
  if (ID.test(id)) return id;
  throw new SignalboxError(
    "bad_id",
    `"${String(id).slice(0, 60)}" is no ${what} id: letters, digits and : . _ - are, at most 128`,
  );
}

function listenersOf({ onEvent, onText }: RunOptions): Listeners {
  return { onEvent: onEvent ?? unheard, onText: onText ?? null };
}
