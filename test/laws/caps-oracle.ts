/**
 * What the caps must do, said once more and slowly: one list of everything that was ever reserved, scanned for each
 * question. Days are computed from the rules of summer time and not from the platform's table of zones.
 */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export type Zone = "Europe/Zurich" | "Australia/Lord_Howe";

/** What local clocks are ahead of UTC by, by the rules that hold since 2008. */
export function offsetMs(zone: Zone, at: number): number {
  const year = new Date(at).getUTCFullYear();
  if (zone === "Europe/Zurich") {
    // From the last Sunday of March to that of October, at 01:00 UTC.
    const summer = at >= lastSunday(year, 3) + HOUR && at < lastSunday(year, 10) + HOUR;
    return (summer ? 2 : 1) * HOUR;
  }
  // From the first Sunday of October, 02:00 at +10:30, to that of April, 02:00 at +11: half an hour, in the south.
  const winter = at >= firstSunday(year, 4) - 9 * HOUR && at < firstSunday(year, 10) - 8.5 * HOUR;
  return (winter ? 10.5 : 11) * HOUR;
}

function firstSunday(year: number, month: number): number {
  let at = Date.UTC(year, month - 1, 1);
  while (new Date(at).getUTCDay() !== 0) at += DAY;
  return at;
}

function lastSunday(year: number, month: number): number {
  let at = Date.UTC(year, month, 0);
  while (new Date(at).getUTCDay() !== 0) at -= DAY;
  return at;
}

/** Every change of a zone's offset in these years. */
export function changesOf(zone: Zone, years: readonly number[]): readonly number[] {
  return years.flatMap((year) =>
    zone === "Europe/Zurich"
      ? [lastSunday(year, 3) + HOUR, lastSunday(year, 10) + HOUR]
      : [firstSunday(year, 4) - 9 * HOUR, firstSunday(year, 10) - 8.5 * HOUR],
  );
}

export function localDay(zone: Zone, at: number): string {
  return new Date(at + offsetMs(zone, at)).toISOString().slice(0, 10);
}

/** The first moment of the day after `at`, found by walking: a day has 23 to 25 hours. */
export function nextMidnight(zone: Zone, at: number): number {
  const today = localDay(zone, at);
  let next = at - (at % (HOUR / 4));
  while (localDay(zone, next) === today) next += HOUR / 4;
  return next;
}

/** The Monday on or before a day. */
function monday(day: string): string {
  let at = Date.parse(`${day}T00:00:00Z`);
  while (new Date(at).getUTCDay() !== 1) at -= DAY;
  return new Date(at).toISOString().slice(0, 10);
}

export type OracleCap = {
  readonly name: string;
  readonly limit: number;
  readonly window: { readonly calendar: "day" | "week" | "month"; readonly zone: Zone } | { readonly sliding: number };
};

export type Wish = { readonly cap: OracleCap; readonly key: string; readonly amount: number };

type Entry = Wish & { readonly at: number; readonly action: number };

/** Everything that is reserved, settled or of unknown outcome. */
export class Oracle {
  readonly #all: Entry[] = [];

  take(action: number, at: number, wishes: readonly Wish[]): void {
    for (const wish of wishes) this.#all.push({ ...wish, at, action });
  }

  /** A failed action gives back what it held. */
  giveBack(action: number): void {
    for (let i = this.#all.length - 1; i >= 0; i--) if (this.#all[i]?.action === action) this.#all.splice(i, 1);
  }

  /**
   * `deny`: a cap would be exceeded. `permit`: there is room, also where a sliding window counts up to a 24th longer than
   * it must. `either`: it is left to that 24th.
   */
  must(now: number, wishes: readonly Wish[]): "permit" | "deny" | "either" {
    const room = (wish: Wish, slackMs: number) => wish.cap.limit - this.#used(wish, now, slackMs) - wish.amount >= 0;
    if (wishes.some((wish) => !room(wish, 0))) return "deny";
    return wishes.every((wish) => room(wish, slackOf(wish.cap))) ? "permit" : "either";
  }

  #used({ cap, key }: Wish, now: number, slackMs: number): number {
    return this.#all
      .filter((entry) => entry.cap === cap && entry.key === key && counts(cap.window, entry.at, now, slackMs))
      .reduce((sum, entry) => sum + entry.amount, 0);
  }

  /** When something was reserved. */
  get moments(): readonly number[] {
    return this.#all.map(({ at }) => at);
  }
}

function slackOf({ window }: OracleCap): number {
  return "sliding" in window ? Math.ceil(window.sliding / 24) : 0;
}

/** What lies ahead of a clock that was set back counts in a window that slides. */
function counts(window: OracleCap["window"], at: number, now: number, slackMs: number): boolean {
  if ("sliding" in window) return now - at < window.sliding + slackMs;
  const [then, today] = [localDay(window.zone, at), localDay(window.zone, now)];
  if (window.calendar === "day") return then === today;
  return window.calendar === "week" ? monday(then) === monday(today) : then.slice(0, 7) === today.slice(0, 7);
}
