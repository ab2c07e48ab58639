import type { JsonObject } from "../../src/domain/json.ts";
import type { ModelCall } from "../../src/domain/said.ts";

/** What a reply was made to propose. */
export type Proposed = { readonly tool: string; readonly params: JsonObject; readonly evidence: readonly string[] };

/**
 * What a reply says for sure: nothing but these, each at most once and in this order; null where it was mutated and nobody
 * knows. `done`: how many of them are behind what was performed last.
 */
export type Meant = { readonly only: readonly Proposed[] | null; done: number };

/** A reply with what it says. */
export type Utterance = {
  readonly form: string;
  readonly text: string;
  readonly calls: readonly ModelCall[];
  readonly only: readonly Proposed[] | null;
};
