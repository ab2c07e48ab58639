/**
 * The two doors through which untrusted JSON enters the house: as text (parseJson) and as a JavaScript value (plainJson).
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
import { canonicalStringBytes } from "./canonical.ts";
import type { Json, JsonObject } from "./json.ts";
import { type Parsed, parsed, unparsed, type Why } from "./parsed.ts";
import { utf8Length } from "./utf8.ts";

/** How large one JSON document may be. Every bound is inclusive: a document exactly at the bound is accepted. */
export type JsonLimits = {
  /** Bytes of the text in UTF-8. */
  readonly bytesMax: number;
  /** Objects and arrays inside one another: `[]` is 1 deep, a bare string 0. */
  readonly depthMax: number;
  /** Object keys plus array elements, added up over the whole document. */
  readonly keysMax: number;
  /** Characters in one number. */
  readonly digitsMax: number;
};

export const JSON_LIMITS: JsonLimits = { bytesMax: 262_144, depthMax: 32, keysMax: 10_000, digitsMax: 64 };

/** Why a document was refused. `not_plain` comes from plainJson only, `not_json` and `duplicate_key` from parseJson. */
export const JSON_CODES = [
  "too_large",
  "too_deep",
  "too_many_keys",
  "duplicate_key",
  "forbidden_key",
  "lone_surrogate",
  "unsafe_integer",
  "number_out_of_range",
  "not_json",
  "not_plain",
] as const;
export type JsonCode = (typeof JSON_CODES)[number];

/**
 * Reads one JSON document (RFC 8259, and nothing beyond it: no byte order mark, no comments, no NaN).
 *
 * The text is scanned once, without recursion, and only an accepted text is given to JSON.parse; the value is exactly
 * JSON.parse's, so `-0` stays `-0` (canonicalJson writes it as `0`) and `1e-400` becomes 0. `detail` says at which
 * character (a UTF-16 offset from 0) and why, in one line that echoes at most 40 characters of the input.
 */
export function parseJson(text: string, limits: JsonLimits = JSON_LIMITS): Parsed<Json> {
  // A UTF-16 unit takes at least one byte, so this first test is free and spares the second one every bomb.
  if (text.length > limits.bytesMax || utf8Length(text) > limits.bytesMax) {
    return unparsed("too_large" satisfies JsonCode, tooLarge(limits));
  }
  const scanner = new Scanner(text, limits);
  if (!scanner.document()) return { ok: false, why: scanner.why };
  return parsed<Json>(JSON.parse(text));
}

/**
 * Copies a JavaScript value (a tool's result, a record, a library caller's argument) as plain JSON, all the way down.
 *
 * Plain are null, booleans, finite numbers, strings, arrays, and objects whose prototype is Object.prototype or null.
 * A property whose value is undefined is left out, as JSON.stringify does; every other thing JSON has no word for is
 * `not_plain` (functions, symbols, bigints, Map, Date, class instances, accessors, hidden properties, holes in arrays).
 * A cycle is `too_deep` or `too_many_keys`. `bytesMax` and `digitsMax` count the value's canonical JSON.
 * No getter and no toJSON is called. The traps of a Proxy cannot be told apart from the language and do run: one that
 * throws is `not_plain`, one that lies is copied once, so its lie is at least the same for everyone who reads the copy.
 */
export function plainJson(value: unknown, limits: JsonLimits = JSON_LIMITS): Parsed<Json> {
  const copier = new Copier(limits);
  try {
    const copy = copier.value(value, 0);
    return copy === undefined ? unparsed(copier.code, copier.detail()) : parsed(copy);
  } catch {
    return unparsed("not_plain" satisfies JsonCode, "reading it threw: a Proxy, or nested beyond the stack");
  }
}

/** Keys that reach a prototype when an object is read or merged carelessly. They carry no data anyone needs (S2). */
const FORBIDDEN: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

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
    if (FORBIDDEN.has(key)) return this.#refuse("forbidden_key", `the key ${quoted(key)} is not allowed`, start);
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
    this.#at += 1;
    while (this.#at < this.#text.length) {
      const unit = this.#text.charCodeAt(this.#at);
      // A quote, then a backslash.
      if (unit === 0x22) {
        this.#at += 1;
        return true;
      }
      if (unit === 0x5c) {
        if (!this.#escape()) return false;
      } else if (unit < 0x20) return this.#expected("a control character to be escaped");
      else if ((unit & 0xf800) !== 0xd800) this.#at += 1;
      else if (unit < 0xdc00 && (this.#text.charCodeAt(this.#at + 1) & 0xfc00) === 0xdc00) this.#at += 2;
      else return this.#refuse("lone_surrogate", HALF);
    }
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
    for (; this.#at < this.#text.length; this.#at++) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return this.#text.charAt(this.#at);
    }
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

/** One copy of one value. Each method answers undefined once it refused; `code` and detail() then say why. */
class Copier {
  readonly #limits: JsonLimits;
  #bytes = 0;
  #members = 0;
  #what = "";
  /** Where the refused value is, from the inside out. Only written on the way back from a refusal. */
  readonly #path: string[] = [];
  code: JsonCode = "not_plain";

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  detail(): string {
    const path = this.#path.reverse().join("");
    return path === "" ? `the value: ${this.#what}` : `at ${quoted(path)}: ${this.#what}`;
  }

  value(value: unknown, depth: number): Json | undefined {
    switch (typeof value) {
      case "string":
        return this.#string(value) ? value : undefined;
      case "number":
        return this.#number(value) ? value : undefined;
      case "boolean":
        return this.#take(value ? 4 : 5) ? value : undefined;
      case "object":
        if (value === null) return this.#take(4) ? null : undefined;
        if (depth >= this.#limits.depthMax) return this.#refuse("too_deep", tooDeep(this.#limits));
        return Array.isArray(value) ? this.#array(value, depth + 1) : this.#object(value, depth + 1);
      default:
        return this.#refuse("not_plain", value === undefined ? "undefined" : `a ${typeof value}`);
    }
  }

  #object(value: object, depth: number): JsonObject | undefined {
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return this.#refuse("not_plain", "not a plain object");
    // Two lists, because together they cost a sixth of Reflect.ownKeys.
    const keys = Object.getOwnPropertyNames(value);
    if (Object.getOwnPropertySymbols(value).length > 0) return this.#refuse("not_plain", "a symbol as a key");
    const copy: { [key: string]: Json } = {};
    let members = 0;
    for (const key of keys) {
      if (FORBIDDEN.has(key)) return this.#refuse("forbidden_key", "this key is not allowed", key);
      const property = Object.getOwnPropertyDescriptor(value, key);
      if (!isData(property)) return this.#refuse("not_plain", "an accessor or a hidden property", key);
      if (property.value === undefined) continue;
      members += 1;
      // The key's colon, and the comma before every member but the first.
      const room = this.#member() && this.#take(members > 1 ? 2 : 1) && this.#string(key);
      const inner = room && this.value(property.value, depth);
      if (inner === undefined) return this.#within(key);
      // Assigning a name that Object.prototype has would meet its setter, or its read-only property once it is frozen.
      if (key in copy) Object.defineProperty(copy, key, { ...PLAIN, value: inner });
      else copy[key] = inner;
    }
    return this.#take(2) ? copy : undefined;
  }

  #array(value: readonly unknown[], depth: number): Json[] | undefined {
    if (Object.getPrototypeOf(value) !== Array.prototype) return this.#refuse("not_plain", "not a plain array");
    const length = value.length;
    if (length > this.#limits.keysMax - this.#members) return this.#refuse("too_many_keys", tooMany(this.#limits));
    // The elements and `length` itself: fewer is an array with holes, more has properties that JSON would lose.
    if (Object.getOwnPropertyNames(value).length !== length + 1 || Object.getOwnPropertySymbols(value).length > 0) {
      return this.#refuse("not_plain", "an array with holes, or with properties beside its elements");
    }
    const copy: Json[] = [];
    for (let i = 0; i < length; i++) {
      const property = Object.getOwnPropertyDescriptor(value, i);
      if (!isData(property)) return this.#refuse("not_plain", "an accessor or a hidden property", i);
      const inner = this.#member() && this.#take(i > 0 ? 1 : 0) && this.value(property.value, depth);
      if (inner === undefined) return this.#within(i);
      copy.push(inner);
    }
    return this.#take(2) ? copy : undefined;
  }

  #string(text: string): true | undefined {
    // As in parseJson, the free test first: a string of 50 MB is refused without being read.
    if (text.length > this.#limits.bytesMax - this.#bytes) return this.#take(text.length);
    const bytes = canonicalStringBytes(text);
    return bytes < 0 ? this.#refuse("lone_surrogate", HALF) : this.#take(bytes);
  }

  #number(value: number): true | undefined {
    const fault = numberFault(value);
    if (fault) return this.#refuse(...fault);
    // Most numbers are small and whole, and need not be written out to know how long they are.
    const digits = value >= 0 && value < 10 && Number.isInteger(value) ? 1 : String(value).length;
    if (digits > this.#limits.digitsMax) return this.#refuse("number_out_of_range", tooLong(this.#limits));
    return this.#take(digits);
  }

  #member(): true | undefined {
    this.#members += 1;
    return this.#members <= this.#limits.keysMax || this.#refuse("too_many_keys", tooMany(this.#limits));
  }

  #take(bytes: number): true | undefined {
    this.#bytes += bytes;
    return this.#bytes <= this.#limits.bytesMax || this.#refuse("too_large", tooLarge(this.#limits));
  }

  #within(step: string | number): undefined {
    // The step is cut before it is kept: a key can be as long as the whole value.
    this.#path.push(typeof step === "number" ? `[${step}]` : `.${step.slice(0, ECHO_MAX)}`);
  }

  #refuse(code: JsonCode, what: string, step?: string | number): undefined {
    this.code = code;
    this.#what = what;
    if (step !== undefined) this.#within(step);
  }
}

const PLAIN = { configurable: true, enumerable: true, writable: true };

function isData(property: PropertyDescriptor | undefined): property is PropertyDescriptor {
  return property !== undefined && property.enumerable === true && Object.hasOwn(property, "value");
}

const HALF = "half a surrogate pair";
const tooLarge = ({ bytesMax }: JsonLimits) => `more than ${bytesMax} bytes`;
const tooDeep = ({ depthMax }: JsonLimits) => `more than ${depthMax} objects and arrays inside one another`;
const tooMany = ({ keysMax }: JsonLimits) => `more than ${keysMax} keys and array elements`;
const tooLong = ({ digitsMax }: JsonLimits) => `a number of more than ${digitsMax} characters`;

/** Why a number is not carried exactly, as the code and detail of a refusal. `written` is how it was written, if it was. */
function numberFault(value: number, written?: string): readonly [JsonCode, string] | undefined {
  if (Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))) return undefined;
  const shown = quoted(written ?? String(value));
  if (!Number.isFinite(value)) return ["number_out_of_range", `${shown} is not a finite number`];
  return ["unsafe_integer", `${shown} is a whole number beyond 2^53 - 1: send it as a string`];
}

/** Most characters of the input that a detail may echo. */
const ECHO_MAX = 40;

/** What cannot be seen, or changes how its neighbours are seen, plus the two characters that would blur the quoting. */
const INVISIBLE = /["\\\u2800]|(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

function quoted(text: string): string {
  const shown = text.slice(0, ECHO_MAX).replace(INVISIBLE, (character) => {
    if (character === '"' || character === "\\") return `\\${character}`;
    return `\\u{${character.codePointAt(0)?.toString(16).toUpperCase()}}`;
  });
  return `"${shown}${text.length > ECHO_MAX ? "…" : ""}"`;
}
