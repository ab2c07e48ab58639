import { nearest } from "../domain/nearest.ts";
import type { CapEntry, CapHolder } from "../ports/store.ts";
import { slidingLength, windowAt } from "../rails/index.ts";
import { type CapSpan, spanOf } from "./cap-span.ts";
import { SignalboxError } from "./error.ts";
import type { Parts } from "./parts.ts";

/** One cap for one key in one window: what is taken of it, and who waits. A window that slides is the one that ends now. */
export type CapState = CapSpan & {
  readonly cap: string;
  /** null: a cap that is split by a key, of which nothing is held for any. */
  readonly key: string | null;
  /** Its name in the books; null: that of no run yet. */
  readonly slot: string | null;
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
  /** The `at` of the row that last moved it; null where none did. */
  readonly movedAt: number | null;
  /** How many reservations are reserved or kept. */
  readonly open: number;
  /** These, newest first, up to the limit. */
  readonly holders: readonly CapHolder[];
};

/** `unheld`: also the declared caps of which nothing is held now, behind the others. */
export type CapsFilter = { readonly cap?: string; readonly limit?: number; readonly unheld?: boolean };

/** How many caps are shown where nobody says, and as many holders of each. */
const LIMIT = 20;
/** A window that slides has as many places in the books as it has parts, and one more. */
const PLACES = 25;
/** Parts that count in one sliding window: those, and what lies ahead of a clock that was set back. */
const PARTS_MAX = 10_000;

/**
 * What is held of the caps and by whom, newest first. It decides nothing, and what it shows may have moved since. A cap that
 * is neither declared nor in the books is `unknown_cap`.
 */
export async function readCaps(parts: Parts, filter: CapsFilter): Promise<readonly CapState[]> {
  const { cap, limit = LIMIT } = filter;
  const held = await heldOf(parts, cap, limit);
  const declared = [...parts.tools.values()].flatMap((tool) => tool.caps);
  if (cap !== undefined && held.length === 0 && !declared.some(({ name }) => name === cap)) {
    const near = nearest(
      cap,
      declared.map(({ name }) => name),
    );
    throw new SignalboxError("unknown_cap", `the config has no cap "${cap}"`, {
      hint: near === null ? "without a name all caps are shown" : `did you mean "${near}"?`,
    });
  }
  if (filter.unheld !== true) return held;
  const now = parts.clock.now();
  const unheld = new Map<string, CapState>();
  for (const { name, window, limit: most, key } of declared) {
    const slot = window === "per_run" ? null : windowAt(window, now, "").window;
    const isHeld = held.some((state) => state.cap === name && (slot === null || state.slot === slot));
    if (isHeld || (cap !== undefined && cap !== name)) continue;
    const counts = { used: 0, settled: 0, reserved: 0, kept: 0, open: 0, holders: [] };
    const whose = { cap: name, key: key === undefined ? "all" : null, slot };
    unheld.set(name, { ...whose, ...spanOf(slot, now), limit: most, ...counts, movedAt: null });
  }
  return [...held, ...[...unheld.values()].slice(0, Math.max(0, limit - held.length))];
}

async function heldOf(parts: Parts, cap: string | undefined, limit: number): Promise<readonly CapState[]> {
  const { store } = parts;
  const now = parts.clock.now();
  const entries = await store.readCaps({ limit: limit * PLACES, ...(cap === undefined ? {} : { cap }) });
  const states: CapState[] = [];
  const slid = new Set<string>();
  const alone = ({ window, ...entry }: CapEntry): CapState => ({
    ...entry,
    slot: window,
    ...spanOf(window, now),
    used: usedOf(entry),
    holders: entry.holders.slice(0, limit),
  });
  for (const entry of entries) {
    if (states.length >= limit) break;
    const length = slidingLength(entry.window);
    if (length === null) {
      states.push(alone(entry));
      continue;
    }
    const { window, range } = windowAt({ sliding: length }, now, "");
    // What has left its window and still waits for an outcome stands for itself: it is in nobody's way, and not forgotten.
    if (range !== undefined && entry.window < range.from) {
      if (entry.open > 0) states.push(alone(entry));
      continue;
    }
    const name = JSON.stringify([entry.cap, entry.key, length]);
    if (range === undefined || slid.has(name)) continue;
    slid.add(name);
    const counted = await store.readCaps({ cap: entry.cap, key: entry.key, range, limit: PARTS_MAX });
    if (counted.length > 0) states.push({ ...together(counted, limit), slot: window, ...spanOf(window, now) });
  }
  return states;
}

/** The parts of a sliding window as one. */
function together(counted: readonly CapEntry[], limit: number): Omit<CapState, "slot" | keyof CapSpan> {
  const sum = (of: (entry: CapEntry) => number): number => counted.reduce((total, entry) => total + of(entry), 0);
  const [newest] = [...counted].sort((a, b) => b.movedAt - a.movedAt);
  return {
    cap: newest?.cap ?? "",
    key: newest?.key ?? "",
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

function usedOf({ settled, reserved, kept }: Pick<CapEntry, "settled" | "reserved" | "kept">): number {
  return settled + reserved + kept;
}
