import type { JsonObject } from "./json.ts";

/** A Principal: on whose authority a run acts. What it may not use is neither shown to the model nor callable. */
export type Principal = {
  readonly id: string;
  /** Names of the tools it may use. */
  readonly tools: readonly string[];
  /** Plain facts about it that a policy may read, such as a department or a ceiling of its own. */
  readonly attributes: JsonObject;
};

export function mayUse(principal: Principal, tool: string): boolean {
  return principal.tools.includes(tool);
}
