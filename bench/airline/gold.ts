import type { Database, RecordedCall, Task } from "./data.ts";
import { openBox } from "./drive.ts";
import { NOW } from "./fired.ts";
import { Recording } from "./recording.ts";
import { World } from "./world.ts";

/** One ground-truth write of a task, proposed in order on a fresh world. */
export type GoldWrite = {
  readonly task: string;
  readonly call: number;
  readonly tool: string;
  readonly authorised: boolean;
  readonly code: string | null;
  readonly rule: string | null;
  readonly outcome: string | null;
};

/** What the customer of a task would say: the scenario's own words. */
export function requestOf(task: Task): string {
  const { reason_for_call, task_instructions, known_info, unknown_info } = task.scenario;
  return [reason_for_call, task_instructions, known_info, unknown_info].filter((part) => part !== null).join("\n");
}

/** Proposes the ground-truth writes of one task through the real loop and rails. */
export async function driveGold(db: Database, task: Task): Promise<{ writes: GoldWrite[]; replays: boolean }> {
  const world = new World(db, NOW);
  const model = new Recording("ground truth", () => {});
  const { box, thread } = openBox(world, model, task.actorUserId);
  model.load(
    task.writeCalls.flatMap((index) => {
      const found = task.calls[index];
      if (found === undefined) return [];
      const call: RecordedCall = { type: "call", tool: found.tool, args: found.args };
      return [{ kind: "call" as const, index, call }];
    }),
  );
  const outcome = await thread.run(requestOf(task), { onEvent: (event) => model.note(event) });
  model.settle();
  const replay = await box.replay(outcome.run);
  await box.close();
  const writes = task.writeCalls.map((index): GoldWrite => {
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
  return { writes, replays: replay.same };
}
