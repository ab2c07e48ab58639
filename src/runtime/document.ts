import type { Json } from "../domain/json.ts";
import { JSON_LIMITS, type JsonLimits } from "../domain/json-limits.ts";
import { type Parsed, parsed, unparsed } from "../domain/parsed.ts";
import { parseJson } from "../domain/scan.ts";
import type { Fault, Form } from "./form.ts";

/** How large one document that people write may be: what tools give is in it. */
export const DOCUMENT_LIMITS: JsonLimits = { ...JSON_LIMITS, bytesMax: 4_194_304, depthMax: 48, keysMax: 200_000 };

/** Faults that are told of one document. */
const FAULTS_MAX = 20;

/** Reads a document that people write. `not_json` and its like name the line and column, `code` each fault's place, one a line. */
export function parseDocument<T>(form: Form<T>, written: string, limits: JsonLimits, code: string): Parsed<T> {
  const json = parseWritten(written, limits);
  return json.ok ? readDocument(form, json.value, code) : json;
}

/** The same for a document that has been read as JSON. */
export function readDocument<T>(form: Form<T>, document: Json, code: string): Parsed<T> {
  const faults: Fault[] = [];
  const value = form.read(document, "", faults);
  if (value !== undefined && faults.length === 0) return parsed(value);
  return refusedFor(faults, code);
}

/** Reads JSON strictly; a fault is told with its line and column, as editors count. */
export function parseWritten(written: string, limits: JsonLimits): Parsed<Json> {
  const json = parseJson(written, limits);
  return json.ok ? json : unparsed(json.why.code, placed(written, json.why.detail));
}

/** Each fault with its place, one a line; of very many, the first ones. */
export function refusedFor(faults: readonly Fault[], code: string): Parsed<never> {
  const lines = faults.slice(0, FAULTS_MAX).map(({ path, message }) => `${path}: ${message}`);
  if (faults.length > FAULTS_MAX) lines.push(`and ${faults.length - FAULTS_MAX} more`);
  return unparsed(code, lines.join("\n"));
}

/** `character 17: …` as `line 2, column 5: …`. */
function placed(written: string, detail: string): string {
  const match = /^character (\d+): (.*)$/s.exec(detail);
  if (match === null) return detail;
  const before = written.slice(0, Number(match[1])).split("\n");
  return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}: ${match[2]}`;
}
