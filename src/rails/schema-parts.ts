import { isJsonObject, type Json, type JsonObject, own } from "../domain/json.ts";

/** What holds of one place all at once: a node, the `$ref` beside it, its `allOf`. These two are already resolved. */
export type Parts = readonly JsonObject[];

/** A JSON Schema while it is being read. A place is known again by the nodes that it is made of. */
export type Reading = {
  readonly root: JsonObject;
  readonly ids: Map<JsonObject, number>;
  /** What of a node stands beside its union. */
  readonly rests: Map<JsonObject, JsonObject>;
};

export function reading(root: JsonObject): Reading {
  return { root, ids: new Map(), rests: new Map() };
}

/** Resolves `$ref` and `allOf` until none is left. What cannot be resolved says nothing. */
export function partsOf({ root }: Reading, nodes: readonly (Json | undefined)[]): Parts {
  const parts = new Set<JsonObject>();
  const open = [...nodes];
  for (let i = 0; i < open.length; i++) {
    const node = open[i];
    if (!isJsonObject(node) || parts.has(node)) continue;
    parts.add(node);
    const ref = own(node, "$ref");
    if (typeof ref === "string") open.push(resolve(ref, root));
    open.push(...listAt(node, "allOf"));
  }
  return [...parts].filter((part) => Object.keys(part).some((key) => key !== "$ref" && key !== "allOf"));
}

/** Two places with one key are the same: a schema that refers to itself comes back to the same nodes. */
export function keyOf({ ids }: Reading, parts: Parts): string {
  const numbers = parts.map((part) => {
    const id = ids.get(part) ?? ids.size;
    ids.set(part, id);
    return id;
  });
  return numbers.sort((a, b) => a - b).join();
}

/** The alternatives of the first union among the parts, each together with the other parts; null where there is no union. */
export function branchesOf(schema: Reading, parts: Parts): readonly Parts[] | null {
  for (const part of parts) {
    const key = ["anyOf", "oneOf"].find((name) => Array.isArray(own(part, name)));
    if (key === undefined) continue;
    const rest = schema.rests.get(part) ?? restOf(part, key);
    schema.rests.set(part, rest);
    const others = parts.filter((other) => other !== part);
    const beside = Object.keys(rest).length === 0 ? others : [rest, ...others];
    return listAt(part, key).map((branch) => [...new Set([...beside, ...partsOf(schema, [branch])])]);
  }
  return null;
}

const SAYS_NOTHING: readonly string[] = [
  "$ref",
  "allOf",
  "title",
  "description",
  "default",
  "examples",
  "$schema",
  "$defs",
];

function restOf(part: JsonObject, union: string): JsonObject {
  return Object.fromEntries(Object.entries(part).filter(([key]) => key !== union && !SAYS_NOTHING.includes(key)));
}

/** What a place may be. All parts must agree, so the first that says it is bound enough. */
export function typesOf(parts: Parts): readonly (Json | undefined)[] {
  const type = parts.map((part) => own(part, "type")).find((one) => one !== undefined);
  return Array.isArray(type) ? type : [type];
}

/** Whether a place takes one of a list of values and nothing else. */
export function isListed(parts: Parts): boolean {
  return parts.some((part) => own(part, "const") !== undefined || own(part, "enum") !== undefined);
}

export function keysOf(parts: Parts): ReadonlySet<string> {
  return new Set(parts.flatMap((part) => Object.keys(propertiesOf(part))));
}

export function propertyOf(schema: Reading, parts: Parts, key: string): Parts {
  return partsOf(
    schema,
    parts.map((part) => own(propertiesOf(part), key)),
  );
}

/** The schemas of an array's elements, each to be taken on its own. */
export function itemsOf(schema: Reading, parts: Parts): readonly Parts[] {
  const nodes = parts.flatMap((part) => {
    const items = own(part, "items");
    return [...listAt(part, "prefixItems"), ...(items === undefined || items === false ? [] : [items])];
  });
  return nodes.map((node) => partsOf(schema, [node]));
}

/** The names of the top-level fields, whichever branch of the schema has them. */
export function fieldsOf(root: JsonObject): ReadonlySet<string> {
  const schema = reading(root);
  const fields = new Set<string>();
  const seen = new Set<string>();
  const open: Parts[] = [partsOf(schema, [root])];
  for (let parts = open.pop(); parts !== undefined && seen.size < PLACES_MAX; parts = open.pop()) {
    const key = keyOf(schema, parts);
    if (seen.has(key)) continue;
    seen.add(key);
    for (const field of keysOf(parts)) fields.add(field);
    open.push(...(branchesOf(schema, parts) ?? []));
  }
  return fields;
}

/** Places that are read of one schema. Intersections of unions multiply; what is larger is not read on. */
export const PLACES_MAX = 10_000;

function propertiesOf(part: JsonObject): JsonObject {
  const properties = own(part, "properties");
  return isJsonObject(properties) ? properties : {};
}

function listAt(part: JsonObject, key: string): readonly Json[] {
  const list = own(part, key);
  return Array.isArray(list) ? (list as readonly Json[]) : [];
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
