import type { Budgets } from "../domain/budgets.ts";
import type { RunEvent } from "../domain/event.ts";
import type { Principal } from "../domain/principal.ts";
import { redactText } from "../domain/redact.ts";
import { utf8Length } from "../domain/utf8.ts";
import { promptBytesMax } from "../domain/window.ts";
import type { Checkpoint, LedgerVerdict } from "../ledger/index.ts";
import { type RunEntry, StoreError } from "../ports/store.ts";
import type { ApprovalEntry } from "./approval-entry.ts";
import {
  type ApprovalFilter,
  approve,
  checkApproval,
  type Edit,
  edit,
  listApprovals,
  reject,
  showApproval,
  type Word,
} from "./approvals.ts";
import { checkedId, principalOf, refuseSecret, refuseSecretAbout } from "./authority.ts";
import { begin, earlierOf } from "./begin.ts";
import { type CapState, type CapsFilter, readCaps } from "./caps.ts";
import { mergeBudgets } from "./config.ts";
import { type Denials, type DenialsQuery, denials } from "./denials.ts";
import type { TextListener } from "./drafting.ts";
import { refusedBy, SignalboxError } from "./error.ts";
import { type GuardCall, type GuardOutcome, guardOutside } from "./guard.ts";
import type { Guides } from "./guides/api.ts";
import { newGuideBook } from "./guides/guide-parts.ts";
import { openGuides } from "./guides/open-guides.ts";
import { type About, servingOf } from "./guides/serving.ts";
import { type EventListener, eventsOf, type Listeners, unheard } from "./journal.ts";
import { listOutcomes, type OpenOutcome, type Resolution, resolveOutcome } from "./outcomes.ts";
import { type DecideOutcome, decideOutside } from "./outside.ts";
import { newOutsideRuns } from "./outside-run.ts";
import { type Settling, settleOutside } from "./outside-settle.ts";
import { type Parts, scopeOf, toolText, type Wiring } from "./parts.ts";
import { newProbing } from "./probing.ts";
import type { OutsideProposal } from "./proposed.ts";
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
  /** The app that the run acts in, for the rules' matchers. Default: `guides.app` of the config. */
  readonly app?: string;
  /** The files that it is about, for the same; those that the request names are found by themselves. */
  readonly paths?: readonly string[];
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
  /** What is held of the caps, newest first, and who holds it: what a dead worker left is freed by `resume`. */
  caps(filter?: CapsFilter): Promise<readonly CapState[]>;
  /** Counts the recorded decisions: how often what was denied, by whom, and whether that has moved. */
  denials(query?: DenialsQuery): Promise<Denials>;
  verifyLedger(checkpoint?: Checkpoint): Promise<LedgerVerdict>;
  checkpoint(): Promise<Checkpoint>;
  /**
   * The rails around somebody else's loop: decides one proposal and writes the decision down. What is allowed is performed
   * by the caller, who then says with `settle` how it came out.
   */
  decide(proposal: OutsideProposal): Promise<DecideOutcome>;
  settle(settling: Settling): Promise<void>;
  /** `decide`, the call and `settle` in one: no reservation leaks, and a throw is settled. */
  guard(proposal: OutsideProposal, call: GuardCall): Promise<GuardOutcome>;
  /** What waits for a person, and what people said. */
  readonly approvals: Approvals;
  /** Effects of which nobody knows whether they happened. */
  readonly outcomes: Outcomes;
  /** The rules that the model is told: what was said of them, and what would be served. */
  readonly guides: Guides;
  readonly parts: Parts;
  close(): Promise<void>;
};

export type Approvals = {
  list(filter?: ApprovalFilter): Promise<readonly ApprovalEntry[]>;
  show(id: string): Promise<ApprovalEntry>;
  /** Throws what `approve` would throw for this person, and writes nothing. */
  check(id: string, as: string): Promise<ApprovalEntry>;
  approve(id: string, word: Word): Promise<ApprovalEntry>;
  reject(id: string, word: Word): Promise<ApprovalEntry>;
  edit(id: string, edited: Edit): Promise<ApprovalEntry>;
};

export type Outcomes = {
  list(): Promise<readonly OpenOutcome[]>;
  resolve(id: string, resolution: Resolution): Promise<void>;
};

/** Room that a request and the frame around it need beside the system text, at the very least, in bytes. */
const REQUEST_ROOM_BYTES = 2_048;

/** Opens a box over checked parts. Throws `prompt_too_large` where some principal's tools leave no room for a request. */
export function openSignalbox(wiring: Wiring): Signalbox {
  const wired = { ...wiring, begin, probing: newProbing(), scopes: new Map(), guideBook: newGuideBook() };
  const parts: Parts = { ...wired, serving: wiring.serving ?? servingOf({ ...wired, serving: null }) };
  const outside = newOutsideRuns();
  const everybody = parts.principals === null ? [principalOf(parts, "operator")] : [...parts.principals.values()];
  for (const principal of everybody) checkPromptFits(parts, principal);
  const told = <T>(work: () => Promise<T>): Promise<T> => toldOf(parts, work);
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
              about: aboutOf(parts, run),
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
    caps: (filter = {}) => told(() => readCaps(parts, filter)),
    denials: (query = {}) => told(() => denials(parts, query)),
    verifyLedger: (checkpoint) => told(() => verifyLedger(parts, checkpoint ?? null)),
    checkpoint: () => told(() => takeCheckpoint(parts)),
    decide: (proposal) => told(() => decideOutside(parts, outside, proposal)),
    settle: (settling) => told(() => settleOutside(parts, outside, settling)),
    guard: (proposal, call) => told(() => guardOutside(parts, outside, proposal, call)),
    approvals: Object.freeze({
      list: (filter?: ApprovalFilter) => told(() => listApprovals(parts, filter)),
      show: (id: string) => told(() => showApproval(parts, id)),
      check: (id: string, as: string) => told(() => checkApproval(parts, id, as)),
      approve: (id: string, word: Word) => told(() => approve(parts, id, word)),
      reject: (id: string, word: Word) => told(() => reject(parts, id, word)),
      edit: (id: string, edited: Edit) => told(async () => edit(parts, id, edited)),
    }),
    outcomes: Object.freeze({
      list: () => told(() => listOutcomes(parts)),
      resolve: (id: string, resolution: Resolution) =>
        told(async () => {
          if (outside.guarding.has(id)) {
            throw new SignalboxError("still_open", `${id} is being worked on by this process`, { exitCode: 1 });
          }
          await resolveOutcome(parts, id, resolution);
        }),
    }),
    guides: openGuides(parts, told),
    close: () => parts.store.close(),
  };
  return Object.freeze(box);
}

/**
 * A store that cannot be read is told like every other refusal: one line, a code and an exit code. What was wrong is often
 * repeated in it, and a declared secret may be that.
 */
async function toldOf<T>(parts: Parts, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const refused = error instanceof StoreError ? refusedBy(error) : error;
    if (!(refused instanceof SignalboxError)) throw refused;
    const [message, hint] = [redactText(refused.message, parts.redaction), redactText(refused.hint, parts.redaction)];
    if (message === refused.message && hint === refused.hint) throw refused;
    throw new SignalboxError(refused.code, message, { hint, exitCode: refused.exitCode });
  }
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

const NAME_BYTES_MAX = 1_024;
const PATHS_MAX = 1_000;

function aboutOf(parts: Parts, { app, paths = [] }: Pick<RunOptions, "app" | "paths">): About {
  const names: readonly unknown[] = Array.isArray(paths) ? [...paths, app ?? "-"] : [null];
  const fine = names.every((name) => typeof name === "string" && name !== "" && utf8Length(name) <= NAME_BYTES_MAX);
  if (fine && names.length <= PATHS_MAX) {
    refuseSecretAbout(parts, [app, ...paths]);
    return { app: app ?? null, paths: [...paths] };
  }
  throw new SignalboxError(
    "bad_about",
    `app and paths are texts of at most ${NAME_BYTES_MAX} bytes, at most ${PATHS_MAX}`,
  );
}

function listenersOf({ onEvent, onText }: RunOptions): Listeners {
  return { onEvent: onEvent ?? unheard, onText: onText ?? null };
}
