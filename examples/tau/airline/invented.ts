/** An airline that is invented here, for the tests of the rules: two customers, two reservations, five flights. */
import type { JsonObject } from "signalbox";
import { judge } from "signalbox/testing";
import { namedIds } from "../named-ids.ts";
import type { Database, FlightDate, PaymentMethod, Reservation, User } from "./database.ts";
import { instantOf } from "./facts.ts";
import { airlinePolicy, airlineTools } from "./tools.ts";
import { World } from "./world.ts";

export const NOW = "2030-03-10T12:00:00";
export const TODAY = "2030-03-10";
export const SOON = "2030-03-20";

export const person = (n: number) => ({ first_name: `Guest${"abcdefghi"[n]}`, last_name: "Field", dob: "1990-01-01" });
export const people = (n: number) => Array.from({ length: n }, (_, i) => person(i));

/** A timetable of two cities and a stop between: AAA -> BBB direct and over CCC, and back, at round prices. */
function flights(): Database["flights"] {
  const on = (status: string): FlightDate =>
    status === "available"
      ? {
          status,
          available_seats: { basic_economy: 9, economy: 3, business: 2 },
          prices: { basic_economy: 50, economy: 100, business: 400 },
        }
      : { status };
  const flight = (number: string, origin: string, destination: string) => ({
    flight_number: number,
    origin,
    destination,
    scheduled_departure_time_est: "08:00:00",
    scheduled_arrival_time_est: "10:00:00",
    dates: {
      "2030-03-01": on("landed"),
      "2030-03-02": on("cancelled"),
      "2030-03-03": on("on time"),
      [TODAY]: on("on time"),
      [SOON]: on("available"),
      "2030-03-21": on("available"),
    },
  });
  const table = [
    flight("SBX101", "AAA", "BBB"),
    flight("SBX102", "BBB", "AAA"),
    flight("SBX103", "AAA", "CCC"),
    flight("SBX104", "CCC", "BBB"),
    flight("SBX105", "AAA", "BBB"),
  ];
  return Object.fromEntries(table.map((entry) => [entry.flight_number, entry]));
}

const card = (source: PaymentMethod["source"], n: number, amount?: number): PaymentMethod => ({
  id: `${source}_${n}`,
  source,
  ...(amount === undefined ? {} : { amount }),
});

function user(overrides: Partial<User> = {}): User {
  const methods = [
    card("credit_card", 1),
    card("credit_card", 2),
    card("gift_card", 1, 1_000),
    card("gift_card", 2, 100),
    card("gift_card", 3, 100),
    card("gift_card", 4, 100),
    card("certificate", 1, 500),
    card("certificate", 2, 500),
  ];
  return {
    user_id: "nora_field_1",
    name: { first_name: "Nora", last_name: "Field" },
    dob: "1990-01-01",
    membership: "regular",
    payment_methods: Object.fromEntries(methods.map((method) => [method.id, method])),
    saved_passengers: [],
    reservations: ["RES001"],
    ...overrides,
  };
}

export const leg = (flight_number: string, date: string, origin = "AAA", destination = "BBB", price = 100) => ({
  flight_number,
  date,
  origin,
  destination,
  price,
});

function reservation(overrides: Partial<Reservation> = {}): Reservation {
  return {
    reservation_id: "RES001",
    user_id: "nora_field_1",
    origin: "AAA",
    destination: "BBB",
    flight_type: "one_way",
    cabin: "economy",
    flights: [leg("SBX101", SOON)],
    passengers: people(2),
    payment_history: [{ payment_id: "credit_card_1", amount: 200 }],
    created_at: "2030-02-01T09:00:00",
    total_baggages: 0,
    nonfree_baggages: 0,
    insurance: "no",
    ...overrides,
  };
}

export type Made = {
  reservation?: Partial<Reservation>;
  user?: Partial<User>;
  statusToday?: string;
  requests?: string[];
};

export function database(made: Made = {}): Database {
  const table = flights();
  if (made.statusToday !== undefined) {
    for (const flight of Object.values(table)) flight.dates[TODAY] = { status: made.statusToday };
  }
  const other = user({
    user_id: "max_other_2",
    reservations: ["RES002"],
    payment_methods: { gift_card_9: card("gift_card", 9, 1) },
  });
  return {
    flights: table,
    users: { nora_field_1: user(made.user), max_other_2: other },
    reservations: {
      RES001: reservation(made.reservation),
      RES002: reservation({ reservation_id: "RES002", user_id: "max_other_2" }),
    },
  };
}

/** Decides one call with the real rails, on the record that the tool's own loader gives. */
export function decide(tool: string, params: JsonObject, made: Made & { world?: World; evidence?: string[] } = {}) {
  const found = airlineTools.find((entry) => entry.name === tool);
  if (found?.record === undefined || found.record === null) throw new Error(`no such tool: ${tool}`);
  const world = made.world ?? new World(database(made), NOW);
  const evidence = made.evidence ?? namedIds(params);
  const signal = new AbortController().signal;
  const about = { principal: { id: "agent:test", tools: [], attributes: {} }, customer: "customer:nora_field_1" };
  const record = found.record(params, { world }, { ...about, evidence, signal });
  const judged = judge(found, {
    params,
    evidence,
    record,
    customer: about.customer,
    now: instantOf(NOW),
    today: TODAY,
    requests: made.requests ?? [],
    policies: airlinePolicy,
  });
  return judged.code ?? judged.role ?? judged.outcome;
}
