import type { RepairName } from "./repair.ts";

/**
 * JSON as small models write it, made into the JSON that it can only mean. Nothing here is believed: what comes out is
 * read by the strict scanner, which refuses whatever is left of a mistake.
 */
export type Loose = {
  /** Just behind the bracket that closes it. */
  readonly end: number;
  readonly json: string;
  readonly names: readonly RepairName[];
  /** It is written in Python's way and holds an escape that Python reads otherwise than JSON does. */
  readonly twofold: boolean;
};

/**
 * Reads from the bracket at `start` to the one that closes it; null where the text ends before that. One pass, no
 * recursion. What is mended is a comma before a closing bracket, and Python's way of writing: strings in single quotes,
 * None, True and False. A string in single quotes ends at the first one that is not escaped, whatever the author meant.
 */
export function readLoose(text: string, start: number): Loose | null {
  return new Reader(text, start).value();
}

/** After these a value or a key begins. Elsewhere a single quote is an apostrophe in something that is not JSON. */
const OPENS_TOKEN = "{[,:";
/** Of these a comma is the second in a row, or follows nothing that it could part from what is next. */
const NO_VALUE_BEFORE = "{[,:";

const WORDS: ReadonlyMap<string, string> = new Map([
  ["None", "null"],
  ["True", "true"],
  ["False", "false"],
]);

/** Behind a backslash: what Python's strings do not read as JSON's do. What JSON does not have the scanner refuses. */
const ONLY_JSON = /^(?:\/|u[dD][89a-fA-F])/;

class Reader {
  readonly #text: string;
  readonly #parts: string[] = [];
  readonly #names = new Set<RepairName>();
  #at: number;
  /** Where what has not been copied yet begins. */
  #from: number;
  /** Whether one of its strings holds an escape that only JSON reads as it does: `\\/`, or half of a pair. */
  #onlyJson = false;

  constructor(text: string, start: number) {
    this.#text = text;
    this.#at = start;
    this.#from = start;
  }

  value(): Loose | null {
    let depth = 0;
    let before = "";
    while (this.#at < this.#text.length) {
      const mark = this.#text.charAt(this.#at);
      if (isSpace(mark)) {
        this.#at += 1;
        continue;
      }
      if (mark === '"') {
        if (!this.#doubleQuoted()) return null;
      } else if (mark === "'" && OPENS_TOKEN.includes(before)) {
        if (!this.#singleQuoted()) return null;
      } else if (mark === "}" || mark === "]") {
        this.#at += 1;
        depth -= 1;
        if (depth === 0) return this.#read();
      } else if (mark === ",") this.#comma(before);
      else if (OPENS_TOKEN.includes(before) && this.#word()) {
        // Copied as JSON writes it.
      } else {
        if (mark === "{" || mark === "[") depth += 1;
        this.#at += 1;
      }
      before = mark;
    }
    return null;
  }

  #read(): Loose {
    const twofold = this.#onlyJson && this.#names.has("single_quotes");
    return { end: this.#at, json: this.#copied(), names: [...this.#names], twofold };
  }

  #doubleQuoted(): boolean {
    const end = this.#endOfString(0x22);
    if (end === -1) return false;
    this.#at = end;
    return true;
  }

  /** Writes a string in single quotes in double ones. Escapes that JSON does not have are left to the strict scanner. */
  #singleQuoted(): boolean {
    const end = this.#endOfString(0x27);
    if (end === -1) return false;
    this.#names.add("single_quotes");
    this.#put('"', 1);
    while (this.#at < end - 1) {
      const mark = this.#text.charAt(this.#at);
      if (mark === '"') this.#put('\\"', 1);
      else if (mark !== "\\") this.#at += 1;
      else if (this.#text.charAt(this.#at + 1) === "'") this.#put("'", 2);
      else this.#at += 2;
    }
    this.#put('"', 1);
    return true;
  }

  #comma(before: string): void {
    const next = this.#text.charAt(skipSpace(this.#text, this.#at + 1));
    if ((next === "}" || next === "]") && before !== "" && !NO_VALUE_BEFORE.includes(before)) {
      this.#names.add("trailing_comma");
      this.#put("", 1);
    } else this.#at += 1;
  }

  #word(): boolean {
    for (const [word, json] of WORDS) {
      if (!this.#text.startsWith(word, this.#at) || isWordMark(this.#text.charAt(this.#at + word.length))) continue;
      this.#names.add("single_quotes");
      this.#put(json, word.length);
      return true;
    }
    return false;
  }

  /** Writes `instead` for the next `length` characters. */
  #put(instead: string, length: number): void {
    this.#parts.push(this.#text.slice(this.#from, this.#at), instead);
    this.#at += length;
    this.#from = this.#at;
  }

  /** Just behind the quote that ends the string which begins here; -1 where there is none. */
  #endOfString(quote: number): number {
    for (let at = this.#at + 1; at < this.#text.length; at++) {
      const unit = this.#text.charCodeAt(at);
      if (unit === quote) return at + 1;
      // A backslash takes the next character with it.
      if (unit !== 0x5c) continue;
      at += 1;
      this.#onlyJson ||= ONLY_JSON.test(this.#text.slice(at, at + 3));
    }
    return -1;
  }

  #copied(): string {
    return this.#parts.join("") + this.#text.slice(this.#from, this.#at);
  }
}

/** The first place from `at` on that is not JSON's white space. */
export function skipSpace(text: string, at: number): number {
  let next = at;
  while (next < text.length && isSpace(text.charAt(next))) next += 1;
  return next;
}

function isSpace(mark: string): boolean {
  return mark === " " || mark === "\n" || mark === "\r" || mark === "\t";
}

function isWordMark(mark: string): boolean {
  return /^\w$/.test(mark);
}
