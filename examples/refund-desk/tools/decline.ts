import { deny, permit, withServices, z } from "signalbox";
import type { Order, Orders } from "../desk/orders.ts";
import * as policy from "../desk/policy.ts";

const DeclineReason = z.enum(["outside_window", "nothing_left", "not_delivered"]);

/** A no is given only for a reason that is true of the order. */
const IS_TRUE: Readonly<Record<z.infer<typeof DeclineReason>, (order: Order, today: string) => boolean>> = {
  outside_window: (order, today) => policy.isDelivered(order, today) && !policy.isWithinWindow("damaged", order, today),
  nothing_left: (order) => policy.leftToRefund(order) <= 0,
  not_delivered: (order, today) => !policy.isDelivered(order, today),
};

/** The customer sees it and staff can take it back: code has to permit it, and no money is at stake. */
export const decline = withServices<{ orders: Orders }>().defineTool({
  name: "decline",
  description: "Decline the customer's request about an order, for a reason that is true of that order.",
  placement: "staff-reversible",
  effect: "idempotent",
  params: z.strictObject({ orderId: policy.OrderId, reason: DeclineReason }),
  denials: ["not_their_order", "reason_not_true"],
  record: ({ orderId }, { orders }) => orders.load(orderId),
  authorise({ params }, order, { customer, today }) {
    if (order.customer !== customer) return deny("not_their_order");
    if (!IS_TRUE[params.reason](order, today)) return deny("reason_not_true");
    return permit();
  },
  execute({ params }, { orders }) {
    orders.setStatus(params.orderId, "declined");
    return { orderId: params.orderId, reason: params.reason };
  },
  summarise: ({ orderId, reason }) => `declined the request about order ${orderId} (${reason})`,
});
