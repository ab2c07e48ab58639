import { defineTool, z } from "../../../src/index.ts";

/** The scratch pad that the recorded model had besides the airline's tools: its calls are turns of the recording. */
export const think = defineTool({
  name: "think",
  description: "Note a thought. It changes nothing.",
  placement: "internal",
  effect: "read",
  params: z.strictObject({ thought: z.string().max(4_000) }),
  execute: () => ({ noted: true }),
  summarise: () => "noted a thought",
});
