import type { Parts } from "../parts.ts";
import type { LintReport } from "./api.ts";
import { readFolder } from "./read-folder.ts";

/** Checks the files of the folder, one by one and together. Writes nothing. */
export async function lintGuides(parts: Parts): Promise<LintReport> {
  const { files, lint } = await readFolder(parts);
  const { findings, rules, safety, unreadable } = lint;
  return { files: files.length, rules, findings, unreadable, safety };
}
