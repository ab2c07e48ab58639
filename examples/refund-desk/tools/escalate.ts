import { deny, permit, withServices, z } from "signalbox";
import type { Orders } from "../desk/orders.ts";
import { OrderId } from "../desk/policy.ts";

/** Handing over to a person is nearly always allowed; it is where an agent should go when it may not go further. */
export const escalate = withServices<{ orders: Orders }>().defineTool({
  name: "escalate",
  description: "Hand an order over to a person, with the reason why.",
  placement: "staff-reversible",
  effect: "idempotent",
  params: z.strictObject({
    orderId: OrderId,
    to: z.enum(["supervisor", "warehouse"]),
    reason: z.enum(["policy_says_no", "evidence_unclear", "customer_asks"]),
  }),
  denials: ["not_their_order"],
  record: ({ orderId }, { orders }) => orders.load(orderId),
  authorise: (_proposal, order, { customer }) => (order.customer === customer ? permit() : deny("not_their_order")),
  execute({ params }, { orders }) {
    orders.setStatus(params.orderId, "escalated");
    return params;
  },
  summarise: ({ orderId, to, reason }) => `handed order ${orderId} to the ${to} (${reason})`,
});
