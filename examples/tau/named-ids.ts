import type { JsonObject } from "signalbox";

const SINGLE = ["reservation_id", "order_id", "user_id", "payment_id", "payment_method_id"] as const;
const LISTS = ["item_ids", "new_item_ids"] as const;

/** The ids that a call itself names, each once: what it rests on, and so what a proposal of it has to cite. */
export function namedIds(args: JsonObject): string[] {
  const ids: string[] = [];
  for (const key of SINGLE) if (typeof args[key] === "string") ids.push(args[key]);
  for (const key of LISTS) ids.push(...textsOf(args[key]));
  const payments = args.payment_methods;
  if (Array.isArray(payments)) {
    for (const entry of payments as readonly JsonObject[]) {
      if (typeof entry.payment_id === "string") ids.push(entry.payment_id);
    }
  }
  return [...new Set(ids)];
}

function textsOf(value: JsonObject[string] | undefined): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}
