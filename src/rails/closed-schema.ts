import { type Json, type JsonObject, own } from "../domain/json.ts";
import {
  branchesOf,
  isListed,
  itemsOf,
  keyOf,
  keysOf,
  type Parts,
  PLACES_MAX,
  partsOf,
  propertyOf,
  type Reading,
  reading,
  typesOf,
} from "./schema-parts.ts";

/** An opening in a params schema: a place where something could travel that the type does not name. */
export type Opening = { readonly path: string; readonly kind: "unknown_keys" | "anything" | "unbounded_string" };

/** Formats whose text is bounded by their own grammar. */
const BOUNDED_FORMATS: readonly string[] = [
  "date",
  "date-time",
  "time",
  "duration",
  "uuid",
  "ipv4",
  "ipv6",
  "ulid",
  "nanoid",
  "cuid2",
];
const DEPTH_MAX = 32;

/**
 * The openings of a JSON Schema: objects that take unknown keys, places that take anything, strings without a bound. A
 * string is bounded by `enum`, `const`, `maxLength`, a bounded format, or an anchored pattern without open quantifiers
 * (a JSON Schema does not show its flags; line-breaks.ts sees to the one that matters). Where a schema refers to itself,
 * each opening is named once a field.
 */
export function openings(root: JsonObject): readonly Opening[] {
  const walk: Walk = { schema: reading(root), found: [], places: 0 };
  visit(walk, partsOf(walk.schema, [root]), "", new Set(), 0);
  return walk.found;
}

type Walk = { readonly schema: Reading; readonly found: Opening[]; places: number };

/** `seen` is what was visited under the same top-level field: what is open under each field is found under each. */
function visit(walk: Walk, parts: Parts, path: string, seen: Set<string>, depth: number): void {
  const key = keyOf(walk.schema, parts);
  if (seen.has(key)) return;
  seen.add(key);
  walk.places += 1;
  if (parts.length === 0 || depth > DEPTH_MAX || walk.places > PLACES_MAX) {
    walk.found.push({ path, kind: "anything" });
    return;
  }
  if (isListed(parts)) return;
  const branches = branchesOf(walk.schema, parts);
  if (branches === null) {
    for (const type of typesOf(parts)) visitType(walk, type, parts, path, seen, depth);
  }
  for (const branch of branches ?? []) {
    if (walk.places <= PLACES_MAX) visit(walk, branch, path, seen, depth + 1);
  }
}

function visitType(
  walk: Walk,
  type: Json | undefined,
  parts: Parts,
  path: string,
  seen: Set<string>,
  depth: number,
): void {
  switch (type) {
    case "null":
    case "boolean":
    case "integer":
    case "number":
      return;
    case "string":
      if (!parts.some(isBounded)) walk.found.push({ path, kind: "unbounded_string" });
      return;
    case "array":
      if (!parts.some((part) => own(part, "items") !== undefined || own(part, "prefixItems") !== undefined))
        walk.found.push({ path: `${path}[]`, kind: "anything" });
      for (const item of itemsOf(walk.schema, parts)) visit(walk, item, `${path}[]`, seen, depth + 1);
      return;
    case "object":
      if (!parts.some(isClosed)) walk.found.push({ path, kind: "unknown_keys" });
      for (const key of keysOf(parts)) {
        const inner = propertyOf(walk.schema, parts, key);
        visit(walk, inner, path === "" ? key : `${path}.${key}`, path === "" ? new Set() : seen, depth + 1);
      }
      return;
    default:
      walk.found.push({ path, kind: "anything" });
  }
}

function isClosed(part: JsonObject): boolean {
  return own(part, "additionalProperties") === false && own(part, "patternProperties") === undefined;
}

function isBounded(part: JsonObject): boolean {
  const pattern = own(part, "pattern");
  return isMeasured(part) || (typeof pattern === "string" && isBoundedPattern(pattern));
}

/** Whether a string is bounded by something else than a pattern. */
export function isMeasured(part: JsonObject): boolean {
  if (typeof own(part, "maxLength") === "number") return true;
  const format = own(part, "format");
  return typeof format === "string" && BOUNDED_FORMATS.includes(format);
}

/** Anchored at both ends and without `*`, `+` or `{n,}` outside of escapes and character classes, and without alternation at the top. */
export function isBoundedPattern(pattern: string): boolean {
  if (!pattern.startsWith("^") || !pattern.endsWith("$") || pattern.endsWith("\\$")) return false;
  const bare = pattern.replace(/\\./g, "x").replace(/\[[^\]]*\]/g, "x");
  if (/[*+]|\{\d*,\}/.test(bare)) return false;
  let depth = 0;
  for (const character of bare) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === "|" && depth === 0) return false;
  }
  return true;
}
