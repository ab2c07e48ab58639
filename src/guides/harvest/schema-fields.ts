import { isJsonObject, type Json, type JsonObject, own } from "../../domain/json.ts";
import { quoted } from "../../domain/json-limits.ts";
import { type Parsed, parsed, unparsed } from "../../domain/parsed.ts";

/** A field of a JSON Schema, as somebody who fills it in sees it. */
export type Field = {
  /** Its way from the root: `address.street`, `lines[].sku`. */
  readonly path: string;
  /** Its type, as a control's role: `string`, `integer`, `object`. */
  readonly type: string;
  readonly title: string;
  readonly desc: string;
  /** The values that it may have, where they are listed. */
  readonly options: readonly string[];
  /** The value that it has unless somebody says another. */
  readonly preset: string;
};

/** Objects and lists inside one another that are told field by field; deeper ones are one field. */
const LEVELS_MAX = 5;
/** References, or parts of `allOf`, that lead from one to the next. */
const HOPS_MAX = 32;
/** Schemas of one document that are looked at, each as often as it is used. */
const LOOKS_MAX = 200_000;

type Note = (rule: "missing_ref" | "not_expanded", what: string) => void;
type Fault = ReturnType<typeof unparsed>;

/** A document whose schemas are read: what `#/...` points into, and how much has been looked at. */
export class SchemaDocument {
  readonly root: Json;
  readonly note: Note;
  #looks = 0;

  constructor(root: Json, note: Note) {
    this.root = root;
    this.note = note;
  }

  /** Counts one more look; what to say where there were too many. */
  look(): Fault | null {
    this.#looks += 1;
    return this.#looks > LOOKS_MAX
      ? unparsed("too_large", `its schemas are made of more than ${LOOKS_MAX} others`)
      : null;
  }

  /** What a reference inside the document means. A reference out of it is refused: nothing is fetched. */
  meant(json: Json): Parsed<Json> {
    let value = json;
    for (let hop = 0; hop < HOPS_MAX; hop++) {
      const ref = isJsonObject(value) ? own(value, "$ref") : undefined;
      if (typeof ref !== "string") return parsed(value);
      if (!ref.startsWith("#"))
        return unparsed("remote_ref", `${quoted(ref)} leads out of the document: nothing is fetched`);
      const next = pointed(this.root, ref);
      if (next === undefined) {
        this.note("missing_ref", `${quoted(ref)} leads to nothing`);
        return parsed(null);
      }
      value = next;
    }
    this.note("missing_ref", "a chain of references that does not end");
    return parsed(null);
  }
}

/** RFC 6901, in a fragment. */
function pointed(root: Json, ref: string): Json | undefined {
  let value: Json | undefined = root;
  for (const part of ref.slice(1).split("/").slice(1)) {
    const key = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(value)) value = /^\d{1,9}$/.test(key) ? value[Number(key)] : undefined;
    else value = isJsonObject(value) ? own(value, key) : undefined;
  }
  return value;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The fields of a schema for an object, in the order of its properties, each before what is inside it. */
export function schemaFields(schema: Json, document: SchemaDocument): Parsed<readonly Field[]> {
  const walk = new FieldWalk(document);
  const fault = walk.into(schema, "", 0, new Set());
  return fault ?? parsed([...walk.fields.values()]);
}

class FieldWalk {
  readonly fields = new Map<string, Field>();
  readonly #document: SchemaDocument;

  constructor(document: SchemaDocument) {
    this.#document = document;
  }

  /** Adds the properties of a schema, and of all that it is made of. `within`: the schemas around it, so that none goes round. */
  into(json: Json, path: string, level: number, within: ReadonlySet<Json>): Fault | null {
    const tooMuch = this.#document.look();
    if (tooMuch !== null) return tooMuch;
    const meant = this.#document.meant(json);
    if (!meant.ok) return meant;
    const schema = meant.value;
    if (!isJsonObject(schema) || within.has(schema) || within.size >= HOPS_MAX) return null;
    const around = new Set([...within, schema]);
    for (const part of ["allOf", "anyOf", "oneOf"].flatMap((key) => listOf(own(schema, key)))) {
      const fault = this.into(part, path, level, around);
      if (fault !== null) return fault;
    }
    const properties = own(schema, "properties") ?? null;
    for (const [name, property] of isJsonObject(properties) ? Object.entries(properties) : []) {
      const fault = this.#field(property, path === "" ? name : `${path}.${name}`, level, around);
      if (fault !== null) return fault;
    }
    return null;
  }

  #field(json: Json, path: string, level: number, within: ReadonlySet<Json>): Fault | null {
    const meant = this.#document.meant(json);
    if (!meant.ok) return meant;
    const schema = isJsonObject(meant.value) ? meant.value : {};
    if (this.fields.has(path)) return null;
    this.fields.set(path, fieldOf(path, schema, isJsonObject(json) ? json : {}));
    const items = own(schema, "items");
    const inner = items === undefined ? parsed<Json>(schema) : this.#document.meant(items);
    if (!inner.ok) return inner;
    if (!hasFields(inner.value)) return null;
    if (level + 1 < LEVELS_MAX)
      return this.into(inner.value, items === undefined ? path : `${path}[]`, level + 1, within);
    this.#document.note("not_expanded", `${quoted(path)} has fields of its own, too deep inside`);
    return null;
  }
}

/** `beside`: what stands next to a reference, which is about this very field. */
function fieldOf(path: string, schema: JsonObject, beside: JsonObject): Field {
  return {
    path,
    type: typeOf(schema),
    title: textOf(own(beside, "title") ?? own(schema, "title")),
    desc: textOf(own(beside, "description") ?? own(schema, "description")),
    options: optionsOf(schema),
    preset: presetOf(own(beside, "default") ?? own(schema, "default")),
  };
}

function hasFields(json: Json): boolean {
  return isJsonObject(json) && ["properties", "allOf", "anyOf", "oneOf"].some((key) => Object.hasOwn(json, key));
}

function listOf(json: Json | undefined): readonly Json[] {
  return Array.isArray(json) ? json : [];
}

export function textOf(json: Json | undefined): string {
  return typeof json === "string" ? json : "";
}

/** The word for its type; where it has several, the first that is not null. */
export function typeOf(schema: JsonObject): string {
  const type = own(schema, "type");
  const types = Array.isArray(type) ? type : [type];
  const word = types.find((one) => typeof one === "string" && one !== "null");
  if (typeof word === "string") return word;
  return own(schema, "properties") === undefined ? "value" : "object";
}

const OPTIONS_MAX = 200;

export function optionsOf(schema: JsonObject): readonly string[] {
  const listed = listOf(own(schema, "enum"));
  const items = own(schema, "items");
  const list = listed.length === 0 && isJsonObject(items) ? listOf(own(items, "enum")) : listed;
  return list.slice(0, OPTIONS_MAX).map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
}

export function presetOf(json: Json | undefined): string {
  if (json === undefined || json === null) return "";
  return typeof json === "string" ? json : JSON.stringify(json).slice(0, 200);
}
