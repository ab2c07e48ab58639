/** The arithmetic of the written policy: bags, totals, differences, and what a flight's status says. */
import type { Cabin } from "./database.ts";
import type { CustomerFact, OfferFact, PaymentFact, ReservationFact, SegmentFact } from "./facts.ts";
import type { BookParams, FlightParams } from "./params.ts";

export const PASSENGERS_MAX = 5;
export const BAG_DOLLARS = 50;
export const INSURANCE_DOLLARS = 30;
export const CANCELLED_DOLLARS = 100;
export const DELAYED_DOLLARS = 50;
/** How many payment methods of each kind one booking may use. */
export const PAYMENT_MIX = { certificate: 1, credit_card: 1, gift_card: 3 } as const;

/** Free checked bags for each passenger, by the booking user's membership and the cabin. */
export const FREE_BAGS: Readonly<Record<CustomerFact["membership"], Readonly<Record<Cabin, number>>>> = {
  regular: { basic_economy: 0, economy: 1, business: 2 },
  silver: { basic_economy: 1, economy: 2, business: 3 },
  gold: { basic_economy: 2, economy: 3, business: 4 },
};

/** How many of `total` bags have to be paid for. */
export function extraBags(customer: CustomerFact, cabin: Cabin, passengers: number, total: number): number {
  return Math.max(0, total - FREE_BAGS[customer.membership][cabin] * passengers);
}

/**
 * Whether a segment was flown. The status decides: delayed and on time have not taken off, flying has. Only where the day
 * is past and the timetable was not brought up to date does the day decide, and a cancelled flight was never flown.
 */
export function flown(segment: SegmentFact, today: string): boolean {
  if (segment.status === "landed" || segment.status === "flying") return true;
  return segment.date < today && segment.status !== "cancelled";
}

export function payment(customer: CustomerFact, id: string): PaymentFact | undefined {
  return customer.payments.find((entry) => entry.id === id);
}

/** Whether a payment method covers an amount; a credit card always does, as far as the database can tell. */
export function covers(method: PaymentFact, amount: number): boolean {
  return method.balance === null || method.balance >= amount;
}

export function bookable(offer: OfferFact): boolean {
  return offer.status === "available" && offer.prices !== null && offer.seats !== null;
}

/** What a booking costs, as the airline's system computes it; null where a flight has no price. */
export function bookingTotal(params: BookParams, offers: readonly OfferFact[]): number | null {
  const people = params.passengers.length;
  let seat = 0;
  for (const offer of offers) {
    const price = offer.prices?.[params.cabin];
    if (price === undefined) return null;
    seat += price;
  }
  const insurance = params.insurance === "yes" ? INSURANCE_DOLLARS * people : 0;
  return seat * people + insurance + BAG_DOLLARS * params.nonfree_baggages;
}

/** The segment that is kept with its price: the same flight on the same day in the same cabin. */
export function kept(reservation: ReservationFact, cabin: Cabin, flight: FlightParams): SegmentFact | undefined {
  return reservation.cabin === cabin ? reservation.flights.find((segment) => sameFlight(segment, flight)) : undefined;
}

export function sameFlight(a: FlightParams, b: FlightParams): boolean {
  return a.flight_number === b.flight_number && a.date === b.date;
}

/** Whether the flights differ from the reservation's, in whatever order they are named. */
export function flightsChanged(reservation: ReservationFact, flights: readonly FlightParams[]): boolean {
  if (flights.length !== reservation.flights.length) return true;
  return !reservation.flights.every((segment) => flights.some((flight) => sameFlight(segment, flight)));
}

/** What a change of flights or cabin costs (negative: gives back); null where a new flight has no price. */
export function changeDifference(
  reservation: ReservationFact,
  cabin: Cabin,
  offers: readonly OfferFact[],
): number | null {
  let next = 0;
  for (const offer of offers) {
    const price = kept(reservation, cabin, offer)?.price ?? offer.prices?.[cabin];
    if (price === undefined) return null;
    next += price;
  }
  const paid = reservation.flights.reduce((sum, segment) => sum + segment.price, 0);
  return (next - paid) * reservation.passengers;
}

export type Route = {
  readonly origin: string;
  readonly destination: string;
  readonly flight_type: "one_way" | "round_trip";
};
type Leg = { readonly origin: string | null; readonly destination: string | null };

export type RouteFault = "origin" | "destination" | "trip_type";

/** In what ways legs fail to be the route: by where they begin, where they lead, or by the trip that they make. */
export function routeFaults(route: Route, legs: readonly Leg[]): RouteFault[] {
  const faults: RouteFault[] = [];
  const last = legs[legs.length - 1]?.destination;
  if (legs[0]?.origin !== route.origin) faults.push("origin");
  // Legs that do not meet lead nowhere: the traveller is not brought to the destination.
  const broken = legs.some((leg, i) => i > 0 && leg.origin !== legs[i - 1]?.destination);
  const oneWay = route.flight_type === "one_way";
  const reached = (oneWay ? legs.slice(-1) : legs).some((leg) => leg.destination === route.destination);
  if (broken || !reached) faults.push("destination");
  else if (!oneWay && last !== route.origin) faults.push("trip_type");
  return faults;
}
