import { dayIn, defineConfig } from "signalbox";
import { scriptedModel } from "signalbox/testing";
import { Orders, ordersAsOf } from "./desk/orders.ts";
import { Payments } from "./desk/payments.ts";
import { ZONE } from "./desk/policy.ts";
import { script } from "./script.ts";
import { decline } from "./tools/decline.ts";
import { escalate } from "./tools/escalate.ts";
import { lookupOrder } from "./tools/lookup-order.ts";
import { refund } from "./tools/refund.ts";
import { replacement } from "./tools/replacement.ts";

const { SIGNALBOX_MODEL_URL, SIGNALBOX_MODEL = "qwen3:8b" } = process.env;

const orders = new Orders(ordersAsOf(dayIn(ZONE, Date.now())));
const payments = new Payments(orders);

export default defineConfig({
  model:
    SIGNALBOX_MODEL_URL === undefined
      ? scriptedModel({ name: "scripted", replies: script })
      : { baseUrl: SIGNALBOX_MODEL_URL, name: SIGNALBOX_MODEL },
  tools: [lookupOrder, refund, replacement, decline, escalate],
  services: { orders, payments },
  principals: {
    "agent:desk": { tools: ["lookup_order", "refund", "replacement", "decline", "escalate"] },
  },
  // Who may approve what a rule stages. The desk is not among them: nobody approves what it proposed itself.
  approvers: { "user:supervisor": { roles: ["supervisor"] } },
  store: process.env.SIGNALBOX_STORE ?? "./signalbox.db",
  zone: ZONE,
});
