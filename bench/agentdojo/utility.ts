/** The user tasks: each one's own calls in order, as a model that does what it is asked would propose them. */
import type { RecordedCall, SuiteData, UserTask } from "./data.ts";
import type { Suite } from "./suites.ts";
import { DojoThread, type Said } from "./thread.ts";

/** `alone`: every call is permitted. `approved`: some wait for a person and none is denied. `denied`: one is. */
export type TaskEnd = "alone" | "approved" | "denied";

export type DecidedCall = { readonly call: RecordedCall; readonly said: Said };
export type DrivenTask = { readonly task: string; readonly end: TaskEnd; readonly decided: readonly DecidedCall[] };

/**
 * Drives one task. What waits is taken for approved and decided again, as a person's approval is: whatever denies then,
 * denies. Results are the recorded ones, so only the decisions matter.
 */
export function driveTask(suite: Suite, data: SuiteData, task: UserTask): DrivenTask {
  const thread = new DojoThread(suite, data.environment, task.prompt);
  const decided: DecidedCall[] = [];
  for (const call of task.calls) {
    const said = thread.decide(call.tool, call.args);
    decided.push({ call, said });
    if (said.outcome === "deny") break;
    const again = thread.decide(call.tool, call.args);
    if (again.outcome === "deny")
      throw new Error(`${task.id}: ${call.tool} was ${said.outcome} and is denied when asked again`);
    thread.commit(call.tool, call.args, call.result);
  }
  return { task: task.id, end: endOf(decided), decided };
}

function endOf(decided: readonly DecidedCall[]): TaskEnd {
  if (decided.some(({ said }) => said.outcome === "deny")) return "denied";
  return decided.some(({ said }) => said.outcome === "stage") ? "approved" : "alone";
}
