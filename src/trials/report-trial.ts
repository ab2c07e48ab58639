import type { TrialDesign } from "../domain/trial.ts";
import {
  type RunKey,
  TRIAL_REPORT,
  type TrialControl,
  type TrialPlan,
  type TrialRefusal,
  type TrialRefusalCode,
  type TrialReport,
  type TrialResults,
  type TrialRun,
} from "../domain/trial-run.ts";
import { armsOf, comparisonsOf } from "./arms.ts";
import { compareArms } from "./compare.ts";
import { controlOf } from "./control.ts";
import { countArm, rangeOf } from "./count-arm.ts";
import { notesOf } from "./notes.ts";
import { planTrial, type Rates } from "./plan-trial.ts";
import { repeatsOf } from "./repeats.ts";
import { type ScheduledRun, scheduleOf } from "./schedule.ts";

/**
 * What a trial showed, or why that cannot be said. A pure function of the runs: whoever has them comes to the same report.
 *
 * Laws, tested in test/laws/trials.test.ts:
 *   no-control-no-report   without a positive control that works there is a refusal, whatever the arms did
 *   abstention-is-no-zero  runs that abstained or failed change no rate and no interval
 *   order-is-nothing       the order in which the runs are given changes nothing
 *   overlap-is-no-order    where intervals overlap no ordering is supported, whatever the test says
 *   survivors-say-nothing  where one arm lost more of its runs than the other no ordering is supported
 *   few-is-no-order        with fewer complete pairs than were planned no ordering is supported
 *   repeats-are-one        where nothing is left to chance, runs with one prompt count once
 */
export function reportTrial(results: TrialResults): TrialReport | TrialRefusal {
  const { design, conditions, pairs } = results;
  const schedule = scheduleOf(design, pairs);
  const stray = strayIn(schedule, results.runs);
  if (stray !== null) return refusal("runs_do_not_fit", stray, null);
  const runs = lastAttempts(results.runs);
  if (runs.length === 0) return refusal("no_runs", "no run of this trial was made", null);
  const repeats = repeatsOf(conditions, runs);
  const control = controlOf(
    design,
    runs.filter(({ block }) => block === "control"),
    repeats !== null,
  );
  const errors = runs.filter(({ outcome }) => outcome === "error").length;
  if (errors > design.errorsMax) {
    const detail = `${errors} of ${runs.length} runs came to an error, and the design allows ${design.errorsMax}`;
    return refusal("too_many_errors", detail, control);
  }
  if (!control.works) return refusal("no_positive_control", control.why, control);
  const ofArms = runs.filter(({ block }) => block === "arms");
  const compared = armsOf(design.vary).map(({ name }) => {
    const own = ofArms.filter(({ arm }) => arm === name);
    return { count: countArm(name, own, repeats !== null), runs: own };
  });
  const arms = compared.map(({ count }) => count);
  const missing = schedule.length - runs.length;
  const planned = planOf(design);
  const needed = planned?.needed.supported ?? null;
  const comparing = { pairs, finished: missing === 0, needed, repeats: repeats !== null };
  const comparisons = compareArms(compared, comparing);
  const [from, to] = rangeOf(runs.map(({ at }) => at));
  return {
    kind: "report",
    schema: TRIAL_REPORT,
    name: design.name,
    conditions,
    rule: design.rule,
    profile: design.profile,
    varies: design.vary.kind,
    seed: design.seed,
    tasks: design.tasks.length,
    pairs,
    finished: missing === 0,
    missing,
    from,
    to,
    plan: planned,
    repeats,
    control,
    arms,
    comparisons,
    notes: notesOf({ plan: planned, missing, control, arms, comparisons, repeats, compared }),
  };
}

/** The plan of a design's expected rates; null where no pairs can have them. */
export function planOf({ expect, vary }: Pick<TrialDesign, "expect" | "vary">): TrialPlan | null {
  const plan = planTrial(ratesOf(expect), comparisonsOf(armsOf(vary).length));
  return plan.ok ? plan.value : null;
}

/** Percentages as shares. */
export function ratesOf({ high, low, discordance }: TrialDesign["expect"]): Rates {
  return { high: high / 100, low: low / 100, discordance: discordance === null ? null : discordance / 100 };
}

/** How many pairs of its arms a trial runs: as declared, else as planned; null where neither says. */
export function pairsOf(design: Pick<TrialDesign, "expect" | "vary" | "pairs">): number | null {
  return design.pairs ?? planOf(design)?.needed.supported ?? null;
}

function refusal(code: TrialRefusalCode, detail: string, control: TrialControl | null): TrialRefusal {
  return { kind: "refusal", code, detail, control };
}

/** The name of a run of a trial, as a key. */
export function keyOf({ block, pair, arm }: RunKey): string {
  return `${block} ${pair} ${arm}`;
}

/** Each run by its last attempt, in the order of the schedule's blocks and pairs. */
export function lastAttempts(runs: readonly TrialRun[]): readonly TrialRun[] {
  const last = new Map<string, TrialRun>();
  for (const run of runs) {
    const before = last.get(keyOf(run));
    if (before === undefined || before.attempt < run.attempt) last.set(keyOf(run), run);
  }
  return [...last.values()];
}

/** Why these are not runs of this schedule: one that it does not have, made under other conditions, or made twice. */
export function strayIn(schedule: readonly ScheduledRun[], runs: readonly TrialRun[]): string | null {
  const known = new Map(schedule.map((run) => [keyOf(run), run]));
  const seen = new Map<string, Set<number>>();
  for (const run of runs) {
    const key = keyOf(run);
    const scheduled = known.get(key);
    if (scheduled === undefined) return `the trial has no run ${key}`;
    const { task, told, seed } = scheduled;
    if (run.task !== task.id || run.seed !== seed) return `run ${key} was made with another task or seed`;
    if (run.told.neighbours !== told.neighbours || run.told.copies !== told.copies) {
      return `run ${key} was told ${run.told.neighbours} neighbours and the rule ${run.told.copies} times`;
    }
    const attempts = seen.get(key) ?? new Set();
    if (attempts.has(run.attempt)) return `run ${key} was made twice`;
    seen.set(key, attempts.add(run.attempt));
  }
  // Only what came to an error is tried again, so of several attempts every one but the last did.
  const last = new Map(lastAttempts(runs).map((run) => [keyOf(run), run.attempt]));
  const again = runs.find((run) => run.outcome !== "error" && run.attempt !== last.get(keyOf(run)));
  return again === undefined ? null : `run ${keyOf(again)} was made again after it was judged`;
}
