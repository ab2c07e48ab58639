/**
 * The FactRecords: what the system, never the model, loads to judge a proposal. Counts stand in for names where a rule
 * needs no more than a count.
 */
import type { EvidenceItem, RecordContext } from "signalbox";
import { customerId } from "../rule.ts";
import type { Cabin, Reservation, Segment, User } from "./database.ts";
import type { CertificateParams, FlightParams } from "./params.ts";
import type { World } from "./world.ts";

export type SegmentFact = Segment & {
  /** The flight's status on that day; `unknown` where the timetable does not have it. */
  readonly status: string;
};

export type ReservationFact = {
  readonly reservation_id: string;
  readonly user_id: string;
  readonly origin: string;
  readonly destination: string;
  readonly flight_type: "one_way" | "round_trip";
  readonly cabin: Cabin;
  readonly flights: readonly SegmentFact[];
  readonly passengers: number;
  readonly total_baggages: number;
  readonly nonfree_baggages: number;
  readonly insurance: boolean;
  /** When it was booked, in milliseconds since 1970-01-01T00:00Z. */
  readonly created_at: number;
  readonly cancelled: boolean;
};

export type PaymentFact = {
  readonly id: string;
  readonly source: "credit_card" | "gift_card" | "certificate";
  /** What is left on it, in whole dollars; null for a credit card. */
  readonly balance: number | null;
};

export type CustomerFact = {
  readonly user_id: string;
  readonly membership: "regular" | "silver" | "gold";
  readonly payments: readonly PaymentFact[];
};

/** A flight as it can be bought: null fields where the timetable does not have it or sells nothing that day. */
export type OfferFact = FlightParams & {
  readonly origin: string | null;
  readonly destination: string | null;
  readonly status: string;
  readonly seats: Readonly<Record<string, number>> | null;
  readonly prices: Readonly<Record<string, number>> | null;
};

type Cited = { readonly evidence: readonly EvidenceItem[] };
export type BookFacts = Cited & { readonly customer: CustomerFact; readonly offers: readonly OfferFact[] };
export type ReservationFacts = Cited & { readonly reservation: ReservationFact };
export type PaidChangeFacts = ReservationFacts & { readonly customer: CustomerFact };
export type FlightChangeFacts = PaidChangeFacts & { readonly offers: readonly OfferFact[] };
export type CertificateFacts = Cited & {
  readonly customer: CustomerFact;
  readonly trips: readonly TripFact[];
  /** Amounts of the certificates that were sent as a gesture already. */
  readonly sent: readonly number[];
};
/** A reservation with what the change log says of it. */
export type TripFact = ReservationFact & {
  readonly changed: boolean;
  /** Flights that it had before it was changed. */
  readonly former: readonly SegmentFact[];
};

// The database writes local time without a zone, and the policy names the zone: EST, which is five hours behind UTC.
const OFFSET = "-05:00";

export function instantOf(localTime: string): number {
  return Date.parse(`${localTime}${OFFSET}`);
}

export function bookFacts(
  world: World,
  params: { readonly user_id: string; readonly flights: readonly FlightParams[] },
  about: Pick<RecordContext, "evidence">,
): BookFacts | null {
  const user = world.user(params.user_id);
  if (user === undefined) return null;
  const offers = params.flights.map((flight) => offerFact(world, flight));
  return { evidence: evidenceFacts(world, about), customer: customerFact(user), offers };
}

export function reservationFacts(
  world: World,
  params: { readonly reservation_id: string },
  about: Pick<RecordContext, "evidence">,
): ReservationFacts | null {
  const reservation = world.reservation(params.reservation_id);
  if (reservation === undefined) return null;
  return { evidence: evidenceFacts(world, about), reservation: reservationFact(world, reservation) };
}

export function paidChangeFacts(
  world: World,
  params: { readonly reservation_id: string },
  about: Pick<RecordContext, "evidence">,
): PaidChangeFacts | null {
  const facts = reservationFacts(world, params, about);
  const user = facts === null ? undefined : world.user(facts.reservation.user_id);
  return facts === null || user === undefined ? null : { ...facts, customer: customerFact(user) };
}

export function flightChangeFacts(
  world: World,
  params: { readonly reservation_id: string; readonly flights: readonly FlightParams[] },
  about: Pick<RecordContext, "evidence">,
): FlightChangeFacts | null {
  const facts = paidChangeFacts(world, params, about);
  return facts === null ? null : { ...facts, offers: params.flights.map((flight) => offerFact(world, flight)) };
}

export function certificateFacts(
  world: World,
  params: CertificateParams,
  about: Pick<RecordContext, "evidence">,
): CertificateFacts | null {
  const user = world.user(params.user_id);
  if (user === undefined) return null;
  const trips = user.reservations.flatMap((id) => {
    const reservation = world.reservation(id);
    return reservation === undefined ? [] : [tripFact(world, reservation)];
  });
  return {
    evidence: evidenceFacts(world, about),
    customer: customerFact(user),
    trips,
    sent: world.certificatesSentTo(params.user_id),
  };
}

/** The cited ids that exist, each with the customer to whom it belongs. The rail finds the others and the foreign ones. */
export function evidenceFacts(world: World, about: Pick<RecordContext, "evidence">): EvidenceItem[] {
  return about.evidence.flatMap((id) => {
    const owner = world.ownerOf(id);
    return owner === undefined ? [] : [{ id, owner: customerId(owner) }];
  });
}

function tripFact(world: World, reservation: Reservation): TripFact {
  const changes = world.changes().filter((change) => change.reservation_id === reservation.reservation_id);
  const former = changes.flatMap((change) => change.before.map((segment) => segmentFact(world, segment)));
  return { ...reservationFact(world, reservation), changed: changes.length > 0, former };
}

function reservationFact(world: World, reservation: Reservation): ReservationFact {
  return {
    reservation_id: reservation.reservation_id,
    user_id: reservation.user_id,
    origin: reservation.origin,
    destination: reservation.destination,
    flight_type: reservation.flight_type,
    cabin: reservation.cabin,
    flights: reservation.flights.map((segment) => segmentFact(world, segment)),
    passengers: reservation.passengers.length,
    total_baggages: reservation.total_baggages,
    nonfree_baggages: reservation.nonfree_baggages,
    insurance: reservation.insurance === "yes",
    created_at: instantOf(reservation.created_at),
    cancelled: reservation.status === "cancelled",
  };
}

function segmentFact(world: World, segment: Segment): SegmentFact {
  const { flight_number, date, origin, destination, price } = segment;
  const status = world.onDate(flight_number, date)?.status ?? "unknown";
  return { flight_number, date, origin, destination, price, status };
}

function customerFact(user: User): CustomerFact {
  const payments = Object.values(user.payment_methods).map((method) => ({
    id: method.id,
    source: method.source,
    balance: method.source === "credit_card" ? null : (method.amount ?? 0),
  }));
  return { user_id: user.user_id, membership: user.membership, payments };
}

function offerFact(world: World, flight: FlightParams): OfferFact {
  const known = world.flight(flight.flight_number);
  const onDate = world.onDate(flight.flight_number, flight.date);
  return {
    flight_number: flight.flight_number,
    date: flight.date,
    origin: known?.origin ?? null,
    destination: known?.destination ?? null,
    status: onDate?.status ?? "unknown",
    seats: onDate?.available_seats ?? null,
    prices: onDate?.prices ?? null,
  };
}
