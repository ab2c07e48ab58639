/** The airline's database: every record that is read of it, parsed. */
import { z } from "signalbox";
import { readData } from "../data.ts";

/** The moment at which the written policy sets the whole data; EST, as it says. */
export const NOW = "2024-05-15T15:00:00";

export const CABINS = ["basic_economy", "economy", "business"] as const;
export type Cabin = (typeof CABINS)[number];

const perCabin = z.record(z.enum(CABINS), z.number());

const flightDate = z.looseObject({
  status: z.string(),
  available_seats: perCabin.optional(),
  prices: perCabin.optional(),
});

const flight = z.looseObject({
  flight_number: z.string(),
  origin: z.string(),
  destination: z.string(),
  scheduled_departure_time_est: z.string(),
  scheduled_arrival_time_est: z.string(),
  dates: z.record(z.string(), flightDate),
});

const passenger = z.strictObject({ first_name: z.string(), last_name: z.string(), dob: z.string() });

const segment = z.strictObject({
  flight_number: z.string(),
  date: z.string(),
  origin: z.string(),
  destination: z.string(),
  price: z.number(),
});

const payment = z.strictObject({ payment_id: z.string(), amount: z.number() });

const reservation = z.strictObject({
  reservation_id: z.string(),
  user_id: z.string(),
  origin: z.string(),
  destination: z.string(),
  flight_type: z.enum(["one_way", "round_trip"]),
  cabin: z.enum(CABINS),
  flights: z.array(segment),
  passengers: z.array(passenger),
  payment_history: z.array(payment),
  created_at: z.string(),
  total_baggages: z.number(),
  nonfree_baggages: z.number(),
  insurance: z.enum(["yes", "no"]),
  status: z.literal("cancelled").optional(),
});

const paymentMethod = z.looseObject({
  id: z.string(),
  source: z.enum(["credit_card", "gift_card", "certificate"]),
  amount: z.number().optional(),
});

const user = z.looseObject({
  user_id: z.string(),
  name: passenger.omit({ dob: true }),
  dob: z.string(),
  membership: z.enum(["regular", "silver", "gold"]),
  payment_methods: z.record(z.string(), paymentMethod),
  saved_passengers: z.array(passenger),
  reservations: z.array(z.string()),
});

const database = z.looseObject({
  flights: z.record(z.string(), flight),
  reservations: z.record(z.string(), reservation),
  users: z.record(z.string(), user),
});

export type Database = z.infer<typeof database>;
export type Flight = z.infer<typeof flight>;
export type FlightDate = z.infer<typeof flightDate>;
export type Reservation = z.infer<typeof reservation>;
export type Segment = z.infer<typeof segment>;
export type User = z.infer<typeof user>;
export type PaymentMethod = z.infer<typeof paymentMethod>;

/** Reads `airline-db.json` of a folder. Throws `NoTauData` where it is absent or has another shape. */
export function loadDatabase(directory: string): Database {
  return readData(directory, "airline-db.json", database);
}
