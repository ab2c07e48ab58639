import type { Reservation } from "../domain/cap.ts";
import type { Decided } from "../domain/event.ts";
import type { Decision } from "../rails/index.ts";

/** What of a decision a backtest compares, and the rule that gave it. */
export type Verdict = {
  readonly outcome: Decided["outcome"];
  readonly code: string | null;
  readonly role: string | null;
  readonly rule: string;
  readonly reservations: readonly Reservation[];
};

/** What a recorded proposal comes to under other rules. `why`: what they would need that was not kept. */
export type Again =
  | {
      readonly known: true;
      readonly verdict: Verdict;
      /** Caps whose use was not recorded. */
      readonly simulated: readonly string[];
      /** Objects of the record whose keys were listed. */
      readonly listed: readonly string[];
    }
  | { readonly known: false; readonly why: readonly string[] };

export function recordedVerdict({ outcome, denial, role, rule, reservations }: Decided): Verdict {
  return { outcome, code: denial?.code ?? null, role, rule, reservations };
}

export function verdictOf(decision: Decision): Verdict {
  return {
    outcome: decision.outcome,
    code: decision.outcome === "deny" ? decision.denial.code : null,
    role: decision.outcome === "stage" ? decision.role : null,
    rule: decision.rule,
    reservations: decision.outcome === "permit" ? decision.reservations : [],
  };
}

/** The same verdict; which rule gave it is only a name. */
export function isSame(a: Verdict, b: Verdict): boolean {
  return a.outcome === b.outcome && a.code === b.code && a.role === b.role;
}
