/**
 * A Guide: a generated plan for a task (design 7.5), step by step, in the interface's own words. It is text for a model, never a
 * rail: that a step's control exists does not say that the steps accomplish the task.
 */
export type Milestone = {
  /** The screen on which it is done, by its id in the map; null where the guide does not say. */
  readonly screen: string | null;
  /** What is done, in the interface's own words. */
  readonly intent: string;
  /** The control that it is done with, by its id in the map; null where grounding is to find it. */
  readonly control: string | null;
};

export type Guide = {
  readonly version: 1;
  readonly id: string;
  readonly task: string;
  /** What has to hold before the first step. */
  readonly preconditions: readonly string[];
  /** How one gets to the first milestone. */
  readonly entry: readonly Milestone[];
  readonly milestones: readonly Milestone[];
  /** What to do where a step cannot be done. */
  readonly fallback: string;
  /** What the guide is for, and what it is not for. */
  readonly scope: string;
};

/** A Guide in the file of a rule, with the map that it was grounded in: by its name among the maps, and its digest. */
export type RuleGuide = {
  readonly map: string;
  readonly digest: string;
  readonly guide: Guide;
};

/** What a guide may hold: more is no plan that anybody follows. Texts in UTF-16 units. */
export const GUIDE_LIMITS = { steps: 40, texts: 20, textUnits: 400, idUnits: 256 } as const;
