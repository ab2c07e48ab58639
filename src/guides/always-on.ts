import type { Finding } from "../domain/finding.ts";
import type { Profile } from "../domain/profile.ts";
import type { Rule } from "../domain/rule.ts";
import { finding } from "./finding-codes.ts";
import type { ProfileFit } from "./lint-profiles.ts";
import { bytesWith, NOTHING, type Taken } from "./taken.ts";

/** Rules that a message names; more are counted. */
const NAMED_MAX = 10;

/** What rules for every task do to a budget: for each profile as a whole, and for each rule that they leave no room for. */
export type AlwaysOn = {
  readonly findings: readonly Finding[];
  /** By the rule's file, what to say of it. */
  readonly neverServed: ReadonlyMap<string, string>;
};

/**
 * AlwaysOn: a rule without `app`, `task` and `paths` is in every plan, so the sum of those is the least that any task has to
 * fit. The same walk as fit, over them alone: what stands behind the point where it stops, or has no room left at its own
 * place, is served for no task whatever. Silence about that is how an import of fifty rules ends in three being told.
 *
 * `rules` in authored order; those that have expired are left out by the caller.
 */
export function alwaysOn(rules: readonly Rule[], fit: ProfileFit): AlwaysOn {
  const findings: Finding[] = [];
  const whys = new Map<string, string[]>();
  for (const profile of fit.profiles) {
    const own = rules.filter((rule) => rule.when === null && fit.fits(rule, profile));
    const pinned = own.filter((rule) => rule.safety && isForEveryTask(rule)).reduce(taken, NOTHING);
    // Where the safety rules alone exceed the budget there is no plan at all, and safety_exceeds_budget says so.
    if (pinned.bytes > profile.budgetBytes) continue;
    const { never, total } = walked(own, pinned, profile, whys);
    // A rule that is larger than the whole budget has an error of its own.
    if (never.some((rule) => rule.to - rule.from <= profile.budgetBytes)) findings.push(crowded(profile, total, never));
  }
  const neverServed = new Map([...whys].map(([file, why]) => [file, `never served ${why.join(", nor ")}: ${MEND}`]));
  return { findings, neverServed };
}

const MEND = "say in `task`, `app` or `paths` which tasks the rules are for, or give this one a lower `order`";

function isForEveryTask({ app, task, paths }: Rule): boolean {
  return app.length === 0 && task === null && paths.length === 0;
}

function taken(before: Taken, { from, to }: Rule): Taken {
  return bytesWith(before, { bytes: to - from });
}

/** Walks the ordinary rules, noting each that no task can have. `never`: those of them that are for every task. */
function walked(own: readonly Rule[], pinned: Taken, profile: Profile, whys: Map<string, string[]>) {
  const { name, budgetBytes } = profile;
  const never: Rule[] = [];
  let total = pinned;
  let kept = pinned;
  let stopped: Rule | null = null;
  for (const rule of own) {
    if (rule.safety) continue;
    const everyTask = isForEveryTask(rule);
    if (everyTask) total = taken(total, rule);
    const fits = stopped === null && taken(kept, rule).bytes <= budgetBytes;
    if (fits) {
      if (everyTask) kept = taken(kept, rule);
      continue;
    }
    if (everyTask) never.push(rule);
    const why =
      stopped === null
        ? `under profile ${name} (rules for every task take ${kept.bytes} of its ${budgetBytes} bytes before it)`
        : `under profile ${name} (rules for every task have filled it at "${stopped.id}", which comes before it)`;
    if (rule.to - rule.from <= budgetBytes) whys.set(rule.file, [...(whys.get(rule.file) ?? []), why]);
    if (everyTask) stopped ??= rule;
  }
  return { never, total };
}

function crowded({ name, budgetBytes }: Profile, total: Taken, never: readonly Rule[]): Finding {
  const { rules, bytes } = total;
  const ids = never.slice(0, NAMED_MAX).map(({ id }) => id);
  const more = never.length > ids.length ? ` and ${never.length - ids.length} more` : "";
  const says =
    `${rules} rules for every task: ${bytes} of ${budgetBytes} bytes, so at most ${rules - never.length} of them can be ` +
    `served, and never ${ids.join(", ")}${more}: say in \`task\`, \`app\` or \`paths\` which tasks they are for, ` +
    "shorten them, or give the most important ones a lower `order`";
  return finding("always_on_crowds_budget", `profile ${name}`, says);
}
