import type { Rule } from "../../domain/rule.ts";
import { guideText } from "../guide-text.ts";
import { groundFinding } from "./findings.ts";
import { type GroundedGuide, groundGuide } from "./ground-guide.ts";
import type { GroundIndex } from "./ground-index.ts";

/**
 * Grounds the guide of a rule in a map, and holds the rule's text against the steps that were grounded: a sentence that was added by
 * hand is grounded in nothing. null of a rule that was made of no guide.
 *
 * @param groundedIn the digest of the map that it was grounded in before; null where that is not to be looked at.
 */
export function groundRule(
  index: GroundIndex,
  { id, guide: own, body }: Pick<Rule, "id" | "guide" | "body">,
  groundedIn: string | null,
): GroundedGuide | null {
  if (own === null) return null;
  const grounded = groundGuide(index, { ...own.guide, id }, groundedIn);
  if (guideText(own.guide) === body) return grounded;
  const message = "its text is not what its steps say: make it anew with `signalbox guides plan`, or drop `guide`";
  return { ...grounded, findings: [...grounded.findings, groundFinding("guide_text_differs", "guide", message)] };
}
