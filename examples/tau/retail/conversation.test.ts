/** The shop in the real loop, with a scripted model: what a customer's conversation comes to. */
import { createSignalbox, type JsonObject } from "signalbox";
import { countedIds, scriptedModel, simulatedClock } from "signalbox/testing";
import { expect, test } from "vitest";
import { CUSTOMER, DELIVERED, database, FOREIGN, MUG, PENDING } from "./invented.ts";
import { Shop } from "./shop.ts";
import { retailPolicy, retailTools, ZONE } from "./tools.ts";

function action(tool: string, params: JsonObject, ...evidence: readonly string[]): JsonObject {
  return { kind: "action", tool, params, evidence };
}

async function converse(...replies: readonly JsonObject[]) {
  const shop = new Shop(database());
  const box = createSignalbox({
    model: scriptedModel({ replies: [...replies, { kind: "conversation", text: "That is all." }] }),
    tools: retailTools,
    policies: retailPolicy,
    services: { shop },
    principals: { "agent:retail": { tools: retailTools.map((tool) => tool.name) } },
    store: "memory",
    clock: simulatedClock(0),
    ids: countedIds(),
    zone: ZONE,
  });
  const outcome = await box.thread({ as: "agent:retail", customer: CUSTOMER }).run("Please help.");
  const events = await box.events(outcome.run);
  const replay = await box.replay(outcome.run);
  await box.close();
  const said = events.flatMap((event) => (event.kind === "decided" ? [event.denial?.code ?? event.outcome] : []));
  return { shop, said, ending: outcome.ending, replays: replay.same };
}

test("a refund goes where the policy lets it go, and once", async () => {
  const back = (payment_method_id: string) => ({ order_id: DELIVERED, item_ids: [MUG.red], payment_method_id });
  const { shop, said, ending, replays } = await converse(
    action("get_order_details", { order_id: DELIVERED }),
    action("return_delivered_order_items", back("paypal_1"), DELIVERED),
    action("return_delivered_order_items", back("credit_card_1"), DELIVERED),
    action("return_delivered_order_items", back("credit_card_1"), DELIVERED),
    action("return_delivered_order_items", back("gift_card_1"), DELIVERED),
  );
  expect(said).toEqual(["permit", "refund_elsewhere", "permit", "order_not_delivered"]);
  expect(shop.order(DELIVERED)).toMatchObject({
    status: "return requested",
    return_payment_method_id: "credit_card_1",
  });
  expect([ending, replays]).toEqual(["answered", true]);
});

test("what was changed before decides what may be changed next, and a stranger's order is never touched", async () => {
  const reason = "ordered by mistake";
  const { shop, said } = await converse(
    action("cancel_pending_order", { order_id: FOREIGN, reason }, PENDING),
    action(
      "modify_pending_order_items",
      { order_id: PENDING, item_ids: [MUG.red], new_item_ids: [MUG.green], payment_method_id: "credit_card_1" },
      PENDING,
    ),
    action("cancel_pending_order", { order_id: PENDING, reason }, PENDING),
  );
  expect(said).toEqual(["not_the_customers", "permit", "items_already_modified"]);
  expect(shop.order(FOREIGN)?.status).toBe("pending");
  expect(shop.order(PENDING)?.status).toBe("pending (item modified)");
});
