import type { GROUND_RULES, GroundFinding, GroundRule } from "./findings.ts";
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

/**
 * What mends a finding: other words for the step; a harvest, since what the step wants is not in the map; another screen, id or number
 * of steps; a name in the interface itself; or the guide made or verified anew.
 */
export type Fix = "wording" | "screen" | "step" | "interface" | "anew";

/** `advice`: the same as a sentence for whoever mends it. */
export type Blocked = { readonly finding: GroundFinding; readonly fix: Fix; readonly advice: string };

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
  // On a wrong screen the words mean nothing, or something else: only the screen is to be mended.
  const misplaced = new Set(findings.filter(({ rule }) => rule === "other_screen").map(({ where }) => where));
  return findings
    .filter(({ severity }) => severity === "error")
    .map((finding) => ({
      finding,
      ...(misplaced.has(finding.where) ? MENDS.other_screen : mendOf(finding.rule, nearest.get(finding.where) ?? 0)),
    }));
}

type Mend = Omit<Blocked, "finding">;
type ErrorRule = { [R in GroundRule]: (typeof GROUND_RULES)[R]["severity"] extends "error" ? R : never }[GroundRule];

const HARVEST: Mend = { fix: "screen", advice: "harvest the screen that it is on" };

const MENDS: { readonly [rule in ErrorRule]: Mend } = {
  no_milestones: { fix: "anew", advice: "plan it anew: there is no step to follow" },
  no_words: { fix: "wording", advice: "say what is done, in the control's own words" },
  overlong: { fix: "wording", advice: "say one thing to do, in fewer words" },
  unbound: { fix: "wording", advice: "say it in the control's own words" },
  ambiguous: {
    fix: "step",
    advice:
      "name the screen in the step, or the kind of control in its words; where both are the same, only another name in the interface tells them apart",
  },
  deictic: { fix: "wording", advice: "say what the control is called, and not where it is" },
  two_controls: { fix: "step", advice: "make a step of each" },
  unbound_clause: { fix: "wording", advice: "leave the clause out, or make a step of it in a control's own words" },
  absent_id: { fix: "step", advice: "take the id from the map, or none where the words are enough" },
  absent_screen: { fix: "screen", advice: "harvest this screen, or name one of the map" },
  other_screen: { fix: "step", advice: "name the screen that the control is on" },
  id_mismatch: { fix: "step", advice: "let the words and the id mean one control" },
  unnamed_target: { fix: "interface", advice: "give the control a name in the interface, then harvest it again" },
  stale_map: { fix: "anew", advice: "verify, approve and publish it anew, in the map as it is now" },
  guide_text_differs: { fix: "anew", advice: "plan it anew, or take what was added out of its text" },
};

/** A step that nothing in the map is near to wants a screen that was not harvested; one that something is near to says it badly. */
function mendOf(rule: GroundRule, nearest: number): Mend {
  if ((rule === "unbound" || rule === "absent_id") && nearest < SCORE_1.near) return HARVEST;
  const mends: { readonly [rule in GroundRule]?: Mend } = MENDS;
  return mends[rule] ?? { fix: "wording", advice: "" };
}
