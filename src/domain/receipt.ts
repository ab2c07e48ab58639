import type { Json } from "./json.ts";

/** A Receipt: a piece of finished work and the result that stands for it, so that it is not done again. */
export type Receipt = {
  /** What it settles: a tool with its params, or what the tool's `settles` names. */
  readonly key: string;
  readonly tool: string;
  /** The step of this run that did it. */
  readonly step: number;
  readonly result: Json;
  readonly line: string;
};
