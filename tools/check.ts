/** The nouns that all checks share: a file, a finding, a check. */
import { lineOf, readSource, type Source } from "./source.ts";

/** A file of the repository: its path from the root with forward slashes, and its text ("" where it is not text). */
export type File = { readonly path: string; readonly text: string };

/** What is wrong (`rule` names the check), where (`path:line`), and what to write instead. */
export type Finding = { readonly rule: string; readonly where: string; readonly message: string };

export type Check = (files: readonly File[]) => readonly Finding[];

/** Whether a path is TypeScript of ours. bench/peers is a package of its own and follows its own rules. */
export const isCode = (path: string): boolean => /\.[mc]?tsx?$/.test(path) && !path.startsWith("bench/peers/");
/** Whether a path is a test, or stands in test/. */
export const isTest = (path: string): boolean => /\.test(?:-d)?\.tsx?$/.test(path) || path.startsWith("test/");
export const codeOf = (files: readonly File[]): readonly File[] => files.filter((file) => isCode(file.path));

const sources = new WeakMap<File, Source>();

/** What the scanner says of a file; read once a file. */
export function sourceOf(file: File): Source {
  const known = sources.get(file) ?? readSource(file.text);
  sources.set(file, known);
  return known;
}

/** A finding about the character at `at` of a file. */
export function finding(rule: string, file: File, at: number, message: string): Finding {
  return { rule, where: `${file.path}:${lineOf(file.text, at)}`, message };
}
