import { retailPolicy, retailTools, WRITE_TOOLS, ZONE } from "../../../examples/tau/retail/tools.ts";
import type { Desk } from "../desk.ts";

/** The example's shop. Its written policy knows no dates, so the moment is any: the noon of a day. */
export const retailDesk: Desk = {
  agent: "agent:retail",
  tools: retailTools,
  writes: WRITE_TOOLS,
  policies: retailPolicy,
  now: Date.parse("2024-05-15T12:00:00-05:00"),
  zone: ZONE,
};
