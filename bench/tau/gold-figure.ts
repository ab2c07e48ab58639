/** The ground truth of a suite, driven: the same questions to the shop and to the airline. */
import type { Desk } from "./desk.ts";
import { driveGold, driveLookUps, type GoldCall } from "./gold.ts";
import type { Task } from "./tasks.ts";

/** A ground-truth write that is wrong: the benchmark's own tool refuses it, or the audit finds a violation. */
export type WrongWrite = {
  readonly write: GoldCall;
  readonly audit: readonly string[];
  readonly refused: string | null;
};

export type GoldFigure = {
  readonly tasks: number;
  readonly correct: readonly GoldCall[];
  readonly wrong: readonly WrongWrite[];
  /** The same writes, each task's in the conversation of another customer. */
  readonly foreign: readonly GoldCall[];
  /** What the tasks look up, without what the benchmark's own tools answer with an error. */
  readonly lookUps: readonly GoldCall[];
  readonly replays: boolean;
};

/** Drives the ground truth of all tasks. `services` gives a fresh world for each. */
export async function goldFigure(desk: Desk, tasks: readonly Task[], services: () => object): Promise<GoldFigure> {
  const correct: GoldCall[] = [];
  const wrong: WrongWrite[] = [];
  const foreign: GoldCall[] = [];
  const lookUps: GoldCall[] = [];
  let replays = true;
  const withWrites = tasks.filter((task) => task.writeCalls.length > 0);
  for (const task of withWrites) {
    const run = await driveGold(desk, services(), task);
    for (const write of run.calls) {
      const { audit, error } = task.calls[write.call] ?? {};
      const found = { write, audit: audit?.violates ?? [], refused: error ?? null };
      if (found.audit.length > 0 || found.refused !== null) wrong.push(found);
      else correct.push(write);
    }
    const other = tasks.find((candidate) => candidate.actorUserId !== task.actorUserId);
    if (other === undefined) continue;
    const strange = await driveGold(desk, services(), { ...task, actorUserId: other.actorUserId });
    foreign.push(...strange.calls);
    replays &&= run.replays && strange.replays;
  }
  for (const task of tasks) {
    const run = await driveLookUps(desk, services(), task);
    lookUps.push(...run.calls.filter(({ call }) => task.calls[call]?.error === undefined));
    replays &&= run.replays;
  }
  return { tasks: withWrites.length, correct, wrong, foreign, lookUps, replays };
}

/** What keeps the goal from holding, a line each. */
export function goldFailures(suite: string, gold: GoldFigure): string[] {
  const failures: string[] = [];
  for (const write of gold.correct.filter((entry) => !entry.authorised || entry.outcome !== "done")) {
    failures.push(`${suite}: task ${write.task} call ${write.call} ${write.tool}: ${write.code ?? write.outcome}`);
  }
  for (const { write } of gold.wrong.filter((entry) => entry.write.authorised)) {
    failures.push(`${suite}: task ${write.task} call ${write.call} ${write.tool}: authorised although it is wrong`);
  }
  for (const write of gold.foreign.filter((entry) => entry.authorised)) {
    failures.push(`${suite}: task ${write.task} call ${write.call} ${write.tool}: authorised for another customer`);
  }
  if (!gold.replays) failures.push(`${suite}: a run of the ground truth did not replay`);
  return failures;
}
