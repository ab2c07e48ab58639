/**
 * The rule files of a folder on this machine. Every `.md` file below it is read or named with why it was not; nothing that
 * is outside the folder is read, whatever is exchanged for a link while we look (claim S11; read-inside.ts says how, and where
 * a platform can only make it likely).
 */
import { hash } from "node:crypto";
import { type Dirent, lstatSync, opendirSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { byCodeUnits } from "../../domain/code-units.ts";
import { type GuideFile, type GuideFiles, WHOLE_FOLDER } from "../../ports/guide-files.ts";
import { codeOf, isInside, readInside } from "./read-inside.ts";

/** How much a folder may hold. Every bound is inclusive. What is beyond one is not read, and that is said by name. */
export type FolderLimits = {
  readonly fileBytesMax: number;
  readonly filesMax: number;
  /** Bytes of all files together. */
  readonly bytesMax: number;
  /** Folders inside one another; the files of the folder itself are at 0. */
  readonly depthMax: number;
  /** Files and folders of whatever kind that are looked at. */
  readonly entriesMax: number;
  /** A file that was changed within this time may be changed again without a sign of it: clocks of file systems are that coarse. */
  readonly settledMs: number;
};

export const FOLDER_LIMITS: FolderLimits = {
  fileBytesMax: 1_048_576,
  filesMax: 20_000,
  bytesMax: 268_435_456,
  depthMax: 16,
  entriesMax: 200_000,
  settledMs: 2_000,
};

/** Files that are read before others get their turn: reading is synchronous, which is faster and leaves less time between. */
const FILES_AT_ONCE = 128;

/** `folder`: where the rules are; it may be a link itself. A bound in `limits` that is left out has its default. */
export function guidesFolder(folder: string, limits: Partial<FolderLimits> = {}): GuideFiles {
  const bounds = { ...FOLDER_LIMITS, ...limits };
  const root = resolve(folder);
  let asked = 0;
  return {
    read: () => readFolder(root, bounds),
    version: async () => {
      asked += 1;
      return versionOf(root, bounds, asked);
    },
    unread: async () => unreadIn(root, bounds),
  };
}

/** A folder that is not there has none; reading it says so. */
function unreadIn(folder: string, limits: FolderLimits): readonly string[] {
  const root = realRoot(folder);
  if (typeof root !== "string") return [];
  const walk = new Walk(root, limits);
  walk.list("", 0);
  return walk.others.sort(byCodeUnits);
}

/**
 * The names of all that is read, with what the system says of each: its place, its size, and when it was changed. `asked` is part of
 * it as long as a file has just been written.
 */
function versionOf(folder: string, limits: FolderLimits, asked: number): string {
  const root = realRoot(folder);
  if (typeof root !== "string") return JSON.stringify(root);
  const walk = new Walk(root, limits);
  walk.list("", 0);
  let newest = 0;
  let said = "";
  for (const name of walk.names) {
    const stat = lstatSync(join(root, name), { throwIfNoEntry: false });
    if (stat === undefined) continue;
    newest = Math.max(newest, stat.mtimeMs, stat.ctimeMs);
    said += `${name}\0${stat.dev} ${stat.ino} ${stat.mode} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}\n`;
  }
  const failures = JSON.stringify(walk.failed.map((file) => [file.name, file.failed]));
  const isSettled = newest < Date.now() - limits.settledMs;
  return hash("sha256", `${said}${failures}${isSettled ? "" : asked}`);
}

/** The folder without links; what is to be said of it where there is none. */
function realRoot(folder: string): string | GuideFile {
  try {
    return realpathSync.native(folder);
  } catch (error) {
    return failed(WHOLE_FOLDER, `there is no such folder: ${folder} (${codeOf(error)})`);
  }
}

async function readFolder(folder: string, limits: FolderLimits): Promise<readonly GuideFile[]> {
  const root = realRoot(folder);
  if (typeof root !== "string") return [root];
  const walk = new Walk(root, limits);
  walk.list("", 0);
  const files = [...walk.failed];
  let bytes = 0;
  for (const [i, name] of walk.names.sort(byCodeUnits).entries()) {
    if (i >= limits.filesMax) {
      files.push(failed(WHOLE_FOLDER, `more than ${limits.filesMax} rule files: those from ${name} on were not read`));
      break;
    }
    if (i % FILES_AT_ONCE === FILES_AT_ONCE - 1) await setImmediate();
    const file = readInside(root, name, limits.fileBytesMax);
    bytes += file.bytes.length;
    if (bytes > limits.bytesMax) {
      files.push(
        failed(WHOLE_FOLDER, `more than ${limits.bytesMax} bytes altogether: the files from ${name} on were not read`),
      );
      break;
    }
    files.push(file);
  }
  return files.sort((a, b) => byCodeUnits(a.name, b.name));
}

/** Finds the names of the rule files below a folder. */
class Walk {
  readonly names: string[] = [];
  readonly others: string[] = [];
  readonly failed: GuideFile[] = [];
  readonly #root: string;
  readonly #limits: FolderLimits;
  #entries = 0;

  constructor(root: string, limits: FolderLimits) {
    this.#root = root;
    this.#limits = limits;
  }

  /** `below`: the folder's name, with a slash at its end; empty for the root. */
  list(below: string, depth: number): void {
    const own = below === "" ? WHOLE_FOLDER : below.slice(0, -1);
    const { depthMax } = this.#limits;
    if (depth > depthMax) {
      this.failed.push(failed(own, `more than ${depthMax} folders inside one another: nothing in it was read`));
      return;
    }
    const folders: string[] = [];
    try {
      for (const entry of this.#entriesOf(below, own)) {
        const name = below + entry.name;
        if (entry.isDirectory()) folders.push(name);
        else if (entry.isSymbolicLink()) this.#link(name);
        else if (isRuleFile(name)) this.#file(name, entry);
        else if (isKeptElsewhere(name)) this.others.push(name);
      }
    } catch (error) {
      this.failed.push(failed(own, `the folder cannot be read (${codeOf(error)})`));
    }
    for (const name of folders.sort(byCodeUnits)) this.list(`${name}/`, depth + 1);
  }

  *#entriesOf(below: string, own: string): Generator<Dirent> {
    const folder = opendirSync(join(this.#root, below));
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
        this.#entries += 1;
        if (this.#entries > this.#limits.entriesMax) {
          const why = `more than ${this.#limits.entriesMax} files and folders: the rest of it was not read`;
          this.failed.push(failed(own, why));
          return;
        }
        yield entry;
      }
    } finally {
      folder.closeSync();
    }
  }

  #file(name: string, entry: Dirent): void {
    if (entry.isFile()) this.names.push(name);
    else this.failed.push(failed(name, "is no regular file"));
  }

  /**
   * No link is followed, so none can lead in a circle. One to a folder or a rule file that is here adds nothing: that is read
   * by its own name. Any other that might stand for rules is refused by its name.
   */
  #link(name: string): void {
    try {
      const target = realpathSync.native(join(this.#root, name));
      const isFolder = statSync(target).isDirectory();
      if (!isInside(this.#root, target)) {
        if (isFolder || isRuleFile(name)) this.failed.push(failed(name, "is a link that leads out of the folder"));
      } else if (!isFolder && isRuleFile(name) && !isRuleFile(target)) {
        this.failed.push(failed(name, "is a link to a file that is no rule file: put the file itself here"));
      }
    } catch (error) {
      this.failed.push(failed(name, `is a link that leads nowhere (${codeOf(error)})`));
    }
  }
}

/** Whatever the case: a file that is not read because somebody wrote `.MD` would be left out silently. */
function isRuleFile(name: string): boolean {
  return /\.md$/i.test(name);
}

/** What an author may take for a rule file of ours: it is not read, and somebody has to say so. */
function isKeptElsewhere(name: string): boolean {
  return /\.(?:mdc|mdx|markdown|txt)$/i.test(name);
}

function failed(name: string, why: string): GuideFile {
  return { name, bytes: new Uint8Array(0), failed: why };
}
