import type { Reservation } from "../domain/cap.ts";
import type { Command } from "../domain/command.ts";
import type { Ending } from "../domain/ending.ts";
import {
  type Approved,
  type Began,
  NOTHING_SPENT,
  type Passage,
  type Probed,
  type Spent,
  type Staged,
} from "../domain/event.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import type { Receipt } from "../domain/receipt.ts";
import type { Escalation } from "../domain/rule.ts";
import type { WireMode } from "../domain/said.ts";
import type { RoutedStep } from "./guardrails/auto-correction.ts";
import type { History, Newest } from "./guardrails/compression.ts";
import type { Signature, Streak } from "./guardrails/repetition.ts";
import type { Receipts, ShortCircuits } from "./guardrails/short-circuit.ts";

/** What the loop knows about a tool: never how to run it. */
export type LoopTool = {
  readonly name: string;
  readonly description: string;
  readonly local: boolean;
  readonly mayRepeat: boolean;
  /** A `once` tool's done effect settles its params for good. */
  readonly once: boolean;
  /** The key of the work that these params are about (`settles`), or null. Must not throw. */
  readonly settleKey: (params: Json) => string | null;
  /** For the prompt: the JSON Schema of the params in canonical JSON, and how many ids have to be cited. */
  readonly paramsText: string;
  /** JSON Schema of the params; null where the tool takes any object. */
  readonly paramsSchema: JsonObject | null;
  readonly evidenceMin: number;
  /** It has no parameters at all: a call without arguments has one reading. */
  readonly takesNothing: boolean;
};

export type LoopRules = {
  readonly tools: ReadonlyMap<string, LoopTool>;
  /** How replies are asked for. Default `flat`. */
  readonly mode?: WireMode;
};

/** Counters of what a run has used since it began or was last continued. */
export type Used = Spent & { readonly since: number };

/** The steps that one reply asked for: one for an action, several for a plan. */
export type Queue = {
  readonly steps: readonly RoutedStep[];
  readonly next: number;
  /** For a plan of several steps, and for a reply of several calls: the turn was signed as a whole. */
  readonly plan: boolean;
};

/** Where a step is between its command and its outcome. */
export type StepState =
  | { readonly state: "proposed" }
  | {
      readonly state: "permitted" | "started";
      readonly checked: JsonObject;
      readonly reservations: readonly Reservation[];
    };

/** Rules whose event has happened in a step, and that are not in the prompt yet. */
export type Due = { readonly step: number; readonly rules: readonly string[] };

/** A rule was broken after it was taught. `by`: the tool that was proposed, or the event that a step gave. */
export type Breach = {
  readonly rule: string;
  readonly step: number;
  readonly by: string;
  readonly escalate: Escalation;
};

/** What the operator gets when a run stops. */
export type LastResult = { readonly tool: string; readonly result: Json; readonly line: string };

/**
 * A Run: everything that the next command follows from. `run = fold(advance, events)`; values in, values out, and no
 * older state is ever changed.
 */
export type Run = {
  readonly rules: LoopRules;
  readonly began: Began | null;
  readonly command: Command | null;
  readonly used: Used;
  /** Model turns and steps over the whole run, continues included: names of turns and steps never repeat. */
  readonly turn: number;
  readonly step: number;
  readonly queue: Queue | null;
  readonly stepState: StepState;
  /** The proposal that waits for a person, or waited and is decided again now; null where the step needs nobody. */
  readonly staged: Staged | null;
  /** The approval of that proposal, from the moment it is given until the step is over. */
  readonly approved: Approved | null;
  /** Whether a person's word has opened the run again and nobody has taken it up yet: that time is no time of the run's. */
  readonly lying: boolean;
  /** Who proposed the step, where a person edited it; null for the run's principal. */
  readonly proposer: string | null;
  readonly malformedInARow: number;
  /** Signatures of the newest turns, oldest first. */
  readonly recent: readonly Signature[];
  /** Identical proposals in a row, counted over actions and the steps of plans alike. */
  readonly streak: Streak | null;
  readonly shortCircuits: ShortCircuits | null;
  /** The last result, where it was a pass for a key. */
  readonly lastSettled: Receipt | null;
  readonly receipts: Receipts | null;
  readonly history: History | null;
  readonly newest: Newest | null;
  /** Lines of the loop's own about what came after the newest result, oldest first. They follow it into the history. */
  readonly since: readonly string[];
  readonly lastDone: LastResult | null;
  /** Steps that were done, and proposals that a rail denied, over the whole run. */
  readonly performed: number;
  readonly denied: number;
  /** Rules of channel B that were injected, and those whose event has happened and that are about to be. Ids. */
  readonly taught: readonly string[];
  readonly due: Due | null;
  /** What goes on after the injection that is the command now. */
  readonly deferred: Command | null;
  /** How taught rules were broken, oldest first. */
  readonly breaches: readonly Breach[];
  readonly passages: readonly Passage[] | null;
  /** What the newest probe found of the server, or null. */
  readonly probed: Probed | null;
  /** Bytes that system and user text may take since a prompt was too long for the server; null before. */
  readonly promptBytesMax: number | null;
  /** Bytes of the prompt that overflowed the server's window, once one did; null before. */
  readonly overflowed: number | null;
  readonly ended: Ending | null;
  readonly lastAt: number;
};

export function newRun(rules: LoopRules): Run {
  return {
    rules,
    began: null,
    command: null,
    used: { ...NOTHING_SPENT, since: 0 },
    turn: 0,
    step: 0,
    queue: null,
    stepState: { state: "proposed" },
    staged: null,
    approved: null,
    lying: false,
    proposer: null,
    malformedInARow: 0,
    recent: [],
    streak: null,
    shortCircuits: null,
    lastSettled: null,
    receipts: null,
    history: null,
    newest: null,
    since: [],
    lastDone: null,
    performed: 0,
    denied: 0,
    taught: [],
    due: null,
    deferred: null,
    breaches: [],
    passages: null,
    probed: null,
    promptBytesMax: null,
    overflowed: null,
    ended: null,
    lastAt: 0,
  };
}
