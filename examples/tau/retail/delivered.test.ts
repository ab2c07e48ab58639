/** Returning and exchanging what has arrived, each rule at its border; what is shown to whom; and the shop itself. */
import type { JsonObject } from "signalbox";
import { describe, expect, test } from "vitest";
import { CANCELLED, DELIVERED, database, decide, FOREIGN, judged, LAMP, MUG, PENDING } from "./invented.ts";
import { Shop } from "./shop.ts";

describe("returning", () => {
  const back = (params: JsonObject = {}, shop?: Shop) =>
    decide(
      "return_delivered_order_items",
      { order_id: DELIVERED, item_ids: [MUG.red], payment_method_id: "credit_card_1", ...params },
      shop === undefined ? {} : { shop },
    );

  test("to the original payment method or a gift card, and to no other", () => {
    expect(back()).toBe("permit");
    expect(back({ payment_method_id: "gift_card_2" })).toBe("permit");
    expect(back({ payment_method_id: "credit_card_2" })).toBe("refund_elsewhere");
    expect(back({ payment_method_id: "paypal_1" })).toBe("refund_elsewhere");
  });

  test("the original is the one that still pays", () => {
    const entry = (transaction_type: "payment" | "refund", payment_method_id: string, amount = 100.1) => ({
      transaction_type,
      payment_method_id,
      amount,
    });
    const [card, paypal] = [entry("payment", "credit_card_1"), entry("payment", "paypal_1")];
    const moved = new Shop(
      database({ [DELIVERED]: { payment_history: [card, paypal, entry("refund", "credit_card_1")] } }),
    );
    expect(back({ payment_method_id: "paypal_1" }, moved)).toBe("permit");
    expect(back({}, moved)).toBe("refund_elsewhere");
    // Who paid a difference later is not the original.
    const more = new Shop(database({ [DELIVERED]: { payment_history: [card, entry("payment", "paypal_1", 2.5)] } }));
    expect(back({ payment_method_id: "paypal_1" }, more)).toBe("refund_elsewhere");
    const none = new Shop(database({ [DELIVERED]: { payment_history: [card, entry("refund", "credit_card_1")] } }));
    expect(back({}, none)).toBe("refund_elsewhere");
  });

  test("only what is in a delivered order", () => {
    expect(back({ item_ids: [MUG.red, MUG.red] })).toBe("permit");
    expect(back({ item_ids: [MUG.red, MUG.red, MUG.red] })).toBe("item_not_in_order");
    expect(back({ item_ids: [MUG.blue] })).toBe("evidence_unknown");
    expect(back({ order_id: PENDING })).toBe("order_not_delivered");
    expect(back({ order_id: CANCELLED })).toBe("order_not_delivered");
    expect(back({ order_id: FOREIGN })).toBe("evidence_foreign");
  });

  test("once, and not after an exchange", () => {
    const shop = new Shop(database());
    const one = { order_id: DELIVERED, item_ids: [MUG.red], payment_method_id: "credit_card_1" };
    shop.return(one);
    expect(back({ item_ids: [LAMP.small] }, shop)).toBe("order_not_delivered");
    const exchanged = new Shop(database());
    exchanged.exchange({ ...one, new_item_ids: [MUG.blue] });
    expect(back({}, exchanged)).toBe("order_not_delivered");
  });

  test("what goes back is what the items cost", () => {
    const params = { order_id: DELIVERED, item_ids: [MUG.red, LAMP.small], payment_method_id: "credit_card_1" };
    const { reservations } = judged("return_delivered_order_items", params);
    expect(reservations.map(({ amount }) => amount)).toEqual([1, 9_010, 9_010]);
  });
});

describe("exchanging", () => {
  const exchange = (params: JsonObject = {}) =>
    decide("exchange_delivered_order_items", {
      order_id: DELIVERED,
      item_ids: [MUG.red],
      new_item_ids: [MUG.blue],
      payment_method_id: "credit_card_1",
      ...params,
    });

  test("a delivered item for another option of its product that is available and paid for", () => {
    expect(exchange()).toBe("permit");
    expect(exchange({ payment_method_id: "paypal_1" })).toBe("permit");
    expect(exchange({ order_id: PENDING })).toBe("order_not_delivered");
    expect(exchange({ new_item_ids: [MUG.gone] })).toBe("item_not_available");
    expect(exchange({ new_item_ids: [LAMP.large] })).toBe("product_type_changed");
    expect(exchange({ new_item_ids: [MUG.red] })).toBe("same_item");
    expect(exchange({ new_item_ids: ["3000000001"] })).toBe("item_unknown");
    expect(exchange({ new_item_ids: [MUG.blue, LAMP.large] })).toBe("items_do_not_pair");
    const three = { item_ids: [MUG.red, MUG.red, MUG.red], new_item_ids: [MUG.blue, MUG.blue, MUG.blue] };
    expect(exchange(three)).toBe("item_not_in_order");
    expect(exchange({ payment_method_id: "gift_card_1" })).toBe("permit");
    expect(exchange({ payment_method_id: "gift_card_2" })).toBe("gift_card_balance");
  });

  test("two of the same for two of another", () => {
    const two = { item_ids: [MUG.red, MUG.red], new_item_ids: [MUG.blue, MUG.blue] };
    expect(exchange(two)).toBe("permit");
    expect(exchange({ ...two, payment_method_id: "gift_card_1" })).toBe("gift_card_balance");
  });
});

describe("what is shown to whom", () => {
  test("one's own orders and profile", () => {
    expect(decide("get_order_details", { order_id: PENDING })).toBe("permit");
    expect(decide("get_order_details", { order_id: FOREIGN })).toBe("not_the_customers");
    expect(decide("get_order_details", { order_id: "#W0000077" })).toBe("permit");
    expect(decide("get_user_details", { user_id: "nora_field_1" })).toBe("permit");
    expect(decide("get_user_details", { user_id: "max_other_2" })).toBe("not_the_customers");
  });

  test("a look-up finds the customer or nobody, and does not say who else there is", () => {
    const byEmail = (email: string) => decide("find_user_id_by_email", { email });
    expect(byEmail("nora@example.com")).toBe("permit");
    expect(byEmail("Nora@Example.com")).toBe("permit");
    expect(byEmail("max@example.com")).toBe("not_the_customers");
    expect(byEmail("nobody@example.com")).toBe("not_the_customers");
    const byName = (first_name: string) =>
      decide("find_user_id_by_name_zip", { first_name, last_name: "Field", zip: "10001" });
    expect(byName("Nora")).toBe("permit");
    expect(byName("Max")).toBe("not_the_customers");
    expect(byName("Nobody")).toBe("not_the_customers");
  });
});

describe("the shop's system", () => {
  test("a shop copies what it writes and leaves the database as it was", () => {
    const db = database();
    const before = JSON.stringify(db);
    const shop = new Shop(db);
    shop.modifyPayment({ order_id: PENDING, payment_method_id: "gift_card_3" });
    shop.cancel({ order_id: PENDING, reason: "ordered by mistake" });
    shop.return({ order_id: DELIVERED, item_ids: [MUG.red], payment_method_id: "credit_card_1" });
    expect(JSON.stringify(db)).toBe(before);
    expect(shop.order(PENDING)?.status).toBe("cancelled");
  });

  test("cancelling refunds what is still paid, and no more, where a payment was changed before", () => {
    const shop = new Shop(database());
    shop.modifyPayment({ order_id: PENDING, payment_method_id: "gift_card_3" });
    expect(shop.user("nora_field_1")?.payment_methods.gift_card_3?.balance).toBe(0);
    const { payment_history: history } = shop.cancel({ order_id: PENDING, reason: "ordered by mistake" });
    expect(history.slice(3)).toEqual([{ transaction_type: "refund", amount: 100.1, payment_method_id: "gift_card_3" }]);
    expect(shop.user("nora_field_1")?.payment_methods.gift_card_3?.balance).toBe(100.1);
  });

  test("changed items are the new ones at their prices, and the difference is paid", () => {
    const shop = new Shop(database());
    const two = { item_ids: [MUG.red, MUG.red], new_item_ids: [MUG.blue, MUG.green] };
    const order = shop.modifyItems({ order_id: PENDING, ...two, payment_method_id: "gift_card_1" });
    expect(order.items.map(({ item_id, price }) => [item_id, price])).toEqual([
      [MUG.blue, 12.5],
      [MUG.green, 4],
      [LAMP.small, 80.1],
    ]);
    expect(order.payment_history[1]).toEqual({
      transaction_type: "refund",
      amount: 3.5,
      payment_method_id: "gift_card_1",
    });
    expect(shop.user("nora_field_1")?.payment_methods.gift_card_1?.balance).toBe(6);
  });

  test("what it cannot do it refuses before anything is changed", () => {
    const shop = new Shop(database());
    const swap = { order_id: PENDING, item_ids: [MUG.red], new_item_ids: [MUG.blue] };
    expect(() => shop.modifyItems({ ...swap, payment_method_id: "gift_card_2" })).toThrow("insufficient gift card");
    expect(() => shop.cancel({ order_id: DELIVERED, reason: "no longer needed" })).toThrow("non-pending");
    expect(shop.order(PENDING)?.status).toBe("pending");
  });
});
