import { cyclePeriod, RECENT_TURNS } from "./guardrails/cycle.ts";
import { isRepetition, type Signature } from "./guardrails/repetition.ts";
import type { Run } from "./run.ts";
import { end } from "./turns.ts";

/** Notes a turn's signature and ends the run where it completes a repetition or a cycle. */
export function sign(run: Run, signature: Signature): Run {
  const recent = [...(run.recent.length < RECENT_TURNS ? run.recent : run.recent.slice(1)), signature];
  const next: Run = { ...run, recent };
  if (isRepetition(recent)) return end(next, "repetition");
  const period = cyclePeriod(recent);
  return period === null ? next : end(next, "cycle", `the same ${period} actions in turn`);
}
