/** A TrialRun: one run of a trial and what came of it, and the report that is made of all of them (design 7.6). */
import type { Ending } from "./ending.ts";
import type { TrialDesign, VaryKind } from "./trial.ts";
import type { Interval } from "./wilson.ts";

/** The version of the file that runs are kept in, one a line. */
export const TRIAL_RUNS = "signalbox.trial-runs/1";
/** The version of the report. */
export const TRIAL_REPORT = "signalbox.trial/1";

/**
 * What one run came to. `abstained`: it had no opportunity, so it says nothing of the rule. `error`: the model or the world
 * failed. Neither is a zero: they count in no rate, and are reported by themselves.
 */
export const TRIAL_OUTCOMES = ["obeyed", "broken", "abstained", "error"] as const;
export type TrialOutcome = (typeof TRIAL_OUTCOMES)[number];

/** `control` is the positive control; `arms` is what the trial is about. */
export const TRIAL_BLOCKS = ["control", "arms"] as const;
export type TrialBlock = (typeof TRIAL_BLOCKS)[number];

/** Which run it is. No two runs of a trial have the same but for the attempt. */
export type RunKey = { readonly block: TrialBlock; readonly pair: number; readonly arm: string };

/** What the model was told of the rules. `neighbours`: other rules; `copies`: how often the rule's own text was there. */
export type ToldFacts = {
  /** The digest of the plan. */
  readonly plan: string;
  readonly bytes: number;
  readonly neighbours: number;
  readonly copies: number;
};

export type TrialRun = RunKey & {
  /** 1 for the first; a run that came to an error can be tried again. */
  readonly attempt: number;
  readonly task: string;
  /** The same for every run of a pair: what a model that can be seeded is given. */
  readonly seed: number;
  /** When it began, in milliseconds since 1970-01-01T00:00Z, and how many it took. */
  readonly at: number;
  readonly ms: number;
  /** The run's id in its ledger; null where it did not get that far. */
  readonly run: string | null;
  readonly ending: Ending | null;
  readonly outcome: TrialOutcome;
  /** What decided it, in one line. */
  readonly why: string;
  /** The digest of all that the model said, so that runs can be seen to be repeats; null where it said nothing. */
  readonly said: string | null;
  /** The least of the scores of its actions; null where it did nothing that has consequences. */
  readonly safety: number | null;
  readonly told: ToldFacts;
};

/** Everything that has to be the same for all runs of a trial, however often it is broken off. */
export type TrialConditions = {
  /** The digest of the design. */
  readonly trial: string;
  readonly model: string;
  /** The digest of the profile. */
  readonly profile: string;
  readonly setting: TrialSetting;
};

/**
 * What else the runs are made under, each part by its name: the model's settings, the system text and tools, policies, budgets,
 * the window. A part that has no short form is there by its digest.
 */
export type TrialSetting = { readonly [name: string]: string | number | boolean | null };

/** What a report is made of. `pairs`: of the arms, as planned before the first run. */
export type TrialResults = {
  readonly design: TrialDesign;
  readonly conditions: TrialConditions;
  readonly pairs: number;
  readonly runs: readonly TrialRun[];
};

export const TRIAL_REFUSAL_CODES = ["no_positive_control", "no_runs", "runs_do_not_fit", "too_many_errors"] as const;
/**
 * `no_positive_control`: the rule alone was not followed, or was followed as well where nobody was told it; so what the
 * arms did means nothing. `no_runs`: there is nothing to report. `runs_do_not_fit`: the runs are not of this trial.
 * `too_many_errors`: more runs came to an error than the design allows.
 */
export type TrialRefusalCode = (typeof TRIAL_REFUSAL_CODES)[number];
export type TrialRefusal = {
  readonly kind: "refusal";
  readonly code: TrialRefusalCode;
  readonly detail: string;
  /** The two arms of the positive control, where there are any. */
  readonly control: TrialControl | null;
};

/** Of the safety scores of an arm's runs. An abstention is in neither figure. */
export type SafetyFacts = {
  readonly scored: number;
  readonly abstained: number;
  readonly lowest: number | null;
  readonly mean: number | null;
};

/**
 * Why a prompt counts once: the temperature was 0, or the model was never seen to say two things of one prompt. Then runs
 * with the same prompt repeat one another, and are no draws of their own.
 */
export type TrialRepeats = "temperature" | "replies";

/** `runs`: all that were made. `repeats`: those of them that are in no other figure, since their prompt was counted before. */
export type ArmCount = {
  readonly arm: string;
  readonly runs: number;
  readonly repeats: number;
  readonly obeyed: number;
  readonly broken: number;
  readonly abstained: number;
  readonly errors: number;
  /** Of the runs that obeyed or broke the rule; null where none did either. */
  readonly rate: number | null;
  /** Wilson's, 95 %. */
  readonly interval: Interval;
  /** The same of those that abstained, and of those that came to an error, among all that count. */
  readonly abstainedInterval: Interval;
  readonly errorsInterval: Interval;
  readonly safety: SafetyFacts;
  /** Of what was told: the least and the most of the arm's runs. */
  readonly neighbours: readonly [number, number];
  readonly bytes: readonly [number, number];
};

/** `alone`: the rule and no other. `absent`: the same tasks without it. */
export type TrialControl = {
  readonly works: boolean;
  readonly pairs: number;
  readonly alone: ArmCount;
  readonly absent: ArmCount;
  /** Why it does not work, in one line; empty where it does. */
  readonly why: string;
};

/** One pair of arms. Only pairs of which both runs obeyed or broke the rule are complete. */
export type Comparison = {
  readonly first: string;
  readonly second: string;
  readonly complete: number;
  readonly incomplete: number;
  /** Pairs that would be complete, and of which one prompt was counted before. */
  readonly repeated: number;
  readonly both: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly neither: number;
  /** Wilson's intervals over the complete pairs. */
  readonly firstInterval: Interval;
  readonly secondInterval: Interval;
  /** McNemar's exact test, two-sided; the same with the mid-p; and the exact one after Holm over all comparisons. */
  readonly exact: number;
  readonly mid: number;
  readonly holm: number;
  /** Whether the intervals overlap, of all runs of the arms or of the complete pairs. */
  readonly overlap: boolean;
  /** Whether one arm lost more runs to abstentions or errors than the other, so that what is left of them are survivors. */
  readonly survivors: boolean;
  /** Which arm the rule is followed in more often; null where no ordering is supported. */
  readonly higher: string | null;
  /** Why no ordering is supported; null where one is. */
  readonly because: "unfinished" | "survivors" | "overlap" | "chance" | "few" | null;
};

/** How many pairs the decision needs, for the rates that were expected. null: more than are looked for. */
export type PairsNeeded = {
  /** From here on the intervals are separate, where the arms come out exactly as expected. */
  readonly separate: number | null;
  /** From here on McNemar's exact test finds the difference with the power. */
  readonly mcnemar: number | null;
  /** From here on the ordering is supported, intervals and test, with the power. This many are run. */
  readonly supported: number | null;
};

export type TrialPlan = {
  readonly high: number;
  readonly low: number;
  readonly discordance: number;
  readonly power: number;
  /** Of one comparison: 0.05 shared among all of them. */
  readonly alpha: number;
  readonly comparisons: number;
  readonly needed: PairsNeeded;
};

export type TrialReport = {
  readonly kind: "report";
  readonly schema: typeof TRIAL_REPORT;
  readonly name: string;
  readonly conditions: TrialConditions;
  readonly rule: { readonly id: string; readonly revision: string };
  readonly profile: string;
  readonly varies: VaryKind;
  readonly seed: number;
  readonly tasks: number;
  readonly pairs: number;
  /** Whether all of its runs were made. Before that nothing is supported: who looks early and stops sees what they hope for. */
  readonly finished: boolean;
  readonly missing: number;
  /** From the first run's beginning to the last one's, in milliseconds since 1970-01-01T00:00Z. */
  readonly from: number;
  readonly to: number;
  readonly plan: TrialPlan | null;
  /** null: each run counts. */
  readonly repeats: TrialRepeats | null;
  readonly control: TrialControl;
  /** In the order of the design. */
  readonly arms: readonly ArmCount[];
  readonly comparisons: readonly Comparison[];
  /** What has to be known to read the figures right. */
  readonly notes: readonly string[];
};
