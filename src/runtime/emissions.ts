import { canonicalJson } from "../domain/canonical.ts";
import { BAD_EVENT, EVENT_BYTES_MAX, EVENT_NAME, EVENT_NAME_FORM, type GuideEvent } from "../domain/guide-event.ts";
import { isJsonObject, type JsonObject } from "../domain/json.ts";
import { JSON_LIMITS, quoted } from "../domain/json-limits.ts";
import { frozenJson } from "../domain/plain.ts";
import { type Redaction, redactJson, redactText } from "../domain/redact.ts";
import { oneLine } from "../domain/result.ts";
import { utf8Length } from "../domain/utf8.ts";

/** Events that are kept of one step. What is no event at all takes no place of theirs, and is noted as often. */
export const EVENTS_MAX = 32;

/**
 * What a tool says that it sees while it works (design 5.3). Saying it wrongly costs no effect its outcome, and no rule its
 * event: of an event that is badly said the name and the sound facts are kept, and a `bad_event` behind it says what is not.
 * Nothing is heard once the step is over.
 */
export class Emissions {
  readonly #redaction: Redaction;
  #events: GuideEvent[] | null = [];
  #kept = 0;
  #junk = 0;
  #more = 0;

  constructor(redaction: Redaction) {
    this.#redaction = redaction;
  }

  readonly emit = (said: unknown): void => {
    const isFull = this.#kept === EVENTS_MAX;
    const { event, lost } = this.#events === null || isFull ? NOTHING : heard(said);
    // Asked for only now: what reads a Proxy may have come back here, or have ended the step.
    const events = this.#events;
    if (events === null) return;
    if (this.#kept === EVENTS_MAX || (event === null && this.#junk === EVENTS_MAX)) {
      this.#more += 1;
      return;
    }
    if (event === null) this.#junk += 1;
    else {
      this.#kept += 1;
      events.push({ name: event.name, facts: redactJson(event.facts, this.#redaction) as JsonObject });
    }
    if (lost !== null) events.push(this.#bad(lost));
  };

  /** The events of the step, which is over. */
  taken(): readonly GuideEvent[] {
    const events = this.#events ?? [];
    this.#events = null;
    if (this.#more === 0) return events;
    return [...events, this.#bad(`a step gives at most ${EVENTS_MAX} events, and ${this.#more} more are not kept`)];
  }

  /** Redacted before it is cut, so that no half of a secret is left. */
  #bad(why: string): GuideEvent {
    return { name: BAD_EVENT, facts: { why: oneLine(redactText(why, this.#redaction)) } };
  }
}

/** `lost`: what of it is not kept, in words; null where all of it is. */
type Heard = { readonly event: GuideEvent | null; readonly lost: string | null };

const NOTHING: Heard = { event: null, lost: null };

function heard(said: unknown): Heard {
  const plain = frozenJson(said, { ...JSON_LIMITS, bytesMax: EVENT_BYTES_MAX });
  if (plain.ok && isJsonObject(plain.value)) {
    const { name, facts = {}, ...rest } = plain.value;
    const isWhole = typeof name === "string" && EVENT_NAME.test(name) && isJsonObject(facts);
    if (isWhole && Object.keys(rest).length === 0) return { event: { name, facts }, lost: null };
  }
  try {
    return saved(said);
  } catch {
    return { event: null, lost: "an event that throws where it is read" };
  }
}

/** What is sound of an event that is badly said. No getter is called; the traps of a Proxy are, and may throw. */
function saved(said: unknown): Heard {
  if (typeof said !== "object" || said === null) return { event: null, lost: "an event is {name, facts}" };
  const lost: string[] = [];
  const given = dataOf(said, "name")?.value;
  const isNamed = typeof given === "string" && EVENT_NAME.test(given);
  if (!isNamed) lost.push(`its name (has to be ${EVENT_NAME_FORM})`);
  const facts = factsOf(dataOf(said, "facts"), lost);
  for (const key of Object.keys(said))
    if (key !== "name" && key !== "facts") lost.push(`${quoted(key)}, which is no part of an event`);
  const isNothing = !isNamed && Object.keys(facts).length === 0;
  return {
    event: isNothing ? null : { name: isNamed ? given : BAD_EVENT, facts },
    lost: lost.length === 0 ? null : `of the event ${isNamed ? `${quoted(given)} ` : ""}was not kept: ${listed(lost)}`,
  };
}

/** Of an event that is badly said: facts that are looked at, bytes of one with its name, and bytes of all. */
const FACTS_MAX = 256;
const FACT_BYTES_MAX = 1_024;
const FACTS_BYTES_MAX = EVENT_BYTES_MAX - 128;

/** As many as can be seen in one line. */
function listed(lost: readonly string[]): string {
  const more = lost.length - LISTED_MAX;
  return more > 0 ? `${lost.slice(0, LISTED_MAX).join("; ")}; and ${more} more` : lost.join("; ");
}

const LISTED_MAX = 4;

/**
 * The facts that a rule can be about: texts, numbers, true and false. The shortest first, since those are what rules
 * compare, and the dump of a screen is not.
 */
function factsOf(given: Data | null, lost: string[]): JsonObject {
  const facts = given?.value;
  if (given !== null && facts === undefined) return {};
  if (typeof facts !== "object" || facts === null || Array.isArray(facts)) {
    lost.push("its facts (have to be an object, without getters)");
    return {};
  }
  const keys = Object.keys(facts);
  const sound: { readonly key: string; readonly fact: JsonObject; readonly bytes: number }[] = [];
  for (const key of keys.slice(0, FACTS_MAX)) {
    const data = dataOf(facts, key);
    // As JSON has it: what is undefined is not there.
    if (data !== null && data.value === undefined) continue;
    const fact = data === null ? "a getter, which is not called" : scalarFact(key, data.value);
    if (typeof fact === "string") lost.push(`its fact ${quoted(key)} (${fact})`);
    else sound.push({ key, fact, bytes: utf8Length(canonicalJson(fact)) });
  }
  if (keys.length > FACTS_MAX) lost.push(`${keys.length - FACTS_MAX} facts behind the first ${FACTS_MAX}`);
  let bytes = 0;
  const kept: JsonObject[] = [];
  for (const one of sound.sort((a, b) => a.bytes - b.bytes)) {
    bytes += one.bytes;
    if (bytes <= FACTS_BYTES_MAX) kept.push(one.fact);
    else lost.push(`its fact ${quoted(one.key)} (${TOO_LARGE})`);
  }
  const all = frozenJson(Object.assign({}, ...kept));
  return all.ok && isJsonObject(all.value) ? all.value : {};
}

/** The fact alone, or why it is not kept. */
function scalarFact(key: string, value: unknown): JsonObject | string {
  if (typeof value === "object" && value !== null) return NOT_PLAIN;
  const read = frozenJson({ [key]: value }, { ...JSON_LIMITS, bytesMax: FACT_BYTES_MAX });
  if (read.ok && isJsonObject(read.value)) return read.value;
  return read.ok ? NOT_PLAIN : (IN_WORDS[read.why.code] ?? NOT_PLAIN);
}

const NOT_PLAIN = "not a text, a number, true or false";
const TOO_LARGE = "too large";

/** Why a fact is not kept, by the code of what reads JSON. */
const IN_WORDS: { readonly [code in string]?: string } = {
  too_large: TOO_LARGE,
  number_out_of_range: "no finite number",
  unsafe_integer: "a whole number too large to be exact",
  lone_surrogate: "half a character",
  forbidden_key: "a name that JavaScript keeps for itself",
};

type Data = { readonly value: unknown };

/** An own property; null for one with a getter. What is not there has the value undefined. */
function dataOf(object: object, key: string): Data | null {
  const property = Object.getOwnPropertyDescriptor(object, key);
  if (property === undefined) return { value: undefined };
  return Object.hasOwn(property, "value") ? { value: property.value } : null;
}
