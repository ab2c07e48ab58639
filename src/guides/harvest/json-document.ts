import type { Json } from "../../domain/json.ts";
import type { JsonLimits } from "../../domain/json-limits.ts";
import type { MapLimits } from "../../domain/map-limits.ts";
import { type Parsed, unparsed, type Why } from "../../domain/parsed.ts";
import { parseJson } from "../../domain/scan.ts";
import { readYaml } from "./read-yaml.ts";

const KEYS_MAX = 2_000_000;

export function jsonLimits({ bytesMax, depthMax }: MapLimits): JsonLimits {
  return { bytesMax, depthMax, keysMax: KEYS_MAX, digitsMax: 400 };
}

/** Refusals of the strict scanner that say nothing against a document whose numbers and prototypes nobody uses. */
const HARMLESS: ReadonlySet<string> = new Set(["unsafe_integer", "number_out_of_range", "forbidden_key"]);

/**
 * Reads a document of somebody else's that is JSON. The house's own scanner refuses what a ledger could not record, such as
 * `9223372036854775807`; interface descriptions have such limits all the time, so these are read as the YAML that JSON is.
 */
export function readJsonDocument(text: string, limits: MapLimits): Parsed<Json> {
  const even = text.replace(/^\ufeff/, "");
  const json = parseJson(even, jsonLimits(limits));
  if (json.ok) return json;
  if (HARMLESS.has(json.why.code)) return readYaml(even, { aliases: false, texts: false }, limits);
  return jsonRefusal(json.why, "not_json");
}

/** Why there is no JSON in a text, in the codes of a harvest. */
export function jsonRefusal({ code, detail }: Why, otherwise: "not_json" | "not_jsonl"): ReturnType<typeof unparsed> {
  if (code === "too_large" || code === "too_deep") return unparsed(code, detail);
  if (code === "too_many_keys") return unparsed("too_large", detail);
  return unparsed(otherwise, code === "not_json" ? detail : `${code}, ${detail}`);
}
