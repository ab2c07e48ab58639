import { type Desk, openBox } from "./desk.ts";
import { type Call, Recording } from "./recording.ts";
import { requestOf, type Task } from "./tasks.ts";

/** One ground-truth call of a task, proposed in order on a fresh world. */
export type GoldCall = {
  readonly task: string;
  readonly call: number;
  readonly tool: string;
  readonly authorised: boolean;
  readonly code: string | null;
  readonly rule: string | null;
  readonly outcome: string | null;
};

export type GoldRun = { readonly calls: readonly GoldCall[]; readonly replays: boolean };

/** Proposes the ground-truth writes of one task through the real loop and rails, in the scenario's own words. */
export function driveGold(desk: Desk, services: object, task: Task): Promise<GoldRun> {
  return drive(desk, services, task, task.writeCalls);
}

/** The same for what a task looks up. A look-up that is named more than once is proposed once. */
export function driveLookUps(desk: Desk, services: object, task: Task): Promise<GoldRun> {
  const seen = new Set<string>();
  const indexes = task.calls.flatMap(({ tool, args }, index) => {
    const text = JSON.stringify([tool, args]);
    if (desk.writes.includes(tool) || seen.has(text)) return [];
    seen.add(text);
    return [index];
  });
  return drive(desk, services, task, indexes);
}

async function drive(desk: Desk, services: object, task: Task, indexes: readonly number[]): Promise<GoldRun> {
  const model = new Recording("ground truth", () => {});
  const { box, thread } = openBox(desk, { services, model, userId: task.actorUserId });
  model.load(
    indexes.flatMap((index) => {
      const found = task.calls[index];
      if (found === undefined) return [];
      const call: Call = { tool: found.tool, args: found.args };
      return [{ kind: "call" as const, index, call }];
    }),
  );
  const outcome = await thread.run(requestOf(task), { onEvent: (event) => model.note(event) });
  model.settle();
  const replay = await box.replay(outcome.run);
  await box.close();
  const calls = indexes.map((index): GoldCall => {
    const handled = model.handled.find((entry) => entry.index === index);
    return {
      task: task.id,
      call: index,
      tool: task.calls[index]?.tool ?? "",
      authorised: handled?.decided?.outcome === "permit",
      code: handled?.decided?.denial?.code ?? (handled === undefined ? "not_reached" : null),
      rule: handled?.decided?.rule ?? null,
      outcome: handled?.finished?.outcome ?? null,
    };
  });
  return { calls, replays: replay.same };
}
