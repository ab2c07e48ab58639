/** What a proposal comes to, in whole cents, by the record alone: no proposal names an amount. */
import type { ItemFact, OrderFacts, SwapFacts } from "./facts.ts";
import type { ReturnParams, SwapParams } from "./params.ts";

/** What is paid for the whole order. */
export function orderTotal({ order }: OrderFacts): number {
  return order.charges.reduce((sum, charge) => sum + charge.cents, 0);
}

/**
 * The order's items that these ids name, at their places; null where the order does not have that one, or not as often. An
 * id that stands twice names two items.
 */
export function itemsNamed({ order }: OrderFacts, ids: readonly string[]): (ItemFact | null)[] {
  const left = [...order.items];
  return ids.map((id) => {
    const at = left.findIndex((item) => item.item_id === id);
    return at < 0 ? null : (left.splice(at, 1)[0] ?? null);
  });
}

/** What the returned items cost. */
export function returnTotal(params: ReturnParams, record: OrderFacts): number {
  return itemsNamed(record, params.item_ids).reduce((sum, item) => sum + (item?.cents ?? 0), 0);
}

/** What the new items cost more than the old ones; negative where the customer gets something back. */
export function swapDifference(params: SwapParams, record: SwapFacts): number {
  const old = itemsNamed(record, params.item_ids).reduce((sum, item) => sum + (item?.cents ?? 0), 0);
  return record.offers.reduce((sum, offer) => sum + (offer?.cents ?? 0), 0) - old;
}

/** What a swap of items gives back. */
export function swapRefund(params: SwapParams, record: SwapFacts): number {
  return Math.max(0, -swapDifference(params, record));
}
