/**
 * The books that follow from a run's rows: what the tables beside `rows` must say, computed from nothing but the rows.
 * Each write names its rows by kind (`began`, `decided`, `started`, `finished`, `ended`; design 4), so that is all that
 * is read here.
 */
import { canonicalJson } from "../../domain/canonical.ts";
import { isJsonObject, type Json, own } from "../../domain/json.ts";
import type { Row } from "../../domain/row.ts";
import { fieldOf, headerOf, textOr } from "../../ports/written-rows.ts";

/** A book's columns, as text or number, by name. Compared one by one. */
export type Book = { readonly [column: string]: string | number | null };

export type Books = {
  /** What the `began` row says of the run; null where there is none, and then there is no run. */
  readonly header: Book | null;
  /** By step: every effect, whether a book is kept of it (`settle_key`) or not. */
  readonly effects: ReadonlyMap<number, Book>;
  /** By step, cap, key and window: see slotName. */
  readonly reservations: ReadonlyMap<string, Book>;
};

type Decided = { readonly seq: number; readonly reservations: readonly Json[] };
type Folding = {
  /** The thread in which the run's effects settle. */
  readonly thread: string | null;
  readonly decided: Map<number, Decided>;
  readonly effects: Map<number, Book>;
  readonly reservations: Map<string, Book>;
};

/** Folds the rows of one run into the books that they account for. */
export function booksOf(rows: readonly Row[]): Books {
  const first = rows[0];
  const header = first?.kind === "began" && first.seq === 1 ? headerBook(first) : null;
  const folding: Folding = {
    thread: first === undefined ? null : settlingThreadOf(first),
    decided: new Map(),
    effects: new Map(),
    reservations: new Map(),
  };
  for (const row of rows) addRow(folding, row);
  const { effects, reservations } = folding;
  return { header, effects, reservations };
}

function headerBook(began: Row): Book {
  const { thread, principal, request, startedAt } = headerOf(began);
  return { thread, principal, request, started_at: startedAt };
}

export function slotName(step: number, cap: string, key: string, window: string): string {
  return canonicalJson([step, cap, key, window]);
}

/** A nested run settles its effects in the thread of the outermost run (DecideQuery.thread). */
function settlingThreadOf(began: Row): string | null {
  if (began.kind !== "began") return null;
  const parent = field(began, "parent");
  return textOr(isJsonObject(parent) ? own(parent, "thread") : field(began, "thread"));
}

function addRow(folding: Folding, row: Row): void {
  const step = field(row, "step");
  if (typeof step !== "number") return;
  if (row.kind === "decided") {
    const list = field(row, "reservations");
    folding.decided.set(step, { seq: row.seq, reservations: Array.isArray(list) ? list : [] });
  } else if (row.kind === "started") addStarted(folding, row, step);
  else if (row.kind === "finished") addFinished(folding, row, step);
}

function addStarted({ decided, effects, reservations, thread }: Folding, row: Row, step: number): void {
  const settleKey = textOr(field(row, "settleKey"));
  const book = { settle_key: settleKey, state: "started", started_seq: row.seq, settled_seq: null };
  effects.set(step, thread === null ? book : { ...book, thread });
  const decision = decided.get(step);
  const seq = decision?.seq ?? row.seq;
  const wanted = new Map<string, Book>();
  for (const item of decision?.reservations ?? []) {
    if (!isJsonObject(item)) continue;
    const [cap, key, window] = [own(item, "cap"), own(item, "key"), own(item, "window")];
    const [amount, limit] = [own(item, "amount"), own(item, "limit")];
    if (typeof cap !== "string" || typeof key !== "string" || typeof window !== "string") continue;
    if (typeof amount !== "number" || typeof limit !== "number") continue;
    wanted.set(slotName(step, cap, key, window), { step, amount, limit, state: "reserved", seq, settled_seq: null });
  }
  // A step that is decided again gives back what it held and no longer asks for.
  for (const [name, book] of heldBy(reservations, step)) {
    if (!wanted.has(name)) reservations.set(name, { ...book, state: "released", settled_seq: seq });
  }
  for (const [name, book] of wanted) reservations.set(name, book);
}

const SETTLED_STATE = new Map([
  ["done", "settled"],
  ["failed", "released"],
  ["outcome_unknown", "kept"],
]);

function addFinished({ effects, reservations }: Folding, row: Row, step: number): void {
  const effect = effects.get(step);
  // A row leaves out what goes without saying (domain/row-body.ts).
  const outcome = textOr(field(row, "outcome") ?? "done");
  const state = SETTLED_STATE.get(outcome ?? "");
  if (effect === undefined || state === undefined) return;
  effects.set(step, { ...effect, state: outcome, settled_seq: row.seq });
  for (const [name, book] of heldBy(reservations, step))
    reservations.set(name, { ...book, state, settled_seq: row.seq });
}

function heldBy(reservations: ReadonlyMap<string, Book>, step: number): (readonly [string, Book])[] {
  return [...reservations].filter(
    ([, book]) => book.step === step && (book.state === "reserved" || book.state === "kept"),
  );
}

function field(row: Row, name: string): Json | undefined {
  return fieldOf(row.body, name);
}
