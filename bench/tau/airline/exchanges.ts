import type { RecordedReply } from "../recording.ts";
import type { Dialogue, DialogueEvent, RecordedCall } from "./data.ts";

/** One message of the customer with what the recorded model did until the next one. */
export type Exchange = { readonly request: string; readonly replies: readonly RecordedReply<RecordedCall>[] };

/** Splits a dialogue at the customer's messages. A text that stands directly before a call was sent together with it. */
export function exchangesOf(dialogue: Dialogue): Exchange[] {
  const exchanges: { request: string; replies: RecordedReply<RecordedCall>[] }[] = [];
  dialogue.events.forEach((event, index) => {
    if (event.type === "user") {
      exchanges.push({ request: event.text, replies: [] });
      return;
    }
    const current = exchanges[exchanges.length - 1];
    if (current === undefined) return;
    if (event.type === "call") current.replies.push({ kind: "call", index, call: event });
    else if (!isCall(dialogue.events[index + 1])) current.replies.push({ kind: "text", text: event.text });
  });
  return exchanges;
}

function isCall(event: DialogueEvent | undefined): boolean {
  return event?.type === "call";
}
