import { isJsonObject, type Json, own } from "../domain/json.ts";
import { unreachable } from "../domain/unreachable.ts";
import {
  type Answer,
  answer,
  type Delivery,
  errorAnswer,
  eventsOf,
  jsonAnswer,
  plainAnswer,
  streamAnswer,
} from "./misbehaviour-answer.ts";
import type { Completion, HeardRequest } from "./misbehaviour-script.ts";
import type { MisbehaviourName } from "./misbehaviours.ts";

/** What a bent answer has to know beside the completion that it bends. */
export type Bending = {
  readonly heard: HeardRequest;
  /** The id of the response before this one. */
  readonly lastId: string;
};

/** The answer of an honest server: a stream where one was asked for. */
export function honestAnswer(completion: Completion, { body }: HeardRequest): Answer {
  return wantsStream(body) ? streamAnswer(eventsOf(completion)) : plainAnswer(completion);
}

function wantsStream(body: Json): boolean {
  return isJsonObject(body) && own(body, "stream") === true;
}

/** The answer of a server that misbehaves as `name` says, in place of `said`. */
export function bentAnswer(name: MisbehaviourName, said: Completion, { heard, lastId }: Bending): Answer {
  const send = (changed: Partial<Completion>): Answer => honestAnswer({ ...said, ...changed }, heard);
  const deliver = (delivery: Delivery): Answer => ({ ...send({}), delivery });
  switch (name) {
    case "repeated_response_id":
      return send({ id: lastId });
    case "repeated_call_id":
      return send({ calls: said.calls.map((call) => ({ ...call, id: "call_0_0" })) });
    case "call_id_missing":
      return send({ calls: said.calls.map((call) => ({ ...call, id: undefined })) });
    case "finish_wrong":
      return send({ finish: said.calls.length > 0 ? "stop" : "tool_calls" });
    case "finish_missing":
      return send({ finish: undefined });
    case "finish_null":
      return send({ finish: null });
    case "finish_object":
      return send({ finish: { reason: "stop" } });
    case "finish_empty":
      return withEmptyFinish(send({ finish: "" }));
    case "finish_empty_cut":
      return { ...withEmptyFinish(send({ finish: "" })), delivery: "cut" };
    case "empty_content":
      return send({ content: "", calls: [], finish: "stop" });
    case "reasoning_only":
      return send({ content: null, calls: [], finish: "stop", reasoning: saidAsText(said) });
    case "refusal":
      return send({ content: null, calls: [], finish: "stop", refusal: "I cannot help with that." });
    case "several_calls":
      return send({
        calls: said.calls.flatMap((call) => [call, { ...call, id: `${call.id}_x`, args: another(call.args) }]),
      });
    case "cut_by_length":
      return send({ ...cut(said), finish: "length" });
    case "duplicate_keys":
      return send(inEach(said, doubled));
    case "arguments_object":
      return send({ calls: said.calls.map((call) => ({ ...call, args: jsonOf(call.args) })) });
    case "arguments_cut":
      return send(cut(said));
    case "arguments_missing":
      return send({ calls: said.calls.map((call) => ({ ...call, args: "" })) });
    case "tools_refused":
      return errorAnswer(400, `${said.model} does not support tools`, { type: "invalid_request_error" });
    case "tools_ignored":
    case "call_as_text":
      return send({ content: hermes(said), calls: [], finish: "stop" });
    case "think_unclosed":
      return send({ content: `<think>\nThe operator wants this done. ${saidAsText(said)}`, calls: [], finish: "stop" });
    case "think_unopened":
      return send({ content: `The operator wants this done.\n</think>\n\n${said.content ?? ""}` });
    case "schema_ignored":
      return send({ content: `Sure, here is the JSON:\n\n\`\`\`json\n${said.content ?? ""}\n\`\`\`\nAnything else?` });
    case "schema_refused":
      return errorAnswer(400, "response_format of type json_schema is not supported", {
        type: "invalid_request_error",
      });
    case "prompt_truncated":
      return send({ promptTokens: Math.max(1, Math.floor(said.promptTokens / 20)) });
    case "overflow":
      return errorAnswer(400, `request (${said.promptTokens} tokens) exceeds the available context size (256 tokens)`, {
        type: "exceed_context_size_error",
        n_prompt_tokens: said.promptTokens,
        n_ctx: 256,
      });
    case "overflow_500":
      return errorAnswer(500, "Context size has been exceeded.", { type: "server_error" });
    case "call_unreadable":
      return errorAnswer(500, `error parsing tool call: raw='{"text":', err=unexpected end of JSON input`);
    case "html":
      return answer(200, "text/html", "<!doctype html>\n<title>Sign in</title>\n<p>Please sign in to the proxy.");
    case "error_in_200":
      return jsonAnswer(200, { error: { message: "the model is not loaded", code: 404 } });
    case "duplicate_choices": {
      const honest = send({});
      return {
        ...honest,
        body: Buffer.from(honest.body.toString("utf8").replace('"choices":', '"choices":[],"choices":')),
      };
    }
    case "secret_echo":
      return errorAnswer(401, `not accepted: ${heard.headers.authorization ?? "no Authorization header"}`);
    case "too_many_requests":
      return withHeaders(errorAnswer(429, "slow down"), { "retry-after": "1" });
    case "retry_after_long":
      return withHeaders(errorAnswer(429, "come back tomorrow"), { "retry-after": "86400" });
    case "unavailable":
      return errorAnswer(503, "loading model");
    case "done_missing":
      return streamAnswer(eventsOf(said).slice(0, -1));
    case "stream_stops":
      return streamAnswer(half(eventsOf(said)));
    case "stream_error":
      return streamAnswer([
        ...half(eventsOf(said)),
        JSON.stringify({ error: { message: "the engine died", code: 500 } }),
      ]);
    case "sse_to_plain":
      return streamAnswer(eventsOf(said));
    case "plain_to_stream":
      return plainAnswer(said);
    case "wrong_charset":
      return withType(send({}), "iso-8859-1");
    case "not_utf8":
      return withType({ ...send({}), body: Buffer.from(send({}).body.toString("utf8"), "latin1") }, "iso-8859-1");
    case "cut_stream":
      return deliver("cut");
    case "connection_reset":
      return deliver("reset");
    case "never_answers":
      return deliver("silence");
    case "endless_body":
      return deliver("hang");
    case "endless_stream":
      return { ...streamAnswer(half(eventsOf(said))), delivery: "endless" };
    case "slow_bytes":
      return deliver("slow");
    case "split_bytes":
      return deliver("pieces");
    case "white_space":
      return deliver("white_space");
    case "gzip_bomb":
      return withHeaders(deliver("bomb"), { "content-encoding": "gzip" });
    default:
      return unreachable(name);
  }
}

/** What was said as one text, wherever it stood. */
function saidAsText({ content, calls }: Completion): string {
  return [content ?? "", ...calls.map(({ name, args }) => JSON.stringify({ name, arguments: jsonOf(args) }))].join(
    "\n",
  );
}

/** Changes the text that says what is to be done: the content, or the arguments of each call. */
function inEach({ content, calls }: Completion, change: (text: string) => string): Partial<Completion> {
  if (calls.length === 0) return { content: change(content ?? "") };
  return {
    calls: calls.map((call) => ({ ...call, args: typeof call.args === "string" ? change(call.args) : call.args })),
  };
}

function cut(said: Completion): Partial<Completion> {
  return inEach(said, (text) => text.slice(0, Math.ceil(text.length * 0.8)));
}

/** The innermost object with its first key named twice, the second time with another value. */
function doubled(text: string): string {
  return text.replace(/\{("[^"]*"):([^{}]*)\}/, (_, key: string, rest: string) => `{${key}:"another",${key}:${rest}}`);
}

/** Other arguments of the same form: every text in them is another. */
function another(args: Json): string {
  const value = jsonOf(args);
  return JSON.stringify(
    isJsonObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([key, inner]) => [key, typeof inner === "string" ? `${inner} too` : inner]),
        )
      : value,
  );
}

function hermes({ content, calls }: Completion): string {
  const call = calls[0];
  if (call !== undefined) return hermesText(call.name, jsonOf(call.args));
  const flat = jsonOf(content ?? "");
  const name = isJsonObject(flat) ? own(flat, "tool") : undefined;
  // Talk is no call, and stays as it is.
  if (!isJsonObject(flat) || typeof name !== "string") return content ?? "";
  return hermesText(name, own(flat, "params") ?? {});
}

function hermesText(name: string, args: Json): string {
  return `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;
}

/** The value that a text of JSON holds; a text that holds none stays a text. The script is the test's own, so it is trusted. */
function jsonOf(args: Json): Json {
  if (typeof args !== "string") return args;
  try {
    return JSON.parse(args);
  } catch {
    return args;
  }
}

function half(events: readonly string[]): readonly string[] {
  return events.slice(0, Math.ceil(events.length / 2));
}

/** As servers write it that know no null: an empty text in every piece. */
function withEmptyFinish(given: Answer): Answer {
  const body = given.body.toString("utf8").replaceAll('"finish_reason":null', '"finish_reason":""');
  return { ...given, body: Buffer.from(body) };
}

function withHeaders(given: Answer, headers: Answer["headers"]): Answer {
  return { ...given, headers: { ...given.headers, ...headers } };
}

function withType(given: Answer, charset: string): Answer {
  return withHeaders(given, { "content-type": `${given.headers["content-type"] ?? ""}; charset=${charset}` });
}
