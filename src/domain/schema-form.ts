/**
 * A SchemaForm: how a flat reply is constrained. `object`: by a JSON Schema with each tool's params as a strict object.
 * `text`: by the same with the params as JSON text. `none`: by no schema.
 */
export type SchemaForm = "object" | "text" | "none";

const FORMS: readonly SchemaForm[] = ["object", "text", "none"];

/** The one of the two that asks less of a server. */
export function lowerForm(a: SchemaForm, b: SchemaForm): SchemaForm {
  return FORMS.indexOf(a) > FORMS.indexOf(b) ? a : b;
}

/** The form to try after a server refused a schema. `simpler`: whether the schema with params as text is another one. */
export function formAfter(refused: SchemaForm, simpler: boolean): SchemaForm {
  return refused === "object" && simpler ? "text" : "none";
}

/** How servers and providers speak of a schema that they do not take. */
const WORDS =
  /response[_ ]?format|json[_ ]?schema|\bschemas?\b|\bgrammars?\b|structured[_ ]?outputs?|guided|json[_ ]?object|\bsamplers?\b|constrained/i;
/** Of grammars even a 500 is known to mean the request (llama.cpp). */
const STATUSES: readonly (number | null)[] = [400, 422, 500, 501];
/** What is looked at of a body; the words stand near its beginning. */
const UNITS_MAX = 16_384;

/** Whether an answer to a request with a schema is about that schema. `status` is the HTTP status, or null. */
export function saysSchemaRefused(status: number | null, text: string): boolean {
  return STATUSES.includes(status) && WORDS.test(text.slice(0, UNITS_MAX));
}
