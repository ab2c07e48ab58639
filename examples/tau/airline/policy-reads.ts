import { customerId, type TypedRule } from "../rule.ts";

/** Whose record a read would show; null where there is none of that id. */
export type ReadFacts = { readonly owner: string | null };

/** A customer's records are shown to nobody else. That a record does not exist may be said. */
export function ownReads(name: string): readonly TypedRule<unknown, ReadFacts>[] {
  return [
    {
      id: `${name}: own`,
      effect: "deny",
      code: "not_the_customers",
      when: (_proposal, record, context) => record.owner !== null && customerId(record.owner) !== context.customer,
    },
    { id: `${name}: within the policy`, effect: "permit", when: () => true },
  ];
}
