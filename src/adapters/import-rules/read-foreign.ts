/**
 * Reads the rule files of other tools from a folder, hidden folders among them (`.cursor/rules`, `.github/instructions`,
 * `.claude/skills`), or one such file. Links are not followed below the folder, so that nothing outside it is read; what is not
 * read is listed with why, since an import names every file.
 */
import { constants, type Dirent } from "node:fs";
import { open, readdir, realpath, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { looksForeign } from "../../domain/foreign-rule.ts";
import { FOREIGN_BYTES_MAX, type ForeignFile, type ImportRefusal } from "../../domain/imported.ts";
import { type Parsed, parsed, unparsed } from "../../domain/parsed.ts";

/** Bounds of a walk. Where one is reached nothing is imported: half a folder is not what was asked for. */
export type ReadBounds = { readonly filesMax: number; readonly entriesMax: number; readonly depthMax: number };

export const READ_BOUNDS: ReadBounds = { filesMax: 10_000, entriesMax: 200_000, depthMax: 32 };

export type ForeignFolder = {
  /** By name. Of a folder: what some tool reads as a rule, or people may think that it does. */
  readonly files: readonly ForeignFile[];
  /** How many other files there are. */
  readonly others: number;
};

/** Folders that hold nobody's own rules, and many files. */
const LEFT_OUT: ReadonlySet<string> = new Set([".git", ".hg", ".svn", "node_modules"]);

/**
 * What is at `path`: a folder, or one file whatever it is called. Codes: `not_found`, `unreadable`, `not_a_file`,
 * `too_many_files`, `too_deep`.
 */
export async function readForeign(path: string, bounds: ReadBounds = READ_BOUNDS): Promise<Parsed<ForeignFolder>> {
  try {
    // A link that is named is meant.
    const real = await realpath(path);
    const found = await stat(real);
    if (found.isFile()) return parsed({ files: [await readOne(real, basename(path))], others: 0 });
    return found.isDirectory()
      ? await readFolder(real, bounds)
      : unparsed("not_a_file", `${path} is no file and no folder`);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return unparsed("not_found", `there is no ${path}`);
    return unparsed("unreadable", `${path} cannot be read (${code})`);
  }
}

async function readFolder(root: string, bounds: ReadBounds): Promise<Parsed<ForeignFolder>> {
  const files: ForeignFile[] = [];
  let [others, entries] = [0, 0];
  const open: { readonly folder: string; readonly depth: number }[] = [{ folder: "", depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { folder, depth } = next;
    const list = await entriesOf(join(root, folder));
    if (typeof list === "string") files.push(failed(`${folder}/`, "unreadable", `the folder cannot be read (${list})`));
    else entries += list.length;
    if (entries > bounds.entriesMax)
      return unparsed("too_many_files", `more than ${bounds.entriesMax} files and folders`);
    for (const entry of typeof list === "string" ? [] : list) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (LEFT_OUT.has(entry.name)) continue;
        if (depth + 1 > bounds.depthMax)
          return unparsed("too_deep", `folders more than ${bounds.depthMax} deep: ${name}`);
        open.push({ folder: name, depth: depth + 1 });
      } else if (looksForeign(name)) files.push(await readEntry(root, name, entry));
      else others += 1;
      if (files.length > bounds.filesMax) return unparsed("too_many_files", `more than ${bounds.filesMax} rule files`);
    }
  }
  return parsed({ files: files.sort((a, b) => (a.name < b.name ? -1 : 1)), others });
}

async function entriesOf(folder: string): Promise<readonly Dirent[] | string> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    return codeOf(error);
  }
}

async function readEntry(root: string, name: string, entry: Dirent): Promise<ForeignFile> {
  if (entry.isSymbolicLink()) {
    return failed(name, "symbolic_link", "it is a link, which is not followed: import the file that it leads to");
  }
  if (!entry.isFile()) return failed(name, "not_a_file", "it is neither a file nor a folder");
  return await readOne(join(root, name), name);
}

/** Opened once, and looked at and read through that one handle: what is swapped for a link in between is refused. */
async function readOne(path: string, name: string): Promise<ForeignFile> {
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const found = await file.stat();
      if (!found.isFile()) return failed(name, "not_a_file", "it is neither a file nor a folder");
      if (found.size > FOREIGN_BYTES_MAX)
        return failed(name, "too_large", `it has more than ${FOREIGN_BYTES_MAX} bytes`);
      const bytes = Buffer.alloc(found.size + 1);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
      if (bytesRead !== found.size) return failed(name, "unreadable", "it changed while it was read: import it again");
      return decoded(name, bytes.subarray(0, bytesRead));
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = codeOf(error);
    if (code === "ELOOP") return failed(name, "symbolic_link", "it became a link while it was read");
    return failed(name, "unreadable", `it cannot be read (${code})`);
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

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
}
