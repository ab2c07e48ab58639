/**
 * Days and times of day that a request names, in the spellings of people: "2024-05-19", "May 15th, 2024", "the 14th of
 * November", "11-15 January", "tomorrow", "at 10:00", "5 pm", "from 15:00 to 15:30".
 */

export type NamedDay = { readonly month: number; readonly day: number; readonly year: number | null };

const MONTHS = "january february march april may june july august september october november december".split(" ");
const MONTH = `(${MONTHS.map((month) => `${month}|${month.slice(0, 3)}`).join("|")})`;
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?";
const YEAR = "(?:,? (\\d{4}))?(?![\\d:])";
const FORMS = [
  { form: new RegExp(`\\b${MONTH}\\.? ${DAY}\\b${YEAR}`, "gi"), month: 1, day: 2 },
  { form: new RegExp(`\\b${DAY}(?: of)? ${MONTH}\\b${YEAR}`, "gi"), month: 2, day: 1 },
] as const;

/** "11-15 January 2025" and "January 11th to 15th" with their month, and their year, at both days. */
function spelledOut(text: string): string {
  const to = "(?:-|–| to | until | till | - )(?:the )?";
  const year = "(,? \\d{4})?(?![\\d:])";
  return text
    .replace(new RegExp(`\\b${DAY}${to}${DAY}(?: of)? ${MONTH}\\b${year}`, "gi"), (_, from, until, month, of = "") => {
      return `${from} ${month}${of} to ${until} ${month}${of}`;
    })
    .replace(
      new RegExp(`\\b${MONTH}\\.? ${DAY}${to}${DAY}\\b(?!:| ${MONTH})${year}`, "gi"),
      (_, month, from, until, _then, of = "") => {
        return `${month} ${from}${of} to ${month} ${until}${of}`;
      },
    );
}

export function daysIn(spoken: string): readonly NamedDay[] {
  const text = spelledOut(spoken);
  const found: NamedDay[] = [...text.matchAll(/(?<![\d-])(\d{4})-(\d{2})-(\d{2})(?![\d-])/g)].map((match) => ({
    year: Number(match[1]),
    month: Number(match[2]),
    day: Number(match[3]),
  }));
  for (const { form, month, day } of FORMS) {
    for (const match of text.matchAll(form)) {
      const name = (match[month] ?? "").toLowerCase().slice(0, 3);
      found.push({
        month: MONTHS.findIndex((full) => full.startsWith(name)) + 1,
        day: Number(match[day]),
        year: match[3] === undefined ? null : Number(match[3]),
      });
    }
  }
  return found;
}

/**
 * Whether a text names the calendar day (`YYYY-MM-DD`, whatever follows). Where it names a day without a year, a year that
 * it names elsewhere holds for it, and else one no further than a year from `today`.
 */
export function namesDay(text: string, day: string, today: string): boolean {
  const wanted = /^(\d{4})-(\d{2})-(\d{2})/.exec(day);
  if (wanted === null) return false;
  const [year, month, date] = [Number(wanted[1]), Number(wanted[2]), Number(wanted[3])];
  const days = daysIn(text);
  const years = days.flatMap((named) => (named.year === null ? [] : [named.year]));
  if (relativeDays(text, today).includes(day.slice(0, 10))) return true;
  return days.some((named) => {
    if (named.month !== month || named.day !== date) return false;
    if (named.year !== null) return named.year === year;
    return years.length > 0 ? years.includes(year) : Math.abs(year - Number(today.slice(0, 4))) <= 1;
  });
}

/** How many different days a text names. */
export function dayCount(text: string): number {
  const days = daysIn(text).map(({ month, day }) => `${month}-${day}`);
  return new Set([...days, ...(text.match(RELATIVE) ?? []).map((word) => word.toLowerCase())]).size;
}

const RELATIVE = /\b(?:today|tomorrow)\b/gi;

function relativeDays(text: string, today: string): readonly string[] {
  const words = (text.match(RELATIVE) ?? []).map((word) => word.toLowerCase());
  return words.map((word) => laterDay(today, word === "tomorrow" ? 1 : 0));
}

/** The day so many days after another, both `YYYY-MM-DD`. */
export function laterDay(day: string, days: number): string {
  return new Date(Date.parse(`${day.slice(0, 10)}T00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Days from the first to the last that a text gives a stay: "two nights", "for 3 days", "a week"; null where it names none. */
export function nightsIn(text: string): number | null {
  const match = /\b(an?|one|two|three|four|five|six|seven|\d{1,2})[ -](night|day|week)s?\b/i.exec(text);
  if (match === null) return null;
  const word = (match[1] ?? "").toLowerCase();
  return (NUMBERS[word] ?? Number(word)) * ((match[2] ?? "").toLowerCase() === "week" ? 7 : 1);
}

/** The text without the days and times that it names. */
export function withoutDays(text: string): string {
  let rest = spelledOut(text)
    .replace(RELATIVE, " ")
    .replace(/(?<![\d-])\d{4}-\d{2}-\d{2}(?![\d-])/g, " ");
  for (const { form } of FORMS) rest = rest.replace(form, " ");
  return rest.replace(/(?<![\d:])\d{1,2}:\d{2}(?![\d:])(?:\s?[ap]m)?|(?<![\d:.-])\d{1,2} ?[ap]m\b/gi, " ");
}

/** The one stretch of time of a text, as two `HH:MM`: "from 15:00 to 15:30", "3-4 pm"; null where it names none. */
export function timeRangeIn(text: string): readonly [start: string, end: string] | null {
  const match =
    /(?<![\d:-])(\d{1,2})(?::(\d{2}))? ?(am|pm)?(?:-|–| to | until | till | - | and )(\d{1,2})(?::(\d{2}))? ?(am|pm)?(?![\d:-])/i.exec(
      text,
    );
  if (match === null) return null;
  const [, hour, minute, half, untilHour, untilMinute, untilHalf] = match;
  const isClock = minute !== undefined && untilMinute !== undefined;
  if (!isClock && untilHalf === undefined) return null;
  return [
    time(Number(hour), Number(minute ?? 0), half ?? untilHalf),
    time(Number(untilHour), Number(untilMinute ?? 0), untilHalf),
  ];
}

/** The times of day of a text, as `HH:MM`. */
export function timesIn(text: string): readonly string[] {
  const clock = [...text.matchAll(/(?<![\d:])(\d{1,2}):(\d{2})(?![\d:])\s?(am|pm)?/gi)];
  const hours = [...text.matchAll(/(?<![\d:.-])(\d{1,2}) ?(am|pm)\b/gi)];
  return [
    ...clock.map((match) => time(Number(match[1]), Number(match[2]), match[3])),
    ...hours.map((match) => time(Number(match[1]), 0, match[2])),
  ];
}

function time(hour: number, minute: number, half: string | undefined): string {
  const shift = half?.toLowerCase() === "pm" && hour < 12 ? 12 : half?.toLowerCase() === "am" && hour === 12 ? -12 : 0;
  return `${String(hour + shift).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

/** Whole minutes that a text gives a thing to last: "1-hour", "one hour", "30 minutes"; null where it names none. */
export function minutesIn(text: string): number | null {
  const match = /\b(half an|an?|one|two|three|four|\d{1,3}(?:\.5)?)[ -](hour|minute)s?\b/i.exec(text);
  if (match === null) return null;
  const word = (match[1] ?? "").toLowerCase();
  const number = NUMBERS[word] ?? Number(word);
  return Math.round(number * ((match[2] ?? "").toLowerCase() === "hour" ? 60 : 1));
}

const NUMBERS: Readonly<Record<string, number>> = {
  "half an": 0.5,
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
};
