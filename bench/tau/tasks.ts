/** The tasks of a suite with their ground truth, as the public data has them. Source: sierra-research/tau2-bench (MIT). */
import { readData } from "../../examples/tau/data.ts";
import { z } from "../../src/index.ts";

const params = z.record(z.string(), z.json());
/** The check that comes with the data: which rules of the written policy a write breaks, and what a conversation must tell. */
export const audit = z.looseObject({ violates: z.array(z.string()), needsFromConversation: z.array(z.string()) });

const task = z.looseObject({
  id: z.string(),
  actorUserId: z.string(),
  scenario: z.looseObject({
    task_instructions: z.string(),
    reason_for_call: z.string(),
    known_info: z.string().nullable(),
    unknown_info: z.string().nullable(),
  }),
  calls: z.array(
    z.looseObject({
      tool: z.string(),
      args: params,
      /** What the benchmark's own tool refused it with. */
      error: z.string().optional(),
      audit: audit.optional(),
    }),
  ),
  writeCalls: z.array(z.number()),
});

export type Task = z.infer<typeof task>;

export type Suite = {
  readonly tasks: readonly Task[];
  /** Where they come from, in one line for every screen. */
  readonly source: string;
};

/** Reads the tasks of `retail.json` or `airline.json`. Throws `NoTauData` where the file is absent or has another shape. */
export function loadTasks(directory: string, suite: "airline" | "retail"): Suite {
  const source = z.looseObject({ repository: z.string(), license: z.string() });
  const read = readData(directory, `${suite}.json`, z.looseObject({ tasks: z.array(task), source }));
  return { tasks: read.tasks, source: `${read.source.repository} (${read.source.license})` };
}

/** What the customer of a task would say: the scenario's own words. */
export function requestOf(task: Task): string {
  const { reason_for_call, task_instructions, known_info, unknown_info } = task.scenario;
  return [reason_for_call, task_instructions, known_info, unknown_info].filter((part) => part !== null).join("\n");
}
