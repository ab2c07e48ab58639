import type { CapRange, CapWindow } from "../domain/cap.ts";
import { dayIn, isZone, weekOf } from "../domain/dates.ts";
import { exactDuration } from "../domain/duration.ts";

/**
 * The windows of caps (design 6.4): which one an action falls into, and what else counts beside it.
 *
 * A calendar window has one place in the books, named after its day, week or month in its zone.
 *
 * A sliding window is counted in parts of a 24th. A reservation is put into the part in which it is made, and the use of
 * the cap is the sum over every part of which any moment lies within the window. The oldest of them counts whole, so an
 * amount counts for the length of the window and at most one part longer; never shorter. Parts that lie ahead count too:
 * a clock that was set back gives nothing back.
 */
const PARTS = 24;

/** A second at least, since less is no limit on what a person could follow; a year at most. */
export const SLIDING_MS_MIN = 1_000;
export const SLIDING_MS_MAX = 366 * 86_400_000;

/** Names of parts sort as their times do: every moment that a clock can show has at most 16 digits. */
const DIGITS = 16;

/** Where an action of this moment is counted. `now` is in milliseconds since 1970. */
export function windowAt(
  window: CapWindow,
  now: number,
  outermost: string,
): { readonly window: string; readonly range?: CapRange } {
  if (window === "per_run") return { window: `run:${outermost}` };
  if ("sliding" in window) return slidingAt(window.sliding, now);
  const day = dayIn(window.zone, now);
  switch (window.calendar) {
    case "day":
      return { window: `day:${day}@${window.zone}` };
    case "week":
      return { window: `week:${weekOf(day)}@${window.zone}` };
    case "month":
      return { window: `month:${day.slice(0, 7)}@${window.zone}` };
  }
}

function slidingAt(lengthMs: number, now: number): { readonly window: string; readonly range: CapRange } {
  const name = (at: number) => `sliding:${lengthMs}@${String(partOf(lengthMs, at)).padStart(DIGITS, "0")}`;
  // What was taken at `now - lengthMs` has left; what was taken a millisecond later still counts. "A" follows "@".
  return { window: name(now), range: { from: name(now - lengthMs + 1), below: `sliding:${lengthMs}A` } };
}

/** When the part began in which a moment lies. Before 1970 there is one part, the first: it counts longer, never shorter. */
function partOf(lengthMs: number, at: number): number {
  const partMs = slidingPartMs(lengthMs);
  return Math.max(0, Math.floor(at / partMs)) * partMs;
}

/** The length of the sliding window that a name in the books belongs to, in milliseconds; null for every other window. */
export function slidingLength(window: string): number | null {
  const length = /^sliding:([1-9][0-9]{0,15})@[0-9]{16}$/.exec(window)?.[1];
  return length === undefined ? null : Number(length);
}

/** How much longer than its length a sliding window may count an amount, at most: one part. */
export function slidingPartMs(lengthMs: number): number {
  return Math.ceil(lengthMs / PARTS);
}

/** What is wrong with a declared window, as the end of a sentence about it; null where nothing is. */
export function windowFault(window: unknown): string | null {
  if (window === "per_run") return null;
  const { calendar, zone, sliding, ...rest } = (typeof window === "object" && window !== null ? window : {}) as {
    readonly [field: string]: unknown;
  };
  const known = Object.keys(rest).length === 0 && (calendar !== undefined) !== (sliding !== undefined);
  if (!known || (sliding !== undefined && zone !== undefined)) {
    return 'needs a `window`: "per_run", { calendar: "day", "week" or "month", zone }, or { sliding: milliseconds }';
  }
  if (sliding !== undefined) {
    const fits = Number.isSafeInteger(sliding) && (sliding as number) >= SLIDING_MS_MIN;
    if (fits && (sliding as number) <= SLIDING_MS_MAX) return null;
    return `\`sliding\` must be whole milliseconds, from ${SLIDING_MS_MIN} to ${SLIDING_MS_MAX} (366 days)`;
  }
  if (!["day", "week", "month"].includes(calendar as string)) return `unknown calendar window "${String(calendar)}"`;
  return isZone(zone) ? null : `unknown time zone "${String(zone)}"`;
}

/** A window as text, for screens and for telling two declarations apart. */
export function describeWindow(window: CapWindow): string {
  if (window === "per_run") return "a run";
  return "sliding" in window ? `any ${exactDuration(window.sliding)}` : `a ${window.calendar} (${window.zone})`;
}
