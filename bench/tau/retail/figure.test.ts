/** The shop's figure on an invented shop: what it finds, and what it finds wrong. Collected by test/tau.test.ts. */
import { describe, expect, test } from "vitest";
import { DELIVERED, database, FOREIGN, LAMP, MUG, PENDING } from "../../../examples/tau/retail/invented.ts";
import { controlDesk } from "../desk.ts";
import type { Task } from "../tasks.ts";
import { retailDesk } from "./desk.ts";
import { retailFigure } from "./figure.ts";
import { probesFor } from "./probes.ts";

type Call = Task["calls"][number];
const call = (tool: string, args: Call["args"], more: Partial<Call> = {}): Call => ({ tool, args, ...more });
const task = (id: string, calls: Call[], actorUserId = "nora_field_1"): Task => ({
  id,
  actorUserId,
  scenario: { reason_for_call: "please", task_instructions: "", known_info: null, unknown_info: null },
  calls,
  writeCalls: calls.flatMap((entry, i) => (retailDesk.writes.includes(entry.tool) ? [i] : [])),
});

const swap = { order_id: DELIVERED, item_ids: [MUG.red], new_item_ids: [MUG.blue] };
const tasks = [
  task("1", [
    call("find_user_id_by_email", { email: "nora@example.net" }, { error: "user not found" }),
    call("get_order_details", { order_id: PENDING }),
    call("cancel_pending_order", { order_id: PENDING, reason: "no longer needed" }),
  ]),
  task("2", [
    call("exchange_delivered_order_items", { ...swap, payment_method_id: "gift_card_2" }, { error: "balance" }),
  ]),
  task("3", [], "max_other_2"),
];
const data = { database: database(), tasks, source: "invented" };

describe("the retail figure", () => {
  test("counts correct and wrong writes, and what is proposed where nothing should be written", async () => {
    const figure = await retailFigure(data);
    expect(figure.failures).toEqual([]);
    const { correct, wrong, foreign, lookUps, replays } = figure.gold;
    expect(correct.map(({ authorised, outcome }) => [authorised, outcome])).toEqual([[true, "done"]]);
    expect(wrong.map(({ write }) => [write.authorised, write.code])).toEqual([[false, "gift_card_balance"]]);
    expect(foreign.map(({ code }) => code)).toEqual(["evidence_foreign", "evidence_foreign"]);
    expect(lookUps.map(({ tool, authorised }) => [tool, authorised])).toEqual([["get_order_details", true]]);
    expect(replays).toBe(true);
    const permitted = figure.probes.filter((probe) => probe.permitted);
    expect(new Set(permitted.map(({ foreign, refused }) => `${foreign} ${refused}`))).toEqual(new Set(["false null"]));
    expect(permitted.map(({ tool }) => tool)).toContain("cancel_pending_order");
  });

  test("lists writes to the customer's own records and to a stranger's, by every write tool", () => {
    const probes = probesFor(data.database, "3", "max_other_2");
    for (const foreign of [false, true]) {
      const tools = new Set(probes.filter((probe) => probe.foreign === foreign).map(({ tool }) => tool));
      expect([...tools].sort()).toEqual([...retailDesk.writes].sort());
    }
    const swaps = probes.filter(({ params }) => params.order_id === FOREIGN && "new_item_ids" in params);
    expect(new Set(swaps.map(({ params }) => String(params.new_item_ids)))).toEqual(
      new Set([MUG.blue, MUG.gone, LAMP.small, LAMP.large, MUG.red]),
    );
  });

  test("a desk that always permits, and one that always denies, fail it", async () => {
    const allowed = await retailFigure(data, controlDesk(retailDesk, "permit"));
    expect(allowed.failures).toContain(
      "retail: task 2 call 0 exchange_delivered_order_items: authorised although it is wrong",
    );
    expect(allowed.failures).toContain("retail: task 1 call 2 cancel_pending_order: authorised for another customer");
    expect(allowed.failures.filter((failure) => failure.endsWith("permitted: somebody else's"))).not.toEqual([]);
    expect(
      allowed.failures.filter((failure) => failure.endsWith("permitted: non-pending order cannot be cancelled")),
    ).not.toEqual([]);
    const denied = await retailFigure(data, controlDesk(retailDesk, "deny"));
    expect(denied.failures).toEqual(["retail: task 1 call 2 cancel_pending_order: control"]);
  });
});
