/**
 * What the airline figure reads at run time: the database, the tasks with their ground truth and the recorded dialogues.
 *
 * Source: sierra-research/tau2-bench and sierra-research/tau-bench (MIT).
 */
import { type Database, loadDatabase } from "../../../examples/tau/airline/database.ts";
import { readData } from "../../../examples/tau/data.ts";
import { z } from "../../../src/index.ts";
import { audit, loadTasks, type Task } from "../tasks.ts";

const event = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("user"), text: z.string() }),
  z.looseObject({ type: z.literal("assistant"), text: z.string() }),
  z.looseObject({
    type: z.literal("call"),
    tool: z.string(),
    args: z.record(z.string(), z.json()),
    /** What the benchmark's own tool answered to a write: `ok` or `error: ...`. */
    toolResult: z.string().optional(),
    audit: audit.optional(),
  }),
]);

const dialogue = z.looseObject({
  taskId: z.number(),
  trial: z.number(),
  actorUserId: z.string(),
  instruction: z.string(),
  events: z.array(event),
});

export type Dialogue = z.infer<typeof dialogue>;
export type DialogueEvent = z.infer<typeof event>;
export type RecordedCall = Extract<DialogueEvent, { type: "call" }>;

export type AirlineData = {
  readonly database: Database;
  readonly dialogues: readonly Dialogue[];
  readonly tasks: readonly Task[];
  /** Where it all comes from, in one line for every screen. */
  readonly source: string;
};

/** Reads the three files of a folder. Throws `NoTauData` where one is absent or has another shape. */
export function loadAirline(directory: string): AirlineData {
  const source = z.looseObject({ repository: z.string(), license: z.string() });
  const recorded = readData(
    directory,
    "proposals-gpt4o-airline.json",
    z.looseObject({ runs: z.array(dialogue), model: z.string(), source }),
  );
  const { tasks, source: tasksFrom } = loadTasks(directory, "airline");
  const dialoguesFrom = `${recorded.source.repository} (${recorded.source.license})`;
  return {
    database: loadDatabase(directory),
    dialogues: recorded.runs,
    tasks,
    source: `${tasksFrom} and ${dialoguesFrom}; model: ${recorded.model}`,
  };
}
