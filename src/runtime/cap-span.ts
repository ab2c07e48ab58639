import type { CapWindow } from "../domain/cap.ts";
import { addDays, dayStart, mondayOfWeek } from "../domain/dates.ts";
import { slidingPartMs } from "../rails/index.ts";

/** A window as it is declared, and from when until when it counts: ISO instants, null where a run is the window. */
export type CapSpan = {
  /** null: of no form that is known here. */
  readonly window: CapWindow | null;
  readonly start: string | null;
  readonly end: string | null;
};

const SLOT = /^(run|day|week|month|sliding):(.*?)(?:@([^@]*))?$/s;

/** What the name of a window in the books says; null is the window of a run that is not there yet. `now` ends one that slides. */
export function spanOf(slot: string | null, now: number): CapSpan {
  const [, kind = "", what = "", where = ""] = SLOT.exec(slot ?? "run:") ?? [];
  switch (kind) {
    case "run":
      return { window: "per_run", start: null, end: null };
    case "sliding":
      return slidingSpan(Number(what), Number(where), now);
    case "day":
      return calendarSpan("day", where, what, addDays(what, 1));
    case "week": {
      const monday = mondayOfWeek(what);
      return calendarSpan("week", where, monday, addDays(monday, 7));
    }
    case "month":
      // A month has 28 to 31 days, so 31 days on from its first lies in the next.
      return calendarSpan("month", where, `${what}-01`, `${addDays(`${what}-01`, 31).slice(0, 8)}01`);
    default:
      return { window: null, start: null, end: null };
  }
}

function calendarSpan(calendar: "day" | "week" | "month", zone: string, first: string, next: string): CapSpan {
  return { window: { calendar, zone }, start: iso(dayStart(zone, first)), end: iso(dayStart(zone, next)) };
}

/** The window that ends now; of a part that has left it, from its beginning until it did. */
function slidingSpan(sliding: number, part: number, now: number): CapSpan {
  const leaves = part + slidingPartMs(sliding) + sliding;
  const [start, end] = leaves <= now ? [part, leaves] : [now - sliding, now];
  return { window: { sliding }, start: iso(Math.max(0, start)), end: iso(end) };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
