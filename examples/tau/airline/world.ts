import { EffectFailed } from "signalbox";
import { own, paymentOwners } from "../tables.ts";
import type { Database, Flight, FlightDate, Reservation, Segment, User } from "./database.ts";
import type {
  BookParams,
  CertificateParams,
  FlightParams,
  UpdateBaggagesParams,
  UpdateFlightsParams,
  UpdatePassengersParams,
} from "./params.ts";

/** One entry of the change log: which reservation was changed or cancelled, and its flights before that. */
export type Change = {
  readonly reservation_id: string;
  readonly kind: "flights_changed" | "cancelled";
  readonly before: readonly Segment[];
};

const INSURANCE_DOLLARS = 30;
const BAG_DOLLARS = 50;
// The upstream system hands out these ids, at most three of each in a conversation.
const NEW_RESERVATIONS = ["HATHAT", "HATHAU", "HATHAV"];
const NEW_CERTIFICATES = ["certificate_3221322", "certificate_3221323", "certificate_3221324"];

/**
 * The airline's system over a shared read-only database: a record is copied when it is first written, so a world costs
 * what it changes. Its writes have the semantics of the upstream tools (sierra-research/tau2-bench,
 * src/tau2/domains/airline/tools.py): they check seats, prices and balances and know nothing of the written policy. What
 * they cannot do they refuse with `EffectFailed` before anything is changed.
 */
export class World {
  readonly #db: Database;
  readonly #now: string;
  readonly #reservations = new Map<string, Reservation>();
  readonly #users = new Map<string, User>();
  readonly #taken = new Map<string, number>();
  readonly #changes: Change[] = [];
  readonly #certificates: CertificateParams[] = [];

  /** `now` is local time without a zone, as the database writes it: `2024-05-15T15:00:00`. */
  constructor(db: Database, now: string) {
    this.#db = db;
    this.#now = now;
  }

  reservation(id: string): Reservation | undefined {
    return this.#reservations.get(id) ?? own(this.#db.reservations, id);
  }

  user(id: string): User | undefined {
    return this.#users.get(id) ?? own(this.#db.users, id);
  }

  flight(number: string): Flight | undefined {
    return own(this.#db.flights, number);
  }

  flights(): Flight[] {
    return Object.values(this.#db.flights);
  }

  /** One flight on one day, with the seats that this world's bookings have left. */
  onDate(number: string, date: string): FlightDate | undefined {
    const found = own(this.flight(number)?.dates ?? {}, date);
    if (found?.available_seats === undefined) return found;
    const left = { ...found.available_seats };
    for (const cabin of ["basic_economy", "economy", "business"] as const) {
      left[cabin] = (left[cabin] ?? 0) - (this.#taken.get(`${number} ${date} ${cabin}`) ?? 0);
    }
    return { ...found, available_seats: left };
  }

  /** Whose record an id names: a reservation, a user, or a payment method that is still in a profile. */
  ownerOf(id: string): string | undefined {
    const reservation = this.reservation(id);
    if (reservation !== undefined) return reservation.user_id;
    if (this.user(id) !== undefined) return id;
    for (const user of this.#users.values()) if (own(user.payment_methods, id) !== undefined) return user.user_id;
    const original = paymentOwners(this.#db).get(id);
    // A certificate that was used is gone from the profile, so the world's own copy is asked again.
    return original !== undefined && own(this.user(original)?.payment_methods ?? {}, id) ? original : undefined;
  }

  changes(): readonly Change[] {
    return this.#changes;
  }

  certificatesSentTo(userId: string): number[] {
    return this.#certificates.filter((sent) => sent.user_id === userId).map((sent) => sent.amount);
  }

  book(params: BookParams): Reservation {
    const user = this.#mustUser(params.user_id);
    const id = NEW_RESERVATIONS.find((candidate) => this.reservation(candidate) === undefined);
    if (id === undefined) throw new EffectFailed("too many reservations");
    const segments = params.flights.map((flight) => this.#newSegment(flight, params.cabin, params.passengers.length));
    const seats = segments.reduce((sum, segment) => sum + segment.price, 0) * params.passengers.length;
    const insurance = params.insurance === "yes" ? INSURANCE_DOLLARS * params.passengers.length : 0;
    const total = seats + insurance + BAG_DOLLARS * params.nonfree_baggages;
    for (const payment of params.payment_methods) {
      const method = own(user.payment_methods, payment.payment_id);
      if (method === undefined) throw new EffectFailed(`payment method ${payment.payment_id} not found`);
      if (method.source !== "credit_card" && (method.amount ?? 0) < payment.amount) {
        throw new EffectFailed(`not enough balance in payment method ${payment.payment_id}`);
      }
    }
    const paid = params.payment_methods.reduce((sum, payment) => sum + payment.amount, 0);
    if (paid !== total)
      throw new EffectFailed(`payment amount does not add up, total price is ${total}, but paid ${paid}`);

    const payer = this.#writableUser(params.user_id);
    for (const payment of params.payment_methods) {
      const method = payer.payment_methods[payment.payment_id];
      if (method?.source === "gift_card") method.amount = (method.amount ?? 0) - payment.amount;
      if (method?.source === "certificate") delete payer.payment_methods[payment.payment_id];
    }
    for (const segment of segments) {
      const key = `${segment.flight_number} ${segment.date} ${params.cabin}`;
      this.#taken.set(key, (this.#taken.get(key) ?? 0) + params.passengers.length);
    }
    const reservation: Reservation = {
      reservation_id: id,
      user_id: params.user_id,
      origin: params.origin,
      destination: params.destination,
      flight_type: params.flight_type,
      cabin: params.cabin,
      flights: segments,
      passengers: structuredClone(params.passengers),
      payment_history: structuredClone(params.payment_methods),
      created_at: this.#now,
      total_baggages: params.total_baggages,
      nonfree_baggages: params.nonfree_baggages,
      insurance: params.insurance,
    };
    this.#reservations.set(id, reservation);
    payer.reservations.push(id);
    return reservation;
  }

  cancel(params: { readonly reservation_id: string }): Reservation {
    const reservation = this.#writableReservation(params.reservation_id);
    this.#changes.push({ reservation_id: reservation.reservation_id, kind: "cancelled", before: reservation.flights });
    reservation.payment_history.push(
      ...reservation.payment_history.map((entry) => ({ payment_id: entry.payment_id, amount: -entry.amount })),
    );
    reservation.status = "cancelled";
    return reservation;
  }

  updateFlights(params: UpdateFlightsParams): Reservation {
    const current = this.#mustReservation(params.reservation_id);
    const people = current.passengers.length;
    const segments = params.flights.map(
      (flight) => keptSegment(current, params.cabin, flight) ?? this.#newSegment(flight, params.cabin, people),
    );
    const difference = (priceOf(segments) - priceOf(current.flights)) * people;
    this.#charge(current, params.payment_id, difference);
    const reservation = this.#writableReservation(params.reservation_id);
    this.#changes.push({
      reservation_id: reservation.reservation_id,
      kind: "flights_changed",
      before: reservation.flights,
    });
    reservation.flights = segments;
    // The first release of the benchmark forgot the cabin; its successor writes it, and so does any airline.
    reservation.cabin = params.cabin;
    return reservation;
  }

  updateBaggages(params: UpdateBaggagesParams): Reservation {
    const current = this.#mustReservation(params.reservation_id);
    this.#charge(
      current,
      params.payment_id,
      BAG_DOLLARS * Math.max(0, params.nonfree_baggages - current.nonfree_baggages),
    );
    const reservation = this.#writableReservation(params.reservation_id);
    reservation.total_baggages = params.total_baggages;
    reservation.nonfree_baggages = params.nonfree_baggages;
    return reservation;
  }

  updatePassengers(params: UpdatePassengersParams): Reservation {
    const current = this.#mustReservation(params.reservation_id);
    if (params.passengers.length !== current.passengers.length)
      throw new EffectFailed("number of passengers does not match");
    const reservation = this.#writableReservation(params.reservation_id);
    reservation.passengers = structuredClone(params.passengers);
    return reservation;
  }

  sendCertificate(params: CertificateParams): { payment_id: string; amount: number } {
    const user = this.#mustUser(params.user_id);
    const id = NEW_CERTIFICATES.find((candidate) => own(user.payment_methods, candidate) === undefined);
    if (id === undefined) throw new EffectFailed("too many certificates");
    this.#writableUser(params.user_id).payment_methods[id] = { id, source: "certificate", amount: params.amount };
    this.#certificates.push({ user_id: params.user_id, amount: params.amount });
    return { payment_id: id, amount: params.amount };
  }

  #newSegment(flight: FlightParams, cabin: Reservation["cabin"], people: number): Segment {
    const { flight_number, date } = flight;
    const known = this.flight(flight_number);
    if (known === undefined) throw new EffectFailed(`flight ${flight_number} not found`);
    const onDate = this.onDate(flight_number, date);
    if (onDate === undefined) throw new EffectFailed(`flight ${flight_number} not found on date ${date}`);
    if (onDate.status !== "available") throw new EffectFailed(`flight ${flight_number} not available on date ${date}`);
    if ((onDate.available_seats?.[cabin] ?? 0) < people) {
      throw new EffectFailed(`not enough seats on flight ${flight_number}`);
    }
    const { origin, destination } = known;
    return { flight_number, date, origin, destination, price: onDate.prices?.[cabin] ?? 0 };
  }

  /** Charges or refunds a change. A gift card is charged its balance at most; a certificate pays for no change. */
  #charge(reservation: Reservation, paymentId: string, amount: number): void {
    const method = own(this.#mustUser(reservation.user_id).payment_methods, paymentId);
    if (method === undefined) throw new EffectFailed("payment method not found");
    if (method.source === "certificate") throw new EffectFailed("certificate cannot be used to update reservation");
    if (method.source === "gift_card") {
      if ((method.amount ?? 0) < amount) throw new EffectFailed("gift card balance is not enough");
      const card = this.#writableUser(reservation.user_id).payment_methods[paymentId];
      if (card !== undefined) card.amount = (card.amount ?? 0) - amount;
    }
    if (amount !== 0) {
      const paid = { payment_id: paymentId, amount };
      this.#writableReservation(reservation.reservation_id).payment_history.push(paid);
    }
  }

  #mustReservation(id: string): Reservation {
    const found = this.reservation(id);
    if (found === undefined) throw new EffectFailed(`reservation ${id} not found`);
    return found;
  }

  #mustUser(id: string): User {
    const found = this.user(id);
    if (found === undefined) throw new EffectFailed(`user ${id} not found`);
    return found;
  }

  #writableReservation(id: string): Reservation {
    return this.#copyOnce(this.#reservations, id, this.#mustReservation(id));
  }

  #writableUser(id: string): User {
    return this.#copyOnce(this.#users, id, this.#mustUser(id));
  }

  #copyOnce<T>(copies: Map<string, T>, id: string, current: T): T {
    const copy = copies.get(id) ?? structuredClone(current);
    copies.set(id, copy);
    return copy;
  }
}

/** A flight that the reservation already has in this cabin: it is kept, and so is its price. */
export function keptSegment(
  reservation: { readonly cabin: string; readonly flights: readonly Segment[] },
  cabin: string,
  flight: FlightParams,
): Segment | undefined {
  if (reservation.cabin !== cabin) return undefined;
  return reservation.flights.find(
    (segment) => segment.flight_number === flight.flight_number && segment.date === flight.date,
  );
}

function priceOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, segment) => sum + segment.price, 0);
}
