import type { Profile } from "../domain/profile.ts";
import type { GuideTask } from "../domain/rule.ts";
import type { Refusal } from "../domain/served.ts";
import { fit } from "./fit.ts";
import { pin } from "./pin.ts";
import { place } from "./place.ts";
import { route } from "./route.ts";
import type { RuleSet } from "./rule-set.ts";
import { select } from "./select.ts";
import { ServePlan } from "./serve-plan.ts";

/**
 * What a run with this task is told under this profile (design 7.2): select, route, pin, fit, place. A pure function of its
 * arguments: the same bytes on every platform, in whatever order the rules were given. `bytes(text) <= budget` holds in
 * UTF-8, a selected safety rule is in the text or on channel B, and every given rule is accounted for in the report. A plan
 * without a rule is a plan. Refusals: `duplicate_id`, `safety_exceeds_budget`, `channel_b_exceeds_window`.
 *
 * Laws, tested in test/laws/guides.test.ts; said again, slowly, in spec/guides.ts.
 */
export function compile(set: RuleSet, task: GuideTask, profile: Profile): ServePlan | Refusal {
  if (set.duplicates.length > 0) return duplicateIds(set);
  // Read once: what was checked against a budget is what is reported against it.
  const { name, budgetBytes, slot, contextTokens, bytesPerToken, measured } = profile;
  const { selected, assumed } = select(set, task, name);
  const { routed, dispatch } = route(selected);
  const pinned = pin(dispatch, { name, bytes: budgetBytes });
  if (pinned.kind === "refusal") return pinned;
  // biome-ignore lint/suspicious/noFocusedTests: it fits rules into a budget, and is no test's
  const { kept, dropped } = fit(dispatch, pinned.taken, budgetBytes);
  const placed = place(kept, routed, { name, slot, contextTokens, bytesPerToken });
  if (placed.kind === "refusal") return placed;
  return ServePlan.assemble({
    given: set.size,
    selected,
    kept,
    routed,
    dropped,
    assumed,
    slot: placed.slot,
    profile: { name, budgetBytes, contextTokens, bytesPerToken, measured },
  });
}

/** Which of two rules with one id is meant nobody can say, and one of them may be a safety rule. */
function duplicateIds({ duplicates }: RuleSet): Refusal {
  return {
    kind: "refusal",
    code: "duplicate_id",
    detail: duplicates.map(({ id, files }) => `${id} is the id of ${files.join(" and ")}`).join("; "),
    rules: duplicates.map(({ id }) => id),
  };
}
