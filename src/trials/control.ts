import type { TrialDesign } from "../domain/trial.ts";
import type { Comparison, TrialControl, TrialRun } from "../domain/trial-run.ts";
import { ABSENT, ALONE } from "./arms.ts";
import { compareArms } from "./compare.ts";
import { countArm } from "./count-arm.ts";

/** The rule alone has to be followed at least so often: the lower end of its Wilson 95 % interval. */
export const CONTROL_FLOOR = 0.5;
/** Fewer pairs than this can support no ordering: five that all differ are a matter of chance (2/32). */
export const CONTROL_PAIRS_MIN = 6;

/**
 * The positive control: the same tasks with the rule alone, and with nothing told at all. It works where the rule alone is
 * followed more often than not for certain (CONTROL_FLOOR), and more often than where nobody was told it, by the same
 * measure as any ordering. Without it nothing can be said of the arms: a harness that never sees anything obeyed makes every
 * rule look drowned, and a judge that only looks for what must not happen is content with a run that does nothing.
 *
 * `runs`: the last attempt of each run of the control block. `repeats`: whether a prompt counts once.
 */
export function controlOf(
  { controlPairs }: Pick<TrialDesign, "controlPairs">,
  runs: readonly TrialRun[],
  repeats: boolean,
): TrialControl {
  const of = (arm: string): readonly TrialRun[] => runs.filter((run) => run.arm === arm);
  const [aloneRuns, absentRuns] = [of(ALONE), of(ABSENT)];
  const [alone, absent] = [countArm(ALONE, aloneRuns, repeats), countArm(ABSENT, absentRuns, repeats)];
  const finished = alone.runs === controlPairs && absent.runs === controlPairs;
  const [comparison] = compareArms(
    [
      { count: alone, runs: aloneRuns },
      { count: absent, runs: absentRuns },
    ],
    { pairs: controlPairs, finished, needed: CONTROL_PAIRS_MIN, repeats },
  );
  const why = finished ? whyNot(alone, absent, comparison ?? null) : unfinished(alone, absent, controlPairs);
  return { works: why === "", pairs: controlPairs, alone, absent, why };
}

type Counts = TrialControl["alone"];

function unfinished(alone: Counts, absent: Counts, pairs: number): string {
  return `the positive control is not finished: of ${pairs} runs of ${alone.arm} ${alone.runs} were made, and ${absent.runs} of ${absent.arm}`;
}

function whyNot(alone: Counts, absent: Counts, comparison: Comparison | null): string {
  const once =
    alone.repeats + absent.repeats === 0 ? "" : ", each prompt counted once, since nothing was left to chance";
  const followed = `the rule alone was followed in ${alone.obeyed} of ${alone.obeyed + alone.broken} runs${once}`;
  const floor = `${CONTROL_FLOOR * 100} %`;
  if (alone.interval.low < CONTROL_FLOOR) {
    return `${followed}, for certain in ${percent(alone.interval.low)} at the least, which is less than ${floor}${errorsText(alone, absent)}`;
  }
  if (comparison?.higher === ALONE) return "";
  if (comparison?.survivors === true) {
    return `${followed}, but ${lostText(alone)}, and ${lostText(absent)}: what is left of them cannot be compared`;
  }
  return `${followed}, and without the rule it was so in ${absent.obeyed} of ${absent.obeyed + absent.broken}: the rule makes no difference that can be told from chance${errorsText(alone, absent)}`;
}

/** What failed says nothing of the rule, and is told beside what does. */
function errorsText(alone: Counts, absent: Counts): string {
  if (alone.errors + absent.errors === 0) return "";
  return `; of ${alone.runs} runs ${alone.arm} ${alone.errors} came to an error, and of ${absent.runs} ${absent.arm} ${absent.errors}, which say nothing of the rule`;
}

function lostText({ arm, abstained, errors, runs }: Counts): string {
  return `of ${runs} runs ${arm} ${abstained} abstained and ${errors} came to an error`;
}

function percent(rate: number): string {
  return `${Math.floor(rate * 100)} %`;
}
