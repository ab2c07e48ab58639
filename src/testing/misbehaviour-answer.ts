import type { Json, JsonObject } from "../domain/json.ts";
import { type Completion, tokensOf } from "./misbehaviour-script.ts";

/** An Answer: what the server sends, and how its bytes reach the client. */
export type Answer = {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: Buffer;
  /**
   * `whole`. `cut`: half of it, and then the connection breaks. `hang`: half of it, and then nothing. `slow`: a byte at a
   * time. `pieces`: seven bytes at a time. `white_space`: after a gigabyte of it. `bomb`: a gigabyte in gzip instead.
   * `endless`: all of it, and then comments and pieces of content for ever. `reset` and `silence`: no answer at all.
   */
  readonly delivery: Delivery;
};

export type Delivery =
  | "whole"
  | "cut"
  | "hang"
  | "slow"
  | "pieces"
  | "white_space"
  | "bomb"
  | "endless"
  | "reset"
  | "silence";

export function answer(status: number, type: string, body: string | Buffer, delivery: Delivery = "whole"): Answer {
  return { status, headers: { "content-type": type }, body: Buffer.from(body), delivery };
}

export function jsonAnswer(status: number, body: Json): Answer {
  return answer(status, "application/json", JSON.stringify(body));
}

/** An error as these servers say it. */
export function errorAnswer(status: number, message: string, more: JsonObject = {}): Answer {
  return jsonAnswer(status, { error: { message, code: status, ...more } });
}

export function plainAnswer(completion: Completion): Answer {
  return jsonAnswer(200, {
    id: completion.id,
    object: "chat.completion",
    created: 0,
    model: completion.model,
    choices: [{ index: 0, message: messageOf(completion), ...finishOf(completion) }],
    usage: usageOf(completion),
  });
}

/** The lines of a stream without its end: one list of events, so that a misbehaviour can take some of them away. */
export function streamAnswer(events: readonly string[]): Answer {
  return answer(200, "text/event-stream", events.map((event) => `data: ${event}\n\n`).join(""));
}

/** Characters of content or arguments in one event of a stream. */
const PIECE = 12;

/** The events of a completion as a stream: the role, the pieces, the finish, the usage, `[DONE]`. */
export function eventsOf(completion: Completion): readonly string[] {
  const event = (delta: JsonObject, more: JsonObject = { finish_reason: null }): string =>
    chunkOf(completion, { choices: [{ index: 0, delta, ...more }] });
  const { content, reasoning, refusal, calls } = completion;
  return [
    event({ role: "assistant", content: content === null ? null : "" }),
    ...piecesOf(reasoning ?? "").map((piece) => event({ reasoning_content: piece })),
    ...piecesOf(refusal ?? "").map((piece) => event({ refusal: piece })),
    ...piecesOf(content ?? "").map((piece) => event({ content: piece })),
    ...calls.flatMap((call, index) => callDeltas(call, index).map((delta) => event({ tool_calls: [delta] }))),
    event({}, finishOf(completion)),
    chunkOf(completion, { choices: [], usage: usageOf(completion) }),
    "[DONE]",
  ];
}

function chunkOf({ id, model }: Completion, more: JsonObject): string {
  return JSON.stringify({ id, object: "chat.completion.chunk", created: 0, model, ...more });
}

/** The first delta names the call, the others carry its arguments. Arguments that are no text come in one piece. */
function callDeltas({ id, name, args }: Completion["calls"][number], index: number): readonly JsonObject[] {
  const head = { index, ...(id === undefined ? {} : { id }), type: "function" };
  if (typeof args !== "string") return [{ ...head, function: { name, arguments: args } }];
  const rest = piecesOf(args).map((piece) => ({ index, function: { arguments: piece } }));
  return [{ ...head, function: { name, arguments: "" } }, ...rest];
}

function piecesOf(text: string): readonly string[] {
  const characters = [...text];
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += PIECE) pieces.push(characters.slice(at, at + PIECE).join(""));
  return pieces;
}

function messageOf({ content, reasoning, refusal, calls }: Completion): JsonObject {
  return {
    role: "assistant",
    content,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(refusal === undefined ? {} : { refusal }),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ id, name, args }, index) => ({
            index,
            ...(id === undefined ? {} : { id }),
            type: "function",
            function: { name, arguments: args },
          })),
        }),
  };
}

function finishOf({ finish }: Completion): JsonObject {
  return finish === undefined ? {} : { finish_reason: finish };
}

function usageOf({ promptTokens, content, calls }: Completion): JsonObject {
  const completionTokens = tokensOf(`${content ?? ""}${calls.length === 0 ? "" : JSON.stringify(calls)}`);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}
