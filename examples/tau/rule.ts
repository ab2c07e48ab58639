import { type DecisionContext, definePolicy, type PolicyRule } from "signalbox";

/** A named rule of one tool, with the types of that tool's params and record. */
export type TypedRule<P, R> = {
  readonly id: string;
  readonly when: (
    proposal: { readonly params: P; readonly evidence: readonly string[] },
    record: R,
    context: DecisionContext,
  ) => boolean;
} & (
  | { readonly effect: "permit" }
  | { readonly effect: "deny"; readonly code: string }
  | { readonly effect: "stage"; readonly role: string }
);

/** The rules of one tool as policy rules. */
export function rulesOf<P, R>(tool: string, rules: readonly TypedRule<P, R>[]): readonly PolicyRule[] {
  return definePolicy(
    rules.map((rule): PolicyRule => {
      const code = rule.effect === "deny" ? { code: rule.code } : rule.effect === "stage" ? { code: rule.role } : {};
      // The rails call a rule only with params that the tool's schema accepted and with the record that its own loader
      // gave, so the erased types are these. The function itself is handed on, since the policy's version is taken from
      // its source text.
      return {
        id: rule.id,
        tools: [tool],
        effect: rule.effect,
        ...code,
        when: rule.when as unknown as PolicyRule["when"],
      };
    }),
  );
}

/** The codes that a list of rules may deny with. */
export function codesOf<P, R>(rules: readonly TypedRule<P, R>[]): string[] {
  return [...new Set(rules.flatMap((rule) => (rule.effect === "deny" ? [rule.code] : [])))];
}

/** How a run names the customer that a user id of the data stands for. */
export function customerId(userId: string): string {
  return `customer:${userId}`;
}
