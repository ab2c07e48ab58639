import { namedIds } from "../../examples/tau/named-ids.ts";
import type { JsonObject, Model, ModelReply, RunEvent } from "../../src/index.ts";

/** A call as the data has it. */
export type Call = { readonly tool: string; readonly args: JsonObject };

/** One reply of a model that says what is written down. */
export type RecordedReply<C extends Call = Call> =
  | { readonly kind: "call"; readonly index: number; readonly call: C }
  | { readonly kind: "text"; readonly text: string };

/** What became of one recorded call in our loop. Null fields: it never came to a decision. */
export type Handled<C extends Call = Call> = {
  readonly index: number;
  readonly call: C;
  decided: Extract<RunEvent, { kind: "decided" }> | null;
  finished: Extract<RunEvent, { kind: "finished" }> | null;
  /** The first receipt stood: nothing was decided again. */
  settledBefore: boolean;
};

/**
 * A model that says what was recorded. It ignores the prompt: what our rails answer changes nothing of what it proposes
 * next, so every proposal is judged as it was made. A call cites the ids that it names, since the tools that were recorded
 * asked for no evidence.
 */
export class Recording<C extends Call = Call> implements Model {
  readonly kind = "scripted";
  readonly where = "a recording";
  readonly name: string;
  readonly handled: Handled<C>[] = [];
  #replies: RecordedReply<C>[] = [];
  #current: Handled<C> | null = null;
  readonly #settle: (handled: Handled<C>) => void;

  /** `settle` is called once for each call, when its fate is known and before the next one is proposed. */
  constructor(name: string, settle: (handled: Handled<C>) => void) {
    this.name = name;
    this.#settle = settle;
  }

  load(replies: readonly RecordedReply<C>[]): void {
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

  #replyOf(next: RecordedReply<C> | undefined): object {
    // Some recorded turns end with a call: the customer spoke next, or the recording stops there.
    if (next === undefined) return { kind: "conversation", text: "(nothing more was recorded)" };
    if (next.kind === "text") return { kind: "conversation", text: next.text === "" ? "(no text)" : next.text };
    const { index, call } = next;
    this.#current = { index, call, decided: null, finished: null, settledBefore: false };
    this.handled.push(this.#current);
    return { kind: "action", tool: call.tool, params: call.args, evidence: namedIds(call.args) };
  }
}
