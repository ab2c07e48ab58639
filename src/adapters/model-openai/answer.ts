import { BODY_BYTES_MAX, readInto, readStart, type TextReader } from "./body.ts";
import type { Clean } from "./clean.ts";
import { fault, type Outcome, readCompletion } from "./completion.ts";
import type { Answer } from "./exchange.ts";
import { refusalOf } from "./refusal.ts";
import { StreamReader } from "./stream.ts";

/** Bytes of an error that are read. */
const ERROR_BYTES_MAX = 64 * 1024;

/**
 * Reads the answer to a request for a reply. Whether it is one document or a stream is seen in its first characters: there
 * are servers that stream what they were not asked to, servers that do not what they were, and content types that lie.
 */
export async function readAnswer(answer: Answer, hear: (content: string) => void, clean: Clean): Promise<Outcome> {
  const { status, headers } = answer;
  if (status >= 300 && status < 400) {
    return fault("unreachable", `the server redirects (HTTP ${status}), which is not followed`, false);
  }
  if (status < 200 || status >= 300) {
    return refusalOf(status, await readStart(answer, ERROR_BYTES_MAX), headers["retry-after"], clean);
  }
  const reader = new AnswerReader(hear, clean);
  const broken = await readInto(answer, reader);
  if (broken === null) return reader.end(null);
  // The same again would be as long, or in the same coding.
  const detail = broken.detail(clean);
  return broken.why === "cut" ? reader.end(detail) : fault("bad_answer", detail, false);
}

/** How the first line of a stream begins. A document begins with a brace, a page with a bracket. */
const STREAM = /^(?:data|event|id|retry|error)?:/;
/** As many characters decide. */
const DECIDING = "retry:".length;

class AnswerReader implements TextReader {
  readonly #hear: (content: string) => void;
  readonly #clean: Clean;
  #text = "";
  #stream: StreamReader | null = null;
  #plain = false;

  constructor(hear: (content: string) => void, clean: Clean) {
    this.#hear = hear;
    this.#clean = clean;
  }

  get bytesMax(): number {
    return this.#stream?.bytesMax ?? BODY_BYTES_MAX;
  }

  take(text: string): boolean {
    if (this.#stream !== null) return this.#stream.take(text);
    this.#text += text;
    if (this.#plain) return true;
    // White space before the answer keeps a connection open, and means nothing.
    this.#text = this.#text.trimStart();
    return this.#text.length < DECIDING || this.#decide();
  }

  end(cut: string | null): Outcome {
    if (this.#stream === null && !this.#plain) this.#decide();
    if (this.#stream !== null) return this.#stream.end(cut);
    if (cut !== null) return fault("unreachable", cut, true);
    const outcome = readCompletion(this.#text, this.#clean);
    if (outcome.kind === "said" && outcome.text !== "") this.#hear(outcome.text);
    return outcome;
  }

  #decide(): boolean {
    if (!STREAM.test(this.#text)) {
      this.#plain = true;
      return true;
    }
    this.#stream = new StreamReader(this.#hear, this.#clean);
    const text = this.#text;
    this.#text = "";
    return this.#stream.take(text);
  }
}
