import type { GuideTask } from "../domain/rule.ts";
import type { Unselected } from "../domain/served.ts";
import type { Part } from "./part.ts";
import { RuleSet } from "./rule-set.ts";
import { outsideOf } from "./scopes.ts";
import { firedBy } from "./task-index.ts";

export type Selection = {
  /** In authored order. */
  readonly selected: readonly Part[];
  /** Those that were not looked at to the end, and count as matching. */
  readonly assumed: readonly Part[];
};

/**
 * Select: the rules whose matchers all fire, in authored order. A matcher that a rule does not have fires always; one that
 * it has needs something to fire on, so a rule with `app` or `paths` is not for a task without. What would take too long to
 * look at counts as firing, and is named.
 */
export function select(set: RuleSet, task: GuideTask, profile: string): Selection {
  const { parts, tasks, scopes } = RuleSet.contents(set);
  const fired = firedBy(tasks, task.text);
  const judge = outsideOf(scopes, task, profile);
  const selected: Part[] = [];
  const assumed: Part[] = [];
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    if (part === undefined || fired[i] !== 1) continue;
    const judged = judge(i);
    if (judged.outside !== null) continue;
    selected.push(part);
    if (judged.assumed) assumed.push(part);
  }
  return { selected, assumed };
}

/** For each rule that is not selected the first of its matchers that does not fire, in authored order. */
export function explainSelection(
  set: RuleSet,
  task: GuideTask,
  profile: { readonly name: string },
): readonly Unselected[] {
  const { parts, tasks, scopes } = RuleSet.contents(set);
  const fired = firedBy(tasks, task.text);
  const judge = outsideOf(scopes, task, profile.name);
  return parts.flatMap(({ id }, i) => {
    const because = fired[i] === 1 ? judge(i).outside : "task";
    return because === null ? [] : [{ id, because }];
  });
}
