import { canonicalJson } from "../../domain/canonical.ts";
import { JSON_LIMITS } from "../../domain/json-limits.ts";
import { type Parsed, parsed, unparsed } from "../../domain/parsed.ts";
import { plainJson } from "../../domain/plain.ts";
import type { ModelCall, SentAs } from "../../domain/said.ts";
import type { ModelReply } from "../../ports/model.ts";
import { field, textField } from "./field.ts";

/** UTF-16 units of text and arguments that are taken in; a longer answer is a bad one. */
const ANSWER_UNITS_MAX = 4 * 1024 * 1024;
const CALLS_MAX = 256;

type Answered = Extract<ModelReply, { ok: true }>;

/**
 * An answer as it is put together from its parts, whole or as they arrive. Nothing in it is trusted. Reasoning, sources
 * and files are no content.
 */
export class Answer {
  readonly #texts: string[] = [];
  readonly #calls: ModelCall[] = [];
  #units = 0;

  /** Takes in one part of the content, or says why the answer cannot be used. */
  take(part: unknown): Parsed<null> {
    switch (field(part, "type")) {
      case "text":
        return this.takeText(field(part, "text"));
      case "tool-call":
        return this.#takeCall(part);
      case "tool-input-start":
        return field(part, "providerExecuted") === true ? executed(part) : parsed(null);
      // Only a tool that the provider runs has its result, or its request for an approval, in the answer.
      case "tool-result":
      case "tool-approval-request":
        return executed(part);
      default:
        return parsed(null);
    }
  }

  takeText(text: unknown): Parsed<null> {
    if (typeof text !== "string") return unparsed("bad_answer", "the provider gave a text that is no text");
    this.#texts.push(text);
    return this.#grow(text.length);
  }

  #takeCall(part: unknown): Parsed<null> {
    if (field(part, "providerExecuted") === true) return executed(part);
    const name = field(part, "toolName");
    if (typeof name !== "string") return unparsed("bad_answer", "the provider gave a tool call without a name");
    if (this.#calls.length === CALLS_MAX)
      return unparsed("bad_answer", `the answer has more than ${CALLS_MAX} tool calls`);
    const args = argsOf(field(part, "input"));
    if (!args.ok) return args;
    this.#calls.push({ name, args: args.value });
    return this.#grow(name.length + args.value.length);
  }

  #grow(units: number): Parsed<null> {
    this.#units += units;
    return this.#units <= ANSWER_UNITS_MAX
      ? parsed(null)
      : unparsed("bad_answer", `the answer is longer than ${ANSWER_UNITS_MAX} characters`);
  }

  /**
   * The reply, or `broken_off`. `end` says how it ended: the result of a whole answer, or the last part of a stream.
   */
  reply(end: unknown, text: string | null, sentAs: SentAs, attempts: number): Parsed<Answered> {
    const finish = finishOf(field(end, "finishReason"));
    if (finish === "interrupted") return unparsed("broken_off", "the answer broke off");
    const usage = field(end, "usage");
    return parsed({
      ok: true,
      text: text ?? this.#texts.join(""),
      calls: this.#calls,
      finish,
      promptTokens: tokensOf(field(usage, "inputTokens")),
      completionTokens: tokensOf(field(usage, "outputTokens")),
      sentAs,
      attempts,
    });
  }
}

/** A whole answer, as `doGenerate` gives it. */
export function readGenerated(
  result: unknown,
  mode: "flat" | "tools",
  sentAs: SentAs,
  attempts: number,
): Parsed<Answered> {
  const content = field(result, "content");
  if (!Array.isArray(content)) return unparsed("bad_answer", "the provider gave an answer without content");
  const answer = new Answer();
  for (const part of content as readonly unknown[]) {
    const taken = answer.take(part);
    if (!taken.ok) return taken;
  }
  // V4: the text that was meant, where there are drafts of it in the content as well.
  const meant = mode === "flat" ? textField(result, "structuredOutputText") : null;
  if (meant !== null) {
    const taken = new Answer().takeText(meant);
    if (!taken.ok) return taken;
  }
  return answer.reply(result, meant, unlessWarned(sentAs, field(result, "warnings")), attempts);
}

/**
 * How the reply was constrained, after what the provider warns of: one that cannot send a schema, or tools, leaves them
 * out and says so (`feature` in V3 and V4, `setting` in V2).
 */
export function unlessWarned(sentAs: SentAs, warnings: unknown): SentAs {
  if (!Array.isArray(warnings)) return sentAs;
  const leftOut = warnings.slice(0, 100).some((warning: unknown) => {
    const type = field(warning, "type");
    if (type === "unsupported-tool") return sentAs === "tools";
    if (type !== "unsupported" && type !== "unsupported-setting") return false;
    const what = field(warning, "feature") ?? field(warning, "setting");
    return what === (sentAs === "tools" ? "tools" : "responseFormat");
  });
  return leftOut ? "no_schema" : sentAs;
}

function executed(part: unknown): Parsed<null> {
  const name = textField(part, "toolName");
  return unparsed(
    "provider_executed",
    `the provider ran ${name === null ? "a tool" : `the tool "${name.slice(0, 80)}"`} by itself, where no rail could see it; take its own tools out of the language model`,
  );
}

/** The text of the arguments: as it is, or a value written as JSON. What cannot be written is not taken for `{}`. */
function argsOf(input: unknown): Parsed<string> {
  if (typeof input === "string") return parsed(input);
  if (input === undefined) return parsed("");
  const plain = plainJson(input, { ...JSON_LIMITS, bytesMax: ANSWER_UNITS_MAX });
  return plain.ok
    ? parsed(canonicalJson(plain.value))
    : unparsed("unreadable_call", `the arguments of a tool call: ${plain.why.detail}`);
}

/** A word in V2, `{ unified, raw }` in V3 and V4. */
function finishOf(reason: unknown): string {
  switch (typeof reason === "string" ? reason : field(reason, "unified")) {
    case "stop":
    case "tool-calls":
      return "stop";
    case "length":
      return "length";
    case "content-filter":
      return "content_filter";
    case "interrupted":
      return "interrupted";
    default:
      return "none";
  }
}

/** A number in V2, `{ total }` in V3 and V4. */
function tokensOf(tokens: unknown): number | null {
  const count = typeof tokens === "number" ? tokens : field(tokens, "total");
  return typeof count === "number" && Number.isFinite(count) ? count : null;
}
