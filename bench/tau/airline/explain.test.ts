/** The kinds of explanation. Collected by test/tau.test.ts. */
import { describe, expect, test } from "vitest";
import { paidChangeFacts } from "../../../examples/tau/airline/facts.ts";
import { database, NOW, SOON } from "../../../examples/tau/airline/invented.ts";
import { World } from "../../../examples/tau/airline/world.ts";
import type { Dialogue } from "./data.ts";
import type { JudgedWrite } from "./drive.ts";
import { explain } from "./explain.ts";

describe("explanations are of a kind", () => {
  const write = (overrides: Partial<JudgedWrite>): JudgedWrite => ({
    dialogue: 0,
    event: 1,
    taskId: 0,
    trial: 0,
    tool: "update_reservation_baggages",
    params: { reservation_id: "RES001", total_baggages: 2, nonfree_baggages: 2, payment_id: "credit_card_1" },
    audit: { violates: [], needs: [] },
    recordedAnswer: "ok",
    verdict: "deny",
    code: "bag_count",
    rule: "bags: extra as the allowance says",
    fired: ["bag_count"],
    facts: null,
    requests: [],
    outcome: null,
    effect: "recorded",
    saidYes: false,
    ...overrides,
  });
  const upgrade = {
    type: "call" as const,
    tool: "update_reservation_flights",
    args: { reservation_id: "RES001", cabin: "economy" },
    toolResult: "ok",
  };
  const dialogue = (events: Dialogue["events"]): Dialogue => ({
    taskId: 0,
    trial: 0,
    actorUserId: "nora_field_1",
    instruction: "",
    events,
  });
  const basic = database({ reservation: { cabin: "basic_economy" } });
  const world = new World(basic, NOW);
  world.updateFlights({
    reservation_id: "RES001",
    cabin: "economy",
    flights: [{ flight_number: "SBX101", date: SOON }],
    payment_id: "credit_card_1",
  });
  const facts = JSON.parse(JSON.stringify(paidChangeFacts(world, { reservation_id: "RES001" }, { evidence: [] })));

  test("a forgotten change of cabin explains only what follows from the old cabin", () => {
    const data = { database: basic, dialogues: [dialogue([upgrade])] };
    expect(explain(write({ facts }), data)?.kind).toContain("forgets a change of cabin");
    // In basic economy one extra bag would be wrong as well, so the old cabin explains nothing.
    const three = { reservation_id: "RES001", total_baggages: 3, nonfree_baggages: 2, payment_id: "credit_card_1" };
    expect(explain(write({ facts, params: three }), data)).toBeNull();
    expect(explain(write({ facts }), { database: basic, dialogues: [dialogue([])] })).toBeNull();
    const permitted = { verdict: "permit" as const, code: null, fired: [] };
    const bags = (n: number) => ({ ...three, total_baggages: n, nonfree_baggages: 0 });
    const violates = (finding: string) => ({ violates: [finding], needs: [] });
    const stale = write({ facts, ...permitted, params: bags(2), audit: violates("nonfree_baggages 0 != 2") });
    expect(explain(stale, data)?.kind).toContain("forgets a change of cabin");
    const other = write({ facts, ...permitted, params: bags(2), audit: violates("payment_not_in_profile") });
    expect(explain(other, data)).toBeNull();
  });

  test("seats and balances are explained where the benchmark refused them for the same reason", () => {
    const data = { database: basic, dialogues: [dialogue([])] };
    const over = { code: "payment_balance", recordedAnswer: "error: Error: gift card balance is not enough" };
    expect(explain(write(over), data)?.kind).toContain("seats and balances");
    expect(explain(write({ ...over, recordedAnswer: "ok" }), data)).toBeNull();
    expect(explain(write({ ...over, code: "segment_flown" }), data)).toBeNull();
  });

  test("the allowance of the first release explains one bag in gold business, and nothing else", () => {
    const data = { database: basic, dialogues: [] };
    const trip = { reservation_id: "RES001", cabin: "business", passengers: 1 };
    const gold = { reservation: trip, customer: { membership: "gold" } };
    const four = { reservation_id: "RES001", total_baggages: 4, nonfree_baggages: 0, payment_id: "credit_card_1" };
    const finding = { violates: ["nonfree_baggages 0 != 1"], needs: [] };
    const permitted = { verdict: "permit" as const, code: null, params: four, audit: finding };
    expect(explain(write({ ...permitted, facts: gold }), data)?.kind).toContain("first release");
    const silver = { ...gold, customer: { membership: "silver" } };
    expect(explain(write({ ...permitted, facts: silver }), data)).toBeNull();
    const more = { violates: [...finding.violates, "payment_mix"], needs: [] };
    expect(explain(write({ ...permitted, audit: more, facts: gold }), data)).toBeNull();
    const one = { ...four, nonfree_baggages: 1 };
    expect(explain(write({ params: one, facts: gold }), data)?.kind).toContain("first release");
    expect(explain(write({ params: { ...four, nonfree_baggages: 2 }, facts: gold }), data)).toBeNull();
  });
});
