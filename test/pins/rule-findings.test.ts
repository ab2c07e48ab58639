import { expect, test } from "vitest";
import { FINDING_CODES, HEADER_BYTES_MAX, RULE_FILE_BYTES_MAX, RULE_KEYS } from "../../src/guides/index.ts";

/** What outsiders see of rule files, as literals: a change here is a change for every author and every reviewer. */
test("what can be found in rule files, and how grave it is", () => {
  expect(Object.entries(FINDING_CODES).map(([code, severity]) => `${code} ${severity}`)).toEqual([
    "unreadable_file error",
    "file_too_large error",
    "lone_surrogate error",
    "unreadable_header error",
    "forbidden_yaml error",
    "duplicate_key error",
    "unknown_key error",
    "missing_id error",
    "bad_id error",
    "bad_value error",
    "bad_date error",
    "breach_without_escalate error",
    "escalate_without_breach error",
    "hidden_code_point error",
    "mixed_script warning",
    "empty_body error",
    "duplicate_id error",
    "duplicate_rule warning",
    "larger_than_budget error",
    "safety_exceeds_budget error",
    "safety_crowds_budget warning",
    "always_on_crowds_budget warning",
    "never_served warning",
    "never_selected warning",
    "past_expiry warning",
    "excludes_no_file warning",
    "file_not_read warning",
    "unknown_tool warning",
  ]);
});

test("the keys of a header, and how large a file and its header may be", () => {
  expect(RULE_KEYS).toEqual([
    "id",
    "app",
    "task",
    "paths",
    "profile",
    "when",
    "breach",
    "escalate",
    "safety",
    "order",
    "expires",
    "guide",
  ]);
  expect([HEADER_BYTES_MAX, RULE_FILE_BYTES_MAX]).toEqual([16_384, 1_048_576]);
});
