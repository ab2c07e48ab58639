import { daysBetween, z } from "signalbox";
import type { EventKind, Order } from "./orders.ts";

/**
 * The shop's written policy, as code. The numbers stand here and nowhere else; the tools say how they are applied.
 * Money is in whole Rappen, and days are calendar days in the shop's own zone.
 */
export const ZONE = "Europe/Zurich";

export const REFUND_DAYS_MAX = 30;
export const CHANGED_MIND_DAYS_MAX = 14;

/** A report says nothing about today once it is older than this. */
export const EVIDENCE_DAYS_MAX = 45;

/** What one order may cost the shop before a supervisor has to look. */
export const CEILING_MINOR = 20_000;

export const PER_DAY = { calendar: "day", zone: ZONE } as const;
export const REFUNDS_PER_RUN_MAX = 3;
export const REFUNDED_PER_CUSTOMER_PER_DAY_MAX_MINOR = 100_000;
export const REFUNDED_PER_DAY_MAX_MINOR = 500_000;
export const REPLACED_PER_DAY_MAX_MINOR = 200_000;

export const Reason = z.enum(["damaged", "wrong_item", "missing_item", "changed_mind"]);
export type Reason = z.infer<typeof Reason>;

/**
 * What has to have happened before a reason counts. A photo can show damage or a wrong item. That something was missing
 * only the packing bench can confirm, and a change of mind counts once the goods are back.
 */
const SHOWN_BY: Readonly<Record<Reason, readonly EventKind[]>> = {
  damaged: ["damage_report", "photo"],
  wrong_item: ["wrong_item_report", "photo"],
  missing_item: ["packing_check"],
  changed_mind: ["return_received"],
};

/** Whether one of the cited events is of a kind that shows the reason. */
export function isShown(reason: Reason, cited: readonly string[], order: Order): boolean {
  return order.events.some((event) => cited.includes(event.id) && SHOWN_BY[reason].includes(event.kind));
}

/** Whether the order was delivered by `today` and is still within the days that the reason allows. */
export function isWithinWindow(reason: Reason, order: Order, today: string): boolean {
  const daysMax = reason === "changed_mind" ? CHANGED_MIND_DAYS_MAX : REFUND_DAYS_MAX;
  return isDelivered(order, today) && daysBetween(order.deliveredOn, today) <= daysMax;
}

/** A delivery that lies ahead of today is a mistake in the data, and no reason to pay. */
export function isDelivered(order: Order, today: string): order is Order & { readonly deliveredOn: string } {
  return order.deliveredOn !== null && daysBetween(order.deliveredOn, today) >= 0;
}

export function leftToRefund(order: Order): number {
  return order.paidMinor - order.refundedMinor;
}

/** What the items that were sent a second time were worth. */
export function replacedMinor(order: Order): number {
  const replaced = order.items.filter((item) => order.replaced.includes(item.sku));
  return replaced.reduce((sum, item) => sum + item.priceMinor, 0);
}

/** Four digits: a closed form, through which no sentence can travel. */
export const OrderId = z.string().regex(/^\d{4}$/);

export function francs(amountMinor: number): string {
  return `CHF ${(amountMinor / 100).toFixed(2)}`;
}
