import { isJsonObject, type Json, type JsonObject } from "../domain/json.ts";
import { nearest } from "../domain/nearest.ts";

/** One thing that is wrong with a document, and where: `steps[2].proposal.tool`. */
export type Fault = { readonly path: string; readonly message: string };

/**
 * A Form: the shape of a document that people write. It is read strictly, every fault with its place, and told as JSON
 * Schema; both come from one declaration, so what the one refuses the other does.
 */
export type Form<T> = {
  readonly type: "string" | "integer" | "array" | "object" | "any";
  /** Adds to `faults`, and gives undefined, where the value does not fit. */
  read(value: Json, path: string, faults: Fault[]): T | undefined;
  readonly schema: JsonObject;
};

type Field<T> = { readonly form: Form<T>; readonly says: string; readonly needed: boolean; readonly otherwise?: T };

export function needed<T>(form: Form<T>, says: string): Field<T> {
  return { form, says, needed: true };
}

/** A field that may be left out; then it reads as `otherwise`. */
export function left<T, O>(form: Form<T>, otherwise: O, says: string): Field<T | O> {
  return { form, says, needed: false, otherwise };
}

/** A text of 1 to `max` characters. `pattern` is anchored; `what` says it in words. */
export function text(max: number, pattern?: { readonly source: string; readonly what: string }): Form<string> {
  const form = pattern === undefined ? null : new RegExp(pattern.source, "u");
  return {
    type: "string",
    schema: {
      type: "string",
      minLength: 1,
      maxLength: max,
      ...(pattern === undefined ? {} : { pattern: pattern.source }),
    },
    read(value, path, faults) {
      if (typeof value !== "string") return refuse(faults, path, "must be a text");
      // JSON Schema counts characters, not UTF-16 units.
      const length = value.length > max ? [...value].length : value.length;
      if (length < 1 || length > max) return refuse(faults, path, `must have 1 to ${max} characters`);
      if (form !== null && !form.test(value)) return refuse(faults, path, `must be ${pattern?.what}`);
      return value;
    },
  };
}

/** Characters of a text that people write, such as a request. */
export const TEXT_MAX = 32_768;

/** What something is called. */
export const NAME = text(256);

/** Whom something is about, or what it is called in results. */
export const ID = text(128, {
  source: "^[A-Za-z0-9][A-Za-z0-9:._-]{0,127}$",
  what: "an id: letters, digits and : . _ - are",
});

export function oneOf<const T extends string>(...words: readonly T[]): Form<T> {
  return {
    type: "string",
    schema: { enum: words },
    read(value, path, faults) {
      const word = words.find((known) => known === value);
      if (word !== undefined) return word;
      return refuse(faults, path, otherWord(value, words));
    },
  };
}

/** A whole number from 0 to `most`. */
export function whole(most = Number.MAX_SAFE_INTEGER): Form<number> {
  return {
    type: "integer",
    schema: { type: "integer", minimum: 0, maximum: most },
    read(value, path, faults) {
      if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= most) return value;
      const range = most === Number.MAX_SAFE_INTEGER ? "of at least 0" : `from 0 to ${most}`;
      return refuse(faults, path, `must be a whole number ${range}`);
    },
  };
}

function otherWord(value: Json, words: readonly string[]): string {
  const bare = typeof value === "string" ? value.trim().toLowerCase() : null;
  const same = words.find((known) => known.toLowerCase() === bare);
  if (same !== undefined) return `must be "${same}" as it stands here, in this case and without spaces`;
  if (words.length === 1) return `must be "${words[0]}"`;
  const near = typeof value === "string" ? nearest(value, words) : null;
  const all = `must be one of ${words.map((known) => `"${known}"`).join(", ")}`;
  return near === null ? all : `${all}; did you mean "${near}"?`;
}

/** Anything that JSON can say. */
export function anything(): Form<Json> {
  return { type: "any", schema: {}, read: (value) => value };
}

export function anyObject(): Form<JsonObject> {
  return {
    type: "object",
    schema: { type: "object" },
    read: (value, path, faults) => (isJsonObject(value) ? value : refuse(faults, path, "must be an object")),
  };
}

export function list<T>(item: Form<T>, min: number, max: number): Form<readonly T[]> {
  return {
    type: "array",
    schema: { type: "array", items: item.schema, ...(min > 0 ? { minItems: min } : {}), maxItems: max },
    read(value, path, faults) {
      if (!Array.isArray(value)) return refuse(faults, path, "must be a list");
      if (value.length < min || value.length > max) return refuse(faults, path, `must have ${min} to ${max} items`);
      const before = faults.length;
      const items = value.map((inner: Json, i) => item.read(inner, `${path}[${i}]`, faults));
      return faults.length > before ? undefined : (items as readonly T[]);
    },
  };
}

type ReadOf<Fields> = { readonly [Key in keyof Fields]: Fields[Key] extends Field<infer T> ? T : never };

/** An object of these fields and no others. */
export function object<Fields extends { readonly [key: string]: Field<unknown> }>(
  fields: Fields,
): Form<ReadOf<Fields>> {
  const entries = Object.entries(fields);
  const required = entries.filter(([, field]) => field.needed).map(([key]) => key);
  const properties = Object.fromEntries(
    entries.map(([key, { form, says }]) => [key, says === "" ? form.schema : { description: says, ...form.schema }]),
  );
  return {
    type: "object",
    schema: { type: "object", properties, ...(required.length === 0 ? {} : { required }), additionalProperties: false },
    read(value, path, faults) {
      if (!isJsonObject(value)) return refuse(faults, path, "must be an object");
      const before = faults.length;
      refuseStray(value, Object.keys(fields), path, faults);
      const read: { [key: string]: unknown } = {};
      for (const [key, field] of entries) {
        const at = path === "" ? key : `${path}.${key}`;
        if (Object.hasOwn(value, key)) read[key] = field.form.read(value[key] ?? null, at, faults);
        else if (field.needed) refuse(faults, at, "is missing");
        else read[key] = field.otherwise;
      }
      return faults.length > before ? undefined : (read as ReadOf<Fields>);
    },
  };
}

type Kinds = { readonly [kind: string]: Form<unknown> };
type KindOf<K extends Kinds> = {
  readonly [Kind in keyof K]: { readonly kind: Kind; readonly value: K[Kind] extends Form<infer T> ? T : never };
}[keyof K];

/** An object with exactly one of these keys, which says what its value is. */
export function exactlyOne<const K extends Kinds>(kinds: K): Form<KindOf<K>> {
  const names = Object.keys(kinds);
  const properties = Object.fromEntries(Object.entries(kinds).map(([kind, { schema }]) => [kind, schema]));
  return {
    type: "object",
    schema: { type: "object", properties, minProperties: 1, maxProperties: 1, additionalProperties: false },
    read(value, path, faults) {
      if (!isJsonObject(value)) return refuse(faults, path, "must be an object");
      const before = faults.length;
      refuseStray(value, names, path, faults);
      if (faults.length > before) return undefined;
      const [kind, ...more] = Object.keys(value);
      const form = kind === undefined ? undefined : kinds[kind];
      if (kind === undefined || form === undefined || more.length > 0) {
        return refuse(faults, path, `must have exactly one of the keys ${names.join(", ")}`);
      }
      const read = form.read(value[kind] ?? null, `${path}.${kind}`, faults);
      return faults.length > before ? undefined : ({ kind, value: read } as KindOf<K>);
    },
  };
}

/** One of two forms that JSON's types tell apart. */
export function either<A, B>(a: Form<A>, b: Form<B>): Form<A | B> {
  return {
    type: "any",
    schema: { anyOf: [a.schema, b.schema] },
    read(value, path, faults) {
      const form: Form<A | B> | undefined = [a, b].find(({ type }) => type === "any" || type === typeOf(value));
      if (form !== undefined) return form.read(value, path, faults);
      return refuse(faults, path, `must be ${SAID[a.type]} or ${SAID[b.type]}`);
    },
  };
}

/** The same form, read on as something else. `refused` of what `turn` gives null for. */
export function turned<A, B>(form: Form<A>, turn: (value: A) => B | null, refused: string): Form<B> {
  return {
    ...form,
    read(value, path, faults) {
      const before = faults.length;
      const read = form.read(value, path, faults);
      if (faults.length > before) return undefined;
      return turn(read as A) ?? refuse(faults, path, refused);
    },
  };
}

const SAID: { readonly [Type in Form<unknown>["type"]]: string } = {
  string: "a text",
  integer: "a whole number",
  array: "a list",
  object: "an object",
  any: "anything",
};

function typeOf(value: Json): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "number" ? "integer" : value === null ? "null" : typeof value;
}

function refuseStray(value: JsonObject, known: readonly string[], path: string, faults: Fault[]): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const near = nearest(key, known);
    refuse(faults, path, `unknown key "${key}"${near === null ? "" : `; did you mean "${near}"?`}`);
  }
}

function refuse(faults: Fault[], path: string, message: string): undefined {
  faults.push({ path: path === "" ? "the document" : path, message });
  return undefined;
}
