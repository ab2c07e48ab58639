import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A new directory for databases that processes are killed over. In memory where the machine has such a place: what survives
 * a killed process is the same there, and hundreds of runs do not wait for a disk.
 */
export function newScratch(name: string): string {
  return mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), `signalbox-${name}-`));
}
