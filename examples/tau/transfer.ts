import { defineTool, z } from "signalbox";

/** The tool by which both services hand a customer over. */
export const transferTool = defineTool({
  name: "transfer_to_human_agents",
  description: "Hand the customer over to a human agent, with a summary.",
  // User-reversible: nothing happens until a person reads it, and that person may hand it back.
  placement: "user-reversible",
  review: "the human agents' queue: a person reads the summary and talks to the customer",
  effect: "idempotent",
  params: z.strictObject({ summary: z.string().min(1).max(2_000) }),
  execute: () => ({ transferred: true }),
  summarise: () => "handed over to a human agent",
});
