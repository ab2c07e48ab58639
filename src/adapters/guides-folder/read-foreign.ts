/**
 * Reads the rule files of other tools from a folder, hidden folders among them (`.cursor/rules`, `.github/instructions`,
 * `.claude/skills`), or one such file. Links are not followed below the folder, and nothing outside it is read; what is not
 * read is listed with why, since an import names every file.
 */
import { type Dirent, lstatSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { looksForeign } from "../../domain/foreign-rule.ts";
import { FOREIGN_BYTES_MAX, type ForeignFile, type ImportRefusal } from "../../domain/imported.ts";
import { type Parsed, parsed, unparsed } from "../../domain/parsed.ts";
import { codeOf, readInside } from "./read-inside.ts";

/** How much a folder may hold. Beyond a bound nothing is imported: half a folder is not what was asked for. */
export type ForeignLimits = {
  readonly filesMax: number;
  /** Files and folders of whatever kind that are looked at. */
  readonly entriesMax: number;
  /** Folders inside one another; the files of the folder itself are at 0. */
  readonly depthMax: number;
};

export const FOREIGN_LIMITS: ForeignLimits = { filesMax: 10_000, entriesMax: 200_000, depthMax: 32 };

export type ForeignFolder = {
  /** By name. Of a folder: what some tool reads as a rule, or people may think that it does. */
  readonly files: readonly ForeignFile[];
  /** How many other files there are. */
  readonly others: number;
};

/** Folders that hold nobody's own rules, and many files. */
const LEFT_OUT: ReadonlySet<string> = new Set([".git", ".hg", ".svn", "node_modules"]);

/** Files that are read before others get their turn. */
const FILES_AT_ONCE = 128;

/**
 * What is at `path`: a folder, or one file whatever it is called. Codes: `not_found`, `unreadable`, `not_a_file`,
 * `too_many_files`, `too_deep`.
 */
export async function readForeign(path: string, limits: Partial<ForeignLimits> = {}): Promise<Parsed<ForeignFolder>> {
  try {
    // A link that is named is meant.
    const real = realpathSync.native(path);
    const found = lstatSync(real);
    if (found.isFile()) return parsed({ files: [readOne(dirname(real), basename(real), basename(path))], others: 0 });
    if (!found.isDirectory()) return unparsed("not_a_file", `${path} is neither a file nor a folder`);
    return await readFolder(real, { ...FOREIGN_LIMITS, ...limits });
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return unparsed("not_found", `there is no ${path}`);
    return unparsed("unreadable", `${path} cannot be read (${code})`);
  }
}

async function readFolder(root: string, limits: ForeignLimits): Promise<Parsed<ForeignFolder>> {
  const { filesMax, entriesMax, depthMax } = limits;
  const files: ForeignFile[] = [];
  let [others, entries] = [0, 0];
  const open: { readonly folder: string; readonly depth: number }[] = [{ folder: "", depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { folder, depth } = next;
    const list = entriesOf(join(root, folder));
    if (typeof list === "string") {
      files.push(failed(`${folder}/`, "unreadable", `the folder cannot be read (${list})`));
      continue;
    }
    entries += list.length;
    if (entries > entriesMax) return unparsed("too_many_files", `there are more than ${entriesMax} files and folders`);
    for (const entry of list) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (LEFT_OUT.has(entry.name)) continue;
        if (depth === depthMax)
          return unparsed("too_deep", `there are more than ${depthMax} folders in one another: ${name}`);
        open.push({ folder: name, depth: depth + 1 });
      } else if (looksForeign(name)) files.push(readEntry(root, name, entry));
      else others += 1;
      if (files.length > filesMax) return unparsed("too_many_files", `there are more than ${filesMax} rule files`);
      if (files.length % FILES_AT_ONCE === FILES_AT_ONCE - 1) await setImmediate();
    }
  }
  return parsed({ files: files.sort((a, b) => (a.name < b.name ? -1 : 1)), others });
}

function entriesOf(folder: string): readonly Dirent[] | string {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    return codeOf(error);
  }
}

function readEntry(root: string, name: string, entry: Dirent): ForeignFile {
  if (entry.isSymbolicLink()) {
    return failed(name, "symbolic_link", "it is a link, which is not followed: import the file that it leads to");
  }
  return entry.isFile() ? readOne(root, name, name) : failed(name, "not_a_file", "it is neither a file nor a folder");
}

/** `called`: its name in the report, where that is not the one below `root`. */
function readOne(root: string, name: string, called: string): ForeignFile {
  try {
    const { size } = lstatSync(join(root, name));
    if (size > FOREIGN_BYTES_MAX) return failed(called, "too_large", `it has more than ${FOREIGN_BYTES_MAX} bytes`);
    const { bytes, failed: why } = readInside(root, name, FOREIGN_BYTES_MAX);
    return why === null ? decoded(called, bytes) : failed(called, "unreadable", `it ${why}`);
  } catch (error) {
    return failed(called, "unreadable", `it cannot be read (${codeOf(error)})`);
  }
}

function decoded(name: string, bytes: Uint8Array): ForeignFile {
  try {
    return { name, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return failed(name, "not_utf8", "its bytes are no UTF-8: save it as UTF-8");
  }
}

function failed(name: string, code: ImportRefusal, detail: string): ForeignFile {
  return { name, failed: { code, detail } };
}
