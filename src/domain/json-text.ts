import type { Json } from "./json.ts";

/**
 * JSON.parse, for every text that it reads as JSON says. V8 13 (Node 24) misreads names with escapes: after an object
 * whose second name ends in a backslash it takes `"a\\u0031"` for that name, since it compares the text as it is written with the
 * name that it expects. What it gives for a text without such a name is right, and cheap; any other is read here.
 *
 * @throws SyntaxError as JSON.parse does.
 */
export function jsonFrom(text: string): Json {
  const value = JSON.parse(text) as Json;
  return text.includes("\\") && hasEscapedName(text) ? new Reader(text).value() : value;
}

/** Whether a string with an escape stands before a colon. One pass, over a text that is JSON. */
function hasEscapedName(text: string): boolean {
  let escaped = text.indexOf("\\");
  for (let at = text.indexOf('"'); at !== -1 && escaped !== -1; at = text.indexOf('"', at)) {
    const end = endOfString(text, at);
    if (escaped < end) {
      if (text.charCodeAt(skipped(text, end)) === COLON) return true;
      escaped = text.indexOf("\\", end);
    }
    at = end;
  }
  return false;
}

const COLON = 0x3a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Just behind the quote that ends the string which begins here. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

function skipped(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return at;
}

/** Reads a text that JSON.parse has taken for JSON, so there is nothing to refuse. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): Json {
    this.#at = skipped(this.#text, this.#at);
    switch (this.#text[this.#at]) {
      case "{":
        return this.#object();
      case "[":
        return this.#array();
      case '"':
        return this.#string();
      default:
        return this.#word();
    }
  }

  #object(): Json {
    const object: { [name: string]: Json } = {};
    this.#at += 1;
    while (!this.#closes("}")) {
      this.#at = skipped(this.#text, this.#at);
      const name = this.#string();
      this.#at = skipped(this.#text, this.#at) + 1;
      const value = this.value();
      // By its definition, so that no name means more than a name.
      Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
    }
    return object;
  }

  #array(): Json {
    const array: Json[] = [];
    this.#at += 1;
    while (!this.#closes("]")) array.push(this.value());
    return array;
  }

  /** Passes over a comma or the bracket that closes; whether it was the bracket. */
  #closes(bracket: string): boolean {
    this.#at = skipped(this.#text, this.#at);
    const mark = this.#text[this.#at];
    if (mark === bracket || mark === ",") this.#at += 1;
    return mark === bracket;
  }

  /** A string on its own has no name that could be mistaken. */
  #string(): string {
    const start = this.#at;
    this.#at = endOfString(this.#text, start);
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }

  #word(): Json {
    const start = this.#at;
    while (this.#at < this.#text.length && !END_OF_WORD.includes(this.#text.charAt(this.#at))) this.#at += 1;
    return JSON.parse(this.#text.slice(start, this.#at)) as Json;
  }
}

const END_OF_WORD = ",]} \t\n\r";
