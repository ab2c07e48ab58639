/** The written policy's sections Cancel flight and Refunds and Compensation, rule by rule. See policy-shared.ts. */
import type { DecisionContext } from "signalbox";
import type { TypedRule } from "../rule.ts";
import type { CertificateFacts, ReservationFacts, TripFact } from "./facts.ts";
import { CANCELLED_DOLLARS, DELAYED_DOLLARS } from "./fares.ts";
import type { CancelParams, CertificateParams } from "./params.ts";
import { anyFlown, changeRules, foreign, SUPERVISOR } from "./policy-shared.ts";
import { askedForCompensation, coveredReason } from "./words.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

function withinADay({ reservation }: ReservationFacts, context: DecisionContext): boolean {
  const age = context.now - reservation.created_at;
  return age >= 0 && age <= DAY_MS;
}

function airlineCancelled({ reservation }: ReservationFacts): boolean {
  return reservation.flights.some((segment) => segment.status === "cancelled");
}

/** A ground that the database alone can see. */
function plainGround(record: ReservationFacts, context: DecisionContext): boolean {
  return withinADay(record, context) || airlineCancelled(record) || record.reservation.cabin === "business";
}

/** Cancel flight. */
export const cancelRules: readonly TypedRule<CancelParams, ReservationFacts>[] = [
  ...changeRules<CancelParams>("cancel"),
  {
    id: "cancel: nothing flown",
    effect: "deny",
    code: "segment_flown",
    when: (_proposal, record, context) => anyFlown(record, context),
  },
  {
    id: "cancel: some ground",
    effect: "deny",
    code: "not_cancellable",
    when: (_proposal, record, context) => !plainGround(record, context) && !record.reservation.insurance,
  },
  {
    // The agent has to obtain the reason first. Without a covered one in the customer's words there is no ground, and
    // the denial says what to ask for; the customer's next message can give it.
    id: "cancel: insurance covers the reason",
    effect: "deny",
    code: "reason_not_covered",
    when: (_proposal, record, context) =>
      !plainGround(record, context) && record.reservation.insurance && coveredReason(context.requests) === "none",
  },
  {
    id: "cancel: a reason in doubt",
    effect: "stage",
    role: SUPERVISOR,
    when: (_proposal, record, context) =>
      !plainGround(record, context) && record.reservation.insurance && coveredReason(context.requests) === "doubtful",
  },
  {
    id: "cancel: booked within 24 hours",
    effect: "permit",
    when: (_proposal, record, context) => withinADay(record, context),
  },
  { id: "cancel: cancelled by the airline", effect: "permit", when: (_proposal, record) => airlineCancelled(record) },
  { id: "cancel: business", effect: "permit", when: (_proposal, record) => record.reservation.cabin === "business" },
  {
    id: "cancel: insured, health or weather",
    effect: "permit",
    when: (_proposal, record, context) => record.reservation.insurance && coveredReason(context.requests) === "clear",
  },
];

/** One reservation for which the text knows a gesture: how much, for what, and whether its condition is met. */
type Gesture = { readonly amount: number; readonly about: "cancelled" | "delayed"; readonly due: boolean };

export function gesturesFor(trip: TripFact, membership: string): Gesture[] {
  if (membership === "regular" && !trip.insurance && trip.cabin !== "business") return [];
  const flights = [...trip.flights, ...trip.former];
  const gestures: Gesture[] = [];
  if (flights.some((segment) => segment.status === "cancelled")) {
    gestures.push({ amount: CANCELLED_DOLLARS * trip.passengers, about: "cancelled", due: true });
  }
  if (flights.some((segment) => segment.status === "delayed")) {
    gestures.push({ amount: DELAYED_DOLLARS * trip.passengers, about: "delayed", due: trip.changed || trip.cancelled });
  }
  return gestures;
}

/** The gestures of the proposed amount, over all reservations of the customer. */
function matching(params: CertificateParams, record: CertificateFacts): Gesture[] {
  return record.trips
    .flatMap((trip) => gesturesFor(trip, record.customer.membership))
    .filter((gesture) => gesture.amount === params.amount);
}

function sentBefore(params: CertificateParams, record: CertificateFacts): number {
  return record.sent.filter((amount) => amount === params.amount).length;
}

/** Refunds and compensation. */
export const certificateRules: readonly TypedRule<CertificateParams, CertificateFacts>[] = [
  {
    id: "certificate: own profile",
    effect: "deny",
    code: "not_the_customers",
    when: (_proposal, record, context) => foreign(record.customer.user_id, context),
  },
  {
    id: "certificate: a reservation gives this amount",
    effect: "deny",
    code: "not_eligible",
    when: ({ params }, record) => matching(params, record).length === 0,
  },
  {
    id: "certificate: delayed only after a change or cancellation",
    effect: "deny",
    code: "no_change_or_cancellation",
    when({ params }, record) {
      const found = matching(params, record);
      return found.length > 0 && !found.some((gesture) => gesture.due);
    },
  },
  {
    id: "certificate: one for each reservation",
    effect: "deny",
    code: "already_compensated",
    when({ params }, record) {
      const due = matching(params, record).filter((gesture) => gesture.due).length;
      return due > 0 && sentBefore(params, record) >= due;
    },
  },
  {
    // The text forbids to offer one unasked. Whether it was asked for is for the customer's words to say, and a denial
    // here is not final: once they ask, the same proposal is permitted.
    id: "certificate: asked for",
    effect: "deny",
    code: "compensation_not_asked",
    when({ params }, record, context) {
      const due = matching(params, record).filter((gesture) => gesture.due);
      return due.length > 0 && !due.some((gesture) => askedForCompensation(context.requests, gesture.about));
    },
  },
  { id: "certificate: within the policy", effect: "permit", when: () => true },
];
