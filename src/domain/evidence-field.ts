import { isJsonObject, type Json, type JsonObject, own } from "./json.ts";

/** Places of a schema that are looked at for the names of its fields. What is larger is not read on. */
const PLACES_MAX = 1_000;

/**
 * Under which name a native call cites its evidence, beside the tool's own params; null where the tool asks for none. The
 * one function that decides it: the schema that a server is given and the reader of the call must agree.
 */
export function evidenceFieldOf(paramsSchema: JsonObject | null, evidenceMin: number): string | null {
  if (evidenceMin === 0) return null;
  const taken = paramsSchema === null ? new Set<string>() : fieldsOf(paramsSchema);
  let name = "evidence";
  // Ends, since there are fewer fields than names.
  for (let i = 1; taken.has(name); i++) name = i === 1 ? "evidence_ids" : `evidence_ids_${i}`;
  return name;
}

/** The names of the top-level fields, whichever branch of the schema has them. */
function fieldsOf(root: JsonObject): ReadonlySet<string> {
  const fields = new Set<string>();
  const open = new Set<Json>([root]);
  for (const node of open) {
    if (!isJsonObject(node) || open.size > PLACES_MAX) continue;
    const properties = own(node, "properties");
    if (isJsonObject(properties)) for (const key of Object.keys(properties)) fields.add(key);
    for (const key of ["anyOf", "oneOf", "allOf"]) {
      const branches = own(node, key);
      if (Array.isArray(branches)) for (const branch of branches as readonly Json[]) open.add(branch);
    }
    const target = resolveRef(own(node, "$ref"), root);
    if (target !== null) open.add(target);
  }
  return fields;
}

/** What a local `$ref` points at, or null. */
export function resolveRef(ref: Json | undefined, root: JsonObject): JsonObject | null {
  if (ref === "#") return root;
  if (typeof ref !== "string" || !ref.startsWith("#/")) return null;
  let node: Json = root;
  for (const part of ref.slice(2).split("/")) {
    const next: Json | undefined = isJsonObject(node)
      ? own(node, part.replaceAll("~1", "/").replaceAll("~0", "~"))
      : undefined;
    if (next === undefined) return null;
    node = next;
  }
  return isJsonObject(node) ? node : null;
}
