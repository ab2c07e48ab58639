import type { Finding } from "../domain/finding.ts";
import type { Profile } from "../domain/profile.ts";
import type { Rule } from "../domain/rule.ts";
import { RULE_SEPARATOR } from "../domain/served.ts";
import { utf8Length } from "../domain/utf8.ts";
import { finding } from "./finding-codes.ts";

/** What the safety rules take of a profile's budget, separators included, where the most of them are selected together. */
export type SafetyShare = { readonly profile: string; readonly bytes: number; readonly budgetBytes: number };

/** Some rules in one text: how many, and their bytes with the separators between them. */
type Taken = { readonly rules: number; readonly bytes: number };

const NOTHING: Taken = { rules: 0, bytes: 0 };
const SEPARATOR_BYTES = utf8Length(RULE_SEPARATOR);

/**
 * `rules`: those that are for this profile. Safety rules are never dropped, so what they take is not there for others, and
 * beyond the budget no plan can be made. Rules with apps count together where they name the same pattern: no task is in two
 * apps, and an error must not be raised for rules that never meet. Rules on channel B spend no budget.
 */
export function safetyShare(
  profile: Profile,
  rules: readonly Rule[],
): SafetyShare & { readonly findings: readonly Finding[] } {
  let everywhere = NOTHING;
  const byApp = new Map<string, Taken>();
  for (const rule of rules) {
    if (!rule.safety || rule.when !== null) continue;
    const own: Taken = { rules: 1, bytes: rule.to - rule.from };
    if (rule.app.length === 0) everywhere = together(everywhere, own);
    for (const app of new Set(rule.app)) byApp.set(app, together(byApp.get(app) ?? NOTHING, own));
  }
  let worst = { app: "", ...everywhere };
  for (const [app, taken] of byApp) {
    const both = { app, ...together(everywhere, taken) };
    // The name decides between equals, so that the order of the files does not.
    if (both.bytes > worst.bytes || (both.bytes === worst.bytes && app < worst.app)) worst = both;
  }
  const { name, budgetBytes } = profile;
  return { profile: name, bytes: worst.bytes, budgetBytes, findings: judged(name, budgetBytes, worst) };
}

function together(a: Taken, b: Taken): Taken {
  const separator = a.rules > 0 && b.rules > 0 ? SEPARATOR_BYTES : 0;
  return { rules: a.rules + b.rules, bytes: a.bytes + separator + b.bytes };
}

function judged(profile: string, budgetBytes: number, worst: Taken & { readonly app: string }): readonly Finding[] {
  const where = `profile ${profile}`;
  const which = `${worst.rules} safety ${worst.rules === 1 ? "rule" : "rules"}${worst.app === "" ? "" : ` together (app ${JSON.stringify(worst.app)})`}`;
  const share = `${which}: ${worst.bytes} of ${budgetBytes} bytes`;
  if (worst.bytes > budgetBytes) {
    const says = `${share}, so a task that needs all of it is refused: shorten them, or give some a \`when\``;
    return [finding("safety_exceeds_budget", where, says)];
  }
  if (worst.bytes * 2 <= budgetBytes) return [];
  const percent = Math.round((worst.bytes / budgetBytes) * 100);
  return [finding("safety_crowds_budget", where, `${share} (${percent} %), so little is left for every other rule`)];
}
