import type { RunEvent } from "../../domain/event.ts";
import type { Refusal, Served } from "../../domain/served.ts";
import type { TrialDesign, TrialTask } from "../../domain/trial.ts";
import type { TrialSetting } from "../../domain/trial-run.ts";
import type { Clock, Hash } from "../../ports/world.ts";
import type { LaidRule } from "../../trials/index.ts";

/**
 * What a trial needs of the world: rules are served and runs are carried exactly as in production, by whoever does it there.
 */
export type TrialWorld = {
  readonly clock: Clock;
  readonly hash: Hash;
  readonly model: string;
  /** As far as it is known: what the model's server refuses of a request is part of it. */
  readonly setting: TrialSetting;
  /** Asks the model's server once, so that `setting` is known before the first run. Left out where it is known anyway. */
  readonly meet?: (signal: AbortSignal) => Promise<unknown>;
  /** Compiles these rules, in this order, for the task under the trial's profile. */
  readonly serveArm: (laid: readonly LaidRule[], task: TrialTask) => Promise<ServedArm>;
  /** Carries one run that is told this. What it throws makes the run an error. */
  readonly carry: (run: TrialCarry) => Promise<TrialCarried>;
};

export type ServedArm = { readonly kind: "served"; readonly served: Served } | Refusal;

export type TrialCarry = {
  readonly design: TrialDesign;
  readonly task: TrialTask;
  readonly served: Served;
  /** For a model that takes one: the same in all runs of a pair. */
  readonly seed: number;
  readonly signal: AbortSignal;
};

/** The run's id in its ledger, or null, and its events. */
export type TrialCarried = { readonly run: string | null; readonly events: readonly RunEvent[] };
