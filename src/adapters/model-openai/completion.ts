import { isJsonObject, type Json, type JsonObject } from "../../domain/json.ts";
import type { ModelCall } from "../../domain/said.ts";
import { wellFormed } from "../../domain/text.ts";
import { type Clean, excerpt } from "./clean.ts";
import { type Document, field, readDocument, said } from "./document.ts";
import { errorIn, type Refusal } from "./refusal.ts";
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

/** A word for why a server stopped. What is none may be anything that it echoes, and is not kept. */
const FINISH = /^[A-Za-z_-]{1,64}$/;
/** That a reply is not whole stays true, whatever is said after it. */
const UNWHOLE: readonly (string | undefined)[] = ["length", "content_filter"];

/**
 * One reply as it grows, by one whole message or by the pieces of a stream. Only what is read is kept: no ids, no reasoning,
 * nothing of further choices.
 */
export class Saying {
  readonly calls = new ToolCalls();
  readonly #clean: Clean;
  #text = "";
  /** Whether the pieces of a stream said something. */
  #pieced = false;
  #refused = false;
  #finish: string | undefined;
  #inexact = false;
  #promptTokens: number | null = null;
  #completionTokens: number | null = null;
  /** Whether there was a choice at all. */
  begun = false;
  /** Whether the server said in words why it stopped. Some write an empty one, or an object, into every piece of a stream. */
  ended = false;

  constructor(clean: Clean) {
    this.#clean = clean;
  }

  get units(): number {
    return this.#text.length + this.calls.units;
  }

  /** Takes a document: a whole completion, or one chunk of a stream. Returns the content that it holds. */
  take({ value, inexact }: Document, whole: boolean): string {
    this.#inexact ||= inexact;
    const usage = field(value, "usage");
    this.#promptTokens = count(field(usage, "prompt_tokens")) ?? this.#promptTokens;
    this.#completionTokens = count(field(usage, "completion_tokens")) ?? this.#completionTokens;
    const choice = firstChoice(field(value, "choices"));
    const delta = whole ? undefined : field(choice, "delta");
    this.#takeFinish(said(field(choice, "finish_reason")));
    // Some servers end a stream with the whole message, which says again what its pieces said.
    const message = isJsonObject(delta) ? delta : this.#pieced ? undefined : field(choice, "message");
    if (!isJsonObject(message)) return "";
    this.begun = true;
    if (said(field(message, "refusal")) !== undefined) this.#refused = true;
    const content = this.#takeMessage(message, whole);
    if (message === delta) this.#pieced ||= this.#refused || this.units > 0;
    return content;
  }

  #takeFinish(finish: string | undefined): void {
    if (finish === undefined || finish.trim() === "") return;
    this.ended = true;
    if (UNWHOLE.includes(this.#finish)) return;
    this.#finish = FINISH.test(finish) && this.#clean(finish) === finish ? finish : "none";
  }

  #takeMessage(message: JsonObject, whole: boolean): string {
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
  const saying = new Saying(clean);
  saying.take(document.value, true);
  return saying.end();
}

/** Nobody asks for several choices; where there are, the pieces of the others belong to other replies. */
function firstChoice(choices: Json | undefined): Json | undefined {
  if (!Array.isArray(choices)) return undefined;
  return choices.find((choice) => {
    const index = field(choice, "index");
    return typeof index !== "number" || index === 0;
  });
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
