import { isBlank } from "./hidden.ts";
import { type Parsed, unparsed } from "./parsed.ts";
import { parseReply, type Reply } from "./reply.ts";
import type { Said, WireMode } from "./said.ts";

/**
 * What small models do to a reply that can be undone without guessing, one word each; what was done is recorded with the
 * original text and the text that was read instead.
 */
export const REPAIR_NAMES = [
  "think",
  "fence",
  "prose",
  "wrapper",
  "twice",
  "trailing_comma",
  "single_quotes",
  "kind_case",
  "tool_call_text",
  "flat_in_text",
] as const;

export type RepairName = (typeof REPAIR_NAMES)[number];

/** `text` is the reply that was read, as the flat object that it should have been. */
export type Repair = { readonly names: readonly RepairName[]; readonly text: string };

/** A reply as it was read: the value or why there is none, what was mended, and the further calls, which are not run. */
export type Read = {
  readonly reply: Parsed<Reply>;
  readonly repair: Repair | null;
  readonly notRun: readonly string[];
};

/** What reading a reply has to know of the tools. `takesNothing`: the tool has no parameters at all. */
export type KnownTools = { readonly takesNothing: (tool: string) => boolean };

/** Reads what a model said as one of the four replies. */
export function readReply(said: Said, _mode: WireMode, _known: KnownTools, bytesMax: number): Read {
  return { reply: readStrictly(said, bytesMax), repair: null, notRun: [] };
}

/** A reply that was cut by length or refused has its own code and is never repaired (design 5.1). */
function readStrictly({ text, finish }: Said, bytesMax: number): Parsed<Reply> {
  if (finish === "length")
    return unparsed("cut_by_length", "the reply was cut off at its length limit; make it shorter");
  if (finish === "refusal" || finish === "content_filter") return unparsed("refused", "the model refused to reply");
  if (isBlank(text)) return unparsed("empty_reply", "the reply was empty");
  return parseReply(text, bytesMax);
}
