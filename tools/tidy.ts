/**
 * All checks that keep the house true. `node tools/tidy.ts` prints the findings over the repository and exits 1 if there
 * are any; test/house.test.ts runs the same checks as ordinary tests and plants a fault for each.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Check, File, Finding } from "./check.ts";
import { cycles, deadFiles, doors, fileLength, importLaw, pureCompiled, reserved } from "./check-code.ts";
import {
  deadPathsInDocs,
  decisionNumbers,
  dependenciesExplained,
  lockHasNoResolved,
  noHosts,
  promisesCited,
} from "./check-papers.ts";

export const CHECKS = {
  importLaw,
  doors,
  reserved,
  pureCompiled,
  cycles,
  deadFiles,
  fileLength,
  deadPathsInDocs,
  decisionNumbers,
  promisesCited,
  dependenciesExplained,
  noHosts,
  lockHasNoResolved,
} as const satisfies Record<string, Check>;

const LEFT_OUT: ReadonlySet<string> = new Set([".git", "node_modules", "dist", "coverage", ".twins"]);

/** Reads the repository's files below `root`, without what is generated, installed or a database. */
export function readRepository(root: string): readonly File[] {
  const files: File[] = [];
  function walk(folder: string): void {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (LEFT_OUT.has(entry.name) || /\.(?:db|db-wal|db-shm|tgz)$/.test(entry.name)) continue;
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) files.push({ path, text: textOf(join(root, path)) });
    }
  }
  walk("");
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function textOf(path: string): string {
  const bytes = readFileSync(path);
  return bytes.includes(0) ? "" : bytes.toString("utf8");
}

/** One line a finding, as a person or an editor reads it. */
export function printed(findings: readonly Finding[]): string {
  return findings.map(({ rule, where, message }) => `${where}  ${rule}  ${message}`).join("\n");
}

function main(): void {
  const files = readRepository(fileURLToPath(new URL("..", import.meta.url)));
  const findings = Object.values(CHECKS).flatMap((check) => check(files));
  if (findings.length > 0) process.stdout.write(`${printed(findings)}\n`);
  process.stdout.write(`${findings.length} findings in ${files.length} files\n`);
  process.exitCode = findings.length === 0 ? 0 : 1;
}

if (import.meta.main) main();
