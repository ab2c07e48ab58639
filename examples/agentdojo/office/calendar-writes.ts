import { permit, stage, withServices, z } from "signalbox";
import { asked, askedIf, type Order, requestOf } from "../request/asked.ts";
import { dayCount, minutesIn, namesDay, timeRangeIn, timesIn, withoutDays } from "../request/days.ts";
import { isOnly, MARK, marked, phrasesOf } from "../request/object.ts";
import { madeOf } from "../request/wording.ts";
import { clockOf, dayOf, type Event, minuteOf } from "./calendar.ts";
import {
  ADDRESS_SEEN,
  Addresses,
  Id,
  isListed,
  Line,
  markedPeople,
  namesAll,
  type Office,
  OWNER,
  type Person,
  peopleOf,
  TEXT_SEEN,
  Text,
  Time,
} from "./terms.ts";

const { defineTool } = withServices<Office>();

const CREATE = "create add schedule book make put plan arrange organise organize insert enter remind block"
  .split(" ")
  .concat("set up");
const ENTRY = "event appointment meeting reminder entry lunch dinner breakfast call session slot".split(" ");
const CANCEL = ["cancel", "delete", "remove", "drop", "call off"];
const MOVE = ["reschedule", "move", "shift", "postpone", "push", "change", "delay", "bring forward", "push back"];
const GUESTS = ["add", "invite", "include"];
const WHO = ["participants", "guests", "attendees", "invitees", "people", "participant", "guest", "attendee"];

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
      // When something is on that day: what "if I already have something at 10:00" asks.
      busy: calendar
        .onDay(dayOf(start_time))
        .flatMap((event) => (event.all_day ? [] : [{ from: clockOf(event.start_time), to: clockOf(event.end_time) }])),
    };
  },
  authorise({ params }, known, context) {
    const request = requestOf(context);
    const texts = [params.title, params.description ?? "", params.location ?? ""];
    if (!texts.every((text) => madeOf(text, request, known.facts))) return stage(OWNER);
    // A title that is there already is the name of that event, and an entry on top of another may be a mistake.
    if (known.sameTitle || known.atThatTime > 0) return stage(OWNER);
    const isOrdered = askedIf(context, CREATE).some((order) => {
      if (!isEntry(order)) return false;
      const text = withoutOthersDay(order.clause);
      return (
        isOnTime(order, text, params, known) &&
        (isInvited(order, known.guests) ||
          known.sameGuests.some(
            (title) =>
              sameGuests(title).test(order.clause) || order.beside.some((line) => sameGuests(title).test(line)),
          ))
      );
    });
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

/** Whether the order is for an entry: "a meeting", "the event 'Tea'", "remind me"; and not for a list of meetings. */
function isEntry({ verb, clause }: Order): boolean {
  if (/^remind/i.test(verb)) return /^remind (?:me|us)\b/i.test(clause);
  const { object, tail } = phrasesOf(verb, clause);
  // A quote alone is a title where it goes into the calendar.
  if (/^(?:◇|the ◇)$/.test(object)) return /^(?:in|into|to|on) (?:my|the|our) calendar\b/i.test(tail);
  const isTitled = object.includes("◇");
  const named = object.replace(/ ?(?:called |named |titled )?◇.*$/, "");
  // "The meeting" is one that is there already, but for the one whose title follows.
  const begin = isTitled ? "(?:(?:also|just|the|this|a|an|new) )*" : "(?:(?:also|just) )*(?:(?:an?|one|new|another) )?";
  return new RegExp(
    `^${begin}(?:(?!the |my |our |this |that |around )[\\w-]+ ){0,5}?(?:${ENTRY.join("|")})$`,
    "i",
  ).test(named);
}

/** The clause without the day of another event that it points to: "the same people as 'Review' on 2026-03-20". */
function withoutOthersDay(clause: string): string {
  return clause.replace(new RegExp(`\\b(?:${WHO.join("|")}) (?:as|of|from|in) .*$`, "i"), "");
}

/** How a text asks for the guests of another event. */
function sameGuests(title: string): RegExp {
  const form = title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(
    `\\b(?:${WHO.join("|")}) (?:as|of|from|in) (?:(?:the|my|our|event|meeting) )*["'“‘]?${form}(?![\\p{L}\\p{N}])`,
    "iu",
  );
}

/** Whether the order names these guests, or states their address beside it ("her address is …"). */
function isInvited({ clause, beside }: Order, guests: readonly Person[]): boolean {
  const own = withoutOthersDay(clause);
  const stated = beside.filter((line) =>
    /^(?:her|his|their|the) (?:(?:e-?mail )?address(?:es)?|participants|guests|attendees) (?:is|are)\b/i.test(
      line.trim(),
    ),
  );
  return guests.every(
    (guest) => guest.isOwner || isListed(own, INVITED, guest) || stated.some((line) => namesAll(line, [guest])),
  );
}

const INVITED = ["with", "invite", "inviting", "participants?", "guests?", "attendees?"];

type When = { readonly start_time: string; readonly end_time: string };
type Known = { readonly today: string; readonly busy: readonly { readonly from: string; readonly to: string }[] };

/** Whether the order says when: the one day, the hour where it names any, and how long where it says so. */
function isOnTime(order: Order, clause: string, when: When, { today, busy }: Known): boolean {
  const [text, wanted] = timeBy(order, clause, busy) ?? ["", null];
  if (text === "") return false;
  const minutes = minuteOf(when.end_time) - minuteOf(when.start_time);
  const days = [
    text,
    ...order.beside.filter((line) => !/['"“‘]/.test(line)),
    order.condition === null ? "" : order.before,
  ];
  const day = days.find((line) => dayCount(line) > 0) ?? "";
  if (dayCount(day) !== 1 || !namesDay(day, when.start_time, today) || minutes <= 0) return false;
  const range = timeRangeIn(text);
  if (range !== null)
    return clockOf(when.start_time) === range[0] && clockOf(when.end_time) === range[1] && minutes < 24 * 60;
  const times = wanted === null ? timesIn(text) : [wanted];
  if (new Set(times).size > 1 || (times.length === 1 && times[0] !== clockOf(when.start_time))) return false;
  return minutesIn(text) === null ? minutes <= MINUTES_MAX : minutes === minutesIn(text);
}

/**
 * The clause and the hour that it wants, where its condition is one that the calendar decides: that the owner is free then,
 * which an entry needs anyway, or what to do where an hour is taken. Null where it depends on anything else.
 */
function timeBy(
  { condition, before }: Order,
  clause: string,
  busy: Known["busy"],
): readonly [string, string | null] | null {
  if (condition === null) return [clause, null];
  if (/^(?:so|yes|i am|i['’]m)$/i.test(condition))
    return IS_FREE.test(before) && !/['’]t|\bnot\b/i.test(before) ? [clause, null] : null;
  if (
    /^(?:i am|i['’]m|i have time|the (?:slot|time|hour|day) is) ?(?:free|available|open)?(?: (?:then|at that time|on that day))?$/i.test(
      condition,
    )
  )
    return [clause, null];
  const other = OTHERWISE.exec(condition);
  const [first, second, taken] = [
    timesIn(clause),
    timesIn(other?.groups?.hour ?? ""),
    timesIn(other?.groups?.taken ?? ""),
  ];
  if (other === null || first.length !== 1 || second.length !== 1 || taken[0] !== first[0]) return null;
  const hour = first[0] ?? "";
  return [clause, busy.some(({ from, to }) => from <= hour && hour < to) ? (second[0] ?? null) : (first[0] ?? null)];
}

const IS_FREE =
  /^(?:\W*\d*[.)]?\s*)?(?:am i|are we|do i have time|is there (?:time|room|a free slot)|is (?:my|the) (?:calendar|slot|day))\b[^?]*\b(?:free|available|open|time|room|slot)\b[^?]*\?\s*$/i;
const OTHERWISE = /^or (?<hour>(?:at )?[\d: apm]+?) if (?<taken>.*)$/i;

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

const EVENT = [...ENTRY, "events", "class", "party", "review"];
/** What may follow the event that is meant: its own day or hour, and the calendar that it stands in. */
const BEHIND =
  /^(?:(?:on|at|of|for|from|to|until|in|my|the|our|calendar|same|time|one|an|hours?|minutes?|\d+)\b[\s,]*|[.!?,;\s])*$/i;

/** Whether a text that says an event's day or hour, if any, says this one's, and says it where others have its title too. */
function isItsDay(text: string, { start_time, isAlone, today }: NonNullable<ReturnType<typeof eventRecord>>): boolean {
  if (dayCount(text) > 0 ? !namesDay(text, start_time, today) || dayCount(text) > 1 : !isAlone) return false;
  return timesIn(text).every((time) => time === clockOf(start_time)) && BEHIND.test(withoutDays(text));
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
    const isOrdered = asked(context, CANCEL).some(({ verb, clause }) => {
      const { object, tail } = phrasesOf(verb, marked(clause, event.title));
      return isOnly(object, EVENT) && isItsDay(tail, event);
    });
    return event.isOn && isOrdered ? permit() : stage(OWNER);
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
    const isOrdered = asked(context, MOVE).some(({ verb, clause }) => {
      const { object, tail } = phrasesOf(verb, marked(clause, event.title));
      // Where it is and where it goes: only what follows the last "to" is wanted.
      const [, from, to] = /^(.*?)(?:^|\s)(?:to|for|until|till)\s(.*)$/iu.exec(tail) ?? [];
      if (!isOnly(object, EVENT) || from === undefined || to === undefined || !isItsDay(from, event)) return false;
      if (!BEHIND.test(withoutDays(to)) || dayCount(to) !== 1 || !namesDay(to, start, event.today)) return false;
      const range = timeRangeIn(to);
      const times = range === null ? timesIn(to) : [range[0]];
      if (times.length > 1 || clockOf(start) !== (times[0] ?? clockOf(event.start_time))) return false;
      if (end === null || end === undefined) return range === null && minutesIn(to) === null;
      return range === null
        ? minuteOf(end) - minuteOf(start) === (minutesIn(to) ?? lasted)
        : clockOf(end) === range[1] && dayOf(end) === dayOf(start);
    });
    return event.isOn && isOrdered ? permit() : stage(OWNER);
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

const TO_THE_EVENT = new RegExp(
  `^(?:to|in|into) (?:(?:the|my|our|list|${WHO.join("|")}|of|${EVENT.join("|")}) )*${MARK}(?: (?:${EVENT.join("|")}))?(?![\\p{L}\\p{N}'’])(.*)$`,
  "iu",
);

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
    const isOrdered = asked(context, GUESTS).some(({ verb, clause }) => {
      if (!guests.every((guest) => guest.isOwner || isOnly(phrasesOf(verb, markedPeople(clause, [guest])).object, [])))
        return false;
      const to = TO_THE_EVENT.exec(phrasesOf(verb, marked(clause, event.title)).tail);
      return to !== null && isItsDay(to[1] ?? "", event);
    });
    return event.isOn && isOrdered ? permit() : stage(OWNER);
  },
  execute: ({ params }, { calendar }) => {
    const before = calendar.event(params.event_id)?.participants ?? [];
    return calendar.change(params.event_id, { participants: [...new Set([...before, ...params.participants])] });
  },
  summarise: (event) => `invited to event ${event?.id_}`,
});
