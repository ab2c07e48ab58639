import { CHILD_TEXTS_MAX } from "../../domain/draw-map.ts";
import { isJsonObject, type Json, type JsonObject, own } from "../../domain/json.ts";
import { quoted } from "../../domain/json-limits.ts";
import type { MapLimits } from "../../domain/map-limits.ts";
import { type Parsed, parsed, unparsed } from "../../domain/parsed.ts";
import { writtenJson } from "./written-json.ts";

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
/** Schemas, fields and parameters of one source that are looked at, each as often as it is used. */
const LOOKS_MAX = 200_000;

type Note = (rule: "missing_ref" | "not_expanded", what: string) => void;
type Fault = ReturnType<typeof unparsed>;

/** How often something was looked at: one count for a whole source, of which every part may use the others. */
export class Looks {
  #count = 0;

  /** Counts one more; what to say where there were too many. */
  more(): Fault | null {
    this.#count += 1;
    return this.#count > LOOKS_MAX
      ? unparsed("too_large", `its schemas are made of more than ${LOOKS_MAX} others`)
      : null;
  }
}

/** What a schema says of the fields that it is for. */
type Facts = Omit<Field, "path">;

/** A document whose schemas are read: what `#/...` points into. What was made out once is kept, however often it is used. */
export class SchemaDocument {
  readonly root: Json;
  readonly note: Note;
  readonly looks: Looks;
  /** Bytes of one text of a control. */
  readonly textBytesMax: number;
  readonly #pointed = new Map<string, Json | undefined>();
  readonly #facts = new Map<JsonObject, Facts>();

  constructor(root: Json, looks: Looks, { textBytesMax }: Pick<MapLimits, "textBytesMax">, note: Note) {
    this.root = root;
    this.looks = looks;
    this.textBytesMax = textBytesMax;
    this.note = note;
  }

  /** What a reference inside the document means. A reference out of it is refused: nothing is fetched. */
  meant(json: Json): Parsed<Json> {
    let value = json;
    for (let hop = 0; hop < HOPS_MAX; hop++) {
      const ref = isJsonObject(value) ? own(value, "$ref") : undefined;
      if (typeof ref !== "string") return parsed(value);
      if (!ref.startsWith("#"))
        return unparsed("remote_ref", `${quoted(ref)} leads out of the document: nothing is fetched`);
      const next = this.#at(ref);
      if (next === undefined) {
        this.note("missing_ref", `${quoted(ref)} leads to nothing`);
        return parsed(null);
      }
      value = next;
    }
    this.note("missing_ref", "a chain of references that does not end");
    return parsed(null);
  }

  facts(schema: JsonObject): Facts {
    const known = this.#facts.get(schema);
    if (known !== undefined) return known;
    const facts: Facts = {
      type: typeOf(schema),
      title: textOf(own(schema, "title")),
      desc: textOf(own(schema, "description")),
      options: this.#options(schema),
      preset: presetOf(schema, own(schema, "default")),
    };
    this.#facts.set(schema, facts);
    return facts;
  }

  /** The listed values, one more than a map keeps of them, so that whoever draws it sees that there were more. */
  #options(schema: JsonObject): readonly string[] {
    if (isSecret(schema)) return [];
    const listed = listOf(own(schema, "enum"));
    const items = own(schema, "items");
    const list = listed.length === 0 && isJsonObject(items) ? listOf(own(items, "enum")) : listed;
    const options = list.slice(0, CHILD_TEXTS_MAX + 1);
    return options.map((one) => (typeof one === "string" ? one : writtenJson(one, 2 * this.textBytesMax)));
  }

  #at(ref: string): Json | undefined {
    if (!this.#pointed.has(ref)) this.#pointed.set(ref, pointed(this.root, ref));
    return this.#pointed.get(ref);
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
    const tooMuch = this.#document.looks.more();
    if (tooMuch !== null) return tooMuch;
    const meant = this.#document.meant(json);
    if (!meant.ok) return meant;
    const schema = meant.value;
    if (!isJsonObject(schema) || within.has(schema)) return null;
    if (within.size >= HOPS_MAX) {
      this.#document.note(
        "not_expanded",
        `${quoted(path)} is made of more than ${HOPS_MAX} schemas inside one another`,
      );
      return null;
    }
    const around = new Set([...within, schema]);
    for (const part of ["allOf", "anyOf", "oneOf"].flatMap((key) => listOf(own(schema, key)))) {
      const fault = this.into(part, path, level, around);
      if (fault !== null) return fault;
    }
    const properties = own(schema, "properties") ?? null;
    for (const [name, property] of isJsonObject(properties) ? Object.entries(properties) : []) {
      const fault = this.#field(property, this.#pathTo(path, name), level, around);
      if (fault !== null) return fault;
    }
    return null;
  }

  /** As long as an id may be, and one more: it is said again with every field inside it. */
  #pathTo(path: string, name: string): string {
    const max = this.#document.textBytesMax + 1;
    const last = name.slice(0, max);
    return path === "" ? last : `${path}.${last}`.slice(0, max);
  }

  #field(json: Json, path: string, level: number, within: ReadonlySet<Json>): Fault | null {
    const tooMuch = this.#document.looks.more();
    if (tooMuch !== null) return tooMuch;
    const meant = this.#document.meant(json);
    if (!meant.ok) return meant;
    const schema = isJsonObject(meant.value) ? meant.value : {};
    if (this.fields.has(path)) {
      // Of one name is what `allOf` says twice; of names that are cut alike nobody knows.
      if (path.length > this.#document.textBytesMax)
        this.#document.note("not_expanded", `${quoted(path)} is cut short`);
      return null;
    }
    this.fields.set(path, this.#fieldOf(path, schema, isJsonObject(json) ? json : {}));
    const items = own(schema, "items");
    const inner = items === undefined ? parsed<Json>(schema) : this.#document.meant(items);
    if (!inner.ok) return inner;
    if (!hasFields(inner.value)) return null;
    if (level + 1 < LEVELS_MAX)
      return this.into(inner.value, items === undefined ? path : `${path}[]`, level + 1, within);
    this.#document.note("not_expanded", `${quoted(path)} has fields of its own, too deep inside`);
    return null;
  }

  /** `beside`: what stands next to a reference, which is about this very field. */
  #fieldOf(path: string, schema: JsonObject, beside: JsonObject): Field {
    const facts = this.#document.facts(schema);
    if (beside === schema) return { path, ...facts };
    const preset = own(beside, "default");
    return {
      ...facts,
      path,
      title: textOf(own(beside, "title") ?? facts.title),
      desc: textOf(own(beside, "description") ?? facts.desc),
      preset: preset === undefined || isSecret(schema) ? facts.preset : presetOf(beside, preset),
    };
  }
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
function typeOf(schema: JsonObject): string {
  const type = own(schema, "type");
  const types = Array.isArray(type) ? type : [type];
  const word = types.find((one) => typeof one === "string" && one !== "null");
  if (typeof word === "string") return word;
  return own(schema, "properties") === undefined ? "value" : "object";
}

const PRESET_MAX = 200;

function presetOf(schema: JsonObject, json: Json | undefined): string {
  if (json === undefined || json === null || isSecret(schema)) return "";
  return typeof json === "string" ? json : writtenJson(json, PRESET_MAX);
}

/** Whether what is written into the field is nobody else's to know. */
function isSecret(schema: JsonObject): boolean {
  return own(schema, "format") === "password";
}
