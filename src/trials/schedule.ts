import type { TrialDesign, TrialTask } from "../domain/trial.ts";
import { type RunKey, TRIAL_BLOCKS, type TrialBlock } from "../domain/trial-run.ts";
import { type Arm, armsOf, CONTROL_ARMS } from "./arms.ts";
import { Draws } from "./draws.ts";

/** One run that a trial is to make. */
export type ScheduledRun = RunKey & { readonly task: TrialTask; readonly told: Arm; readonly seed: number };

/** Streams of the draws, one a purpose. */
const ORDERS = 2;
const TASKS = 3;
const SEEDS = 4;
/** Seeds of models are 31 bits: every server takes those. */
const SEED_MAX = 2 ** 31;

type Scheduled = Pick<TrialDesign, "seed" | "tasks" | "vary" | "controlPairs">;

/**
 * Every run of a trial in its order. The positive control comes first, so that a trial that could say nothing costs little.
 *
 * A pair has one task and one seed, and a run in every arm. The tasks take turns, each as often as the others. In which order
 * the arms of a pair come is balanced, over all pairs and within each task: of as many turns as there are arms, each arm is
 * once in every place. The order of the tasks, and which arm plays which part, are drawn anew for each such square. So
 * neither a place in the order nor a task nor the time of day favours an arm.
 */
export function scheduleOf(design: Scheduled, pairs: number): readonly ScheduledRun[] {
  return [
    ...blockOf(design, "control", CONTROL_ARMS, design.controlPairs),
    ...blockOf(design, "arms", armsOf(design.vary), pairs),
  ];
}

function blockOf(design: Scheduled, block: TrialBlock, arms: readonly Arm[], pairs: number): readonly ScheduledRun[] {
  const number = TRIAL_BLOCKS.indexOf(block);
  const { seed, tasks } = design;
  const square = arms.length * tasks.length;
  return [...Array(Math.ceil(pairs / square)).keys()]
    .flatMap((nth) => {
      const parts = new Draws(seed, ORDERS, number, nth).shuffled(arms);
      const turns = new Draws(seed, TASKS, number, nth).shuffled(tasks);
      return [...arms.keys()].flatMap((round) =>
        turns.map((task, turn) => ({ task, order: orderOf(parts, turn + shiftOf(round, arms.length, tasks.length)) })),
      );
    })
    .slice(0, pairs)
    .flatMap(({ task, order }, pair) => {
      const drawn = new Draws(seed, SEEDS, number, pair).below(SEED_MAX);
      return order.map((told) => ({ block, pair, arm: told.name, task, told, seed: drawn }));
    });
}

/**
 * By how many rows the tasks are moved on in a round. Each round begins with the row after the last one's, so that all pairs
 * together go through the rows in turn; where that comes back to a row that a task had already, it goes one row further.
 * So in as many rounds as there are arms a task has every row once.
 */
function shiftOf(round: number, arms: number, tasks: number): number {
  const before = [...Array(round).keys()].map((earlier) => (earlier * tasks) % arms);
  return round * tasks + before.filter((row) => row === (round * tasks) % arms).length;
}

/**
 * A row of a balanced Latin square: where the number of arms is even, each arm follows each other one once in a square, too.
 *
 * Source: E. J. Williams, "Experimental designs balanced for the estimation of residual effects of treatments", Australian
 * Journal of Scientific Research A 2 (1949).
 */
function orderOf(parts: readonly Arm[], row: number): readonly Arm[] {
  const n = parts.length;
  // 0, 1, n-1, 2, n-2, …: every difference between neighbours comes once.
  const first = [...Array(n).keys()].map((i) => (i % 2 === 1 ? (i + 1) / 2 : (n - i / 2) % n));
  return first.map((part) => itemAt(parts, (part + row) % n));
}

function itemAt<T>(items: readonly T[], at: number): T {
  const item = items[at];
  if (item === undefined) throw new RangeError(`there is no item ${at} of ${items.length}`);
  return item;
}
