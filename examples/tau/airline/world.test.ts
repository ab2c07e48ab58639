/** The airline's system. */
import { describe, expect, test } from "vitest";
import { calculate } from "../calculate.ts";
import { database, decide, NOW, people, SOON } from "./invented.ts";
import { World } from "./world.ts";

describe("the airline's system", () => {
  test("a world copies what it writes and leaves the database as it was", () => {
    const db = database();
    const before = JSON.stringify(db);
    const world = new World(db, NOW);
    const booked = world.book({
      user_id: "nora_field_1",
      origin: "AAA",
      destination: "BBB",
      flight_type: "one_way",
      cabin: "economy",
      flights: [{ flight_number: "SBX101", date: SOON }],
      passengers: people(1),
      payment_methods: [{ payment_id: "certificate_1", amount: 100 }],
      total_baggages: 0,
      nonfree_baggages: 0,
      insurance: "no",
    });
    world.cancel({ reservation_id: "RES001" });
    expect(JSON.stringify(db)).toBe(before);
    expect(world.onDate("SBX101", SOON)?.available_seats?.economy).toBe(2);
    expect(world.ownerOf("certificate_1")).toBeUndefined();
    expect(world.ownerOf("certificate_2")).toBe("nora_field_1");
    expect(world.ownerOf(booked.reservation_id)).toBe("nora_field_1");
  });

  test("what it cannot do it refuses before anything is changed", () => {
    const world = new World(database(), NOW);
    const change = { reservation_id: "RES001", cabin: "business" as const, payment_id: "gift_card_2" };
    const flights = [{ flight_number: "SBX101", date: SOON }];
    expect(() => world.updateFlights({ ...change, flights })).toThrow("gift card balance is not enough");
    expect(world.reservation("RES001")?.cabin).toBe("economy");
    expect(world.user("nora_field_1")?.payment_methods.gift_card_2?.amount).toBe(100);
  });

  test("reads show the customer's own records only", () => {
    expect(decide("get_reservation_details", { reservation_id: "RES001" })).toBe("permit");
    expect(decide("get_reservation_details", { reservation_id: "RES002" })).toBe("not_the_customers");
    expect(decide("get_user_details", { user_id: "max_other_2" })).toBe("not_the_customers");
  });

  test("it computes", () => {
    expect(calculate("(350 - 122) * 2 + 10 / 4")).toBe(458.5);
    expect(() => calculate("2 +")).toThrow("not an expression");
    expect(() => calculate("(2")).toThrow("not closed");
  });
});
