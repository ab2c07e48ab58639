/**
 * Every statement of the store, by what it is for. A run's rows are those with ids from `first - 1` to `first + 2^24 - 2`,
 * where `first` is the id of its first row (row-id.ts).
 */
const NEWEST_OF_RUN = "(SELECT max(id) FROM rows WHERE id BETWEEN u.first - 1 AND u.first + 16777214)";

// What the index says of a run's newest row and of its end is read from that row.
const ENTRY = `SELECT u.run, u.first, u.thread, u.principal, u.started_at, u.request, r.id, r.at, r.hash,
CASE r.kind WHEN 'ended' THEN r.body END AS ended FROM runs u LEFT JOIN rows r ON r.id = ${NEWEST_OF_RUN}`;

export const SQL = {
  first: "SELECT first FROM runs WHERE run = ?",
  newestRun: "SELECT max(first) AS first, (SELECT max(id) FROM rows) AS newest FROM runs",
  head: "SELECT id, hash FROM rows WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1",
  row: "SELECT id, at, kind, body, hash FROM rows WHERE id = ?",
  insertRow: "INSERT INTO rows (id, at, kind, body, hash) VALUES (?, ?, ?, ?, ?)",
  insertRun: "INSERT INTO runs (first, run, thread, principal, started_at, request) VALUES (?, ?, ?, ?, ?, ?)",

  settledEffect: `SELECT k.id, k.state, k.settled_seq, u.run FROM keyed_effects k
JOIN runs u ON u.first = k.id - (k.id & 16777215) + 1
WHERE k.thread = ? AND k.settle_key = ? AND k.state <> 'failed' AND k.id <> ? ORDER BY k.id DESC LIMIT 1`,
  insertEffect: `INSERT INTO keyed_effects (id, thread, settle_key, state, started_seq) VALUES (?, ?, ?, 'started', ?)`,
  restartEffect: `UPDATE keyed_effects SET thread = ?, settle_key = ?, state = 'started', started_seq = ?,
settled_seq = NULL WHERE id = ?`,
  settleEffect: "UPDATE keyed_effects SET state = ?, settled_seq = ? WHERE id = ?",

  reservations: `SELECT cap, key, "window", amount, state FROM reservations WHERE effect = ?`,
  insertReservation: `INSERT INTO reservations (effect, cap, key, "window", amount, "limit", state, seq)
VALUES (?, ?, ?, ?, ?, ?, 'reserved', ?)`,
  renewReservation: `UPDATE reservations SET amount = ?, "limit" = ?, state = 'reserved', seq = ?, settled_seq = NULL
WHERE effect = ? AND cap = ? AND key = ? AND "window" = ?`,
  releaseReservation: `UPDATE reservations SET state = 'released', settled_seq = ?
WHERE effect = ? AND cap = ? AND key = ? AND "window" = ?`,
  settleReservations: `UPDATE reservations SET state = ?, settled_seq = ?
WHERE effect = ? AND state IN ('reserved', 'kept')`,

  held: `SELECT held FROM cap_usage WHERE cap = ? AND key = ? AND "window" = ?`,
  heldInRange: `SELECT sum(held) AS held FROM cap_usage WHERE cap = ? AND key = ? AND "window" >= ? AND "window" < ?`,
  insertUsage: `INSERT INTO cap_usage (cap, key, "window", held, row) VALUES (?, ?, ?, ?, ?)`,
  moveUsage: `UPDATE cap_usage SET held = held + ?, row = ? WHERE cap = ? AND key = ? AND "window" = ?`,

  newestHead: "SELECT n, at, run, seq, head, prev, hash FROM heads ORDER BY n DESC LIMIT 1",
  insertHead: "INSERT INTO heads (n, at, run, seq, head, prev, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",

  rows: `SELECT r.id, r.at, r.kind, r.body, r.hash FROM runs u
JOIN rows r ON r.id BETWEEN u.first - 1 AND u.first + 16777214 WHERE u.run = ? ORDER BY r.id`,
  entry: `${ENTRY} WHERE u.run = ?`,
  entries: `${ENTRY} ORDER BY u.first DESC LIMIT ?`,
  entriesOfThread: `${ENTRY} WHERE u.thread = ? ORDER BY u.first DESC LIMIT ?`,
  runIds: "SELECT run FROM runs ORDER BY first",
  heads: "SELECT n, at, run, seq, head, prev, hash FROM heads ORDER BY n",

  newestGuideRow: "SELECT seq AS id, hash FROM guide_rows ORDER BY seq DESC LIMIT 1",
  guideRow: "SELECT hash FROM guide_rows WHERE seq = ?",
  guideRows: "SELECT seq AS id, at, kind, body, hash FROM guide_rows WHERE seq > ? ORDER BY seq",
  insertGuideRow: "INSERT INTO guide_rows (seq, at, kind, body, hash) VALUES (?, ?, ?, ?, ?)",
  insertRevision: "INSERT INTO revisions (digest, bytes) VALUES (?, ?)",
  liftRevisionLaw: "DROP TRIGGER IF EXISTS revisions_no_update",
  mendRevision: "UPDATE revisions SET bytes = ? WHERE digest = ?",
  revision: "SELECT bytes FROM revisions WHERE digest = ?",
  revisions: "SELECT digest FROM revisions ORDER BY digest",
} as const;

/** The rows of these kinds, run by run. The kinds stand in the text, sorted, so that an index of the same kinds is used. */
export function scanOf(kinds: readonly string[]): string {
  return `SELECT u.run, r.id, r.at, r.kind, r.body FROM rows r
JOIN runs u ON u.first = r.id - (r.id & 16777215) + 1 WHERE r.kind IN (${listOf(kinds)}) ORDER BY r.id`;
}

/** Names of kinds as an SQL list. */
export function listOf(kinds: readonly string[]): string {
  const stray = kinds.find((kind) => !/^[a-z_]+$/.test(kind));
  if (stray !== undefined) throw new TypeError(`"${stray}" is no kind of row`);
  return [...new Set(kinds)]
    .sort()
    .map((kind) => `'${kind}'`)
    .join(", ");
}
