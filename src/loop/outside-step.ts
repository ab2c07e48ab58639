import { canonicalJson } from "../domain/canonical.ts";
import type { Approved, RunEvent, Staged } from "../domain/event.ts";
import type { Json } from "../domain/json.ts";

/** Where a step of a run stands that somebody else's loop carries. */
export type OutsideState =
  | "denied"
  | "waiting"
  | "approved"
  | "rejected"
  | "expired"
  | "started"
  | "done"
  | "failed"
  | "outcome_unknown"
  | "settled_before";

/** A step of such a run: the fold of its rows. */
export type OutsideStep = {
  readonly state: OutsideState;
  readonly tool: string;
  /** What it proposed last, as a digest: nobody has to hold the params of every step. See `proposalText`. */
  readonly proposal: string;
  readonly staged: Staged | null;
  /** The approval that its next decision may use, or that its open attempt was begun with. */
  readonly approved: Approved | null;
  /** Why it was refused by a person or by time. */
  readonly why: string | null;
  /** How often its effect was begun. */
  readonly attempts: number;
};

const NEW = { staged: null, approved: null, why: null, attempts: 0 };

/** What a step proposes, as text: two proposals are the same where this is. */
export function proposalText(tool: string, params: Json, evidence: readonly string[]): string {
  return canonicalJson([tool, params, [...evidence]]);
}

/**
 * A step after an event that names it; null is a step that nothing is known of.
 *
 * Laws, tested in test/laws/outside-step.test.ts:
 *   begun-stays-begun   what was begun and has no outcome stays so, whatever is decided meanwhile
 *   approved-once       an approval is gone when the attempt that was begun with it is over
 */
export function stepAfter(
  step: OutsideStep | null,
  event: RunEvent,
  digest: (text: string) => string,
): OutsideStep | null {
  switch (event.kind) {
    case "decided": {
      const { tool, params, evidence, outcome } = event;
      // What is refused for not being what was staged or begun leaves that where it is.
      if (step !== null && event.denial?.code === "approval_mismatch") return step;
      // Whether it happened is still open: that it may not happen again says nothing of that.
      if (step?.state === "started" && outcome !== "permit") return step;
      const proposal = digest(proposalText(tool, params, evidence));
      const before = step ?? NEW;
      switch (outcome) {
        case "permit":
          return { ...before, state: "started", tool, proposal, attempts: before.attempts + 1 };
        case "stage":
          return { ...before, state: "waiting", tool, proposal };
        default:
          // An approval that was decided on is used, whatever came of it.
          return { ...before, state: "denied", tool, proposal, staged: null, approved: null };
      }
    }
    case "staged":
      return step === null ? null : { ...step, state: "waiting", staged: event, approved: null };
    case "approved":
      return step?.state === "waiting" ? { ...step, state: "approved", approved: event } : step;
    case "rejected": {
      if (step === null || (step.state !== "waiting" && step.state !== "approved")) return step;
      const state = event.code === "approval_expired" ? "expired" : "rejected";
      return { ...step, state, approved: null, why: event.why };
    }
    case "finished":
      return step === null ? null : { ...step, state: event.outcome, staged: null, approved: null };
    case "settled_before": {
      // An approval was for doing it, and it is done: what is proposed next as this step is judged for itself.
      const before = { ...(step ?? NEW), staged: null, approved: null };
      return { ...before, state: "settled_before", tool: event.tool, proposal: step?.proposal ?? "" };
    }
    default:
      return step;
  }
}
