import { isJsonObject, type Json, type JsonObject, own } from "../domain/json.ts";
import { isBoundedPattern, isMeasured } from "./closed-schema.ts";
import {
  branchesOf,
  isListed,
  itemsOf,
  keyOf,
  keysOf,
  type Parts,
  partsOf,
  propertyOf,
  type Reading,
  reading,
} from "./schema-parts.ts";

/** What `^` and `$` stop at under the flag `m`. */
const LINE_BREAK = /[\n\r\u2028\u2029]/;

/**
 * Where a string that nothing but its pattern bounds holds a line break which the pattern by itself does not match; null
 * where there is none. A JSON Schema does not show a pattern's flags, and under `m` an anchored pattern bounds a line, not
 * the string. Of a union every branch that can be meant must agree.
 */
export function strayLineBreak(root: JsonObject, params: JsonObject): string | null {
  if (!hasLineBreak(params)) return null;
  const schema = reading(root);
  return strayIn({ schema, done: new Map() }, partsOf(schema, [root]), params, "");
}

/** Most params hold none at all. */
function hasLineBreak(value: Json): boolean {
  if (typeof value === "string") return LINE_BREAK.test(value);
  if (typeof value !== "object" || value === null) return false;
  for (const inner of Object.values(value)) if (hasLineBreak(inner as Json)) return true;
  return false;
}

type Walk = { readonly schema: Reading; readonly done: Map<Json, Set<string>> };

function strayIn(walk: Walk, parts: Parts, value: Json, path: string): string | null {
  if (typeof value === "string" ? !LINE_BREAK.test(value) : typeof value !== "object") return null;
  if (isListed(parts) || isDone(walk, parts, value)) return null;
  const branches = branchesOf(walk.schema, parts);
  if (branches !== null) {
    const meant = branches.filter((branch) => !isAnother(walk.schema, branch, value));
    return first(meant, (branch) => strayIn(walk, branch, value, path));
  }
  if (typeof value === "string")
    return parts.some(isMeasured) || parts.every((part) => fits(part, value)) ? null : path;
  if (Array.isArray(value)) {
    const items = itemsOf(walk.schema, parts);
    return first(value as readonly Json[], (inner) => first(items, (item) => strayIn(walk, item, inner, `${path}[]`)));
  }
  if (!isJsonObject(value)) return null;
  return first([...keysOf(parts)], (key) => {
    const inner = own(value, key);
    if (inner === undefined) return null;
    return strayIn(walk, propertyOf(walk.schema, parts, key), inner, path === "" ? key : `${path}.${key}`);
  });
}

/** Whether a branch names, by a constant, another variant than this one. */
function isAnother(schema: Reading, branch: Parts, value: Json): boolean {
  if (!isJsonObject(value)) return false;
  return [...keysOf(branch)].some((key) =>
    propertyOf(schema, branch, key).some((part) => {
      const constant = own(part, "const");
      return typeof constant === "string" && constant !== own(value, key);
    }),
  );
}

function fits(part: JsonObject, value: string): boolean {
  const pattern = own(part, "pattern");
  if (typeof pattern !== "string" || !isBoundedPattern(pattern)) return true;
  try {
    return new RegExp(pattern).test(value);
  } catch {
    // A pattern that needs its flags to be one at all. What it would say of a line break is not known, so it says no.
    return false;
  }
}

function isDone(walk: Walk, parts: Parts, value: Json): boolean {
  if (typeof value === "string") return false;
  const keys = walk.done.get(value) ?? new Set();
  walk.done.set(value, keys);
  const key = keyOf(walk.schema, parts);
  if (keys.has(key)) return true;
  keys.add(key);
  return false;
}

function first<T>(list: readonly T[], find: (item: T) => string | null): string | null {
  for (const item of list) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}
