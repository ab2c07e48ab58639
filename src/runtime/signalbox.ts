import type { Budgets } from "../domain/budgets.ts";
import type { RunEvent } from "../domain/event.ts";
import type { Principal } from "../domain/principal.ts";
import { utf8Length } from "../domain/utf8.ts";
import { promptBytesMax } from "../domain/window.ts";
import {
  addRun,
  addUnreadableRun,
  beginVerification,
  type Checkpoint,
  finishVerification,
  type LedgerVerdict,
  makeCheckpoint,
} from "../ledger/index.ts";
import { type RunEntry, StoreError } from "../ports/store.ts";
import { begin, earlierOf } from "./begin.ts";
import { SignalboxError } from "./error.ts";
import type { EventListener } from "./journal.ts";
import { type Parts, scopeOf, type Wiring } from "./parts.ts";
import { type Replay, replay } from "./replay.ts";
import { continueRun, eventOrThrow, resume } from "./resume.ts";
import type { RunOutcome } from "./run.ts";

export type RunOptions = {
  /** Hears each event after it was folded. For screens: it decides nothing, and what it throws stops the run as `failed`. */
  readonly onEvent?: EventListener;
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
  /** The recorded events of a run, verified. */
  events(run: string): Promise<readonly RunEvent[]>;
  runs(filter?: { readonly thread?: string; readonly limit?: number }): Promise<readonly RunEntry[]>;
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
  const parts: Parts = { ...wiring, begin };
  const everybody = parts.principals === null ? [principalOf(parts, "operator")] : [...parts.principals.values()];
  for (const principal of everybody) checkPromptFits(parts, principal);
  const box: Signalbox = {
    parts,
    thread: (options = {}) => {
      const id = checkedId("thread", options.id ?? parts.ids.next());
      const principal = principalOf(parts, options.as ?? "operator");
      const customer = options.customer === undefined ? null : checkedId("customer", options.customer);
      return {
        id,
        run: async (request, run = {}) =>
          begin(parts, {
            thread: id,
            principal,
            customer,
            request,
            parent: null,
            budgets: { ...parts.budgets, ...run.budgets },
            earlier: await earlierOf(parts, id, customer),
            onEvent: run.onEvent ?? ignore,
            cancel: run.signal ?? null,
          }),
      };
    },
    run: (request, options = {}) => box.thread(options).run(request, options),
    resume: (run, options = {}) => resume(parts, run, options.onEvent ?? ignore, options.signal ?? null),
    continue: (run, options = {}) =>
      continueRun(
        parts,
        run,
        { ...parts.budgets, ...options.budgets },
        options.onEvent ?? ignore,
        options.signal ?? null,
      ),
    replay: (run) => replay(parts, run),
    events: async (run) => (await parts.store.readRows(run)).map(eventOrThrow),
    runs: (filter = {}) => parts.store.listRuns({ limit: 50, ...filter }),
    verifyLedger: (checkpoint) => verifyLedger(parts, checkpoint ?? null),
    checkpoint: () => takeCheckpoint(parts),
    close: () => parts.store.close(),
  };
  return Object.freeze(box);
}

function checkPromptFits(parts: Parts, principal: Principal): void {
  const bytes = utf8Length(scopeOf(parts, principal).system) + REQUEST_ROOM_BYTES;
  const bytesMax = promptBytesMax(parts.window);
  if (bytes <= bytesMax) return;
  throw new SignalboxError(
    "prompt_too_large",
    `system text and tools of ${principal.id} take ${bytes} bytes with the least room for a request; the window holds ${bytesMax}`,
    { hint: "give the principal fewer tools, shorten their descriptions, or declare a larger window" },
  );
}

async function verifyLedger(parts: Parts, checkpoint: Checkpoint | null): Promise<LedgerVerdict> {
  const { store, ledgerHash } = parts;
  const [heads, books, ids] = [await store.readHeads(), await store.checkBooks(), await store.listRunIds()];
  const verification = beginVerification({ heads, books, checkpoint, hash: ledgerHash });
  for (const id of ids) {
    try {
      const entry = await store.readRun(id);
      if (entry === null) addUnreadableRun(verification, id, null, "the index of runs does not know it");
      else addRun(verification, { entry, rows: await store.readRows(id) });
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "damaged") throw error;
      addUnreadableRun(verification, id, null, error.message);
    }
  }
  return finishVerification(verification);
}

async function takeCheckpoint(parts: Parts): Promise<Checkpoint> {
  const verdict = await verifyLedger(parts, null);
  if (!verdict.ok) {
    throw new SignalboxError("ledger_damaged", "a damaged ledger gets no checkpoint: it would vouch for the damage", {
      exitCode: 7,
      hint: "signalbox ledger verify",
    });
  }
  const { store, ledgerHash: hash, ledgerKeyed: keyed } = parts;
  const entries: RunEntry[] = [];
  for (const id of await store.listRunIds()) {
    const entry = await store.readRun(id);
    if (entry !== null) entries.push(entry);
  }
  return makeCheckpoint({ at: parts.clock.now(), entries, heads: await store.readHeads(), keyed, hash });
}

export function principalOf(parts: Parts, id: string): Principal {
  const everything: Principal = { id: checkedId("principal", id), tools: [...parts.tools.keys()], attributes: {} };
  if (parts.principals === null) return everything;
  const principal = parts.principals.get(id);
  if (principal !== undefined) return principal;
  throw new SignalboxError("unknown_principal", `there is no principal "${id}"`, {
    hint: `declared are: ${[...parts.principals.keys()].join(", ")}`,
  });
}

function checkedId(what: string, id: string): string {
  if (ID.test(id)) return id;
  throw new SignalboxError(
    "bad_id",
    `"${String(id).slice(0, 60)}" is no ${what} id: letters, digits and : . _ - are, at most 128`,
  );
}

function ignore(): void {}
