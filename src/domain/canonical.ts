import { isJsonObject, type Json, type JsonObject } from "./json.ts";

/**
 * The one text of a JSON value (RFC 8785, JCS): what a digest is taken of, what a person is shown, what a ledger row
 * holds. Keys are sorted by UTF-16 code units, numbers are written as ECMAScript writes them (`-0` as `0`), and there is
 * no white space. Two values have the same text exactly if they are the same JSON.
 *
 * Strings are not normalised (RFC 8785, 3.1): NFC and NFD spellings of one word are different values. Safe integers are
 * not asked for here: parseJson and plainJson do that on the way in.
 *
 * @throws TypeError for anything JSON has no word for (undefined, also as a property; NaN and the infinities; bigints,
 *   functions, symbols; class instances, Date and Map; holes in arrays) and for a string or key with a lone surrogate.
 *   Depth is bounded by whoever parsed the value: a cycle overflows the stack, which is a RangeError.
 */
export function canonicalJson(value: Json): string {
  return write(value);
}

// `unknown`, because the type of the caller's value is a promise that this function is here to check.
function write(value: unknown): string {
  switch (typeof value) {
    case "string":
      return writeString(value);
    case "number":
      if (!Number.isFinite(value)) throw new TypeError(`${value} is not JSON`);
      return String(value);
    case "boolean":
      return value ? "true" : "false";
    default:
      if (value === null) return "null";
      if (Array.isArray(value)) return writeArray(value);
      if (isJsonObject(value)) return writeObject(value);
      throw new TypeError(`a value of type ${typeof value} is not JSON`);
  }
}

function writeArray(values: readonly unknown[]): string {
  let text = "[";
  for (let i = 0; i < values.length; i++) text += i === 0 ? write(values[i]) : `,${write(values[i])}`;
  return `${text}]`;
}

function writeObject(object: JsonObject): string {
  const prototype = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError("a class instance is not JSON");
  let text = "";
  for (const key of inOrder(Object.keys(object))) {
    text += `${text === "" ? "{" : ","}${writeString(key)}:${write(object[key])}`;
  }
  return text === "" ? "{}" : `${text}}`;
}

/** More keys are sorted by the platform, which makes lists of its own. */
const FEW = 16;

/** Sorts names in place into the order that RFC 8785 asks for: by UTF-16 code units, as JavaScript compares strings. */
export function inOrder(names: string[]): string[] {
  if (names.length > FEW) return names.sort();
  for (let i = 1; i < names.length; i++) {
    const name = names[i] ?? "";
    let at = i;
    for (; at > 0 && (names[at - 1] ?? "") > name; at--) names[at] = names[at - 1] ?? "";
    if (at !== i) names[at] = name;
  }
  return names;
}

function writeString(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (LONE_SURROGATE.test(text)) throw new TypeError("a string with half a surrogate pair is not JSON");
  return JSON.stringify(text);
}

/** Printable ASCII that needs no escape: most strings and nearly all keys, and much cheaper than JSON.stringify. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** With the u flag a pair is one character, so only a half on its own matches. */
const LONE_SURROGATE = /[\ud800-\udfff]/u;

/**
 * Bytes that canonicalJson writes for a string, in UTF-8 and with its quotes and escapes; -1 if it has a lone surrogate
 * and cannot be written. For measuring a value without writing it.
 */
export function canonicalStringBytes(text: string): number {
  if (PLAIN.test(text)) return text.length + 2;
  let bytes = text.length + 2;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      if (unit === 0x22 || unit === 0x5c) bytes += 1;
      // \b, \t, \n, \f and \r have escapes of two characters, the other control characters of six.
      else if (unit < 0x20) bytes += (unit >= 8 && unit <= 10) || unit === 12 || unit === 13 ? 1 : 5;
    } else if (unit < 0x800) bytes += 1;
    else if ((unit & 0xf800) !== 0xd800) bytes += 2;
    else if (unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 2;
      i += 1;
    } else return -1;
  }
  return bytes;
}
