import { z } from "signalbox";

const Event = z.strictObject({
  id_: z.string(),
  title: z.string(),
  description: z.string(),
  start_time: z.string(),
  end_time: z.string(),
  location: z.string().nullable(),
  participants: z.array(z.string()),
  all_day: z.boolean(),
  status: z.enum(["confirmed", "canceled"]),
});
export type Event = z.infer<typeof Event>;

export const CalendarState = z.object({
  account_email: z.string(),
  current_day: z.string(),
  initial_events: z.array(Event),
});
export type CalendarState = z.infer<typeof CalendarState>;

/** One person's calendar, in memory. It does what it is told: whether it may is not its business. */
export class Calendar {
  readonly owner: string;
  /** The calendar's own today, `YYYY-MM-DD`. */
  readonly today: string;
  readonly #events: Map<string, Event>;

  constructor(state: CalendarState) {
    this.owner = state.account_email;
    this.today = state.current_day;
    this.#events = new Map(state.initial_events.map((event) => [event.id_, structuredClone(event)]));
  }

  /** What is going to happen, and what has; not what was cancelled. */
  get events(): readonly Event[] {
    return [...this.#events.values()].filter(({ status }) => status === "confirmed");
  }

  /** Every event, the cancelled ones too. */
  get all(): readonly Event[] {
    return [...this.#events.values()];
  }

  event(id: string): Event | null {
    return this.#events.get(id) ?? null;
  }

  onDay(day: string): readonly Event[] {
    return this.events.filter((event) => dayOf(event.start_time) === day);
  }

  search(query: string, day: string | null): readonly Event[] {
    const wanted = query.toLowerCase();
    const among = day === null ? this.events : this.onDay(day);
    return among.filter(({ title, description }) => `${title}\n${description}`.toLowerCase().includes(wanted));
  }

  /** The events that are on at some moment between two times; all-day ones leave room for others. */
  during(start: string, end: string): readonly Event[] {
    const [from, to] = [minuteOf(start), minuteOf(end)];
    return this.events.filter(
      (event) => !event.all_day && minuteOf(event.start_time) < to && from < minuteOf(event.end_time),
    );
  }

  add(event: Omit<Event, "id_" | "status" | "all_day">): Event {
    const id_ = String(Math.max(-1, ...[...this.#events.keys()].map(Number)) + 1);
    const participants = [...new Set([...event.participants, this.owner])];
    return this.#put({ ...event, id_, participants, status: "confirmed", all_day: false });
  }

  change(id: string, changes: Partial<Event>): Event | null {
    const event = this.event(id);
    return event === null ? null : this.#put({ ...event, ...changes });
  }

  #put(event: Event): Event {
    this.#events.set(event.id_, event);
    return event;
  }
}

export function dayOf(time: string): string {
  return time.slice(0, 10);
}

/** `HH:MM`. */
export function clockOf(time: string): string {
  return time.slice(11, 16);
}

/** Whole minutes of a local time, comparable with one another. */
export function minuteOf(time: string): number {
  return Date.parse(`${dayOf(time)}T${clockOf(time) || "00:00"}Z`) / 60_000;
}
