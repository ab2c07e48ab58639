/**
 * Controls as JSON lines: `{"map": "name", "controls": [{"id", "role", "text", "desc", "childText", "resourceId", "value",
 * "clickable", "disabled", "screen"}]}`, a map a line; what a control does not give is empty. Whether it can be clicked may be
 * unknown (`null`, or not said): then nothing speaks against it, and it counts as clickable. Keys that a map has no place for,
 * such as bounds, are passed over and named, and so is what stands in something that somebody writes into.
 */
import type { Control, Harvested } from "../../domain/control-map.ts";
import { isJsonObject, type Json, type JsonObject, own } from "../../domain/json.ts";
import { quoted } from "../../domain/json-limits.ts";
import type { MapLimits } from "../../domain/map-limits.ts";
import { type Parsed, parsed, unparsed } from "../../domain/parsed.ts";
import { parseJson } from "../../domain/scan.ts";
import { isWrittenRole } from "../../domain/written-roles.ts";
import { jsonLimits, jsonRefusal } from "./json-document.ts";
import { Gathering, type Reading } from "./reading.ts";

export function readJsonl(reading: Reading, limits: MapLimits): Parsed<Harvested> {
  const maps = readControlLines(reading, limits);
  if (!maps.ok) return maps;
  const names = [...maps.value.keys()];
  const [first = ""] = names;
  if (reading.map === null && names.length > 1) {
    return unparsed("several_maps", `there are ${names.length} maps in it: say which, such as ${quoted(first)}`);
  }
  const meant = maps.value.get(reading.map ?? first);
  return meant ?? unparsed("unknown_map", `there is no map ${quoted(reading.map ?? "")} in it`);
}

/** Every map of the text by its name, in its order. A line that is no map refuses the text; one whose map is refused does not. */
export function readControlLines(reading: Reading, limits: MapLimits): Parsed<ReadonlyMap<string, Parsed<Harvested>>> {
  const maps = new Map<string, Parsed<Harvested>>();
  const lines = reading.text.replace(/^\ufeff/, "").split("\n");
  for (const [i, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const json = parseJson(line.trimEnd(), jsonLimits(limits));
    if (!json.ok) {
      const { code, detail } = jsonRefusal(json.why, "not_jsonl").why;
      return unparsed(code, `line ${i + 1}: ${detail}`);
    }
    const name = isJsonObject(json.value) ? own(json.value, "map") : undefined;
    const controls = isJsonObject(json.value) ? own(json.value, "controls") : undefined;
    if (typeof name !== "string" || !Array.isArray(controls)) {
      return unparsed("not_jsonl", `line ${i + 1}: a line is {"map": "name", "controls": [...]}`);
    }
    if (maps.has(name)) return unparsed("not_jsonl", `line ${i + 1}: the map ${quoted(name)} is there twice`);
    maps.set(name, readMap(name, controls, reading, limits));
  }
  return maps.size > 0 ? parsed(maps) : unparsed("not_jsonl", "there is no line in it");
}

const TEXTS = ["text", "desc", "resourceId", "value", "screen"] as const;
const KNOWN: ReadonlySet<string> = new Set([...TEXTS, "id", "role", "childText", "clickable", "disabled"]);

function readMap(name: string, controls: readonly Json[], reading: Reading, limits: MapLimits): Parsed<Harvested> {
  const gathering = new Gathering(reading, limits);
  const unread = new Set<string>();
  for (const [i, json] of controls.entries()) {
    if (gathering.full) break;
    const control = isJsonObject(json) ? readControl(json) : null;
    if (control === null) {
      return unparsed(
        "not_jsonl",
        `map ${quoted(name)}: control ${i + 1} is not {"id", "role", ...} with texts for both`,
      );
    }
    for (const key of Object.keys(json as JsonObject)) if (!KNOWN.has(key)) unread.add(key);
    if (gathering.leavesOut(control.id, control.resourceId, control.text)) continue;
    const screen = control.screen || gathering.screen;
    if (!isWrittenRole(control.role)) {
      gathering.add({ ...control, screen });
      continue;
    }
    if (control.value !== "") unread.add(`value of ${control.role}`);
    if (control.childText.length > 0) unread.add(`childText of ${control.role}`);
    gathering.add({ ...control, screen, value: "", childText: [] });
  }
  for (const key of unread) gathering.note("unread_key", quoted(key));
  const where = `${reading.where}#${name}`;
  return gathering.draw({ ...reading, where }, "jsonl", { title: "", where: "" }, limits);
}

function readControl(json: JsonObject): Control | null {
  const [id, role] = [own(json, "id"), own(json, "role")];
  const [clickable, disabled] = [own(json, "clickable") ?? true, own(json, "disabled") ?? false];
  const childText = own(json, "childText") ?? [];
  const texts = TEXTS.map((key) => own(json, key) ?? "");
  if (typeof id !== "string" || typeof role !== "string" || id === "" || role === "") return null;
  if (typeof clickable !== "boolean" || typeof disabled !== "boolean" || !isTexts(childText) || !isTexts(texts))
    return null;
  const [text = "", desc = "", resourceId = "", value = "", screen = ""] = texts;
  return { id, screen, role, text, desc, childText, resourceId, value, clickable, disabled };
}

function isTexts(json: Json): json is readonly string[] {
  return Array.isArray(json) && json.every((one) => typeof one === "string");
}
