/** The FactRecords: what the system, never the model, loads to judge a proposal. Money is in whole cents. */
import type { EvidenceItem, RecordContext } from "signalbox";
import { customerId } from "../rule.ts";
import type { Order, Status, User } from "./database.ts";
import { type Charge, cents, charges } from "./money.ts";
import type { SwapParams } from "./params.ts";
import type { Shop } from "./shop.ts";

type About = Pick<RecordContext, "evidence">;

export type ItemFact = { readonly item_id: string; readonly product_id: string; readonly cents: number };

export type OrderFact = {
  readonly order_id: string;
  readonly user_id: string;
  readonly status: Status;
  readonly items: readonly ItemFact[];
  /** What is still paid, by payment method, the original one first. */
  readonly charges: readonly Charge[];
  /** How many entries the payment history has: one until something was changed. */
  readonly payments: number;
};

export type PaymentFact = {
  readonly id: string;
  readonly source: "credit_card" | "gift_card" | "paypal";
  /** What is left on a gift card; null for other methods. */
  readonly balance: number | null;
};

export type OrderFacts = {
  readonly evidence: readonly EvidenceItem[];
  readonly order: OrderFact;
  readonly payments: readonly PaymentFact[];
};

/** A variant of the catalogue that a proposal asks for. */
export type OfferFact = ItemFact & { readonly available: boolean };
/** `offers`: one for each new item, in their order; null where the catalogue has no such item. */
export type SwapFacts = OrderFacts & { readonly offers: readonly (OfferFact | null)[] };

export type ProfileFacts = { readonly evidence: readonly EvidenceItem[]; readonly user_id: string };

/** Whose record a look-up would show; null where there is none. */
export type OwnerFacts = { readonly owner: string | null };

export function orderFacts(shop: Shop, params: { readonly order_id: string }, about: About): OrderFacts | null {
  const order = shop.order(params.order_id);
  const user = order === undefined ? undefined : shop.user(order.user_id);
  if (order === undefined || user === undefined) return null;
  return { evidence: evidenceFacts(shop, about, order), order: orderFact(order), payments: paymentFacts(user) };
}

export function swapFacts(shop: Shop, params: SwapParams, about: About): SwapFacts | null {
  const facts = orderFacts(shop, params, about);
  if (facts === null) return null;
  return { ...facts, offers: params.new_item_ids.map((id) => offerFact(shop, id)) };
}

export function profileFacts(shop: Shop, params: { readonly user_id: string }, about: About): ProfileFacts | null {
  const user = shop.user(params.user_id);
  return user === undefined ? null : { evidence: evidenceFacts(shop, about), user_id: user.user_id };
}

/**
 * The cited ids that exist, each with the customer to whom it belongs: orders, users, payment methods, and the items of the
 * order in question. An item of the catalogue belongs to nobody and so proves nothing.
 */
function evidenceFacts(shop: Shop, about: About, order?: Order): EvidenceItem[] {
  return about.evidence.flatMap((id) => {
    const owner = order?.items.some((item) => item.item_id === id) ? order.user_id : shop.ownerOf(id);
    return owner === undefined ? [] : [{ id, owner: customerId(owner) }];
  });
}

function orderFact(order: Order): OrderFact {
  return {
    order_id: order.order_id,
    user_id: order.user_id,
    status: order.status,
    items: order.items.map(({ item_id, product_id, price }) => ({ item_id, product_id, cents: cents(price) })),
    charges: charges(order.payment_history),
    payments: order.payment_history.length,
  };
}

function paymentFacts(user: User): PaymentFact[] {
  return Object.values(user.payment_methods).map(({ id, source, balance }) => ({
    id,
    source,
    balance: source === "gift_card" ? cents(balance ?? 0) : null,
  }));
}

function offerFact(shop: Shop, itemId: string): OfferFact | null {
  const found = shop.variant(itemId);
  if (found === undefined) return null;
  const { product, variant } = found;
  return {
    item_id: itemId,
    product_id: product.product_id,
    cents: cents(variant.price),
    available: variant.available,
  };
}
