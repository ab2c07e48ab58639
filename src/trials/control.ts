import type { TrialDesign } from "../domain/trial.ts";
import type { TrialControl, TrialRun } from "../domain/trial-run.ts";
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
 * `runs`: the last attempt of each run of the control block.
 */
export function controlOf(
  { controlPairs }: Pick<TrialDesign, "controlPairs">,
  runs: readonly TrialRun[],
): TrialControl {
  const of = (arm: string): readonly TrialRun[] => runs.filter((run) => run.arm === arm);
  const [aloneRuns, absentRuns] = [of(ALONE), of(ABSENT)];
  const [alone, absent] = [countArm(ALONE, aloneRuns), countArm(ABSENT, absentRuns)];
  const finished = alone.runs === controlPairs && absent.runs === controlPairs;
  const [comparison] = compareArms(
    [
      { arm: ALONE, interval: alone.interval, outcomes: outcomesOf(aloneRuns) },
      { arm: ABSENT, interval: absent.interval, outcomes: outcomesOf(absentRuns) },
    ],
    controlPairs,
    finished,
  );
  const why = whyNot(alone, absent, finished, comparison?.higher === ALONE);
  return { works: why === "", pairs: controlPairs, alone, absent, why };
}

export function outcomesOf(runs: readonly TrialRun[]): ReadonlyMap<number, TrialRun["outcome"]> {
  return new Map(runs.map(({ pair, outcome }) => [pair, outcome]));
}

type Counts = TrialControl["alone"];

function whyNot(alone: Counts, absent: Counts, finished: boolean, isHigher: boolean): string {
  if (!finished) return `of its ${alone.arm} and ${absent.arm} runs, ${alone.runs} and ${absent.runs} were made`;
  const followed = `the rule alone was followed in ${alone.obeyed} of ${alone.obeyed + alone.broken} runs`;
  const floor = `${CONTROL_FLOOR * 100} %`;
  if (alone.interval.low < CONTROL_FLOOR) {
    return `${followed}, for certain in ${percent(alone.interval.low)} at the least, which is less than ${floor}`;
  }
  if (isHigher) return "";
  return `${followed}, and without the rule it was so in ${absent.obeyed} of ${absent.obeyed + absent.broken}: the rule makes no difference that can be told from chance`;
}

function percent(rate: number): string {
  return `${Math.floor(rate * 100)} %`;
}
