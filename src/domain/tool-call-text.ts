import { isBlank } from "./hidden.ts";
import { isJsonObject, type Json, type JsonObject, own } from "./json.ts";
import { type Parsed, parsed, unparsed } from "./parsed.ts";
import type { Piece, Pieces } from "./pieces.ts";

/** A tool call that was written as text. `args` as it stood there: an object, the text of one, or undefined for none. */
export type TextCall = { readonly name: string; readonly args: Json | undefined };

/** Marks that open a call, of the formats that are read and of some that are not: each of them says that a call was meant. */
const OPENINGS: readonly string[] = [
  "<tool_call>",
  "<tool_calls>",
  "<function_call>",
  "<function=",
  "<parameter=",
  "<arg_key>",
  "<invoke ",
  "<|python_tag|>",
  "<|tool_call",
  "<｜tool▁call",
  "[TOOL_CALLS]",
  "to=functions.",
  "Action Input:",
];

const CLOSINGS: readonly string[] = [
  "</tool_call>",
  "</tool_calls>",
  "</function_call>",
  "</function>",
  "[/TOOL_CALLS]",
  "<|/tool_call|>",
];

/** What ends a turn in a chat template, where a server leaves it in the text. */
const TURN_ENDS: readonly string[] = ["<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|end|>", "</s>"];

/** The marks right before the JSON of a whole call: one object with its name, or a list of such. */
const CALL_FOLLOWS: readonly string[] = [
  "<tool_call>",
  "<tool_calls>",
  "<function_call>",
  "<|tool_call|>",
  "<|python_tag|>",
  "[TOOL_CALLS]",
];

const NAME = "([^\\s<>{}\\[\\]\"'=]{1,64})";
/** The marks right before the JSON of the arguments alone: Mistral's newer form, and the function tag. */
const ARGS_FOLLOW: readonly RegExp[] = [
  new RegExp(`\\[TOOL_CALLS\\]\\s{0,8}${NAME}\\s{0,8}(?:\\[CALL_ID\\][^\\[\\]\\s]{0,64}\\s{0,8})?(?:\\[ARGS\\])?$`),
  new RegExp(`<function=${NAME}>$`),
];
/** As long as the longest of these can be. */
const MARK_MAX = 256;

/** Characters around an object that were not said but only wrap it: what ends a call or a turn. */
export function withoutMarks(prose: string): string {
  return [...CLOSINGS, ...TURN_ENDS].reduce((text, mark) => text.split(mark).join(""), prose);
}

/** Whether a text says that it calls a tool, in whatever way. */
export function hasCallMark(prose: string): boolean {
  return opensCall(prose) || CLOSINGS.some((mark) => prose.includes(mark));
}

function opensCall(prose: string): boolean {
  return OPENINGS.some((mark) => prose.includes(mark));
}

/** What stands behind marks of calls: the calls in their order, or a flat reply that a model put there. */
export type Marked = {
  readonly calls: readonly TextCall[];
  readonly flat: Json | null;
  /** Whether there was other text, too. */
  readonly prose: boolean;
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
  let said = false;
  let python = false;
  for (const [i, piece] of objects.entries()) {
    const before = withoutMarks(prose[i] ?? "").trimEnd();
    const mark = markBefore(before);
    const goesOn: boolean = mark === null && python && /^\s*;$/.test(before);
    if (mark === null && !goesOn) return unreadable(prose);
    const rest = mark === null ? "" : withoutOuter(before.slice(0, before.length - mark.length));
    if (opensCall(rest)) return unreadable(prose);
    said ||= !isBlank(rest);
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
  return parsed({ calls, flat, prose: said || !isBlank(last) });
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

type Mark = { readonly text: string; readonly length: number; readonly name?: string };

/** The mark that a text ends with. */
function markBefore(before: string): Mark | null {
  const whole = CALL_FOLLOWS.find((mark) => before.endsWith(mark));
  if (whole !== undefined) return { text: whole, length: whole.length };
  const tail = before.slice(-MARK_MAX);
  for (const form of ARGS_FOLLOW) {
    const found = form.exec(tail);
    if (found?.[1] !== undefined) return { text: found[0], length: found[0].length, name: found[1] };
  }
  return null;
}

/** A function tag may stand inside of a call tag, and a call tag inside of one for several. */
function withoutOuter(before: string): string {
  let rest = before.trimEnd();
  for (const outer of ["<tool_call>", "<tool_calls>"]) {
    if (rest.endsWith(outer)) rest = rest.slice(0, -outer.length).trimEnd();
  }
  return rest;
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
