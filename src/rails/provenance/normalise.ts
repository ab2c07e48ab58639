import { daysBetween } from "../../domain/dates.ts";
import { HIDDEN } from "../../domain/hidden.ts";
import type { Spelling } from "../../domain/provenance.ts";
import { isPrintable, isWellFormed } from "../../domain/text.ts";

/**
 * When two spellings are one value: the closed list of docs/guide.md. Nothing is guessed, decoded, joined or looked for
 * inside, and what does not have the form that it is compared by equals nothing.
 */

/** C0 controls but for white space, and the three characters that NFC turns into ASCII ones: they look like what they are not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const ODD = /[\u0000-\u0008\u000e-\u001f\u037e\u1fef\u212a]/;

/** Whether a value can have been seen at all. One with hidden characters never was, whatever else holds the same ones. */
export function isTraceable(text: string): boolean {
  if (isPrintable(text)) return text !== "";
  return isWellFormed(text) && !HIDDEN.test(text) && !ODD.test(text);
}

/** NFC, without outer white space, and each run of it inside one space. White space is that of ASCII and U+00A0. */
export function plainText(text: string): string {
  if (isPrintable(text) && !text.includes("  ")) return text.trim();
  return text
    .normalize("NFC")
    .replace(/[\t-\r \u00a0]+/g, " ")
    .replace(/^ | $/g, "");
}

/** ASCII letters in lower case, and no others: the length stays. */
export function folded(text: string): string {
  return isPrintable(text) ? text.toLowerCase() : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The names under which a value is kept, and under which it is looked up. Two values that share one are the same. */
export type Names = { readonly kept: string | null; readonly sought: readonly string[] };

const NONE: Names = { kept: null, sought: [] };

/** The names of a value. `text` is what `plainText` gave of a traceable one. */
export function namesOf(text: string, as: Spelling): Names {
  if (text === "") return NONE;
  switch (as) {
    case "text":
      return one(`text:${folded(text)}`);
    case "email":
      return EMAIL.test(text) ? one(`email:${folded(text)}`) : NONE;
    case "number":
      return prefixed("number:", decimalOf(text));
    case "date":
      return prefixed("date:", momentOf(text));
    case "url":
      return urlNames(text);
  }
}

function one(name: string): Names {
  return { kept: name, sought: [name] };
}

function prefixed(prefix: string, name: string | null): Names {
  return name === null ? NONE : one(`${prefix}${name}`);
}

const EMAIL = /^[^\s@<>()[\]{}"'`,;:\\|]+@[^\s@<>()[\]{}"'`,;:\\|/]+[\p{L}\p{N}]$/u;

const DECIMAL = /^(-?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?$/;

/** The value of a decimal literal, exactly: `1,200.50` is `1200.5`. null for anything else, `0x10`, `1e3` and `007` among it. */
function decimalOf(text: string): string | null {
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const whole = (match[2] ?? "").replaceAll(",", "");
  if (whole.length > 1 && whole.startsWith("0")) return null;
  const fraction = withoutZeros(match[3] ?? "");
  const size = fraction === "" ? whole : `${whole}.${fraction}`;
  return size === "0" ? size : `${match[1]}${size}`;
}

/** A fraction without the zeros at its end. Not by an expression: one that is anchored at the end alone tries each beginning. */
function withoutZeros(fraction: string): string {
  let to = fraction.length;
  while (fraction[to - 1] === "0") to -= 1;
  return fraction.slice(0, to);
}

const MOMENT =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/;
const DAY_MS = 86_400_000;

/** A day, a time of day without a zone, or an instant. These three are never the same. null for what no calendar has. */
function momentOf(text: string): string | null {
  const match = MOMENT.exec(text);
  if (match === null) return null;
  const [, day = "", hour, minute, second = "00", fraction = "", zone] = match;
  const days = daysSinceEpoch(day);
  if (days === null || hour === undefined) return days === null ? null : day;
  const ms = (Number(hour) * 60 + Number(minute)) * 60_000 + Number(second) * 1_000;
  const rest = withoutZeros(fraction);
  if (zone === undefined) return `${day}T${ms}.${rest}`;
  return `@${days * DAY_MS + ms - offsetMs(zone)}.${rest}`;
}

function daysSinceEpoch(day: string): number | null {
  try {
    return daysBetween("1970-01-01", day);
  } catch {
    // A RangeError is how the calendar says that it has no such day.
    return null;
  }
}

function offsetMs(zone: string): number {
  if (zone.length === 1) return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return (zone.startsWith("-") ? -minutes : minutes) * 60_000;
}

/** A scheme with `//`, or none; a host without userinfo and with nothing that one reader takes for a slash and another does not. */
const URL_FORM = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([\p{L}\p{N}\p{M}._-]+)(?::(\d{1,5}))?([/?#][^\s"'<>\\^`{|}]*)?$/iu;

/**
 * Scheme and host in lower case, without a default port and a single slash at the end. Path, query and percent-encoding are
 * as written, a dot at the host's end and another spelling of an address too. Without a scheme it is either http or https.
 */
function urlNames(text: string): Names {
  const match = URL_FORM.exec(text);
  if (match === null) return NONE;
  const scheme = match[1] === undefined ? null : folded(match[1]);
  const host = folded(match[2] ?? "");
  if (scheme === null && !host.includes(".") && host !== "localhost") return NONE;
  const port = match[3] === undefined || match[3] === DEFAULT_PORTS.get(scheme ?? "") ? "" : `:${match[3]}`;
  const path = match[4] ?? "";
  const slash = path.endsWith("/") && !path.endsWith("//") && !/[?#]/.test(path);
  const rest = `${host}${port}${slash ? path.slice(0, -1) : path}`;
  const name = (known: string): string => `url:${known}:${rest}`;
  if (scheme === null) return { kept: name(""), sought: [name(""), name("http"), name("https")] };
  const web = scheme === "http" || scheme === "https";
  return { kept: name(scheme), sought: web ? [name(scheme), name("")] : [name(scheme)] };
}

const DEFAULT_PORTS: ReadonlyMap<string, string> = new Map([
  ["http", "80"],
  ["https", "443"],
]);
