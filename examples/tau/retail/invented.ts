/** A shop that is invented here, for the tests of the rules: two customers, five orders, two products. */
import type { JsonObject } from "signalbox";
import { judge } from "signalbox/testing";
import { namedIds } from "../named-ids.ts";
import type { Address, Database, Order, PaymentMethod, Product, Status } from "./database.ts";
import { Shop } from "./shop.ts";
import { retailPolicy, retailTools } from "./tools.ts";

export const CUSTOMER = "customer:nora_field_1";

export const ADDRESS: Address = {
  address1: "1 Mill Lane",
  address2: "",
  city: "Aville",
  state: "AA",
  country: "USA",
  zip: "10001",
};

/** Items by product and option: `MUG.red` costs 10.00, `MUG.blue` 12.50, `MUG.green` 4.00, and `MUG.gone` is sold out. */
export const MUG = { red: "1000000001", blue: "1000000002", green: "1000000003", gone: "1000000004" } as const;
export const LAMP = { small: "2000000001", large: "2000000002" } as const;

function product(id: string, name: string, items: readonly (readonly [string, string, number, boolean])[]): Product {
  const variants = items.map(([item_id, color, price, available]) => ({
    item_id,
    options: { color },
    available,
    price,
  }));
  return { product_id: id, name, variants: Object.fromEntries(variants.map((entry) => [entry.item_id, entry])) };
}

const PRODUCTS = [
  product("9000000001", "Mug", [
    [MUG.red, "red", 10, true],
    [MUG.blue, "blue", 12.5, true],
    [MUG.green, "green", 4, true],
    [MUG.gone, "gone", 10, false],
  ]),
  product("9000000002", "Lamp", [
    [LAMP.small, "small", 80.1, true],
    [LAMP.large, "large", 120.2, true],
  ]),
];

const METHODS: readonly PaymentMethod[] = [
  { id: "credit_card_1", source: "credit_card" },
  { id: "credit_card_2", source: "credit_card" },
  { id: "paypal_1", source: "paypal" },
  { id: "gift_card_1", source: "gift_card", balance: 2.5 },
  { id: "gift_card_2", source: "gift_card", balance: 2.49 },
  { id: "gift_card_3", source: "gift_card", balance: 100.1 },
  { id: "gift_card_4", source: "gift_card", balance: 100.09 },
];

/** Two red mugs and a small lamp, 100.10 in all, paid with `credit_card_1`. */
function order(id: string, status: Status, overrides: Partial<Order> = {}): Order {
  const item = (item_id: string, product_id: string, price: number) => ({
    name: "thing",
    product_id,
    item_id,
    price,
    options: {},
  });
  return {
    order_id: id,
    user_id: "nora_field_1",
    address: ADDRESS,
    items: [item(MUG.red, "9000000001", 10), item(MUG.red, "9000000001", 10), item(LAMP.small, "9000000002", 80.1)],
    status,
    payment_history: [{ transaction_type: "payment", amount: 100.1, payment_method_id: "credit_card_1" }],
    ...overrides,
  };
}

export const PENDING = "#W0000001";
export const DELIVERED = "#W0000002";
export const PROCESSED = "#W0000003";
export const CANCELLED = "#W0000004";
/** Somebody else's, pending. */
export const FOREIGN = "#W0000009";

export function database(overrides: { readonly [id: string]: Partial<Order> } = {}): Database {
  const orders = [
    order(PENDING, "pending", overrides[PENDING]),
    order(DELIVERED, "delivered", overrides[DELIVERED]),
    order(PROCESSED, "processed"),
    order(CANCELLED, "cancelled"),
    order(FOREIGN, "pending", { user_id: "max_other_2" }),
  ];
  const user = (user_id: string, first_name: string, email: string, methods: readonly PaymentMethod[]) => ({
    user_id,
    name: { first_name, last_name: "Field" },
    address: ADDRESS,
    email,
    payment_methods: Object.fromEntries(methods.map((method) => [method.id, method])),
    orders: orders.filter((entry) => entry.user_id === user_id).map((entry) => entry.order_id),
  });
  return {
    products: Object.fromEntries(PRODUCTS.map((entry) => [entry.product_id, entry])),
    users: {
      nora_field_1: user("nora_field_1", "Nora", "nora@example.com", METHODS),
      max_other_2: user("max_other_2", "Max", "max@example.com", [{ id: "paypal_9", source: "paypal" }]),
    },
    orders: Object.fromEntries(orders.map((entry) => [entry.order_id, entry])),
  };
}

export type Asked = {
  readonly shop?: Shop;
  readonly evidence?: readonly string[];
  /** Null: the thread has no customer. */
  readonly customer?: string | null;
  readonly used?: { readonly [cap: string]: number };
};

/** Judges one call with the real rails, on the record that the tool's own loader gives. */
export function judged(tool: string, params: JsonObject, asked: Asked = {}) {
  const found = retailTools.find((entry) => entry.name === tool);
  if (found === undefined) throw new Error(`no such tool: ${tool}`);
  const shop = asked.shop ?? new Shop(database());
  const customer = asked.customer === undefined ? CUSTOMER : asked.customer;
  const evidence = [...(asked.evidence ?? namedIds(params))];
  const signal = new AbortController().signal;
  const principal = { id: "agent:test", tools: [], attributes: {} };
  const record = found.record?.(params, { shop }, { principal, customer, evidence, signal });
  return judge(found, {
    params,
    evidence,
    record,
    ...(customer === null ? {} : { customer }),
    policies: retailPolicy,
    ...(asked.used === undefined ? {} : { used: asked.used }),
  });
}

/** The same in one word: `permit`, or the denial's code. */
export function decide(tool: string, params: JsonObject, asked: Asked = {}): string {
  const { outcome, code } = judged(tool, params, asked);
  return code ?? outcome;
}
