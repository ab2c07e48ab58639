import type { RetryAfter } from "./failure.ts";

const FIRST_MS = 250;
const LONGEST_MS = 8_000;
/** A server that asks for a longer pause is not waited for: a run has a deadline of its own. */
const TOLD_MS_MAX = 30_000;

/**
 * Milliseconds until attempt `attempt` + 1, or null where the server asks for a longer pause than is waited for: by chance
 * anything up to a bound that doubles, so that many callers do not come back together, and never sooner than it said.
 */
export function backOff(attempt: number, told: RetryAfter | null, now: number, chance: number): number | null {
  const most = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));
  const own = Math.floor(most * Math.min(1, Math.max(0, chance)));
  const wanted = told === null ? null : toldMs(told, now);
  if (wanted === null) return own;
  return wanted > TOLD_MS_MAX ? null : Math.max(own, wanted);
}

/** What a header asks for in milliseconds (RFC 9110, 10.2.3: seconds or a date), or null where it cannot be read. */
function toldMs({ header, value }: RetryAfter, now: number): number | null {
  if (/^\s*\d{1,12}(?:\.\d{1,6})?\s*$/.test(value)) {
    return Math.ceil(Number(value) * (header === "retry-after" ? 1_000 : 1));
  }
  // A date begins with its weekday. What else Date.parse would make a date of, a server did not mean as one.
  const date = header === "retry-after" && /^\s*[A-Za-z]{3,9},? /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isFinite(date) ? Math.max(0, date - now) : null;
}
