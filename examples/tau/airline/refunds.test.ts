/** Cancelling and compensation, each rule at its border, and the word lists. */
import { describe, expect, test } from "vitest";
import { database, decide, leg, type Made, NOW, SOON, TODAY } from "./invented.ts";
import { askedForCompensation, coveredReason, readsAsYes } from "./words.ts";
import { World } from "./world.ts";

describe("cancelling", () => {
  const cancel = (made: Made = {}) => decide("cancel_reservation", { reservation_id: "RES001" }, made);

  test("without a ground it is refused", () => expect(cancel()).toBe("not_cancellable"));

  test("within 24 hours, to the second", () => {
    expect(cancel({ reservation: { created_at: "2030-03-09T12:00:00" } })).toBe("permit");
    expect(cancel({ reservation: { created_at: "2030-03-09T11:59:59" } })).toBe("not_cancellable");
    expect(cancel({ reservation: { created_at: NOW } })).toBe("permit");
    expect(cancel({ reservation: { created_at: "2030-03-10T12:00:01" } })).toBe("not_cancellable");
  });

  test("business, or cancelled by the airline", () => {
    expect(cancel({ reservation: { cabin: "business" } })).toBe("permit");
    expect(cancel({ reservation: { flights: [leg("SBX101", "2030-03-02")] } })).toBe("permit");
  });

  test("insurance needs a covered reason in the customer's words", () => {
    const insured = { reservation: { insurance: "yes" as const } };
    expect(cancel({ ...insured, requests: ["I have a change of plans."] })).toBe("reason_not_covered");
    expect(cancel({ ...insured, requests: [] })).toBe("reason_not_covered");
    expect(cancel({ ...insured, requests: ["Hello.", "I am ill and cannot fly."] })).toBe("permit");
    expect(cancel({ ...insured, requests: ["There was a death in the family."] })).toBe("supervisor");
    expect(cancel({ requests: ["I am ill and cannot fly."] })).toBe("not_cancellable");
  });

  test("flights of today: delayed and on time are not flown, flying and landed are", () => {
    const today = { cabin: "business" as const, flights: [leg("SBX101", TODAY)] };
    const status = (statusToday: string) => cancel({ reservation: today, statusToday });
    expect(status("delayed")).toBe("permit");
    expect(status("on time")).toBe("permit");
    expect(status("cancelled")).toBe("permit");
    expect(status("flying")).toBe("segment_flown");
    expect(status("landed")).toBe("segment_flown");
  });

  test("what was flown in part is not cancelled on any ground, also where the timetable is out of date", () => {
    const part = (date: string) => ({
      reservation: { cabin: "business" as const, flights: [leg("SBX101", date), leg("SBX102", SOON, "BBB", "AAA")] },
    });
    expect(cancel(part("2030-03-01"))).toBe("segment_flown");
    expect(cancel(part("2030-03-03"))).toBe("segment_flown");
    expect(cancel(part("2030-03-02"))).toBe("permit");
  });

  test("nothing is cancelled twice", () => {
    expect(cancel({ reservation: { cabin: "business", status: "cancelled" } })).toBe("reservation_cancelled");
  });
});

describe("certificates", () => {
  const asked = ["My flight was cancelled and delayed. I want compensation."];
  const send = (amount: number, made: Made & { world?: World } = {}) =>
    decide("send_certificate", { user_id: "nora_field_1", amount }, { requests: asked, ...made });
  const cancelled = { flights: [leg("SBX101", "2030-03-02")], insurance: "yes" as const };

  test("cancelled flights: 100 for each passenger, to the dollar", () => {
    expect(send(200, { reservation: cancelled })).toBe("permit");
    expect(send(199, { reservation: cancelled })).toBe("not_eligible");
    expect(send(201, { reservation: cancelled })).toBe("not_eligible");
    expect(send(100, { reservation: cancelled })).toBe("not_eligible");
  });

  test("silver, gold, insurance or business; nobody else", () => {
    const bare = { flights: cancelled.flights };
    expect(send(200, { reservation: bare })).toBe("not_eligible");
    expect(send(200, { reservation: bare, user: { membership: "silver" } })).toBe("permit");
    expect(send(200, { reservation: { ...bare, cabin: "business" } })).toBe("permit");
  });

  test("delayed flights: 50 for each passenger, only after a change or cancellation", () => {
    const made = {
      reservation: { cabin: "business" as const, flights: [leg("SBX101", TODAY)] },
      statusToday: "delayed",
    };
    expect(send(100, made)).toBe("no_change_or_cancellation");
    const world = new World(database(made), NOW);
    world.cancel({ reservation_id: "RES001" });
    expect(send(100, { world })).toBe("permit");
    expect(send(200, { world })).toBe("not_eligible");
    const moved = new World(database(made), NOW);
    moved.updateFlights({
      reservation_id: "RES001",
      cabin: "business",
      flights: [{ flight_number: "SBX101", date: SOON }],
      payment_id: "credit_card_1",
    });
    // The delayed flight is no longer in the reservation; the change log still knows it.
    expect(send(100, { world: moved })).toBe("permit");
  });

  test("asked for by the customer, and once for each reservation", () => {
    expect(send(200, { reservation: cancelled, requests: ["My flight was cancelled!"] })).toBe(
      "compensation_not_asked",
    );
    expect(send(200, { reservation: cancelled, requests: ["I want compensation."] })).toBe("compensation_not_asked");
    const world = new World(database({ reservation: cancelled }), NOW);
    world.sendCertificate({ user_id: "nora_field_1", amount: 200 });
    expect(send(200, { world })).toBe("already_compensated");
    expect(decide("send_certificate", { user_id: "max_other_2", amount: 200 })).toBe("evidence_foreign");
  });
});

describe("words", () => {
  test("a covered reason is one that is stated", () => {
    const clear = ["I'm sick.", "I do not feel well today", "because of the weather", "a hurricane closed the airport"];
    for (const said of [...clear, "I'm ill, can I cancel?", "for medical reasons"]) {
      expect(coveredReason([said]), said).toBe("clear");
    }
    const none = ["My plans changed.", "I'll be late", "I am fine"];
    for (const said of none) expect(coveredReason([said]), said).toBe("none");
    const doubtful = ["I'm not sick.", "What if I were sick?", "I am sick of this", "Does it cover illness?"];
    const turned = [
      "Nobody is ill, my plans changed.",
      "Neither of us is sick.",
      "I would not say I am really ill",
      "Would the insurance pay in bad weather?",
      "I was sick last year, but now I changed my mind.",
      "I'm ill-advised to travel.",
      "My cat is sick",
      "A storm of work came up.",
      "I am insured for health reasons. I got a new job.",
      "If I were sick, I would not ask.",
      "I am sick, right?",
    ];
    for (const said of [...doubtful, ...turned]) expect(coveredReason([said]), said).toBe("doubtful");
    const beside = ["If it cannot be changed, I cancel, as I am ill.", "I would like to cancel, I am sick."];
    for (const said of beside) expect(coveredReason([said]), said).toBe("clear");
    for (const said of [...doubtful, "My doctor said so"]) expect(coveredReason([said]), said).toBe("doubtful");
  });

  test("asking for compensation takes a complaint and a request", () => {
    expect(askedForCompensation(["It was delayed.", "Compensate me!"], "delayed")).toBe(true);
    expect(askedForCompensation(["It was delayed.", "I pay with my certificate."], "delayed")).toBe(false);
    expect(askedForCompensation(["Compensate me!"], "delayed")).toBe(false);
    expect(askedForCompensation(["It was cancelled. Send me a certificate."], "cancelled")).toBe(true);
    expect(askedForCompensation(["It was cancelled. Please don't give me a voucher."], "cancelled")).toBe(false);
    expect(askedForCompensation(["It was cancelled. I do not want compensation."], "cancelled")).toBe(false);
  });

  test("a yes is heard, but only heard", () => {
    expect(readsAsYes("Yes, please.")).toBe(true);
    expect(readsAsYes("Which one is cheaper?")).toBe(false);
  });
});
