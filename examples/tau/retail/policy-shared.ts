/**
 * The shop's written policy as named rules (tau2-bench, domain retail, its policy text): what the rules share. Deny overrides
 * stage overrides permit, and what no rule permits is denied.
 *
 * What the text asks of the conversation and code cannot know is no rule: the explicit yes before a write, that the customer
 * has named all items, that the reason is the one that they gave, one tool call at a time, when to transfer. Those stay
 * hints.
 */
import { customerId, type TypedRule } from "../rule.ts";
import type { OrderFacts, PaymentFact } from "./facts.ts";

/**
 * A thread has one customer for its whole length, and a record that is somebody else's is left alone. Evidence by itself does
 * not protect it: a proposal can cite one customer's ids and name another's order.
 */
export function own<P, R>(tool: string, ownerOf: (record: R) => string | null): TypedRule<P, R> {
  return {
    id: `${tool}: own`,
    effect: "deny",
    code: "not_the_customers",
    when(_proposal, record, context) {
      const owner = ownerOf(record);
      return owner !== null && customerId(owner) !== context.customer;
    },
  };
}

/** Rules that hold for every write to an order that has not left the shop. */
export function pendingRules<P, R extends OrderFacts>(tool: string): TypedRule<P, R>[] {
  return [
    own(tool, (record) => record.order.user_id),
    {
      // The text: once its items were changed, an order can be neither changed again nor cancelled.
      id: `${tool}: items not changed before`,
      effect: "deny",
      code: "items_already_modified",
      when: (_proposal, { order }) => order.status === "pending (item modified)",
    },
    {
      id: `${tool}: only a pending order`,
      effect: "deny",
      code: "order_not_pending",
      when: (_proposal, { order }) => order.status !== "pending" && order.status !== "pending (item modified)",
    },
  ];
}

/** Rules that hold for every write to an order that has arrived. A return or an exchange ends that state, so it happens once. */
export function deliveredRules<P, R extends OrderFacts>(tool: string): TypedRule<P, R>[] {
  return [
    own(tool, (record) => record.order.user_id),
    {
      id: `${tool}: only a delivered order`,
      effect: "deny",
      code: "order_not_delivered",
      when: (_proposal, { order }) => order.status !== "delivered",
    },
  ];
}

export function paymentInProfile<P extends { readonly payment_method_id: string }, R extends OrderFacts>(
  tool: string,
): TypedRule<P, R> {
  return {
    id: `${tool}: payment method in profile`,
    effect: "deny",
    code: "payment_not_in_profile",
    when: ({ params }, record) => payment(record, params.payment_method_id) === undefined,
  };
}

/** A gift card has to hold the whole amount; what it cannot pay is not split. */
export function giftCardCovers<P extends { readonly payment_method_id: string }, R extends OrderFacts>(
  tool: string,
  charge: (params: P, record: R) => number,
): TypedRule<P, R> {
  return {
    id: `${tool}: gift card holds the amount`,
    effect: "deny",
    code: "gift_card_balance",
    when({ params }, record) {
      const balance = payment(record, params.payment_method_id)?.balance ?? null;
      return balance !== null && balance < charge(params, record);
    },
  };
}

export function payment(record: OrderFacts, id: string): PaymentFact | undefined {
  return record.payments.find((entry) => entry.id === id);
}
