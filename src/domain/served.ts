/**
 * What is served (design 7.2): the report of a compiled plan, and the receipt that a run keeps of it.
 */
import { canonicalJson } from "./canonical.ts";
import type { Cited } from "./guide-record.ts";
import type { Json } from "./json.ts";
import type { Slot } from "./profile.ts";
import type { Condition, Escalation } from "./rule.ts";

/** Two line breaks between the texts of two rules; they count against the budget. */
export const RULE_SEPARATOR = "\n\n";

export const DROP_REASONS = ["after_the_stop", "larger_than_budget"] as const;
/** `after_the_stop`: the walk had stopped, at this rule or before. `larger_than_budget`: it can never be served. */
export type DropReason = (typeof DROP_REASONS)[number];

/** A rule as a report names it. `bytes`: of its text in UTF-8. */
export type ServedRule = {
  readonly id: string;
  readonly revision: string;
  readonly bytes: number;
  readonly safety: boolean;
  /** What the watchdog looks for once the rule was taught; null where it declares nothing. */
  readonly breach: Condition | null;
  readonly escalate: Escalation | null;
};

/** A rule on channel B: not in the text, and injected when an event meets `when`. */
export type RoutedRule = ServedRule & { readonly when: Condition; readonly text: string };

export type DroppedRule = Pick<ServedRule, "id" | "revision" | "bytes"> & { readonly reason: DropReason };

/** The matchers in the order in which they are asked. */
export const MATCHERS = ["task", "app", "paths", "profile"] as const;
/** Why a rule that was not selected was not: the first matcher that does not fire. */
export type Unselected = { readonly id: string; readonly because: (typeof MATCHERS)[number] };

/** What became of every rule that was given. `kept + routed + dropped = selected`, and `selected + unselected = given`. */
export type ServeReport = {
  readonly given: number;
  readonly unselected: number;
  readonly selected: number;
  /** In the text, in authored order. */
  readonly kept: readonly ServedRule[];
  readonly routed: readonly RoutedRule[];
  readonly dropped: readonly DroppedRule[];
  /**
   * Ids of the selected rules that were not looked at to the end, in authored order: the task is about more files than are
   * looked at, or its files and the rules' patterns are too many. What was not looked at counts as matching.
   */
  readonly assumed: readonly string[];
  /** Of the text in UTF-8. */
  readonly bytes: number;
  readonly budgetBytes: number;
  readonly profile: string;
  /** Where the budget comes from, or `unmeasured`. */
  readonly measured: string;
};

/** What of a plan its digest covers: everything that the model may be told by it, and where. */
export type PlanFacts = {
  readonly slot: Slot;
  readonly text: string;
  readonly report: Pick<ServeReport, "kept" | "routed" | "dropped" | "budgetBytes" | "profile">;
};

/** The text whose SHA-256 names a plan. */
export function planText({ slot, text, report }: PlanFacts): string {
  const { kept, routed, dropped, budgetBytes, profile } = report;
  return canonicalJson({ slot, text, kept, routed, dropped, budgetBytes, profile } as unknown as Json);
}

export const REFUSAL_CODES = [
  "safety_exceeds_budget",
  "channel_b_exceeds_window",
  "unreadable_header",
  "duplicate_id",
  "unknown_profile",
  "chain_broken",
  "revision_damaged",
  "safety_withheld",
  "secret_in_guide",
] as const;
/** Why no plan can exist. */
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** A Refusal: compile's typed "no plan can exist". `rules` names those that it is about. */
export type Refusal = {
  readonly kind: "refusal";
  readonly code: RefusalCode;
  readonly detail: string;
  readonly rules: readonly string[];
};

export const WITHHELD_CODES = [
  "expired",
  "approval_revoked",
  "stale_profile",
  "stale_map",
  "approver_lost_role",
  "signature_missing",
  "signature_invalid",
] as const;
/** Why a published rule is not served: its approval does not cover serving it here and now. */
export type WithheldCode = (typeof WITHHELD_CODES)[number];
export type WithheldRule = {
  readonly id: string;
  readonly revision: string;
  readonly safety: boolean;
  readonly code: WithheldCode;
  readonly detail: string;
};

export const LOST_CODES = ["withdrawn", "not_published", "receipt_mismatch"] as const;
/**
 * Why a run that was told its rules may not go on, besides the codes above. `receipt_mismatch`: its receipt is not what the rules
 * give that were published when it began.
 */
export type LostCode = (typeof LOST_CODES)[number];

/** A Receipt of what one run was really served: part of its `began` row, so that the run can be replayed from its rows alone. */
export type Served = {
  /** The digest of the plan (planText). */
  readonly plan: string;
  /** The digest of the profile (profileText). */
  readonly profileDigest: string;
  /** The newest row of the guides' chain when it was served; null for a plan of a trial, which no chain vouches for. */
  readonly chain: Cited | null;
  readonly app: string | null;
  readonly paths: readonly string[];
  readonly slot: Slot;
  readonly text: string;
  readonly report: ServeReport;
  readonly withheld: readonly WithheldRule[];
};
