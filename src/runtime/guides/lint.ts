import type { Finding } from "../../domain/finding.ts";
import type { Rule } from "../../domain/rule.ts";
import { finding } from "../../guides/index.ts";
import type { Parts } from "../parts.ts";
import type { LintReport } from "./api.ts";
import { groundedFindings, knownChain } from "./grounded-findings.ts";
import { guidesIn } from "./guide-parts.ts";
import { readFolder } from "./read-folder.ts";

/** Checks the files of the folder, one by one and together. Writes nothing. */
export async function lintGuides(parts: Parts): Promise<LintReport> {
  const { files, lint } = await readFolder(parts);
  const { findings, rules, safety, unreadable } = lint;
  return {
    files: files.length,
    rules,
    findings: [...findings, ...(await guideFindings(parts, rules)), ...(await folderFindings(parts))],
    unreadable,
    safety,
  };
}

/** What keeps guides from being served in their maps as they are now. */
async function guideFindings(parts: Parts, rules: readonly Rule[]): Promise<readonly Finding[]> {
  const guides = rules.filter(({ guide }) => guide !== null);
  if (guides.length === 0) return [];
  const state = await knownChain(parts);
  const found: Finding[] = [];
  for (const rule of guides) found.push(...(await groundedFindings(parts, rule, state)).findings);
  return found;
}

/** Names that a message lists; more are counted. */
const NAMED_MAX = 8;

/** What is not about a rule: names in the config that no file has, and files that nobody reads. */
async function folderFindings(parts: Parts): Promise<readonly Finding[]> {
  const { exclude, files } = guidesIn(parts);
  const findings: Finding[] = [];
  const there = exclude.length === 0 ? [] : (await files.read()).map(({ name }) => name);
  const absent = exclude.filter((name) => !there.includes(name));
  if (absent.length > 0) {
    const says = `no file below the folder is called ${named(absent)}: nothing is excluded by it`;
    findings.push(finding("excludes_no_file", "guides.exclude", says));
  }
  const unread = (await files.unread?.()) ?? [];
  if (unread.length > 0) {
    const says = `not read, since a rule file ends in .md: ${named(unread)}; \`guides import\` makes rule files of other tools' rules`;
    findings.push(finding("file_not_read", "guides", says));
  }
  return findings;
}

function named(names: readonly string[]): string {
  const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : "";
  return names.slice(0, NAMED_MAX).join(", ") + more;
}
