import { isJsonObject, type Json } from "../../domain/json.ts";
import { saysUnreadableCall } from "../../domain/unreadable-call.ts";
import { type Clean, excerpt } from "./clean.ts";
import { field, readDocument, said } from "./document.ts";

/** What a server said instead of a reply. */
export type Refusal = {
  readonly kind: "refused";
  /** The HTTP status, or the one that an error in the body of a 200 names; 500 where it names none. */
  readonly status: number;
  /** `status`: the answer had that status. `body`: it was a 200. `stream`: it came in the middle of a reply. */
  readonly place: "status" | "body" | "stream";
  /** The words that say what it is about, without secrets; what the server repeats of the request is left out. */
  readonly about: string;
  /** The header `Retry-After`. */
  readonly retryAfter?: string;
};

const ABOUT_UNITS_MAX = 2_000;

export function refusalOf(status: number, body: string, retryAfter: string | undefined, clean: Clean): Refusal {
  const document = readDocument(body);
  const words = document.ok ? wordsOf(document.value.value) : [];
  const about = excerpt(words.length > 0 ? words.join("; ") : body, ABOUT_UNITS_MAX, clean);
  return { kind: "refused", status, place: "status", about, ...(retryAfter === undefined ? {} : { retryAfter }) };
}

/** The error that a document is, or null. Some servers send one with a 200, and all of them do in the middle of a stream. */
export function errorIn(value: Json, place: "body" | "stream", clean: Clean): Refusal | null {
  if (!isJsonObject(value)) return null;
  // Ollama once wrote the message as the key: {"error parsing tool call": "..."}.
  const key = Object.keys(value).find((name) => name.startsWith("error") && value[name] !== null);
  if (key === undefined && value.object !== "error") return null;
  // Beside choices only an error that says something is one: gateways end a stream so, and others send an empty field.
  if (Array.isArray(value.choices) && wordsOf({ error: value.error ?? null }).length === 0) return null;
  const words =
    key === undefined || key === "error" ? wordsOf(value) : [key, ...wordsOf({ error: value[key] ?? null })];
  const about = excerpt(words.length > 0 ? words.join("; ") : JSON.stringify(value), ABOUT_UNITS_MAX, clean);
  const codes = [field(field(value, "error"), "code"), field(field(value, "error"), "status"), field(value, "code")];
  const status = codes.map(Number).find((code) => Number.isInteger(code) && code >= 400 && code <= 599);
  return { kind: "refused", status: status ?? 500, place, about };
}

/** The texts of an error, in the shapes that servers give it: OpenAI's, vLLM's, and that of FastAPI. */
function wordsOf(value: Json): readonly string[] {
  const error = field(value, "error");
  const places = isJsonObject(error) ? [error, value] : [value];
  const words = places.flatMap((place) => NAMES.map((name) => said(field(place, name))));
  const details = field(value, "detail");
  const more = Array.isArray(details) ? details.slice(0, 8).flatMap(detailWords) : [];
  return [...words, ...more].filter((word) => word !== undefined);
}

const NAMES = ["message", "code", "type", "param", "detail", "error"];

function detailWords(detail: Json): readonly (string | undefined)[] {
  const loc = field(detail, "loc");
  return [said(field(detail, "msg")), said(field(detail, "type")), ...(Array.isArray(loc) ? loc.map(said) : [])];
}

/** Whether the model and not the server is at fault: it wrote a tool call that its server could not read. */
export function isUnreadableCall({ status, about }: Refusal): boolean {
  return saysUnreadableCall(status, about);
}
