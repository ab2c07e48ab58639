import type { Bound } from "./approval.ts";
import type { Budgets } from "./budgets.ts";
import type { CapUse, Reservation } from "./cap.ts";
import type { Route } from "./command.ts";
import type { Denial } from "./denial.ts";
import type { Effect, Outcome } from "./effect.ts";
import type { Ending } from "./ending.ts";
import type { GuideEvent } from "./guide-event.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Why } from "./parsed.ts";
import type { Principal } from "./principal.ts";
import type { Provenance } from "./provenance.ts";
import type { Reply } from "./reply.ts";
import type { ModelCall, SentAs, WireMode } from "./said.ts";
import type { Repair } from "./salvage.ts";
import type { Served } from "./served.ts";
import type { Window } from "./window.ts";

/**
 * A RunEvent: something that happened in a run. A run's state is the fold of its events, each event is one row of the
 * ledger, and there are no others. `at` is milliseconds since 1970-01-01T00:00Z.
 */
export type RunEvent =
  | Began
  | Probed
  | Replied
  | ModelFailed
  | Decided
  | Staged
  | Approved
  | Rejected
  | Edited
  | Started
  | Finished
  | SettledBefore
  | Injected
  | Retrieved
  | Interrupted
  | Continued
  | Ended;

/** `root` and `thread` are the outermost run's; `depth` is 1 for a run inside a run. */
export type Parent = {
  readonly run: string;
  readonly step: number;
  readonly thread: string;
  readonly root: string;
  readonly depth: number;
};

/** One exchange of an earlier run of the thread, as the prompt carries it. */
export type PastExchange = { readonly request: string; readonly answer: string; readonly did: readonly string[] };

export type Began = {
  readonly kind: "began";
  readonly at: number;
  readonly run: string;
  readonly thread: string;
  readonly request: string;
  /** For a nested run: the step that it is part of. Its `once` effects settle in that run's thread. */
  readonly parent: Parent | null;
  readonly principal: Principal;
  readonly customer: string | null;
  readonly budgets: Budgets;
  readonly window: Window;
  /** What the operator said earlier in this thread, oldest first: for policies, which may read it. Cut to a bound. */
  readonly earlierRequests: readonly string[];
  /** The newest exchanges of the thread, oldest first, cut to a byte bound. */
  readonly past: readonly PastExchange[];
  /** How many older exchanges were left out of `past`. */
  readonly pastCut: number;
  /** Whether somebody else's loop carries it: it proposes by `decide`, and no model of ours is asked. */
  readonly outside: boolean;
  /** What the model is told of approved rules: the receipt of the compiled plan. null where no guides are configured. */
  readonly guides: Served | null;
  /** Digest of system text + tools + served plan: which prompt the model works under. */
  readonly promptVersion: string;
  /** Digest of the policy rules and the tools' rails. */
  readonly policyVersion: string;
  readonly model: string;
};

/** What stands for a request where somebody else's loop gave none. Nobody said it, so it is never among the operator's words. */
export const OUTSIDE_REQUEST = "(proposals of another loop)";

/** What the operator said in a run, oldest first, this run's request last. Of a nested run, what was said around it. */
export function operatorWords({ earlierRequests, request, parent, outside }: Began): readonly string[] {
  if (parent !== null || (outside && request === OUTSIDE_REQUEST)) return earlierRequests;
  return [...earlierRequests, request];
}

/** What a canary found out about the model's server; noted before a run's first call, and where a resume finds it changed. */
export type Probed = {
  readonly kind: "probed";
  readonly at: number;
  readonly model: string;
  /** `unclear`: what came back says nothing about schemas. */
  readonly schema: "honoured" | "ignored" | "unclear" | "error";
  readonly tools: "honoured" | "ignored" | "unclear" | "error" | "unasked";
  readonly tokeniser: boolean;
  readonly windowTokens: number | null;
  readonly detail: string;
};

export type Replied = {
  readonly kind: "replied";
  readonly at: number;
  readonly turn: number;
  /** 1 for the first call of a turn, 2 for its re-ask. */
  readonly call: number;
  readonly promptVersion: string;
  readonly prompt: PromptFacts;
  readonly mode: WireMode;
  /** How the server was made to constrain the reply, and how many requests it took. */
  readonly sentAs: SentAs;
  readonly attempts: number;
  /** What the server sent as content, after redaction. */
  readonly raw: string;
  /** The native tool calls that it sent, after redaction. */
  readonly calls: readonly ModelCall[];
  readonly reply: Reply | null;
  /** Why there is no reply. */
  readonly why: Why | null;
  /** What had to be mended before it could be read, or null. */
  readonly repair: Repair | null;
  /** The tools of further calls in the same reply: one action a turn, so they are not run. */
  readonly notRun: readonly string[];
  /** The server counts fewer tokens than the prompt has at the least: it read only a part of it, or miscounts. */
  readonly truncated: boolean;
  readonly model: string;
  readonly finish: string;
  readonly usage: Usage;
};

export type Usage = {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Millionths of a currency unit; 0 where the model has no price. */
  readonly costMicro: number;
  /** True where the server did not count and the figures are estimates from bytes. */
  readonly estimated: boolean;
};

/** What was sent, by digest and size, and what had to be cut from it. */
export type PromptFacts = {
  readonly digest: string;
  readonly bytes: number;
  readonly bytesMax: number;
  readonly cut: readonly string[];
};

export type ModelFailed = {
  readonly kind: "model_failed";
  readonly at: number;
  readonly turn: number;
  readonly call: number;
  readonly code: string;
  readonly detail: string;
  /** Bytes of system and user text that were sent; 0 where nothing was. */
  readonly promptBytes: number;
  /** Tokens of it that the server took, where it let that be seen. */
  readonly fits: number | null;
  /** What a reply that is not used has cost, or null. */
  readonly usage: Usage | null;
};

/** One decision with everything that it was made from, so that it can be made again (replay, backtest). */
export type Decided = {
  readonly kind: "decided";
  readonly at: number;
  readonly step: number;
  readonly tool: string;
  readonly route: Route;
  /** As proposed. */
  readonly params: Json;
  /** After the output rail; null where it refused. */
  readonly checked: JsonObject | null;
  readonly evidence: readonly string[];
  /** The FactRecord, or null. */
  readonly facts: Json;
  /** Where the values of `checked` were seen. Empty where nobody traced them. */
  readonly provenance: Provenance;
  readonly today: string;
  /** What of the caps was taken by others at that moment. */
  readonly capUse: readonly CapUse[];
  readonly outcome: "permit" | "stage" | "deny";
  /** The rule that decided. */
  readonly rule: string;
  readonly denial: Denial | null;
  /** Who may approve, where it was staged. */
  readonly role: string | null;
  /** Who had approved it, where it was staged before and is decided on again; null for every first decision. */
  readonly approvedBy: string | null;
  readonly reservations: readonly Reservation[];
  readonly promptVersion: string;
  readonly policyVersion: string;
  readonly model: string;
};

/** A decision put a proposal before a person: what they are to approve, by its digest (domain/approval.ts). */
export type Staged = {
  readonly kind: "staged";
  readonly at: number;
  readonly step: number;
  readonly tool: string;
  readonly role: string;
  /** For the person: why it needs one; may be empty. */
  readonly why: string;
  /** The digest of the Binding. */
  readonly digest: string;
  readonly expiresAt: number;
  /** What is compared with the moment of the commit. */
  readonly bound: Bound;
};

/** A person with the role approved these exact bytes. Nothing is done by it: the step is decided again. */
export type Approved = {
  readonly kind: "approved";
  readonly at: number;
  readonly step: number;
  readonly digest: string;
  readonly by: string;
  readonly role: string;
  /** Their words, or null. */
  readonly why: string | null;
};

/** A person said no, or nobody said yes in time. The reason goes back to the model. */
export type Rejected = {
  readonly kind: "rejected";
  readonly at: number;
  readonly step: number;
  readonly digest: string;
  readonly code: "approval_rejected" | "approval_expired";
  /** null for time. */
  readonly by: string | null;
  readonly why: string;
};

/** A person put another proposal in the place of a staged one. It is judged like any other, as the step `next`. */
export type Edited = {
  readonly kind: "edited";
  readonly at: number;
  readonly step: number;
  readonly digest: string;
  readonly by: string;
  readonly why: string | null;
  readonly next: number;
  readonly params: JsonObject;
  readonly evidence: readonly string[];
};

export type Started = {
  readonly kind: "started";
  readonly at: number;
  readonly step: number;
  readonly tool: string;
  readonly params: JsonObject;
  readonly effect: Effect;
  /** What a done `once` effect settles in its thread, or null. */
  readonly settleKey: string | null;
  readonly idempotencyKey: string;
};

export type Finished = {
  readonly kind: "finished";
  readonly at: number;
  readonly step: number;
  readonly tool: string;
  readonly outcome: Outcome;
  /** The result, or null. */
  readonly result: Json;
  /** What went wrong, in one line, or null. */
  readonly error: string | null;
  readonly pass: boolean;
  /** The one-liner of this result. */
  readonly line: string;
  /** What the tool saw while it worked (design 5.3), also where it failed. */
  readonly events: readonly GuideEvent[];
  /** What nested runs of this step used; it counts against this run's budgets. */
  readonly spent: Spent;
  /** Who looked and said how it came out, where the outcome had been unknown; null for what the tool said itself. */
  readonly resolved: { readonly by: string; readonly why: string } | null;
};

/** Counters of what was used. */
export type Spent = {
  readonly turns: number;
  readonly modelCalls: number;
  readonly steps: number;
  readonly tokens: number;
  readonly costMicro: number;
};

export const NOTHING_SPENT: Spent = { turns: 0, modelCalls: 0, steps: 0, tokens: 0, costMicro: 0 };

/**
 * Something was proposed that is done already: by this run (a pass for its key, a `once` effect), or, for a `once` effect,
 * by another run of the thread. Nothing was performed; the receipt went back.
 */
export type SettledBefore = {
  readonly kind: "settled_before";
  readonly at: number;
  readonly step: number;
  readonly tool: string;
  readonly result: Json;
  readonly pass: boolean;
  readonly line: string;
  readonly receipt: { readonly run: string; readonly step: number };
};

/** Rules of channel B met their event: from here on they stand in every prompt of the run. */
export type Injected = {
  readonly kind: "injected";
  readonly at: number;
  /** Ids, in authored order. */
  readonly rules: readonly string[];
  /** The step whose events these were. */
  readonly step: number;
};

export type Retrieved = {
  readonly kind: "retrieved";
  readonly at: number;
  readonly query: string;
  readonly passages: readonly Passage[];
  /** Why the memory gave no answer, in one line, or null. */
  readonly failed: string | null;
};

export type Passage = { readonly source: string; readonly text: string };

/** Something outside of the model stopped the run. */
export type Interrupted = {
  readonly kind: "interrupted";
  readonly at: number;
  readonly ending: "cancelled" | "deadline" | "ledger_unavailable" | "guide_refused" | "failed";
  readonly detail: string;
};

/** The operator lets an ended run go on from where it stopped, with fresh budgets. */
export type Continued = { readonly kind: "continued"; readonly at: number; readonly budgets: Budgets };

export type Ended = {
  readonly kind: "ended";
  readonly at: number;
  readonly ending: Ending;
  readonly detail: string;
  readonly text: string;
};
