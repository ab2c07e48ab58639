import { DatabaseSync } from "node:sqlite";
import { SignalboxError, textOf } from "../error.ts";

/** SQLite's code for a lock that another connection holds. */
const BUSY = 5;

/**
 * Makes sure that one process carries a trial. The lock is held on a file beside the results, by the system: it is gone with
 * the process, however that dies, so no lock is ever stale. The empty file stays, since whoever removed it could remove it
 * from under somebody else's lock. Returns what lets go.
 */
export function lockTrial(path: string): () => void {
  const lock = `${path}.lock`;
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(lock);
    database.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
  } catch (error) {
    database?.close();
    if (error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === BUSY) {
      throw new SignalboxError("trial_is_running", `another process carries the trial in ${path}`, { exitCode: 1 });
    }
    throw new SignalboxError("results_unwritable", `${lock}: ${textOf(error)}`, { exitCode: 1, cause: error });
  }
  const held = database;
  return () => held.close();
}
