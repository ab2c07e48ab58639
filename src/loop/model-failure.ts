import type { ModelFailed, Usage } from "../domain/event.ts";
import { smallerPrompt } from "./prompt-room.ts";
import type { Run } from "./run.ts";
import { bug, end, spentBudget } from "./turns.ts";

/** What a model call costs, and what follows from one that gave no reply. */

export function spend(run: Run, { promptTokens, completionTokens, costMicro }: Usage): Run {
  const tokens = run.used.tokens + promptTokens + completionTokens;
  return { ...run, used: { ...run.used, tokens, costMicro: run.used.costMicro + costMicro } };
}

export function afterModelFailure(before: Run, event: ModelFailed): Run {
  const run = event.usage === null ? before : spend(before, event.usage);
  const asked = run.command;
  if (asked?.kind !== "ask_model" || asked.turn !== event.turn || asked.call !== event.call) {
    return bug(run, "a failure of a call that nobody made");
  }
  // An overflow is answered once, with a strictly smaller prompt; the same request again would only overflow again.
  const smaller = smallerPrompt(run, event);
  if (smaller !== null && run.overflowed === null && spentBudget(run) === null) {
    const used = { ...run.used, modelCalls: run.used.modelCalls + 1 };
    return { ...run, promptBytesMax: smaller, overflowed: event.promptBytes, used };
  }
  return end(run, "model_unreachable", `${event.code}: ${event.detail}`);
}
