import { type Approval, staleParts } from "../domain/approval.ts";
import type { CapUse, Reservation } from "../domain/cap.ts";
import type { Route } from "../domain/command.ts";
import { type Denial, denial } from "../domain/denial.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import type { PolicyRule } from "../domain/policy.ts";
import { mayUse } from "../domain/principal.ts";
import type { Proposal } from "../domain/proposal.ts";
import type { DecisionContext, Tool } from "../domain/tool.ts";
import { Authorised } from "./authorised.ts";
import { capDemand, checkCaps } from "./caps.ts";
import { checkEvidence } from "./evidence.ts";
import { type Checked, checkOutput } from "./output.ts";
import { judge, together } from "./policy.ts";
import { checkProvenance } from "./provenance.ts";

/** What became of a proposal. Exactly one of the three, always with the rule that decided. */
export type Decision =
  | {
      readonly outcome: "permit";
      readonly rule: string;
      readonly checked: JsonObject;
      readonly reservations: readonly Reservation[];
      readonly authorised: Authorised;
    }
  | {
      readonly outcome: "stage";
      readonly rule: string;
      readonly role: string;
      /** For the person: why it needs one. */
      readonly why: string;
      readonly checked: JsonObject;
    }
  | { readonly outcome: "deny"; readonly rule: string; readonly denial: Denial; readonly checked: JsonObject | null };

/** The FactRecord of a decision, or why it could not be loaded. */
export type Facts = { readonly ok: true; readonly record: Json } | { readonly ok: false; readonly denial: Denial };

export type DecideInput = {
  readonly proposal: Proposal;
  readonly route: Route;
  /** The tool that the proposal names, or null where there is none of that name. */
  readonly tool: Tool | null;
  readonly policies: readonly PolicyRule[];
  /** What the output rail said of these very params, where it was asked before: the record was loaded for that. */
  readonly checked?: Checked | null;
  readonly facts: Facts;
  readonly context: DecisionContext;
  /** What others hold of every slot that `capDemand` names. */
  readonly capUse: readonly CapUse[];
  /** A person's approval of this very step, where it was staged before. It grants nothing: every rail is asked again. */
  readonly approval?: Approval | null;
};

/**
 * The rails: the one place where a Proposal becomes an Authorised, a staged one or a Denial. Pure and synchronous; given
 * the same input it says the same, so a decision can be made again from its row.
 *
 * Laws, tested in test/laws/decide.test.ts:
 *   denial-beats-permit   a rail that denies is final, whatever a later rail says
 *   silence-denies        a policy that returns nothing, throws or promises denies
 *   order-is-nothing      shuffling the rules changes no outcome
 */
export function decide(input: DecideInput): Decision {
  const { route, tool, context } = input;
  // The rules are the author's code: what they are shown is theirs to read, and nobody's to change.
  const { tool: name, params, evidence: cited } = input.proposal;
  const evidence = Object.isFrozen(cited) ? cited : Object.freeze([...cited]);
  const proposal = { tool: name, params, evidence };
  if (route === "unroutable") return denied("loop", denial("unroutable", `nobody can perform ${shown(proposal.tool)}`));
  if (route === "actor_not_in_allowlist") {
    return denied("loop", denial("actor_not_in_allowlist", `${shown(proposal.tool)} cannot stand in a plan here`));
  }
  if (tool === null) return denied("output", denial("unknown_tool", `there is no tool ${shown(proposal.tool)}`));
  if (!mayUse(context.principal, tool.name)) {
    return denied("input", denial("permission", `${context.principal.id} may not use ${tool.name}`));
  }
  const checked = input.checked ?? checkOutput(tool, proposal.params);
  if (!checked.ok) return denied("output", checked.denial);
  if (!input.facts.ok) return denied("record", input.facts.denial, checked.params);
  const record = input.facts.record;
  const unfit = evidenceOf(tool, checked.params, proposal.evidence, record, context);
  if (unfit !== null) return denied("evidence", unfit, checked.params);
  const unseen = checkProvenance(tool, checked.params, context.provenance);
  if (unseen?.effect === "deny") return denied(unseen.rule, unseen.denial, checked.params);
  const said = judge(
    { tool: tool.name, params: checked.params, evidence: proposal.evidence },
    tool,
    input.policies,
    record,
    context,
  );
  // A stage by provenance is one more verdict, and the first: only a denial is stronger.
  const judged = unseen !== null && said.effect !== "deny" ? (together([unseen, said]) ?? said) : said;
  if (judged.effect === "deny") return denied(judged.rule, judged.denial, checked.params);
  const approval = input.approval ?? null;
  // A staged proposal holds nothing: it reserves when a person has approved it and it is decided again, in the window of
  // that moment (design 6.4). So what is left of a cap today says nothing of it yet.
  if (judged.effect === "stage" && approval === null) {
    return { outcome: "stage", rule: judged.rule, role: judged.role, why: judged.why, checked: checked.params };
  }
  if (approval !== null) {
    const role = judged.effect === "stage" ? judged.role : (approval.approved.role ?? "");
    const over = unfitApproval(approval, role, context.now);
    if (over !== null) return denied("approval", over, checked.params);
  }
  const demand = capDemand(tool, checked.params, record, context);
  if (!demand.ok) return denied("caps", demand.denial, checked.params);
  const over = checkCaps(demand.wanted, input.capUse);
  if (over !== null) return denied("caps", over, checked.params);
  const authorised = Authorised.mint(context.run, context.step, tool.name, checked.params, demand.wanted);
  return { outcome: "permit", rule: judged.rule, checked: checked.params, reservations: demand.wanted, authorised };
}

/** Why an approval does not carry this decision: it came to its end, or what was approved is not what would be done. */
function unfitApproval(approval: Approval, role: string, now: number): Denial | null {
  if (now >= approval.expiresAt) return denial("approval_expired", "the approval was not used in time");
  const stale = staleParts(approval, role);
  return stale.length === 0 ? null : denial("approval_stale", stale.join(", "));
}

function evidenceOf(
  tool: Tool,
  params: JsonObject,
  evidence: readonly string[],
  record: Json,
  context: DecisionContext,
): Denial | null {
  if (tool.evidence === null) return null;
  try {
    return checkEvidence(tool.evidence, { tool: tool.name, params, evidence }, record, context);
  } catch {
    // The evidence rule is the tool author's code: what throws decides nothing, and silence denies.
    return denial("policy_error", `the evidence rule of ${tool.name} threw`);
  }
}

function denied(rule: string, reason: Denial, checked: JsonObject | null = null): Decision {
  return { outcome: "deny", rule, denial: reason, checked };
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 60));
}
