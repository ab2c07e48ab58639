/** Money. The database counts in dollars with cents behind the point; everything that is judged counts in whole cents. */
import type { Payment, Status } from "./database.ts";

export function cents(amount: number): number {
  return Math.round(amount * 100);
}

export function dollars(amount: number): number {
  return amount / 100;
}

/** What one payment method still pays of an order. */
export type Charge = { readonly payment_method_id: string; readonly cents: number };

/** What each method still pays, in the order in which they first paid. Empty where everything was refunded. */
export function charges(history: readonly Payment[]): Charge[] {
  const paid = new Map<string, number>();
  for (const { payment_method_id: id, transaction_type, amount } of history) {
    paid.set(id, (paid.get(id) ?? 0) + (transaction_type === "payment" ? cents(amount) : -cents(amount)));
  }
  return [...paid].flatMap(([id, left]) => (left > 0 ? [{ payment_method_id: id, cents: left }] : []));
}

/** Whether an order has not left the shop, its items changed or not. */
export function isPending(status: Status): boolean {
  return status === "pending" || status === "pending (item modified)";
}
