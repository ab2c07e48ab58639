import type { Json, JsonObject } from "../../src/domain/json.ts";

/** JSON with its keys in order: what is equal has one text. */
export function plainText(value: Json | JsonObject): string {
  if (Array.isArray(value)) return `[${value.map((one: Json) => plainText(one)).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, one]) => `${JSON.stringify(key)}:${plainText(one)}`).join()}}`;
}
