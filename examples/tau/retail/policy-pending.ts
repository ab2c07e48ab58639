/** The written policy's sections Cancel pending order and Modify pending order, rule by rule. See policy-shared.ts. */
import type { TypedRule } from "../rule.ts";
import { orderTotal } from "./amounts.ts";
import type { OrderFacts, SwapFacts } from "./facts.ts";
import type { CancelParams, ModifyAddressParams, ModifyPaymentParams, SwapParams } from "./params.ts";
import { giftCardCovers, paymentInProfile, pendingRules } from "./policy-shared.ts";
import { swapRules } from "./policy-swaps.ts";

/** Cancel pending order. The two reasons that count are the only two that can be proposed: see `cancelParams`. */
export const cancelRules: readonly TypedRule<CancelParams, OrderFacts>[] = [
  ...pendingRules<CancelParams, OrderFacts>("cancel"),
  { id: "cancel: within the policy", effect: "permit", when: () => true },
];

/** Modify pending order: shipping address. */
export const modifyAddressRules: readonly TypedRule<ModifyAddressParams, OrderFacts>[] = [
  ...pendingRules<ModifyAddressParams, OrderFacts>("address"),
  { id: "address: within the policy", effect: "permit", when: () => true },
];

/** Modify payment. */
export const modifyPaymentRules: readonly TypedRule<ModifyPaymentParams, OrderFacts>[] = [
  ...pendingRules<ModifyPaymentParams, OrderFacts>("payment"),
  paymentInProfile("payment"),
  {
    id: "payment: another than the original",
    effect: "deny",
    code: "same_payment_method",
    when: ({ params }, { order }) =>
      order.charges.some((charge) => charge.payment_method_id === params.payment_method_id),
  },
  {
    // The text: a modify tool is used once for an order. An order that was paid anew has more than its one payment.
    id: "payment: not changed before",
    effect: "deny",
    code: "payment_already_modified",
    when: (_proposal, { order }) => order.payments !== 1,
  },
  giftCardCovers("payment", (_params, record) => orderTotal(record)),
  { id: "payment: within the policy", effect: "permit", when: () => true },
];

/** Modify items. */
export const modifyItemsRules: readonly TypedRule<SwapParams, SwapFacts>[] = [
  ...pendingRules<SwapParams, SwapFacts>("items"),
  ...swapRules("items"),
  { id: "items: within the policy", effect: "permit", when: () => true },
];
