import { joinRoles } from "../domain/approval.ts";
import { type Denial, denial } from "../domain/denial.ts";
import type { Json } from "../domain/json.ts";
import { atLeast } from "../domain/placement.ts";
import { type PolicyRule, ruleNames } from "../domain/policy.ts";
import { isPromised } from "../domain/promised.ts";
import type { CheckedProposal } from "../domain/proposal.ts";
import type { DecisionContext, Tool } from "../domain/tool.ts";

/** What all rules together say of a proposal. `rule` is the one that decided. */
export type Judgement =
  | { readonly effect: "permit"; readonly rule: string }
  /** `role` names every role that was asked for; `why` is for the person, and may be empty. */
  | { readonly effect: "stage"; readonly rule: string; readonly role: string; readonly why: string }
  | { readonly effect: "deny"; readonly rule: string; readonly denial: Denial };

/**
 * The action rail: every rule that names the tool is asked; deny overrides stage overrides permit, and among equals the
 * first in order decides and stages are taken together, so the order changes no outcome but only the name. A throw, a promise or anything that is not a
 * verdict denies with `policy_error`. What nothing permits is denied; only `internal` and `user-reversible` tools without
 * any rule of their own are permitted by their placement.
 */
export function judge(
  proposal: CheckedProposal,
  tool: Tool,
  rules: readonly PolicyRule[],
  record: Json,
  context: DecisionContext,
): Judgement {
  const verdicts: Judgement[] = [];
  if (typeof tool.authorise === "function") verdicts.push(authorise(proposal, tool, record, context));
  for (const rule of rules) {
    if (!ruleNames(rule, tool.name)) continue;
    const verdict = ask(rule, proposal, record, context);
    if (verdict !== null) verdicts.push(verdict);
  }
  const decided =
    verdicts.find((verdict) => verdict.effect === "deny") ??
    together(verdicts) ??
    verdicts.find((verdict) => verdict.effect === "permit");
  if (decided) return decided;
  const named = typeof tool.authorise === "function" || rules.some((rule) => ruleNames(rule, tool.name));
  if (named) return denied("default", denial("no_permit", "no rule permits this"));
  if (atLeast(tool.placement, "staff-reversible") || tool.authorise === "by_policy") {
    return denied("default", denial("no_policy", `no policy rule names ${tool.name}`));
  }
  return { effect: "permit", rule: `placement:${tool.placement}` };
}

/** Several stages are one, under the name of the first: the person needs the roles of all, or the order would choose. */
export function together(verdicts: readonly Judgement[]): Extract<Judgement, { effect: "stage" }> | null {
  const stages = verdicts.filter((verdict) => verdict.effect === "stage");
  const [first] = stages;
  if (first === undefined) return null;
  const why = stages.map((stage) => stage.why).filter((text) => text !== "");
  return { effect: "stage", rule: first.rule, role: joinRoles(stages.map(({ role }) => role)), why: why.join("; ") };
}

/** A tool's `authorise`, as one rule of its own name. */
function authorise(proposal: CheckedProposal, tool: Tool, record: Json, context: DecisionContext): Judgement {
  const rule = `${tool.name}.authorise`;
  if (typeof tool.authorise !== "function") return denied(rule, denial("policy_error", "not a function"));
  let verdict: unknown;
  try {
    verdict = tool.authorise({ params: proposal.params, evidence: proposal.evidence }, record, context);
  } catch {
    // The message may hold anything, so it is not repeated to the model. Its place is the tool author's own log.
    return denied(rule, denial("policy_error", `${rule} threw`));
  }
  if (typeof verdict !== "object" || verdict === null || isPromised(verdict))
    return denied(rule, denial("policy_error", `${rule} gave no verdict`));
  const { effect, role, code, detail } = verdict as {
    effect?: unknown;
    role?: unknown;
    code?: unknown;
    detail?: unknown;
  };
  if (effect === "permit") return { effect: "permit", rule };
  if (effect === "stage" && typeof role === "string")
    return { effect: "stage", rule, role, why: typeof detail === "string" ? detail : "" };
  if (effect === "deny" && typeof code === "string" && tool.denials.includes(code)) {
    return denied(rule, { rail: "action", code, detail: typeof detail === "string" ? detail : code, retryable: false });
  }
  const said = effect === "deny" ? `denied with a code that is not in its list` : "gave no verdict";
  return denied(rule, denial("policy_error", `${rule} ${said}`));
}

function ask(rule: PolicyRule, proposal: CheckedProposal, record: Json, context: DecisionContext): Judgement | null {
  let fires: unknown;
  try {
    fires = rule.when(proposal, record, context);
  } catch {
    return denied(rule.id, denial("policy_error", `rule ${rule.id} threw`));
  }
  if (isPromised(fires) || typeof fires !== "boolean")
    return denied(rule.id, denial("policy_error", `rule ${rule.id} gave no boolean`));
  if (!fires) return null;
  switch (rule.effect) {
    case "permit":
      return { effect: "permit", rule: rule.id };
    case "stage":
      return { effect: "stage", rule: rule.id, role: rule.code ?? "", why: rule.detail ?? "" };
    default: {
      const code = rule.code ?? rule.id;
      return denied(rule.id, { rail: "action", code, detail: rule.detail ?? rule.id, retryable: false });
    }
  }
}

function denied(rule: string, reason: Denial): Judgement {
  return { effect: "deny", rule, denial: reason };
}
