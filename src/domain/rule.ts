/**
 * A Rule: a piece of guide text with the matchers that say when it is served (design 7.1). It is read from one file, and its
 * text is an untouched range of that file's bytes.
 */
import type { RuleGuide } from "./guide.ts";

/** What a rule can be called. */
export const RULE_ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** What a fact of an event, or a parameter of a proposal, can be compared with. */
export type Scalar = string | number | boolean;

/**
 * A Condition: what an event or a proposal has to be. All of it must hold: the name, where one is given, and each fact, which
 * equals one of the listed values. With `tool` it is about a proposal of that tool and its top-level params, else about an
 * event and its top-level facts.
 */
export type Condition = {
  readonly event: string | null;
  /** Only in `breach`. */
  readonly tool: string | null;
  /** By name, in the order of the names. */
  readonly facts: readonly { readonly name: string; readonly anyOf: readonly Scalar[] }[];
};

/**
 * Which tasks a rule is for. It fires where one of the phrases does, or where at least `least` of `words` occur. Both empty:
 * never built; a rule for every task has `task: null`.
 */
export type TaskMatcher = {
  /** Each a list of words that must all occur in the task, in any order. A word that ends in `*` is a beginning. */
  readonly phrases: readonly (readonly string[])[];
  readonly words: readonly string[];
  readonly least: number;
};

export type Escalation = "warn" | "end";

export type Rule = {
  readonly id: string;
  /** The file's name below the guides folder, with `/`. */
  readonly file: string;
  /** SHA-256 of the file's bytes, 64 lower-case hex digits: the name of exactly these bytes. */
  readonly revision: string;
  /** Globs over the app; empty: every app, and none. */
  readonly app: readonly string[];
  readonly task: TaskMatcher | null;
  /** Globs over the files that the task is about; empty: whatever they are. */
  readonly paths: readonly string[];
  /** Globs over the profile's name; empty: every profile. */
  readonly profile: readonly string[];
  /** Set: the rule lives on channel B and is injected when an event meets this. */
  readonly when: Condition | null;
  /** What counts as breaking the rule, after it was taught. */
  readonly breach: Condition | null;
  readonly escalate: Escalation | null;
  readonly safety: boolean;
  /** Rules are served by this, then by id. Default 0. */
  readonly order: number;
  /** `YYYY-MM-DD`: the first day on which it is no longer served, in the configured zone; null: never. */
  readonly expires: string | null;
  /** The generated guide that the text was made of (design 7.5); null for a rule that people wrote. */
  readonly guide: RuleGuide | null;
  /** What the model is told: the bytes `from` to `to` of the file, without the blank lines around them. */
  readonly body: string;
  readonly from: number;
  readonly to: number;
};

/** Files of one task that are looked at. */
export const TASK_PATHS_MAX = 1_000;

/**
 * What rules are selected for: the operator's request, the app that is acted in, and the files that it is about. One that is
 * about more than TASK_PATHS_MAX files is about every file: a rule for a file that nobody looked at must not be lost.
 */
export type GuideTask = { readonly text: string; readonly app: string | null; readonly paths: readonly string[] };

/** The authored order: `order`, then id by code units. The same on every machine. */
export function inAuthoredOrder(a: Pick<Rule, "order" | "id">, b: Pick<Rule, "order" | "id">): number {
  return a.order - b.order || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
