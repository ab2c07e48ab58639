/** A Cap: an aggregate limit over a window, in whole units (minor units for money). The runs inside a run share its `per_run`. */
export type CapWindow = "per_run" | { readonly calendar: "day"; readonly zone: string };

/** A Reservation: the part of a cap that one logical action (run + step) holds from just before its effect until it settles. */
export type Reservation = {
  readonly cap: string;
  readonly key: string;
  /** Names the window's instance, such as `run:01j…` or `day:2026-11-30@Europe/Zurich`. */
  readonly window: string;
  readonly amount: number;
  readonly limit: number;
};

/** Where in a cap's books an amount is counted. */
export type CapSlot = { readonly cap: string; readonly key: string; readonly window: string };

/** How much of one slot is taken by other actions: reserved, settled, or kept because the outcome is unknown. */
export type CapUse = CapSlot & { readonly used: number };
