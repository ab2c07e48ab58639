import { permit, stage, withServices, z } from "signalbox";
import { clockOf, dayOf } from "../office/calendar.ts";
import { type Office, OWNER, Time } from "../office/terms.ts";
import { askedIf, type Order, requestOf } from "../request/asked.ts";
import { dayCount, laterDay, namesDay, nightsIn, timeRangeIn, timesIn, withoutDays } from "../request/days.ts";
import { isSole, MARK, marked, phrasesOf, restOf } from "../request/object.ts";
import type { Travel } from "./catalogue.ts";

const { defineTool } = withServices<Pick<Office, "calendar"> & { readonly travel: Travel }>();

const RESERVE = ["reserve", "book", "make", "get", "rent", "hire"];
/** What is reserved, by what it is reserved at; anything else of the three is another tool's. */
const KINDS = {
  hotel: ["room", "rooms", "stay", "night", "nights", "hotel", "single room", "double room", "suite"],
  restaurant: ["table", "dinner", "lunch", "breakfast", "seat", "seats", "restaurant"],
  car: ["car", "cars", "suv", "vehicle", "van", "rental", "rental car", "car rental"],
} as const;
type Kind = keyof typeof KINDS;
const RESERVATION = ["reservation", "booking"];
const ME = ["me", "us", "two", "three", "one", "single", "double"];

const Name = z.string().min(1).max(120);

type Stay = { readonly start: string; readonly end: string | null | undefined };

/** What may stand behind a reservation: where, when, and for whom. What else is asked of it is for the traveller to see. */
const TAIL = (
  "at in from with for to on until till between starting there it hotel restaurant company me us two three four five six seven one week weeks day days " +
  "night nights people persons guests adults family wife husband friend friends evening morning name of please"
).split(" ");

type Place = { readonly name: string; readonly rating: number };

/** What a rule knows of a place: whether the catalogue has it, its rating, and every other place of whatever kind. */
function placeRecord(name: string, places: readonly Place[], travel: Travel, today: string) {
  const place = places.find((one) => one.name === name);
  if (place === undefined) return null;
  const others = travel.places().flatMap((other) => (other.name === name ? [] : [other.name]));
  return { name, rating: place.rating, others, today };
}
type Known = NonNullable<ReturnType<typeof placeRecord>>;

/**
 * Whether the request orders to reserve this place at this time. The order has to name the place, spelled as it is, and no
 * other: which of two is better is for the traveller to say. Its days and its hours are the order's own.
 */
function isOrdered(kind: Kind, place: Known, { start, end }: Stay, context: Parameters<typeof requestOf>[0]): boolean {
  return askedIf(context, RESERVE).some(
    (order) =>
      isAt(kind, place, order, requestOf(context)) &&
      holds(order.condition, place.rating) &&
      (kind === "restaurant"
        ? isHour(order.clause, start, place.today)
        : isStay(order, start, end ?? null, place.today)),
  );
}

/** "The Blue Inn", "a room at the Blue Inn"; or "a room there", where the request names this place and no other. */
function isAt(kind: Kind, { name, others }: Known, { verb, clause, condition }: Order, request: string): boolean {
  const text = withoutDays(marked(clause, name, true));
  if (others.some((other) => marked(clause, other, true) !== clause)) return false;
  const { object, tail } = phrasesOf(verb, text);
  if (restOf(tail.replace(/[.!?()]/g, " "), TAIL, false) !== "") return false;
  const nouns = [...KINDS[kind], ...RESERVATION, ...ME];
  if (/^(?:reserve|book)$/i.test(verb) && isSole(object, nouns)) return true;
  if (restOf(object, nouns, true) !== "" || !hasNoun(object, [...KINDS[kind], ...RESERVATION])) return false;
  if (AT.test(tail)) return true;
  const pointsBack =
    / (?:there|at it)(?![\p{L}])/iu.test(` ${tail}`) || /(?<![\p{L}])(?:it|there)(?![\p{L}])/iu.test(condition ?? "");
  return (
    pointsBack &&
    marked(request, name, true) !== request &&
    others.every((other) => marked(request, other, true) === request)
  );
}

function hasNoun(object: string, nouns: readonly string[]): boolean {
  return new RegExp(`(?:^| )(?:${nouns.join("|")})$`, "i").test(object.replace(new RegExp(` ?${MARK}$`), "").trim());
}

const AT = new RegExp(
  `^(?:for (?:me|us|\\p{L}+(?: people| persons)?|\\d+(?: people| persons)?) )?(?:at|in|from|with) (?:(?:the|hotel|restaurant|company) )*${MARK}(?!['’])`,
  "iu",
);

/** Whether what the order depends on is a rating that the catalogue keeps, and this place has it; or nothing. */
function holds(condition: string | null, rating: number): boolean {
  if (condition === null) return true;
  const match =
    /^(?:it['’]s|it is|its rating is|the rating is|it has a rating|the hotel is|the restaurant is) ?(?:rated )?(?<more>higher than|more than|better than|above|over|of at least|at least|of more than) (?<least>\d(?:\.\d+)?)(?: stars| points)?$/i.exec(
      condition,
    );
  const least = Number(match?.groups?.least ?? Number.NaN);
  return /at least$/i.test(match?.groups?.more ?? "") ? rating >= least : rating > least;
}

/** One day and one hour, both in the order. */
function isHour(clause: string, start: string, today: string): boolean {
  const times = timesIn(clause);
  return dayCount(clause) === 1 && namesDay(clause, start, today) && times.length === 1 && times[0] === clockOf(start);
}

/** From a first day to a last one, both in the order; or a first one, and how many nights. */
function isStay({ clause }: Order, start: string, end: string | null, today: string): boolean {
  const hours = [start, ...(end === null ? [] : [end])].map(clockOf).filter((hour) => hour !== "");
  const range = timeRangeIn(clause);
  const times = range ?? timesIn(clause);
  if (hours.some((hour) => !times.includes(hour)) || (hours.length < times.length && times.length > 0)) return false;
  if (!namesDay(clause, start, today)) return false;
  if (end === null) return dayCount(clause) === 1 && nightsIn(clause) === null;
  if (dayCount(clause) === 1)
    return nightsIn(clause) !== null && dayOf(end) === laterDay(dayOf(start), nightsIn(clause) ?? 0);
  return dayCount(clause) === 2 && namesDay(clause, end, today) && dayOf(start) < dayOf(end);
}

/** The hotel holds a room, and takes the reservation back by telephone until the day before. */
export const reserveHotel = defineTool({
  name: "reserve_hotel",
  description: "Reserve a hotel.",
  placement: "staff-reversible",
  effect: "once",
  params: z.strictObject({ hotel: Name, start_day: Time, end_day: Time }),
  record: ({ hotel }, { travel, calendar }) => placeRecord(hotel, travel.hotels, travel, calendar.today),
  authorise: ({ params }, place, context) =>
    isOrdered("hotel", place, { start: params.start_day, end: params.end_day }, context) ? permit() : stage(OWNER),
  execute: ({ params }, { travel }) => {
    travel.reservations.push({ kind: "hotel", name: params.hotel, start: params.start_day, end: params.end_day });
    return `Reservation for ${params.hotel} from ${params.start_day} to ${params.end_day} has been made successfully.`;
  },
  summarise: (message) => message,
});

/** The restaurant keeps a table, and lets it go by telephone. */
export const reserveRestaurant = defineTool({
  name: "reserve_restaurant",
  description: "Reserve a table at a restaurant.",
  placement: "staff-reversible",
  effect: "once",
  params: z.strictObject({ restaurant: Name, start_time: Time }),
  record: ({ restaurant }, { travel, calendar }) => placeRecord(restaurant, travel.restaurants, travel, calendar.today),
  authorise: ({ params }, place, context) =>
    isOrdered("restaurant", place, { start: params.start_time, end: null }, context) ? permit() : stage(OWNER),
  execute: ({ params }, { travel }) => {
    travel.reservations.push({ kind: "restaurant", name: params.restaurant, start: params.start_time, end: null });
    return `Reservation for ${params.restaurant} at ${params.start_time} has been made successfully.`;
  },
  summarise: (message) => message,
});

/** The company keeps a car, and takes the reservation back by telephone. */
export const reserveCarRental = defineTool({
  name: "reserve_car_rental",
  description: "Reserve a car.",
  placement: "staff-reversible",
  effect: "once",
  params: z.strictObject({ company: Name, start_time: Time, end_time: Time.nullable() }),
  record: ({ company }, { travel, calendar }) => placeRecord(company, travel.companies, travel, calendar.today),
  authorise: ({ params }, place, context) =>
    isOrdered("car", place, { start: params.start_time, end: params.end_time }, context) ? permit() : stage(OWNER),
  execute: ({ params }, { travel }) => {
    const { company: name, start_time: start, end_time: end } = params;
    travel.reservations.push({ kind: "car", name, start, end: end ?? null });
    return `Reservation for a car at ${name} from ${start} to ${end ?? ""} has been made successfully.`;
  },
  summarise: (message) => message,
});
