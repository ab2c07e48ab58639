import { permit, stage, withServices, z } from "signalbox";
import { clockOf, dayOf } from "../office/calendar.ts";
import { type Office, OWNER, Time } from "../office/terms.ts";
import { asked, requestOf } from "../request/asked.ts";
import { namesDay, timesIn } from "../request/days.ts";
import { names } from "../request/names.ts";
import type { Travel } from "./catalogue.ts";

const { defineTool } = withServices<Pick<Office, "calendar"> & { readonly travel: Travel }>();

const RESERVE = ["reserve", "book", "make", "get"];
const RESERVATION = ["reserve", "book", "reservation", "booking"];

const Name = z.string().min(1).max(120);

type Stay = { readonly start: string; readonly end: string | null | undefined };

/** What a rule knows of a place: whether the catalogue has it, and the others of its kind. */
function placeRecord(name: string, places: readonly { readonly name: string }[], today: string) {
  if (!places.some((place) => place.name === name)) return null;
  return { name, others: places.flatMap((place) => (place.name === name ? [] : [place.name])), today };
}

/**
 * Whether the request asks to reserve this place at this time. It has to name the place, and no other of its kind: which
 * of two is better is for the traveller to say. Its days, and the hour where it names any, are the request's own.
 */
function isOrdered(
  { name, others, today }: NonNullable<ReturnType<typeof placeRecord>>,
  { start, end }: Stay,
  context: Parameters<typeof requestOf>[0],
): boolean {
  const request = requestOf(context);
  if (!names(request, name) || others.some((other) => names(request, other))) return false;
  return asked(context, RESERVE, RESERVATION).some(({ around }) => {
    const times = timesIn(around);
    const isNamed = (time: string) =>
      namesDay(around, time, today) && (clockOf(time) === "" || times.length === 0 || times.includes(clockOf(time)));
    if (!isNamed(start)) return false;
    return end === null || end === undefined || (isNamed(end) && dayOf(start) <= dayOf(end) && start !== end);
  });
}

/** The hotel holds a room, and takes the reservation back by telephone until the day before. */
export const reserveHotel = defineTool({
  name: "reserve_hotel",
  description: "Reserve a hotel.",
  placement: "staff-reversible",
  effect: "once",
  params: z.strictObject({ hotel: Name, start_day: Time, end_day: Time }),
  record: ({ hotel }, { travel, calendar }) => placeRecord(hotel, travel.hotels, calendar.today),
  authorise: ({ params }, place, context) =>
    isOrdered(place, { start: params.start_day, end: params.end_day }, context) ? permit() : stage(OWNER),
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
  record: ({ restaurant }, { travel, calendar }) => placeRecord(restaurant, travel.restaurants, calendar.today),
  authorise: ({ params }, place, context) =>
    isOrdered(place, { start: params.start_time, end: null }, context) ? permit() : stage(OWNER),
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
  record: ({ company }, { travel, calendar }) => placeRecord(company, travel.companies, calendar.today),
  authorise: ({ params }, place, context) =>
    isOrdered(place, { start: params.start_time, end: params.end_time }, context) ? permit() : stage(OWNER),
  execute: ({ params }, { travel }) => {
    const { company: name, start_time: start, end_time: end } = params;
    travel.reservations.push({ kind: "car", name, start, end: end ?? null });
    return `Reservation for a car at ${name} from ${start} to ${end ?? ""} has been made successfully.`;
  },
  summarise: (message) => message,
});
