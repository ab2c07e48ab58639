/** The shop's database: every record that is read of it, parsed. */
import { z } from "signalbox";
import { readData } from "../data.ts";

/** The four of the data, and the three that the shop's own tools set. */
export const STATUSES = [
  "pending",
  "pending (item modified)",
  "processed",
  "delivered",
  "cancelled",
  "return requested",
  "exchange requested",
] as const;
export type Status = (typeof STATUSES)[number];

const address = z.strictObject({
  address1: z.string(),
  address2: z.string(),
  city: z.string(),
  state: z.string(),
  country: z.string(),
  zip: z.string(),
});

const paymentMethod = z.looseObject({
  id: z.string(),
  source: z.enum(["credit_card", "gift_card", "paypal"]),
  /** What is left on a gift card, in dollars. */
  balance: z.number().optional(),
});

const user = z.looseObject({
  user_id: z.string(),
  name: z.strictObject({ first_name: z.string(), last_name: z.string() }),
  address,
  email: z.string(),
  payment_methods: z.record(z.string(), paymentMethod),
  orders: z.array(z.string()),
});

const options = z.record(z.string(), z.string());

const item = z.looseObject({
  name: z.string(),
  product_id: z.string(),
  item_id: z.string(),
  /** In dollars, as all money of the data. */
  price: z.number(),
  options,
});

const payment = z.strictObject({
  transaction_type: z.enum(["payment", "refund"]),
  amount: z.number(),
  payment_method_id: z.string(),
});

const order = z.looseObject({
  order_id: z.string(),
  user_id: z.string(),
  address,
  items: z.array(item),
  status: z.enum(STATUSES),
  payment_history: z.array(payment),
});

const variant = z.looseObject({ item_id: z.string(), options, available: z.boolean(), price: z.number() });

const product = z.looseObject({
  name: z.string(),
  product_id: z.string(),
  variants: z.record(z.string(), variant),
});

const database = z.looseObject({
  products: z.record(z.string(), product),
  users: z.record(z.string(), user),
  orders: z.record(z.string(), order),
});

export type Database = z.infer<typeof database>;
export type Address = z.infer<typeof address>;
export type User = z.infer<typeof user>;
export type PaymentMethod = z.infer<typeof paymentMethod>;
export type Order = z.infer<typeof order>;
export type Item = z.infer<typeof item>;
export type Payment = z.infer<typeof payment>;
export type Product = z.infer<typeof product>;
export type Variant = z.infer<typeof variant>;

/** Reads `retail-db.json` of a folder. Throws `NoTauData` where it is absent or has another shape. */
export function loadDatabase(directory: string): Database {
  return readData(directory, "retail-db.json", database);
}
