import type { Imported, ImportReport } from "../../domain/imported.ts";
import { shownName } from "../places.ts";

/** The report as lines for people: one a file, and below it its rules where there are several, and what was found. */
export function importLines({ files, ...report }: ImportReport): readonly string[] {
  const { seen, imported, importedWithFindings, refused, rules, duplicates } = report;
  const again = duplicates.length === 0 ? "" : `, ${duplicates.length} of them with the text of another`;
  const sum = `${seen} files: ${imported} imported, ${importedWithFindings} imported with findings, ${refused} refused; ${rules.length} rules${again}`;
  return [...files.flatMap(fileLines), sum];
}

function fileLines({ name, outcome, code, format, bytes, rules, findings }: Imported): readonly string[] {
  const became = outcome === "refused" ? `refused (${code})` : outcome.replaceAll("_", " ");
  const count = rules.length === 1 ? `1 rule, ${rules[0]?.id}` : `${rules.length} rules`;
  const what = rules.length === 0 ? "" : `  ${format}, ${bytes} B -> ${count}`;
  const sections = rules.length < 2 ? [] : rules.map((rule) => `    ${rule.id}  ${rule.bytes} B`);
  const found = findings.map(({ rule, severity, where, message }) => `    ${severity} ${rule}  ${where}: ${message}`);
  // Names and values come from files that nobody has looked at yet.
  return [`${became}  ${name}${what}`, ...sections, ...found].map(shownName);
}
