/**
 * What the scripted model says, reply by reply: an honest helper with the usual faults. It is wrong about an amount, it
 * invents evidence, it repeats itself and it talks when it should act. A live model does all of these, only less reliably.
 */
const damagedTeapot = { kind: "full", orderId: "1042", reason: "damaged" };

export const script = [
  // "Order 1042 arrived broken. I want my money back."
  "Of course! Let me look at order 1042 for you.",
  action("lookup_order", { orderId: "1042" }),
  action("refund", { ...damagedTeapot, kind: "partial", amountMinor: 18_990 }, ["evt_1042_3"]),
  action("refund", damagedTeapot, ["evt_1042_9"]),
  {
    kind: "plan",
    steps: [{ actor: "refund", description: "refund it", params: damagedTeapot, evidence: ["evt_1042_3"] }],
  },
  action("refund", damagedTeapot, ["evt_1042_3"]),
  { kind: "conversation", text: "I am sorry about the teapot. Your refund of CHF 89.90 is on its way." },

  // "Thank you. And where is order 1043?"
  action("lookup_order", { orderId: "1043" }),
  action("lookup_order", { orderId: "1043" }),
  action("lookup_order", { orderId: "1043" }),
];

function action(tool: string, params: object, evidence: readonly string[] = []) {
  return { kind: "action", tool, params, evidence };
}
