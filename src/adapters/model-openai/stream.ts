import type { TextReader } from "./body.ts";
import { type Clean, excerpt } from "./clean.ts";
import { fault, type Outcome, Saying } from "./completion.ts";
import { readDocument } from "./document.ts";
import { errorIn, refusalOf } from "./refusal.ts";

/** Bytes of a whole stream. A piece of a few characters comes in some hundred bytes, and reasoning is streamed, too. */
const STREAM_BYTES_MAX = 64 * 1024 * 1024;
/** UTF-16 units of one line, of one event, and of what is kept of the reply. */
const UNITS_MAX = 4 * 1024 * 1024;

/**
 * Reads a stream of server-sent events (WHATWG HTML, 9.2) as a reply. Content is given to `hear` as it comes; tool calls
 * are held. It is whole with `[DONE]` or with a word for why it stopped; a stream that ends with neither was cut.
 */
export class StreamReader implements TextReader {
  readonly bytesMax = STREAM_BYTES_MAX;
  readonly #hear: (content: string) => void;
  readonly #clean: Clean;
  readonly #saying: Saying;
  #line = "";
  /** Whether the text so far ended in a carriage return, whose line feed may still come. */
  #returned = false;
  /** Lines of data that are no document by themselves. */
  #data: string[] = [];
  #dataUnits = 0;
  #event = "";
  #done = false;
  #stopped: Outcome | null = null;

  constructor(hear: (content: string) => void, clean: Clean) {
    this.#hear = hear;
    this.#clean = clean;
    this.#saying = new Saying(clean);
  }

  take(text: string): boolean {
    let at = 0;
    while (at < text.length && !this.#over) {
      const end = lineEnd(text, at);
      const piece = text.slice(at, end);
      // The second half of a line end of two.
      const halfEnd = this.#returned && piece === "" && text.charAt(end) === "\n";
      this.#returned = text.charAt(end) === "\r";
      at = end + 1;
      if (halfEnd) continue;
      this.#line += piece;
      if (this.#line.length > UNITS_MAX)
        this.#stop(fault("bad_answer", `a line of the stream has over ${UNITS_MAX} characters`, false));
      else if (end < text.length) this.#endLine();
    }
    return !this.#over;
  }

  /** What it comes to. `cut`: the connection broke. */
  end(cut: string | null): Outcome {
    // The last line may lack its end, and the last event its empty line. Of a broken connection neither counts.
    if (cut === null && !this.#over) {
      this.#endLine();
      if (!this.#over) this.#endEvent(true);
    }
    if (this.#stopped !== null) return this.#stopped;
    if (this.#done || this.#saying.ended) return this.#saying.end();
    return fault("unreachable", cut ?? "the stream ended in the middle of the reply", true);
  }

  get #over(): boolean {
    return this.#done || this.#stopped !== null;
  }

  #stop(outcome: Outcome): void {
    this.#stopped ??= outcome;
  }

  #endLine(): void {
    const line = this.#line;
    this.#line = "";
    if (line === "") {
      this.#endEvent(false);
      return;
    }
    const colon = line.indexOf(":");
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line.charAt(colon + 1) === " " ? colon + 2 : colon + 1);
    if (name === "event") this.#event = value.trim();
    // Not of the standard: how llama.cpp once named its errors.
    else if (name === "error") this.#stop({ ...refusalOf(500, value, undefined, this.#clean), place: "stream" });
    else if (name === "data") this.#takeData(value);
  }

  /** A line that is a document is an event of its own, since some servers send no empty line between them. */
  #takeData(value: string): void {
    if (value.trim() === "[DONE]") this.#done = true;
    else if (this.#data.length > 0 || !this.#takeDocument(value)) {
      this.#data.push(value);
      this.#dataUnits += value.length;
      if (this.#dataUnits > UNITS_MAX)
        this.#stop(fault("bad_answer", `an event of the stream has over ${UNITS_MAX} characters`, false));
    }
  }

  #endEvent(last: boolean): void {
    const data = this.#data.join("\n");
    this.#data = [];
    this.#dataUnits = 0;
    if (data.trim() !== "" && !this.#takeDocument(data)) {
      const detail = `a piece of the stream cannot be read: ${excerpt(data, 120, this.#clean)}`;
      // What the end of the stream cut off is a cut, and a reply that was whole before it stays so.
      if (!last) this.#stop(fault("bad_answer", detail, true));
    }
    this.#event = "";
  }

  /** Answers whether it is a document that can be read or has to be refused; a piece of one may be mended by its next line. */
  #takeDocument(text: string): boolean {
    const document = readDocument(text);
    if (!document.ok) {
      if (document.why.code === "not_json") return false;
      this.#stop(fault("bad_answer", `a piece of the stream cannot be read (${document.why.code})`, false));
      return true;
    }
    const error =
      this.#event === "error"
        ? { ...refusalOf(500, text, undefined, this.#clean), place: "stream" as const }
        : errorIn(document.value.value, "stream", this.#clean);
    if (error !== null) {
      this.#stop(error);
      return true;
    }
    const content = this.#saying.take(document.value, false);
    if (this.#saying.units > UNITS_MAX)
      this.#stop(fault("bad_answer", `the reply has over ${UNITS_MAX} characters`, false));
    else if (content !== "") this.#hear(content);
    return true;
  }
}

/** The next end of a line, or the end of the text. */
function lineEnd(text: string, at: number): number {
  for (let end = at; end < text.length; end++) {
    const unit = text.charCodeAt(end);
    if (unit === 0x0a || unit === 0x0d) return end;
  }
  return text.length;
}
