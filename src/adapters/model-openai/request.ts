import { isJsonObject, type Json, type JsonObject } from "../../domain/json.ts";
import type { SentAs, WireTool } from "../../domain/said.ts";
import type { ModelRequest } from "../../ports/model.ts";
import type { Dialect, Offered } from "./dialect.ts";

/** A request as it is sent, and what in it a server may refuse. */
export type Written = { readonly body: JsonObject; readonly sentAs: SentAs; readonly offered: Offered };

export type Writing = { readonly name: string; readonly temperature: number; readonly stream: boolean };

/** Writes a request in a server's dialect. The prompt goes as it is. */
export function writeRequest(request: ModelRequest, dialect: Dialect, writing: Writing): Written {
  const streamed = writing.stream && dialect.stream;
  const { sentAs, fields } = constraintOf(request, dialect);
  const seed = dialect.seed && request.seed !== undefined;
  const body: JsonObject = {
    model: writing.name,
    messages: [{ role: "system", content: request.system }, ...request.messages],
    [dialect.limit]: request.outputTokensMax,
    ...(dialect.temperature ? { temperature: writing.temperature } : {}),
    ...(seed ? { seed: request.seed ?? null } : {}),
    stream: streamed,
    ...(streamed && dialect.streamUsage ? { stream_options: { include_usage: true } } : {}),
    ...fields,
  };
  const constrained = sentAs === "tools" ? "tools" : sentAs === "no_schema" ? "nothing" : "schema";
  // What was sent as an object, whatever the dialect would have allowed.
  const schema = sentAs === "params_object" ? "object" : sentAs === "params_text" ? "text" : dialect.schema;
  const simpler = request.schema !== request.schemaStrict;
  return { body, sentAs, offered: { ...dialect, schema, seed, streamed, constrained, simpler } };
}

function constraintOf(
  request: ModelRequest,
  dialect: Dialect,
): { readonly sentAs: SentAs; readonly fields: JsonObject } {
  if (request.mode === "tools") {
    // An empty list of tools is refused by some servers and means the same as none.
    if (request.tools.length === 0) return { sentAs: "no_schema", fields: {} };
    const tools = request.tools.map((tool) => toolOf(tool, dialect.toolExtras));
    const extras = dialect.toolExtras ? { parallel_tool_calls: false } : {};
    return { sentAs: "tools", fields: { tools, tool_choice: "auto", ...extras } };
  }
  if (dialect.schema === "none") return { sentAs: "no_schema", fields: {} };
  if (dialect.schema === "object" && request.schemaStrict !== null) {
    return { sentAs: "params_object", fields: formatOf(request.schemaStrict) };
  }
  return { sentAs: "params_text", fields: formatOf(request.schema) };
}

function formatOf(schema: Json): JsonObject {
  return { response_format: { type: "json_schema", json_schema: { name: "reply", strict: true, schema } } };
}

function toolOf({ name, description, parameters }: WireTool, extras: boolean): JsonObject {
  const strict = extras && isStrict(parameters) ? { strict: true } : {};
  return { type: "function", function: { name, description, parameters, ...strict } };
}

/** Whether each object in a schema is closed and requires all that it has: what servers mean by a strict schema. */
function isStrict(schema: Json): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (!isJsonObject(schema)) return true;
  const { properties, required, additionalProperties } = schema;
  if (properties === undefined) return schema.type !== "object" && Object.values(schema).every(isStrict);
  if (!isJsonObject(properties) || additionalProperties !== false || !Array.isArray(required)) return false;
  return Object.entries(properties).every(([key, inner]) => required.includes(key) && isStrict(inner));
}
