import { isJsonObject, type JsonObject, own } from "../../domain/json.ts";
import { parseJson } from "../../domain/scan.ts";
import type { ModelReply, ModelRequest, Probe } from "../../ports/model.ts";
import { call } from "./call.ts";
import { type Dialect, lower } from "./dialect.ts";
import type { Server } from "./server.ts";

/** Room for a model that thinks before it speaks. */
const OUTPUT_TOKENS = 1_024;
const TOOL = "canary";

/** What a canary came to, in one word and one line. */
type Found = { readonly found: "honoured" | "ignored" | "error" | "unreachable"; readonly detail: string };

/**
 * Sings a canary to the server: the model is asked for one word while the schema allows only another thing, so that a reply
 * that keeps to the schema was made to. `dialect` notes what came of it.
 */
export async function probeSchema(server: Server, dialect: Dialect, signal: AbortSignal): Promise<Found> {
  const nonce = nonceOf(server.chance);
  // Of its own, so that a call that is made meanwhile is not sent what has not been tried yet.
  const tried: Dialect = { ...dialect, schema: "object" };
  const schema = canarySchema(nonce);
  const request = canary(signal, { schema, schemaStrict: schema });
  const reply = await call(server, request, tried);
  const { schema: _schema, ...rest } = tried;
  lower(dialect, rest);
  if (!reply.ok) return await probeBare(server, dialect, request, reply);
  if (reply.sentAs !== "params_object") {
    dialect.schema = "none";
    return { found: "error", detail: "a JSON Schema is refused; requests are sent without one" };
  }
  if (keepsTo(reply.text, nonce)) {
    dialect.schema = "object";
    return { found: "honoured", detail: "replies are constrained to a JSON Schema" };
  }
  const why = reply.finish === "length" ? `, and the reply was cut at ${OUTPUT_TOKENS} tokens` : "";
  return { found: "ignored", detail: `a JSON Schema is accepted and ignored${why}` };
}

/** After a canary that failed without a word about schemas: is it the schema, or the server? */
async function probeBare(
  server: Server,
  dialect: Dialect,
  request: ModelRequest,
  { code, detail }: Extract<ModelReply, { ok: false }>,
): Promise<Found> {
  if (code === "unreachable" || code === "aborted") return { found: "unreachable", detail };
  const bare = await call(server, request, { ...dialect, schema: "none" });
  if (!bare.ok) return { found: bare.code === "unreachable" ? "unreachable" : "error", detail: bare.detail };
  dialect.schema = "none";
  return { found: "error", detail: `a request with a JSON Schema fails (${detail}); requests are sent without one` };
}

/** The same for native tools: the model is asked to call one. */
export async function probeTools(server: Server, dialect: Dialect, signal: AbortSignal): Promise<Found> {
  const word = {
    type: "object",
    properties: { word: { type: "string" } },
    required: ["word"],
    additionalProperties: false,
  };
  const tools = [{ name: TOOL, description: "Takes one word.", parameters: word }];
  const user = `Call the tool ${TOOL} with the word pong. Do not write anything else.`;
  const messages = [{ role: "user" as const, content: user }];
  const reply = await call(
    server,
    { ...canary(signal, { schema: {}, schemaStrict: null }), mode: "tools", tools, messages },
    dialect,
  );
  if (!reply.ok) {
    const unreached = reply.code === "unreachable" || reply.code === "aborted";
    return { found: unreached ? "unreachable" : "error", detail: `a native tool cannot be called: ${reply.detail}` };
  }
  const called = (reply.calls ?? []).some(({ name, args }) => name === TOOL && isObject(args));
  return called
    ? { found: "honoured", detail: "native tools are called" }
    : { found: "ignored", detail: "a native tool was not called although the model was asked to" };
}

/** The whole probe as the port has it. */
export function probed(schema: Found, tools: Found | null, tokeniser: boolean, windowTokens: number | null): Probe {
  const window = windowTokens === null ? "the window is not told" : `the window is ${windowTokens} tokens`;
  const counted = tokeniser ? "its tokeniser answers" : "no tokeniser";
  const parts = [schema.detail, ...(tools === null ? [] : [tools.detail]), counted, window];
  return {
    schema: schema.found,
    tools: tools === null ? "unasked" : tools.found === "unreachable" ? "error" : tools.found,
    tokeniser,
    windowTokens,
    detail: parts.join("; "),
  };
}

function canary(signal: AbortSignal, schemas: Pick<ModelRequest, "schema" | "schemaStrict">): ModelRequest {
  return {
    system: "You answer in one word.",
    messages: [{ role: "user", content: "Reply with the single word pong and nothing else." }],
    mode: "flat",
    ...schemas,
    tools: [],
    outputTokensMax: OUTPUT_TOKENS,
    signal,
  };
}

/** What the schemas of replies are made of: a list of types, an enum with null in it, a choice, a closed object inside. */
function canarySchema(nonce: string): JsonObject {
  const inner = closed({ note: { type: ["string", "null"] } });
  return closed({
    kind: { type: "string", enum: [nonce] },
    tool: { type: ["string", "null"], enum: [TOOL, null] },
    params: { anyOf: [inner, { type: "null" }] },
  });
}

function closed(properties: JsonObject): JsonObject {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

/** A word that no model says by itself. */
function nonceOf(chance: () => number): string {
  let nonce = "k";
  for (let i = 0; i < 8; i++) nonce += Math.floor(Math.min(0.999, Math.max(0, chance())) * 36).toString(36);
  return nonce;
}

function keepsTo(text: string, nonce: string): boolean {
  const json = parseJson(text.trim());
  return json.ok && isJsonObject(json.value) && own(json.value, "kind") === nonce;
}

function isObject(text: string): boolean {
  const json = parseJson(text);
  return json.ok && isJsonObject(json.value);
}
