import type { JsonObject, Model, ModelReply, RunEvent } from "../../src/index.ts";
import type { Dialogue, DialogueEvent, RecordedCall } from "./data.ts";

/** One message of the customer with what the recorded model did until the next one. */
export type Exchange = { readonly request: string; readonly replies: readonly RecordedReply[] };
export type RecordedReply =
  | { readonly kind: "call"; readonly index: number; readonly call: RecordedCall }
  | { readonly kind: "text"; readonly text: string };

/** What became of one recorded call in our loop. Null fields: it never came to a decision. */
export type Handled = {
  readonly index: number;
  readonly call: RecordedCall;
  decided: Extract<RunEvent, { kind: "decided" }> | null;
  finished: Extract<RunEvent, { kind: "finished" }> | null;
  /** The first receipt stood: nothing was decided again. */
  settledBefore: boolean;
};

/** Splits a dialogue at the customer's messages. A text that stands directly before a call was sent together with it. */
export function exchangesOf(dialogue: Dialogue): Exchange[] {
  const exchanges: { request: string; replies: RecordedReply[] }[] = [];
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

/** The ids that a call itself names; the recorded model cited none, since its tools did not ask for any. */
export function namedIds(args: JsonObject): string[] {
  const ids: string[] = [];
  for (const key of ["reservation_id", "user_id", "payment_id"]) if (typeof args[key] === "string") ids.push(args[key]);
  const payments = args.payment_methods;
  if (Array.isArray(payments)) {
    for (const entry of payments as readonly JsonObject[]) {
      if (typeof entry.payment_id === "string") ids.push(entry.payment_id);
    }
  }
  return [...new Set(ids)];
}

/**
 * A model that says what was recorded. It ignores the prompt: what our rails answer changes nothing of what it proposes
 * next, so every proposal is judged as it was made.
 */
export class Recording implements Model {
  readonly kind = "scripted";
  readonly where = "a recording";
  readonly name: string;
  readonly handled: Handled[] = [];
  #replies: RecordedReply[] = [];
  #current: Handled | null = null;
  readonly #settle: (handled: Handled) => void;

  /** `settle` is called once for each call, when its fate is known and before the next one is proposed. */
  constructor(name: string, settle: (handled: Handled) => void) {
    this.name = name;
    this.#settle = settle;
  }

  load(replies: readonly RecordedReply[]): void {
    this.#replies = [...replies];
  }

  /** How many recorded replies are still to be given. */
  left(): number {
    return this.#replies.length;
  }

  /** Notes what the loop did with the call that was proposed last. */
  note(event: RunEvent): void {
    const current = this.#current;
    if (event.kind === "replied" && event.reply === null) {
      throw new Error(`a recorded reply could not be read: ${event.why?.detail ?? ""}`);
    }
    if (current === null) return;
    if (event.kind === "decided") current.decided = event;
    if (event.kind === "finished") current.finished = event;
    if (event.kind === "settled_before") current.settledBefore = true;
  }

  /** Ends the wait for the call that was proposed last. Called before the next reply and at the end of a run. */
  settle(): void {
    const current = this.#current;
    this.#current = null;
    if (current !== null) this.#settle(current);
  }

  async complete(): Promise<ModelReply> {
    this.settle();
    const next = this.#replies.shift();
    return {
      ok: true,
      text: JSON.stringify(this.#replyOf(next)),
      finish: "stop",
      promptTokens: null,
      completionTokens: null,
    };
  }

  #replyOf(next: RecordedReply | undefined): object {
    // Some recorded turns end with a call: the customer spoke next, or the recording stops there.
    if (next === undefined) return { kind: "conversation", text: "(nothing more was recorded)" };
    if (next.kind === "text") return { kind: "conversation", text: next.text === "" ? "(no text)" : next.text };
    const { index, call } = next;
    this.#current = { index, call, decided: null, finished: null, settledBefore: false };
    this.handled.push(this.#current);
    return { kind: "action", tool: call.tool, params: call.args, evidence: namedIds(call.args) };
  }
}
