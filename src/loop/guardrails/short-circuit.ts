import type { Receipt } from "../../domain/receipt.ts";

/** Guardrail 3: what is already done is not done again. The third such proposal in a row for the same key ends the run. */
export const SHORT_CIRCUITS_MAX = 3;

/** The receipts of a run's `once` effects, newest first: a list that shares its tail, so that adding one copies nothing. */
export type Receipts = { readonly receipt: Receipt; readonly older: Receipts | null };

export function receiptFor(receipts: Receipts | null, key: string): Receipt | null {
  for (let entry = receipts; entry !== null; entry = entry.older) if (entry.receipt.key === key) return entry.receipt;
  return null;
}

export type ShortCircuits = { readonly key: string; readonly count: number };

/**
 * The result that answers a proposal for `key` without performing anything, or null: the last result if it was a pass
 * for that key, or the receipt of a `once` effect.
 */
export function settledBy(key: string | null, last: Receipt | null, receipts: Receipts | null): Receipt | null {
  if (key === null) return null;
  return last?.key === key ? last : receiptFor(receipts, key);
}

export function nextShortCircuits(before: ShortCircuits | null, key: string): ShortCircuits {
  return { key, count: before?.key === key ? before.count + 1 : 1 };
}

export function shortCircuitsSpent(circuits: ShortCircuits | null): boolean {
  return circuits !== null && circuits.count >= SHORT_CIRCUITS_MAX;
}
