import type { CapSlot, CapUse, Reservation } from "../../domain/cap.ts";

type Step = { readonly run: string; readonly step: number };
type Own = Reservation & { readonly slot: string };

/** What each step holds of each cap, and the sum per slot, so that a cap costs the same however full it is. */
export class CapBooks {
  /** By run and step: what the step holds. Released reservations are gone. */
  readonly #own = new Map<string, readonly Own[]>();
  readonly #held = new Map<string, number>();

  /** What is taken of a slot, `except` by one step. */
  use({ cap, key, window }: CapSlot, except: Step | null): CapUse {
    const slot = nameOf({ cap, key, window });
    const mine = except === null ? undefined : this.#ownOf(except).find((own) => own.slot === slot);
    return { cap, key, window, used: (this.#held.get(slot) ?? 0) - (mine?.amount ?? 0) };
  }

  /** Whether a step has reservations that are not released. */
  holds(step: Step): boolean {
    return this.#own.size > 0 && this.#own.has(nameOfStep(step));
  }

  /**
   * Throws where reservations are not fit to be written. That everything fits was for `judge` to see; it is checked once
   * more, because a cap that is broken by a bug in a rule is broken all the same.
   */
  check(capUse: readonly CapUse[], reservations: readonly Reservation[]): void {
    for (const [index, wanted] of reservations.entries()) {
      const { cap, amount, limit } = wanted;
      if (!Number.isSafeInteger(amount) || amount < 0 || !Number.isSafeInteger(limit)) {
        throw new TypeError(`the reservation of cap ${cap} is not in whole units`);
      }
      if (reservations.findIndex((other) => nameOf(other) === nameOf(wanted)) !== index) {
        throw new TypeError(`cap ${cap} is reserved twice by one step`);
      }
      const others = capUse.find((use) => nameOf(use) === nameOf(wanted));
      if (others === undefined) throw new TypeError(`cap ${cap} is reserved, and its use was not asked for`);
      if (amount > 0 && others.used + amount > limit) {
        throw new TypeError(
          `cap ${cap} would hold ${others.used + amount} of ${limit}: the judge let through too much`,
        );
      }
    }
  }

  /** Gives a step these reservations, in place of those that it had. */
  reserve(step: Step, reservations: readonly Reservation[]): void {
    this.release(step);
    if (reservations.length === 0) return;
    const own = reservations.map(({ cap, key, window, amount, limit }) => {
      return { cap, key, window, amount, limit, slot: nameOf({ cap, key, window }) };
    });
    this.#own.set(nameOfStep(step), own);
    for (const { amount, slot } of own) this.#move(slot, amount);
  }

  release(step: Step): void {
    if (this.#own.size === 0) return;
    for (const { amount, slot } of this.#ownOf(step)) this.#move(slot, -amount);
    this.#own.delete(nameOfStep(step));
  }

  /** Sums that are not those of the reservations, one line each. */
  disagreements(): readonly string[] {
    const sums = new Map<string, number>();
    for (const list of this.#own.values()) {
      for (const { amount, slot } of list) sums.set(slot, (sums.get(slot) ?? 0) + amount);
    }
    return [...this.#held]
      .filter(([slot, held]) => held !== (sums.get(slot) ?? 0))
      .map(([slot, held]) => `the use of cap ${slot} is ${held}, its reservations make ${sums.get(slot) ?? 0}`);
  }

  #ownOf(step: Step): readonly Own[] {
    return this.#own.get(nameOfStep(step)) ?? [];
  }

  #move(slot: string, by: number): void {
    this.#held.set(slot, (this.#held.get(slot) ?? 0) + by);
  }
}

function nameOf({ cap, key, window }: CapSlot): string {
  return JSON.stringify([cap, key, window]);
}

function nameOfStep({ run, step }: Step): string {
  return `${step} ${run}`;
}
