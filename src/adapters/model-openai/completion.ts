import { isJsonObject, type Json } from "../../domain/json.ts";
import type { ModelCall } from "../../domain/said.ts";
import { wellFormed } from "../../domain/text.ts";
import { type Document, field, readDocument, said } from "./document.ts";
import { type Clean, errorIn, excerpt, type Refusal } from "./refusal.ts";
import { ToolCalls } from "./tool-calls.ts";

/** What a model said, and what its server counted. */
export type Completion = {
  readonly kind: "said";
  readonly text: string;
  readonly calls: readonly ModelCall[];
  readonly finish: string;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
};

/** An answer that is no reply. `again`: whether the same request may fare better. */
export type Fault = {
  readonly kind: "fault";
  readonly code: "unreachable" | "bad_answer" | "unreadable_call";
  readonly detail: string;
  readonly again: boolean;
};

/** What came of one request. */
export type Outcome = Completion | Refusal | Fault;

export function fault(code: Fault["code"], detail: string, again: boolean): Fault {
  return { kind: "fault", code, detail, again };
}

/** UTF-16 units that a finish reason is let have. */
const FINISH_UNITS_MAX = 64;

/**
 * One reply as it grows, by one whole message or by the pieces of a stream. Only what is read is kept: no ids, no reasoning,
 * nothing of further choices.
 */
export class Saying {
  readonly calls = new ToolCalls();
  #text = "";
  #refused = false;
  #finish: string | undefined;
  #inexact = false;
  #promptTokens: number | null = null;
  #completionTokens: number | null = null;
  /** Whether there was a choice at all. */
  begun = false;
  /** Whether the server said why it stopped, in whatever form. */
  ended = false;

  get units(): number {
    return this.#text.length + this.calls.units;
  }

  /** Takes a document: a whole completion, or one chunk of a stream. Returns the content that it holds. */
  take({ value, inexact }: Document, whole: boolean): string {
    this.#inexact ||= inexact;
    const usage = field(value, "usage");
    this.#promptTokens = count(field(usage, "prompt_tokens")) ?? this.#promptTokens;
    this.#completionTokens = count(field(usage, "completion_tokens")) ?? this.#completionTokens;
    const choices = field(value, "choices");
    const choice = Array.isArray(choices) ? choices[0] : undefined;
    const message = whole ? field(choice, "message") : (field(choice, "delta") ?? field(choice, "message"));
    const finish = field(choice, "finish_reason");
    if (finish !== undefined && finish !== null) this.ended = true;
    this.#finish = said(finish)?.slice(0, FINISH_UNITS_MAX) ?? this.#finish;
    if (!isJsonObject(message)) return "";
    this.begun = true;
    if (said(field(message, "refusal")) !== undefined) this.#refused = true;
    const content = contentOf(field(message, "content"));
    this.#text += content;
    this.calls.take(field(message, "tool_calls"), whole);
    // The older form of one call. A server that sends both sends the same in both.
    const call = field(message, "function_call");
    if (isJsonObject(call) && !isFilled(field(message, "tool_calls"))) this.calls.take({ function: call }, whole);
    return content;
  }

  /** The reply, once all of it was taken. */
  end(): Outcome {
    if (!this.begun) return fault("bad_answer", "the answer holds no message", true);
    if (this.#inexact && this.calls.valued) {
      return fault(
        "unreadable_call",
        "the arguments of a tool call hold a number that cannot be carried exactly",
        false,
      );
    }
    return {
      kind: "said",
      text: wellFormed(this.#text),
      calls: this.calls.all(),
      finish: this.#refused ? "refusal" : (this.#finish ?? "none"),
      promptTokens: this.#promptTokens,
      completionTokens: this.#completionTokens,
    };
  }
}

/** Reads an answer that is one document. */
export function readCompletion(body: string, clean: Clean): Outcome {
  const document = readDocument(body);
  if (!document.ok) {
    const { code } = document.why;
    // What is no JSON at all is often a page of a proxy whose server is just starting.
    const again = code === "not_json";
    return fault("bad_answer", `the answer cannot be read (${code}): ${excerpt(body, 120, clean)}`, again);
  }
  const error = errorIn(document.value.value, "body", clean);
  if (error !== null) return error;
  const saying = new Saying();
  saying.take(document.value, true);
  return saying.end();
}

/** Content is a text or a list of parts; what is no text of the model's is nothing. */
function contentOf(content: Json | undefined): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (field(part, "type") === "text" ? (said(field(part, "text")) ?? "") : "")).join("");
}

function isFilled(entries: Json | undefined): boolean {
  return Array.isArray(entries) ? entries.length > 0 : isJsonObject(entries);
}

function count(value: Json | undefined): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
