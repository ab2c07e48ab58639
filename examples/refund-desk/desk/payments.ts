import type { Orders } from "./orders.ts";

export type Receipt = { readonly receipt: string; readonly orderId: string; readonly amountMinor: number };

/**
 * A payment service in memory. Like a real one it pays what it is told to pay, whoever asks: nothing in here knows the
 * policy. What it does honour is the idempotency key, so asking twice with one key pays once.
 */
export class Payments {
  readonly #orders: Orders;
  readonly #byKey = new Map<string, Receipt>();

  constructor(orders: Orders) {
    this.#orders = orders;
  }

  refund(orderId: string, amountMinor: number, idempotencyKey: string): Receipt {
    const earlier = this.find(idempotencyKey);
    if (earlier !== null) return earlier;
    const receipt = { receipt: `rcp_${this.#byKey.size + 1}`, orderId, amountMinor };
    this.#orders.bookRefund(orderId, amountMinor);
    this.#byKey.set(idempotencyKey, receipt);
    return receipt;
  }

  /** The payment that was made under this key, or null where none was. */
  find(idempotencyKey: string): Receipt | null {
    return this.#byKey.get(idempotencyKey) ?? null;
  }

  /** Every payment, oldest first. */
  get receipts(): readonly Receipt[] {
    return [...this.#byKey.values()];
  }
}
