import type { Replied, Retrieved } from "../domain/event.ts";
import { summariseBuiltIn } from "../domain/result.ts";
import { remember } from "./keep.ts";
import type { Run } from "./run.ts";
import { sign } from "./sign.ts";
import { bug, end, nextTurn, spentBudget } from "./turns.ts";

/** The passages go back with one closing call; nothing found says so, and ends the run (design 5.1). */
export function afterRetrieval(run: Run, event: Retrieved): Run {
  if (run.command?.kind !== "retrieve") return bug(run, "passages that nobody asked for");
  // A memory that failed has not said that there is nothing: the model is told, and may go another way.
  if (event.failed !== null) {
    const line = summariseBuiltIn({ kind: "failed", tool: "memory", error: event.failed });
    const noted = remember(run, { tool: "memory", line, json: JSON.stringify({ failed: event.failed }) });
    const signed = sign(noted, { text: `retrieve ${event.query}`, mayRepeat: false });
    return signed.command?.kind === "end" ? signed : nextTurn(signed);
  }
  const passages = event.passages;
  if (passages.length === 0) return end(run, "retrieved", "", `Nothing was found for: ${event.query}`);
  const spent = spentBudget(run);
  if (spent !== null) return end({ ...run, passages }, spent);
  return {
    ...run,
    passages,
    used: { ...run.used, modelCalls: run.used.modelCalls + 1 },
    command: { kind: "ask_model", turn: run.turn, call: 3, mode: { kind: "closing" } },
  };
}

/** The closing call may only talk. Anything else, and the passages themselves are the answer. */
export function afterClosing(run: Run, event: Replied): Run {
  if (event.reply?.kind === "conversation") return end(run, "retrieved", "", event.reply.text);
  const found = (run.passages ?? []).map((passage) => `${passage.source}: ${passage.text}`).join("\n\n");
  return end(run, "retrieved", "the closing reply could not be used", found);
}
