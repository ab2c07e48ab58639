import type { CapSlot, CapUse, Reservation } from "../../domain/cap.ts";
import type { Outcome } from "../../domain/effect.ts";
import type { Database } from "./database.ts";
import { seqOfId } from "./row-id.ts";
import { SQL } from "./sql.ts";

/** A reservation that a step has already, with what it holds: 0 once it is released. */
export type Held = CapSlot & { readonly amount: number; readonly released: boolean };

/**
 * Writes the reservations of a step that may start: new ones, those that it had and has again, and the release of those
 * that it had and no longer has. The sum of a slot moves first: see the triggers of `cap_usage`.
 *
 * That everything fits was for `judge` to see. It is checked here once more, because a cap that is broken by a bug in a
 * rule is broken all the same: what must never happen cannot be written.
 */
export function reserve(
  db: Database,
  step: {
    /** The id of the step. */
    readonly effect: number;
    readonly own: readonly Held[];
    /** What others hold of the slots of the query. */
    readonly capUse: readonly CapUse[];
    readonly reservations: readonly Reservation[];
    /** The id of the row that says so. */
    readonly row: number;
  },
): void {
  const { effect, own, capUse, reservations, row } = step;
  const seq = seqOfId(row);
  checkReservations(reservations, capUse);
  for (const wanted of reservations) {
    const { cap, key, window, amount, limit } = wanted;
    const mine = own.find((held) => sameSlot(held, wanted));
    moveUsage(db, wanted, amount - (mine?.amount ?? 0), row);
    if (mine === undefined) {
      db.write("insert reservation", SQL.insertReservation, effect, cap, key, window, amount, limit, seq);
    } else {
      db.write("renew reservation", SQL.renewReservation, amount, limit, seq, effect, cap, key, window);
    }
  }
  for (const mine of own) {
    if (mine.released || reservations.some((wanted) => sameSlot(wanted, mine))) continue;
    const { cap, key, window, amount } = mine;
    moveUsage(db, mine, -amount, row);
    db.write("release reservation", SQL.releaseReservation, seq, effect, cap, key, window);
  }
}

function checkReservations(reservations: readonly Reservation[], capUse: readonly CapUse[]): void {
  for (const [index, wanted] of reservations.entries()) {
    const { cap, amount, limit } = wanted;
    if (!Number.isSafeInteger(amount) || amount < 0 || !Number.isSafeInteger(limit)) {
      throw new TypeError(`the reservation of cap ${cap} is not in whole units`);
    }
    if (reservations.findIndex((other) => sameSlot(other, wanted)) !== index) {
      throw new TypeError(`cap ${cap} is reserved twice by one step`);
    }
    const others = capUse.find((use) => sameSlot(use, wanted));
    if (others === undefined) throw new TypeError(`cap ${cap} is reserved, and its use was not asked for`);
    if (amount > 0 && others.used + amount > limit) {
      throw new TypeError(`cap ${cap} would hold ${others.used + amount} of ${limit}: the judge let through too much`);
    }
  }
}

/** Done: settled, and counted for good. Failed: released. Unknown: kept, and counted until a person has looked. */
export function settleReservations(
  db: Database,
  step: {
    readonly effect: number;
    readonly outcome: Outcome;
    readonly own: readonly Held[];
    readonly row: number;
  },
): void {
  const { effect, outcome, own, row } = step;
  if (own.length === 0) return;
  const state = { done: "settled", failed: "released", outcome_unknown: "kept" }[outcome];
  if (outcome === "failed") for (const held of own) moveUsage(db, held, -held.amount, row);
  db.write("settle reservations", SQL.settleReservations, state, seqOfId(row), effect);
}

function moveUsage(db: Database, { cap, key, window }: CapSlot, by: number, row: number): void {
  if (by === 0) return;
  const moved = db.write("move cap usage", SQL.moveUsage, by, row, cap, key, window);
  if (moved === 0) db.write("insert cap usage", SQL.insertUsage, cap, key, window, by, row);
}

function sameSlot(a: CapSlot, b: CapSlot): boolean {
  return a.cap === b.cap && a.key === b.key && a.window === b.window;
}
