import type { Finding } from "../domain/finding.ts";

/**
 * Everything that can be found in rule files, and how grave it is. The one table: nobody configures it, and
 * test/pins/rule-findings.test.ts pins it.
 */
export const FINDING_CODES = {
  /** The file itself: it could not be read, is too large, or is not text. */
  unreadable_file: "error",
  file_too_large: "error",
  lone_surrogate: "error",
  /** The header has no beginning or end, is no YAML, or is no mapping. */
  unreadable_header: "error",
  /** YAML that says one thing and means another: anchors, aliases, tags, merge keys, directives, a second document. */
  forbidden_yaml: "error",
  duplicate_key: "error",
  unknown_key: "error",
  missing_id: "error",
  bad_id: "error",
  bad_value: "error",
  bad_date: "error",
  breach_without_escalate: "error",
  escalate_without_breach: "error",
  hidden_code_point: "error",
  /** A word with letters of two alphabets that look alike. */
  mixed_script: "warning",
  empty_body: "error",
  /** What is found in the set of all rules, not in one of them. */
  duplicate_id: "error",
  duplicate_rule: "warning",
  larger_than_budget: "error",
  safety_exceeds_budget: "error",
  safety_crowds_budget: "warning",
  /** Rules without a matcher are in every plan: together they exceed the budget, or leave this rule no room in any task. */
  always_on_crowds_budget: "warning",
  never_served: "warning",
  never_selected: "warning",
  past_expiry: "warning",
  /** What is found in the folder and in what the config says of it. */
  excludes_no_file: "warning",
  file_not_read: "warning",
  /** A `breach` by a tool that there is not: the watchdog looks for what never happens. */
  unknown_tool: "warning",
} as const satisfies Readonly<Record<string, Finding["severity"]>>;

export type FindingCode = keyof typeof FINDING_CODES;

/** A finding with the severity that its code has. */
export function finding(code: FindingCode, where: string, message: string): Finding {
  return { rule: code, severity: FINDING_CODES[code], where, message };
}
