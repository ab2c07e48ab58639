import { markBefore, opensCall, withoutMarks, withoutOuter } from "./call-marks.ts";
import { isBlank } from "./hidden.ts";
import { isJsonObject, type Json, type JsonObject, own } from "./json.ts";
import { type Parsed, parsed, unparsed } from "./parsed.ts";
import type { Piece, Pieces } from "./pieces.ts";

/** A tool call that was written as text. `args` as it stood there: an object, the text of one, or undefined for none. */
export type TextCall = { readonly name: string; readonly args: Json | undefined };

/** What stands behind marks of calls: the calls in their order, or a flat reply that a model put there. */
export type Marked = {
  readonly calls: readonly TextCall[];
  readonly flat: Json | null;
  /** Whether there was text before the first call, and behind one. */
  readonly before: boolean;
  readonly behind: boolean;
  /** Whether a code fence stands around the calls and their marks. */
  readonly fenced: boolean;
};

/**
 * The calls of a text that has marks of calls; null where it has none. The first object must stand behind the first mark
 * and every object behind one, with nothing in between, so that no call is taken for the first that is not.
 */
export function markedCalls({ objects, prose }: Pieces): Parsed<Marked> | null {
  if (!prose.some(opensCall)) return null;
  if (objects.length === 0) return unreadable(prose);
  const calls: TextCall[] = [];
  let flat: Json | null = null;
  let first = "";
  let behind = false;
  let python = false;
  for (const [i, piece] of objects.entries()) {
    const before = withoutMarks(prose[i] ?? "").trimEnd();
    const mark = markBefore(before);
    const goesOn: boolean = mark === null && python && /^\s*;$/.test(before);
    if (mark === null && !goesOn) return unreadable(prose);
    const rest = mark === null ? "" : withoutOuter(before.slice(0, before.length - mark.length));
    if (opensCall(rest)) return unreadable(prose);
    if (i === 0) first = rest;
    else behind ||= !isBlank(withoutFences(rest));
    python = goesOn || mark?.text === "<|python_tag|>";
    const value = jsonOf(piece);
    if (!value.ok) return value;
    if (mark?.name !== undefined) calls.push({ name: mark.name, args: value.value });
    else {
      const found = callsIn(value.value, true);
      if (found !== null) calls.push(...found);
      else if (objects.length === 1 && isJsonObject(value.value) && Object.hasOwn(value.value, "kind"))
        flat = value.value;
      else return unreadable(prose);
    }
  }
  const last = withoutMarks(prose.at(-1) ?? "");
  if (opensCall(last)) return unreadable(prose);
  behind ||= !isBlank(last.replaceAll(FENCE, ""));
  const fenced = first.split(FENCE).length % 2 === 0;
  return parsed({ calls, flat, before: !isBlank(withoutFences(first)), behind, fenced });
}

const FENCE = "```";

/** A text without the fences in it, and without the language of the one that it ends with. */
function withoutFences(text: string): string {
  return text
    .trimEnd()
    .replace(/```[\w+-]{0,16}$/, "")
    .replaceAll(FENCE, "");
}

function unreadable(prose: readonly string[]): Parsed<never> {
  const untyped = ["<parameter=", "<arg_key>", "<invoke "].some((mark) => prose.some((part) => part.includes(mark)));
  if (untyped) return unparsed("arguments_unreadable", "the arguments have no types: give them as one JSON object");
  return unparsed(
    "call_unreadable",
    "the tool call cannot be read: give its name and its arguments as one JSON object",
  );
}

function jsonOf(piece: Piece): Parsed<Json> {
  if (piece.value.ok || piece.value.why.code !== "not_json") return piece.value;
  return unparsed("arguments_unreadable", `the tool call is not JSON: ${piece.value.why.detail}`);
}

const MESSAGE_KEYS = ["role", "content", "tool_calls"];
const CALL_KEYS = ["type", "id", "index", "function", "name", "arguments", "parameters"];

/**
 * The calls that a value is: one call, a list of calls, or a message with `tool_calls`; null where it is something else.
 * `marked`: a mark says that it is a call, so that it may have no arguments.
 */
export function callsIn(value: Json, marked: boolean): readonly TextCall[] | null {
  const message = isJsonObject(value) ? own(value, "tool_calls") : undefined;
  if (isJsonObject(value) && message !== undefined) {
    const content = own(value, "content") ?? "";
    const alone = hasOnly(value, MESSAGE_KEYS) && typeof content === "string" && isBlank(content);
    return alone && Array.isArray(message) ? listOf(message, marked) : null;
  }
  if (Array.isArray(value)) return listOf(value, marked);
  const call = callOf(value, marked);
  return call === null ? null : [call];
}

function listOf(values: readonly Json[], marked: boolean): readonly TextCall[] | null {
  const calls: TextCall[] = [];
  for (const value of values) {
    const call = callOf(value, marked);
    if (call === null) return null;
    calls.push(call);
  }
  return calls.length === 0 ? null : calls;
}

function callOf(value: Json, marked: boolean): TextCall | null {
  if (!isJsonObject(value) || !hasOnly(value, CALL_KEYS)) return null;
  const type = own(value, "type") ?? "function";
  const inner = own(value, "function");
  if (type !== "function") return null;
  if (inner === undefined) return namedCall(value, marked);
  // What the outer object says beside it would be a second reading.
  const twice = ["name", "arguments", "parameters"].some((key) => Object.hasOwn(value, key));
  if (twice || !isJsonObject(inner) || !hasOnly(inner, ["name", "arguments", "parameters"])) return null;
  return namedCall(inner, marked);
}

function namedCall(object: JsonObject, marked: boolean): TextCall | null {
  const name = own(object, "name");
  const args = ["arguments", "parameters"].filter((key) => Object.hasOwn(object, key));
  if (typeof name !== "string" || args.length > 1 || (args.length === 0 && !marked)) return null;
  return { name, args: args[0] === undefined ? undefined : own(object, args[0]) };
}

function hasOnly(object: JsonObject, keys: readonly string[]): boolean {
  return Object.keys(object).every((key) => keys.includes(key));
}
