import type { Finding } from "../../domain/finding.ts";
import type { Rule } from "../../domain/rule.ts";
import { type GuideState, groundRule, NO_GUIDES, verificationsOf } from "../../guides/index.ts";
import type { Parts } from "../parts.ts";
import { namedMap } from "./named-map.ts";
import { isUnsound, readChain } from "./read-chain.ts";

/** What is found of a rule that was made of a guide, and the map that it was held against. */
export type GroundedRule = { readonly findings: readonly Finding[]; readonly map: string | null };

/**
 * Grounds the guide of a rule in the map as it is now, and holds the rule's text against its steps. With a state of the chain a map is
 * also asked for that the guide was grounded in before. A verification asks for none: its receipt cites the map as it is now, and from
 * then on that is the one that counts.
 */
export async function groundedFindings(
  parts: Parts,
  rule: Rule,
  state: GuideState | null = null,
): Promise<GroundedRule> {
  if (rule.guide === null) return { findings: [], map: null };
  const map = await namedMap(parts, rule.guide.map);
  if (!map.ok) {
    const { code, detail: message } = map.why;
    return { findings: [{ rule: code, severity: "error", where: rule.file, message }], map: null };
  }
  const { digest, index } = map.value;
  const grounded = groundRule(index, rule, state === null ? null : groundedIn(state, rule, digest));
  const findings = (grounded?.findings ?? []).map(
    ({ rule: code, severity, where, message }): Finding => ({
      ...{ rule: code, severity, where: rule.file },
      message: `${where}: ${message}`,
    }),
  );
  return { findings, map: digest };
}

/** The map that the guide of these bytes was grounded in: this one, where a verification in it passed, else that of its plan. */
export function groundedIn(state: GuideState, { id, revision, guide }: Rule, digest: string): string | null {
  const isVerified = verificationsOf(state, { rule: id, revision }).some(
    ({ record }) => record.passed && record.map === digest,
  );
  return isVerified ? digest : (guide?.digest ?? null);
}

/** What was said of rules, as far as that holds: nothing, where the chain is broken. */
export async function knownChain(parts: Parts): Promise<GuideState> {
  const state = await readChain(parts);
  return isUnsound(state) ? NO_GUIDES : state;
}
