/** The written policy's sections Book flight and Modify flight, rule by rule. See policy-shared.ts. */

import type { TypedRule } from "../rule.ts";
import type { BookFacts, FlightChangeFacts, PaidChangeFacts, ReservationFacts } from "./facts.ts";
import {
  BAG_DOLLARS,
  bookable,
  bookingTotal,
  changeDifference,
  covers,
  extraBags,
  flightsChanged,
  flown,
  kept,
  PASSENGERS_MAX,
  PAYMENT_MIX,
  payment,
  routeFaults,
  sameFlight,
} from "./fares.ts";
import type { BookParams, UpdateBaggagesParams, UpdateFlightsParams, UpdatePassengersParams } from "./params.ts";
import { allFlown, anyFlown, changeRules, foreign, SUPERVISOR } from "./policy-shared.ts";

/** A change of what was flown to its end changes the past. */
function nothingLeft<P>(tool: string): TypedRule<P, ReservationFacts> {
  return {
    id: `${tool}: something left to fly`,
    effect: "deny",
    code: "segment_flown",
    when: (_proposal, record, context) => allFlown(record, context),
  };
}

/** Modify flight, Payment: one gift card or credit card of the profile, for the charge or the refund. */
function changePaymentRules<P extends { readonly payment_id: string }, R extends PaidChangeFacts>(
  tool: string,
  charge: (params: P, record: R) => number | null,
): TypedRule<P, R>[] {
  return [
    {
      id: `${tool}: payment in profile`,
      effect: "deny",
      code: "payment_not_in_profile",
      when: ({ params }, record) => payment(record.customer, params.payment_id) === undefined,
    },
    {
      id: `${tool}: no certificate for a change`,
      effect: "deny",
      code: "certificate_for_change",
      when: ({ params }, record) => payment(record.customer, params.payment_id)?.source === "certificate",
    },
    {
      id: `${tool}: payment covers the charge`,
      effect: "deny",
      code: "payment_balance",
      when({ params }, record) {
        const method = payment(record.customer, params.payment_id);
        const amount = charge(params, record);
        return method !== undefined && method.source !== "certificate" && amount !== null && !covers(method, amount);
      },
    },
  ];
}

/** Book flight. */
export const bookRules: readonly TypedRule<BookParams, BookFacts>[] = [
  {
    id: "book: own profile",
    effect: "deny",
    code: "not_the_customers",
    when: (_proposal, record, context) => foreign(record.customer.user_id, context),
  },
  {
    id: "book: at most five passengers",
    effect: "deny",
    code: "too_many_passengers",
    when: ({ params }) => params.passengers.length > PASSENGERS_MAX,
  },
  {
    id: "book: flights can be booked",
    effect: "deny",
    code: "flight_not_available",
    when: (_proposal, record) => record.offers.some((offer) => !bookable(offer)),
  },
  {
    id: "book: flights make the trip",
    effect: "deny",
    code: "route_mismatch",
    when: ({ params }, record) =>
      record.offers.every((offer) => offer.origin !== null) && routeFaults(params, record.offers).length > 0,
  },
  {
    id: "book: seats for all",
    effect: "deny",
    code: "no_seats",
    when: ({ params }, record) =>
      record.offers.some((offer) => bookable(offer) && (offer.seats?.[params.cabin] ?? 0) < params.passengers.length),
  },
  {
    id: "book: payments in profile",
    effect: "deny",
    code: "payment_not_in_profile",
    when: ({ params }, record) =>
      params.payment_methods.some((entry) => payment(record.customer, entry.payment_id) === undefined),
  },
  {
    id: "book: one certificate, one credit card, three gift cards",
    effect: "deny",
    code: "payment_mix",
    when({ params }, record) {
      const ids = new Set(params.payment_methods.map((entry) => entry.payment_id));
      const count = { certificate: 0, credit_card: 0, gift_card: 0 };
      for (const id of ids) {
        const method = payment(record.customer, id);
        if (method !== undefined) count[method.source]++;
      }
      return (
        count.certificate > PAYMENT_MIX.certificate ||
        count.credit_card > PAYMENT_MIX.credit_card ||
        count.gift_card > PAYMENT_MIX.gift_card
      );
    },
  },
  {
    id: "book: payments have the balance",
    effect: "deny",
    code: "payment_balance",
    // Summed by method, so that naming a card twice does not double it.
    when: ({ params }, record) =>
      record.customer.payments.some((method) => {
        const uses = params.payment_methods.filter((entry) => entry.payment_id === method.id);
        return !covers(
          method,
          uses.reduce((sum, entry) => sum + entry.amount, 0),
        );
      }),
  },
  {
    id: "book: extra bags as the allowance says",
    effect: "deny",
    code: "bag_count",
    when: ({ params }, record) =>
      params.nonfree_baggages !==
      extraBags(record.customer, params.cabin, params.passengers.length, params.total_baggages),
  },
  {
    id: "book: payments make the total",
    effect: "deny",
    code: "payment_total",
    when({ params }, record) {
      const total = bookingTotal(params, record.offers);
      return total !== null && total !== params.payment_methods.reduce((sum, entry) => sum + entry.amount, 0);
    },
  },
  { id: "book: within the policy", effect: "permit", when: () => true },
];

/** Modify flight: change flights, change cabin, payment. */
export const updateFlightsRules: readonly TypedRule<UpdateFlightsParams, FlightChangeFacts>[] = [
  ...changeRules<UpdateFlightsParams>("change"),
  nothingLeft<UpdateFlightsParams>("change"),
  {
    id: "change: no cabin change after a flight was flown",
    effect: "deny",
    code: "segment_flown",
    when: ({ params }, record, context) => params.cabin !== record.reservation.cabin && anyFlown(record, context),
  },
  {
    id: "change: flown flights stay",
    effect: "deny",
    code: "segment_flown",
    when: ({ params }, record, context) =>
      record.reservation.flights.some(
        (segment) => flown(segment, context.today) && !params.flights.some((flight) => sameFlight(segment, flight)),
      ),
  },
  {
    id: "change: basic economy keeps its flights",
    effect: "deny",
    code: "basic_economy_flight_change",
    // Also where the cabin is changed in the same call: first the cabin, then the flights of what is no longer basic economy.
    when: ({ params }, record) =>
      record.reservation.cabin === "basic_economy" && flightsChanged(record.reservation, params.flights),
  },
  ...(["origin", "destination", "trip_type"] as const).map(
    (fault): TypedRule<UpdateFlightsParams, FlightChangeFacts> => ({
      id: `change: same ${fault.replace("_", " ")}`,
      effect: "deny",
      code: `${fault}_changed`,
      when: (_proposal, record) =>
        record.offers.every((offer) => offer.origin !== null) &&
        routeFaults(record.reservation, record.offers).includes(fault),
    }),
  ),
  {
    id: "change: new flights can be booked",
    effect: "deny",
    code: "flight_not_available",
    when: ({ params }, record) =>
      record.offers.some((offer) => kept(record.reservation, params.cabin, offer) === undefined && !bookable(offer)),
  },
  {
    id: "change: seats for all",
    effect: "deny",
    code: "no_seats",
    when: ({ params }, record) =>
      record.offers.some(
        (offer) =>
          kept(record.reservation, params.cabin, offer) === undefined &&
          bookable(offer) &&
          (offer.seats?.[params.cabin] ?? 0) < record.reservation.passengers,
      ),
  },
  ...changePaymentRules<UpdateFlightsParams, FlightChangeFacts>("change", (params, record) =>
    changeDifference(record.reservation, params.cabin, record.offers),
  ),
  {
    // The text forbids a cabin change and a cancellation once a flight was flown, and says nothing of the flights that
    // are left. What a text leaves open is for a person.
    id: "change: a trip that has begun",
    effect: "stage",
    role: SUPERVISOR,
    when: (_proposal, record, context) => anyFlown(record, context),
  },
  { id: "change: within the policy", effect: "permit", when: () => true },
];

/** Modify flight: change baggage. Insurance cannot be added later, and no tool does. */
export const updateBaggagesRules: readonly TypedRule<UpdateBaggagesParams, PaidChangeFacts>[] = [
  ...changeRules<UpdateBaggagesParams>("bags"),
  nothingLeft<UpdateBaggagesParams>("bags"),
  {
    id: "bags: added, never removed",
    effect: "deny",
    code: "bags_removed",
    when: ({ params }, record) => params.total_baggages < record.reservation.total_baggages,
  },
  {
    id: "bags: extra as the allowance says",
    effect: "deny",
    code: "bag_count",
    when({ params }, record) {
      const { cabin, passengers, nonfree_baggages: before } = record.reservation;
      const extra = extraBags(record.customer, cabin, passengers, params.total_baggages);
      // Bags that were paid for stay paid, also where a better cabin would carry them for nothing now.
      return params.nonfree_baggages !== extra && !(before > extra && params.nonfree_baggages === before);
    },
  },
  ...changePaymentRules<UpdateBaggagesParams, PaidChangeFacts>(
    "bags",
    (params, record) => BAG_DOLLARS * Math.max(0, params.nonfree_baggages - record.reservation.nonfree_baggages),
  ),
  { id: "bags: within the policy", effect: "permit", when: () => true },
];

/** Modify flight: change passengers. */
export const updatePassengersRules: readonly TypedRule<UpdatePassengersParams, ReservationFacts>[] = [
  ...changeRules<UpdatePassengersParams>("passengers"),
  nothingLeft<UpdatePassengersParams>("passengers"),
  {
    id: "passengers: their number stays",
    effect: "deny",
    code: "passenger_count",
    when: ({ params }, record) => params.passengers.length !== record.reservation.passengers,
  },
  { id: "passengers: within the policy", effect: "permit", when: () => true },
];
