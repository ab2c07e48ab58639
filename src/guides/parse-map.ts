import { canonicalJson } from "../domain/canonical.ts";
import { type Control, type ControlMap, HARVEST_KINDS, type HarvestKind, type Screen } from "../domain/control-map.ts";
import { drawMap } from "../domain/draw-map.ts";
import { isJsonObject, type Json, type JsonObject, own } from "../domain/json.ts";
import { MAP_LIMITS, type MapLimits } from "../domain/map-limits.ts";
import { type Parsed, parsed, unparsed } from "../domain/parsed.ts";
import { parseJson } from "../domain/scan.ts";

/** A map as a file keeps it: its canonical JSON on one line, so that the same map is the same bytes but for its time. */
export function mapFile(map: ControlMap): string {
  return `${canonicalJson(map as unknown as Json)}\n`;
}

/**
 * Reads such a file strictly, and through the one constructor of maps: what is no map that a harvest could have given is refused.
 * Codes: those of the JSON scanner, `not_a_map`, and those of a harvest.
 */
export function parseMap(text: string, limits: MapLimits = MAP_LIMITS): Parsed<ControlMap> {
  const json = parseJson(text, { bytesMax: limits.bytesMax, depthMax: 8, keysMax: 500_000, digitsMax: 16 });
  if (!json.ok) return json;
  const draft = draftIn(json.value);
  if (draft === null) return refuse("it is not what `signalbox harvest` writes");
  const drawn = drawMap({ ...draft, findings: [] }, limits);
  if (!drawn.ok) return drawn;
  const { map } = drawn.value;
  return canonicalJson(map as unknown as Json) === canonicalJson(json.value)
    ? parsed(map)
    : refuse("its ids or texts are none that a harvest gives: it was edited");
}

function refuse(detail: string) {
  return unparsed("not_a_map", detail);
}

function draftIn(value: Json): Omit<ControlMap, "version"> | null {
  if (!hasExactly(value, ["version", "app", "source", "at", "screens", "controls"])) return null;
  const { version, app, source, at, screens, controls } = value as { readonly [key: string]: Json };
  if (version !== 1 || !(app === null || typeof app === "string") || !Number.isSafeInteger(at)) return null;
  if (!hasExactly(source, ["kind", "where"]) || !Array.isArray(screens) || !Array.isArray(controls)) return null;
  const { kind, where } = source;
  if (!isKind(kind) || typeof where !== "string") return null;
  const read = { screens: screens.map(screenIn), controls: controls.map(controlIn) };
  if (read.screens.includes(null) || read.controls.includes(null)) return null;
  return {
    ...{ app, source: { kind, where }, at: Number(at) },
    screens: read.screens as readonly Screen[],
    controls: read.controls as readonly Control[],
  };
}

const SCREEN_TEXTS = ["id", "title", "where"];
const CONTROL_TEXTS = ["id", "screen", "role", "text", "desc", "resourceId", "value"];
const CONTROL_FLAGS = ["clickable", "disabled"];

function screenIn(value: Json): Screen | null {
  if (!hasExactly(value, [...SCREEN_TEXTS, "entry"])) return null;
  return SCREEN_TEXTS.every((key) => isText(own(value, key))) && isTexts(own(value, "entry")) ? (value as never) : null;
}

function controlIn(value: Json): Control | null {
  if (!hasExactly(value, [...CONTROL_TEXTS, ...CONTROL_FLAGS, "childText"])) return null;
  const said = CONTROL_TEXTS.every((key) => isText(own(value, key))) && isTexts(own(value, "childText"));
  return said && CONTROL_FLAGS.every((key) => typeof own(value, key) === "boolean") ? (value as never) : null;
}

function hasExactly(value: Json | undefined, keys: readonly string[]): value is JsonObject {
  if (value === undefined || !isJsonObject(value)) return false;
  return Object.keys(value).length === keys.length && keys.every((key) => Object.hasOwn(value, key));
}

function isKind(kind: Json | undefined): kind is HarvestKind {
  return HARVEST_KINDS.some((known) => known === kind);
}

function isText(value: Json | undefined): value is string {
  return typeof value === "string";
}

function isTexts(value: Json | undefined): boolean {
  return Array.isArray(value) && value.every(isText);
}
