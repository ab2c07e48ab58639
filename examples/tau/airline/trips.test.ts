/** Booking and changing, each rule at its border. */

import type { JsonObject } from "signalbox";
import { describe, expect, test } from "vitest";
import type { Cabin, User } from "./database.ts";
import { FREE_BAGS } from "./fares.ts";
import { decide, leg, type Made, people, person, SOON, TODAY } from "./invented.ts";

const booking = (overrides: JsonObject = {}): JsonObject => ({
  user_id: "nora_field_1",
  origin: "AAA",
  destination: "BBB",
  flight_type: "one_way",
  cabin: "economy",
  flights: [{ flight_number: "SBX101", date: SOON }],
  passengers: [person(0)],
  payment_methods: [{ payment_id: "credit_card_1", amount: 100 }],
  total_baggages: 0,
  nonfree_baggages: 0,
  insurance: "no",
  ...overrides,
});
const paid = (...payments: [string, number][]): JsonObject => ({
  payment_methods: payments.map(([payment_id, amount]) => ({ payment_id, amount })),
});

describe("booking", () => {
  const book = (overrides: JsonObject = {}, made: Made = {}) => decide("book_reservation", booking(overrides), made);

  test("within the policy is permitted", () => expect(book()).toBe("permit"));

  test("five passengers, not six", () => {
    const many = (n: number) => ({ cabin: "basic_economy", passengers: people(n), ...paid(["credit_card_1", 50 * n]) });
    expect(book(many(5))).toBe("permit");
    expect(book(many(6))).toBe("too_many_passengers");
  });

  test("as many passengers as seats, not one more", () => {
    const seats = (n: number) => ({ passengers: people(n), ...paid(["credit_card_1", 100 * n]) });
    expect(book(seats(3))).toBe("permit");
    expect(book(seats(4))).toBe("no_seats");
  });

  test("only what is available can be booked", () => {
    for (const status of ["on time", "delayed", "flying", "landed", "cancelled"]) {
      const today = { flights: [{ flight_number: "SBX101", date: TODAY }] };
      expect(book(today, { statusToday: status }), status).toBe("flight_not_available");
    }
    expect(book({ flights: [{ flight_number: "SBX999", date: SOON }] })).toBe("flight_not_available");
    expect(book({ flights: [{ flight_number: "SBX101", date: "2030-04-01" }] })).toBe("flight_not_available");
  });

  test("the flights make the trip that is named", () => {
    const out = { flight_number: "SBX101", date: SOON };
    const back = { flight_number: "SBX102", date: "2030-03-21" };
    const round = (...legs: JsonObject[]) => ({
      flight_type: "round_trip",
      flights: legs,
      ...paid(["credit_card_1", 100 * legs.length]),
    });
    expect(book(round(out, back))).toBe("permit");
    expect(book(round(out))).toBe("route_mismatch");
    expect(book({ flights: [back] })).toBe("route_mismatch");
    const over = [
      { flight_number: "SBX103", date: SOON },
      { flight_number: "SBX104", date: SOON },
    ];
    expect(book({ flights: over, ...paid(["credit_card_1", 200]) })).toBe("permit");
    expect(book({ flights: over.toReversed(), ...paid(["credit_card_1", 200]) })).toBe("route_mismatch");
    // Begins and ends where it should, but the legs do not meet.
    const apart = [over[0] ?? out, out];
    expect(book({ flights: apart, ...paid(["credit_card_1", 200]) })).toBe("route_mismatch");
  });

  test("one certificate, one credit card, three gift cards", () => {
    const four = { passengers: people(3), insurance: "yes", cabin: "economy" };
    expect(book({ ...four, ...paid(["certificate_1", 200], ["credit_card_1", 190]) })).toBe("permit");
    expect(book({ ...four, ...paid(["certificate_1", 200], ["certificate_2", 190]) })).toBe("payment_mix");
    expect(book({ ...four, ...paid(["credit_card_1", 200], ["credit_card_2", 190]) })).toBe("payment_mix");
    const gifts: [string, number][] = [
      ["gift_card_1", 190],
      ["gift_card_2", 100],
      ["gift_card_3", 100],
    ];
    expect(book({ ...four, ...paid(...gifts) })).toBe("permit");
    expect(book({ ...four, ...paid(["gift_card_1", 90], ...gifts.slice(1), ["gift_card_4", 100]) })).toBe(
      "payment_mix",
    );
  });

  test("balances are summed by method, and the total has to be met", () => {
    expect(book(paid(["gift_card_2", 100]))).toBe("permit");
    expect(book({ insurance: "yes", ...paid(["gift_card_2", 130]) })).toBe("payment_balance");
    expect(book({ insurance: "yes", ...paid(["gift_card_2", 65], ["gift_card_2", 65]) })).toBe("payment_balance");
    expect(book(paid(["credit_card_1", 99]))).toBe("payment_total");
    expect(book(paid(["credit_card_1", 101]))).toBe("payment_total");
  });

  test("the bag allowance by membership and cabin, at its border and one beyond", () => {
    expect(FREE_BAGS).toEqual({
      regular: { basic_economy: 0, economy: 1, business: 2 },
      silver: { basic_economy: 1, economy: 2, business: 3 },
      gold: { basic_economy: 2, economy: 3, business: 4 },
    });
    const price = { basic_economy: 50, economy: 100, business: 400 };
    for (const [membership, row] of Object.entries(FREE_BAGS)) {
      for (const [cabin, free] of Object.entries(row)) {
        const made = { user: { membership: membership as User["membership"] } };
        const cost = price[cabin as Cabin];
        const bags = (total: number, extra: number) =>
          book(
            { cabin, total_baggages: total, nonfree_baggages: extra, ...paid(["credit_card_1", cost + 50 * extra]) },
            made,
          );
        expect(bags(free, 0), `${membership} ${cabin}`).toBe("permit");
        expect(bags(free + 1, 1), `${membership} ${cabin}`).toBe("permit");
        expect(bags(free + 1, 0), `${membership} ${cabin}`).toBe("bag_count");
        expect(bags(free, 1), `${membership} ${cabin}`).toBe("bag_count");
      }
    }
  });

  test("another customer's profile and payments are refused, whatever is cited", () => {
    expect(book({ user_id: "max_other_2" })).toBe("evidence_foreign");
    expect(decide("book_reservation", booking({ user_id: "max_other_2" }), { evidence: ["nora_field_1"] })).toBe(
      "not_the_customers",
    );
    expect(book(paid(["gift_card_9", 100]))).toBe("evidence_foreign");
    expect(decide("book_reservation", booking(paid(["gift_card_9", 100])), { evidence: ["nora_field_1"] })).toBe(
      "payment_not_in_profile",
    );
    expect(book(paid(["gift_card_77", 100]))).toBe("evidence_unknown");
    expect(decide("book_reservation", booking(), { evidence: [] })).toBe("evidence_missing");
  });
});

describe("changing flights", () => {
  const change = (overrides: JsonObject = {}, made: Made = {}) =>
    decide(
      "update_reservation_flights",
      {
        reservation_id: "RES001",
        cabin: "economy",
        flights: [{ flight_number: "SBX105", date: "2030-03-21" }],
        payment_id: "credit_card_1",
        ...overrides,
      },
      made,
    );
  const same = { flights: [{ flight_number: "SBX101", date: SOON }] };

  test("another flight of the same trip is permitted", () => expect(change()).toBe("permit"));

  test("basic economy keeps its flights, and may change its cabin", () => {
    const basic = { reservation: { cabin: "basic_economy" as const } };
    expect(change({ cabin: "basic_economy" }, basic)).toBe("basic_economy_flight_change");
    expect(change({ cabin: "economy" }, basic)).toBe("basic_economy_flight_change");
    expect(change({ ...same, cabin: "economy" }, basic)).toBe("permit");
  });

  test("origin, destination and trip type stay", () => {
    const flight = (flight_number: string) => ({ flight_number, date: SOON });
    expect(change({ flights: [flight("SBX104")] })).toBe("origin_changed");
    expect(change({ flights: [flight("SBX103")] })).toBe("destination_changed");
    expect(change({ flights: [flight("SBX103"), flight("SBX104")] })).toBe("permit");
    const round = {
      reservation: {
        flight_type: "round_trip" as const,
        flights: [leg("SBX101", SOON), leg("SBX102", "2030-03-21", "BBB", "AAA")],
      },
    };
    expect(change({ flights: [flight("SBX105")] }, round)).toBe("trip_type_changed");
    expect(change({ flights: [flight("SBX105"), flight("SBX102")] }, round)).toBe("permit");
  });

  test("after a flight was flown no cabin changes, flown flights stay, and the rest is for a person", () => {
    const begun = {
      reservation: {
        flight_type: "round_trip" as const,
        flights: [leg("SBX101", "2030-03-01"), leg("SBX102", SOON, "BBB", "AAA")],
      },
    };
    const flown = { flight_number: "SBX101", date: "2030-03-01" };
    const back = { flight_number: "SBX102", date: SOON };
    expect(change({ cabin: "business", flights: [flown, back] }, begun)).toBe("segment_flown");
    expect(change({ flights: [{ flight_number: "SBX101", date: SOON }, back] }, begun)).toBe("segment_flown");
    expect(change({ flights: [flown, { ...back, date: "2030-03-21" }] }, begun)).toBe("supervisor");
    expect(change(same, { reservation: { flights: [leg("SBX101", "2030-03-01")] } })).toBe("segment_flown");
  });

  test("seats and days count for new flights, and the price of kept ones stays", () => {
    expect(change({}, { reservation: { passengers: people(3) } })).toBe("permit");
    expect(change({}, { reservation: { passengers: people(4) } })).toBe("no_seats");
    expect(change(same, { reservation: { passengers: people(4) } })).toBe("permit");
    expect(change({ flights: [{ flight_number: "SBX105", date: TODAY }] })).toBe("flight_not_available");
    // Bought for 100 and sold for 100 now, so business costs 300 more for each of two.
    const upgrade = (payment_id: string) => change({ ...same, cabin: "business", payment_id });
    expect(upgrade("gift_card_1")).toBe("permit");
    expect(upgrade("gift_card_2")).toBe("payment_balance");
    // Kept with its price of 10: a second look at today's price would charge 180 and overdraw the card.
    const cheap = { reservation: { flights: [leg("SBX101", SOON, "AAA", "BBB", 10)] } };
    expect(change({ ...same, payment_id: "gift_card_2" }, cheap)).toBe("permit");
  });

  test("paid by a card of the profile, never by a certificate", () => {
    expect(change({ payment_id: "certificate_1" })).toBe("certificate_for_change");
    expect(change({ payment_id: "gift_card_9" })).toBe("evidence_foreign");
    expect(change({ payment_id: "gift_card_77" })).toBe("evidence_unknown");
  });

  test("only the customer's own reservation, and none that is cancelled", () => {
    expect(change({ reservation_id: "RES002" })).toBe("evidence_foreign");
    expect(change({}, { reservation: { status: "cancelled" } })).toBe("reservation_cancelled");
  });
});

describe("changing bags and passengers", () => {
  const bags = (total_baggages: number, nonfree_baggages: number, made: Made = {}, payment_id = "credit_card_1") =>
    decide(
      "update_reservation_baggages",
      { reservation_id: "RES001", total_baggages, nonfree_baggages, payment_id },
      made,
    );

  test("bags are added, never removed, and paid beyond the allowance", () => {
    // Two regular passengers in economy: two bags are free.
    expect(bags(2, 0)).toBe("permit");
    expect(bags(3, 1)).toBe("permit");
    expect(bags(3, 0)).toBe("bag_count");
    expect(bags(2, 1)).toBe("bag_count");
    const two = { reservation: { total_baggages: 2 } };
    expect(bags(2, 0, two)).toBe("permit");
    expect(bags(1, 0, two)).toBe("bags_removed");
    const bought = { reservation: { total_baggages: 3, nonfree_baggages: 2 } };
    expect(bags(3, 2, bought)).toBe("permit");
    expect(bags(3, 3, bought)).toBe("bag_count");
  });

  test("the charge has to be on the card", () => {
    expect(bags(4, 2, {}, "gift_card_2")).toBe("permit");
    expect(bags(5, 3, {}, "gift_card_2")).toBe("payment_balance");
    expect(bags(2, 0, {}, "certificate_1")).toBe("certificate_for_change");
  });

  test("passengers change, their number does not", () => {
    const passengers = (n: number) =>
      decide("update_reservation_passengers", { reservation_id: "RES001", passengers: people(n) });
    expect(passengers(2)).toBe("permit");
    expect(passengers(1)).toBe("passenger_count");
    expect(passengers(3)).toBe("passenger_count");
  });
});
