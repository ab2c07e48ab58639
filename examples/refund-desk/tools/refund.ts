import { deny, permit, stage, withServices, z } from "signalbox";
import type { Order, Orders } from "../desk/orders.ts";
import type { Payments } from "../desk/payments.ts";
import * as policy from "../desk/policy.ts";

// A full refund has no amount to propose: it is what was paid minus what was refunded, and only code does that sum.
const Refund = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("full"), orderId: policy.OrderId, reason: policy.Reason }),
  z.strictObject({
    kind: z.literal("partial"),
    orderId: policy.OrderId,
    reason: policy.Reason,
    amountMinor: z.int().min(1),
  }),
]);

function amountOf(refund: z.infer<typeof Refund>, order: Order): number {
  return refund.kind === "full" ? policy.leftToRefund(order) : refund.amountMinor;
}

/** Money that has left does not come back, so every rail is mandatory here. */
export const refund = withServices<{ orders: Orders; payments: Payments }>().defineTool({
  name: "refund",
  description:
    "Refund an order in full or in part, in Rappen. Cite the ids of the order's events that show the reason.",
  placement: "irreversible",
  effect: "once",
  params: Refund,
  denials: [
    "not_their_order",
    "already_replaced",
    "not_delivered",
    "outside_window",
    "reason_not_shown",
    "nothing_left",
    "exceeds_paid",
  ],
  record: ({ orderId }, { orders }) => orders.load(orderId),
  evidence: { min: 1, from: (order) => order.events, maxAgeMs: policy.EVIDENCE_DAYS_MAX * 86_400_000 },
  authorise({ params, evidence }, order, { customer, today }) {
    const amount = amountOf(params, order);
    const left = policy.leftToRefund(order);
    if (order.customer !== customer) return deny("not_their_order");
    if (order.replaced.length > 0) return deny("already_replaced", "The customer gets goods or money, not both.");
    if (!policy.isDelivered(order, today)) return deny("not_delivered");
    if (!policy.isWithinWindow(params.reason, order, today)) return deny("outside_window");
    if (!policy.isShown(params.reason, evidence, order)) return deny("reason_not_shown");
    if (left <= 0) return deny("nothing_left");
    if (amount > left) return deny("exceeds_paid", `At most ${policy.francs(left)} can be refunded.`);
    // Earlier refunds of the order count, or a large one would slip under the ceiling in slices.
    const refunded = order.refundedMinor + amount;
    if (refunded > policy.CEILING_MINOR) {
      return stage(
        "supervisor",
        `${policy.francs(refunded)} of one order is above ${policy.francs(policy.CEILING_MINOR)}`,
      );
    }
    return permit();
  },
  caps: [
    { name: "refunds_per_run", limit: policy.REFUNDS_PER_RUN_MAX, window: "per_run" },
    {
      name: "refunded_per_customer_per_day",
      key: (_refund, order) => order.customer,
      amount: amountOf,
      limit: policy.REFUNDED_PER_CUSTOMER_PER_DAY_MAX_MINOR,
      window: policy.PER_DAY,
    },
    {
      name: "refunded_per_day",
      amount: amountOf,
      limit: policy.REFUNDED_PER_DAY_MAX_MINOR,
      window: policy.PER_DAY,
    },
  ],
  probe: (_refund, { payments, idempotencyKey }) => payments.find(idempotencyKey),
  // The record is the one that was judged: what is paid is what was authorised, to the Rappen.
  execute: ({ params, record }, { payments, idempotencyKey }) =>
    payments.refund(record.id, amountOf(params, record), idempotencyKey),
  summarise: ({ amountMinor, orderId, receipt }) =>
    `refunded ${policy.francs(amountMinor)} on order ${orderId} (receipt ${receipt})`,
});
