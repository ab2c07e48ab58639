/** Every statement of the store, by what it is for. */
const ENTRY = `SELECT r.run, r.thread, r.principal, r.started_at, r.request, s.seq, s.hash, s.updated_at, s.ending, s.text
FROM runs r JOIN run_state s ON s.run = r.run`;

export const SQL = {
  head: "SELECT seq, hash FROM run_state WHERE run = ?",
  // One statement instead of two: this is read by both transactions of every effect turn.
  stepHead: `SELECT s.seq, s.hash, r.thread, e.state FROM run_state s JOIN runs r ON r.run = s.run
LEFT JOIN effects e ON e.run = s.run AND e.step = ? WHERE s.run = ?`,
  insertRow: "INSERT INTO rows (run, seq, at, kind, body, prev, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
  insertRun: `INSERT INTO runs (n, run, thread, principal, started_at, request, seq)
SELECT coalesce(max(n), 0) + 1, ?, ?, ?, ?, ?, ? FROM runs`,
  insertState: "INSERT INTO run_state (run, seq, hash, updated_at) VALUES (?, ?, ?, ?)",
  moveState: "UPDATE run_state SET seq = ?, hash = ?, updated_at = ?, ending = ?, text = ? WHERE run = ?",

  settledEffect: `SELECT e.run, e.step, e.state, e.result FROM effects e JOIN runs r ON r.run = e.run
WHERE e.thread = ? AND e.settle_key = ? AND e.state <> 'failed' AND NOT (e.run = ? AND e.step = ?)
ORDER BY r.n DESC, e.step DESC LIMIT 1`,
  insertEffect: `INSERT INTO effects (run, step, thread, tool, settle_key, effect, state, result, started_seq)
VALUES (?, ?, ?, ?, ?, ?, 'started', 'null', ?)`,
  restartEffect: `UPDATE effects SET thread = ?, tool = ?, settle_key = ?, effect = ?, state = 'started', result = 'null',
started_seq = ?, settled_seq = NULL WHERE run = ? AND step = ?`,
  settleEffect: "UPDATE effects SET state = ?, result = ?, settled_seq = ? WHERE run = ? AND step = ?",

  reservations: `SELECT cap, key, "window", amount, state FROM reservations WHERE run = ? AND step = ?`,
  insertReservation: `INSERT INTO reservations (run, step, cap, key, "window", amount, "limit", state, seq)
VALUES (?, ?, ?, ?, ?, ?, ?, 'reserved', ?)`,
  renewReservation: `UPDATE reservations SET amount = ?, "limit" = ?, state = 'reserved', seq = ?, settled_seq = NULL
WHERE run = ? AND step = ? AND cap = ? AND key = ? AND "window" = ?`,
  releaseReservation: `UPDATE reservations SET state = 'released', settled_seq = ?
WHERE run = ? AND step = ? AND cap = ? AND key = ? AND "window" = ?`,
  settleReservations: `UPDATE reservations SET state = ?, settled_seq = ?
WHERE run = ? AND step = ? AND state IN ('reserved', 'kept')`,

  held: `SELECT held FROM cap_usage WHERE cap = ? AND key = ? AND "window" = ?`,
  insertUsage: `INSERT INTO cap_usage (cap, key, "window", held, run, seq) VALUES (?, ?, ?, ?, ?, ?)`,
  moveUsage: `UPDATE cap_usage SET held = held + ?, run = ?, seq = ? WHERE cap = ? AND key = ? AND "window" = ?`,

  newestHead: "SELECT n, at, run, seq, head, prev, hash FROM heads ORDER BY n DESC LIMIT 1",
  insertHead: "INSERT INTO heads (n, at, run, seq, head, prev, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",

  rows: "SELECT run, seq, at, kind, body, prev, hash FROM rows WHERE run = ? ORDER BY seq",
  entry: `${ENTRY} WHERE r.run = ?`,
  entries: `${ENTRY} ORDER BY r.n DESC LIMIT ?`,
  entriesOfThread: `${ENTRY} WHERE r.thread = ? ORDER BY r.n DESC LIMIT ?`,
  runIds: "SELECT run FROM runs ORDER BY n",
  heads: "SELECT n, at, run, seq, head, prev, hash FROM heads ORDER BY n",
} as const;
