import type { JsonObject } from "signalbox";
import type { ScriptedReply } from "signalbox/testing";

const teapot = { kind: "full", orderId: "1042", reason: "damaged" };

/**
 * What the scripted model says, reply by reply: a friendly agent with the usual faults. It chats when it should act, gets
 * an amount wrong, invents evidence, plans what needs no plan, and repeats itself.
 */
export const script: readonly ScriptedReply[] = [
  // "Order 1042 arrived broken. I want my money back."
  "Of course! Let me look at that order for you.",
  action("lookup_order", { orderId: "1042" }),
  action("refund", { ...teapot, kind: "partial", amountMinor: 18_990 }, "evt_1042_3"),
  action("refund", teapot, "evt_1042_9"),
  {
    kind: "plan",
    steps: [{ actor: "refund", description: "refund the teapot", params: teapot, evidence: ["evt_1042_3"] }],
  },
  action("refund", teapot, "evt_1042_3"),
  { kind: "conversation", text: "I am sorry about your teapot. The refund of CHF 89.90 is on its way." },

  // "Thank you. And where is order 1043?"
  action("lookup_order", { orderId: "1043" }),
  action("lookup_order", { orderId: "1043" }),
  action("lookup_order", { orderId: "1043" }),
];

function action(tool: string, params: JsonObject, ...evidence: readonly string[]): JsonObject {
  return { kind: "action", tool, params, evidence };
}
