/** Whom the shop shows what, and the default address. See policy-shared.ts. */
import { customerId, type TypedRule } from "../rule.ts";
import type { OwnerFacts, ProfileFacts } from "./facts.ts";
import type { UserAddressParams } from "./params.ts";
import { own } from "./policy-shared.ts";

export const userAddressRules: readonly TypedRule<UserAddressParams, ProfileFacts>[] = [
  own("default address", (record) => record.user_id),
  { id: "default address: within the policy", effect: "permit", when: () => true },
];

/**
 * Who the customer is, is settled before the model is asked anything: the thread names them. A write cites what is theirs, so
 * only a look has to say so itself.
 */
function known(name: string): TypedRule<unknown, OwnerFacts> {
  return {
    id: `${name}: the customer is known`,
    effect: "deny",
    code: "not_authenticated",
    when: (_proposal, _record, context) => context.customer === null,
  };
}

/** A customer's records are shown to nobody else. That a record does not exist may be said. */
export function ownReads(name: string): readonly TypedRule<unknown, OwnerFacts>[] {
  return [
    known(name),
    own(name, (record) => record.owner),
    { id: `${name}: within the policy`, effect: "permit", when: () => true },
  ];
}

/**
 * Finding a user by e-mail or by name and zip finds the customer of the thread or nobody: whether anybody else of that name
 * or address is a customer is not said either.
 */
export function ownLookUps(name: string): readonly TypedRule<unknown, OwnerFacts>[] {
  return [
    known(name),
    {
      id: `${name}: finds the customer alone`,
      effect: "deny",
      code: "not_the_customers",
      when: (_proposal, { owner }, context) => owner === null || customerId(owner) !== context.customer,
    },
    { id: `${name}: within the policy`, effect: "permit", when: () => true },
  ];
}
