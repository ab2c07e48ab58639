import type { Reservation } from "./cap.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Proposal } from "./proposal.ts";
import type { Provenance } from "./provenance.ts";

/** The version of the format that docs/scenarios.md describes. A change that refuses an accepted document gets a new one. */
export const SCENARIO = "signalbox.scenario/1";

/**
 * A Scenario: a situation written down, and the proposals to be judged in it. Nothing in it calls a service, a model or a
 * store, so a policy can be tried on thousands of them.
 */
export type Scenario = {
  readonly name: string | null;
  readonly principal: ScenarioPrincipal;
  readonly customer: string | null;
  /** Milliseconds since 1970-01-01T00:00Z. */
  readonly now: number;
  /** IANA zone of `today`; null: the config's. */
  readonly zone: string | null;
  /** What the operator said, oldest first. The last one is the request of the run in which the steps begin. */
  readonly requests: readonly string[];
  /** What tools gave before the first step. */
  readonly results: readonly ScenarioResult[];
  readonly records: readonly ScenarioRecord[];
  readonly caps: readonly ScenarioCap[];
  readonly steps: readonly ScenarioStep[];
};

/** What is null is what the config says of this id. */
export type ScenarioPrincipal = {
  readonly id: string;
  readonly tools: readonly string[] | "all" | null;
  readonly attributes: JsonObject | null;
};

/** What a tool gave. `untrusted`: fields that an attacker can write, whatever the tool declares of them. */
export type ScenarioResult = {
  readonly tool: string;
  readonly params: JsonObject | null;
  readonly result: Json;
  readonly outcome: "done" | "failed" | "outcome_unknown";
  readonly untrusted: readonly string[] | "all";
};

/** The FactRecord of a tool, for every proposal whose params hold these values. The newest that fits counts. */
export type ScenarioRecord = { readonly tool: string; readonly params: JsonObject; readonly record: Json };

/** What others hold of a cap, in every window of it. */
export type ScenarioCap = { readonly cap: string; readonly key: string; readonly used: number };

export type ScenarioStep =
  | { readonly kind: "proposal"; readonly value: ScenarioProposal }
  | { readonly kind: "result"; readonly value: ScenarioResult }
  | { readonly kind: "record"; readonly value: ScenarioRecord }
  /** The operator says something more: another run of the same thread begins. */
  | { readonly kind: "request"; readonly value: string }
  | { readonly kind: "now"; readonly value: number };

export type ScenarioProposal = Proposal & { readonly expect: Expected | null };

/** What is null may be anything. */
export type Expected = {
  readonly outcome: SimulatedOutcome;
  readonly code: string | null;
  readonly rule: string | null;
  readonly role: string | null;
};

/** `settled`: done before in this thread; its receipt goes back, and nothing is decided or performed. */
export const SIMULATED_OUTCOMES = ["allow", "deny", "stage", "settled"] as const;
export type SimulatedOutcome = (typeof SIMULATED_OUTCOMES)[number];

/** What became of one proposal of a scenario. */
export type SimulatedVerdict = {
  /** Which proposal, from 0. */
  readonly index: number;
  readonly tool: string;
  readonly outcome: SimulatedOutcome;
  /** The rule that decided; `once` where the thread had settled it before. */
  readonly rule: string;
  /** A denial's code, rail and sentence, else null. */
  readonly code: string | null;
  readonly rail: string | null;
  readonly message: string | null;
  /** Who may approve, where it was staged. */
  readonly role: string | null;
  /** The params after the output rail; null where it refused them. */
  readonly params: JsonObject | null;
  readonly evidence: readonly string[];
  /** Where the values of the params were seen; empty where no tool declares provenance or trust. */
  readonly provenance: Provenance;
  readonly reservations: readonly Reservation[];
  readonly expected: Expected | null;
  /** Whether it is as expected; null where nothing was. */
  readonly asExpected: boolean | null;
};

export type Simulation = {
  readonly schema: "signalbox.verdicts/1";
  /** The scenario's name, or null. */
  readonly scenario: string | null;
  /** Whether every verdict is as expected. */
  readonly ok: boolean;
  readonly policyVersion: string;
  readonly verdicts: readonly SimulatedVerdict[];
};
