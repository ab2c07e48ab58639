import type { Ending } from "../domain/ending.ts";
import type { Probed } from "../domain/event.ts";
import type { WireMode } from "../domain/said.ts";
import type { RepairName } from "../domain/salvage.ts";

/**
 * The trial that an expectation speaks of. The model proposes `before` honestly, then `bent` through the misbehaviour, then
 * `after` honestly, and then it answers. In the other form the server does nothing but misbehave, each time with `bent`.
 */
export type TrialProposal = "before" | "bent" | "after";

/** What one form of the trial comes to. */
export type TrialEnd = {
  readonly ending: Ending;
  /** The proposals that were performed, in their order. */
  readonly effects: readonly TrialProposal[];
  /** Requests for a reply, canaries apart. */
  readonly requests: number;
  /** The code of the last `model_failed` event, or null. */
  readonly failed: string | null;
};

/** What the ledger says of the bent reply. What is left out is not looked at, and `repairs` left out means that there were none. */
export type Recorded = {
  /** Why it could not be read. */
  readonly why?: string;
  readonly repairs?: readonly RepairName[];
  /** Requests that the call took. */
  readonly attempts?: number;
  /** Further calls in it that were not run. */
  readonly notRun?: number;
  /** The finish as it was recorded. */
  readonly finish?: string;
  /** What the canary found about schemas and about native tools. */
  readonly schema?: Probed["schema"];
  readonly tools?: Probed["tools"];
};

/** What a run against a misbehaviour comes to, so that a machine can check it. */
export type Expected = {
  readonly once: TrialEnd;
  readonly always: TrialEnd;
  readonly recorded: Recorded;
  /** Where the recorded facts differ in mode `tools`. */
  readonly recordedInTools?: Recorded;
};

export type Scope = { readonly modes: readonly WireMode[]; readonly streaming: readonly boolean[] };

/** A Misbehaviour: something that a model's server does wrong, and what Signalbox does about it. */
export type Misbehaviour = {
  readonly name: string;
  /** What the server does, in one sentence. */
  readonly does: string;
  /** What Signalbox does, in one sentence. */
  readonly answer: string;
  /** In which modes, and with or without streaming, it can be shown. */
  readonly scope: Scope;
  /** `server`: it is about the server as a whole, its answer to the canary included, and is given as `always`. */
  readonly reach: "reply" | "server";
  readonly expected: Expected;
};

export const EVERYWHERE: Scope = { modes: ["flat", "tools"], streaming: [false, true] };
export const IN_TOOLS: Scope = { modes: ["tools"], streaming: [false, true] };
export const IN_FLAT: Scope = { modes: ["flat"], streaming: [false, true] };
export const STREAMED: Scope = { modes: ["flat", "tools"], streaming: [true] };
export const PLAIN: Scope = { modes: ["flat", "tools"], streaming: [false] };

/** It harms nothing: the reply is read and performed like any other. */
export function read(recorded: Recorded = {}, recordedInTools?: Recorded): Expected {
  return {
    once: { ending: "answered", effects: ["before", "bent", "after"], requests: 4, failed: null },
    always: { ending: "repetition", effects: ["bent", "bent"], requests: 3, failed: null },
    recorded,
    ...(recordedInTools === undefined ? {} : { recordedInTools }),
  };
}

/** The reply is malformed: asked again once a turn, and after three such turns the run ends. */
export function malformed(why: string, inTools: string = why): Expected {
  return {
    once: { ending: "answered", effects: ["before", "after"], requests: 4, failed: null },
    always: { ending: "malformed", effects: [], requests: 6, failed: null },
    recorded: { why },
    recordedInTools: { why: inTools },
  };
}

/** The same request is sent again, at most twice. */
export function sentAgain(failed: string): Expected {
  return {
    once: { ending: "answered", effects: ["before", "after"], requests: 4, failed: null },
    always: { ending: "model_unreachable", effects: [], requests: 3, failed },
    recorded: { attempts: 2 },
  };
}

/** Asked again once with a strictly smaller prompt. From the first prompt nothing can be left out: then the run ends. */
export function askedSmaller(
  failed: string,
  always: TrialEnd = { ending: "model_unreachable", effects: [], requests: 1, failed },
): Expected {
  const once: TrialEnd = { ending: "answered", effects: ["before", "after"], requests: 4, failed };
  return { once, always, recorded: {} };
}

/** The server takes no request of this form at all: the run ends at its first. */
export function neverTaken(failed: string, recorded: Recorded): Expected {
  const end: TrialEnd = { ending: "model_unreachable", effects: [], requests: 1, failed };
  return { once: end, always: end, recorded };
}

/** The run ends: sending the same again would give the same again. */
export function givenUp(failed: string): Expected {
  return {
    once: { ending: "model_unreachable", effects: ["before"], requests: 2, failed },
    always: { ending: "model_unreachable", effects: [], requests: 1, failed },
    recorded: {},
  };
}
