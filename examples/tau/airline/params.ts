/** What the model may say to each of the airline's tools: closed objects, every text bounded and of a known form. */
import { z } from "signalbox";
import { CABINS } from "./database.ts";

const reservationId = z
  .string()
  .max(6)
  .regex(/^[A-Z0-9]{6}$/);
const userId = z
  .string()
  .max(60)
  .regex(/^[a-z]+(?:_[a-z]+)+_[0-9]+$/);
const airport = z
  .string()
  .max(3)
  .regex(/^[A-Z]{3}$/);
const flightNumber = z
  .string()
  .max(6)
  .regex(/^[A-Z]{3}[0-9]{3}$/);
const day = z
  .string()
  .max(10)
  .regex(/^\d{4}-\d{2}-\d{2}$/);
const paymentId = z
  .string()
  .max(30)
  .regex(/^(?:credit_card|gift_card|certificate)_[0-9]+$/);
const personName = z
  .string()
  .min(1)
  .max(40)
  .regex(/^[\p{L}][\p{L}' .-]*$/u);

const flight = z.strictObject({ flight_number: flightNumber, date: day });
const passenger = z.strictObject({ first_name: personName, last_name: personName, dob: day });
/** Whole dollars: the database knows no cents. */
const dollars = z.int().min(0).max(100_000);
const bags = z.int().min(0).max(50);
const cabin = z.enum(CABINS);

export const bookParams = z.strictObject({
  user_id: userId,
  origin: airport,
  destination: airport,
  flight_type: z.enum(["one_way", "round_trip"]),
  cabin,
  flights: z.array(flight).min(1).max(8),
  // The policy's limit of five is a rule with a code of its own; this bound only keeps the list finite.
  passengers: z.array(passenger).min(1).max(9),
  payment_methods: z
    .array(z.strictObject({ payment_id: paymentId, amount: dollars }))
    .min(1)
    .max(10),
  total_baggages: bags,
  nonfree_baggages: bags,
  insurance: z.enum(["yes", "no"]),
});

export const updateFlightsParams = z.strictObject({
  reservation_id: reservationId,
  cabin,
  flights: z.array(flight).min(1).max(8),
  payment_id: paymentId,
});

export const updateBaggagesParams = z.strictObject({
  reservation_id: reservationId,
  total_baggages: bags,
  nonfree_baggages: bags,
  payment_id: paymentId,
});

export const updatePassengersParams = z.strictObject({
  reservation_id: reservationId,
  passengers: z.array(passenger).min(1).max(9),
});

export const cancelParams = z.strictObject({ reservation_id: reservationId });
export const certificateParams = z.strictObject({ user_id: userId, amount: z.int().min(1).max(100_000) });

export const reservationParams = z.strictObject({ reservation_id: reservationId });
export const userParams = z.strictObject({ user_id: userId });
export const noParams = z.strictObject({});
export const searchParams = z.strictObject({ origin: airport, destination: airport, date: day });
export const statusParams = z.strictObject({ flight_number: flightNumber, date: day });

export type BookParams = z.infer<typeof bookParams>;
export type UpdateFlightsParams = z.infer<typeof updateFlightsParams>;
export type UpdateBaggagesParams = z.infer<typeof updateBaggagesParams>;
export type UpdatePassengersParams = z.infer<typeof updatePassengersParams>;
export type CancelParams = z.infer<typeof cancelParams>;
export type CertificateParams = z.infer<typeof certificateParams>;
export type FlightParams = z.infer<typeof flight>;
