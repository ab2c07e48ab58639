import { ContentText, FENCE, Lead } from "./content-text.ts";
import type { Redaction } from "./redact.ts";
import { RedactedText } from "./redact-stream.ts";
import { FLAT_KEYS } from "./reply.ts";
import type { WireMode } from "./said.ts";
import { wellFormed } from "./text.ts";

/**
 * A TextStream: from the content of a model as it arrives, in any pieces, to what an operator may see of it meanwhile.
 * It is a draft: the reply that is parsed in the end is what counts, and where the two differ the draft is void.
 *
 * Laws, tested in text-stream.test.ts:
 *   joined     for any split, what is given, joined, is the conversation's text, redacted
 *   only-text  of a reply of another kind, and of a tool call in the content, nothing is given
 *   canary     no declared value is given, wherever it is split
 */
export type TextStream = {
  /** Takes a piece of content, and gives what may be shown now. */
  push(delta: string): string;
  /** The content has ended: what was held back and is nothing else after all. */
  end(): string;
};

/** Content beyond this is not looked at: so long a reply is refused. In UTF-16 units. */
const CONTENT_UNITS_MAX = 262_144;
/** Text that comes before its kind is held up to this. */
const HELD_UNITS_MAX = 65_536;
const DEPTH_MAX = 32;
/** No key and no kind is longer. */
const WORD_UNITS_MAX = 16;

export function textStream(mode: WireMode, redaction: Redaction): TextStream {
  const source: Source = mode === "flat" ? new FlatText() : new ContentText();
  const redacted = new RedactedText(redaction);
  let half = "";
  let units = 0;
  let ended = false;
  const give = (content: string, last: boolean): string => {
    if (ended) return "";
    const text = source.read(content, last);
    ended = source.over || last;
    return redacted.push(text) + (source.whole || (last && !source.over) ? redacted.end() : "");
  };
  return {
    push(delta) {
      const joined = half + delta;
      half = HALF_AT_END.exec(joined)?.[0] ?? "";
      const content = wellFormed(joined.slice(0, joined.length - half.length));
      units += content.length;
      return give(units > CONTENT_UNITS_MAX ? "" : content, units > CONTENT_UNITS_MAX);
    },
    end: () => give(wellFormed(half), true),
  };
}

/** The first half of a character whose second half may be in the next piece. */
const HALF_AT_END = /[\ud800-\udbff]$/;

/** What may be shown of a model's content, before redaction. */
type Source = {
  /** Reads on; `last` where nothing follows. */
  read(content: string, last: boolean): string;
  /** Nothing will be given any more. */
  readonly over: boolean;
  /** And what was given is all of a text, not what was readable of it. */
  readonly whole: boolean;
};

const SCALAR = /^[-+.0-9A-Za-z]$/;

/** The decoded `text` of a flat reply, once its `kind` was seen to be conversation. */
class FlatText implements Source {
  over = false;
  whole = false;
  readonly #lead = new Lead();
  #fence = "";
  #at: "lead" | "first_key" | "key" | "colon" | "value" | "string" | "scalar" | "nested" | "after" = "lead";
  readonly #keys = new Set<string>();
  #key = "";
  #string = new JsonString();
  /** The brackets that are open in a value that nobody asked for. */
  #open: string[] = [];
  #inString = false;
  #kind = "";
  #kindClosed = false;
  #text = "";
  #textClosed = false;

  read(content: string): string {
    let text = content;
    if (this.#at === "lead") {
      const begun = this.#lead.read(text);
      if (begun === null) return "";
      text = this.#unfenced(this.#fence + begun);
      if (this.over || this.#fence !== "") return "";
      this.#at = "first_key";
    }
    for (let i = 0; i < text.length && !this.over; ) i = this.#step(text, i);
    if (!this.#isTalk()) return "";
    const given = this.#text;
    this.#text = "";
    // After the whole text nothing is waited for, whatever else the object holds.
    if (this.#textClosed) this.over = this.whole = true;
    return given;
  }

  #isTalk(): boolean {
    return this.#kindClosed && this.#kind === "conversation";
  }

  /** Goes past the fence and the opening brace, or says that there is no object. */
  #unfenced(text: string): string {
    this.#fence = "";
    const rest = text.replace(FENCE, "");
    if (rest.startsWith("{")) return rest.slice(1);
    const short = text.length < 64 && ("```".startsWith(text) || (text.startsWith("```") && rest === ""));
    if (short) this.#fence = text;
    else this.over = true;
    return "";
  }

  /** Reads from position `i` and returns the next one. */
  #step(text: string, i: number): number {
    const mark = text.charAt(i);
    if (this.#at === "string") return this.#inside(text, i);
    if (this.#at === "nested") return this.#skip(text, i);
    if (mark === " " || mark === "\n" || mark === "\r" || mark === "\t") {
      if (this.#at === "scalar") this.#at = "after";
      return i + 1;
    }
    switch (this.#at) {
      case "first_key":
      case "key":
        if (mark !== '"') return this.#stop(i);
        this.#key = "";
        this.#at = "string";
        this.#inString = true;
        break;
      case "colon":
        if (mark !== ":") return this.#stop(i);
        this.#at = "value";
        break;
      case "value":
        return this.#value(mark, i);
      case "scalar":
      case "after":
        if (mark === ",") this.#at = "key";
        else if (this.#at === "after" || !SCALAR.test(mark)) return this.#stop(i);
        break;
      case "lead":
        return this.#stop(i);
    }
    return i + 1;
  }

  #value(mark: string, i: number): number {
    if (mark === '"') this.#at = "string";
    // Of these two only a string makes a conversation.
    else if (this.#key === "kind" || this.#key === "text") return this.#stop(i);
    else if (mark === "{" || mark === "[") {
      this.#open = [mark];
      this.#at = "nested";
    } else if (SCALAR.test(mark)) this.#at = "scalar";
    else return this.#stop(i);
    return i + 1;
  }

  /** The inside of a key or of a string value. */
  #inside(text: string, i: number): number {
    const { decoded, to, state } = this.#string.read(text, i);
    const inKey = this.#inString;
    if (inKey) this.#key += decoded;
    else if (this.#key === "kind") this.#kind += decoded;
    else if (this.#key === "text") this.#text += decoded;
    const tooLong = this.#key.length > WORD_UNITS_MAX || this.#kind.length > WORD_UNITS_MAX;
    const heldTooLong = this.#text.length > HELD_UNITS_MAX && !this.#isTalk();
    if (state === "broken" || tooLong || heldTooLong) return this.#stop(to);
    if (state === "open") return to;
    this.#inString = false;
    if (inKey) {
      // A key twice, or one that no reply has: nothing of it is readable.
      if (!FLAT_KEYS.includes(this.#key) || this.#keys.has(this.#key)) return this.#stop(to);
      this.#keys.add(this.#key);
      this.#at = "colon";
      return to;
    }
    if (this.#key === "kind") this.#kindClosed = true;
    if (this.#kindClosed && !this.#isTalk()) return this.#stop(to);
    if (this.#key === "text") this.#textClosed = true;
    this.#at = "after";
    return to;
  }

  /** Goes past a value with brackets. */
  #skip(text: string, i: number): number {
    if (this.#inString) {
      const { to, state } = this.#string.read(text, i);
      if (state === "broken") return this.#stop(to);
      this.#inString = state === "open";
      return to;
    }
    const mark = text.charAt(i);
    if (mark === '"') this.#inString = true;
    else if (mark === "{" || mark === "[") {
      this.#open.push(mark);
      if (this.#open.length >= DEPTH_MAX) return this.#stop(i);
    } else if (mark === "}" || mark === "]") {
      if (this.#open.pop() !== (mark === "}" ? "{" : "[")) return this.#stop(i);
      if (this.#open.length === 0) this.#at = "after";
    }
    return i + 1;
  }

  #stop(i: number): number {
    this.over = true;
    return i + 1;
  }
}

/** The inside of one JSON string after the other, in pieces. */
class JsonString {
  /** The beginning of an escape that is not complete. */
  #escape = "";
  /** The first half of an escaped pair: the second half has to follow, and escaped. */
  #half = "";

  read(text: string, from: number): { decoded: string; to: number; state: "open" | "closed" | "broken" } {
    let decoded = "";
    let at = from;
    while (at < text.length) {
      if (this.#escape !== "") {
        const mark = text.charAt(at);
        this.#escape += mark;
        at += 1;
        const read = ESCAPE.test(this.#escape) ? unescaped(this.#escape) : null;
        if (read === null && !ESCAPE_BEGUN.test(this.#escape)) return { decoded, to: at, state: "broken" };
        if (read === null) continue;
        this.#escape = "";
        const pair = this.#half + read;
        const isFirst = HALF_AT_END.test(pair);
        if (isFirst ? this.#half !== "" : wellFormed(pair) !== pair) return { decoded, to: at, state: "broken" };
        this.#half = isFirst ? pair : "";
        if (!isFirst) decoded += pair;
        continue;
      }
      SPECIAL.lastIndex = at;
      const next = SPECIAL.exec(text)?.index ?? text.length;
      const mark = text.charAt(next);
      if (this.#half !== "" && (next > at || mark !== "\\")) return { decoded, to: next, state: "broken" };
      decoded += text.slice(at, next);
      at = next + 1;
      if (mark === '"') return { decoded, to: at, state: "closed" };
      if (mark === "\\") this.#escape = mark;
      else if (mark !== "") return { decoded, to: at, state: "broken" };
    }
    return { decoded, to: Math.min(at, text.length), state: "open" };
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON wants control characters escaped, so one of them ends the string
const SPECIAL = /["\\\u0000-\u001f]/g;
const ESCAPE = /^\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})$/;
const ESCAPE_BEGUN = /^\\(?:u[\dA-Fa-f]{0,3})?$/;
const SHORT: ReadonlyMap<string, string> = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

function unescaped(written: string): string {
  const mark = written.charAt(1);
  return mark === "u" ? String.fromCharCode(Number.parseInt(written.slice(2), 16)) : (SHORT.get(mark) ?? mark);
}
