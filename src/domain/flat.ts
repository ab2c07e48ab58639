import { readArgs } from "./call-args.ts";
import { canonicalJson } from "./canonical.ts";
import { isJsonObject, type Json, type JsonObject, own } from "./json.ts";
import { type Parsed, parsed, unparsed } from "./parsed.ts";
import type { RepairName } from "./repair.ts";
import { FLAT_KEYS, REPLY_KINDS } from "./reply.ts";
import { callsIn } from "./tool-call-text.ts";

/** A list around an object around a list: what is wrapped more often than that was not meant. */
const WRAPPERS_MAX = 2;

/** What of a value is a reply or calls: itself, or what it wraps in a list of one or under one key that no flat reply has. */
export function unwrapped(value: Json): { readonly value: Json; readonly wrapped: boolean } {
  let inner = value;
  for (let i = 0; i <= WRAPPERS_MAX; i++) {
    const meant = (isJsonObject(inner) && Object.hasOwn(inner, "kind")) || callsIn(inner, false) !== null;
    if (meant) return { value: inner, wrapped: i > 0 };
    const next = innerOf(inner);
    if (next === null) break;
    inner = next;
  }
  return { value, wrapped: false };
}

function innerOf(value: Json): Json | null {
  if (Array.isArray(value)) return value.length === 1 ? (value[0] ?? null) : null;
  if (!isJsonObject(value)) return null;
  const [key, second] = Object.keys(value);
  if (key === undefined || second !== undefined || FLAT_KEYS.includes(key)) return null;
  const inner = own(value, key);
  return typeof inner === "object" ? inner : null;
}

/** Whether an object was meant as a flat reply: it has a kind, and no key that a flat reply does not have. */
export function isFlat(value: Json): value is JsonObject {
  return (
    isJsonObject(value) && Object.hasOwn(value, "kind") && Object.keys(value).every((key) => FLAT_KEYS.includes(key))
  );
}

/** A flat object with what can be mended in it: how its kind is spelt, and params that were written as text. */
export function mended(
  flat: JsonObject,
  bytesMax: number,
): { readonly flat: JsonObject; readonly names: RepairName[] } {
  const names: RepairName[] = [];
  const fields = Object.entries(flat).map(([key, value]): [string, Json] => {
    if (key === "kind") return [key, kindOf(value, names)];
    if (key === "params") return [key, paramsOf(value, names, bytesMax)];
    if (key === "steps" && Array.isArray(value)) {
      return [key, value.map((step: Json) => stepOf(step, names, bytesMax))];
    }
    return [key, value];
  });
  return { flat: Object.fromEntries(fields), names };
}

function kindOf(value: Json, names: RepairName[]): Json {
  if (typeof value !== "string" || value.length > 40) return value;
  const kind = REPLY_KINDS.find((one) => one === value.trim().toLowerCase());
  if (kind === undefined || kind === value) return value;
  names.push("kind_case");
  return kind;
}

function stepOf(step: Json, names: RepairName[], bytesMax: number): Json {
  if (!isJsonObject(step) || typeof own(step, "params") !== "string") return step;
  return Object.fromEntries(
    Object.entries(step).map(([key, value]) => [key, key === "params" ? paramsOf(value, names, bytesMax) : value]),
  );
}

/** What is not mended stays as it was: the strict parser says why it cannot be read. */
function paramsOf(value: Json, names: RepairName[], bytesMax: number): Json {
  if (typeof value !== "string") return value;
  const read = readArgs(value, bytesMax);
  if (!read.ok || read.value.names.length === 0) return value;
  names.push(...read.value.names);
  return read.value.value;
}

/** The only value of several that are the same in canonical form. */
export function onlyOf(values: readonly Json[]): Parsed<Json> {
  const [first, ...others] = values;
  if (first === undefined) return unparsed("not_json", NOT_ONE);
  if (others.length === 0) return parsed(first);
  const text = canonicalJson(first);
  return others.every((value) => canonicalJson(value) === text)
    ? parsed(first)
    : unparsed("two_objects", "the reply holds several objects that differ: send exactly one");
}

export const NOT_ONE = "the reply must be one JSON object and nothing else";
