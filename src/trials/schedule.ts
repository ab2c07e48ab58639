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
 * A pair has one task and one seed, and a run in every arm. In which order its arms come is balanced: of as many pairs as
 * there are arms, each arm is once in every place, and which arm plays which part in that square is drawn anew for each. The
 * tasks take turns, each as often as the others, in an order that is drawn for each round. So neither a place in the order
 * nor a task nor the time of day favours an arm.
 */
export function scheduleOf(design: Scheduled, pairs: number): readonly ScheduledRun[] {
  return [
    ...blockOf(design, "control", CONTROL_ARMS, design.controlPairs),
    ...blockOf(design, "arms", armsOf(design.vary), pairs),
  ];
}

function blockOf(design: Scheduled, block: TrialBlock, arms: readonly Arm[], pairs: number): readonly ScheduledRun[] {
  const number = TRIAL_BLOCKS.indexOf(block);
  const turns = turnsOf(design.tasks, pairs, (round) => new Draws(design.seed, TASKS, number, round));
  return turns.flatMap((task, pair) => {
    const seed = new Draws(design.seed, SEEDS, number, pair).below(SEED_MAX);
    const order = orderOf(arms, pair, (square) => new Draws(design.seed, ORDERS, number, square));
    return order.map((told) => ({ block, pair, arm: told.name, task, told, seed }));
  });
}

/** Whose turn it is, so many times, where all take turns: each round in an order of its own. */
function turnsOf<T>(items: readonly T[], turns: number, draws: (round: number) => Draws): readonly T[] {
  const rounds = [...Array(Math.ceil(turns / items.length)).keys()];
  return rounds.flatMap((round) => draws(round).shuffled(items)).slice(0, turns);
}

/**
 * A row of a balanced Latin square over the shuffled arms: where their number is even, each arm follows each other one once
 * in a square, too.
 *
 * Source: E. J. Williams, "Experimental designs balanced for the estimation of residual effects of treatments", Australian
 * Journal of Scientific Research A 2 (1949).
 */
function orderOf(arms: readonly Arm[], pair: number, draws: (square: number) => Draws): readonly Arm[] {
  const n = arms.length;
  const shuffled = draws(Math.floor(pair / n)).shuffled(arms);
  // 0, 1, n-1, 2, n-2, …: every difference between neighbours comes once.
  const first = [...Array(n).keys()].map((i) => (i % 2 === 1 ? (i + 1) / 2 : (n - i / 2) % n));
  return first.map((part) => itemAt(shuffled, (part + pair) % n));
}

function itemAt<T>(items: readonly T[], at: number): T {
  const item = items[at];
  if (item === undefined) throw new RangeError(`there is no item ${at} of ${items.length}`);
  return item;
}
