/** What the written policy says alike of changing a pending order's items and of exchanging a delivered order's. */
import type { TypedRule } from "../rule.ts";
import { itemsNamed, swapDifference } from "./amounts.ts";
import type { ItemFact, OfferFact, SwapFacts } from "./facts.ts";
import type { SwapParams } from "./params.ts";
import { giftCardCovers, paymentInProfile } from "./policy-shared.ts";

/** The pairs of an order's item and the item that is to replace it, as far as both exist. */
function pairs(params: SwapParams, record: SwapFacts): (readonly [ItemFact, OfferFact])[] {
  return itemsNamed(record, params.item_ids).flatMap((item, i) => {
    const offer = record.offers[i] ?? null;
    return item === null || offer === null ? [] : [[item, offer] as const];
  });
}

export function swapRules(tool: string): TypedRule<SwapParams, SwapFacts>[] {
  return [
    {
      id: `${tool}: one new item for each old one`,
      effect: "deny",
      code: "items_do_not_pair",
      when: ({ params }) => params.item_ids.length !== params.new_item_ids.length,
    },
    {
      id: `${tool}: items of the order`,
      effect: "deny",
      code: "item_not_in_order",
      when: ({ params }, record) => itemsNamed(record, params.item_ids).includes(null),
    },
    {
      id: `${tool}: new items of the catalogue`,
      effect: "deny",
      code: "item_unknown",
      when: (_proposal, record) => record.offers.includes(null),
    },
    {
      id: `${tool}: the same type of product`,
      effect: "deny",
      code: "product_type_changed",
      when: ({ params }, record) => pairs(params, record).some(([item, offer]) => item.product_id !== offer.product_id),
    },
    {
      id: `${tool}: another option`,
      effect: "deny",
      code: "same_item",
      when: ({ params }, record) => pairs(params, record).some(([item, offer]) => item.item_id === offer.item_id),
    },
    {
      id: `${tool}: new items available`,
      effect: "deny",
      code: "item_not_available",
      when: (_proposal, record) => record.offers.some((offer) => offer !== null && !offer.available),
    },
    paymentInProfile(tool),
    giftCardCovers(tool, swapDifference),
  ];
}
