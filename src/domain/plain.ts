/**
 * The door through which untrusted JSON enters the house as a JavaScript value; scan.ts is the one for text, with the laws
 * that hold for both. It refuses with one of JSON_CODES before it does work in proportion to what it refuses.
 */
import { canonicalStringBytes, inOrder } from "./canonical.ts";
import type { Json, JsonObject } from "./json.ts";
import {
  ECHO_MAX,
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
  return copied(value, limits, false);
}

/** The same, frozen all the way down. */
export function frozenJson(value: unknown, limits: JsonLimits = JSON_LIMITS): Parsed<Json> {
  return copied(value, limits, true);
}

function copied(value: unknown, limits: JsonLimits, freezes: boolean): Parsed<Json> {
  const copier: Copier = { limits, freezes, bytes: 0, members: 0, code: "not_plain", what: "", path: [] };
  try {
    const copy = copyValue(copier, value, 0);
    return copy === undefined ? unparsed(copier.code, detailOf(copier)) : parsed(copy);
  } catch {
    return unparsed("not_plain" satisfies JsonCode, "reading it threw: a Proxy, or nested beyond the stack");
  }
}

/**
 * One copy of one value. Each function answers undefined once it refused; `code` and `what` then say why. A plain object
 * and functions: this is walked for every result of every tool, and private fields cost twice as much.
 */
type Copier = {
  readonly limits: JsonLimits;
  readonly freezes: boolean;
  bytes: number;
  members: number;
  code: JsonCode;
  what: string;
  /** Where the refused value is, from the inside out. Only written on the way back from a refusal. */
  readonly path: string[];
};

function detailOf({ path, what }: Copier): string {
  const where = [...path].reverse().join("");
  return where === "" ? `the value: ${what}` : `at ${quoted(where)}: ${what}`;
}

function copyValue(copier: Copier, value: unknown, depth: number): Json | undefined {
  switch (typeof value) {
    case "string":
      return takeString(copier, value) ? value : undefined;
    case "number":
      return takeNumber(copier, value) ? value : undefined;
    case "boolean":
      return take(copier, value ? 4 : 5) ? value : undefined;
    case "object":
      if (value === null) return take(copier, 4) ? null : undefined;
      if (depth >= copier.limits.depthMax) return refuse(copier, "too_deep", tooDeep(copier.limits));
      return Array.isArray(value) ? copyArray(copier, value, depth + 1) : copyObject(copier, value, depth + 1);
    default:
      return refuse(copier, "not_plain", value === undefined ? "undefined" : `a ${typeof value}`);
  }
}

function copyObject(copier: Copier, value: object, depth: number): JsonObject | undefined {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return refuse(copier, "not_plain", "not a plain object");
  // Two lists, because together they cost a sixth of Reflect.ownKeys.
  const keys = inOrder(Object.getOwnPropertyNames(value));
  if (Object.getOwnPropertySymbols(value).length > 0) return refuse(copier, "not_plain", "a symbol as a key");
  const copy: { [key: string]: Json } = {};
  let members = 0;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? "";
    if (isForbidden(key)) return refuse(copier, "forbidden_key", "this key is not allowed", key);
    const property = Object.getOwnPropertyDescriptor(value, key);
    if (!isData(property)) return refuse(copier, "not_plain", "an accessor or a hidden property", key);
    if (property.value === undefined) continue;
    members += 1;
    // The key's colon, and the comma before every member but the first.
    const room = takeMember(copier) && take(copier, members > 1 ? 2 : 1) && takeString(copier, key);
    const inner = room ? copyValue(copier, property.value, depth) : undefined;
    if (inner === undefined) return within(copier, key);
    // Assigning a name that Object.prototype has would meet its setter, or its read-only property once it is frozen.
    if (key in copy) Object.defineProperty(copy, key, { ...PLAIN, value: inner });
    else copy[key] = inner;
  }
  if (copier.freezes) Object.freeze(copy);
  return take(copier, 2) ? copy : undefined;
}

function copyArray(copier: Copier, value: readonly unknown[], depth: number): Json[] | undefined {
  if (Object.getPrototypeOf(value) !== Array.prototype) return refuse(copier, "not_plain", "not a plain array");
  const length = value.length;
  const { limits } = copier;
  if (length > limits.keysMax - copier.members) return refuse(copier, "too_many_keys", tooMany(limits));
  // The elements and `length` itself: fewer is an array with holes, more has properties that JSON would lose.
  if (Object.getOwnPropertyNames(value).length !== length + 1 || Object.getOwnPropertySymbols(value).length > 0) {
    return refuse(copier, "not_plain", "an array with holes, or with properties beside its elements");
  }
  const copy: Json[] = [];
  for (let i = 0; i < length; i++) {
    const property = Object.getOwnPropertyDescriptor(value, i);
    if (!isData(property)) return refuse(copier, "not_plain", "an accessor or a hidden property", i);
    const room = takeMember(copier) && take(copier, i > 0 ? 1 : 0);
    const inner = room ? copyValue(copier, property.value, depth) : undefined;
    if (inner === undefined) return within(copier, i);
    copy.push(inner);
  }
  if (copier.freezes) Object.freeze(copy);
  return take(copier, 2) ? copy : undefined;
}

function takeString(copier: Copier, text: string): boolean {
  // As in parseJson, the free test first: a string of 50 MB is refused without being read.
  if (text.length > copier.limits.bytesMax - copier.bytes) return take(copier, text.length);
  const bytes = canonicalStringBytes(text);
  if (bytes >= 0) return take(copier, bytes);
  refuse(copier, "lone_surrogate", HALF);
  return false;
}

function takeNumber(copier: Copier, value: number): boolean {
  const fault = numberFault(value);
  if (fault) return refused(copier, ...fault);
  // Most numbers are small and whole, and need not be written out to know how long they are.
  const digits = value >= 0 && value < 1e6 && Number.isInteger(value) ? digitsOf(value) : String(value).length;
  if (digits > copier.limits.digitsMax) return refused(copier, "number_out_of_range", tooLong(copier.limits));
  return take(copier, digits);
}

function takeMember(copier: Copier): boolean {
  copier.members += 1;
  return copier.members <= copier.limits.keysMax || refused(copier, "too_many_keys", tooMany(copier.limits));
}

function take(copier: Copier, bytes: number): boolean {
  copier.bytes += bytes;
  return copier.bytes <= copier.limits.bytesMax || refused(copier, "too_large", tooLarge(copier.limits));
}

function within({ path }: Copier, step: string | number): undefined {
  // The step is cut before it is kept: a key can be as long as the whole value.
  path.push(typeof step === "number" ? `[${step}]` : `.${step.slice(0, ECHO_MAX)}`);
}

function refuse(copier: Copier, code: JsonCode, what: string, step?: string | number): undefined {
  copier.code = code;
  copier.what = what;
  if (step !== undefined) within(copier, step);
}

function refused(copier: Copier, code: JsonCode, what: string): false {
  refuse(copier, code, what);
  return false;
}

/** Of a whole number from 0 that has six digits at most. */
function digitsOf(value: number): number {
  if (value < 1_000) return value < 10 ? 1 : value < 100 ? 2 : 3;
  return value < 10_000 ? 4 : value < 100_000 ? 5 : 6;
}

const PLAIN = { configurable: true, enumerable: true, writable: true };

function isData(property: PropertyDescriptor | undefined): property is PropertyDescriptor {
  if (property === undefined || property.enumerable !== true) return false;
  // Only an accessor has no value at all.
  return property.value !== undefined || Object.hasOwn(property, "value");
}
