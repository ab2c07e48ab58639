import { deny, permit, withServices, z } from "signalbox";
import type { Order, Orders } from "../desk/orders.ts";
import { francs, leftToRefund, OrderId } from "../desk/policy.ts";

/** Reading changes nothing, so no rail is mandatory. One is wanted all the same: nobody sees a stranger's order. */
export const lookupOrder = withServices<{ orders: Orders }>().defineTool({
  name: "lookup_order",
  description: "Look up one order: its items, what was paid and refunded, and the ids of its events.",
  placement: "internal",
  effect: "read",
  params: z.strictObject({ orderId: OrderId }),
  denials: ["not_their_order"],
  record: ({ orderId }, { orders }) => orders.load(orderId),
  authorise: (_proposal, order, { customer }) => (order.customer === customer ? permit() : deny("not_their_order")),
  execute: ({ params }, { orders }) => shown(orders.load(params.orderId)),
  summarise: (order) => `order ${order.id}: ${francs(order.leftMinor)} left to refund`,
});

/** What the model gets to see of an order. */
function shown(order: Order | null) {
  if (order === null) throw new Error("the order is gone");
  return {
    id: order.id,
    items: order.items,
    paidMinor: order.paidMinor,
    leftMinor: leftToRefund(order),
    deliveredOn: order.deliveredOn,
    status: order.status,
    events: order.events.map(({ id, kind }) => ({ id, kind })),
  };
}
