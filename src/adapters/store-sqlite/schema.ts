/**
 * The tables of a signalbox database, and the triggers that make claim S8 structural: whatever connection writes, no
 * book changes without a ledger row written in the same transaction.
 *
 * How that is said in SQL: a row opens the books of its run and the run's head closes them. A write inserts its rows,
 * then changes the books, each change naming the row that says so, then moves `run_state` to the newest row. The triggers
 * allow a change only while the row that it names is beyond the head. After the commit the head has passed it, so no row
 * that exists can be named again.
 */

/** "Sgbx". What tells a signalbox database from any other (PRAGMA application_id). */
export const APPLICATION_ID = 0x53676278;

/** The newest schema that this release reads and writes (PRAGMA user_version, and `meta`). */
export const SCHEMA_VERSION = 1;

const ZEROS = "0".repeat(64);

const TABLES = [
  `CREATE TABLE meta (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID`,

  // What a run was begun with. Never changed: the part of the index that does change is run_state.
  `CREATE TABLE runs (
  n INTEGER PRIMARY KEY,
  run TEXT NOT NULL UNIQUE,
  thread TEXT NOT NULL,
  principal TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  request TEXT NOT NULL,
  seq INTEGER NOT NULL,
  FOREIGN KEY (run, seq) REFERENCES rows (run, seq)
) STRICT`,

  `CREATE INDEX runs_by_thread ON runs (thread)`,

  `CREATE TABLE run_state (
  run TEXT NOT NULL PRIMARY KEY REFERENCES runs (run),
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  ending TEXT,
  text TEXT,
  FOREIGN KEY (run, seq) REFERENCES rows (run, seq),
  CHECK ((ending IS NULL) = (text IS NULL))
) STRICT, WITHOUT ROWID`,

  `CREATE TABLE rows (
  run TEXT NOT NULL REFERENCES runs (run) DEFERRABLE INITIALLY DEFERRED,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  prev TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID`,

  `CREATE TABLE effects (
  run TEXT NOT NULL,
  step INTEGER NOT NULL,
  thread TEXT NOT NULL,
  tool TEXT NOT NULL,
  settle_key TEXT,
  effect TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('started', 'done', 'failed', 'outcome_unknown')),
  result TEXT NOT NULL,
  started_seq INTEGER NOT NULL,
  settled_seq INTEGER,
  PRIMARY KEY (run, step),
  FOREIGN KEY (run, started_seq) REFERENCES rows (run, seq),
  FOREIGN KEY (run, settled_seq) REFERENCES rows (run, seq),
  CHECK ((state = 'started') = (settled_seq IS NULL))
) STRICT, WITHOUT ROWID`,

  `CREATE INDEX effects_by_key ON effects (thread, settle_key) WHERE settle_key IS NOT NULL`,

  `CREATE TABLE reservations (
  run TEXT NOT NULL,
  step INTEGER NOT NULL,
  cap TEXT NOT NULL,
  key TEXT NOT NULL,
  "window" TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount >= 0),
  "limit" INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('reserved', 'settled', 'released', 'kept')),
  seq INTEGER NOT NULL,
  settled_seq INTEGER,
  PRIMARY KEY (run, step, cap, key, "window"),
  FOREIGN KEY (run, step) REFERENCES effects (run, step),
  FOREIGN KEY (run, seq) REFERENCES rows (run, seq),
  FOREIGN KEY (run, settled_seq) REFERENCES rows (run, seq),
  CHECK ((state = 'reserved') = (settled_seq IS NULL))
) STRICT, WITHOUT ROWID`,

  // The sum of a slot's reservations that are not released, so that a cap costs the same however full it is.
  `CREATE TABLE cap_usage (
  cap TEXT NOT NULL,
  key TEXT NOT NULL,
  "window" TEXT NOT NULL,
  held INTEGER NOT NULL CHECK (held >= 0),
  run TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (cap, key, "window"),
  FOREIGN KEY (run, seq) REFERENCES rows (run, seq)
) STRICT, WITHOUT ROWID`,

  `CREATE TABLE heads (
  n INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  run TEXT NOT NULL,
  seq INTEGER NOT NULL,
  head TEXT NOT NULL,
  prev TEXT NOT NULL,
  hash TEXT NOT NULL,
  FOREIGN KEY (run, seq) REFERENCES rows (run, seq)
) STRICT`,
];

/** True while row `seq` of `run` is there and beyond the run's head: while the transaction that wrote it is under way. */
function open(run: string, seq: string): string {
  return `${seq} > (SELECT s.seq FROM run_state s WHERE s.run = ${run})
    AND EXISTS (SELECT 1 FROM rows r WHERE r.run = ${run} AND r.seq = ${seq})`;
}

function needsRow(table: string, verb: "INSERT" | "UPDATE", seq: string): string {
  return trigger(`${table}_${verb.toLowerCase()}_needs_row`, verb, table, `(${open("NEW.run", seq)}) IS NOT TRUE`, {
    says: `${table}: no change without its ledger row in the same transaction`,
  });
}

function never(table: string, verb: "UPDATE" | "DELETE"): string {
  return trigger(`${table}_no_${verb.toLowerCase()}`, verb, table, "TRUE", {
    says: `${table}: nothing is ever ${verb === "UPDATE" ? "changed" : "deleted"} here`,
  });
}

function trigger(name: string, verb: string, table: string, when: string, { says }: { says: string }): string {
  return `CREATE TRIGGER ${name} BEFORE ${verb} ON ${table} WHEN ${when}
BEGIN SELECT RAISE(ABORT, '${says}'); END`;
}

// Each insert trigger also refuses what is there already: INSERT OR REPLACE would delete it without a delete trigger.
const TRIGGERS = [
  // Rows chain: each hangs on the one before it, and so there is no gap and no second row with one seq.
  trigger(
    "rows_chain",
    "INSERT",
    "rows",
    `(CASE WHEN NEW.seq = 1 THEN NEW.prev = '${ZEROS}' ELSE EXISTS (
    SELECT 1 FROM rows r WHERE r.run = NEW.run AND r.seq = NEW.seq - 1 AND r.hash = NEW.prev) END) IS NOT TRUE
    OR EXISTS (SELECT 1 FROM rows r WHERE r.run = NEW.run AND r.seq = NEW.seq)`,
    { says: "rows: a row hangs on the one before it" },
  ),
  trigger(
    "heads_chain",
    "INSERT",
    "heads",
    `(CASE WHEN NEW.n = 1 THEN NEW.prev = '${ZEROS}' ELSE EXISTS (
    SELECT 1 FROM heads h WHERE h.n = NEW.n - 1 AND h.hash = NEW.prev) END) IS NOT TRUE
    OR EXISTS (SELECT 1 FROM heads h WHERE h.n = NEW.n)`,
    { says: "heads: an entry hangs on the one before it" },
  ),
  needsRow("heads", "INSERT", "NEW.seq"),
  trigger(
    "runs_in_order",
    "INSERT",
    "runs",
    `NEW.n IS NOT (SELECT coalesce(max(n), 0) + 1 FROM runs)
    OR EXISTS (SELECT 1 FROM run_state s WHERE s.run = NEW.run)`,
    { says: "runs: a run begins once, with its first rows" },
  ),
  // The index entry of a run is its newest row, and it only ever moves forward.
  trigger(
    "run_state_insert_is_newest",
    "INSERT",
    "run_state",
    `NOT EXISTS (SELECT 1 FROM rows r WHERE r.run = NEW.run AND r.seq = NEW.seq AND r.hash = NEW.hash)
    OR EXISTS (SELECT 1 FROM rows r WHERE r.run = NEW.run AND r.seq = NEW.seq + 1)
    OR EXISTS (SELECT 1 FROM run_state s WHERE s.run = NEW.run)`,
    { says: "run_state: a run stands at its newest row" },
  ),
  trigger(
    "run_state_update_is_newest",
    "UPDATE",
    "run_state",
    `NEW.run IS NOT OLD.run OR NEW.seq <= OLD.seq
    OR NOT EXISTS (SELECT 1 FROM rows r WHERE r.run = NEW.run AND r.seq = NEW.seq AND r.hash = NEW.hash)
    OR EXISTS (SELECT 1 FROM rows r WHERE r.run = NEW.run AND r.seq = NEW.seq + 1)`,
    { says: "run_state: no change without its ledger row in the same transaction" },
  ),
  needsRow("effects", "INSERT", "coalesce(NEW.settled_seq, NEW.started_seq)"),
  needsRow("effects", "UPDATE", "coalesce(NEW.settled_seq, NEW.started_seq)"),
  needsRow("reservations", "INSERT", "coalesce(NEW.settled_seq, NEW.seq)"),
  needsRow("reservations", "UPDATE", "coalesce(NEW.settled_seq, NEW.seq)"),
  needsRow("cap_usage", "INSERT", "NEW.seq"),
  needsRow("cap_usage", "UPDATE", "NEW.seq"),
  ...["rows", "heads", "runs"].map((table) => never(table, "UPDATE")),
  ...["rows", "heads", "runs", "run_state", "effects", "reservations", "cap_usage"].map((table) =>
    never(table, "DELETE"),
  ),
];

/** Every statement that makes an empty file a signalbox database. */
export const SCHEMA: readonly string[] = [...TABLES, ...TRIGGERS];
