import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NoData } from "../figures/figure.ts";

/** Beside the repository, where the public data is unpacked for development. */
export const RULE_FILES = fileURLToPath(new URL("../../../shared/data/guides/rules", import.meta.url));

/** A public rule file: where it lies, and under which name it stands in the repository that it is from. */
export type RuleFile = { readonly path: string; readonly repository: string; readonly name: string };

/** The files that the manifest of such a folder lists. */
export function ruleFiles(folder: string): readonly RuleFile[] {
  const manifest = join(folder, "manifest.json");
  if (!existsSync(manifest)) throw new NoData(`no rule files in ${folder}: name their folder with --data`);
  const rows: unknown = JSON.parse(readFileSync(manifest, "utf8"));
  if (!Array.isArray(rows)) throw new NoData(`${manifest} is no list of files`);
  return rows.map(({ file, repo, path }: Readonly<Record<string, unknown>>) => ({
    path: join(folder, "..", String(file)),
    repository: String(repo),
    name: String(path),
  }));
}
