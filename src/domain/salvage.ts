import { flatOfCall, isPseudoTool, type KnownTools } from "./call-args.ts";
import { hasCallMark, withoutMarks } from "./call-marks.ts";
import { canonicalJson } from "./canonical.ts";
import { isFlat, mended, NOT_ONE, onlyOf, unwrapped } from "./flat.ts";
import { isBlank } from "./hidden.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import { JSON_LIMITS } from "./json-limits.ts";
import { type Parsed, parsed, type Why } from "./parsed.ts";
import { type Pieces, piecesOf } from "./pieces.ts";
import { inOrder, type Repair, type RepairName } from "./repair.ts";
import { parseReply, REPLY_KINDS, type Reply } from "./reply.ts";
import { type ModelCall, type Said, saidBytes, stoppedBy, type WireMode } from "./said.ts";
import { parseJson } from "./scan.ts";
import { isWellFormed } from "./text.ts";
import { endsThinking, hasThinkingTag, withoutThinking } from "./thinking.ts";
import { callsIn, markedCalls, type TextCall } from "./tool-call-text.ts";
import { unfenced } from "./unfenced.ts";

export type { KnownTools } from "./call-args.ts";
export type { Repair, RepairName } from "./repair.ts";

/** A reply as it was read: the value or why there is none, what was mended, and the further calls, which are not run. */
export type Read = {
  readonly reply: Parsed<Reply>;
  readonly repair: Repair | null;
  readonly notRun: readonly string[];
};

/** Names of further calls that are kept. */
const NOT_RUN_MAX = 64;

/**
 * Reads what a model said as one of the four replies (design 5.1). What is strictly a reply is taken as it stands. What has
 * one reading only is mended, and what was done is named. Everything else is malformed, with a code and a sentence that
 * the model can act on; nothing is ever completed or left out of arguments. Total, and linear in the length of the text.
 *
 * Laws, tested in test/laws/salvage.test.ts:
 *   strict-first      a strict reply is never mended
 *   same-reading      a reply in any of the wrappings is read as itself
 *   no-invention      what is read passes the strict parser, as the text that is recorded
 *   cut-is-no-action  an action that was cut anywhere is never an action
 *   outside-only      an action that stands in thinking or in a quotation is never an action
 *
 * Codes: those of `parseReply`, and `cut_by_length, refused, empty_reply, lone_surrogate, only_thinking, cut_off,
 * two_objects, mixed_reply, arguments_missing, arguments_unreadable, call_unreadable`.
 */
export function readReply(said: Said, mode: WireMode, known: KnownTools, bytesMax: number): Read {
  const { text, calls, finish } = said;
  const stopped = stoppedBy(finish);
  if (stopped === "refusal") return no("refused", "the model refused to reply");
  const read = readSaid(text, calls, mode, known, bytesMax);
  if (stopped === null) return read;
  // What was said comes before the word for why it stopped; but only what is complete by itself was not cut.
  const whole = read.reply.ok && read.repair === null && (calls.length > 0 || parseReply(text, bytesMax).ok);
  const missing = calls[0] !== undefined && isBlank(calls[0].args);
  if (whole && !missing) return read;
  return stopped === "length"
    ? no("cut_by_length", "the reply was cut off at its length limit; make it shorter")
    : no("cut_off", "the reply broke off before its end: send all of it");
}

function readSaid(
  text: string,
  calls: readonly ModelCall[],
  mode: WireMode,
  known: KnownTools,
  bytesMax: number,
): Read {
  const reading: Reading = { mode, known, bytesMax };
  // Nearly every reply is what it should be, and then this is all there is to do.
  const strict = mode === "flat" ? strictly(text, reading) : null;
  if (strict?.ok && calls.length === 0) return { reply: strict, repair: null, notRun: [] };
  if (saidBytes(text, calls) > bytesMax) return no("too_large", `the reply is longer than ${bytesMax} bytes`);
  if (!isWellFormed(text) || calls.some(({ name }) => !isWellFormed(name))) {
    return no("lone_surrogate", "the reply holds half a surrogate pair");
  }
  if (calls.length > 0 && (mode === "tools" || isBlank(text))) return calledReply(calls, [], reading);
  if (isBlank(text)) return no("empty_reply", "the reply was empty");
  const read = strict === null ? contentReply(text, reading) : flatReply(text, strict, reading);
  return calls.length === 0 ? read : { ...read, notRun: namesOf([...read.notRun, ...calls.map(({ name }) => name)]) };
}

type Reading = { readonly mode: WireMode; readonly known: KnownTools; readonly bytesMax: number };

/** Params of a known tool are never left out: whether that means none, or that they were forgotten, nobody can tell. */
function strictly(text: string, { known, bytesMax }: Reading): Parsed<Reply> {
  return parseReply(text, bytesMax, (tool) => known.has(tool) && !known.takesNothing(tool));
}

/** The first call is the reply; one action a turn, so the others are not run. */
function calledReply(calls: readonly TextCall[], names: readonly RepairName[], reading: Reading): Read {
  const { known, bytesMax } = reading;
  const [first, ...others] = calls;
  const notRun = namesOf(others.map(({ name }) => name));
  if (first === undefined) return no("call_unreadable", "there is no tool call");
  const call = flatOfCall(first, known, bytesMax);
  if (!call.ok) return { ...refusal(call.why), notRun };
  const { flat, names: more } = mended(call.value.value, bytesMax);
  return { ...replyOf(flat, [...names, ...call.value.names, ...more], reading), notRun };
}

function namesOf(names: readonly string[]): readonly string[] {
  return names.slice(0, NOT_RUN_MAX);
}

/** Mode `flat`: the content is one flat object. */
function flatReply(said: string, strict: Parsed<Reply>, reading: Reading): Read {
  if (strict.ok) return { reply: strict, repair: null, notRun: [] };
  const string = stringIn(said, reading.bytesMax);
  const { text, removed, only } = withoutThinking(string ?? said);
  if (only) return onlyThinking();
  const names: RepairName[] = string === null ? [] : ["wrapper"];
  if (removed) names.push("think");
  const found = partsOf(text);
  const { pieces } = found;
  // What is refused for what it holds is not asked for once more, whole.
  if (pieces.cutAt !== null) return strict.why.code === "not_json" ? cutOff() : refusal(strict.why);
  if (pieces.objects.length > 0 && thinks(pieces)) return onlyThinking();
  const marked = markedReply(found, names, reading);
  if (marked !== null) return marked;
  if (pieces.objects.length === 0)
    return strict.why.code === "not_json" ? no("not_json", NOT_ONE) : refusal(strict.why);
  if (pieces.stray) return stray();
  const values: Json[] = [];
  for (const { value } of pieces.objects) {
    if (!value.ok) return refusal(value.why);
    values.push(value.value);
  }
  const value = onlyOf(values);
  if (!value.ok) return refusal(value.why);
  if (values.length > 1) names.push("twice");
  return objectReply(value.value, found, names, reading);
}

/** Mode `tools` without calls: text is a conversation, unless it is a call or a reply that was written as text. */
function contentReply(said: string, reading: Reading): Read {
  const { text, removed, only } = withoutThinking(said);
  if (only) return onlyThinking();
  const names: RepairName[] = removed ? ["think"] : [];
  const found = partsOf(text);
  const { pieces } = found;
  if (pieces.cutAt !== null) {
    const begins = pieces.objects.length === 0 && isStart(found);
    const meant = begins || saysCall(text.slice(pieces.cutAt)) || endsThinking(text) || hasMark(pieces);
    return meant ? cutOff() : talk(text, removed, reading);
  }
  const marked = markedReply(found, names, reading);
  if (marked !== null) return pieces.objects.length > 0 && thinks(pieces) ? onlyThinking() : marked;
  const values: Json[] = [];
  let meant = false;
  let broken: Why | null = null;
  for (const [i, { start, end, value }] of pieces.objects.entries()) {
    if (value.ok) {
      values.push(value.value);
      meant ||= isTry(value.value, reading.known);
    } else {
      broken ??= value.why;
      meant ||= (i === 0 && isStart(found)) || saysCall(text.slice(start, end));
    }
  }
  if (!meant) {
    return hasMark(pieces) || callsInCode(text, reading.known) ? unreadableCall() : talk(text, removed, reading);
  }
  if (thinks(pieces)) return onlyThinking();
  if (broken !== null) return refusal(broken);
  if (pieces.stray) return stray();
  const value = onlyOf(values);
  if (!value.ok) return refusal(value.why);
  if (!found.prose.every((part) => isBlank(withoutMarks(part)))) return mixed();
  if (values.length > 1) names.push("twice");
  return objectReply(value.value, found, names, reading);
}

/** A text in its parts; `prose` without the fences. */
type Parts = { readonly pieces: Pieces; readonly prose: readonly string[]; readonly names: readonly RepairName[] };

function partsOf(text: string): Parts {
  const pieces = piecesOf(text);
  const { prose, fenced } = unfenced(pieces);
  const names = pieces.objects.flatMap((piece) => piece.names);
  return { pieces, prose, names: fenced ? ["fence", ...names] : names };
}

/** Calls behind the marks of a tool call; null where there are none. */
function markedReply(
  { pieces, prose, names: found }: Parts,
  names: readonly RepairName[],
  reading: Reading,
): Read | null {
  const marked = markedCalls({ ...pieces, prose });
  if (marked === null) return null;
  if (!marked.ok) return refusal(marked.why);
  const { calls, flat, before, behind, fenced } = marked.value;
  // A fence with a text before it or inside of it shows a call; it does not make one.
  if (pieces.stray || (fenced && before)) return stray();
  if (behind) return mixed();
  const done: RepairName[] = [...names, ...found, "tool_call_text"];
  if (fenced) done.push("fence");
  if (before) done.push("prose");
  return flat === null ? calledReply(calls, done, reading) : meantFlat(flat, done, reading);
}

/** One value that was found in a text, as the reply that it is. */
function objectReply(value: Json, found: Parts, names: readonly RepairName[], reading: Reading): Read {
  const done: RepairName[] = [...names, ...found.names];
  const { value: inner, wrapped } = unwrapped(value);
  if (wrapped) done.push("wrapper");
  const calls = callsIn(inner, false);
  const prose = calls === null ? found.prose : found.prose.map(withoutMarks);
  if (!prose.every(isBlank)) done.push("prose");
  if (calls !== null) return calledReply(calls, [...done, "tool_call_text"], reading);
  if (reading.mode === "tools" && !(isJsonObject(inner) && Object.hasOwn(inner, "kind"))) return unreadableCall();
  if (reading.mode === "tools") done.push("flat_in_text");
  return meantFlat(inner, done, reading);
}

function meantFlat(value: Json, names: readonly RepairName[], reading: Reading): Read {
  if (!isJsonObject(value)) return no("not_an_object", NOT_ONE);
  const { flat, names: more } = mended(value, reading.bytesMax);
  const done: RepairName[] = [...names, ...more];
  // Something that nobody sees, a zero width space for example, was all that stood around it.
  return replyOf(flat, done.length === 0 ? ["prose"] : done, reading);
}

/** Whatever was read passes the strict parser, as the very text that is recorded. */
function replyOf(flat: JsonObject, names: readonly RepairName[], reading: Reading): Read {
  const text = canonicalJson(flat);
  const reply = strictly(text, reading);
  const repair = reply.ok && names.length > 0 ? { names: inOrder(names), text } : null;
  return { reply, repair, notRun: [] };
}

function talk(text: string, removed: boolean, reading: Reading): Read {
  if (removed) return replyOf({ kind: "conversation", text: text.trim() }, ["think"], reading);
  return { reply: parsed({ kind: "conversation", text }), repair: null, notRun: [] };
}

/** A whole reply that was written as a string of JSON. */
function stringIn(text: string, bytesMax: number): string | null {
  if (!text.trimStart().startsWith('"')) return null;
  const json = parseJson(text.trim(), { ...JSON_LIMITS, bytesMax });
  return json.ok && typeof json.value === "string" ? json.value : null;
}

/** Whether there is nothing before the first object. */
function isStart({ prose }: Parts): boolean {
  return isBlank((prose[0] ?? "").trimEnd().replace(FENCE_LEFT, ""));
}

/** The fence before an object that the text does not close. */
const FENCE_LEFT = /```[\w+-]{0,16}$/;

/** Whether something that cannot be read was meant as a call or as a flat reply. */
function saysCall(broken: string): boolean {
  const says = (key: string) => broken.includes(`"${key}"`) || broken.includes(`'${key}'`);
  return says("kind") || (says("name") && (says("arguments") || says("parameters")));
}

/** Whether a value in a text was meant as a reply, as a call of a tool, or as a list of such. */
function isTry(value: Json, known: KnownTools): boolean {
  const { value: inner } = unwrapped(value);
  return isFlat(inner) || callsIn(inner, false) !== null || isKindOfOurs(inner) || namesTool(value, known);
}

function isKindOfOurs(value: Json): boolean {
  if (!isJsonObject(value) || !Object.hasOwn(value, "kind")) return false;
  const { kind } = value;
  return typeof kind === "string" && REPLY_KINDS.some((one) => one === kind.trim().toLowerCase());
}

/** How a call that is not of any known form names its arguments. */
const ARGS_KEYS = ["arguments", "parameters", "params", "args", "input"];

function namesTool(value: Json, known: KnownTools): boolean {
  if (!isJsonObject(value) || !Object.hasOwn(value, "name")) return false;
  const { name } = value;
  const args = ARGS_KEYS.some((key) => Object.hasOwn(value, key));
  return args && typeof name === "string" && (known.has(name) || isPseudoTool(name));
}

/** A call in the manner of code, `[refund(order="1042")]` for example: its arguments are no JSON. */
function callsInCode(text: string, known: KnownTools): boolean {
  const start = text
    .trimStart()
    .slice(0, 120)
    .replace(/^```\w{0,16}\s{0,8}/, "");
  const name = /^\[?\s{0,8}([^\s()[\]{}]{1,64})\(/.exec(start)?.[1];
  return name !== undefined && known.has(name);
}

/** Whether there is thinking left around the objects. What stands beside it may be a draft that the model would have dropped. */
function thinks({ prose }: Pieces): boolean {
  return prose.some(hasThinkingTag);
}

function hasMark({ prose }: Pieces): boolean {
  return prose.some(hasCallMark);
}

function no(code: string, detail: string): Read {
  return refusal({ code, detail });
}

function refusal(why: Why): Read {
  return { reply: { ok: false, why }, repair: null, notRun: [] };
}

function onlyThinking(): Read {
  return no(
    "only_thinking",
    "there was thinking and no reply outside of it: think first, close the tag, and then only reply",
  );
}

function cutOff(): Read {
  return no(
    "cut_off",
    "the reply ended in the middle of its JSON: send the whole object, with every quote in it escaped",
  );
}

function stray(): Read {
  return no(
    "not_json",
    "the object is quoted, or stands inside of something that is not JSON: send one JSON object and nothing else",
  );
}

function mixed(): Read {
  return no("mixed_reply", "the reply is both text and a call: send only the tool call, or only text");
}

function unreadableCall(): Read {
  return no("call_unreadable", "the tool call cannot be read: give its name and its arguments as one JSON object");
}
