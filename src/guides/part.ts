import type { Condition, Rule } from "../domain/rule.ts";
import type { DroppedRule, DropReason, RoutedRule, ServedRule } from "../domain/served.ts";
import { utf8Length } from "../domain/utf8.ts";

/** Taken once: a prototype or a global that is patched later changes nothing here. */
const { freeze } = Object;

/**
 * A Part: a rule as a plan is made of it, measured when it is made. There is no other way to one, and nothing of it changes
 * afterwards, so the sizes that a plan adds up are those of the texts that it joins, whoever hands it the parts. What a
 * report says of the rule is made here once, and not at each compile.
 */
export class Part {
  readonly #stamp: true = true;
  readonly id: string;
  readonly order: number;
  readonly text: string;
  readonly bytes: number;
  readonly safety: boolean;
  readonly served: ServedRule;
  /** Null for a rule of the dispatch text. */
  readonly routed: RoutedRule | null;
  readonly #dropped: { readonly [R in DropReason]: DroppedRule };

  /** Throws where no file of bytes can hold the text: it was not read from one. */
  constructor({ id, order, revision, body, safety, when, breach, escalate }: Rule) {
    if (!body.isWellFormed()) throw new TypeError(`the text of rule ${id} has half a surrogate pair: no file holds it`);
    if (!Number.isSafeInteger(order)) throw new TypeError(`the order of rule ${id} is no whole number`);
    const bytes = utf8Length(body);
    const named = { id, revision, bytes };
    const served = { ...named, safety: safety === true, breach: copyOf(breach), escalate };
    const event = copyOf(when);
    this.id = id;
    this.order = order;
    this.text = body;
    this.bytes = bytes;
    this.safety = served.safety;
    this.served = freeze(served);
    this.routed = event === null ? null : freeze({ ...served, when: event, text: body });
    this.#dropped = {
      after_the_stop: freeze({ ...named, reason: "after_the_stop" as const }),
      larger_than_budget: freeze({ ...named, reason: "larger_than_budget" as const }),
    };
    freeze(this);
  }

  dropped(reason: DropReason): DroppedRule {
    return this.#dropped[reason];
  }

  static is(value: unknown): value is Part {
    return typeof value === "object" && value !== null && #stamp in value && value.#stamp;
  }

  static {
    freeze(Part.prototype);
    freeze(Part);
  }
}

function copyOf(condition: Condition | null): Condition | null {
  if (condition === null) return null;
  const { event, tool, facts } = condition;
  return freeze({
    event,
    tool,
    facts: freeze(facts.map(({ name, anyOf }) => freeze({ name, anyOf: freeze([...anyOf]) }))),
  });
}
