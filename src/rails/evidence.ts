import { canonicalJson } from "../domain/canonical.ts";
import { type Denial, denial } from "../domain/denial.ts";
import type { Json } from "../domain/json.ts";
import { atOnce } from "../domain/promised.ts";
import type { CheckedProposal } from "../domain/proposal.ts";
import type { DecisionContext, EvidenceItem, EvidenceRule } from "../domain/tool.ts";

/**
 * Checks the cited ids: enough of them, each in the record, each belonging to the principal or the customer, fresh, and
 * the source of the fields that they justify (design 6.3). Returns the denial, or null. May throw where the rule's own
 * code does; the caller turns that into `policy_error`.
 */
export function checkEvidence(
  rule: EvidenceRule<Proposal["params"], Json>,
  proposal: Proposal,
  record: Json,
  context: DecisionContext,
): Denial | null {
  const cited = [...new Set(proposal.evidence)];
  if (cited.length < rule.min) {
    return denial("evidence_missing", `${rule.min} id(s) must be cited, ${cited.length} were`);
  }
  const known = new Map<string, EvidenceItem>(atOnce(rule.from(record)).map((item) => [item.id, item]));
  const items: EvidenceItem[] = [];
  for (const id of cited) {
    const item = known.get(id);
    if (item === undefined) return denial("evidence_unknown", `${shown(id)} is not in the record`);
    if (item.owner !== undefined && item.owner !== context.principal.id && item.owner !== context.customer) {
      return denial("evidence_foreign", `${shown(id)} belongs to somebody else`);
    }
    if (rule.maxAgeMs !== undefined && !isFresh(item.at, context.now, rule.maxAgeMs)) {
      return denial("evidence_stale", `${shown(id)} is too old, or has no date that can be`);
    }
    items.push(item);
  }
  for (const [field, vouchedBy] of Object.entries(rule.justifies ?? {})) {
    const value = Object.hasOwn(proposal.params, field) ? proposal.params[field] : undefined;
    if (value === undefined) continue;
    const text = canonicalJson(value);
    if (!items.some((item) => canonicalJson(atOnce(vouchedBy(item, record, proposal.params))) === text)) {
      return denial("evidence_mismatch", `no cited id vouches for this value of "${field}"`);
    }
  }
  return null;
}

/** How far the clocks of two systems may differ. What is dated later than that has not happened yet. */
const CLOCK_SKEW_MS = 300_000;

function isFresh(at: number | undefined, now: number, maxAgeMs: number): boolean {
  return at !== undefined && now - at <= maxAgeMs && at - now <= CLOCK_SKEW_MS;
}

type Proposal = CheckedProposal;

function shown(id: string): string {
  return JSON.stringify(id.slice(0, 60));
}
