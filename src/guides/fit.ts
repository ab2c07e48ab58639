import type { DropReason } from "../domain/served.ts";
import type { Part } from "./part.ts";
import { bytesWith, type Taken } from "./taken.ts";

export type Fitted = {
  /** In authored order, the pinned in their places. */
  readonly kept: readonly Part[];
  readonly dropped: readonly Dropped[];
};
export type Dropped = { readonly part: Part; readonly reason: DropReason };

/**
 * Fit: walks the ordinary rules in authored order and stops before the budget would be exceeded. It stops and does not
 * skip: a smaller rule further on is not served in the place of what its author put first. A rule that is larger than the
 * whole budget is named so wherever it stands, since no serving can ever hold it.
 */
export function fit(dispatch: readonly Part[], pinned: Taken, budgetBytes: number): Fitted {
  const kept: Part[] = [];
  const dropped: Dropped[] = [];
  let taken = pinned;
  let stopped = false;
  for (const part of dispatch) {
    if (part.safety) {
      kept.push(part);
      continue;
    }
    const more: Taken = stopped ? taken : bytesWith(taken, part);
    stopped ||= !(more.bytes <= budgetBytes);
    if (stopped) dropped.push({ part, reason: part.bytes <= budgetBytes ? "after_the_stop" : "larger_than_budget" });
    else {
      kept.push(part);
      taken = more;
    }
  }
  return { kept, dropped };
}
