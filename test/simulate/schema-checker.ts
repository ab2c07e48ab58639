/**
 * The part of JSON Schema (draft 2020-12) that our schemas use, said once more and apart from our own
 * readers. A keyword that it does not know throws, so that no rule passes unchecked.
 */
type Schema = { readonly [keyword: string]: unknown };

const ABOUT = new Set(["$schema", "title", "description"]);

export function fits(schema: Schema, value: unknown): boolean {
  return Object.entries(schema).every(([keyword, rule]) => ABOUT.has(keyword) || holds(keyword, rule, schema, value));
}

function holds(keyword: string, rule: unknown, schema: Schema, value: unknown): boolean {
  const object = typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Schema) : null;
  const length = typeof value === "string" ? [...value].length : null;
  switch (keyword) {
    case "type":
      return typeOf(value).some((type) => [rule].flat().includes(type));
    case "enum":
      return (rule as readonly unknown[]).includes(value);
    case "anyOf":
      return (rule as readonly Schema[]).some((one) => fits(one, value));
    case "minLength":
      return length === null || length >= Number(rule);
    case "maxLength":
      return length === null || length <= Number(rule);
    case "pattern":
      return typeof value !== "string" || new RegExp(String(rule), "u").test(value);
    case "minimum":
      return typeof value !== "number" || value >= Number(rule);
    case "maximum":
      return typeof value !== "number" || value <= Number(rule);
    case "items":
      return !Array.isArray(value) || value.every((item) => fits(rule as Schema, item));
    case "minItems":
      return !Array.isArray(value) || value.length >= Number(rule);
    case "maxItems":
      return !Array.isArray(value) || value.length <= Number(rule);
    case "required":
      return object === null || (rule as readonly string[]).every((key) => Object.hasOwn(object, key));
    case "minProperties":
      return object === null || Object.keys(object).length >= Number(rule);
    case "maxProperties":
      return object === null || Object.keys(object).length <= Number(rule);
    case "properties":
      return (
        object === null ||
        Object.entries(rule as { readonly [key: string]: Schema }).every(
          ([key, inner]) => !Object.hasOwn(object, key) || fits(inner, object[key]),
        )
      );
    case "additionalProperties": {
      const known = Object.keys((schema.properties ?? {}) as Schema);
      const others = Object.entries(object ?? {}).filter(([key]) => !known.includes(key));
      return others.every(([, other]) => rule !== false && fits(rule as Schema, other));
    }
    default:
      throw new Error(`the checker does not know ${keyword}`);
  }
}

function typeOf(value: unknown): readonly string[] {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  if (typeof value === "number") return Number.isInteger(value) ? ["number", "integer"] : ["number"];
  return [typeof value];
}
