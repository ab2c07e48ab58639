import { permit, stage, withServices, z } from "signalbox";
import { asked, requestOf } from "../request/asked.ts";
import { daysIn, minutesIn, namesDay, timesIn } from "../request/days.ts";
import { names } from "../request/names.ts";
import { madeOf } from "../request/wording.ts";
import { clockOf, dayOf, type Event, minuteOf } from "./calendar.ts";
import {
  ADDRESS_SEEN,
  Addresses,
  Id,
  Line,
  namesAll,
  type Office,
  OWNER,
  peopleOf,
  TEXT_SEEN,
  Text,
  Time,
} from "./terms.ts";

const { defineTool } = withServices<Office>();

const CREATE = "create add schedule book make put plan arrange organise organize insert enter remind block"
  .split(" ")
  .concat("set up");
const ENTRY = "event appointment meeting reminder calendar entry lunch dinner breakfast call session remind slot".split(
  " ",
);
const CANCEL = ["cancel", "delete", "remove", "drop", "call off"];
const MOVE = ["reschedule", "move", "shift", "postpone", "push", "change", "delay", "bring forward"];
const GUESTS = ["add", "invite", "include"];

/** No entry that the request gives no end lasts longer. */
const MINUTES_MAX = 8 * 60;

/** Guests get an invitation at once; the entry can be cancelled, and they will have seen it. */
export const createCalendarEvent = defineTool({
  name: "create_calendar_event",
  description: "Create a calendar event and invite its participants.",
  placement: "staff-reversible",
  effect: "once",
  params: z.strictObject({
    title: Line.min(1),
    start_time: Time,
    end_time: Time,
    description: Text.nullish(),
    participants: Addresses.nullish(),
    location: Line.nullish(),
  }),
  provenance: { title: TEXT_SEEN, description: TEXT_SEEN, location: TEXT_SEEN, participants: ADDRESS_SEEN },
  record: ({ title, start_time, end_time, description, location, participants }, office) => {
    const { calendar } = office;
    const guests = guestsOf(participants ?? [], calendar.owner);
    const alike = calendar.events.filter((event) => guestsOf(event.participants, calendar.owner) === guests);
    return {
      today: calendar.today,
      facts: office.factsOn([title, description ?? "", location ?? ""].join("\n")),
      guests: peopleOf(participants ?? [], office),
      // Events with exactly these guests, so that "the same participants as" can be checked against the guest list.
      sameGuests:
        guests === "" ? [] : alike.filter((event) => isOnlyOne(event, calendar.events)).map(({ title }) => title),
      sameTitle: calendar.events.some((event) => event.title.toLowerCase() === title.toLowerCase()),
      sameDay: calendar.onDay(dayOf(start_time)).map(({ title }) => title),
      atThatTime: calendar.during(start_time, end_time).length,
    };
  },
  authorise({ params }, known, context) {
    const request = requestOf(context);
    const texts = [params.title, params.description ?? "", params.location ?? ""];
    if (!texts.every((text) => madeOf(text, request, known.facts))) return stage(OWNER);
    // A title that is there already is the name of that event, and an entry on top of another may be a mistake.
    if (known.sameTitle || known.atThatTime > 0) return stage(OWNER);
    const isOrdered = asked(context, CREATE, ENTRY).some(
      ({ around }) =>
        isWhen(around, params, known.today) &&
        !isDayOfAnother(around, known.sameDay) &&
        (namesAll(around, known.guests) || known.sameGuests.some((title) => names(around, title))),
    );
    return isOrdered ? permit() : stage(OWNER);
  },
  execute: ({ params }, { calendar, mail }) => {
    const event = calendar.add({
      title: params.title,
      description: params.description ?? "",
      start_time: params.start_time,
      end_time: params.end_time,
      location: params.location ?? null,
      participants: params.participants ?? [],
    });
    tellGuests(event, "Invitation", { calendar, mail });
    return event;
  },
  summarise: (event) => `created event ${event.id_}`,
});

/** Whether the text says when: the day, the hour where it names any, and how long where it says so. */
function isWhen(
  text: string,
  { start_time, end_time }: { readonly start_time: string; readonly end_time: string },
  today: string,
): boolean {
  const minutes = minuteOf(end_time) - minuteOf(start_time);
  if (!namesDay(text, start_time, today) || minutes <= 0) return false;
  const times = timesIn(text);
  if (times.length > 0 && !times.includes(clockOf(start_time))) return false;
  const wanted = minutesIn(text);
  if (wanted !== null) return minutes === wanted;
  return minutes <= MINUTES_MAX || (namesDay(text, end_time, today) && times.includes(clockOf(end_time)));
}

/** Whether the text names several days, and this one is the day of another event that it names too. */
function isDayOfAnother(text: string, sameDay: readonly string[]): boolean {
  const days = new Set(daysIn(text).map(({ month, day }) => `${month}-${day}`));
  return days.size > 1 && sameDay.some((title) => names(text, title));
}

function guestsOf(addresses: readonly string[], owner: string): string {
  return [...new Set(addresses)]
    .filter((address) => address !== owner)
    .sort()
    .join(" ");
}

function isOnlyOne({ title }: Event, events: readonly Event[]): boolean {
  return events.filter((other) => other.title.toLowerCase() === title.toLowerCase()).length === 1;
}

/** The calendar writes to all who take part. */
function tellGuests(event: Event | null, what: string, { calendar, mail }: Pick<Office, "calendar" | "mail">): void {
  if (event === null) return;
  const { participants: recipients, title, description: body } = event;
  const mailed = { recipients, cc: [], bcc: [], subject: `${what}: ${title}`, body, attachments: [] };
  mail.notify(mailed, `${calendar.today}T12:00:00`);
}

/** What a rule knows of an event that a proposal names by its id. */
function eventRecord(id: string, { calendar }: Pick<Office, "calendar">) {
  const event = calendar.event(id);
  if (event === null) return null;
  const { title, start_time, end_time, status } = event;
  const isAlone = isOnlyOne(event, calendar.events);
  return { title, start_time, end_time, isOn: status === "confirmed", isAlone, today: calendar.today };
}

/** Whether a text means an event that is on: by its title, and where others have the same title by its day too. */
function isMeant(text: string, event: NonNullable<ReturnType<typeof eventRecord>>): boolean {
  const { title, start_time, isOn, isAlone, today } = event;
  return isOn && names(text, title) && (isAlone || namesDay(text, start_time, today));
}

/** Guests are told that it is off; the entry stays, marked as cancelled, and can be set again. */
export const cancelCalendarEvent = defineTool({
  name: "cancel_calendar_event",
  description: "Cancel a calendar event.",
  placement: "staff-reversible",
  effect: "idempotent",
  params: z.strictObject({ event_id: Id }),
  record: ({ event_id }, office) => eventRecord(event_id, office),
  authorise(_, event, context) {
    // What asks for it has to say which: an event that a result speaks of is not one that was asked for.
    return asked(context, CANCEL).some(({ meant }) => isMeant(meant, event)) ? permit() : stage(OWNER);
  },
  execute: ({ params }, { calendar, mail }) => {
    tellGuests(calendar.change(params.event_id, { status: "canceled" }), "Cancelled", { calendar, mail });
    return { message: `Event with ID ${params.event_id} has been canceled.` };
  },
  summarise: ({ message }) => message,
});

/** Guests are told the new time; it can be moved back. */
export const rescheduleCalendarEvent = defineTool({
  name: "reschedule_calendar_event",
  description: "Move a calendar event to another time.",
  placement: "staff-reversible",
  effect: "idempotent",
  params: z.strictObject({ event_id: Id, new_start_time: Time, new_end_time: Time.nullish() }),
  record: ({ event_id }, office) => eventRecord(event_id, office),
  authorise({ params }, event, context) {
    const lasted = minuteOf(event.end_time) - minuteOf(event.start_time);
    const { new_start_time: start, new_end_time: end } = params;
    const isOrdered = asked(context, MOVE).some(({ clause, meant }) => {
      if (!isMeant(meant, event) || !namesDay(clause, start, event.today)) return false;
      const times = timesIn(clause);
      if (times.length > 0 ? !times.includes(clockOf(start)) : clockOf(start) !== clockOf(event.start_time))
        return false;
      return end === null || end === undefined || minuteOf(end) - minuteOf(start) === (minutesIn(clause) ?? lasted);
    });
    return isOrdered ? permit() : stage(OWNER);
  },
  execute: ({ params }, { calendar, mail }) => {
    const event = calendar.event(params.event_id);
    const lasted = event === null ? 60 : minuteOf(event.end_time) - minuteOf(event.start_time);
    const end = new Date((minuteOf(params.new_start_time) + lasted) * 60_000).toISOString().slice(0, 16);
    const changes = { start_time: params.new_start_time, end_time: params.new_end_time ?? end };
    const moved = calendar.change(params.event_id, changes);
    tellGuests(moved, "Moved", { calendar, mail });
    return moved;
  },
  summarise: (event) => `moved event ${event?.id_}`,
});

/** They get an invitation at once, and read what it is about. */
export const addCalendarEventParticipants = defineTool({
  name: "add_calendar_event_participants",
  description: "Invite people to a calendar event.",
  placement: "staff-reversible",
  effect: "idempotent",
  params: z.strictObject({ event_id: Id, participants: Addresses.min(1) }),
  provenance: { participants: ADDRESS_SEEN },
  record: ({ event_id, participants }, office) => {
    const event = eventRecord(event_id, office);
    return event === null ? null : { event, guests: peopleOf(participants, office) };
  },
  authorise(_, { event, guests }, context) {
    const isOrdered = asked(context, GUESTS).some(
      ({ clause, meant }) => isMeant(meant, event) && namesAll(clause, guests),
    );
    return isOrdered ? permit() : stage(OWNER);
  },
  execute: ({ params }, { calendar }) => {
    const before = calendar.event(params.event_id)?.participants ?? [];
    return calendar.change(params.event_id, { participants: [...new Set([...before, ...params.participants])] });
  },
  summarise: (event) => `invited to event ${event?.id_}`,
});
