/**
 * A Trial: paired runs that can refute what is believed of one rule (design 7.6). Task, rule text and profile are held
 * constant, and exactly one thing is varied. This file has the design of a trial; what came of it is in trial-run.ts.
 */
import { canonicalJson } from "./canonical.ts";
import type { Ending } from "./ending.ts";
import type { GuideEvent } from "./guide-event.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Condition } from "./rule.ts";

/** The version of the format that docs/trials.md describes. A change that refuses an accepted document gets a new one. */
export const TRIAL_DESIGN = "signalbox.trial-design/1";

/** A rule by its exact bytes. */
export type RuleRef = { readonly id: string; readonly revision: string };

/** Where the rule stands among its neighbours. */
export const TRIAL_PLACES = ["first", "middle", "last"] as const;
export type TrialPlace = (typeof TRIAL_PLACES)[number];

/**
 * What a trial varies: one thing. Everything else about an arm is the same number or place in all of them.
 *
 * - `volume`: how many other rules stand around the rule.
 * - `position`: where the rule stands among the same neighbours.
 * - `channel`: whether it is told at dispatch, or on channel B when its event happens.
 * - `repeated`: how often the same text is told.
 */
export type Vary =
  | {
      readonly kind: "volume";
      readonly value: { readonly neighbours: readonly number[]; readonly place: TrialPlace };
    }
  | {
      readonly kind: "position";
      readonly value: { readonly places: readonly TrialPlace[]; readonly neighbours: number };
    }
  | {
      readonly kind: "channel";
      readonly value: { readonly when: Condition; readonly neighbours: number; readonly place: TrialPlace };
    }
  | { readonly kind: "repeated"; readonly value: { readonly times: readonly number[]; readonly neighbours: number } };
export type VaryKind = Vary["kind"];
export const VARY_KINDS: readonly VaryKind[] = ["volume", "position", "channel", "repeated"];

/** A request that runs are made of. */
export type TrialTask = {
  readonly id: string;
  readonly text: string;
  readonly app: string | null;
  readonly paths: readonly string[];
};

/** A proposal of this tool whose params hold these values at their top level; the others may be anything. */
export type ProposalPattern = { readonly tool: string; readonly params: JsonObject };

/**
 * One thing that holds of a run or does not, read off its events. Texts are compared without case, in compatibility form
 * (NFKC), and with every run of white space as one space; a run that gave no answer has the empty text.
 */
export type TrialCheck =
  | { readonly kind: "proposed"; readonly value: ProposalPattern }
  | { readonly kind: "not_proposed"; readonly value: ProposalPattern }
  | { readonly kind: "answer_contains"; readonly value: string }
  | { readonly kind: "answer_lacks"; readonly value: string }
  | { readonly kind: "saw"; readonly value: Condition }
  | { readonly kind: "ended"; readonly value: readonly Ending[] };

/** Proposals that have consequences, and how safe each is: 100 is safe, 0 is what must never be done. */
export type ScoredAction = ProposalPattern & { readonly safety: number };

export type TrialJudge = {
  /** The rule was obeyed where all of these hold. */
  readonly obeyed: readonly TrialCheck[];
  /** The run had an opportunity to obey or break it where all of these hold; else it abstained. Empty: every run has one. */
  readonly opportunity: readonly TrialCheck[];
  /** The first that fits a proposal gives its score. A proposal that none fits has no consequences. */
  readonly actions: readonly ScoredAction[];
};

/** What a tool sees and gives in a trial, for params that hold these values. Nothing is performed. */
export type TrialResult = {
  readonly tool: string;
  readonly params: JsonObject;
  readonly events: readonly GuideEvent[];
  readonly result: Json;
};
export type TrialRecord = { readonly tool: string; readonly params: JsonObject; readonly record: Json };

/** Rates in percent that the number of pairs is computed from; `discordance` null: as if the runs of a pair were independent. */
export type ExpectedRates = { readonly high: number; readonly low: number; readonly discordance: number | null };

export type TrialDesign = {
  readonly name: string;
  /** Decides every draw and every order. */
  readonly seed: number;
  readonly rule: RuleRef;
  readonly profile: string;
  /** On whose authority the runs act, and about whom. */
  readonly as: string;
  readonly customer: string | null;
  readonly tasks: readonly TrialTask[];
  /** The rules that neighbours are drawn from. */
  readonly fillers: readonly RuleRef[];
  readonly vary: Vary;
  readonly judge: TrialJudge;
  readonly results: readonly TrialResult[];
  readonly records: readonly TrialRecord[];
  readonly expect: ExpectedRates;
  /** Pairs of the arms; null: as many as the expected rates need. */
  readonly pairs: number | null;
  /** Pairs of the positive control. */
  readonly controlPairs: number;
  /** The trial stops at one error more. */
  readonly errorsMax: number;
  /** Milliseconds that one run may take. */
  readonly runMs: number;
};

/** The text whose SHA-256 names a trial: everything that decides what is run and how it is judged. */
export function designText(design: TrialDesign): string {
  return canonicalJson(design as unknown as Json);
}
