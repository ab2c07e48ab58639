import { deny, permit, stage, withServices, z } from "signalbox";
import type { Order, Orders } from "../desk/orders.ts";
import * as policy from "../desk/policy.ts";

const Replacement = z.strictObject({
  orderId: policy.OrderId,
  sku: z.string().regex(/^[A-Z]{3,12}-\d{2}$/),
  // Whoever changed their mind does not want the same thing again.
  reason: policy.Reason.exclude(["changed_mind"]),
});

function priceOf(sku: string, order: Order): number | null {
  return order.items.find((item) => item.sku === sku)?.priceMinor ?? null;
}

/** Irreversible: a parcel that has left is as gone as money, so the ceiling holds for prices too. */
export const replacement = withServices<{ orders: Orders }>().defineTool({
  name: "replacement",
  description: "Send one item of an order again. Cite the ids of the order's events that show the reason.",
  placement: "irreversible",
  effect: "once",
  params: Replacement,
  denials: [
    "not_their_order",
    "already_refunded",
    "already_replaced",
    "item_not_in_order",
    "not_delivered",
    "outside_window",
    "reason_not_shown",
  ],
  record: ({ orderId }, { orders }) => orders.load(orderId),
  evidence: { min: 1, from: (order) => order.events, maxAgeMs: policy.EVIDENCE_DAYS_MAX * 86_400_000 },
  authorise({ params, evidence }, order, { customer, today }) {
    const price = priceOf(params.sku, order);
    if (order.customer !== customer) return deny("not_their_order");
    if (order.refundedMinor > 0) return deny("already_refunded", "The customer gets goods or money, not both.");
    if (order.replaced.includes(params.sku)) return deny("already_replaced");
    if (price === null) return deny("item_not_in_order");
    if (!policy.isDelivered(order, today)) return deny("not_delivered");
    if (!policy.isWithinWindow(params.reason, order, today)) return deny("outside_window");
    if (!policy.isShown(params.reason, evidence, order)) return deny("reason_not_shown");
    // What was sent before counts, or a large order would slip under the ceiling item by item.
    if (policy.replacedMinor(order) + price > policy.CEILING_MINOR) return stage("supervisor");
    return permit();
  },
  caps: [
    {
      name: "replaced_per_day",
      amount: ({ sku }, order) => priceOf(sku, order) ?? 0,
      limit: policy.REPLACED_PER_DAY_MAX_MINOR,
      window: policy.PER_DAY,
    },
  ],
  execute({ params }, { orders }) {
    orders.bookReplacement(params.orderId, params.sku);
    return { orderId: params.orderId, sku: params.sku };
  },
  summarise: ({ orderId, sku }) => `sent ${sku} of order ${orderId} again`,
});
