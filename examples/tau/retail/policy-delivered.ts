/** The written policy's sections Return and Exchange delivered order, rule by rule. See policy-shared.ts. */
import type { TypedRule } from "../rule.ts";
import { itemsNamed } from "./amounts.ts";
import type { OrderFacts, SwapFacts } from "./facts.ts";
import type { ReturnParams, SwapParams } from "./params.ts";
import { deliveredRules, payment, paymentInProfile } from "./policy-shared.ts";
import { swapRules } from "./policy-swaps.ts";

/** Return delivered order. */
export const returnRules: readonly TypedRule<ReturnParams, OrderFacts>[] = [
  ...deliveredRules<ReturnParams, OrderFacts>("return"),
  {
    id: "return: items of the order",
    effect: "deny",
    code: "item_not_in_order",
    when: ({ params }, record) => itemsNamed(record, params.item_ids).includes(null),
  },
  paymentInProfile("return"),
  {
    id: "return: to the original payment method or a gift card",
    effect: "deny",
    code: "refund_elsewhere",
    when({ params }, record) {
      const method = payment(record, params.payment_method_id);
      const original = record.order.charges[0]?.payment_method_id;
      return method !== undefined && method.source !== "gift_card" && method.id !== original;
    },
  },
  { id: "return: within the policy", effect: "permit", when: () => true },
];

/** Exchange delivered order. */
export const exchangeRules: readonly TypedRule<SwapParams, SwapFacts>[] = [
  ...deliveredRules<SwapParams, SwapFacts>("exchange"),
  ...swapRules("exchange"),
  { id: "exchange: within the policy", effect: "permit", when: () => true },
];
