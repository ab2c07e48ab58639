/**
 * Looks at all rule files together (design 7.1): what each of them says of itself, and what only the set shows. Values in,
 * values out; the same whatever order the files come in, and near linear in their number.
 */

import { byCodeUnits } from "../domain/code-units.ts";
import type { Finding } from "../domain/finding.ts";
import { quoted } from "../domain/json-limits.ts";
import { nearest } from "../domain/nearest.ts";
import type { Profile } from "../domain/profile.ts";
import { inAuthoredOrder, type Rule } from "../domain/rule.ts";
import { alwaysOn } from "./always-on.ts";
import { finding } from "./finding-codes.ts";
import { duplicateIds, duplicateTexts } from "./lint-duplicates.ts";
import type { FoundIn, LintFile } from "./lint-file.ts";
import { type ProfileFit, profileFit } from "./lint-profiles.ts";
import type { RulePlaces } from "./parse-rule.ts";
import { type SafetyShare, safetyShare } from "./safety-share.ts";

export type Lint = {
  /** Those that can be served, in authored order. */
  readonly rules: readonly Rule[];
  /** File by file in the order of their names, then profile by profile. */
  readonly findings: readonly Finding[];
  /** Those of each file that has any, by its name. Their `where` is for people: a name that stands in it is escaped. */
  readonly ofFiles: ReadonlyMap<string, readonly Finding[]>;
  /** Those of the profiles: what is wrong with all safety rules together. */
  readonly ofProfiles: readonly Finding[];
  /** Files whose header cannot be read: while there is one, nothing is published or served. */
  readonly unreadable: readonly string[];
  /** For each profile, what its safety rules take of its budget at most. */
  readonly safety: readonly SafetyShare[];
};

/**
 * `today`: the day in the configured zone, where it is known; without it nothing is past its expiry. `tools`: the names of the
 * tools that there are, where they are known; without them each name is taken for one.
 */
export function lint(
  files: readonly LintFile[],
  profiles: readonly Profile[],
  today: string | null = null,
  tools: readonly string[] | null = null,
): Lint {
  const sorted = files.toSorted((a, b) => byCodeUnits(a.name, b.name));
  const fit = profileFit(profiles.toSorted((a, b) => byCodeUnits(a.name, b.name)));
  const rules = sorted
    .flatMap(({ parsed }) => (parsed.ok ? [parsed.rule] : []))
    .sort((a, b) => inAuthoredOrder(a, b) || byCodeUnits(a.file, b.file));
  const always = alwaysOn(
    rules.filter((rule) => !isPast(rule, today)),
    fit,
  );
  const found = new Map<string, Finding[]>();
  const list = ({ file, finding: one }: FoundIn): void => {
    const known = found.get(file);
    if (known === undefined) found.set(file, [one]);
    else known.push(one);
  };
  for (const { name, parsed } of sorted) {
    for (const one of parsed.findings) list({ file: name, finding: one });
    if (!parsed.ok) continue;
    for (const one of ownFindings(parsed.rule, parsed.places, fit, today)) list({ file: name, finding: one });
    const never = always.neverServed.get(name);
    if (never !== undefined) {
      list({ file: name, finding: finding("never_served", parsed.places.body ?? name, never) });
    }
    for (const one of toolFindings(parsed.rule, parsed.places, tools)) list({ file: name, finding: one });
  }
  for (const one of [...duplicateIds(sorted), ...duplicateTexts(sorted)]) list(one);
  const shares = fit.profiles.map((profile) =>
    safetyShare(
      profile,
      rules.filter((rule) => fit.fits(rule, profile)),
    ),
  );
  const names = [...new Set(sorted.map(({ name }) => name))];
  const ofProfiles = [...shares.flatMap((share) => share.findings), ...always.findings];
  return {
    rules,
    findings: [...names.flatMap((name) => found.get(name) ?? []), ...ofProfiles],
    ofFiles: found,
    ofProfiles,
    unreadable: sorted.filter(({ parsed }) => !parsed.ok && parsed.headerUnreadable).map(({ name }) => name),
    safety: shares.map(({ profile, bytes, budgetBytes }) => ({ profile, bytes, budgetBytes })),
  };
}

function isPast({ expires }: Rule, today: string | null): boolean {
  return today !== null && expires !== null && expires <= today;
}

/** What the profiles and the calendar say of one rule. */
function ownFindings(rule: Rule, places: RulePlaces, fit: ProfileFit, today: string | null): readonly Finding[] {
  const findings: Finding[] = [];
  const body = places.body ?? rule.file;
  const bytes = rule.to - rule.from;
  // On channel B a rule spends no budget.
  const small = rule.when === null ? fit.of(rule).filter(({ budgetBytes }) => bytes > budgetBytes) : [];
  if (small.length > 0) {
    const budgets = small.map(({ name, budgetBytes }) => `${budgetBytes} of profile ${name}`).join(", ");
    const says = `${bytes} bytes of text are more than the whole budget (${budgets})`;
    const mend = "split it, or name the profiles that it is for in `profile`";
    const stops = rule.safety ? "no plan can be made with it" : "it is never served there and stops those after it";
    findings.push(finding("larger_than_budget", body, `${says}: ${stops}; ${mend}`));
  }
  const without = fit.unmatched(rule);
  if (without.length > 0) {
    const none = fit.of(rule).length === 0 ? ", so the rule is never served" : "";
    const known = fit.profiles.map(({ name }) => name).join(", ");
    const says = `no profile is called ${without.map((glob) => JSON.stringify(glob)).join(", ")}${none}: there is ${known}`;
    findings.push(finding("never_selected", places.profile ?? body, says));
  }
  if (isPast(rule, today)) {
    const says = `not served since ${rule.expires}: take it out, or give it another day`;
    findings.push(finding("past_expiry", places.expires ?? body, says));
  }
  return findings;
}

/** Longer than any tool is called. */
const TOOL_UNITS_MAX = 128;

/** A watchdog that looks for what never happens. */
function toolFindings({ breach, file }: Rule, places: RulePlaces, tools: readonly string[] | null): readonly Finding[] {
  const tool = breach?.tool ?? null;
  if (tool === null || tools === null || tools.includes(tool)) return [];
  const near = tool.length > TOOL_UNITS_MAX ? null : nearest(tool, tools);
  const mend = near === null ? "" : `: did you mean ${quoted(near)}?`;
  const says = `no tool is called ${quoted(tool)}, so nothing can break the rule${mend}`;
  return [finding("unknown_tool", places.breach ?? places.body ?? file, says)];
}
