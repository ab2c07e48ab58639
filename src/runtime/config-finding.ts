import type { Finding } from "../domain/finding.ts";
import { nearest } from "../domain/nearest.ts";

/** What is wrong with a config, and where. */
export function finding(where: string, message: string, severity: Finding["severity"] = "error"): Finding {
  return { rule: "config", severity, where, message };
}

/** Keys that are none, with the one that was meant. */
export function strayKeys(object: object, known: readonly string[], where: string): Finding[] {
  return Object.keys(object)
    .filter((key) => !known.includes(key))
    .map((key) => finding(where, `unknown key "${key}"${meant(key, known)}`));
}

/** ` ; did you mean …` where a known word is near. */
export function meant(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === null ? "" : `; did you mean "${near}"?`;
}

/** What is said; an undefined value is what JavaScript makes of something that is not. */
export function said<T extends object>(partial: T): T {
  return Object.fromEntries(Object.entries(partial).filter(([, value]) => value !== undefined)) as T;
}

/** Ids of threads, customers, principals and approvers: what can stand in a command line and a log as it is. */
export const ID = /^[A-Za-z0-9][A-Za-z0-9:._-]{0,127}$/;
