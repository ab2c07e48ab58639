/**
 * The door through which untrusted JSON enters the house as a JavaScript value; scan.ts is the one for text, with the laws
 * that hold for both. It refuses with one of JSON_CODES before it does work in proportion to what it refuses.
 */
import { canonicalStringBytes } from "./canonical.ts";
import type { Json, JsonObject } from "./json.ts";
import {
  ECHO_MAX,
  FORBIDDEN,
  HALF,
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
import { type Parsed, parsed, unparsed } from "./parsed.ts";

/**
 * Copies a JavaScript value (a tool's result, a record, a library caller's argument) as plain JSON, all the way down.
 *
 * Plain are null, booleans, finite numbers, strings, arrays, and objects whose prototype is Object.prototype or null.
 * A property whose value is undefined is left out, as JSON.stringify does; every other thing JSON has no word for is
 * `not_plain` (functions, symbols, bigints, Map, Date, class instances, accessors, hidden properties, holes in arrays).
 * A cycle is `too_deep` or `too_many_keys`. `bytesMax` and `digitsMax` count the value's canonical JSON.
 * The keys of each object are in the order of canonical JSON, so that a copy that was written and read again is walked in
 * the order of the first one. No getter and no toJSON is called. The traps of a Proxy cannot be told apart from the language and do run: one that
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

/** In place; most objects have few keys, and many have them in order. */
function sorted(keys: string[]): string[] {
  for (let i = 1; i < keys.length; i++) if ((keys[i - 1] ?? "") > (keys[i] ?? "")) return keys.sort();
  return keys;
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
    const keys = sorted(Object.getOwnPropertyNames(value));
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
