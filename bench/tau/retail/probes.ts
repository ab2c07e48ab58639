/**
 * Write proposals for tasks that have none. The data hold no recorded ones for the shop, so these are listed from the
 * customer's own records: every order by every tool, every payment method of the profile, each item alone and all together,
 * and a stranger's orders as well. What becomes of each is compared with what the shop's own system says, which checks
 * states, stock and balances by itself.
 */
import { namedIds } from "../../../examples/tau/named-ids.ts";
import type { Database, Order, User } from "../../../examples/tau/retail/database.ts";
import {
  cancelParams,
  modifyAddressParams,
  modifyPaymentParams,
  returnParams,
  swapParams,
  userAddressParams,
} from "../../../examples/tau/retail/params.ts";
import { Shop } from "../../../examples/tau/retail/shop.ts";
import { customerId } from "../../../examples/tau/rule.ts";
import { EffectFailed, type JsonObject } from "../../../src/index.ts";
import { judge } from "../../../src/testing/index.ts";
import type { Desk } from "../desk.ts";

export type Probe = {
  readonly task: string;
  readonly tool: string;
  readonly params: JsonObject;
  /** Whether it would write to somebody else's records. */
  readonly foreign: boolean;
};

export type JudgedProbe = Probe & {
  readonly permitted: boolean;
  readonly code: string | null;
  /** What the shop's own system refuses it with, or null where it would do it. */
  readonly refused: string | null;
};

const REASON = "no longer needed";

/** The proposals for one task's customer, in an order that the database gives. */
export function probesFor(db: Database, task: string, userId: string): Probe[] {
  const user = db.users[userId];
  const stranger = Object.values(db.users).find((other) => other.user_id !== userId && other.orders.length > 1);
  if (user === undefined || stranger === undefined) return [];
  const of = (whose: User, foreign: boolean): Probe[] =>
    [
      { tool: "modify_user_address", params: { user_id: whose.user_id, ...user.address } },
      ...whose.orders.flatMap((id) => {
        const order = db.orders[id];
        return order === undefined ? [] : orderProbes(db, order, Object.keys(user.payment_methods), user);
      }),
    ].map((probe) => ({ task, foreign, ...probe }));
  return [...of(user, false), ...of(stranger, true)];
}

type Call = { readonly tool: string; readonly params: JsonObject };

function orderProbes(db: Database, order: Order, methods: readonly string[], user: User): Call[] {
  const order_id = order.order_id;
  const all = order.items.map((item) => item.item_id);
  const groups = all.length > 1 ? [all, ...all.map((id) => [id])] : [all];
  const swaps = order.items.flatMap((item) => replacements(db, item).map((id) => [[item.item_id], [id]] as const));
  return [
    { tool: "cancel_pending_order", params: { order_id, reason: REASON } },
    { tool: "modify_pending_order_address", params: { order_id, ...user.address } },
    ...methods.flatMap((payment_method_id): Call[] => [
      { tool: "modify_pending_order_payment", params: { order_id, payment_method_id } },
      ...groups.map((item_ids) => ({
        tool: "return_delivered_order_items",
        params: { order_id, item_ids, payment_method_id },
      })),
      ...swaps.flatMap(([item_ids, new_item_ids]) =>
        ["modify_pending_order_items", "exchange_delivered_order_items"].map((tool) => ({
          tool,
          params: { order_id, item_ids: [...item_ids], new_item_ids: [...new_item_ids], payment_method_id },
        })),
      ),
    ]),
  ];
}

/** For one item: the dearest variant that is available, one that is not, and an item of another product. */
function replacements(db: Database, item: Order["items"][number]): string[] {
  const variants = Object.values(db.products[item.product_id]?.variants ?? {}).filter(
    (variant) => variant.item_id !== item.item_id,
  );
  const dearest = variants.filter((variant) => variant.available).sort((a, b) => b.price - a.price)[0];
  const gone = variants.find((variant) => !variant.available);
  const other = Object.values(db.products).find((product) => product.product_id !== item.product_id);
  const elsewhere = Object.values(other?.variants ?? {}).find((variant) => variant.available);
  return [dearest, gone, elsewhere].flatMap((variant) => (variant === undefined ? [] : [variant.item_id]));
}

/** Judges one on a fresh shop with the real rails, and lets the shop's own system try it. */
export async function judgeProbe(desk: Desk, db: Database, probe: Probe, userId: string): Promise<JudgedProbe> {
  const tool = desk.tools.find((entry) => entry.name === probe.tool);
  if (tool === undefined) throw new Error(`no such tool: ${probe.tool}`);
  const customer = customerId(userId);
  // For a stranger's records the customer's own are cited: that evidence is good, and the order is not theirs all the same.
  const evidence = probe.foreign ? [userId] : namedIds(probe.params);
  const principal = { id: desk.agent, tools: [probe.tool], attributes: {} };
  const about = { principal, customer, evidence, signal: new AbortController().signal };
  const record = await tool.record?.(probe.params, { shop: new Shop(db) }, about);
  const { outcome, code } = judge(tool, {
    params: probe.params,
    evidence,
    record,
    customer,
    principal,
    now: desk.now,
    policies: desk.policies,
  });
  return { ...probe, permitted: outcome === "permit", code, refused: refusal(db, probe) };
}

function refusal(db: Database, probe: Probe): string | null {
  try {
    perform(new Shop(db), probe);
    return null;
  } catch (error) {
    if (error instanceof EffectFailed) return error.message;
    throw error;
  }
}

/** Does what a call says, without any rail. */
function perform(shop: Shop, { tool, params }: Call): unknown {
  switch (tool) {
    case "cancel_pending_order":
      return shop.cancel(cancelParams.parse(params));
    case "modify_pending_order_address":
      return shop.modifyAddress(modifyAddressParams.parse(params));
    case "modify_pending_order_payment":
      return shop.modifyPayment(modifyPaymentParams.parse(params));
    case "modify_pending_order_items":
      return shop.modifyItems(swapParams.parse(params));
    case "exchange_delivered_order_items":
      return shop.exchange(swapParams.parse(params));
    case "return_delivered_order_items":
      return shop.return(returnParams.parse(params));
    case "modify_user_address":
      return shop.modifyUserAddress(userAddressParams.parse(params));
    default:
      throw new Error(`no write tool: ${tool}`);
  }
}
