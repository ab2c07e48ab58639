/** Days and times of day that a request names, in the spellings of people: "2024-05-19", "May 15th, 2024", "the 14th of November", "at 10:00", "5 pm". */

export type NamedDay = { readonly month: number; readonly day: number; readonly year: number | null };

const MONTHS = "january february march april may june july august september october november december".split(" ");
const MONTH = `(${MONTHS.map((month) => `${month}|${month.slice(0, 3)}`).join("|")})`;
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?";
const YEAR = "(?:,? (\\d{4}))?(?![\\d:])";
const FORMS = [
  { form: new RegExp(`\\b${MONTH}\\.? ${DAY}\\b${YEAR}`, "gi"), month: 1, day: 2 },
  { form: new RegExp(`\\b${DAY}(?: of)? ${MONTH}\\b${YEAR}`, "gi"), month: 2, day: 1 },
] as const;

export function daysIn(text: string): readonly NamedDay[] {
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
  return days.some((named) => {
    if (named.month !== month || named.day !== date) return false;
    if (named.year !== null) return named.year === year;
    return years.length > 0 ? years.includes(year) : Math.abs(year - Number(today.slice(0, 4))) <= 1;
  });
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

const NUMBERS: Readonly<Record<string, number>> = { "half an": 0.5, a: 1, an: 1, one: 1, two: 2, three: 3, four: 4 };
