import type { Json, JsonObject } from "./json.ts";
import type { DecisionContext, JudgedProposal } from "./tool.ts";

/** A policy rule: deny overrides stage overrides permit, and what no rule permits is denied (design 6.1). */
export type PolicyRule = {
  readonly id: string;
  /** Names of tools; a name that ends in `*` stands for every tool that begins so. */
  readonly tools: readonly string[];
  readonly effect: "permit" | "stage" | "deny";
  /** Pure, synchronous. Anything but `true` or `false` denies with `policy_error`. */
  readonly when: (
    proposal: JudgedProposal<JsonObject> & { readonly tool: string },
    record: Json,
    context: DecisionContext,
  ) => boolean;
  /** For `deny`: the denial's code. For `stage`: the role that may approve. */
  readonly code?: string;
  /** For `deny`: one sentence that goes back to the model with the code. For `stage`: one for the person. Default: the rule's id. */
  readonly detail?: string;
};

/** Declares named policy rules. */
export function definePolicy(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const seen = new Set<string>();
  for (const rule of rules) {
    if (seen.has(rule.id)) throw new TypeError(`policy rule "${rule.id}" is declared twice`);
    if (rule.effect !== "permit" && rule.code === undefined) {
      throw new TypeError(`policy rule "${rule.id}": a ${rule.effect} needs a code`);
    }
    seen.add(rule.id);
  }
  return Object.freeze([...rules]);
}

export function ruleNames(rule: PolicyRule, tool: string): boolean {
  return rule.tools.some((name) => (name.endsWith("*") ? tool.startsWith(name.slice(0, -1)) : name === tool));
}
