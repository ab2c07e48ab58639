import type { JsonObject } from "./json.ts";
import { utf8Length } from "./utf8.ts";

/**
 * What a model said, as its server sent it: content, native tool calls, and the server's word for why it stopped. Nothing
 * in it is trusted; ids of calls and of responses are not even kept, since servers repeat them.
 */
export type Said = {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  /** `stop`, `length`, `refusal`, `none` where the server said nothing that can be used, or its own word (`stoppedBy`). */
  readonly finish: string;
};

/** Why a reply is not all that the model would have said: its length limit, something that broke it off, or a refusal. */
export type StoppedBy = "length" | "break" | "refusal";

/** Servers' words for it, without what they put between its parts and in lower case. */
const STOPPED_BY: ReadonlyMap<string, StoppedBy> = new Map([
  ["length", "length"],
  ["maxtokens", "length"],
  ["maxoutputtokens", "length"],
  ["modellength", "length"],
  ["modelcontextwindowexceeded", "length"],
  ["abort", "break"],
  ["aborted", "break"],
  ["cancelled", "break"],
  ["canceled", "break"],
  ["error", "break"],
  ["networkerror", "break"],
  ["insufficientsystemresource", "break"],
  ["refusal", "refusal"],
  ["contentfilter", "refusal"],
  ["safety", "refusal"],
]);

/** No word in the table is longer, with what may stand between its parts. */
const WORD_UNITS_MAX = 64;

/** What a server's word for why it stopped means; null for a reply that ended by itself, and for a word that nobody knows. */
export function stoppedBy(finish: string): StoppedBy | null {
  if (finish.length > WORD_UNITS_MAX) return null;
  return STOPPED_BY.get(finish.toLowerCase().replace(/[\s_-]/g, "")) ?? null;
}

/** One native tool call. `args` is the text of the arguments; a server that sent a value has it written as JSON here. */
export type ModelCall = { readonly name: string; readonly args: string };

/** UTF-8 bytes of all that a model said. */
export function saidBytes(text: string, calls: readonly ModelCall[]): number {
  return calls.reduce((sum, { name, args }) => sum + utf8Length(name) + utf8Length(args), utf8Length(text));
}

/** How a reply is asked for: as one flat JSON object in the content, or by the server's native tool calls. */
export type WireMode = "flat" | "tools";

/**
 * What was sent beside the prompt to constrain the reply. `params_object`: a JSON Schema with each tool's params as a strict
 * object. `params_text`: the same with the params as JSON text. `no_schema`: nothing. `tools`: native tools.
 */
export type SentAs = "params_object" | "params_text" | "no_schema" | "tools";

/** A tool as a native tool call names it; `parameters` is JSON Schema in the strict common subset where that can say it. */
export type WireTool = {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
};
