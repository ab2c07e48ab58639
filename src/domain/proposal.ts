import type { Json, JsonObject } from "./json.ts";

/** A Proposal: what a reply asks to do. Nothing in it is trusted; it is judged, never obeyed. */
export type Proposal = {
  readonly tool: string;
  readonly params: Json;
  /** Ids that the model cites. Code checks that each exists, belongs and is fresh. */
  readonly evidence: readonly string[];
};

/** A proposal whose params passed the output rail: plain, deep-frozen, of the tool's closed type. */
export type CheckedProposal = {
  readonly tool: string;
  readonly params: JsonObject;
  readonly evidence: readonly string[];
};
