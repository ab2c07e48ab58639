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
  readonly #secret = new Map<JsonObject, boolean>();

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

  /** `said`: what stands where the schema is used, such as a reference to it and what is beside that. */
  facts(schema: JsonObject, said: Json = schema): Facts {
    const facts = this.#factsOf(schema);
    if (facts.preset === "" && facts.options.length === 0) return facts;
    return this.isSecret(said) ? untold(facts) : facts;
  }

  /**
   * Whether what is written into the field is nobody else's to know, or a part of it is: a password, what is only ever sent, what
   * is made of one. Where there is too much to look at, it is.
   */
  isSecret(said: Json): boolean {
    if (!isJsonObject(said)) return false;
    const known = this.#secret.get(said);
    if (known !== undefined) return known;
    const seen = new Set<JsonObject>();
    const open: Json[] = [said];
    let found = false;
    for (let next = open.pop(); next !== undefined && !found; next = open.pop()) {
      if (!isJsonObject(next) || seen.has(next) || this.#secret.get(next) === false) continue;
      seen.add(next);
      found = this.#secret.get(next) === true || saysSecret(next) || this.looks.more() !== null;
      for (const part of partsOf(next)) open.push(part);
      const ref = textOf(own(next, "$ref"));
      if (ref.startsWith("#")) open.push(this.#at(ref) ?? null);
    }
    // Of what is no secret no part is one either.
    if (found) this.#secret.set(said, true);
    else for (const one of seen) this.#secret.set(one, false);
    return found;
  }

  #factsOf(schema: JsonObject): Facts {
    const known = this.#facts.get(schema);
    if (known !== undefined) return known;
    const facts: Facts = {
      type: typeOf(schema),
      title: textOf(own(schema, "title")),
      desc: textOf(own(schema, "description")),
      options: this.#options(schema),
      preset: presetOf(own(schema, "default")),
    };
    this.#facts.set(schema, facts);
    return facts;
  }

  /** The listed values, one more than a map keeps of them, so that whoever draws it sees that there were more. */
  #options(schema: JsonObject): readonly string[] {
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
  /** Whether the fields that are looked at are parts of one that is a secret. */
  #inSecret = false;

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
    const known = this.fields.get(path);
    if (known !== undefined) {
      if (this.#document.isSecret(json)) this.fields.set(path, untold(known));
      // Of one name is what `allOf` says twice; of names that are cut alike nobody knows.
      if (path.length > this.#document.textBytesMax)
        this.#document.note("not_expanded", `${quoted(path)} is cut short`);
      return null;
    }
    const field = this.#fieldOf(path, schema, isJsonObject(json) ? json : {});
    const inSecret = this.#inSecret;
    this.fields.set(path, inSecret ? untold(field) : field);
    const items = own(schema, "items");
    const inner = items === undefined ? parsed<Json>(schema) : this.#document.meant(items);
    if (!inner.ok) return inner;
    if (!hasFields(inner.value)) return null;
    if (level + 1 < LEVELS_MAX) {
      this.#inSecret ||= [json, schema].some((one) => isJsonObject(one) && saysSecret(one));
      const fault = this.into(inner.value, items === undefined ? path : `${path}[]`, level + 1, within);
      this.#inSecret = inSecret;
      return fault;
    }
    this.#document.note("not_expanded", `${quoted(path)} has fields of its own, too deep inside`);
    return null;
  }

  /** `beside`: what stands next to a reference, which is about this very field. */
  #fieldOf(path: string, schema: JsonObject, beside: JsonObject): Field {
    const facts = this.#document.facts(schema, beside);
    if (beside === schema) return { path, ...facts };
    const preset = own(beside, "default");
    return {
      ...facts,
      path,
      title: textOf(own(beside, "title") ?? facts.title),
      desc: textOf(own(beside, "description") ?? facts.desc),
      preset: preset === undefined || this.#document.isSecret(beside) ? facts.preset : presetOf(preset),
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

function presetOf(json: Json | undefined): string {
  if (json === undefined || json === null) return "";
  return typeof json === "string" ? json : writtenJson(json, PRESET_MAX);
}

/** A field without the values that it may have. */
function untold<Told extends Facts>(field: Told): Told {
  return { ...field, options: [], preset: "" };
}

/** Whether a schema itself says that its value is nobody else's to know. */
function saysSecret(schema: JsonObject): boolean {
  return own(schema, "format") === "password" || own(schema, "writeOnly") === true;
}

/** The schemas that a value, or a part of it, is of. */
function partsOf(schema: JsonObject): readonly Json[] {
  const lists = ["allOf", "anyOf", "oneOf", "prefixItems"].flatMap((key) => listOf(own(schema, key)));
  const properties = own(schema, "properties") ?? null;
  const named = isJsonObject(properties) ? Object.values(properties) : [];
  const items = own(schema, "items") ?? null;
  return [...lists, ...named, ...(Array.isArray(items) ? items : [items]), own(schema, "additionalProperties") ?? null];
}
