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

/** Replaces every declared value in a text, also in the form in which JSON writes it. */
export function redactText(text: string, redaction: Redaction): string {
  let clean = text;
  for (const secret of redaction.values) {
    clean = clean.replaceAll(secret, REDACTED);
    const escaped = JSON.stringify(secret).slice(1, -1);
    if (escaped !== secret) clean = clean.replaceAll(escaped, REDACTED);
  }
  return clean;
}

/** Replaces declared values in all strings, keys included, and whole values of declared fields. */
export function redactJson(value: Json, redaction: Redaction): Json {
  if (redaction.values.length === 0 && redaction.fields.length === 0) return value;
  if (typeof value === "string") return redactText(value, redaction);
  if (Array.isArray(value)) return value.map((item: Json) => redactJson(item, redaction));
  if (!isJsonObject(value)) return value;
  const fields = redaction.fields.map((field) => field.toLowerCase());
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      redactText(key, redaction),
      fields.includes(key.toLowerCase()) ? REDACTED : redactJson(inner, redaction),
    ]),
  );
}
