import { canonicalJson } from "../domain/canonical.ts";
import { JSON_LIMITS } from "../domain/json-limits.ts";
import { unparsed } from "../domain/parsed.ts";
import { type Redaction, redactJson, redactText } from "../domain/redact.ts";
import { oneLine } from "../domain/result.ts";
import { type ModelCall, type Said, saidBytes } from "../domain/said.ts";
import { type Read, readReply } from "../domain/salvage.ts";
import { parseJson } from "../domain/scan.ts";
import { wellFormed } from "../domain/text.ts";
import { utf8Prefix } from "../domain/utf8.ts";
import { type Answer, NO_CALLS } from "./model-reply.ts";
import type { Parts, Scope } from "./parts.ts";

/** Bytes of a model's reply that are read and recorded; a longer reply is refused as `too_large`. */
export const REPLY_BYTES_MAX = 262_144;
/** What is kept of a longer one. */
const START_BYTES = 4_096;

/** What a model said, and what that was read as. */
export type Heard = { readonly said: Said; readonly read: Read };

/** What a model said, redacted and read. Of what is oversized only the start is kept. */
export function readAnswer(answer: Answer, scope: Scope, parts: Parts): Heard {
  const { redaction } = parts;
  const finish = answer.finish === "stop" ? "stop" : oneLine(redactText(wellFormed(answer.finish), redaction));
  const text = redactRaw(wellFormed(answer.text), redaction);
  const calls = callsOf(answer, redaction);
  const units = calls.reduce((sum, { name, args }) => sum + name.length + args.length, text.length);
  // A hostile server may send gigabytes. What is kept of an oversized reply is its start.
  if (units > REPLY_BYTES_MAX || (units * 3 > REPLY_BYTES_MAX && saidBytes(text, calls) > REPLY_BYTES_MAX)) {
    const why = unparsed("too_large", `the reply is longer than ${REPLY_BYTES_MAX} bytes`);
    const said = { text: utf8Prefix(text, START_BYTES), calls: NO_CALLS, finish };
    return { said, read: { reply: why, repair: null, notRun: [] } };
  }
  const said = { text, calls, finish };
  return { said, read: readReply(said, scope.mode, scope.known, REPLY_BYTES_MAX) };
}

/** The server could not read what its model said: the model's fault, and what there is of it is the server's message. */
export function unreadableCall(detail: string): Heard {
  const why = "the server could not read the tool call; write its arguments as one JSON object";
  const said = { text: utf8Prefix(detail, START_BYTES), calls: NO_CALLS, finish: "none" };
  return { said, read: { reply: unparsed("unreadable_call", why), repair: null, notRun: [] } };
}

function callsOf({ calls }: Answer, redaction: Redaction): readonly ModelCall[] {
  if (calls.length === 0) return NO_CALLS;
  return calls.map(({ name, args }) => ({
    name: redactText(wellFormed(name), redaction),
    args: redactRaw(wellFormed(args), redaction),
  }));
}

/**
 * What a model said, without the declared values. JSON is redacted as a value and written anew if that changed it: there
 * a number is one, too, and stays readable as JSON. Then the text, which is all there is of what cannot be read.
 */
function redactRaw(text: string, { values }: Redaction): string {
  if (values.length === 0) return text;
  const json = parseJson(text.trim(), { ...JSON_LIMITS, bytesMax: REPLY_BYTES_MAX });
  if (!json.ok) return redactText(text, { values, fields: [] });
  const clean = canonicalJson(redactJson(json.value, { values, fields: [] }));
  return redactText(clean === canonicalJson(json.value) ? text : clean, { values, fields: [] });
}
