import { isJsonObject, type Json } from "./json.ts";

/** A Redaction: secrets by value and fields by name, declared by the operator; applied before an event exists (design 4.6). */
export type Redaction = {
  readonly values: readonly string[];
  /** Names of fields whose values never reach a record or a prompt; compared without regard to case. */
  readonly fields: readonly string[];
};

export const REDACTED = "[redacted]";
/** A shorter value would be found everywhere and hide what it should not. */
export const SECRET_LENGTH_MIN = 6;

/**
 * Replaces every declared value in a text, however JSON may have escaped it, JSON inside of JSON included. Values that
 * overlap are replaced together, so that neither leaves its tail.
 */
export function redactText(text: string, redaction: Redaction): string {
  const found = spansOf(text, formsOf(redaction.values)).sort((a, b) => a.from - b.from);
  let clean = "";
  let at = 0;
  for (const { from, to } of found) {
    if (from >= at) clean += text.slice(at, from) + REDACTED;
    at = Math.max(at, to);
  }
  return clean + text.slice(at);
}

/** Replaces declared values in all strings and numbers, keys included, and whole values of declared fields. */
export function redactJson(value: Json, redaction: Redaction): Json {
  if (redaction.values.length === 0 && redaction.fields.length === 0) return value;
  if (typeof value === "string") return redactText(value, redaction);
  if (typeof value === "number") {
    const clean = redactText(String(value), redaction);
    return clean === String(value) ? value : clean;
  }
  if (Array.isArray(value)) return value.map((item: Json) => redactJson(item, redaction));
  if (!isJsonObject(value)) return value;
  const fields = redaction.fields.map((field) => field.toLowerCase());
  const entries = Object.entries(value).map(([key, inner]): [string, Json] => [
    redactText(key, redaction),
    fields.includes(key.toLowerCase()) ? REDACTED : redactJson(inner, redaction),
  ]);
  // In the order of canonical JSON, as plainJson gives it: a key may have become another.
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

type Span = { readonly from: number; to: number };

function spansOf(text: string, forms: readonly RegExp[]): Span[] {
  const spans: Span[] = [];
  for (const form of forms) {
    let last: Span | null = null;
    form.lastIndex = 0;
    for (let match = form.exec(text); match !== null; match = form.exec(text)) {
      const to = match.index + match[0].length;
      if (last !== null && match.index < last.to) last.to = Math.max(last.to, to);
      else {
        last = { from: match.index, to };
        spans.push(last);
      }
      // A value may overlap itself, too.
      form.lastIndex = match.index + 1;
    }
  }
  return spans;
}

const forms = new WeakMap<readonly string[], readonly RegExp[]>();

/** A pattern for each value, made once. */
export function formsOf(values: readonly string[]): readonly RegExp[] {
  let made = forms.get(values);
  if (made === undefined) {
    made = values.filter((value) => value !== "").map(formOf);
    forms.set(values, made);
  }
  return made;
}

/**
 * Backslashes before an escape in JSON that is a string of JSON, and so on, 4 deep: 1, 2, 4, 8. A quote has then 15 of them
 * before itself, and a backslash is 16. Bounded, so that matching is linear.
 */
const SLASHES = "\\\\{1,8}";
const SHORT: ReadonlyMap<string, string> = new Map([
  ["\b", "b"],
  ["\f", "f"],
  ["\n", "n"],
  ["\r", "r"],
  ["\t", "t"],
]);

/** Each UTF-16 unit as itself or escaped. */
function formOf(value: string): RegExp {
  const units = value.match(/\\+|[^\\]/g) ?? [];
  return new RegExp(units.map(unitForm).join(""), "g");
}

function unitForm(unit: string): string {
  // A run of backslashes is one unit: apart, each would try every share of a long run. At each place there is one way on.
  if (unit.startsWith("\\")) return `\\\\(?:\\\\|u005[cC]){${unit.length - 1},${unit.length * 16}}`;
  const hex = unit.charCodeAt(0).toString(16).padStart(4, "0");
  const escaped = `${SLASHES}u${hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`;
  const plain = `\\u${hex}`;
  const short = SHORT.get(unit);
  if (short !== undefined) return `(?:${plain}|${SLASHES}${short}|${escaped})`;
  return unit === '"' || unit === "'" || unit === "/" ? `(?:\\\\{0,15}${plain}|${escaped})` : `(?:${plain}|${escaped})`;
}
