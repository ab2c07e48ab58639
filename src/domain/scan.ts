/**
 * The two doors through which untrusted JSON enters the house: as text (parseJson, here) and as a
 * JavaScript value (plainJson, in plain.ts).
 *
 * Both refuse with one of JSON_CODES before they do work in proportion to what they refuse, so that a hostile document
 * costs no more than its refusal (claim S3), reaches no prototype (S2) and has one reading only (S4): no key twice, no
 * number that changes when it is read, no text that has no UTF-8.
 *
 * Laws, tested in scan.test.ts:
 *   same-reading   what parseJson accepts is what JSON.parse reads
 *   two-doors      for a plain value, plainJson accepts exactly what parseJson accepts in its canonical text
 *   no-user-code   plainJson calls no getter and no toJSON
 */

import type { Json } from "./json.ts";
import {
  HALF,
  isForbidden,
  JSON_LIMITS,
  type JsonCode,
  type JsonLimits,
  numberFault,
  quoted,
  tooDeep,
  tooLarge,
  tooLong,
  tooMany,
} from "./json-limits.ts";
import { jsonFrom } from "./json-text.ts";
import { type Parsed, parsed, unparsed, type Why } from "./parsed.ts";
import { utf8Length } from "./utf8.ts";

/**
 * Reads one JSON document (RFC 8259, and nothing beyond it: no byte order mark, no comments, no NaN).
 *
 * The text is scanned once, without recursion, and only an accepted text is given to JSON.parse; the value is exactly
 * JSON.parse's, so `-0` stays `-0` (canonicalJson writes it as `0`) and `1e-400` becomes 0. `detail` says at which
 * character (a UTF-16 offset from 0) and why, in one line that echoes at most 40 characters of the input.
 */
export function parseJson(text: string, limits: JsonLimits = JSON_LIMITS): Parsed<Json> {
  // A UTF-16 unit takes at least one byte, so this first test is free and spares the second one every bomb.
  // And no unit takes more than three bytes.
  if (text.length > limits.bytesMax || (text.length * 3 > limits.bytesMax && utf8Length(text) > limits.bytesMax)) {
    return unparsed("too_large" satisfies JsonCode, tooLarge(limits));
  }
  const scanner = new Scanner(text, limits);
  if (!scanner.document()) return { ok: false, why: scanner.why };
  return parsed<Json>(jsonFrom(text));
}

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** One escape, or two that make one character. Half of such a pair alone is an escape of JSON's, but not one of ours. */
const ESCAPE =
  /^\\(?:["\\/bfnrt]|u(?![Dd][89A-Fa-f])[\dA-Fa-f]{4}|u[Dd][89ABab][\dA-Fa-f]{2}\\u[Dd][C-Fc-f][\dA-Fa-f]{2})/;
const ESCAPED_HALF = /^\\u[Dd][89A-Fa-f][\dA-Fa-f]{2}/;

/** A number with this many characters at most and no exponent is always finite and, if whole, always safe. */
const DIGITS_SAFE = 15;

/** The keys an open object has had so far; undefined for an open array. */
type Open = Set<string> | undefined;

/** One pass over one text. Each method starts at `at`, moves it past what it read, and answers false once it refused. */
class Scanner {
  readonly #text: string;
  readonly #limits: JsonLimits;
  #at = 0;
  #members = 0;
  /** Whether the string just read had an escape in it, so that its text is not yet its value. */
  #escaped = false;
  why: Why = { code: "not_json", detail: "not scanned yet" };

  constructor(text: string, limits: JsonLimits) {
    this.#text = text;
    this.#limits = limits;
  }

  document(): boolean {
    const open: Open[] = [];
    for (;;) {
      const first = this.#peek();
      if (first === "{" || first === "[") {
        if (open.length >= this.#limits.depthMax) return this.#refuse("too_deep", tooDeep(this.#limits));
        this.#at += 1;
        const keys: Open = first === "{" ? new Set() : undefined;
        if (this.#peek() !== (keys ? "}" : "]")) {
          open.push(keys);
          if (!this.#member(keys)) return false;
          continue;
        }
        this.#at += 1;
      } else if (!this.#scalar(first)) return false;
      // A value has just ended. Either another one follows it, or the whole document has ended too.
      if (!this.#next(open)) return false;
      if (open.length === 0) return this.#peek() === "" || this.#expected("the end of the text");
    }
  }

  /** After a value: closes the brackets that close here, and stops where the next value starts or nothing is open. */
  #next(open: Open[]): boolean {
    while (open.length > 0) {
      const keys = open[open.length - 1];
      const mark = this.#peek();
      if (mark === ",") {
        this.#at += 1;
        return this.#member(keys);
      }
      if (mark !== (keys ? "}" : "]")) return this.#expected(keys ? '"," or "}"' : '"," or "]"');
      this.#at += 1;
      open.pop();
    }
    return true;
  }

  /** Counts one more member and, in an object, reads its key and colon. */
  #member(keys: Open): boolean {
    this.#members += 1;
    if (this.#members > this.#limits.keysMax) return this.#refuse("too_many_keys", tooMany(this.#limits));
    if (!keys) return true;
    if (this.#peek() !== '"') return this.#expected("a key in double quotes");
    const start = this.#at;
    if (!this.#string()) return false;
    // Keys are compared as the values they stand for: "a" and "\u0061" are one key.
    const key: string = this.#escaped
      ? JSON.parse(this.#text.slice(start, this.#at))
      : this.#text.slice(start + 1, this.#at - 1);
    if (isForbidden(key)) return this.#refuse("forbidden_key", `the key ${quoted(key)} is not allowed`, start);
    if (keys.has(key)) return this.#refuse("duplicate_key", `the key ${quoted(key)} is there twice`, start);
    keys.add(key);
    if (this.#peek() !== ":") return this.#expected('":"');
    this.#at += 1;
    return true;
  }

  #scalar(first: string): boolean {
    if (first === '"') return this.#string();
    if (first === "-" || (first >= "0" && first <= "9")) return this.#number();
    const word = ["true", "false", "null"].find((name) => this.#text.startsWith(name, this.#at));
    if (word === undefined) return this.#expected("a value");
    this.#at += word.length;
    return true;
  }

  #string(): boolean {
    this.#escaped = false;
    const text = this.#text;
    // The place is kept in a variable: this loop sees every character of every reply.
    let at = this.#at + 1;
    while (at < text.length) {
      const unit = text.charCodeAt(at);
      // A quote, then a backslash.
      if (unit === 0x22) {
        this.#at = at + 1;
        return true;
      }
      if (unit === 0x5c) {
        this.#at = at;
        if (!this.#escape()) return false;
        at = this.#at;
      } else if (unit < 0x20) {
        this.#at = at;
        return this.#expected("a control character to be escaped");
      } else if ((unit & 0xf800) !== 0xd800) at += 1;
      else if (unit < 0xdc00 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) at += 2;
      else {
        this.#at = at;
        return this.#refuse("lone_surrogate", HALF);
      }
    }
    this.#at = at;
    return this.#expected('a closing "');
  }

  #escape(): boolean {
    const ahead = this.#text.slice(this.#at, this.#at + 12);
    const found = ESCAPE.exec(ahead);
    // A pair is written in one way: both halves raw or both escaped. JSON.parse would join a raw half to an escaped
    // one, but a text with a raw half has no UTF-8, so it cannot have been sent as it stands.
    if (!found && ESCAPED_HALF.test(ahead)) return this.#refuse("lone_surrogate", HALF);
    if (!found) return this.#expected("an escape that JSON has");
    this.#escaped = true;
    this.#at += found[0].length;
    return true;
  }

  #number(): boolean {
    const start = this.#at;
    // One character beyond the limit is enough to refuse, however long the number goes on.
    const stop = start + this.#limits.digitsMax + 1;
    let at = start;
    while (at < Math.min(stop, this.#text.length) && "+-.0123456789Ee".includes(this.#text.charAt(at))) at += 1;
    if (at === stop) return this.#refuse("number_out_of_range", tooLong(this.#limits));
    const literal = this.#text.slice(start, at);
    if (!NUMBER.test(literal)) return this.#expected("a number as JSON writes it");
    const safe = literal.length <= DIGITS_SAFE && !/[eE]/.test(literal);
    const fault = safe ? undefined : numberFault(Number(literal), literal);
    if (fault) return this.#refuse(...fault);
    this.#at = at;
    return true;
  }

  /** The next character that is not white space, or "" at the end. */
  #peek(): string {
    const text = this.#text;
    let at = this.#at;
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) {
        this.#at = at;
        return text.charAt(at);
      }
    }
    this.#at = at;
    return "";
  }

  #expected(what: string): false {
    const point = this.#text.codePointAt(this.#at);
    const found = point === undefined ? "the end" : quoted(String.fromCodePoint(point));
    return this.#refuse("not_json", `expected ${what}, found ${found}`);
  }

  #refuse(code: JsonCode, detail: string, at: number = this.#at): false {
    this.why = { code, detail: `character ${at}: ${detail}` };
    return false;
  }
}
