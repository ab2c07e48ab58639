import type { PromptFacts, RunEvent } from "./event.ts";

const KEPT_BYTES_MAX = 8_192;

/**
 * What was sent, with a digest that is worked out when it is first asked for: a run in memory whose rows nobody reads needs
 * none. It is written and shown as plain JSON.
 */
export class SentPrompt implements PromptFacts {
  readonly bytes: number;
  readonly bytesMax: number;
  readonly cut: readonly string[];
  #digest: string | (() => string);

  /** A long prompt is not kept for its digest: that is worked out at once. */
  constructor(digest: () => string, bytes: number, bytesMax: number, cut: readonly string[]) {
    this.#digest = bytes > KEPT_BYTES_MAX ? digest() : digest;
    this.bytes = bytes;
    this.bytesMax = bytesMax;
    this.cut = Object.freeze(cut);
  }

  get digest(): string {
    if (typeof this.#digest !== "string") this.#digest = this.#digest();
    return this.#digest;
  }

  /** As plain JSON. */
  plain(): PromptFacts {
    const { digest, bytes, bytesMax, cut } = this;
    return { digest, bytes, bytesMax, cut };
  }
}

/** The event as plain JSON all the way down. */
export function plainEvent(event: RunEvent): RunEvent {
  if (event.kind !== "replied" || !(event.prompt instanceof SentPrompt)) return event;
  return { ...event, prompt: event.prompt.plain() };
}
