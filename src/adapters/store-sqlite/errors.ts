import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "../../ports/store.ts";

/** SQLite's primary result codes, as far as a person can do something about them (sqlite.org/rescode.html). */
const CODES = {
  error: 1,
  busy: 5,
  locked: 6,
  noMemory: 7,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notDatabase: 26,
} as const;

/** The StoreError for whatever was thrown while the database at `path` was being used: one line that says what to do. */
export function storeError(error: unknown, path: string, doing: string): StoreError {
  if (error instanceof StoreError) return error;
  const code = errcode(error);
  const cause = { cause: error };
  switch (code === null ? null : code & 0xff) {
    case CODES.full:
      return new StoreError(
        "unavailable",
        `${doing}: the disk is full, or ${path} has reached its size limit: make room`,
        cause,
      );
    case CODES.readOnly:
      return readOnly(path, doing, cause);
    case CODES.cannotOpen:
      // Of a file with a log beside it SQLite says that it is read-only, and of one without that it cannot be opened.
      if (isReadOnly(path)) return readOnly(path, doing, cause);
      return new StoreError("unavailable", `${doing}: ${path} cannot be opened: ${whyNotOpen(path)}`, cause);
    case CODES.busy:
    case CODES.locked:
      return new StoreError(
        "unavailable",
        `${doing}: ${path} is locked by another process and stayed so: try again, or stop that process`,
        cause,
      );
    case CODES.io:
      return new StoreError(
        "unavailable",
        `${doing}: the disk under ${path} fails or is full (SQLite I/O error ${code}): check it`,
        cause,
      );
    case CODES.noMemory:
      return new StoreError("unavailable", `${doing}: there is not enough memory to use ${path}`, cause);
    case CODES.corrupt:
      return new StoreError(
        "damaged",
        `${doing}: ${path} is damaged: restore a copy and run \`signalbox ledger verify\``,
        cause,
      );
    case CODES.notDatabase:
      return new StoreError(
        "damaged",
        `${doing}: ${path} is not a database: give the path of a signalbox database or of a new file`,
        cause,
      );
    default:
      // A table or a column of ours that is not there was taken out by somebody else.
      if (code === CODES.error && /^no such /.test(oneLine(error))) {
        return new StoreError(
          "damaged",
          `${doing}: ${path} lacks a part of its schema (${oneLine(error)}): restore a copy`,
          cause,
        );
      }
      return new StoreError("unavailable", `${doing}: ${path}: ${oneLine(error)}`, cause);
  }
}

function readOnly(path: string, doing: string, cause: ErrorOptions): StoreError {
  const message = `${doing}: ${path} is read-only: make the file and its directory writable`;
  return new StoreError("unavailable", message, cause);
}

/** SQLite's (extended) result code, or null where the error is not SQLite's. */
export function errcode(error: unknown): number | null {
  if (typeof error !== "object" || error === null || !("errcode" in error)) return null;
  return typeof error.errcode === "number" ? error.errcode : null;
}

/** Whether a trigger refused (SQLITE_CONSTRAINT_TRIGGER): what was to be written breaks a law of the schema. */
export function isTriggered(error: unknown): error is Error {
  return errcode(error) === 1_811;
}

/** Whether SQLite threw because somebody else holds a lock. */
export function isBusy(error: unknown): boolean {
  return ((errcode(error) ?? 0) & 0xff) === CODES.busy;
}

// SQLite says "unable to open database file" for all of these, so the file system is asked.
function whyNotOpen(path: string): string {
  if (path.startsWith("file:")) return "check the path, its directory and their permissions";
  const file = kindOf(path);
  if (file === "directory") return "it is a directory, give the path of a file in it";
  const directory = dirname(path);
  switch (kindOf(directory)) {
    case "nothing":
      return `the directory ${directory} does not exist, create it`;
    case "file":
      return `${directory} is not a directory`;
    case "directory":
      return file === "nothing"
        ? `no file can be created in ${directory}, check its permissions and its disk`
        : "the file cannot be read and written, check its permissions and its disk";
  }
}

/** Whether the file can be read and may not be written: by its permissions, or since its disk is mounted so. */
function isReadOnly(path: string): boolean {
  if (kindOf(path) !== "file") return false;
  try {
    accessSync(path, constants.R_OK);
  } catch {
    return false;
  }
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch {
    return true;
  }
}

function kindOf(path: string): "file" | "directory" | "nothing" {
  try {
    return statSync(path).isDirectory() ? "directory" : "file";
  } catch {
    // Not there, or not to be seen by us: for the message it is the same.
    return "nothing";
  }
}

export function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ");
}
