import type { GuideEvent } from "../domain/guide-event.ts";
import { isJsonObject, type JsonObject } from "../domain/json.ts";
import { JSON_LIMITS } from "../domain/json-limits.ts";
import { frozenJson } from "../domain/plain.ts";
import { type Redaction, redactJson } from "../domain/redact.ts";
import { oneLine } from "../domain/result.ts";

/** A step that sees more than this sees nothing more; the last event says so. */
export const EVENTS_MAX = 32;
const FACTS_BYTES_MAX = 4_096;
const NAME = /^[a-z][a-z0-9_.-]{0,63}$/;

/**
 * What a tool says that it sees while it works (design 5.3). Saying it wrongly costs no effect its outcome: what is no event
 * is kept as one named `bad_event` that says why. Nothing is heard once the step is over.
 */
export class Emissions {
  readonly #redaction: Redaction;
  #events: readonly GuideEvent[] | null = [];

  constructor(redaction: Redaction) {
    this.#redaction = redaction;
  }

  readonly emit = (event: unknown): void => {
    const events = this.#events;
    if (events === null || events.length >= EVENTS_MAX) return;
    const more =
      events.length === EVENTS_MAX - 1 ? bad(`a step gives at most ${EVENTS_MAX} events`) : this.#read(event);
    this.#events = [...events, more];
  };

  /** The events of the step, which is over. */
  taken(): readonly GuideEvent[] {
    const events = this.#events ?? [];
    this.#events = null;
    return events;
  }

  #read(event: unknown): GuideEvent {
    const plain = frozenJson(event, { ...JSON_LIMITS, bytesMax: FACTS_BYTES_MAX });
    if (!plain.ok) return bad(`${plain.why.code}: ${plain.why.detail}`);
    if (!isJsonObject(plain.value)) return bad("an event is {name, facts}");
    const { name, facts = {}, ...rest } = plain.value;
    const stray = Object.keys(rest)[0];
    if (stray !== undefined) return bad(`an event is {name, facts}, and has no "${stray}"`);
    if (typeof name !== "string" || !NAME.test(name)) return bad("its name has a-z, 0-9 and _ . -, at most 64");
    if (!isJsonObject(facts)) return bad("its facts are an object");
    return { name, facts: redactJson(facts, this.#redaction) as JsonObject };
  }
}

function bad(why: string): GuideEvent {
  return { name: "bad_event", facts: { why: oneLine(why) } };
}
