/** A Cap: an aggregate limit over a window, in whole units (minor units for money). The runs inside a run share its `per_run`. */
export type CapWindow =
  | "per_run"
  /** From midnight to midnight in an IANA zone; a week begins on Monday (ISO 8601). */
  | { readonly calendar: "day" | "week" | "month"; readonly zone: string }
  /** The last so many milliseconds. Counted in parts (rails/cap-window.ts): what was taken counts up to a 24th longer, never shorter. */
  | { readonly sliding: number };

/** A Reservation: the part of a cap that one logical action (run + step) holds from just before its effect until it settles. */
export type Reservation = {
  readonly cap: string;
  readonly key: string;
  /** Names the window's instance: `run:01j…`, `day:2026-11-30@Europe/Zurich`, `sliding:86400000@0001764460800000`. */
  readonly window: string;
  readonly amount: number;
  readonly limit: number;
};

/** Where in a cap's books an amount is counted. `window` is where a reservation is put. */
export type CapSlot = {
  readonly cap: string;
  readonly key: string;
  readonly window: string;
  /** Where the window slides, it is read from more than one place: see CapRange. Left out, from `window` alone. */
  readonly range?: CapRange;
};

/**
 * The windows of one cap and key whose names are at or after `from` and before `below`, by code units. What each of them
 * holds counts. It is a range and no list, so that what lies ahead of a clock that was set back is in it, however far.
 */
export type CapRange = { readonly from: string; readonly below: string };

/** How much of one slot is taken by other actions: reserved, settled, or kept because the outcome is unknown. */
export type CapUse = Omit<CapSlot, "range"> & { readonly used: number };

/** Whether what is held in `window` counts in a slot, where cap and key are the slot's. */
export function countsIn({ window, range }: CapSlot, held: string): boolean {
  return held === window || (range !== undefined && range.from <= held && held < range.below);
}
