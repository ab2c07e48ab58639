/** What the two doors for untrusted JSON (scan.ts, plain.ts) share: their limits, their codes, and the words of a refusal. */

/** How large one JSON document may be. Every bound is inclusive: a document exactly at the bound is accepted. */
export type JsonLimits = {
  /** Bytes of the text in UTF-8. */
  readonly bytesMax: number;
  /** Objects and arrays inside one another: `[]` is 1 deep, a bare string 0. */
  readonly depthMax: number;
  /** Object keys plus array elements, added up over the whole document. */
  readonly keysMax: number;
  /** Characters in one number. */
  readonly digitsMax: number;
};

export const JSON_LIMITS: JsonLimits = { bytesMax: 262_144, depthMax: 32, keysMax: 10_000, digitsMax: 64 };

/** Why a document was refused. `not_plain` comes from plainJson only, `not_json` and `duplicate_key` from parseJson. */
export const JSON_CODES = [
  "too_large",
  "too_deep",
  "too_many_keys",
  "duplicate_key",
  "forbidden_key",
  "lone_surrogate",
  "unsafe_integer",
  "number_out_of_range",
  "not_json",
  "not_plain",
] as const;
export type JsonCode = (typeof JSON_CODES)[number];

/** Keys that reach a prototype when an object is read or merged carelessly. They carry no data anyone needs (S2). */
const FORBIDDEN: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

export function isForbidden(key: string): boolean {
  // Most keys are told by their length alone, and every key of every reply and result is asked for.
  return (key.length === 9 || key.length === 11) && FORBIDDEN.has(key);
}

export const HALF = "half a surrogate pair";
export const tooLarge = ({ bytesMax }: JsonLimits) => `more than ${bytesMax} bytes`;
export const tooDeep = ({ depthMax }: JsonLimits) => `more than ${depthMax} objects and arrays inside one another`;
export const tooMany = ({ keysMax }: JsonLimits) => `more than ${keysMax} keys and array elements`;
export const tooLong = ({ digitsMax }: JsonLimits) => `a number of more than ${digitsMax} characters`;

/** Why a number is not carried exactly, as the code and detail of a refusal. `written` is how it was written, if it was. */
export function numberFault(value: number, written?: string): readonly [JsonCode, string] | undefined {
  if (Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))) return undefined;
  const shown = quoted(written ?? String(value));
  if (!Number.isFinite(value)) return ["number_out_of_range", `${shown} is not a finite number`];
  return ["unsafe_integer", `${shown} is a whole number beyond 2^53 - 1: send it as a string`];
}

/** Most characters of the input that a detail may echo. */
export const ECHO_MAX = 40;

/** What cannot be seen, or changes how its neighbours are seen, plus the two characters that would blur the quoting. */
const INVISIBLE = /["\\\u2800]|(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

export function quoted(text: string, max: number = ECHO_MAX): string {
  const shown = text.slice(0, max).replace(INVISIBLE, (character) => {
    if (character === '"' || character === "\\") return `\\${character}`;
    return `\\u{${character.codePointAt(0)?.toString(16).toUpperCase()}}`;
  });
  return `"${shown}${text.length > max ? "…" : ""}"`;
}
