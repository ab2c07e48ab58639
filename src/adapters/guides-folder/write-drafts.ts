/**
 * Writes imported rules into a guides folder. A file that is there with other content is never touched: somebody has worked on
 * it. Each file appears whole or not at all, also where the machine stops in between.
 */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, lstat, open, readdir, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { DraftRule } from "../../domain/imported.ts";
import { makeFolder } from "./make-folder.ts";
import { codeOf } from "./read-inside.ts";

export const WRITE_REFUSALS = ["other_content", "not_a_file", "bad_name", "unwritable"] as const;
export type WriteRefusal = (typeof WRITE_REFUSALS)[number];

/** What became of a draft. `unchanged`: the file was there, byte for byte. */
export type WrittenDraft =
  | { readonly file: string; readonly outcome: "written" | "unchanged" }
  | { readonly file: string; readonly outcome: "refused"; readonly code: WriteRefusal; readonly detail: string };

/** Each file waits for the disk, and a disk can make several safe at once. */
const FILES_AT_ONCE = 32;

/** One line for each draft, in their order. The folder is made where it is missing. */
export async function writeDrafts(
  folder: string,
  drafts: readonly Pick<DraftRule, "file" | "text">[],
): Promise<readonly WrittenDraft[]> {
  try {
    makeFolder(folder);
  } catch (error) {
    const detail = `its folder cannot be made (${codeOf(error)})`;
    return drafts.map(({ file }) => refused(file, "unwritable", detail));
  }
  const written: WrittenDraft[] = [];
  for (let at = 0; at < drafts.length; at += FILES_AT_ONCE) {
    const some = drafts.slice(at, at + FILES_AT_ONCE);
    written.push(...(await Promise.all(some.map(({ file, text }) => writeDraft(folder, file, text)))));
  }
  return written;
}

/**
 * Files of a folder that are named like drafts of an earlier import of the same foreign files, and that this one did not make: a
 * file has fewer sections by now, or is split where it was not. By name alone, `file--section.md` or `file.md`, whoever wrote it. None of a folder that cannot be
 * read: what was imported is to be told all the same, and each draft that cannot be written says why.
 */
export async function staleDrafts(
  folder: string,
  drafts: readonly Pick<DraftRule, "file">[],
): Promise<readonly string[]> {
  const made = new Set(drafts.map(({ file }) => file));
  const stems = new Set(drafts.map(({ file }) => stemOf(file)));
  const names = await readdir(folder).catch((): readonly string[] => []);
  return names.filter((name) => NAME.test(name) && stems.has(stemOf(name)) && !made.has(name)).sort();
}

/** What all drafts of a foreign file begin with. */
function stemOf(file: string): string {
  return file.replace(/(?:--.*)?\.md$/, "");
}

/** Ids are ASCII, and so are the names made of them; any other name is not ours, and could lead out of the folder. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}\.md$/;

async function writeDraft(folder: string, file: string, text: string): Promise<WrittenDraft> {
  if (!NAME.test(file)) return refused(file, "bad_name", "it is not the name of an imported rule");
  const path = join(folder, file);
  try {
    const there = await lookAt(path, text);
    if (there !== "missing") return there === "same" ? { file, outcome: "unchanged" } : already(file, there);
    const appeared = await place(folder, path, text);
    if (appeared) return { file, outcome: "written" };
    // Somebody else was quicker.
    const now = await lookAt(path, text);
    return now === "same" ? { file, outcome: "unchanged" } : already(file, now === "missing" ? "other" : now);
  } catch (error) {
    return refused(file, "unwritable", `it cannot be written (${codeOf(error)})`);
  }
}

type There = "missing" | "same" | "other" | "no_file";

async function lookAt(path: string, text: string): Promise<There> {
  try {
    const found = await lstat(path);
    if (!found.isFile()) return "no_file";
    const bytes = Buffer.from(text);
    return found.size === bytes.length && bytes.equals(await readFile(path)) ? "same" : "other";
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "missing";
    throw error;
  }
}

function already(file: string, there: "other" | "no_file"): WrittenDraft {
  if (there === "no_file") return refused(file, "not_a_file", "something is there that is no plain file");
  return refused(
    file,
    "other_content",
    "a file is there with other content, which is left as it is: rename or remove it",
  );
}

/** False where a file has that name by now. A link to a finished file, unlike a rename, takes no other file's place. */
async function place(folder: string, path: string, text: string): Promise<boolean> {
  const draft = join(folder, `.${randomUUID()}.tmp`);
  try {
    const file = await open(draft, "wx");
    try {
      await file.writeFile(text, "utf8");
      await file.sync();
    } finally {
      await file.close();
    }
    await linked(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    await unlink(draft).catch(() => {});
  }
}

/** Some file systems have no links; there a copy, which does not overwrite either, is the next best. */
async function linked(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(codeOf(error))) throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
}

function refused(file: string, code: WriteRefusal, detail: string): WrittenDraft {
  return { file, outcome: "refused", code, detail };
}
