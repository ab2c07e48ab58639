import { oneLine } from "../domain/result.ts";
import type { ModelCall, SentAs } from "../domain/said.ts";
import { wellFormed } from "../domain/text.ts";
import type { ModelReply } from "../ports/model.ts";

/** A reply with every field that may be left out. */
export type Answer = Required<Extract<ModelReply, { ok: true }>>;
export type CheckedReply = Answer | Extract<ModelReply, { ok: false }>;

const SENT_AS: readonly SentAs[] = ["params_object", "params_text", "no_schema", "tools"];
/** Calls of one reply that are looked at; a reply of more is no reply. */
const CALLS_MAX = 10_000;

/**
 * What a model adapter returned, as the reply that its type promises. An adapter may be anybody's code, so each field is
 * read once, and what is no reply throws: the caller records `adapter_threw`.
 */
export function checkedReply(reply: unknown): CheckedReply {
  if (typeof reply !== "object" || reply === null) throw new TypeError("the model adapter returned no reply");
  const { ok } = reply as { readonly ok?: unknown };
  if (ok === false) {
    const { code, detail } = reply as { readonly code?: unknown; readonly detail?: unknown };
    return { ok, code: oneLine(wellFormed(textOf("code", code))), detail: textOf("detail", detail) };
  }
  if (ok !== true) throw new TypeError("the model adapter returned a reply whose `ok` is neither true nor false");
  const { text, calls, finish, promptTokens, completionTokens, sentAs, attempts } = reply as {
    readonly [field in keyof Extract<ModelReply, { ok: true }>]?: unknown;
  };
  return {
    ok,
    text: textOf("text", text),
    calls: calls === undefined ? NO_CALLS : callsOf(calls),
    finish: textOf("finish", finish),
    promptTokens: typeof promptTokens === "number" ? promptTokens : null,
    completionTokens: typeof completionTokens === "number" ? completionTokens : null,
    sentAs: SENT_AS.find((one) => one === sentAs) ?? "no_schema",
    attempts: Number.isSafeInteger(attempts) && Number(attempts) >= 1 ? Number(attempts) : 1,
  };
}

export const NO_CALLS: readonly ModelCall[] = Object.freeze([]);

function callsOf(calls: unknown): readonly ModelCall[] {
  if (!Array.isArray(calls) || calls.length > CALLS_MAX) throw new TypeError("the model adapter's `calls` is no list");
  return Array.from(calls, (call: unknown) => {
    if (typeof call !== "object" || call === null) throw new TypeError("the model adapter's `calls` holds no call");
    const { name, args } = call as { readonly name?: unknown; readonly args?: unknown };
    return { name: textOf("calls[].name", name), args: textOf("calls[].args", args) };
  });
}

function textOf(field: string, value: unknown): string {
  if (typeof value === "string") return value;
  throw new TypeError(`the model adapter's \`${field}\` is no text`);
}
