import { RULE_SEPARATOR } from "../domain/served.ts";
import { utf8Length } from "../domain/utf8.ts";

/** What some rules take of the budget: the bytes of their texts and of the separators between them. */
export type Taken = { readonly rules: number; readonly bytes: number };

export const NOTHING: Taken = { rules: 0, bytes: 0 };

const SEPARATOR_BYTES = utf8Length(RULE_SEPARATOR);

/** With one more rule: before the first there is no separator. Where a text stands among the others changes nothing. */
export function bytesWith(taken: Taken, { bytes }: { readonly bytes: number }): Taken {
  const separator = taken.rules === 0 ? 0 : SEPARATOR_BYTES;
  return { rules: taken.rules + 1, bytes: taken.bytes + separator + bytes };
}

/** What a rule takes on channel B, after whatever stands before it. */
export function onChannelB({ bytes }: { readonly bytes: number }): number {
  return SEPARATOR_BYTES + bytes;
}

/** Whole bytes that a window has for everything. */
export function windowBytes(contextTokens: number, bytesPerToken: number): number {
  return Math.floor(contextTokens * bytesPerToken);
}
