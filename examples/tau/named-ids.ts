import type { JsonObject } from "signalbox";

const SINGLE = ["reservation_id", "order_id", "user_id", "payment_id", "payment_method_id"] as const;

/**
 * The ids that a call itself names, each once: what it rests on, and so what a proposal of it has to cite. An item that the
 * customer would like to have instead is no evidence of anything.
 */
export function namedIds(args: JsonObject): string[] {
  const ids: string[] = [];
  for (const key of SINGLE) if (typeof args[key] === "string") ids.push(args[key]);
  if (Array.isArray(args.item_ids)) ids.push(...args.item_ids.filter((entry) => typeof entry === "string"));
  const payments = args.payment_methods;
  if (Array.isArray(payments)) {
    for (const entry of payments as readonly JsonObject[]) {
      if (typeof entry.payment_id === "string") ids.push(entry.payment_id);
    }
  }
  return [...new Set(ids)];
}
