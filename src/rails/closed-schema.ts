import { isJsonObject, type Json, type JsonObject, own } from "../domain/json.ts";

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
 * string is bounded by `enum`, `const`, `maxLength`, a bounded format, or an anchored pattern without open quantifiers.
 */
export function openings(schema: JsonObject): readonly Opening[] {
  const found: Opening[] = [];
  walk(schema, schema, "", found, 0);
  return found;
}

function walk(node: Json | undefined, root: JsonObject, path: string, found: Opening[], depth: number): void {
  if (!isJsonObject(node) || depth > DEPTH_MAX) {
    found.push({ path, kind: "anything" });
    return;
  }
  const ref = own(node, "$ref");
  if (typeof ref === "string") {
    walk(resolve(ref, root), root, path, found, depth + 1);
    return;
  }
  if (own(node, "const") !== undefined || own(node, "enum") !== undefined) return;
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    const branches = own(node, key);
    if (!Array.isArray(branches)) continue;
    for (const branch of branches as readonly Json[]) walk(branch, root, path, found, depth + 1);
    return;
  }
  const type = own(node, "type");
  const types = Array.isArray(type) ? type : [type];
  for (const one of types) walkType(one, node, root, path, found, depth);
}

function walkType(
  type: Json | undefined,
  node: JsonObject,
  root: JsonObject,
  path: string,
  found: Opening[],
  depth: number,
): void {
  switch (type) {
    case "null":
    case "boolean":
    case "integer":
    case "number":
      return;
    case "string":
      if (!isBounded(node)) found.push({ path, kind: "unbounded_string" });
      return;
    case "array": {
      const prefix = own(node, "prefixItems");
      if (Array.isArray(prefix)) {
        for (const item of prefix as readonly Json[]) walk(item, root, `${path}[]`, found, depth + 1);
      }
      const items = own(node, "items");
      if (items !== false && !(items === undefined && Array.isArray(prefix)))
        walk(items, root, `${path}[]`, found, depth + 1);
      return;
    }
    case "object": {
      if (own(node, "additionalProperties") !== false) found.push({ path, kind: "unknown_keys" });
      const properties = own(node, "properties");
      if (!isJsonObject(properties)) return;
      for (const [key, value] of Object.entries(properties)) {
        walk(value, root, path === "" ? key : `${path}.${key}`, found, depth + 1);
      }
      return;
    }
    default:
      found.push({ path, kind: "anything" });
  }
}

function resolve(ref: string, root: JsonObject): Json | undefined {
  if (ref === "#") return root;
  if (!ref.startsWith("#/")) return undefined;
  let node: Json | undefined = root;
  for (const part of ref.slice(2).split("/")) {
    if (!isJsonObject(node)) return undefined;
    node = own(node, part.replaceAll("~1", "/").replaceAll("~0", "~"));
  }
  return node;
}

function isBounded(node: JsonObject): boolean {
  if (typeof own(node, "maxLength") === "number") return true;
  const format = own(node, "format");
  if (typeof format === "string" && BOUNDED_FORMATS.includes(format)) return true;
  const pattern = own(node, "pattern");
  return typeof pattern === "string" && isBoundedPattern(pattern);
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
