import { isJsonObject, type Json } from "../../domain/json.ts";
import { keyPath, keysPath } from "./path.ts";

/** A text or a number in JSON, and where. Booleans and null carry nothing anywhere, so nobody traces them. */
export type Leaf = { readonly path: string; readonly text: string };

/** Calls `hear` with each leaf of a value and with the keys of its objects. */
export function hearLeaves(value: Json, path: string, hear: (text: string, path: string) => void): void {
  if (typeof value === "string") hear(value, path);
  else if (typeof value === "number") hear(String(value), path);
  else if (Array.isArray(value)) {
    const items = `${path}[]`;
    for (const item of value as readonly Json[]) hearLeaves(item, items, hear);
  } else if (isJsonObject(value)) {
    const keys = keysPath(path);
    for (const [key, one] of Object.entries(value)) {
      hear(key, keys);
      hearLeaves(one, keyPath(path, key), hear);
    }
  }
}

/** The leaves of a value in params, with the index of each item in its path; `most` of them. */
export function paramLeaves(value: Json, path: string, most: number): readonly Leaf[] {
  const leaves: Leaf[] = [];
  const visit = (at: Json, where: string): void => {
    if (leaves.length >= most) return;
    if (typeof at === "string") leaves.push({ path: where, text: at });
    else if (typeof at === "number") leaves.push({ path: where, text: String(at) });
    else if (Array.isArray(at))
      for (const [i, item] of (at as readonly Json[]).entries()) visit(item, `${where}[${i}]`);
    else if (isJsonObject(at)) for (const [key, one] of Object.entries(at)) visit(one, keyPath(where, key));
  };
  visit(value, path);
  return leaves;
}
