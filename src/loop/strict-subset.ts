import { canonicalJson } from "../domain/canonical.ts";
import { resolveRef } from "../domain/evidence-field.ts";
import { isJsonObject, type Json, type JsonObject, own } from "../domain/json.ts";
import { utf8Length, utf8Prefix } from "../domain/utf8.ts";

/** How large a compiled schema may be. Servers have limits of their own, and each token of it costs time there. */
const NODES_MAX = 1_000;
const DEPTH_MAX = 10;
const ENUM_MAX = 250;
const DESCRIPTION_BYTES = 300;
const BYTES_MAX = 32_768;

/**
 * A tool's JSON Schema in the subset that constrained decoders have in common: type, enum, properties that are all
 * required, additionalProperties false, items, anyOf, description. What is optional is nullable instead; limits, formats,
 * patterns and defaults are left out, since the full schema judges what comes back. Local references are written out.
 *
 * null where the subset has no words for it: records and open objects, tuples, anything at all, what refers to itself, what
 * forbids something, and what would be too large.
 */
export function strictSubset(schema: JsonObject): JsonObject | null {
  const compiler = new Compiler(schema);
  const subset = compiler.compile(schema);
  return subset !== null && utf8Length(canonicalJson(subset)) <= BYTES_MAX ? subset : null;
}

/** Whatever says more than the subset can, and is not only a limit on a value. */
const UNSAYABLE: readonly string[] = [
  "patternProperties",
  "propertyNames",
  "unevaluatedProperties",
  "dependentSchemas",
  "dependentRequired",
  "prefixItems",
  "contains",
  "unevaluatedItems",
  "not",
  "if",
  "$dynamicRef",
];

/** What gives a place its shape. Two of them at one place would have to be joined. */
const SHAPES: readonly string[] = ["$ref", "allOf", "anyOf", "oneOf"];

const SCALARS: readonly string[] = ["string", "number", "integer", "boolean", "null"];

/** One compilation of one schema. */
class Compiler {
  readonly #root: JsonObject;
  #nodes = 0;
  /** What refers to itself comes to no end, and so gets too deep. */
  #depth = 0;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  compile(node: Json | undefined): JsonObject | null {
    this.#nodes += 1;
    if (!isJsonObject(node) || this.#nodes > NODES_MAX || this.#depth >= DEPTH_MAX) return null;
    if (UNSAYABLE.some((key) => Object.hasOwn(node, key))) return null;
    this.#depth += 1;
    const shape = this.#shape(node);
    this.#depth -= 1;
    return shape === null ? null : described(shape, own(node, "description"));
  }

  #shape(node: JsonObject): JsonObject | null {
    const shapes = SHAPES.filter((key) => Object.hasOwn(node, key));
    const [shape, second] = shapes;
    if (shape === undefined) return this.#plain(node);
    if (second !== undefined || Object.hasOwn(node, "properties") || Object.hasOwn(node, "items")) return null;
    if (shape === "$ref") return this.compile(resolveRef(own(node, "$ref"), this.#root) ?? undefined);
    const branches = own(node, shape);
    if (!Array.isArray(branches)) return null;
    if (shape === "allOf") return branches.length === 1 ? this.compile(branches[0]) : null;
    return this.#union(branches);
  }

  #union(branches: readonly Json[]): JsonObject | null {
    const list: JsonObject[] = [];
    for (const branch of branches) {
      const compiled = this.compile(branch);
      if (compiled === null) return null;
      list.push(compiled);
    }
    return anyOf(list);
  }

  #plain(node: JsonObject): JsonObject | null {
    if (Object.hasOwn(node, "const")) return listed([own(node, "const") ?? null]);
    const values = own(node, "enum");
    if (Array.isArray(values)) return listed(values as readonly Json[]);
    const type = own(node, "type");
    if (!Array.isArray(type)) return this.#typed(type, node);
    const list: JsonObject[] = [];
    for (const one of type as readonly Json[]) {
      const compiled = this.#typed(one, node);
      if (compiled === null) return null;
      list.push(compiled);
    }
    return anyOf(list);
  }

  #typed(type: Json | undefined, node: JsonObject): JsonObject | null {
    if (type === "object") return this.#object(node);
    if (type === "array") {
      const items = this.compile(own(node, "items"));
      return items === null ? null : { type, items };
    }
    return typeof type === "string" && SCALARS.includes(type) ? { type } : null;
  }

  /** An object that does not say whether it is open takes no other keys: the output rail refuses those in any case. */
  #object(node: JsonObject): JsonObject | null {
    const properties = own(node, "properties");
    if (!isJsonObject(properties) || (own(node, "additionalProperties") ?? false) !== false) return null;
    const required = own(node, "required") ?? [];
    if (!Array.isArray(required)) return null;
    const needed = new Set<Json>(required);
    const fields: [string, JsonObject][] = [];
    for (const [key, inner] of Object.entries(properties)) {
      const compiled = this.compile(inner);
      if (compiled === null) return null;
      fields.push([key, needed.has(key) ? compiled : nullable(compiled)]);
    }
    return closedObject(Object.fromEntries(fields));
  }
}

/** An object with these fields, all of them, and no others. */
export function closedObject(properties: JsonObject): JsonObject {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

/** A list of values; a long one is only the types of its values. */
function listed(values: readonly Json[]): JsonObject | null {
  const types = [...new Set(values.map(typeOf))];
  if (values.length === 0 || types.includes("object")) return null;
  const type: Json = types.length === 1 ? (types[0] ?? null) : types;
  return values.length > ENUM_MAX ? anyOf(types.map((one) => ({ type: one }))) : { type, enum: [...values] };
}

function typeOf(value: Json): string {
  return value === null ? "null" : typeof value;
}

/** The union of schemas: unions within it are flattened, what is there twice is said once, one alone is itself. */
export function anyOf(schemas: readonly JsonObject[]): JsonObject | null {
  const branches = new Map<string, JsonObject>();
  for (const schema of schemas) {
    const inner = own(schema, "anyOf");
    for (const branch of Array.isArray(inner) ? (inner as readonly JsonObject[]) : [schema]) {
      branches.set(canonicalJson(branch), branch);
    }
  }
  const [only, ...more] = branches.values();
  if (only === undefined) return null;
  return more.length === 0 ? only : (scalarOrNull(only, more) ?? { anyOf: [only, ...more] });
}

/** A plain type or null is written shorter. */
function scalarOrNull(one: JsonObject, [two, ...more]: readonly JsonObject[]): JsonObject | null {
  if (two === undefined || more.length > 0) return null;
  const plain = [one, two].find((schema) => own(schema, "type") !== "null");
  const isNull = [one, two].some((schema) => own(schema, "type") === "null" && own(schema, "enum") === undefined);
  return isNull && plain !== undefined && isScalar(plain) ? nullable(plain) : null;
}

function isScalar(schema: JsonObject): boolean {
  const type = own(schema, "type");
  return typeof type === "string" && SCALARS.includes(type);
}

/** The same, or null. */
export function nullable(schema: JsonObject): JsonObject {
  const type = own(schema, "type");
  const types = Array.isArray(type) ? (type as readonly Json[]) : [type ?? ""];
  if (types.includes("null")) return schema;
  const branches = own(schema, "anyOf");
  const { description, ...rest } = schema;
  if (Array.isArray(branches)) {
    const has = branches.some((branch) => isJsonObject(branch) && own(branch, "type") === "null");
    return has ? schema : described({ anyOf: [...branches, { type: "null" }] }, description);
  }
  if (!isScalar(schema) && !Array.isArray(type)) return described({ anyOf: [rest, { type: "null" }] }, description);
  const values = own(schema, "enum");
  const both = { ...rest, type: [...types, "null"] };
  return described(Array.isArray(values) ? { ...both, enum: [...values, null] } : both, description);
}

function described(schema: JsonObject, description: Json | undefined): JsonObject {
  if (typeof description !== "string" || description === "") return schema;
  return { ...schema, description: utf8Prefix(description, DESCRIPTION_BYTES) };
}
