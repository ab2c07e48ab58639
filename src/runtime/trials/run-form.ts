import { ENDINGS, type Ending } from "../../domain/ending.ts";
import type { Json, JsonObject } from "../../domain/json.ts";
import {
  TRIAL_BLOCKS,
  TRIAL_OUTCOMES,
  TRIAL_RUNS,
  type TrialConditions,
  type TrialRun,
  type TrialSetting,
} from "../../domain/trial-run.ts";
import { anyObject, anything, type Form, needed, object, oneOf, text, turned, whole } from "../form.ts";

/** The first line of a file of runs: which trial they are of, and under which conditions. */
export type TrialHead = {
  readonly at: number;
  readonly pairs: number;
  readonly conditions: TrialConditions;
  /** The design as it was written. */
  readonly document: Json;
};

const DIGEST = text(64, { source: "^[0-9a-f]{64}$", what: "a SHA-256" });
const LINE = text(4_096);

const SETTING: Form<TrialSetting> = turned(
  anyObject(),
  (written: JsonObject) => (isSetting(written) ? written : null),
  "must be parts by their names, each a text, a number, true, false or null",
);

function isSetting(written: JsonObject): written is JsonObject & TrialSetting {
  return Object.values(written).every((value) => value === null || typeof value !== "object");
}

export const HEAD: Form<TrialHead & { readonly schema: string }> = object({
  schema: needed(oneOf(TRIAL_RUNS), ""),
  at: needed(whole(), ""),
  pairs: needed(whole(), ""),
  conditions: needed(
    object({
      trial: needed(DIGEST, ""),
      model: needed(LINE, ""),
      profile: needed(DIGEST, ""),
      setting: needed(SETTING, ""),
    }),
    "",
  ),
  document: needed(anything(), ""),
});

export const RUN: Form<TrialRun> = object({
  block: needed(oneOf(...TRIAL_BLOCKS), ""),
  pair: needed(whole(), ""),
  arm: needed(LINE, ""),
  attempt: needed(whole(), ""),
  task: needed(LINE, ""),
  seed: needed(whole(), ""),
  at: needed(whole(), ""),
  ms: needed(whole(), ""),
  run: needed(orNull(LINE), ""),
  ending: needed(orNull(oneOf(...(Object.keys(ENDINGS) as readonly Ending[]))), ""),
  outcome: needed(oneOf(...TRIAL_OUTCOMES), ""),
  why: needed(LINE, ""),
  said: needed(orNull(DIGEST), ""),
  safety: needed(orNull(whole(100)), ""),
  told: needed(
    object({
      plan: needed(LINE, ""),
      bytes: needed(whole(), ""),
      neighbours: needed(whole(), ""),
      copies: needed(whole(), ""),
    }),
    "",
  ),
});

function orNull<T>(form: Form<T>): Form<T | null> {
  return {
    type: "any",
    schema: { anyOf: [form.schema, { type: "null" }] },
    read: (value, path, faults) => (value === null ? null : form.read(value, path, faults)),
  };
}
