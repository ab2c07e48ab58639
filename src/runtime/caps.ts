import type { CapEntry, CapHolder } from "../ports/store.ts";
import { slidingLength, windowAt } from "../rails/index.ts";
import type { Parts } from "./parts.ts";

/** One cap for one key in one window: what is taken of it, and who waits. A window that slides is the one that ends now. */
export type CapState = {
  readonly cap: string;
  readonly key: string;
  /** Its name in the books. */
  readonly window: string;
  /** As the newest reservation has it, in the cap's own whole units. */
  readonly limit: number;
  /** `settled + reserved + kept`. */
  readonly used: number;
  /** By effects that are done. */
  readonly settled: number;
  /** By effects that were started and have no outcome yet. */
  readonly reserved: number;
  /** By effects of which nobody knows whether they happened. */
  readonly kept: number;
  /** The `at` of the row that last moved it. */
  readonly movedAt: number;
  /** How many reservations are reserved or kept. */
  readonly open: number;
  /** These, newest first, up to the limit. */
  readonly holders: readonly CapHolder[];
};

export type CapsFilter = { readonly cap?: string; readonly limit?: number };

/** How many caps are shown where nobody says, and as many holders of each. */
const LIMIT = 20;
/** A window that slides has as many places in the books as it has parts, and one more. */
const PLACES = 25;
/** Parts that count in one sliding window: those, and what lies ahead of a clock that was set back. */
const PARTS_MAX = 10_000;

/** What is held of the caps and by whom, newest first. It decides nothing, and what it shows may have moved since. */
export async function readCaps(parts: Parts, { cap, limit = LIMIT }: CapsFilter): Promise<readonly CapState[]> {
  const { store } = parts;
  const now = parts.clock.now();
  const entries = await store.readCaps({ limit: limit * PLACES, ...(cap === undefined ? {} : { cap }) });
  const states: CapState[] = [];
  const slid = new Set<string>();
  for (const entry of entries) {
    if (states.length >= limit) break;
    const length = slidingLength(entry.window);
    if (length === null) {
      states.push({ ...entry, used: usedOf(entry), holders: entry.holders.slice(0, limit) });
      continue;
    }
    const { window, range } = windowAt({ sliding: length }, now, "");
    // What has left its window and still waits for an outcome stands for itself: it is in nobody's way, and not forgotten.
    if (range !== undefined && entry.window < range.from) {
      if (entry.open > 0) states.push({ ...entry, used: usedOf(entry), holders: entry.holders.slice(0, limit) });
      continue;
    }
    const name = JSON.stringify([entry.cap, entry.key, length]);
    if (range === undefined || slid.has(name)) continue;
    slid.add(name);
    const counted = await store.readCaps({ cap: entry.cap, key: entry.key, range, limit: PARTS_MAX });
    if (counted.length > 0) states.push(together(counted, window, limit));
  }
  return states;
}

/** The parts of a sliding window as one. */
function together(counted: readonly CapEntry[], window: string, limit: number): CapState {
  const sum = (of: (entry: CapEntry) => number): number => counted.reduce((total, entry) => total + of(entry), 0);
  const [newest] = [...counted].sort((a, b) => b.movedAt - a.movedAt);
  return {
    cap: newest?.cap ?? "",
    key: newest?.key ?? "",
    window,
    limit: newest?.limit ?? 0,
    used: sum(usedOf),
    settled: sum(({ settled }) => settled),
    reserved: sum(({ reserved }) => reserved),
    kept: sum(({ kept }) => kept),
    movedAt: newest?.movedAt ?? 0,
    open: sum(({ open }) => open),
    holders: counted
      .flatMap(({ holders }) => holders)
      .sort((a, b) => b.since - a.since)
      .slice(0, limit),
  };
}

function usedOf({ settled, reserved, kept }: CapEntry): number {
  return settled + reserved + kept;
}
