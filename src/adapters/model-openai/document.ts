import { isJsonObject, type Json, own } from "../../domain/json.ts";
import { type JsonLimits, numberFault } from "../../domain/json-limits.ts";
import { jsonFrom } from "../../domain/json-text.ts";
import { type Parsed, parsed } from "../../domain/parsed.ts";
import { parseJson } from "../../domain/scan.ts";
import { BODY_BYTES_MAX } from "./body.ts";

/**
 * A JSON document of a server. `inexact`: it held numbers that JavaScript cannot carry, and they stand there as null.
 * Strings may hold halves of surrogate pairs.
 */
export type Document = { readonly value: Json; readonly inexact: boolean };

/** The bound on a body bounds the rest. Mending makes a text longer by less than half. */
const LIMITS: JsonLimits = {
  bytesMax: 2 * BODY_BYTES_MAX,
  depthMax: 128,
  keysMax: BODY_BYTES_MAX,
  digitsMax: 64,
};

/** What says nothing against the rest of a document. */
const MENDABLE: readonly string[] = ["lone_surrogate", "unsafe_integer", "number_out_of_range"];

/**
 * Reads a document of a server with the house's scanner, so that it has one reading only: a key that is there twice, in a
 * message or in the arguments of a call, would be one thing to us and another to whoever reads the record.
 *
 * Two things that the scanner refuses are let through here, since good answers have them. Numbers beyond 2^53 stand in
 * fields that nobody reads, such as `created`; they become null, and whoever takes arguments out of an inexact document has
 * to refuse them. Halves of surrogate pairs are written by small models, and by servers that cut a text by UTF-16 units
 * into the pieces of a stream; they are kept, so that pieces can be joined before what is still half is replaced.
 */
export function readDocument(text: string): Parsed<Document> {
  const strict = parseJson(text, LIMITS);
  if (strict.ok) return parsed({ value: strict.value, inexact: false });
  if (!MENDABLE.includes(strict.why.code)) return strict;
  const { checked, kept, numbers } = mended(text);
  const again = parseJson(checked, LIMITS);
  return again.ok ? parsed({ value: jsonFrom(kept), inexact: numbers > 0 }) : again;
}

/** A field of an object, or undefined. */
export function field(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) ? own(value, key) : undefined;
}

/** A text that is not empty, or undefined. */
export function said(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The text with its numbers mended, once with halves of pairs replaced and once with them. One pass, linear. */
function mended(text: string): { readonly checked: string; readonly kept: string; readonly numbers: number } {
  let checked = "";
  let kept = "";
  let numbers = 0;
  for (let at = 0; at < text.length; ) {
    const end = tokenEnd(text, at);
    const token = text.slice(at, end);
    at = end;
    if (token.startsWith('"')) {
      kept += token;
      checked += token.includes("\\u")
        ? token.replace(ESCAPE, (whole) => (HALF.test(whole) ? "\\ufffd" : whole))
        : token;
      continue;
    }
    const lost = NUMBER.test(token) && (token.length > LIMITS.digitsMax || numberFault(Number(token)) !== undefined);
    if (lost) numbers += 1;
    checked += lost ? "null" : token;
    kept += lost ? "null" : token;
  }
  return { checked, kept, numbers };
}

/** A pair of escaped halves is one match, so that what matches HALF has lost its other one. */
const ESCAPE = /\\(?:u[Dd][89ABab][\dA-Fa-f]{2}\\u[Dd][C-Fc-f][\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|[^u])/g;
const HALF = /^\\u[Dd][89A-Fa-f][\dA-Fa-f]{2}$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Where the string, the number or whatever else begins at `at` ends. */
function tokenEnd(text: string, at: number): number {
  if (text.charAt(at) === '"') return stringEnd(text, at);
  const digits = DIGITS.includes(text.charAt(at));
  let end = at + 1;
  while (end < text.length && text.charAt(end) !== '"' && NUMERIC.includes(text.charAt(end)) === digits) end += 1;
  return end;
}

const DIGITS = "-0123456789";
const NUMERIC = "-0123456789+.eE";

function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charAt(at - 1 - slashes) === "\\") slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return text.length;
}
