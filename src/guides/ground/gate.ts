import type { GroundFinding, GroundRule } from "./findings.ts";
import type { GroundedGuide } from "./ground-guide.ts";
import { SCORE_1 } from "./score-1.ts";

/** Whether a guide may be served. */
export type Verdict =
  | { readonly verdict: "served" }
  | { readonly verdict: "suppressed"; readonly rules: readonly GroundRule[] };

/** Served if and only if there is no error among the findings. There is nothing to set: neither threshold nor severity. */
export function gate({ findings }: Pick<GroundedGuide, "findings">): Verdict {
  const rules = findings.filter(({ severity }) => severity === "error").map(({ rule }) => rule);
  return rules.length === 0 ? { verdict: "served" } : { verdict: "suppressed", rules: [...new Set(rules)].sort() };
}

/** What mends a finding: other words for the step, or a harvest, since what the step wants is not in the map. */
export type Fix = "wording" | "screen";

export type Blocked = { readonly finding: GroundFinding; readonly fix: Fix };

export type GateReport = {
  readonly served: readonly string[];
  readonly suppressed: readonly {
    readonly guide: string;
    readonly rules: readonly GroundRule[];
    readonly blocked: readonly Blocked[];
  }[];
  /** How many guides a rule blocks, the most first. */
  readonly byRule: readonly { readonly rule: GroundRule; readonly guides: number }[];
};

/** What to mend, guide by guide, in the order in which they are given. */
export function gateReport(batch: readonly GroundedGuide[]): GateReport {
  const verdicts = batch.map((guide) => ({ guide, verdict: gate(guide) }));
  const suppressed = verdicts.flatMap(({ guide, verdict }) =>
    verdict.verdict === "served" ? [] : [{ guide: guide.guide, rules: verdict.rules, blocked: blockedIn(guide) }],
  );
  const guides = new Map<GroundRule, number>();
  for (const { rules } of suppressed) for (const rule of rules) guides.set(rule, (guides.get(rule) ?? 0) + 1);
  return {
    served: verdicts.flatMap(({ guide, verdict }) => (verdict.verdict === "served" ? [guide.guide] : [])),
    suppressed,
    byRule: [...guides]
      .map(([rule, count]) => ({ rule, guides: count }))
      .sort((a, b) => b.guides - a.guides || (a.rule < b.rule ? -1 : 1)),
  };
}

function blockedIn({ findings, steps }: GroundedGuide): readonly Blocked[] {
  const nearest = new Map(steps.map(({ where, grounded }) => [where, grounded.nearest[0]?.score ?? 0]));
  return findings
    .filter(({ severity }) => severity === "error")
    .map((finding) => ({ finding, fix: fixOf(finding.rule, nearest.get(finding.where) ?? 0) }));
}

/** A step that nothing in the map is near to wants a screen that was not harvested; one that something is near to says it badly. */
function fixOf(rule: GroundRule, nearest: number): Fix {
  switch (rule) {
    case "absent_screen":
    case "stale_map":
      return "screen";
    case "unbound":
    case "absent_id":
      return nearest < SCORE_1.near ? "screen" : "wording";
    default:
      return "wording";
  }
}
