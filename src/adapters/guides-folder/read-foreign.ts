/**
 * Reads the rule files of other tools from a folder, hidden folders among them (`.cursor/rules`, `.github/instructions`,
 * `.claude/skills`), or one such file. Links are not followed below the folder, and nothing outside it is read; what is not
 * read is listed with why, since an import names every file.
 */
import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, parse, relative, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isInRules, looksForeign } from "../../domain/foreign-rule.ts";
import { FOREIGN_BYTES_MAX, type ForeignFile, type ImportRefusal } from "../../domain/imported.ts";
import { type Parsed, parsed, unparsed } from "../../domain/parsed.ts";
import { codeOf, isInside, readInside } from "./read-inside.ts";

/** How much a folder may hold. Beyond a bound nothing is imported: half a folder is not what was asked for. */
export type ForeignLimits = {
  readonly filesMax: number;
  /** Files and folders of whatever kind that are looked at. */
  readonly entriesMax: number;
  /** Folders inside one another; the files of the folder itself are at 0. */
  readonly depthMax: number;
};

export const FOREIGN_LIMITS: ForeignLimits = { filesMax: 10_000, entriesMax: 200_000, depthMax: 32 };

/** `cwd`: names begin at it where the source is below it. `except`: a folder that is not looked into. All without `..`. */
export type ForeignOptions = Partial<ForeignLimits> & { readonly cwd?: string; readonly except?: string };

export type ForeignFolder = {
  /** Where the names of the files begin. */
  readonly base: string;
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
 * What is at `path`, which is absolute: a folder, or one file whatever it is called. A file has the same name whichever part of
 * the project is asked for, since its name says what kind of rule it is and which files it is for. Codes: `not_found`,
 * `unreadable`, `not_a_file`, `too_many_files`, `too_deep`.
 */
export async function readForeign(path: string, options: ForeignOptions = {}): Promise<Parsed<ForeignFolder>> {
  try {
    // A link that is named is meant.
    const real = realpathSync.native(path);
    const found = lstatSync(real);
    if (!found.isFile() && !found.isDirectory()) {
      return unparsed("not_a_file", `${path} is neither a file nor a folder`);
    }
    const cwd = options.cwd ?? null;
    const seen = cwd === null ? path : seenFrom(cwd, path);
    const base = baseOf(cwd, found.isFile() ? dirname(seen) : seen, seen);
    const name = relative(base, seen).split(sep).join("/");
    if (found.isFile()) return parsed({ base, files: [readOne(dirname(real), basename(real), name)], others: 0 });
    const inside = name === "" ? "" : `${name}/`;
    const except = options.except === undefined ? null : realOrNone(options.except);
    const read = await readFolder(real, inside, except, { ...FOREIGN_LIMITS, ...options });
    return read.ok ? parsed({ base, ...read.value }) : read;
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return unparsed("not_found", `there is no ${path}`);
    return unparsed("unreadable", `${path} cannot be read (${code})`);
  }
}

/** Folders in which tools look for rules: what stands in one belongs to the folder that has it. */
const TOOL_FOLDER = /^(.*?)[\\/]\.(?:cursor|claude|github|agents)(?:[\\/](?:rules|skills|instructions)(?:[\\/].*)?)?$/s;

/** The folder that names begin at: `cwd`, else the source's own, and above the folders of tools in either case. */
function baseOf(cwd: string | null, folder: string, path: string): string {
  const near = cwd !== null && isInside(cwd, path) ? cwd : folder;
  return aboveTools(near);
}

/** The folder that has this one, where it is of a tool. A root is one with its separator alone, on Windows that of each drive. */
export function aboveTools(folder: string): string {
  const above = TOOL_FOLDER.exec(folder)?.[1] ?? folder;
  return above === "" || /^[a-z]:$/i.test(above) ? `${above}${folder.charAt(above.length)}` : above;
}

/**
 * The same path below `cwd`, where a link elsewhere leads to it: a file has one name whichever way is taken to its folder. A link
 * below `cwd` keeps the name that it has there.
 */
function seenFrom(cwd: string, path: string): string {
  if (isInside(cwd, path)) return path;
  const real = realOrNone(cwd);
  if (real === null) return path;
  const { root } = parse(path);
  const parts = path.slice(root.length).split(sep);
  for (let n = 1; n <= parts.length; n++) {
    const place = realOrNone(join(root, ...parts.slice(0, n)));
    if (place !== null && isInside(real, place)) return join(cwd, relative(real, place), ...parts.slice(n));
  }
  return path;
}

/** `inside`: what stands before each name. */
async function readFolder(
  root: string,
  inside: string,
  except: string | null,
  { filesMax, entriesMax, depthMax }: ForeignLimits,
): Promise<Parsed<Omit<ForeignFolder, "base">>> {
  const files: ForeignFile[] = [];
  let [others, entries] = [0, 0];
  const open: { readonly folder: string; readonly depth: number }[] = [{ folder: "", depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { folder, depth } = next;
    const list = entriesOf(join(root, folder));
    if (typeof list === "string") {
      files.push(failed(`${inside}${folder}/`, "unreadable", `the folder cannot be read (${list})`));
      continue;
    }
    entries += list.length;
    if (entries > entriesMax) return unparsed("too_many_files", `there are more than ${entriesMax} files and folders`);
    for (const entry of list) {
      const below = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const [name, path] = [`${inside}${below}`, join(root, below)];
      if (entry.isDirectory()) {
        if (LEFT_OUT.has(entry.name) || path === except) continue;
        if (depth === depthMax)
          return unparsed("too_deep", `there are more than ${depthMax} folders in one another: ${name}`);
        open.push({ folder: below, depth: depth + 1 });
      } else if (looksForeign(name)) files.push(readEntry(root, below, name, entry));
      else if (entry.isSymbolicLink() && isInRules(name) && leadsToFolder(path)) {
        files.push(
          failed(name, "symbolic_link", "it is a link to a folder, which is not followed: import it by its name"),
        );
      } else others += 1;
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

/** The path without links; null where nothing is there, or nothing that can be reached. */
function realOrNone(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

function leadsToFolder(link: string): boolean {
  return statSync(link, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function readEntry(root: string, below: string, name: string, entry: Dirent): ForeignFile {
  if (entry.isSymbolicLink()) {
    return failed(name, "symbolic_link", "it is a link, which is not followed: import it by its name");
  }
  return entry.isFile() ? readOne(root, below, name) : failed(name, "not_a_file", "it is neither a file nor a folder");
}

/** `name`: in the report. */
function readOne(root: string, below: string, name: string): ForeignFile {
  try {
    const { size } = lstatSync(join(root, below));
    if (size > FOREIGN_BYTES_MAX) return failed(name, "too_large", `it has more than ${FOREIGN_BYTES_MAX} bytes`, size);
    const { bytes, failed: why } = readInside(root, below, FOREIGN_BYTES_MAX);
    return why === null ? decoded(name, bytes) : failed(name, "unreadable", `it ${why}`);
  } catch (error) {
    return failed(name, "unreadable", `it cannot be read (${codeOf(error)})`);
  }
}

function decoded(name: string, bytes: Uint8Array): ForeignFile {
  try {
    return { name, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return failed(name, "not_utf8", "its bytes are no UTF-8: save it as UTF-8", bytes.length);
  }
}

function failed(name: string, code: ImportRefusal, detail: string, bytes?: number): ForeignFile {
  return { name, ...(bytes === undefined ? {} : { bytes }), failed: { code, detail } };
}
