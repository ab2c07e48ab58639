import { NOW } from "../../../examples/tau/airline/database.ts";
import { instantOf } from "../../../examples/tau/airline/facts.ts";
import { airlinePolicy, airlineTools, WRITE_TOOLS, ZONE } from "../../../examples/tau/airline/tools.ts";
import type { Desk } from "../desk.ts";
import { think } from "./think.ts";

/** The example's airline, with the scratch pad that the recorded model had. */
export const airlineDesk: Desk = {
  agent: "agent:airline",
  tools: [...airlineTools, think],
  writes: WRITE_TOOLS,
  policies: airlinePolicy,
  now: instantOf(NOW),
  zone: ZONE,
};
