import { SignalboxError } from "../../index.ts";

/** What `--limit` says. */
export function countOf(limit: string): number {
  const count = Number(limit);
  if (/^[0-9]+$/.test(limit) && Number.isSafeInteger(count) && count >= 1) return count;
  throw new SignalboxError("usage", "--limit takes a whole number from 1");
}
