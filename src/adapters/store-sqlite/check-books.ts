import { DatabaseSync } from "node:sqlite";
import type { Row } from "../../domain/row.ts";
import { StoreError } from "../../ports/store.ts";
import { type Book, booksOf, slotName } from "./books.ts";
import type { Database } from "./database.ts";
import { type Columns, reading, readRowsOf, textIn, wholeIn } from "./read.ts";
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
    db.statement("SELECT n, run FROM runs ORDER BY n").all().map(readName),
  );
  for (const [index, { n, run }] of runs.entries()) {
    if (n !== index + 1) {
      lines.push(`runs: run ${index + 1} in the order of their beginning is missing, before run ${run}`);
      break;
    }
  }
  for (const { run } of runs) lines.push(...checkRun(db, run));
  return [...lines, ...checkStrays(db), ...checkUsage(db)];
}

function readName(columns: Columns): { readonly n: number; readonly run: string } {
  return { n: wholeIn(columns, "n"), run: textIn(columns, "run") };
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

const BOOKS = {
  header: "SELECT thread, principal, request, started_at, seq FROM runs WHERE run = ?",
  state: "SELECT seq, hash, updated_at, ending, text FROM run_state WHERE run = ?",
  effects: `SELECT step, thread, tool, settle_key, effect, state, result, started_seq, settled_seq FROM effects
WHERE run = ? ORDER BY step`,
  reservations: `SELECT step, cap, key, "window", amount, "limit", state, seq, settled_seq FROM reservations
WHERE run = ? ORDER BY step, cap, key, "window"`,
} as const;

function checkRun(db: Database, run: string): string[] {
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
  compare("the run", 1, books.header, db.statement(BOOKS.header).get(run));
  compare("the head of the run", rows.length, books.state, db.statement(BOOKS.state).get(run));

  const effects = byName(db, BOOKS.effects, run, ({ step }) => Number(step));
  for (const step of new Set([...books.effects.keys(), ...effects.keys()])) {
    const expected = books.effects.get(step);
    compare(`the effect of step ${step}`, seqOf(expected, effects.get(step)), expected, effects.get(step));
  }
  const reservations = byName(db, BOOKS.reservations, run, ({ step, cap, key, window }) =>
    slotName(Number(step), String(cap), String(key), String(window)),
  );
  for (const name of new Set([...books.reservations.keys(), ...reservations.keys()])) {
    const expected = books.reservations.get(name);
    compare(`the reservation ${name}`, seqOf(expected, reservations.get(name)), expected, reservations.get(name));
  }
  return lines;
}

function byName<K>(db: Database, sql: string, run: string, name: (columns: Columns) => K): ReadonlyMap<K, Columns> {
  const all = reading(`the books of run ${run}`, () => db.statement(sql).all(run));
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
  return ["rows", "run_state", "effects", "reservations", "heads"].flatMap((table) => {
    const seq = table === "effects" ? "started_seq" : "seq";
    const sql = `SELECT run, min(${seq}) AS seq FROM ${table} WHERE run NOT IN (SELECT run FROM runs) GROUP BY run`;
    const all = reading(`the table ${table}`, () => db.statement(sql).all());
    return all.map(
      ({ run, seq: first }) => `run ${run} row ${first}: ${table}: the index of runs does not know this run`,
    );
  });
}

/** Each cap's sum against the reservations that it sums up. */
function checkUsage(db: Database): string[] {
  const sql = `SELECT cap, key, "window", max(held) AS held, max(sum) AS sum, max(run) AS run, max(seq) AS seq FROM (
  SELECT cap, key, "window", held, NULL AS sum, run, seq FROM cap_usage
  UNION ALL
  SELECT cap, key, "window", NULL, sum(CASE state WHEN 'released' THEN 0 ELSE amount END), NULL, NULL
  FROM reservations GROUP BY cap, key, "window"
) GROUP BY cap, key, "window" HAVING coalesce(max(held), 0) <> coalesce(max(sum), 0)`;
  const all = reading("the use of the caps", () => db.statement(sql).all());
  const lines = all.map(({ cap, key, window, held, sum, run, seq }) => {
    const where = run === null ? "" : `run ${run} row ${seq}: `;
    return `${where}the use of cap ${cap} (${key}, ${window}) is ${held ?? 0}, its reservations make ${sum ?? 0}`;
  });
  const unfounded = `SELECT u.cap, u.run, u.seq FROM cap_usage u WHERE NOT EXISTS (
  SELECT 1 FROM rows r JOIN reservations v ON v.run = r.run
  WHERE r.run = u.run AND r.seq = u.seq AND v.cap = u.cap AND v.key = u.key AND v."window" = u."window")`;
  for (const { cap, run, seq } of reading("the use of the caps", () => db.statement(unfounded).all())) {
    lines.push(`run ${run} row ${seq}: the use of cap ${cap} names this row, which reserves nothing of it`);
  }
  return lines;
}
