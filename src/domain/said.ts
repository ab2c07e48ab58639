import type { JsonObject } from "./json.ts";

/**
 * What a model said, as its server sent it: content, native tool calls, and the server's word for why it stopped. Nothing
 * in it is trusted; ids of calls and of responses are not even kept, since servers repeat them.
 */
export type Said = {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  /** `stop`, `length`, `refusal`, `none` where the server said nothing that can be used, or its own word. */
  readonly finish: string;
};

/** One native tool call. `args` is the text of the arguments; a server that sent a value has it written as JSON here. */
export type ModelCall = { readonly name: string; readonly args: string };

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
