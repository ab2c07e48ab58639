import type { Profile, Slot } from "../domain/profile.ts";
import { inAuthoredOrder } from "../domain/rule.ts";
import {
  type DroppedRule,
  type RoutedRule,
  RULE_SEPARATOR,
  type ServedRule,
  type ServeReport,
} from "../domain/served.ts";
import type { Dropped } from "./fit.ts";
import { Part } from "./part.ts";
import { bytesWith, NOTHING, onChannelB, windowBytes } from "./taken.ts";

/** What a plan is made of: every selected rule, and where each of them went. */
export type PlanParts = {
  /** How many rules there were to select from. */
  readonly given: number;
  readonly selected: readonly Part[];
  readonly kept: readonly Part[];
  readonly routed: readonly Part[];
  readonly dropped: readonly Dropped[];
  /** Those of the selected that were not looked at to the end. */
  readonly assumed: readonly Part[];
  readonly slot: Slot;
  readonly profile: Omit<Profile, "slot">;
};

const KEY = Symbol("assemble");
/** Taken once: a prototype or a global that is patched later changes nothing here. */
const { freeze, is: same } = Object;

/**
 * A ServePlan: what compile returns. It is made of measured parts by one constructor, which joins the text itself, adds up
 * what it takes, and throws where a law of design 7.2 does not hold; so there is no plan over its budget, none that dropped
 * a safety rule, and none that keeps silent about a rule. Only `compile` makes one (tools/house.ts guards the name). The
 * stamp is a private field, so a copy by spread, JSON or `structuredClone` is none. A plan is frozen all the way down.
 */
export class ServePlan {
  readonly #stamp: true = true;
  readonly kind = "plan";
  readonly slot: Slot;
  readonly text: string;
  readonly report: ServeReport;

  private constructor(key: symbol, parts: PlanParts) {
    // `private` ends where TypeScript does; the key does not leave this file.
    if (key !== KEY) throw new TypeError("only compile() makes a ServePlan");
    const { profile, slot } = parts;
    checkPlaces(parts);
    const { text, bytes, kept } = joined(parts.kept);
    if (!(bytes <= profile.budgetBytes)) throw new TypeError(`a plan of ${bytes} bytes is over its budget`);
    const { channel, routed } = routedOf(parts.routed);
    if (!(bytes + channel <= windowBytes(profile.contextTokens, profile.bytesPerToken))) {
      throw new TypeError(`a plan of ${bytes} bytes with ${channel} on channel B is over its window`);
    }
    this.slot = slot;
    this.text = text;
    this.report = freeze({
      given: parts.given,
      unselected: parts.given - parts.selected.length,
      selected: parts.selected.length,
      kept,
      routed,
      dropped: droppedOf(parts.dropped),
      assumed: idsOf(parts.assumed),
      bytes,
      budgetBytes: profile.budgetBytes,
      profile: profile.name,
      measured: profile.measured,
    });
    freeze(this);
  }

  static assemble(parts: PlanParts): ServePlan {
    return new ServePlan(KEY, parts);
  }

  static is(value: unknown): value is ServePlan {
    return typeof value === "object" && value !== null && #stamp in value && value.#stamp;
  }

  // Nobody who holds a plan gets from it to the class, or changes what the class does.
  static {
    freeze(Object.defineProperty(ServePlan.prototype, "constructor", { value: undefined }));
    freeze(ServePlan);
  }
}

/** Whether a value is a plan that compile made. The door gives this and the type, never the class. */
export function isServePlan(value: unknown): value is ServePlan {
  return ServePlan.is(value);
}

/**
 * Each selected rule is in exactly one place, in authored order, on the channel that it is for, and no safety rule was
 * dropped. By index and by identity: what walks the parts can be patched by nobody.
 */
function checkPlaces({ given, selected, kept, routed, dropped, assumed }: PlanParts): void {
  let [k, r, d, a] = [0, 0, 0, 0];
  for (let i = 0; i < selected.length; i++) {
    const part = selected[i];
    const before = selected[i - 1];
    if (!Part.is(part)) throw new TypeError("a plan is made of measured parts");
    if (before !== undefined && inAuthoredOrder(before, part) >= 0)
      throw new TypeError("rules are not in authored order");
    if (same(assumed[a], part)) a += 1;
    if (part.routed !== null) {
      if (!same(routed[r], part)) throw new TypeError(`rule ${part.id} is for channel B and not on it`);
      r += 1;
    } else if (same(kept[k], part)) k += 1;
    else if (!same(dropped[d]?.part, part)) throw new TypeError(`rule ${part.id} was selected and is nowhere`);
    else if (part.safety) throw new TypeError(`safety rule ${part.id} was dropped`);
    else d += 1;
  }
  const isAll = k === kept.length && r === routed.length && d === dropped.length && a === assumed.length;
  if (!isAll || selected.length > given) {
    throw new TypeError("a plan has rules that were not selected");
  }
}

function joined(kept: readonly Part[]): {
  readonly text: string;
  readonly bytes: number;
  readonly kept: readonly ServedRule[];
} {
  const named: ServedRule[] = [];
  let text = "";
  let taken = NOTHING;
  for (let i = 0; i < kept.length; i++) {
    const part = kept[i];
    if (part === undefined) break;
    text += i === 0 ? part.text : RULE_SEPARATOR + part.text;
    taken = bytesWith(taken, part);
    named[i] = part.served;
  }
  return { text, bytes: taken.bytes, kept: complete(named, kept.length) };
}

function routedOf(parts: readonly Part[]): { readonly channel: number; readonly routed: readonly RoutedRule[] } {
  const routed: RoutedRule[] = [];
  let channel = 0;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    if (part === undefined || part.routed === null) break;
    channel += onChannelB(part);
    routed[i] = part.routed;
  }
  return { channel, routed: complete(routed, parts.length) };
}

function droppedOf(parts: readonly Dropped[]): readonly DroppedRule[] {
  const dropped: DroppedRule[] = [];
  for (let i = 0; i < parts.length; i++) {
    const one = parts[i];
    if (one === undefined) break;
    dropped[i] = one.part.dropped(one.reason);
  }
  return complete(dropped, parts.length);
}

function idsOf(parts: readonly Part[]): readonly string[] {
  const ids: string[] = [];
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    if (part === undefined) break;
    ids[i] = part.id;
  }
  return complete(ids, parts.length);
}

/** What was put into a list is in it, whatever somebody did to the prototype of lists. */
function complete<T>(list: T[], length: number): readonly T[] {
  if (list.length !== length) throw new TypeError("a list does not keep what is put into it");
  return freeze(list);
}
