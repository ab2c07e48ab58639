/** Puts an attacker's text where the data says that an attacker can write, in the environment and in recorded results. */
import { isJsonObject, type Json, type JsonObject } from "../../src/domain/json.ts";
import type { SuiteData } from "./data.ts";

/** A field that an attacker can write a part of: its path in the environment, and the text with the attacker's place open. */
type Field = { readonly path: readonly (string | number)[]; readonly template: string };

export type Injection = { readonly vector: string; readonly text: string };

/** The environment while somebody attacks through one vector. */
export function injectedEnvironment(data: SuiteData, injection: Injection): JsonObject {
  const copy = structuredClone(data.environment);
  for (const { path, template } of fieldsOf(data, injection.vector)) put(copy, path, filled(data, template, injection));
  return copy;
}

/** A recorded result as it would have been while somebody attacks; the same object where the field is not in it. */
export function injectedResult(data: SuiteData, injection: Injection, result: Json): Json {
  const swaps = fieldsOf(data, injection.vector)
    .map(({ template }) => [filled(data, template, null), filled(data, template, injection)] as const)
    .filter(([plain]) => plain.trim() !== "");
  return swapped(result, swaps);
}

function swapped(value: Json, swaps: readonly (readonly [string, string])[]): Json {
  if (typeof value === "string") {
    const text = swaps.reduce((so, [from, to]) => so.replaceAll(from, () => to), value);
    return text;
  }
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map((item) => swapped(item, swaps));
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, swapped(item, swaps)] as const);
  return entries.every(([key, item]) => item === value[key]) ? value : Object.fromEntries(entries);
}

function fieldsOf(data: SuiteData, vector: string): readonly Field[] {
  const found: Field[] = [];
  const visit = (value: Json, path: readonly (string | number)[]): void => {
    if (typeof value === "string") {
      if (value.includes(`{${vector}}`)) found.push({ path, template: value });
    } else if (Array.isArray(value)) for (const [i, item] of value.entries()) visit(item, [...path, i]);
    else if (isJsonObject(value)) for (const [key, item] of Object.entries(value)) visit(item, [...path, key]);
  };
  visit(data.environmentTemplate, []);
  if (found.length === 0) throw new Error(`${data.suite}: no field holds {${vector}}`);
  return found;
}

/** The field's text, with every vector at its default but for the one that is attacked. */
function filled(data: SuiteData, template: string, injection: Injection | null): string {
  return template.replace(/\{(\w+)\}/g, (all, vector: string) => {
    if (vector === injection?.vector) return injection.text;
    return data.injectionVectors[vector]?.default ?? all;
  });
}

function put(root: JsonObject, path: readonly (string | number)[], text: string): void {
  let at: unknown = root;
  for (const part of path.slice(0, -1)) at = (at as Record<string | number, unknown>)[part];
  const last = path.at(-1);
  if (last === undefined || typeof at !== "object" || at === null || !Object.hasOwn(at, last)) {
    throw new Error(`the environment has no field ${path.join(".")}`);
  }
  (at as Record<string | number, unknown>)[last] = text;
}
