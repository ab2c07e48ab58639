import { CANARY } from "../domain/canary.ts";
import { isJsonObject, type Json, type JsonObject, own } from "../domain/json.ts";
import { utf8Length } from "../domain/utf8.ts";
import type { MisbehaviourName } from "./misbehaviours.ts";

/** A call of a native tool; `args` is sent as the text of the arguments, and a string as it is. */
export type ServerCall = { readonly name: string; readonly args: Json };

/** What the model behind the server says: text as it is, a flat reply as JSON in the content, or native tool calls. */
export type HonestReply =
  | string
  | { readonly kind: string; readonly [key: string]: Json }
  | { readonly calls: readonly ServerCall[]; readonly content?: string };

/** A reply that goes wrong on its way. Without a `reply`, that of an honest conversation that says `bent`. */
export type BentReply = { readonly misbehaviour: MisbehaviourName; readonly reply?: HonestReply };

/** An answer in your own hand, sent as it is. */
export type RawReply = {
  readonly status: number;
  readonly headers?: { readonly [name: string]: string };
  readonly body: string;
};

/** One line of the script. Each request for a reply takes the next, one that is sent again included. */
export type ServerReply =
  | HonestReply
  | BentReply
  | RawReply
  | ((heard: HeardRequest) => HonestReply | BentReply | RawReply);

/** A request as the server heard it. */
export type HeardRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  /** The bytes of the body as text. */
  readonly text: string;
  /** The body as JSON; null where it is none. */
  readonly body: Json;
};

/** What a model said, before it is written as an answer. A `finish` or an id that is undefined is left out. */
export type Completion = {
  readonly id: string;
  readonly model: string;
  readonly content: string | null;
  readonly reasoning?: string;
  readonly refusal?: string;
  readonly calls: readonly { readonly id: string | undefined; readonly name: string; readonly args: Json }[];
  readonly finish: Json | undefined;
  readonly promptTokens: number;
};

/** Bytes that one token covers here. More than a client's careful estimate, as with a real tokeniser. */
const BYTES_PER_TOKEN = 4;

export function tokensOf(text: string): number {
  return Math.ceil(utf8Length(text) / BYTES_PER_TOKEN);
}

/** What a request counts: its messages, and its tools, which the model reads as well. */
function promptTokensOf(body: Json): number {
  const tools = isJsonObject(body) ? own(body, "tools") : undefined;
  return tokensOf([...messagesOf(body), ...(tools === undefined ? [] : [JSON.stringify(tools)])].join("\n"));
}

function messagesOf(body: Json): readonly string[] {
  const messages = isJsonObject(body) ? own(body, "messages") : undefined;
  if (!Array.isArray(messages)) return [];
  return (messages as readonly Json[]).map((message) => {
    const content = isJsonObject(message) ? own(message, "content") : "";
    return typeof content === "string" ? content : JSON.stringify(content ?? "");
  });
}

export function isBent(line: HonestReply | BentReply | RawReply): line is BentReply {
  return typeof line === "object" && Object.hasOwn(line, "misbehaviour");
}

export function isRaw(line: HonestReply | BentReply | RawReply): line is RawReply {
  return typeof line === "object" && Object.hasOwn(line, "status") && Object.hasOwn(line, "body");
}

function isNative(reply: HonestReply): reply is { readonly calls: readonly ServerCall[]; readonly content?: string } {
  return typeof reply === "object" && Object.hasOwn(reply, "calls");
}

/** A reply as the honest server says it. `number` counts the server's replies and makes its ids. */
export function completionOf(reply: HonestReply, number: number, body: Json): Completion {
  const model = isJsonObject(body) ? own(body, "model") : undefined;
  const base = {
    id: `chatcmpl-${number}`,
    model: typeof model === "string" ? model : "scripted",
    promptTokens: promptTokensOf(body),
  };
  if (typeof reply === "string") return { ...base, content: reply, calls: [], finish: "stop" };
  if (!isNative(reply)) return { ...base, content: JSON.stringify(reply), calls: [], finish: "stop" };
  const calls = reply.calls.map(({ name, args }, i) => ({ id: `call_${number}_${i}`, name, args: textOf(args) }));
  return { ...base, content: reply.content ?? null, calls, finish: calls.length === 0 ? "stop" : "tool_calls" };
}

function textOf(args: Json): string {
  return typeof args === "string" ? args : JSON.stringify(args);
}

// --- Canaries

/**
 * Whether a request tries out what the server does with schemas and tools, instead of asking the model something. It is known
 * by our exact words: a request of a user's own may be as short.
 */
export function isCanary(body: Json): boolean {
  const messages = isJsonObject(body) ? own(body, "messages") : undefined;
  if (!Array.isArray(messages) || messages.length !== 2) return false;
  const [system, user] = messages as readonly Json[];
  return says(system, "system", [CANARY.system]) && says(user, "user", [CANARY.word, CANARY.call]);
}

function says(message: Json | undefined, role: string, contents: readonly Json[]): boolean {
  return isJsonObject(message) && own(message, "role") === role && contents.includes(own(message, "content") ?? null);
}

/** The first native tool that a request offers, or undefined. */
export function toolOf(body: Json): JsonObject | undefined {
  const tools = isJsonObject(body) ? own(body, "tools") : undefined;
  const wrapped: Json | undefined = Array.isArray(tools) ? tools[0] : undefined;
  const tool = isJsonObject(wrapped) ? own(wrapped, "function") : undefined;
  return isJsonObject(tool) ? tool : undefined;
}

/** The schema that a request wants its reply to keep, or undefined. */
export function schemaOf(body: Json): Json | undefined {
  const format = isJsonObject(body) ? own(body, "response_format") : undefined;
  const named = isJsonObject(format) ? own(format, "json_schema") : undefined;
  return isJsonObject(named) ? own(named, "schema") : undefined;
}

/** What a server that honours schemas and tools answers to a canary. */
export function canaryReply(body: Json): HonestReply {
  const tool = toolOf(body);
  const schema = schemaOf(body);
  if (tool === undefined) return schema === undefined ? "pong" : JSON.stringify(instanceOf(schema));
  const name = own(tool, "name");
  const args = instanceOf(own(tool, "parameters") ?? {});
  return { calls: [{ name: typeof name === "string" ? name : "", args }] };
}

/** The least value of a schema in the strict common subset: the first that it names, else the empty one of its type. */
function instanceOf(schema: Json): Json {
  if (!isJsonObject(schema)) return null;
  const constant = own(schema, "const");
  if (constant !== undefined) return constant;
  const values = own(schema, "enum");
  if (Array.isArray(values) && values.length > 0) return values[0];
  const any = own(schema, "anyOf");
  if (Array.isArray(any) && any.length > 0) return instanceOf(any[0]);
  const type = own(schema, "type");
  return emptyOf(Array.isArray(type) ? type[0] : type, schema);
}

function emptyOf(type: Json | undefined, schema: JsonObject): Json {
  switch (type) {
    case "object": {
      const properties = own(schema, "properties") ?? {};
      return isJsonObject(properties)
        ? Object.fromEntries(Object.entries(properties).map(([key, property]) => [key, instanceOf(property)]))
        : {};
    }
    case "array":
      return [];
    case "string":
      return "";
    case "boolean":
      return false;
    case "integer":
    case "number":
      return 0;
    default:
      return null;
  }
}
