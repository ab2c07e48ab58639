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

/** A step of such a run: the fold of its rows. What it proposed last counts; a step that has begun never changes it. */
export type OutsideStep = {
  readonly state: OutsideState;
  readonly tool: string;
  readonly params: Json;
  readonly evidence: readonly string[];
  readonly staged: Staged | null;
  readonly approved: Approved | null;
  /** Why it was refused by a person or by time. */
  readonly why: string | null;
};

/** A step after an event that names it; null is a step that nothing is known of. */
export function stepAfter(step: OutsideStep | null, event: RunEvent): OutsideStep | null {
  switch (event.kind) {
    case "decided": {
      // What is refused for not being what was staged leaves that where it is. And what has begun has begun: that it may not
      // be begun again today does not take its outcome from it.
      const leaves = event.denial?.code === "approval_mismatch" || step?.state === "started";
      if (step !== null && event.outcome === "deny" && leaves) return step;
      const { tool, params, evidence, outcome } = event;
      const state = outcome === "deny" ? "denied" : outcome === "stage" ? "waiting" : "started";
      const before = step ?? { staged: null, approved: null, why: null };
      // An approval that was decided on is used, whatever came of it.
      const over = outcome === "deny" ? { staged: null, approved: null } : {};
      return { ...before, ...over, state, tool, params, evidence };
    }
    case "staged":
      return step === null ? null : { ...step, state: "waiting", staged: event, approved: null };
    case "approved":
      return step === null ? null : { ...step, state: "approved", approved: event };
    case "rejected": {
      if (step === null) return null;
      const state = event.code === "approval_expired" ? "expired" : "rejected";
      return { ...step, state, approved: null, why: event.why };
    }
    case "finished": {
      // An approval is for one attempt: what failed and is proposed again needs another.
      const over = event.outcome === "failed" ? { staged: null, approved: null } : {};
      return step === null ? null : { ...step, ...over, state: event.outcome };
    }
    case "settled_before": {
      const before = step ?? { params: null, evidence: [], why: null };
      return { ...before, staged: null, approved: null, state: "settled_before", tool: event.tool };
    }
    default:
      return step;
  }
}
