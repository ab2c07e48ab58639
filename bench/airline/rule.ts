import type { DecisionContext } from "../../src/index.ts";
import { definePolicy, type PolicyRule } from "../../src/index.ts";

/** A named rule of one tool, with the types of that tool's params and record. */
export type AirlineRule<P, R> = {
  readonly id: string;
  readonly when: (params: P, record: R, context: DecisionContext) => boolean;
} & (
  | { readonly effect: "permit" }
  | { readonly effect: "deny"; readonly code: string }
  | { readonly effect: "stage"; readonly role: string }
);

/** The rules of one tool as policy rules, `tool: name` each. */
export function rulesOf<P, R>(tool: string, rules: readonly AirlineRule<P, R>[]): readonly PolicyRule[] {
  return definePolicy(
    rules.map((rule): PolicyRule => {
      const code = rule.effect === "deny" ? { code: rule.code } : rule.effect === "stage" ? { code: rule.role } : {};
      return {
        id: rule.id,
        tools: [tool],
        effect: rule.effect,
        ...code,
        // The rails call a rule only with params that the tool's schema accepted and with the record that its own
        // loader gave, so the erased types are these.
        when: (proposal, record, context) => rule.when(proposal.params as P, record as R, context),
      };
    }),
  );
}

/** The codes that a list of rules may deny with. */
export function codesOf<P, R>(rules: readonly AirlineRule<P, R>[]): string[] {
  return [...new Set(rules.flatMap((rule) => (rule.effect === "deny" ? [rule.code] : [])))];
}
