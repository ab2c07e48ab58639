/** The two JSONL files that grounding is measured on: `pairs` and `controls`, a pair and a map a line. */
import type { Control, ControlMap } from "../../domain/control-map.ts";
import { isJsonObject, type Json, type JsonObject, own } from "../../domain/json.ts";
import { type Parsed, parsed, unparsed } from "../../domain/parsed.ts";
import { parseJson } from "../../domain/scan.ts";
import type { Pair } from "./evaluate.ts";

/** A line may hold a whole interface. */
const LINE_LIMITS = { bytesMax: 64_000_000, depthMax: 8, keysMax: 4_000_000, digitsMax: 64 };

type Shape = Parsed<JsonObject>;

/**
 * `{id?, map, intent, expected, accept?, kind?, core?}` a line; what else stands there is left alone. `expected` is null or empty where
 * no control is right. `core` is true where it is not said.
 */
export function readPairs(text: string): Parsed<readonly Pair[]> {
  return readLines(text, (line, number) => {
    const [map, intent] = [textOf(line, "map"), textOf(line, "intent")];
    const [expected, accept] = [own(line, "expected"), own(line, "accept") ?? []];
    if (map === null || intent === null) return "needs the texts map and intent";
    if (expected === undefined) return "needs expected: the id of the right control, or null where there is none";
    if (expected !== null && typeof expected !== "string") return "expected is the id of a control, or null";
    if (!isTexts(accept)) return "accept is a list of ids";
    const core = own(line, "core") ?? true;
    if (typeof core !== "boolean") return "core is true or false";
    const [id, kind] = [textOf(line, "id") ?? "", textOf(line, "kind") ?? ""];
    return { id, map, intent, expected: expected === "" ? null : expected, accept, kind, core, line: number };
  });
}

/** `{map, controls}` a line: each a map of one screen. */
export function readControlMaps(text: string): Parsed<readonly ControlMap[]> {
  return readLines(text, (line) => {
    const [map, rows] = [textOf(line, "map"), own(line, "controls")];
    if (map === null || !Array.isArray(rows)) return "needs the text map and the list controls";
    const controls: Control[] = [];
    const ids = new Set<string>();
    for (const row of rows as readonly Json[]) {
      const control = isJsonObject(row) ? controlFrom(row, map) : null;
      if (control === null) return `control ${controls.length + 1} has no text id, or a field of another type`;
      if (ids.has(control.id)) return `two controls have the id ${JSON.stringify(control.id)}`;
      ids.add(control.id);
      controls.push(control);
    }
    return {
      version: 1,
      app: null,
      source: { kind: "jsonl", where: map },
      at: 0,
      screens: [{ id: map, title: "", where: "", entry: [] }],
      controls,
    };
  });
}

/** A control that does not say whether it can be clicked may be clicked. */
function controlFrom(row: JsonObject, screen: string): Control | null {
  const id = textOf(row, "id");
  const texts = ["role", "text", "desc", "resourceId", "value"].map((name) => own(row, name) ?? "");
  const [role, text, desc, resourceId, value] = texts;
  const childText = own(row, "childText") ?? [];
  const [clickable, disabled] = [own(row, "clickable") ?? true, own(row, "disabled") ?? false];
  if (id === null || !isTexts(texts) || !isTexts(childText)) return null;
  if (typeof clickable !== "boolean" || typeof disabled !== "boolean") return null;
  return {
    ...{ id, screen, role: String(role), text: String(text), desc: String(desc), childText },
    ...{ resourceId: String(resourceId), value: String(value), clickable, disabled },
  };
}

/** `read` gives the value of a line, or says what is wrong with it. */
function readLines<T>(text: string, read: (line: JsonObject, number: number) => T | string): Parsed<readonly T[]> {
  const values: T[] = [];
  for (const [i, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const value = objectFrom(line);
    if (!value.ok) return unparsed(value.why.code, `line ${i + 1}: ${value.why.detail}`);
    const made = read(value.value, i + 1);
    if (typeof made === "string") return unparsed("bad_line", `line ${i + 1}: ${made}`);
    values.push(made);
  }
  return values.length === 0 ? unparsed("no_lines", "there is no line in it") : parsed(values);
}

function objectFrom(line: string): Shape {
  const json = parseJson(line, LINE_LIMITS);
  if (!json.ok) return json;
  return isJsonObject(json.value) ? parsed(json.value) : unparsed("bad_line", "is no object");
}

function textOf(line: JsonObject, name: string): string | null {
  const value = own(line, name);
  return typeof value === "string" ? value : null;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}
