import type { Json } from "../../domain/json.ts";
import type { SentAs } from "../../domain/said.ts";
import type { SchemaForm } from "../../domain/schema-form.ts";
import type { ModelRequest } from "../../ports/model.ts";

/** The options of one call, as V2, V3 and V4 of the specification read them alike. */
export type Call = {
  readonly prompt: readonly object[];
  readonly maxOutputTokens: number;
  readonly abortSignal: AbortSignal;
  readonly temperature?: number;
  readonly seed?: number;
  readonly responseFormat?: { readonly type: "json"; readonly name: string; readonly schema: Json };
  readonly tools?: readonly object[];
  readonly toolChoice?: { readonly type: "auto" };
};

export type Sending = { readonly call: Call; readonly sentAs: SentAs };

/** A request as the AI SDK has it, made anew for each attempt: a provider may change what it is given. */
export function callOf(request: ModelRequest, temperature: number | null, form: SchemaForm): Sending {
  const messages = request.messages.map(({ role, content }) => ({ role, content: [{ type: "text", text: content }] }));
  const base = {
    prompt: [{ role: "system", content: request.system }, ...messages],
    maxOutputTokens: request.outputTokensMax,
    abortSignal: request.signal,
    ...(temperature === null ? {} : { temperature }),
    ...(request.seed === undefined ? {} : { seed: request.seed }),
  };
  if (request.mode === "flat") {
    if (form === "none") return { call: base, sentAs: "no_schema" };
    const strict = form === "object" ? request.schemaStrict : null;
    const responseFormat = { type: "json" as const, name: "reply", schema: strict ?? request.schema };
    return { call: { ...base, responseFormat }, sentAs: strict === null ? "params_text" : "params_object" };
  }
  // Many servers refuse an empty list of tools, and a choice between none.
  if (request.tools.length === 0) return { call: base, sentAs: "no_schema" };
  const tools = request.tools.map(({ name, description, parameters }) => ({
    type: "function",
    name,
    description,
    inputSchema: parameters,
  }));
  return { call: { ...base, tools, toolChoice: { type: "auto" } }, sentAs: "tools" };
}
