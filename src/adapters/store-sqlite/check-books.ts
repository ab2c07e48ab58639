import { DatabaseSync } from "node:sqlite";
import type { Row } from "../../domain/row.ts";
import { StoreError } from "../../ports/store.ts";
import { type Book, booksOf, slotName } from "./books.ts";
import type { Database } from "./database.ts";
import { type Columns, reading, readRowsOf, textIn, wholeIn } from "./read.ts";
import { IDS_A_RUN, runNumberOf, seqOfId } from "./row-id.ts";
import { SCHEMA } from "./schema.ts";
import { SQL } from "./sql.ts";

/** SQLite stops looking for damage in its own structures after this many finds. */
const DAMAGE_MAX = 20;

/**
 * Holds every book against the rows that it follows from, and the file against its own structure and schema: one line
 * for each disagreement, with the run and the row where there is one. Reads the whole database, one run at a time.
 */
export function checkBooks(db: Database): readonly string[] {
  const lines = [...checkFile(db), ...checkSchema(db)];
  const runs = reading("the index of runs", () =>
    db.statement("SELECT first, run FROM runs ORDER BY first").all().map(readName),
  );
  for (const [index, { first, run }] of runs.entries()) {
    if (runNumberOf(first) !== index + 1 || seqOfId(first) !== 1) {
      lines.push(`runs: run ${index + 1} in the order of their beginning is missing, before run ${run}`);
      break;
    }
  }
  for (const run of runs) lines.push(...checkRun(db, run));
  return [...lines, ...checkStrays(db), ...checkUsage(db)];
}

type Name = { readonly first: number; readonly run: string };

function readName(columns: Columns): Name {
  return { first: wholeIn(columns, "first"), run: textIn(columns, "run") };
}

function checkFile(db: Database): string[] {
  const found = db.statement(`PRAGMA integrity_check(${DAMAGE_MAX})`).all();
  return found.flatMap(({ integrity_check: line }) =>
    line === "ok" ? [] : [`file: ${String(line).replace(/\s+/g, " ")}`],
  );
}

/** The schema is part of what is promised: without its triggers a book could have changed without a row. */
function checkSchema(db: Database): string[] {
  const lines: string[] = [];
  const ours = expectedSchema();
  const query = "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL";
  const found = new Map(
    db
      .statement(query)
      .all()
      .map((columns) => [String(columns.name), columns] as const),
  );
  for (const [name, { type, sql }] of ours) {
    const there = found.get(name);
    if (there === undefined) lines.push(`schema: the ${type} ${name} is missing`);
    else if (there.sql !== sql) lines.push(`schema: the ${type} ${name} was changed`);
  }
  for (const [name, { type }] of found) {
    if (type === "trigger" && !ours.has(name)) lines.push(`schema: the trigger ${name} is not ours`);
  }
  return lines;
}

function expectedSchema(): ReadonlyMap<string, Columns> {
  // SQLite itself says how it keeps the text of a statement.
  const db = new DatabaseSync(":memory:");
  try {
    for (const sql of SCHEMA) db.exec(sql);
    const all = db.prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL").all();
    return new Map(all.map((columns) => [String(columns.name), columns] as const));
  } finally {
    db.close();
  }
}

// A step's books have ids as the run's rows do, from `first - 1` on.
const BOOKS = {
  header: "SELECT thread, principal, request, started_at FROM runs WHERE first = ?",
  effects: `SELECT id, thread, settle_key, state, started_seq, settled_seq FROM keyed_effects
WHERE id BETWEEN ? AND ? ORDER BY id`,
  reservations: `SELECT effect AS id, cap, key, "window", amount, "limit", state, seq, settled_seq FROM reservations
WHERE effect BETWEEN ? AND ? ORDER BY effect, cap, key, "window"`,
} as const;

function checkRun(db: Database, { first, run }: Name): string[] {
  const lines: string[] = [];
  let rows: readonly Row[];
  try {
    rows = readRowsOf(run, db.statement(SQL.rows));
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "damaged") throw error;
    return [`run ${run}: its books cannot be checked: ${error.message}`];
  }
  const books = booksOf(rows);
  const compare = (what: string, seq: number, expected: Book | undefined, found: Columns | undefined) => {
    const wrong =
      expected === undefined ? "no row says so" : found === undefined ? "it is missing" : differs(expected, found);
    if (wrong !== null) lines.push(`run ${run} row ${seq}: ${what}: ${wrong}`);
  };
  compare("the run", 1, books.header ?? undefined, db.statement(BOOKS.header).get(first));

  const effects = byName(db, BOOKS.effects, first, stepOf);
  for (const step of new Set([...books.effects.keys(), ...effects.keys()])) {
    const [expected, found] = [books.effects.get(step), effects.get(step)];
    // An effect without a key has no book, or one without a key where it had one when it was started before.
    if (expected?.settle_key === null && (found?.settle_key ?? null) === null) continue;
    compare(`the effect of step ${step}`, seqOf(expected, found), expected, found);
  }
  const reservations = byName(db, BOOKS.reservations, first, (columns) =>
    slotName(stepOf(columns), String(columns.cap), String(columns.key), String(columns.window)),
  );
  for (const name of new Set([...books.reservations.keys(), ...reservations.keys()])) {
    const { step: _, ...expected } = books.reservations.get(name) ?? {};
    const known = books.reservations.has(name) ? expected : undefined;
    compare(`the reservation ${name}`, seqOf(known, reservations.get(name)), known, reservations.get(name));
  }
  return lines;
}

function stepOf({ id }: Columns): number {
  return seqOfId(Number(id));
}

function byName<K>(db: Database, sql: string, first: number, name: (columns: Columns) => K): ReadonlyMap<K, Columns> {
  const all = reading(`the books of run ${runNumberOf(first)}`, () =>
    db.statement(sql).all(first - 1, first - 2 + IDS_A_RUN),
  );
  return new Map(all.map((columns) => [name(columns), columns] as const));
}

/** The row to name: the newest one that the book stands on. */
function seqOf(expected: Book | undefined, found: Columns | undefined): number {
  const book: Columns = expected ?? found ?? {};
  return Number(book.settled_seq ?? book.started_seq ?? book.seq ?? 0);
}

function differs(expected: Book, found: Columns): string | null {
  for (const [column, value] of Object.entries(expected)) {
    if (found[column] !== value) return `${column} is ${shown(found[column])}, the rows say ${shown(value)}`;
  }
  return null;
}

function shown(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** Rows and books of runs that the index does not know. */
function checkStrays(db: Database): string[] {
  const numbered = Object.entries({ rows: "id", keyed_effects: "id", reservations: "effect" });
  const lines = numbered.flatMap(([table, id]) => {
    const sql = `SELECT min(${id}) AS id FROM ${table} GROUP BY ${id} >> 24 HAVING (${id} >> 24 << 24) + 1 NOT IN (SELECT first FROM runs)`;
    const all = reading(`the table ${table}`, () => db.statement(sql).all());
    return all.map(({ id: first }) => {
      const [n, seq] = [runNumberOf(Number(first)), seqOfId(Number(first))];
      return `run number ${n} row ${seq}: ${table}: the index of runs does not know this run`;
    });
  });
  const sql = "SELECT run, min(seq) AS seq FROM heads WHERE run NOT IN (SELECT run FROM runs) GROUP BY run";
  const heads = reading("the index of heads", () => db.statement(sql).all());
  const unknown = heads.map(({ run, seq }) => `run ${run} row ${seq}: heads: the index of runs does not know this run`);
  return [...lines, ...unknown];
}

/** Each cap's sum against the reservations that it sums up. */
function checkUsage(db: Database): string[] {
  const sql = `SELECT cap, key, "window", max(held) AS held, max(sum) AS sum, max(row) AS row FROM (
  SELECT cap, key, "window", held, NULL AS sum, row FROM cap_usage
  UNION ALL
  SELECT cap, key, "window", NULL, sum(CASE state WHEN 'released' THEN 0 ELSE amount END), NULL
  FROM reservations GROUP BY cap, key, "window"
) GROUP BY cap, key, "window" HAVING coalesce(max(held), 0) <> coalesce(max(sum), 0)`;
  const all = reading("the use of the caps", () => db.statement(sql).all());
  const lines = all.map(({ cap, key, window, held, sum, row }) => {
    const where = row === null ? "" : `${nameOfRow(db, row)}: `;
    return `${where}the use of cap ${cap} (${key}, ${window}) is ${held ?? 0}, its reservations make ${sum ?? 0}`;
  });
  const unfounded = `SELECT u.cap, u.row FROM cap_usage u WHERE NOT EXISTS (
  SELECT 1 FROM rows r JOIN reservations v ON v.effect BETWEEN (r.id >> 24 << 24) AND (r.id | 16777215)
  WHERE r.id = u.row AND v.cap = u.cap AND v.key = u.key AND v."window" = u."window")`;
  for (const { cap, row } of reading("the use of the caps", () => db.statement(unfounded).all())) {
    lines.push(`${nameOfRow(db, row)}: the use of cap ${cap} names this row, which reserves nothing of it`);
  }
  return lines;
}

function nameOfRow(db: Database, id: unknown): string {
  const number = Number(id);
  const run = db.statement("SELECT run FROM runs WHERE first = ?").get(number - seqOfId(number) + 1)?.run;
  return `run ${run ?? `number ${runNumberOf(number)}`} row ${seqOfId(number)}`;
}
