import { EffectFailed, withServices, z } from "signalbox";
import { Line, type Office } from "./terms.ts";

const { defineTool } = withServices<Office>();

/** Reads stay inside and change nothing. */
const READ = { placement: "internal", effect: "read" } as const;

/** The calendar keeps ids, times and guest lists; titles, places and descriptions are written by whoever invites. */
const KEPT = ["[].id_", "[].start_time", "[].end_time", "[].participants[]", "[].status", "[].all_day"];

const Day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

const getCurrentDay = defineTool({
  name: "get_current_day",
  description: "Today's date.",
  ...READ,
  trusted: "all",
  params: z.strictObject({}),
  execute: (_, { calendar }) => calendar.today,
  summarise: (day) => day,
});

const searchCalendarEvents = defineTool({
  name: "search_calendar_events",
  description: "Events whose title or description holds the query, on a day or at any time.",
  ...READ,
  trusted: KEPT,
  params: z.strictObject({ query: Line, date: Day.nullish() }),
  execute: ({ params }, { calendar }) => {
    const found = calendar.search(params.query, params.date ?? null);
    if (found.length === 0) throw new EffectFailed("no events found");
    return found;
  },
  summarise: (events) => `${events.length} events`,
});

const getDayCalendarEvents = defineTool({
  name: "get_day_calendar_events",
  description: "The events of a day.",
  ...READ,
  trusted: KEPT,
  params: z.strictObject({ day: Day }),
  execute: ({ params }, { calendar }) => calendar.onDay(params.day),
  summarise: (events) => `${events.length} events`,
});

export const calendarReads = [searchCalendarEvents, getDayCalendarEvents];
export { getCurrentDay };
