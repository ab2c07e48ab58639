const FIRST_MS = 250;
const LONGEST_MS = 8_000;
/** A server that asks for a longer pause is not waited for: a run has a deadline of its own. */
export const TOLD_MS_MAX = 30_000;

/** Answers after which the same request may fare better: too many requests, and a server or gateway in trouble. */
const TRANSIENT: readonly number[] = [429, 500, 502, 503, 504, 529];

export function isTransient(status: number): boolean {
  return TRANSIENT.includes(status);
}

/**
 * Milliseconds before retry `retry`, counted from 1: by chance anything up to a bound that doubles, so that many callers do
 * not come back together, and never sooner than the server told.
 */
export function pauseMs(retry: number, chance: number, told: number | null): number {
  const most = Math.min(LONGEST_MS, FIRST_MS * 2 ** (retry - 1));
  return Math.max(Math.floor(most * Math.min(1, Math.max(0, chance))), told ?? 0);
}

/** What a `Retry-After` asks for in milliseconds (RFC 9110, 10.2.3: seconds or a date), or null where it cannot be read. */
export function toldMs(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  if (/^\d{1,12}(?:\.\d{1,6})?$/.test(text)) return Math.ceil(Number(text) * 1_000);
  // A date of HTTP begins with its weekday. What else Date.parse makes a date of was not meant as one.
  const date = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isFinite(date) ? Math.max(0, date - now) : null;
}
