/** What the airline's reads give back. */
import type { Flight, User } from "./database.ts";
import type { World } from "./world.ts";

/** The declared projection of a profile: what an agent needs for its work, so no e-mail and no address. */
export function projectUser(user: User | undefined) {
  if (user === undefined) return { error: "user not found" };
  const { user_id, name, dob, membership, payment_methods, saved_passengers, reservations } = user;
  return { user_id, name, dob, membership, payment_methods, saved_passengers, reservations };
}

type Search = { readonly origin: string; readonly destination: string; readonly date: string };

export type FlightFound = {
  readonly flight_number: string;
  readonly date: string;
  readonly origin: string;
  readonly destination: string;
  readonly scheduled_departure_time_est: string;
  readonly scheduled_arrival_time_est: string;
  readonly available_seats: Readonly<Record<string, number>>;
  readonly prices: Readonly<Record<string, number>>;
};

export function searchDirect(world: World, search: Search): FlightFound[] {
  return world
    .flights()
    .filter((flight) => flight.origin === search.origin && flight.destination === search.destination)
    .flatMap((flight) => found(world, flight, search.date));
}

export function searchOneStop(world: World, search: Search): (readonly [FlightFound, FlightFound])[] {
  const pairs: (readonly [FlightFound, FlightFound])[] = [];
  for (const flight of world.flights()) {
    if (flight.origin !== search.origin) continue;
    for (const first of found(world, flight, search.date)) {
      const overnight = first.scheduled_arrival_time_est.includes("+1");
      const date = overnight ? dayAfter(search.date) : search.date;
      const landed = first.scheduled_arrival_time_est.slice(0, 8);
      const seconds = searchDirect(world, { origin: first.destination, destination: search.destination, date });
      for (const second of seconds) if (second.scheduled_departure_time_est >= landed) pairs.push([first, second]);
    }
  }
  return pairs;
}

function found(world: World, flight: Flight, date: string): FlightFound[] {
  const onDate = world.onDate(flight.flight_number, date);
  if (onDate?.status !== "available") return [];
  return [
    {
      flight_number: flight.flight_number,
      date,
      origin: flight.origin,
      destination: flight.destination,
      scheduled_departure_time_est: flight.scheduled_departure_time_est,
      scheduled_arrival_time_est: flight.scheduled_arrival_time_est,
      available_seats: onDate.available_seats ?? {},
      prices: onDate.prices ?? {},
    },
  ];
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}

export function listAirports(world: World): string[] {
  return [...new Set(world.flights().map((flight) => flight.origin))].sort();
}
