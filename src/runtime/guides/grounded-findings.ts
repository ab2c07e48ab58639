import type { Finding } from "../../domain/finding.ts";
import type { Rule } from "../../domain/rule.ts";
import { groundGuide, guideText } from "../../guides/index.ts";
import type { Parts } from "../parts.ts";
import { namedMap } from "./named-map.ts";

/** What a verification finds of a rule that was made of a guide, and the map that it was held against. */
export type GroundedRule = { readonly findings: readonly Finding[]; readonly map: string | null };

/**
 * Grounds the guide of a rule again, in the map as it is now, and holds the rule's text against the steps that were grounded: a
 * sentence that was added by hand is grounded in nothing.
 */
export async function groundedFindings(parts: Parts, rule: Rule): Promise<GroundedRule> {
  if (rule.guide === null) return { findings: [], map: null };
  const { guide, map: name } = rule.guide;
  const map = await namedMap(parts, name);
  const of = (code: string, message: string): Finding => ({ rule: code, severity: "error", where: rule.file, message });
  if (!map.ok) return { findings: [of(map.why.code, map.why.detail)], map: null };
  // In the map as it is now, whichever it was planned in: this receipt cites it, and from then on it is the one that counts.
  const grounded = groundGuide(map.value.index, { ...guide, id: rule.id });
  const findings = grounded.findings.map(
    ({ rule: code, severity, where, message }): Finding => ({
      ...{ rule: code, severity, where: rule.file },
      message: `${where}: ${message}`,
    }),
  );
  if (guideText(guide) === rule.body) return { findings, map: map.value.digest };
  const differs = "its text is not what its steps say: make it anew with `signalbox guides plan`, or drop `guide`";
  return { findings: [...findings, of("guide_text_differs", differs)], map: map.value.digest };
}
