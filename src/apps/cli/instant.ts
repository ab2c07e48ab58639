import { SignalboxError } from "../../index.ts";

/** How a window is given: so long before its end, or an instant. */
export type Since = { readonly ago: number } | { readonly at: number };

const UNITS_MS: { readonly [unit: string]: number } = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const AGO = /^([0-9]{1,6})([mhdw])$/;
const ISO = /^([0-9]{4}-[0-9]{2}-[0-9]{2})(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,3})?)?(Z|[+-][0-9]{2}:[0-9]{2})?)?$/;
const HINT = "30m, 24h, 7d or 4w, a day such as 2026-11-01, or a time such as 2026-11-01T09:30Z";

/** `7d`, or what `instantOf` takes. */
export function sinceOf(option: string, text: string): Since {
  const ago = AGO.exec(text);
  const length = ago === null ? 0 : Number(ago[1]) * (UNITS_MS[ago[2] ?? ""] ?? 0);
  return length > 0 ? { ago: length } : { at: instantOf(option, text) };
}

/** Milliseconds of an ISO 8601 day or time. A day begins at midnight in UTC, and a time without a zone is in UTC. */
export function instantOf(option: string, text: string): number {
  const [, day = "", time = "", , , zone = ""] = ISO.exec(text) ?? [];
  const midnight = Date.parse(`${day}T00:00Z`);
  const at = Date.parse(time === "" ? `${day}T00:00Z` : `${day}${time}${zone === "" ? "Z" : ""}`);
  // Date.parse takes the 30th of February for a day in March.
  const isDay = Number.isFinite(midnight) && new Date(midnight).toISOString().startsWith(day);
  if (day !== "" && isDay && Number.isFinite(at)) return at;
  throw new SignalboxError("usage", `${option} takes a time, not "${text.slice(0, 40)}"`, { hint: HINT });
}

/** `2026-11-30 10:26`, in UTC. */
export function minuteText(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}
