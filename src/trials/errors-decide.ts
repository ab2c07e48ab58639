import type { TrialResults } from "../domain/trial-run.ts";
import { ALONE } from "./arms.ts";
import { controlOf } from "./control.ts";
import { repeatsOf } from "./repeats.ts";
import { lastAttempts } from "./report-trial.ts";

/**
 * Whether a positive control that does not work might have worked, had none of its runs come to an error: then those are to be
 * made once more, before anybody mends the rule.
 */
export function errorsDecide({ conditions, design, runs }: Omit<TrialResults, "pairs">): boolean {
  const control = lastAttempts(runs).filter(({ block }) => block === "control");
  if (!control.some(({ outcome }) => outcome === "error")) return false;
  const hoped = control.map((run) =>
    run.outcome === "error" ? { ...run, outcome: run.arm === ALONE ? ("obeyed" as const) : ("broken" as const) } : run,
  );
  return controlOf(design, hoped, repeatsOf(conditions, control) !== null).works;
}
