import { type CapSlot, type CapUse, countsIn, type Reservation } from "../../domain/cap.ts";
import type { Outcome } from "../../domain/effect.ts";
import type { CapEntry, CapFilter, CapHolder } from "../../ports/store.ts";

type Step = { readonly run: string; readonly step: number };
type State = "reserved" | "settled" | "kept";
type Own = Reservation & { readonly slot: string };

/** Where in the ledger something was written: the run's place in the order of beginning, and the row. */
export type WrittenAt = { readonly n: number; readonly seq: number; readonly at: number };

/** What a step holds, in which state, and the decision by which it does. */
type Holding = {
  readonly step: Step;
  readonly tool: string;
  readonly decided: WrittenAt;
  state: State;
  readonly own: readonly Own[];
};

/** The sum of a slot's reservations that are not released, and the row that last moved it. */
type Sum = { readonly slot: CapSlot; held: number; moved: WrittenAt };

/** What each step holds of each cap, and the sum per slot, so that a cap costs the same however full it is. */
export class CapBooks {
  /** By run and step: what the step holds. Released reservations are gone. */
  readonly #own = new Map<string, Holding>();
  readonly #sums = new Map<string, Sum>();
  /** By cap and key: the windows that have a sum, in the order of their names. For caps that slide. */
  readonly #windows = new Map<string, string[]>();

  /** What is taken of a slot, `except` by one step. */
  use(slot: CapSlot, except: Step | null): CapUse {
    const { cap, key, window, range } = slot;
    let used = range === undefined ? this.#heldIn({ cap, key, window }) : 0;
    if (range !== undefined) {
      const windows = this.#windows.get(nameOfCap(slot)) ?? [];
      for (let i = placeIn(windows, range.from); i < windows.length; i++) {
        const name = windows[i] ?? "";
        if (name >= range.below) break;
        used += this.#heldIn({ cap, key, window: name });
      }
    }
    for (const own of except === null ? [] : this.#ownOf(except)) {
      if (own.cap === cap && own.key === key && countsIn(slot, own.window)) used -= own.amount;
    }
    return { cap, key, window, used };
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
  reserve(step: Step, tool: string, reservations: readonly Reservation[], decided: WrittenAt): void {
    const before = this.#ownOf(step);
    const own = reservations.map(({ cap, key, window, amount, limit }) => {
      return { cap, key, window, amount, limit, slot: nameOf({ cap, key, window }) };
    });
    for (const wanted of own) {
      const mine = before.find(({ slot }) => slot === wanted.slot);
      this.#move(wanted, wanted.amount - (mine?.amount ?? 0), decided);
    }
    for (const mine of before) {
      if (!own.some(({ slot }) => slot === mine.slot)) this.#move(mine, -mine.amount, decided);
    }
    if (own.length === 0) this.#own.delete(nameOfStep(step));
    else this.#own.set(nameOfStep(step), { step, tool, decided, state: "reserved", own });
  }

  /** Done: settled, and counted for good. Failed: released. Unknown: kept, and counted until a person has looked. */
  settle(step: Step, outcome: Outcome, finished: WrittenAt): void {
    if (this.#own.size === 0) return;
    if (outcome === "failed") {
      for (const own of this.#ownOf(step)) this.#move(own, -own.amount, finished);
      this.#own.delete(nameOfStep(step));
      return;
    }
    const holding = this.#own.get(nameOfStep(step));
    if (holding !== undefined) holding.state = outcome === "done" ? "settled" : "kept";
  }

  /** See Store.readCaps. `carriers`: who carries a run. */
  read(
    { cap, key, range, limit }: CapFilter,
    carriers: (run: string) => Pick<CapHolder, "carried" | "outside">,
  ): readonly CapEntry[] {
    const shown = [...this.#sums.values()]
      .filter(({ slot, held }) => {
        const named = (cap === undefined || slot.cap === cap) && (key === undefined || slot.key === key);
        return held > 0 && named && (range === undefined || (range.from <= slot.window && slot.window < range.below));
      })
      .sort((a, b) => newestFirst(a.moved, b.moved) || (nameOf(a.slot) < nameOf(b.slot) ? -1 : 1))
      .slice(0, limit);
    const bySlot = new Map<string, { readonly holding: Holding; readonly own: Own }[]>();
    for (const { slot } of shown) bySlot.set(nameOf(slot), []);
    for (const holding of this.#own.values()) {
      for (const own of holding.own) bySlot.get(own.slot)?.push({ holding, own });
    }
    return shown.map(({ slot, moved }) => {
      const all = (bySlot.get(nameOf(slot)) ?? []).sort((a, b) => newestFirst(a.holding.decided, b.holding.decided));
      const sum = (state: State) =>
        all.reduce((total, { holding, own }) => total + (holding.state === state ? own.amount : 0), 0);
      const open = all.filter(({ holding }) => holding.state !== "settled");
      return {
        cap: slot.cap,
        key: slot.key,
        window: slot.window,
        limit: all[0]?.own.limit ?? 0,
        settled: sum("settled"),
        reserved: sum("reserved"),
        kept: sum("kept"),
        movedAt: moved.at,
        open: open.length,
        holders: open.slice(0, limit).map(({ holding: { step, tool, state, decided }, own }) => ({
          ...step,
          tool,
          state: state === "kept" ? ("kept" as const) : ("reserved" as const),
          amount: own.amount,
          since: decided.at,
          ...carriers(step.run),
        })),
      };
    });
  }

  /** Sums that are not those of the reservations, one line each. */
  disagreements(): readonly string[] {
    const sums = new Map<string, number>();
    for (const { own } of this.#own.values()) {
      for (const { amount, slot } of own) sums.set(slot, (sums.get(slot) ?? 0) + amount);
    }
    return [...this.#sums]
      .filter(([slot, { held }]) => held !== (sums.get(slot) ?? 0))
      .map(([slot, { held }]) => `the use of cap ${slot} is ${held}, its reservations make ${sums.get(slot) ?? 0}`);
  }

  #ownOf(step: Step): readonly Own[] {
    return this.#own.get(nameOfStep(step))?.own ?? [];
  }

  #heldIn(slot: CapSlot): number {
    return this.#sums.get(nameOf(slot))?.held ?? 0;
  }

  #move({ cap, key, window, slot: name }: Own, by: number, moved: WrittenAt): void {
    if (by === 0) return;
    const sum = this.#sums.get(name);
    if (sum !== undefined) {
      sum.held += by;
      sum.moved = moved;
      return;
    }
    const slot = { cap, key, window };
    this.#sums.set(name, { slot, held: by, moved });
    const windows = this.#windows.get(nameOfCap(slot));
    if (windows === undefined) this.#windows.set(nameOfCap(slot), [window]);
    else windows.splice(placeIn(windows, window), 0, window);
  }
}

/** The index of the first name that is not before `from`. */
function placeIn(sorted: readonly string[], from: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? "") < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

function newestFirst(a: WrittenAt, b: WrittenAt): number {
  return b.at - a.at || b.n - a.n || b.seq - a.seq;
}

function nameOf({ cap, key, window }: CapSlot): string {
  return JSON.stringify([cap, key, window]);
}

function nameOfCap({ cap, key }: CapSlot): string {
  return JSON.stringify([cap, key]);
}

function nameOfStep({ run, step }: Step): string {
  return `${step} ${run}`;
}
