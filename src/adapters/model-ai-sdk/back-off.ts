import { pauseMs, TOLD_MS_MAX, toldMs } from "../../domain/retry.ts";
import type { RetryAfter } from "./failure.ts";

/** Milliseconds until attempt `attempt` + 1, or null where the server asks for a longer pause than is waited for. */
export function backOff(attempt: number, told: RetryAfter | null, now: number, chance: number): number | null {
  const wanted = told === null ? null : askedFor(told, now);
  if (wanted !== null && wanted > TOLD_MS_MAX) return null;
  return pauseMs(attempt, chance, wanted);
}

/** Some providers say it in milliseconds, in a header of their own, and never as a date. */
function askedFor({ header, value }: RetryAfter, now: number): number | null {
  if (header === "retry-after") return toldMs(value, now);
  return /^\s*\d{1,12}(?:\.\d{1,6})?\s*$/.test(value) ? Math.ceil(Number(value)) : null;
}
