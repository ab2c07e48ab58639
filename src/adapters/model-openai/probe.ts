import { CANARY } from "../../domain/canary.ts";
import { isJsonObject, type JsonObject, own } from "../../domain/json.ts";
import { parseJson } from "../../domain/scan.ts";
import { withoutThinking } from "../../domain/thinking.ts";
import type { ModelReply, ModelRequest, Probe, ProbeFailure } from "../../ports/model.ts";
import { call } from "./call.ts";
import { excerpt } from "./clean.ts";
import { type Dialect, lower } from "./dialect.ts";
import { withModels } from "./models.ts";
import type { Server } from "./server.ts";

/** Room for a model that thinks a little before it speaks, and for one that thinks much: runs wait for it. */
const OUTPUT_TOKENS = 512;
const MORE_OUTPUT_TOKENS = 2_048;
/** A run waits for its canaries: the second one is worth no more than this. */
const MORE_MS_MAX = 10_000;
/** UTF-16 units of a reply that a message shows. */
const SHOWN_UNITS_MAX = 80;

/**
 * What a canary came to, in one word and one line. `answers`: whether there is a server that answers at all. `unreachable`
 * with it is a server in trouble, of which nothing is learnt.
 */
export type Found = {
  readonly found: Probe["schema"];
  readonly detail: string;
  /** The reply, or why there was none, without what it comes to. */
  readonly seen: string;
  readonly answers: boolean;
  /** Of one that is `unreachable`. */
  readonly failure?: ProbeFailure;
};

type Replied = Extract<ModelReply, { ok: true }>;
type Failed = Extract<ModelReply, { ok: false }>;

/** A canary: how it is sent, with a bound on the reply, and what a reply to it shows. */
type Song = {
  send(outputTokensMax: number, signal: AbortSignal): Promise<ModelReply>;
  judge(reply: Replied): Verdict;
};

type Verdict = "honoured" | "ignored" | "refused";

/**
 * Sings a canary to the server: the model is asked for one word while the schema allows only another thing, so that a reply
 * that keeps to the schema was made to. `dialect` notes what came of it.
 */
export async function probeSchema(server: Server, dialect: Dialect, signal: AbortSignal): Promise<Found> {
  const nonce = nonceOf(server.chance);
  const schema = canarySchema(nonce);
  const request = canary(CANARY.word, { schema, schemaStrict: schema });
  const song: Song = {
    async send(outputTokensMax, limit) {
      // Of its own, so that a call that is made meanwhile is not sent what has not been tried yet.
      const tried: Dialect = { ...dialect, schema: "object" };
      const reply = await call(server, { ...request, outputTokensMax, signal: limit }, tried);
      const { schema: _schema, ...rest } = tried;
      lower(dialect, rest);
      return reply;
    },
    judge: ({ text, sentAs }) =>
      sentAs !== "params_object" ? "refused" : keepsTo(text, nonce) ? "honoured" : "ignored",
  };
  const sung = await sing(song, server, dialect, signal);
  switch (sung.verdict) {
    case "honoured":
      dialect.schema = "object";
      return found("honoured", "replies are constrained to a JSON Schema", sung.seen);
    case "ignored":
      lower(dialect, { schema: "text" });
      return found("ignored", `a JSON Schema is accepted and ignored: ${sung.seen}`, sung.seen);
    case "unclear":
      lower(dialect, { schema: "text" });
      return found("unclear", `whether a JSON Schema is kept to cannot be told: ${sung.seen}`, sung.seen);
    case "refused": {
      dialect.schema = "none";
      const what = sung.seen === "" ? "a JSON Schema is refused" : `a request with a JSON Schema fails (${sung.seen})`;
      return found("error", `${what}; requests are sent without one`, sung.seen);
    }
    case "unreachable":
      return unreached(sung.failure);
  }
}

/** The same for native tools: the model is asked to call one. */
export async function probeTools(server: Server, dialect: Dialect, signal: AbortSignal): Promise<Found> {
  const word = {
    type: "object",
    properties: { word: { type: "string" } },
    required: ["word"],
    additionalProperties: false,
  };
  const tools = [{ name: CANARY.tool, description: "Takes one word.", parameters: word }];
  const request = { ...canary(CANARY.call, { schema: {}, schemaStrict: null }), mode: "tools" as const, tools };
  const song: Song = {
    send: (outputTokensMax, limit) => call(server, { ...request, outputTokensMax, signal: limit }, dialect),
    judge: ({ calls = [] }) =>
      calls.some(({ name, args }) => name === CANARY.tool && isObject(args)) ? "honoured" : "ignored",
  };
  const sung = await sing(song, server, dialect, signal);
  switch (sung.verdict) {
    case "honoured":
      return found("honoured", "native tools are called", sung.seen);
    case "ignored":
      return found("ignored", `a native tool was not called although the model was asked to: ${sung.seen}`, sung.seen);
    case "unclear":
      return found("unclear", `whether native tools are called cannot be told: ${sung.seen}`, sung.seen);
    case "refused":
      return found("error", `a native tool cannot be called: ${sung.seen}`, sung.seen);
    case "unreachable":
      return unreached(sung.failure);
  }
}

function found(word: Exclude<Probe["schema"], "unreachable">, detail: string, seen: string): Found {
  return { found: word, detail, seen, answers: true };
}

function unreached(failure: ProbeFailure): Found {
  return { found: "unreachable", detail: failure.detail, seen: failure.detail, answers: isAnswer(failure), failure };
}

/** `seen`: the reply, or why there was none. */
type Sung =
  | { readonly verdict: Verdict | "unclear"; readonly seen: string }
  | { readonly verdict: "unreachable"; readonly failure: ProbeFailure };

/** One canary, sent until it says something, which is three times at the most. */
async function sing(song: Song, server: Server, dialect: Dialect, signal: AbortSignal): Promise<Sung> {
  const first = await song.send(OUTPUT_TOKENS, signal);
  if (first.ok || first.code === "unreadable_call") return judged(song, server, signal, first);
  if (!isAnswer(first)) return { verdict: "unreachable", failure: failureOf(first) };
  // Is it the form of the request, or the server?
  const request = {
    ...canary(CANARY.word, { schema: {}, schemaStrict: null }),
    outputTokensMax: OUTPUT_TOKENS,
    signal,
  };
  const bare = await call(server, request, { ...dialect, schema: "none" });
  if (!bare.ok) return { verdict: "unreachable", failure: await withModels(server, failureOf(bare), signal) };
  // Trouble may have passed meanwhile.
  const again = await song.send(OUTPUT_TOKENS, signal);
  if (again.ok || again.code === "unreadable_call") return judged(song, server, signal, again);
  if (!isAnswer(again)) return { verdict: "unreachable", failure: failureOf(again) };
  return { verdict: "refused", seen: again.detail };
}

/** Judges a reply. One that says nothing is asked for once more, with more room. */
async function judged(song: Song, server: Server, signal: AbortSignal, first: ModelReply): Promise<Sung> {
  const once = judge(song, server, first, OUTPUT_TOKENS);
  if (once.verdict !== "unclear" || !first.ok) return once;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(MORE_MS_MAX)]);
  const second = await song.send(MORE_OUTPUT_TOKENS, limit);
  return second.ok ? judge(song, server, second, MORE_OUTPUT_TOKENS) : once;
}

function judge(song: Song, server: Server, reply: ModelReply, tokens: number): Sung & { verdict: Verdict | "unclear" } {
  if (!reply.ok) return { verdict: "unclear", seen: `the server could not read what its model said (${reply.detail})` };
  const verdict = song.judge(reply);
  // That it was refused says what was sent, whatever the reply is.
  if (verdict === "refused") return { verdict, seen: "" };
  const start = excerpt(reply.text.trim(), SHOWN_UNITS_MAX, server.clean);
  const began = start === "" ? "" : `the reply began with ${JSON.stringify(start)}`;
  if (verdict === "honoured") return { verdict, seen: began };
  const why = whyUnclear(reply, tokens);
  if (why !== null) return { verdict: "unclear", seen: began === "" ? why : `${why}; ${began}` };
  return { verdict, seen: began === "" ? "it called something else, or called it wrongly" : began };
}

/** Why a reply that does not do what was asked says nothing about its server, or null. */
function whyUnclear({ text, calls = [], finish }: Replied, tokens: number): string | null {
  if (finish === "length") return `the reply was cut at ${tokens} tokens`;
  if (finish === "refusal" || finish === "content_filter") return `the model refused to answer (${finish})`;
  if (calls.length > 0) return null;
  if (text.trim() === "") return "the model said nothing, or nothing but what it thought";
  return withoutThinking(text).only ? "the reply held nothing but thinking" : null;
}

/** Whether a failure is at least an answer of the server's. */
function isAnswer({ code }: ProbeFailure): boolean {
  return code !== "unreachable" && code !== "aborted";
}

function failureOf({ code, detail }: Failed): ProbeFailure {
  return { code, detail };
}

/** The whole probe as the port has it. `tools`: null in mode `flat`. What is still to be asked of one is asked again of both. */
export function probed(schema: Found, tools: Found | null, tokeniser: boolean, windowTokens: number | null): Probe {
  const window = windowTokens === null ? "the window is not told" : `the window is ${windowTokens} tokens`;
  const counted = tokeniser ? "its tokeniser answers" : "no tokeniser";
  const parts = [schema.detail, ...(tools === null || tools === schema ? [] : [tools.detail]), counted, window];
  const failure = schema.failure ?? tools?.failure;
  return {
    schema: failure === undefined ? schema.found : "unreachable",
    tools: tools === null ? "unasked" : tools.found === "unreachable" ? "unclear" : tools.found,
    tokeniser,
    windowTokens,
    detail: parts.join("; "),
    seen: { schema: schema.seen, tools: tools?.seen ?? null },
    ...(failure === undefined ? {} : { failure }),
  };
}

function canary(
  content: string,
  schemas: Pick<ModelRequest, "schema" | "schemaStrict">,
): Omit<ModelRequest, "outputTokensMax" | "signal"> {
  return { system: CANARY.system, messages: [{ role: "user", content }], mode: "flat", ...schemas, tools: [] };
}

/** What the schemas of replies are made of: a list of types, an enum with null in it, a choice, a closed object inside. */
function canarySchema(nonce: string): JsonObject {
  const inner = closed({ note: { type: ["string", "null"] } });
  return closed({
    kind: { type: "string", enum: [nonce] },
    tool: { type: ["string", "null"], enum: [CANARY.tool, null] },
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

/** Thinking before it is no breach: a server constrains what comes after. */
function keepsTo(text: string, nonce: string): boolean {
  const json = parseJson(withoutThinking(text).text.trim());
  return json.ok && isJsonObject(json.value) && own(json.value, "kind") === nonce;
}

function isObject(text: string): boolean {
  const json = parseJson(text);
  return json.ok && isJsonObject(json.value);
}
