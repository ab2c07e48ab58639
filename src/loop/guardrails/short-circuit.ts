import type { Json } from "../../domain/json.ts";

/** Guardrail 3: what is already done is not done again. The third such proposal in a row for the same key ends the run. */
export const SHORT_CIRCUITS_MAX = 3;

/** A piece of finished work and the result that stands for it. */
export type Settled = { readonly key: string; readonly tool: string; readonly result: Json; readonly line: string };

export type ShortCircuits = { readonly key: string; readonly count: number };

/**
 * The result that answers a proposal for `key` without performing anything, or null: the last result if it was a pass
 * for that key, or the receipt of a `once` effect.
 */
export function settledBy(
  key: string | null,
  last: Settled | null,
  receipts: ReadonlyMap<string, Settled>,
): Settled | null {
  if (key === null) return null;
  return last?.key === key ? last : (receipts.get(key) ?? null);
}

export function nextShortCircuits(before: ShortCircuits | null, key: string): ShortCircuits {
  return { key, count: before?.key === key ? before.count + 1 : 1 };
}

export function shortCircuitsSpent(circuits: ShortCircuits | null): boolean {
  return circuits !== null && circuits.count >= SHORT_CIRCUITS_MAX;
}
