/**
 * The tables of a signalbox database, and the triggers that make claim S8 structural: whatever connection writes, no
 * book changes without a ledger row written in the same transaction.
 *
 * How that is said in SQL: most of what the rows say is not written down a second time but read from them, the newest row
 * of a run and the state of a step among it. Where a book is needed to find something quickly, its entry stands on the
 * newest row that says something of it, and a trigger lets it move only to a later row, and only to what that row says.
 * Once a write is committed there is no such row: the entry stands on it.
 */

import { APPROVAL_KINDS } from "../../ports/store.ts";
import { GUIDE_TABLES, GUIDE_TRIGGERS, GUIDE_VIEWS } from "./schema-guides.ts";
import { listOf } from "./sql.ts";
import { never, only, trigger } from "./triggers.ts";

/** "Sgbx". What tells a signalbox database from any other (PRAGMA application_id). */
export const APPLICATION_ID = 0x53676278;

/** The schema that this release reads and writes (PRAGMA user_version, and `meta`). */
export const SCHEMA_VERSION = 4;

const ZEROS = "0".repeat(64);

/** Of an id, what numbers the row in its run or the step (row-id.ts): its lower 24 bits. */
const SEQ_BITS = 16_777_215;

const TABLES = [
  `CREATE TABLE meta (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID`,

  // What a run was begun with, as its first row says it and under that row's id. Never changed.
  `CREATE TABLE runs (
  first INTEGER PRIMARY KEY REFERENCES rows (id),
  run TEXT NOT NULL UNIQUE,
  thread TEXT NOT NULL,
  principal TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  request TEXT NOT NULL
) STRICT`,

  `CREATE INDEX runs_by_thread ON runs (thread)`,

  // Without what each row would repeat: its run is in its id, and what it hangs on is the hash of the row before it.
  `CREATE TABLE rows (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  hash BLOB NOT NULL
) STRICT`,

  // What people say of staged proposals is little among many rows, and looked for by its kind (sql.ts, scanOf).
  `CREATE INDEX rows_of_approvals ON rows (id) WHERE kind IN (${listOf(APPROVAL_KINDS)})`,

  // Effects that settle something in their thread, found by their key. The others are in the rows alone.
  `CREATE TABLE keyed_effects (
  id INTEGER PRIMARY KEY,
  thread TEXT NOT NULL,
  settle_key TEXT,
  state TEXT NOT NULL CHECK (state IN ('started', 'done', 'failed', 'outcome_unknown')),
  started_seq INTEGER NOT NULL,
  settled_seq INTEGER,
  CHECK ((state = 'started') = (settled_seq IS NULL))
) STRICT`,

  `CREATE INDEX effects_by_key ON keyed_effects (thread, settle_key) WHERE settle_key IS NOT NULL`,

  // effect: the id of the step that holds it.
  `CREATE TABLE reservations (
  effect INTEGER NOT NULL,
  cap TEXT NOT NULL,
  key TEXT NOT NULL,
  "window" TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount >= 0),
  "limit" INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('reserved', 'settled', 'released', 'kept')),
  seq INTEGER NOT NULL,
  settled_seq INTEGER,
  PRIMARY KEY (effect, cap, key, "window"),
  CHECK ((state = 'reserved') = (settled_seq IS NULL))
) STRICT, WITHOUT ROWID`,

  // The sum of a slot's reservations that are not released, so that a cap costs the same however full it is.
  `CREATE TABLE cap_usage (
  cap TEXT NOT NULL,
  key TEXT NOT NULL,
  "window" TEXT NOT NULL,
  held INTEGER NOT NULL CHECK (held >= 0),
  row INTEGER NOT NULL,
  PRIMARY KEY (cap, key, "window")
) STRICT, WITHOUT ROWID`,

  `CREATE TABLE heads (
  n INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  run TEXT NOT NULL,
  seq INTEGER NOT NULL,
  head TEXT NOT NULL,
  prev TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT`,

  `CREATE INDEX heads_by_row ON heads (run, seq)`,
];

/** For people with the sqlite shell. The store reads none of them. */
const VIEWS = [
  `CREATE VIEW ledger AS
SELECT u.run, r.id & ${SEQ_BITS} AS seq, r.at, r.kind, r.body,
  coalesce((SELECT lower(hex(p.hash)) FROM rows p WHERE p.id = r.id - 1 AND r.id <> u.first), '${ZEROS}') AS prev,
  lower(hex(r.hash)) AS hash
FROM rows r JOIN runs u ON u.first = r.id - (r.id & ${SEQ_BITS}) + 1`,

  `CREATE VIEW effects AS
WITH said AS (SELECT run, seq, kind, body, body ->> '$.step' AS step FROM ledger WHERE kind IN ('decided', 'started', 'finished')),
begun AS (SELECT run, step, max(seq) AS seq, body FROM said WHERE kind = 'started' GROUP BY run, step),
settled AS (SELECT run, step, max(seq) AS seq, body FROM said WHERE kind = 'finished' GROUP BY run, step)
SELECT b.run, b.step,
  coalesce(b.body ->> '$.tool', (SELECT d.body ->> '$.tool' FROM said d
    WHERE d.run = b.run AND d.step = b.step AND d.kind = 'decided' AND d.seq < b.seq ORDER BY d.seq DESC LIMIT 1)) AS tool,
  b.body ->> '$.settleKey' AS settle_key,
  CASE WHEN f.seq IS NULL THEN 'started' ELSE coalesce(f.body ->> '$.outcome', 'done') END AS state,
  b.seq AS started_seq, f.seq AS settled_seq
FROM begun b LEFT JOIN settled f ON f.run = b.run AND f.step = b.step AND f.seq > b.seq`,
];

/** Row `seq` of the run of `effect`, a step's id, is there, is about that step, and says `what` (of the row r). */
function says(effect: string, seq: string, what: string): string {
  return `EXISTS (SELECT 1 FROM rows r WHERE r.id = ${effect} - (${effect} & ${SEQ_BITS}) + ${seq}
    AND r.body ->> '$.step' = ${effect} & ${SEQ_BITS} AND ${what})`;
}

/** The row r is the decision that lists the slot of NEW, with these further conditions on the reservation, w. */
function lists(further = ""): string {
  return `(r.kind = 'decided' AND EXISTS (SELECT 1 FROM json_each(r.body, '$.reservations') w
      WHERE w.value ->> '$.cap' = NEW.cap AND w.value ->> '$.key' = NEW.key AND w.value ->> '$.window' = NEW."window"${further}))`;
}

/** The id of the first row of the next run to begin. */
const NEXT_FIRST = `(SELECT coalesce(max(first), 1) + ${SEQ_BITS + 1} FROM runs)`;

const LISTS_IT = lists(` AND w.value ->> '$.amount' = NEW.amount AND w.value ->> '$.limit' = NEW."limit"`);
const OUTCOME = "coalesce(r.body ->> '$.outcome', 'done')";

// Each insert trigger also refuses what is there already: INSERT OR REPLACE would delete it without a delete trigger.
const TRIGGERS = [
  // The newest row of a run is followed by the next one and by no other; a first row is that of the next run.
  trigger(
    "rows_in_order",
    "INSERT",
    "rows",
    `NEW.id - 1 IS NOT coalesce(
    (SELECT max(id) FROM rows WHERE id BETWEEN NEW.id - (NEW.id & ${SEQ_BITS}) AND NEW.id | ${SEQ_BITS}),
    ${NEXT_FIRST} - 1)`,
    { says: "rows: a row hangs on the one before it" },
  ),
  trigger(
    "runs_in_order",
    "INSERT",
    "runs",
    `NEW.first IS NOT ${NEXT_FIRST} OR EXISTS (SELECT 1 FROM runs WHERE run = NEW.run)`,
    { says: "runs: a run begins once, with its first rows" },
  ),
  // Foreign keys are looked at only by connections that ask for it, and this one says nothing of what the row says.
  only(
    "INSERT",
    "runs",
    `EXISTS (SELECT 1 FROM rows r WHERE r.id = NEW.first AND r.kind = 'began' AND r.at = NEW.started_at
    AND r.body ->> '$.thread' = NEW.thread AND r.body ->> '$.request' = NEW.request
    AND coalesce(r.body ->> '$.principal.id', r.body ->> '$.principal') = NEW.principal)`,
  ),
  trigger("meta_once", "INSERT", "meta", "EXISTS (SELECT 1 FROM meta WHERE name = NEW.name)", {
    says: "meta: a name is noted once",
  }),
  trigger(
    "heads_chain",
    "INSERT",
    "heads",
    `(CASE WHEN NEW.n = 1 THEN NEW.prev = '${ZEROS}' ELSE EXISTS (
    SELECT 1 FROM heads h WHERE h.n = NEW.n - 1 AND h.hash = NEW.prev) END) IS NOT TRUE
    OR EXISTS (SELECT 1 FROM heads h WHERE h.n = NEW.n)`,
    { says: "heads: an entry hangs on the one before it" },
  ),
  // A row that ends a run has one entry.
  only(
    "INSERT",
    "heads",
    `EXISTS (SELECT 1 FROM runs u JOIN rows r ON r.id = u.first - 1 + NEW.seq
    WHERE u.run = NEW.run AND r.kind = 'ended' AND lower(hex(r.hash)) = NEW.head)
    AND NOT EXISTS (SELECT 1 FROM heads h WHERE h.run = NEW.run AND h.seq = NEW.seq)`,
  ),
  only(
    "INSERT",
    "keyed_effects",
    `NEW.state = 'started' AND NOT EXISTS (SELECT 1 FROM keyed_effects k WHERE k.id = NEW.id)
    AND ${says("NEW.id", "NEW.started_seq", "r.kind = 'started' AND r.body ->> '$.settleKey' = NEW.settle_key")}`,
  ),
  only(
    "UPDATE",
    "keyed_effects",
    `NEW.id = OLD.id AND coalesce(NEW.settled_seq, NEW.started_seq) > coalesce(OLD.settled_seq, OLD.started_seq)
    AND CASE NEW.state WHEN 'started'
    THEN ${says("NEW.id", "NEW.started_seq", "r.kind = 'started' AND r.body ->> '$.settleKey' IS NEW.settle_key")}
    ELSE NEW.thread = OLD.thread AND NEW.settle_key IS OLD.settle_key AND NEW.started_seq = OLD.started_seq
    AND ${says("NEW.id", "NEW.settled_seq", `r.kind = 'finished' AND ${OUTCOME} = NEW.state`)} END`,
  ),
  only(
    "INSERT",
    "reservations",
    `NEW.state = 'reserved' AND ${says("NEW.effect", "NEW.seq", LISTS_IT)}
    AND NOT EXISTS (SELECT 1 FROM reservations v WHERE v.effect = NEW.effect
      AND v.cap = NEW.cap AND v.key = NEW.key AND v."window" = NEW."window")`,
  ),
  only(
    "UPDATE",
    "reservations",
    `NEW.effect = OLD.effect AND NEW.cap = OLD.cap AND NEW.key = OLD.key AND NEW."window" = OLD."window"
    AND coalesce(NEW.settled_seq, NEW.seq) > coalesce(OLD.settled_seq, OLD.seq)
    AND CASE NEW.state WHEN 'reserved' THEN ${says("NEW.effect", "NEW.seq", LISTS_IT)}
    ELSE NEW.amount = OLD.amount AND NEW."limit" = OLD."limit" AND NEW.seq = OLD.seq
    AND OLD.state IN ('reserved', 'kept') AND ${says(
      "NEW.effect",
      "NEW.settled_seq",
      `CASE r.kind WHEN 'finished'
      THEN NEW.state = CASE ${OUTCOME} WHEN 'done' THEN 'settled' WHEN 'failed' THEN 'released' ELSE 'kept' END
      ELSE NEW.state = 'released' AND r.kind = 'decided' AND NOT ${lists()} END`,
    )} END`,
  ),
  // A cap's sum moves just ahead of the reservation for which it moves, and so to a row on which that does not stand yet.
  ...(["INSERT", "UPDATE"] as const).map((verb) =>
    only(
      verb,
      "cap_usage",
      `${
        verb === "UPDATE"
          ? `NEW.cap = OLD.cap AND NEW.key = OLD.key AND NEW."window" = OLD."window" AND `
          : `NOT EXISTS (SELECT 1 FROM cap_usage c WHERE c.cap = NEW.cap AND c.key = NEW.key AND c."window" = NEW."window") AND `
      }EXISTS (SELECT 1 FROM rows r LEFT JOIN reservations v
      ON v.effect = r.id - (r.id & ${SEQ_BITS}) + (r.body ->> '$.step')
      AND v.cap = NEW.cap AND v.key = NEW.key AND v."window" = NEW."window"
    WHERE r.id = NEW.row AND r.kind IN ('decided', 'finished')
      AND coalesce(v.settled_seq, v.seq, 0) < r.id & ${SEQ_BITS}
      AND (v.state IN ('reserved', 'kept') OR ${lists()}))`,
    ),
  ),
  ...["meta", "rows", "heads", "runs"].map((table) => never(table, "UPDATE")),
  ...["meta", "rows", "heads", "runs", "keyed_effects", "reservations", "cap_usage"].map((table) =>
    never(table, "DELETE"),
  ),
];

/** Every statement that makes an empty file a signalbox database. */
export const SCHEMA: readonly string[] = [
  ...TABLES,
  ...GUIDE_TABLES,
  ...VIEWS,
  ...GUIDE_VIEWS,
  ...TRIGGERS,
  ...GUIDE_TRIGGERS,
];
