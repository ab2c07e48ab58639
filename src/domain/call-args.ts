import { isBlank } from "./hidden.ts";
import { isJsonObject, type Json, type JsonObject, own } from "./json.ts";
import { JSON_LIMITS } from "./json-limits.ts";
import { type Parsed, parsed, unparsed } from "./parsed.ts";
import { type Pieces, piecesOf } from "./pieces.ts";
import type { RepairName } from "./repair.ts";
import { parseJson } from "./scan.ts";
import type { TextCall } from "./tool-call-text.ts";
import { unfenced } from "./unfenced.ts";

/** What reading a reply has to know of the tools. */
export type KnownTools = {
  /** Whether there is a tool of this name: a call of it is never one of the pseudo tools `plan` and `retrieve`. */
  readonly has: (tool: string) => boolean;
  /** It has no parameters at all: a call without arguments has one reading. */
  readonly takesNothing: (tool: string) => boolean;
  /** Under which name a call of it cites evidence beside its params (`evidenceFieldOf`), or null. */
  readonly evidenceField: (tool: string) => string | null;
};

/** Something that was read, and what was mended for it. */
export type Mended<T> = { readonly value: T; readonly names: readonly RepairName[] };

/**
 * The tools that stand for the two replies which are neither an action nor a text, in mode `tools`; each has one field,
 * which is the flat reply's own.
 */
export const PSEUDO_TOOLS = { plan: "steps", retrieve: "query" } as const;

/** A tool call as the flat reply that it means. */
export function flatOfCall({ name, args }: TextCall, known: KnownTools, bytesMax: number): Parsed<Mended<JsonObject>> {
  const kind = known.has(name) ? undefined : pseudoTool(name);
  const read = argsOf(name, args, known, bytesMax);
  if (!read.ok) return read;
  const { value, names } = read.value;
  if (kind !== undefined) return pseudoReply(kind, value, names);
  const field = known.evidenceField(name);
  const evidence = field === null ? null : (own(value, field) ?? null);
  const params = field === null ? value : Object.fromEntries(Object.entries(value).filter(([key]) => key !== field));
  return parsed({ value: { kind: "action", tool: name, params, evidence }, names });
}

function pseudoTool(name: string): keyof typeof PSEUDO_TOOLS | undefined {
  return name === "plan" || name === "retrieve" ? name : undefined;
}

export function isPseudoTool(name: string): boolean {
  return pseudoTool(name) !== undefined;
}

function pseudoReply(
  kind: keyof typeof PSEUDO_TOOLS,
  args: JsonObject,
  names: readonly RepairName[],
): Parsed<Mended<JsonObject>> {
  const field = PSEUDO_TOOLS[kind];
  if (Object.keys(args).some((key) => key !== field)) {
    return unparsed("unknown_key", `the only argument of ${kind} is "${field}"`);
  }
  return parsed({ value: { kind, [field]: own(args, field) ?? null }, names });
}

function argsOf(name: string, args: Json | undefined, known: KnownTools, bytesMax: number): Parsed<Mended<JsonObject>> {
  if (args === undefined || args === null || (typeof args === "string" && isMissing(args))) {
    return known.takesNothing(name)
      ? parsed({ value: {}, names: [] })
      : unparsed("arguments_missing", "the call has no arguments: give them as one JSON object");
  }
  if (typeof args === "string") return readArgs(args, bytesMax);
  return isJsonObject(args) ? parsed({ value: args, names: [] }) : notAnObject();
}

/** Some servers write null for arguments that there are none of. */
function isMissing(args: string): boolean {
  return isBlank(args) || args.trim() === "null";
}

/**
 * Reads the text of a call's arguments: a JSON object, strictly; else one in a code fence, with a comma too many, in
 * Python's quotes, or written as a string of JSON once more. Never `{}` for what cannot be read.
 */
export function readArgs(text: string, bytesMax: number): Parsed<Mended<JsonObject>> {
  const strict = parseJson(text.trim(), { ...JSON_LIMITS, bytesMax });
  if (strict.ok && typeof strict.value === "string") {
    const inner = readOnce(strict.value, bytesMax);
    return inner.ok ? parsed({ value: inner.value.value, names: ["wrapper", ...inner.value.names] }) : inner;
  }
  return readOnce(text, bytesMax, strict);
}

function readOnce(text: string, bytesMax: number, read?: Parsed<Json>): Parsed<Mended<JsonObject>> {
  const strict = read ?? parseJson(text.trim(), { ...JSON_LIMITS, bytesMax });
  if (strict.ok) return isJsonObject(strict.value) ? parsed({ value: strict.value, names: [] }) : notAnObject();
  if (strict.why.code !== "not_json") return strict;
  return onlyObject(piecesOf(text));
}

function onlyObject(pieces: Pieces): Parsed<Mended<JsonObject>> {
  if (pieces.cutAt !== null) return unparsed("arguments_unreadable", "the arguments ended in the middle of their JSON");
  const { prose, fenced } = unfenced(pieces);
  const [piece] = pieces.objects;
  if (piece === undefined || pieces.objects.length > 1 || pieces.stray || !prose.every(isBlank)) return notAnObject();
  if (!piece.value.ok) {
    const { code, detail } = piece.value.why;
    return code === "not_json"
      ? unparsed("arguments_unreadable", `the arguments are not JSON: ${detail}`)
      : unparsed(code, detail);
  }
  if (!isJsonObject(piece.value.value)) return notAnObject();
  return parsed({ value: piece.value.value, names: fenced ? ["fence", ...piece.names] : piece.names });
}

function notAnObject(): Parsed<never> {
  return unparsed("arguments_unreadable", "the arguments must be one JSON object and nothing else");
}
