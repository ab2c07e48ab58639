import type { CapWindow } from "../../src/domain/cap.ts";
import type { Json, JsonObject } from "../../src/domain/json.ts";
import type { SaidCap, SaidCase, SaidReservation, SaidTool } from "./said.ts";

/** What an action wants of the tool's caps; null where somebody's code cannot say. */
export function reservationsOf(
  about: SaidCase,
  { caps }: SaidTool,
  params: JsonObject,
  record: Json,
): readonly SaidReservation[] | null {
  const wanted: SaidReservation[] = [];
  for (const cap of caps) {
    const amount = amountOf(cap, params, record);
    // Whole, not negative, and small enough that sums of it are exact.
    if (typeof amount !== "number" || !Number.isInteger(amount)) return null;
    if (amount < 0 || amount > 9_007_199_254_740_991) return null;
    const key = keyOf(cap, about, params);
    if (typeof key !== "string" || key === "") return null;
    const window = windowName(cap.window, about.now, about.outermost);
    wanted.push({ cap: cap.name, key, window, amount, limit: cap.limit });
  }
  return wanted;
}

/** The first cap that has too little left. */
export function capRefusal(
  about: SaidCase,
  { caps }: SaidTool,
  wanted: readonly SaidReservation[],
): { readonly code: string; readonly names: string | null } | null {
  for (const { cap: name, key, amount, limit } of wanted) {
    if (about.unread === name) return { code: "cap_error", names: null };
    const cap = caps.find((one) => one.name === name);
    if (cap === undefined) return { code: "cap_error", names: null };
    const used = usedOf(cap, key, about);
    if (used + amount > limit) {
      const left = used > limit ? 0 : limit - used;
      // Whose it is, where it is not everybody's; a long name by its beginning.
      const whose = cap.key === undefined ? "" : ` for ${JSON.stringify(key.slice(0, 60))}`;
      return { code: "cap_exceeded", names: `${name}: ${amount} wanted, ${left} of ${limit} left${whose}` };
    }
  }
  return null;
}

/** What others hold of it, added up anew from everything that anybody holds of anything. */
export function usedOf({ name, window }: SaidCap, key: string, { held, now, outermost }: SaidCase): number {
  let used = 0;
  for (const one of held) {
    if (one.cap !== name || one.key !== key) continue;
    if (window === "per_run") {
      if (one.outermost === outermost) used += one.amount;
    } else if ("sliding" in window) {
      if (stillCounts(window.sliding, one.at, now)) used += one.amount;
    } else if (windowName(window, one.at, "") === windowName(window, now, "")) used += one.amount;
  }
  return used;
}

/**
 * A sliding window forgets in steps of a 24th of its length. Something counts until the step in which it was taken lies
 * wholly outside; and what a clock that was set back puts ahead of us counts.
 */
function stillCounts(lengthMs: number, at: number, now: number): boolean {
  const stepMs = Math.ceil(lengthMs / 24);
  const oldest = now - lengthMs + 1;
  return stepOf(at, stepMs) >= stepOf(oldest, stepMs);
}

function stepOf(at: number, stepMs: number): number {
  return Math.max(0, Math.floor(at / stepMs));
}

function windowName(window: CapWindow, at: number, outermost: string): string {
  if (window === "per_run") return `run:${outermost}`;
  if ("sliding" in window) {
    const stepMs = Math.ceil(window.sliding / 24);
    return `sliding:${window.sliding}@${String(stepOf(at, stepMs) * stepMs).padStart(16, "0")}`;
  }
  const day = dayOf(window.zone, at);
  if (window.calendar === "day") return `day:${day}@${window.zone}`;
  if (window.calendar === "month") return `month:${day.slice(0, 7)}@${window.zone}`;
  return `week:${weekOf(day)}@${window.zone}`;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** What a calendar on the wall in that zone shows. */
function dayOf(zone: string, at: number): string {
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat("en", { timeZone: zone, year: "numeric", month: "numeric", day: "numeric" });
  clocks.set(zone, clock);
  const parts = new Map(clock.formatToParts(at).map(({ type, value }) => [type, value]));
  const two = (name: Intl.DateTimeFormatPartTypes): string => (parts.get(name) ?? "").padStart(2, "0");
  return `${two("year")}-${two("month")}-${two("day")}`;
}

const DAY_MS = 86_400_000;

/** Walks to the Thursday of the week: its year is the week's, and how many Thursdays that year has had by then its number. */
function weekOf(day: string): string {
  let at = Date.parse(`${day}T00:00:00Z`);
  while (new Date(at).getUTCDay() !== 1) at -= DAY_MS;
  const thursday = new Date(at + 3 * DAY_MS);
  const year = thursday.getUTCFullYear();
  let week = 0;
  for (let one = thursday.getTime(); new Date(one).getUTCFullYear() === year; one -= 7 * DAY_MS) week += 1;
  return `${year}-W${String(week).padStart(2, "0")}`;
}

function amountOf({ amount }: SaidCap, params: JsonObject, record: Json): unknown {
  if (amount === undefined) return 1;
  if ("broken" in amount) return null;
  if ("value" in amount) return amount.value;
  const from: Json = amount.of === "params" ? params : record;
  return typeof from === "object" && from !== null ? (from as JsonObject)[amount.name] : undefined;
}

function keyOf({ key }: SaidCap, { customer, principal }: SaidCase, params: JsonObject): unknown {
  if (key === undefined) return "all";
  if ("broken" in key) return null;
  if ("value" in key) return key.value;
  switch (key.of) {
    case "customer":
      return customer;
    case "principal":
      return principal.id;
    case "params":
      return params[key.name];
  }
}
