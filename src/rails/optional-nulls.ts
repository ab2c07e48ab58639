import { canonicalJson } from "../domain/canonical.ts";
import { isJsonObject, type Json, type JsonObject, own } from "../domain/json.ts";
import {
  branchesOf,
  itemsOf,
  type Parts,
  partsOf,
  propertyOf,
  type Reading,
  reading,
  typesOf,
} from "./schema-parts.ts";

/**
 * The params without the nulls that only say "not given". The schema that a server gets makes every field required and an
 * optional one nullable, since constrained decoders know no other way; so a null for a field that is optional and does not
 * take null is one that was left out. What takes null keeps it, and where the variants of a union disagree nothing is
 * dropped. The same object comes back where there is nothing to drop.
 */
export function withoutOptionalNulls(root: JsonObject, params: JsonObject): JsonObject {
  if (!holdsNull(params)) return params;
  const schema = readings.get(root) ?? reading(root);
  readings.set(root, schema);
  const walk: Walk = { schema, left: PLACES_MAX };
  const value = dropped(walk, partsOf(schema, [root]), params);
  return walk.left > 0 && isJsonObject(value) ? value : params;
}

/** What was found out about a schema, for its next params. */
const readings = new WeakMap<JsonObject, Reading>();

/** More than the params of any proposal have, which are bounded, with a few variants each. */
const PLACES_MAX = 50_000;

/** `left`: how many places may still be looked at. Unions in unions multiply; then nothing is dropped. */
type Walk = { readonly schema: Reading; left: number };

function holdsNull(value: Json): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.some(holdsNull);
  return isJsonObject(value) && Object.values(value).some(holdsNull);
}

function dropped(walk: Walk, parts: Parts, value: Json): Json {
  walk.left -= 1;
  if (typeof value !== "object" || value === null || walk.left <= 0) return value;
  const branches = branchesOf(walk.schema, parts);
  if (branches !== null) return agreed(walk, branches, value);
  if (Array.isArray(value)) return elements(walk, parts, value);
  return isJsonObject(value) ? fields(walk, parts, value) : value;
}

function agreed(walk: Walk, branches: readonly Parts[], value: Json): Json {
  const results = new Map<string, Json>();
  for (const branch of branches) {
    if (!canBe(walk.schema, branch, value)) continue;
    const result = dropped(walk, branch, value);
    results.set(canonicalJson(result), result);
  }
  const [only, ...more] = results.values();
  return only === undefined || more.length > 0 ? value : only;
}

function elements(walk: Walk, parts: Parts, values: readonly Json[]): Json {
  const [item, ...more] = itemsOf(walk.schema, parts);
  // A tuple says something else of each element.
  if (item === undefined || more.length > 0) return values;
  return values.map((value) => dropped(walk, item, value));
}

function fields(walk: Walk, parts: Parts, object: JsonObject): Json {
  const kept: [string, Json][] = [];
  for (const [key, value] of Object.entries(object)) {
    const field = propertyOf(walk.schema, parts, key);
    if (value === null && isOptional(parts, key) && !takesNull(walk, field)) continue;
    kept.push([key, dropped(walk, field, value)]);
  }
  return Object.fromEntries(kept);
}

function isOptional(parts: Parts, key: string): boolean {
  return !parts.some((part) => {
    const required = own(part, "required");
    return Array.isArray(required) && required.includes(key);
  });
}

function isKnown(parts: Parts, key: string): boolean {
  return parts.some((part) => {
    const properties = own(part, "properties");
    return isJsonObject(properties) && Object.hasOwn(properties, key);
  });
}

/** All parts must agree. A place of which nothing is said takes anything: an unknown key stays, and is refused by name. */
function takesNull(walk: Walk, parts: Parts): boolean {
  walk.left -= 1;
  if (walk.left <= 0) return true;
  const branches = branchesOf(walk.schema, parts);
  if (branches !== null) return branches.some((branch) => takesNull(walk, branch));
  return parts.every((part) => {
    const values = own(part, "enum");
    if (Array.isArray(values)) return values.includes(null);
    const constant = own(part, "const");
    if (constant !== undefined) return constant === null;
    const type = own(part, "type");
    return type === undefined || type === "null" || (Array.isArray(type) && type.includes("null"));
  });
}

/** Whether a branch is of the value's type, knows its keys, and does not name, by a constant, another variant than this one. */
function canBe(schema: Reading, branch: Parts, value: Json): boolean {
  const type = Array.isArray(value) ? "array" : "object";
  const types = typesOf(branch);
  if (types[0] !== undefined && !types.includes(type)) return false;
  if (!isJsonObject(value)) return true;
  const closed = branch.some((part) => own(part, "additionalProperties") === false);
  return Object.entries(value).every(([key, inner]) => {
    if (closed && !isKnown(branch, key)) return false;
    return propertyOf(schema, branch, key).every((part) => {
      const constant = own(part, "const");
      return constant === undefined || constant === inner;
    });
  });
}
