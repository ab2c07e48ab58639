/** What holds for every write to a reservation, whichever it is. */
import type { JsonObject } from "signalbox";
import { describe, expect, test } from "vitest";
import { database, decide, leg, type Made, NOW, people, SOON } from "./invented.ts";
import { World } from "./world.ts";

const card = { payment_id: "credit_card_1" };
const same = { cabin: "economy", flights: [{ flight_number: "SBX101", date: SOON }] };
/** Each write to a reservation, as it is permitted for the invented one. */
const WRITES: readonly [string, JsonObject][] = [
  ["update_reservation_flights", { ...same, ...card }],
  ["update_reservation_baggages", { total_baggages: 1, nonfree_baggages: 0, ...card }],
  ["update_reservation_passengers", { passengers: people(2) }],
];

describe("every write to a reservation", () => {
  const own = { evidence: ["RES001"] };

  test.each(WRITES)("%s is permitted for the customer's own", (tool, params) => {
    expect(decide(tool, { reservation_id: "RES001", ...params }, own)).toBe("permit");
  });

  test.each([...WRITES, ["cancel_reservation", {}]] as const)("%s leaves a stranger's alone", (tool, params) => {
    expect(decide(tool, { reservation_id: "RES002", ...params }, own)).toBe("not_the_customers");
  });

  test("a stranger gets no certificate", () => {
    const requests = ["My flight was cancelled. I want compensation."];
    const gift = { user_id: "max_other_2", amount: 200 };
    expect(decide("send_certificate", gift, { ...own, requests })).toBe("not_the_customers");
  });

  test.each(WRITES)("%s does not revive what was cancelled", (tool, params) => {
    const world = new World(database(), NOW);
    world.cancel({ reservation_id: "RES001" });
    expect(decide(tool, { reservation_id: "RES001", ...params }, { ...own, world })).toBe("reservation_cancelled");
  });

  test.each(WRITES)("%s does not change what was flown to its end", (tool, params) => {
    const past = "2030-03-01";
    const made: Made = { reservation: { flights: [leg("SBX101", past)] } };
    const flights = "flights" in params ? { flights: [{ flight_number: "SBX101", date: past }] } : {};
    const asked = { reservation_id: "RES001", ...params, ...flights };
    expect(decide(tool, asked, { ...own, ...made })).toBe("segment_flown");
  });

  test.each(WRITES.filter(([, params]) => "payment_id" in params))("%s is paid from the profile", (tool, params) => {
    for (const payment_id of ["credit_card_7", "gift_card_9"]) {
      const asked = { reservation_id: "RES001", ...params, payment_id };
      expect(decide(tool, asked, own), payment_id).toBe("payment_not_in_profile");
    }
  });
});
