/** Whom the shop shows what, and the default address. See policy-shared.ts. */
import { customerId, type TypedRule } from "../rule.ts";
import type { OwnerFacts, ProfileFacts } from "./facts.ts";
import type { UserAddressParams } from "./params.ts";
import { ownRules } from "./policy-shared.ts";

export const userAddressRules: readonly TypedRule<UserAddressParams, ProfileFacts>[] = [
  ...ownRules<UserAddressParams, ProfileFacts>("default address", (record) => record.user_id),
  { id: "default address: within the policy", effect: "permit", when: () => true },
];

/** A customer's records are shown to nobody else. That a record does not exist may be said. */
export function ownReads(name: string): readonly TypedRule<unknown, OwnerFacts>[] {
  return [
    ...ownRules<unknown, OwnerFacts>(name, (record) => record.owner),
    { id: `${name}: within the policy`, effect: "permit", when: () => true },
  ];
}

/**
 * Finding a user by e-mail or by name and zip finds the customer of the thread or nobody: whether anybody else of that name
 * or address is a customer is not said either.
 */
export function ownLookUps(name: string): readonly TypedRule<unknown, OwnerFacts>[] {
  return [
    ...ownRules<unknown, OwnerFacts>(name, () => null),
    {
      id: `${name}: finds the customer alone`,
      effect: "deny",
      code: "not_the_customers",
      when: (_proposal, { owner }, context) => owner === null || customerId(owner) !== context.customer,
    },
    { id: `${name}: within the policy`, effect: "permit", when: () => true },
  ];
}
