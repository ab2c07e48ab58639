import { isJsonObject, type Json } from "../../domain/json.ts";
import { utf8Length } from "../../domain/utf8.ts";
import { readWhole } from "./body.ts";
import { field, readDocument } from "./document.ts";
import { exchange } from "./exchange.ts";
import type { Server } from "./server.ts";

/** How a server wants to be asked: llama.cpp by the content, vLLM by model and prompt. */
type Form = "content" | "prompt";

/** Asked in this order, since llama.cpp takes a question without `content` for an empty one. */
const FORMS: readonly Form[] = ["content", "prompt"];

/** Counts tokens by the server's own tokeniser at `/tokenize`, and remembers how it is asked or that there is none. */
export class Tokeniser {
  readonly #server: Server;
  #form: Form | "unknown" | "none" = "unknown";

  constructor(server: Server) {
    this.#server = server;
  }

  /** Null where there is no tokeniser, or it does not answer this time. Never throws. */
  async count(text: string, signal: AbortSignal): Promise<number | null> {
    if (this.#form === "none" || signal.aborted || this.#server.barred !== null) return null;
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
        if (status === 404 || status === 405 || status === 501) return "absent" as const;
        // In trouble, or not for us now: nothing is learnt from it.
        if (status >= 500 || status === 401 || status === 403 || status === 429) return "silent" as const;
        const whole = await readWhole(answer);
        if (whole === null) return "silent" as const;
        const document = status === 200 ? readDocument(whole) : null;
        return (document?.ok === true ? countIn(document.value.value, text) : null) ?? "other";
      },
    );
    return typeof told === "object" ? "silent" : told;
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
