import type { Refusal } from "../domain/served.ts";
import type { Part } from "./part.ts";
import { bytesWith, NOTHING, type Taken } from "./taken.ts";

export type Pinned = { readonly kind: "pinned"; readonly taken: Taken };

/** Pin: the safety rules of the dispatch text always stay. Where they alone exceed the budget, no plan can exist. */
export function pin(
  dispatch: readonly Part[],
  budget: { readonly name: string; readonly bytes: number },
): Pinned | Refusal {
  const pinned = dispatch.filter(({ safety }) => safety);
  const taken = pinned.reduce((before, part) => bytesWith(before, part), NOTHING);
  // Not `>`: a budget that is no number holds nothing.
  if (taken.bytes <= budget.bytes) return { kind: "pinned", taken };
  return {
    kind: "refusal",
    code: "safety_exceeds_budget",
    detail: `the safety rules take ${taken.bytes} bytes and profile ${budget.name} has ${budget.bytes}`,
    rules: pinned.map(({ id }) => id),
  };
}
