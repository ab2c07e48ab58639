import { type CapSlot, type CapUse, countsIn, type Reservation } from "../domain/cap.ts";

const NOTHING: ReadonlyMap<string, number> = new Map();

/** What is held of caps, in memory: for decisions that nothing is done after (simulate, backtest). */
export class CapBook {
  /** By cap and key, then by window. */
  readonly #held = new Map<string, Map<string, number>>();
  /** What counts in every window of a cap and key. */
  readonly #always = new Map<string, number>();
  readonly #taken = new Map<string, readonly Reservation[]>();

  /** Holds it in every window there is. */
  holdAlways(cap: string, key: string, amount: number): void {
    const name = nameOf(cap, key);
    this.#always.set(name, (this.#always.get(name) ?? 0) + amount);
  }

  /** What is held of the slots that an action wants: of a window that slides, in every part of it. */
  use(slots: readonly CapSlot[]): readonly CapUse[] {
    return slots.map((slot) => {
      const { cap, key, window, range } = slot;
      const name = nameOf(cap, key);
      const windows = this.#held.get(name) ?? NOTHING;
      let used = this.#always.get(name) ?? 0;
      if (range === undefined) used += windows.get(window) ?? 0;
      else for (const [held, amount] of windows) if (countsIn(slot, held)) used += amount;
      return { cap, key, window, used };
    });
  }

  /** Holds what an action reserves, under a name by which it can be given back. */
  take(action: string, reservations: readonly Reservation[]): void {
    this.release(action);
    this.#taken.set(action, reservations);
    for (const reservation of reservations) this.#move(reservation, reservation.amount);
  }

  has(action: string): boolean {
    return this.#taken.has(action);
  }

  /** What a failed action gives back. */
  release(action: string): void {
    for (const reservation of this.#taken.get(action) ?? []) this.#move(reservation, -reservation.amount);
    this.#taken.delete(action);
  }

  #move({ cap, key, window }: Reservation, amount: number): void {
    const name = nameOf(cap, key);
    const windows = this.#held.get(name) ?? new Map<string, number>();
    windows.set(window, (windows.get(window) ?? 0) + amount);
    this.#held.set(name, windows);
  }
}

function nameOf(cap: string, key: string): string {
  return `${cap}\u0000${key}`;
}
