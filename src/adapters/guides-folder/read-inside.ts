import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
} from "node:fs";
import { join, sep } from "node:path";
import type { GuideFile } from "../../ports/guide-files.ts";

/**
 * Not through a link, and without waiting for whoever writes into a pipe. A platform without one of the two has none to set.
 */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Reads one file below a folder. `root` has no link in it. The file is opened first, and then the system is asked where the
 * open file is: a path that is looked at before or after can lead elsewhere, since a folder on the way may be exchanged for a
 * link and back at any moment. `placeOf` is what asks.
 */
export function readInside(root: string, name: string, bytesMax: number, placeOf = placeOfOpen): GuideFile {
  const refused = (failed: string): GuideFile => ({ name, bytes: new Uint8Array(0), failed });
  const path = join(root, name);
  let file: number | null = null;
  try {
    file = openSync(path, FLAGS);
    const opened = fstatSync(file, { bigint: true });
    if (!opened.isFile()) return refused("is no regular file");
    const place = placeOf(file);
    if (place === null ? !isSeenInside(root, path, opened) : !isInside(root, place)) {
      return refused("is reached by a link that leads out of the folder");
    }
    if (opened.size > BigInt(bytesMax)) return refused(`has more than ${bytesMax} bytes`);
    const bytes = readAll(file, Number(opened.size));
    return bytes === null ? refused("grew while it was read") : { name, bytes, failed: null };
  } catch (error) {
    return refused(codeOf(error) === "ELOOP" ? "is a link" : `cannot be read (${codeOf(error)})`);
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** Where an open file is, without links, as the system knows it; null where it does not say (only Linux does). */
function placeOfOpen(file: number): string | null {
  if (process.platform !== "linux") return null;
  try {
    return readlinkSync(`/proc/self/fd/${file}`);
  } catch {
    // A machine without /proc.
    return null;
  }
}

/** How often a path is looked at where the system does not say what is behind it. */
const LOOKS = 3;

/**
 * Whether the path leads to the opened file and stays inside, each time that it is looked at. Second best: whoever exchanges
 * folders at just the right moments, that many times in a row, is not found out.
 */
function isSeenInside(root: string, path: string, opened: BigIntStats): boolean {
  for (let look = 0; look < LOOKS; look++) {
    const real = realpathSync.native(path);
    const there = lstatSync(real, { bigint: true });
    if (!isInside(root, real) || there.dev !== opened.dev || there.ino !== opened.ino) return false;
  }
  return true;
}

/** All bytes of a file of this size, or fewer where it shrank; null where there are more. */
function readAll(file: number, size: number): Uint8Array | null {
  const bytes = new Uint8Array(size + 1);
  let length = 0;
  for (;;) {
    const read = readSync(file, bytes, length, bytes.length - length, null);
    if (read === 0) return bytes.subarray(0, length);
    length += read;
    if (length > size) return null;
  }
}

/** Whether a path without links is below a folder, or the folder itself. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** How the platform calls what went wrong, such as `ENOENT`. */
export function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && "code" in error ? error.code : null;
  return typeof code === "string" ? code : "unknown";
}
