import type { Json } from "../domain/json.ts";
import { REPLY_KINDS } from "../domain/reply.ts";
import type { WireMode, WireTool } from "../domain/said.ts";
import type { LoopRules } from "./run.ts";

/** What a server is given to constrain the replies of a run; see ModelRequest. */
export type Wire = {
  readonly schema: Json;
  readonly schemaStrict: Json | null;
  readonly tools: readonly WireTool[];
};

export function wireOf(rules: LoopRules, _mode: WireMode): Wire {
  return { schema: wireSchema([...rules.tools.keys()]), schemaStrict: null, tools: [] };
}

/**
 * The JSON Schema of the flat reply, in the subset that every constrained decoder knows: all fields required, nullable,
 * no limits. `params` travels as a JSON string, since a strict schema cannot leave an object open.
 */
export function wireSchema(toolNames: readonly string[]): Json {
  const params = { type: ["string", "null"], description: "the arguments as one JSON object, written as a string" };
  const evidence = { type: ["array", "null"], items: { type: "string" } };
  const text = { type: ["string", "null"] };
  const step = closed({ actor: { type: "string" }, description: { type: "string" }, params, evidence });
  return closed({
    kind: { type: "string", enum: [...REPLY_KINDS] },
    text,
    tool: toolNames.length === 0 ? { type: "null" } : { type: ["string", "null"], enum: [...toolNames, null] },
    params,
    steps: { type: ["array", "null"], items: step },
    query: text,
    evidence,
  });
}

function closed(properties: { readonly [key: string]: Json }): Json {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}
