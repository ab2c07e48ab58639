/**
 * The one workload of the figure `decide`: refunds at the desk of examples/refund-desk, each of another order, each cited,
 * each permitted. Its limits are raised, or a day's refunds would soon be over.
 */
import { type Order, ordersAsOf } from "../../examples/refund-desk/desk/orders.ts";
import { refund as deskRefund } from "../../examples/refund-desk/tools/refund.ts";
import type { Json, JsonObject, Tool } from "../../src/index.ts";

const TODAY = "2026-03-16";
export const NOW = Date.parse(`${TODAY}T14:00:00Z`);
export const CUSTOMER = "customer:ada";
const LIMIT = 2 ** 50;
const ORDERS = 9_000;

export const refund: Tool = { ...deskRefund, caps: deskRefund.caps.map((cap) => ({ ...cap, limit: LIMIT })) };

const teapot = ordersAsOf(TODAY).find(({ id }) => id === "1042");
if (teapot === undefined) throw new Error("the example has no order 1042");
const cited = teapot.events.find(({ kind }) => kind === "damage_report")?.id ?? "";

export const orders = { load: (id: string): Order => ({ ...teapot, id }) };

export type Refund = { readonly params: JsonObject; readonly evidence: readonly string[]; readonly record: Json };

/** The nth refund. A new object each time, as from a model's reply. */
export function refundOf(n: number): Refund {
  const orderId = String(1_000 + (n % ORDERS));
  const params = { kind: "partial", orderId, reason: "damaged", amountMinor: 1 + (n % 1_000) };
  return { params, evidence: [cited], record: orders.load(orderId) as unknown as Json };
}
