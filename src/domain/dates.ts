/**
 * Calendar days without a clock. A day is `YYYY-MM-DD`; an instant is milliseconds since 1970-01-01T00:00Z.
 */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Since 2012 every zone changes at a quarter of an hour, so all instants of a quarter are on one day. */
const QUARTER_MS = 900_000;
const QUARTERS_FROM_MS = 1_325_376_000_000;
/** The newest answer by zone. */
const days = new Map<string, { readonly quarter: number; readonly day: string }>();

/** The calendar day of an instant in an IANA zone. Throws a RangeError for a zone that the platform does not know. */
export function dayIn(zone: string, instantMs: number): string {
  const quarter = instantMs < QUARTERS_FROM_MS ? null : Math.floor(instantMs / QUARTER_MS);
  const known = days.get(zone);
  if (known !== undefined && known.quarter === quarter) return known.day;
  const day = formatterOf(zone).format(instantMs);
  if (quarter !== null) days.set(zone, { quarter, day });
  return day;
}

function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" });
    formatters.set(zone, formatter);
  }
  return formatter;
}

/** Whether it is an IANA zone that the platform knows. */
export function isZone(zone: unknown): zone is string {
  try {
    return typeof zone === "string" && dayIn(zone, 0) !== "";
  } catch {
    // A RangeError is how the platform says that it does not know the zone.
    return false;
  }
}

/** Whole days from `from` to `to`; negative when `to` is earlier. Throws a RangeError where either is not a day. */
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from);
}

/** The week of a day by ISO 8601, such as `2026-W53`: it begins on Monday, and belongs to the year of its Thursday. */
export function weekOf(day: string): string {
  const monday = mondayOf(dayNumber(day));
  const year = Number(day.slice(0, 4));
  // The first week of a year is the one that has the 4th of January in it.
  const firstOf = (ofYear: number) => mondayOf(dayNumber(`${String(ofYear).padStart(4, "0")}-01-04`));
  const weekYear = monday < firstOf(year) ? year - 1 : monday >= firstOf(year + 1) ? year + 1 : year;
  const week = (monday - firstOf(weekYear)) / 7 + 1;
  return `${String(weekYear).padStart(4, "0")}-W${String(week).padStart(2, "0")}`;
}

/** The Monday of a week such as `2026-W53`. */
export function mondayOfWeek(week: string): string {
  return dayOf(mondayOf(dayNumber(`${week.slice(0, 4)}-01-04`)) + (Number(week.slice(6)) - 1) * 7);
}

/** The day so many days later. */
export function addDays(day: string, count: number): string {
  return dayOf(dayNumber(day) + count);
}

/** When a day begins in an IANA zone, in milliseconds since 1970. Where the zone has no such day, when the next one does. */
export function dayStart(zone: string, day: string): number {
  const noon = dayNumber(day) * DAY_MS + DAY_MS / 2;
  // No zone is further from UTC than 15 hours. A day begins at a whole second.
  let before = Math.floor((noon - 1.5 * DAY_MS) / 1_000);
  let from = Math.floor((noon + 1.5 * DAY_MS) / 1_000);
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (dayIn(zone, middle * 1_000) < day) before = middle;
    else from = middle;
  }
  return from * 1_000;
}

const DAY_MS = 86_400_000;

function dayOf(dayNumber: number): string {
  return dayIn("UTC", dayNumber * DAY_MS);
}

/** Day 0, the 1st of January 1970, was a Thursday. */
function mondayOf(dayNumber: number): number {
  return dayNumber - ((((dayNumber + 3) % 7) + 7) % 7);
}

/** Days since 1970-01-01 in the proleptic Gregorian calendar (H. Hinnant, "chrono-compatible low-level date algorithms"). */
function dayNumber(day: string): number {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day.slice(0, 10));
  if (match === null) throw new RangeError(`not a day (YYYY-MM-DD): ${day.slice(0, 40)}`);
  const year = Number(match[1]);
  const month = Number(match[2]);
  const date = Number(match[3]);
  if (month < 1 || month > 12 || date < 1 || date > daysInMonth(year, month)) {
    throw new RangeError(`not a day of the calendar: ${day.slice(0, 40)}`);
  }
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + date - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146097 + dayOfEra - 719468;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
