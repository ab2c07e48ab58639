import type { CapSlot, CapUse, Reservation } from "../domain/cap.ts";
import { type Denial, denial } from "../domain/denial.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import { atOnce } from "../domain/promised.ts";
import type { CapRule, DecisionContext, Tool } from "../domain/tool.ts";
import { utf8Prefix } from "../domain/utf8.ts";
import { describeWindow, windowAt } from "./cap-window.ts";

/** What an action wants of the caps, before it is known whether they have it. */
export type CapDemand =
  | {
      readonly ok: true;
      readonly wanted: readonly Reservation[];
      /** One for each of `wanted`, in its order: what has to be read to know whether it fits. */
      readonly slots: readonly CapSlot[];
    }
  | { readonly ok: false; readonly denial: Denial };

/**
 * The reservations that a proposal needs: pure arithmetic over params, record and context. An amount that is not a whole
 * number from 0 to 2^53-1, or a cap whose own code throws, denies with `cap_error`.
 */
export function capDemand(tool: Tool, params: JsonObject, record: Json, context: DecisionContext): CapDemand {
  const wanted: Reservation[] = [];
  const slots: CapSlot[] = [];
  for (const cap of tool.caps) {
    try {
      const amount = cap.amount === undefined ? 1 : atOnce(cap.amount(params, record));
      if (!Number.isSafeInteger(amount) || amount < 0) {
        return {
          ok: false,
          denial: denial("cap_error", `the amount for cap ${cap.name} is not a whole number: ${amount}`),
        };
      }
      const key = cap.key === undefined ? "all" : atOnce(cap.key(params, record, context));
      if (typeof key !== "string" || key === "") {
        return { ok: false, denial: denial("cap_error", `the key for cap ${cap.name} is not a text`) };
      }
      const at = windowAt(cap.window, context.now, context.outermost);
      slots.push({ cap: cap.name, key, ...at });
      wanted.push({ cap: cap.name, key, window: at.window, amount, limit: cap.limit });
    } catch {
      return { ok: false, denial: denial("cap_error", `cap ${cap.name} could not be computed`) };
    }
  }
  return { ok: true, wanted, slots };
}

/** Whether every reservation fits beside what others hold; the first that does not is the denial. */
export function checkCaps(wanted: readonly Reservation[], use: readonly CapUse[]): Denial | null {
  for (const want of wanted) {
    const slot = use.find((entry) => entry.cap === want.cap && entry.key === want.key && entry.window === want.window);
    if (slot === undefined) return denial("cap_error", `the use of cap ${want.cap} is not known`);
    if (slot.used + want.amount > want.limit) {
      const left = Math.max(0, want.limit - slot.used);
      return denial(
        "cap_exceeded",
        `${want.cap}: ${want.amount} wanted, ${left} of ${want.limit} left${whose(want.key)}`,
      );
    }
  }
  return null;
}

/** Whose part of a cap it is, where there are several. A key may be anybody's text, so it is quoted. */
function whose(key: string): string {
  return key === "all" ? "" : ` for ${JSON.stringify(utf8Prefix(key, KEY_BYTES_MAX))}`;
}

const KEY_BYTES_MAX = 80;

/** A cap as text, for screens. */
export function describeCap(cap: CapRule<JsonObject, Json>): string {
  return `${cap.name}: ${cap.limit} ${describeWindow(cap.window)}`;
}
