import { isJsonObject, type Json } from "../../domain/json.ts";
import { utf8Length } from "../../domain/utf8.ts";
import type { ProbeFailure } from "../../ports/model.ts";
import { readStart, readWhole } from "./body.ts";
import { excerpt } from "./clean.ts";
import { field, readDocument } from "./document.ts";
import { type Answer, exchange } from "./exchange.ts";
import { refusalOf } from "./refusal.ts";
import type { Server } from "./server.ts";

/** How a server wants to be asked: llama.cpp by the content, vLLM by model and prompt. */
type Form = "content" | "prompt";

/** Asked in this order, since llama.cpp takes a question without `content` for an empty one. */
const FORMS: readonly Form[] = ["content", "prompt"];

/** Bytes of a refusal that are read, and UTF-16 units of it that a message shows. */
const REFUSAL_BYTES_MAX = 64 * 1024;
const SHOWN_UNITS_MAX = 160;

/** Counts tokens by the server's own tokeniser at `/tokenize`, and remembers how it is asked or that there is none. */
export class Tokeniser {
  readonly #server: Server;
  #form: Form | "unknown" | "none" = "unknown";
  #failure: ProbeFailure | null = null;

  constructor(server: Server) {
    this.#server = server;
  }

  /** Why there was no count the last time; null where there was one. What the server said of it stands in the detail. */
  get failure(): ProbeFailure | null {
    return this.#failure;
  }

  /** Null where there is no tokeniser, or it does not answer this time. Never throws. */
  async count(text: string, signal: AbortSignal): Promise<number | null> {
    if (this.#server.barred !== null) this.#failure = { code: "unreachable", detail: this.#server.barred };
    if (signal.aborted || this.#server.barred !== null) return null;
    const count = await this.#counted(text, signal);
    if (count !== null) this.#failure = null;
    return count;
  }

  async #counted(text: string, signal: AbortSignal): Promise<number | null> {
    if (this.#form === "none") return null;
    if (this.#form !== "unknown") {
      const told = await this.#ask(this.#form, text, signal);
      if (told === "absent") this.#form = "none";
      return typeof told === "number" ? told : null;
    }
    for (const form of FORMS) {
      const told = await this.#ask(form, text, signal);
      if (told === "silent") return null;
      if (told === "absent") break;
      if (typeof told === "number") {
        this.#form = form;
        return told;
      }
    }
    this.#form = "none";
    return null;
  }

  /** A count; `absent`: no such thing there; `other`: it wants to be asked otherwise; `silent`: no answer this time. */
  async #ask(form: Form, text: string, signal: AbortSignal): Promise<number | "absent" | "other" | "silent"> {
    const asked = form === "content" ? { content: text } : { model: this.#server.writing.name, prompt: text };
    const url = this.#server.rootAt("tokenize");
    const body = JSON.stringify(asked);
    const told = await exchange(
      { url, method: "POST", headers: this.#server.headers, body, signal },
      async (answer) => {
        const { status } = answer;
        if (status !== 200) {
          await this.#refused(answer);
          if (status === 404 || status === 405 || status === 501) return "absent" as const;
          // In trouble, or not for us now: nothing is learnt from it.
          return status >= 500 || status === 401 || status === 403 || status === 429 ? "silent" : "other";
        }
        const whole = await readWhole(answer);
        const document = whole === null ? null : readDocument(whole);
        const count = document?.ok === true ? countIn(document.value.value, text) : null;
        if (count !== null) return count;
        const start = excerpt((whole ?? "").trim(), SHOWN_UNITS_MAX, this.#server.clean);
        this.#failure = {
          code: "bad_answer",
          detail: `HTTP 200 and no count of tokens${start === "" ? "" : `: ${start}`}`,
        };
        return whole === null ? ("silent" as const) : ("other" as const);
      },
    );
    if (typeof told !== "object") return told;
    this.#failure = signal.aborted
      ? { code: "aborted", detail: "no answer came in time" }
      : { code: "unreachable", detail: this.#server.clean(told.reason) };
    return "silent";
  }

  /** Keeps what the server says instead of a count. */
  async #refused(answer: Answer): Promise<void> {
    const { status } = answer;
    const { about } = refusalOf(status, await readStart(answer, REFUSAL_BYTES_MAX), undefined, this.#server.clean);
    const said = about.trim().slice(0, SHOWN_UNITS_MAX).toWellFormed();
    this.#failure = { code: "http_error", detail: `HTTP ${status}${said === "" ? "" : `: ${said}`}` };
  }
}

/** Tokens that a tokeniser may add around a text. */
const ADDED_MAX = 16;

/** A count of none is what a server says that did not see the text, and no tokeniser makes more tokens than there are bytes. */
function countIn(value: Json, text: string): number | null {
  if (!isJsonObject(value)) return null;
  const tokens = field(value, "tokens");
  const count = field(value, "count");
  const told = typeof count === "number" ? count : Array.isArray(tokens) ? tokens.length : null;
  if (told === null || !Number.isSafeInteger(told)) return null;
  return told >= (text === "" ? 0 : 1) && told <= utf8Length(text) + ADDED_MAX ? told : null;
}
