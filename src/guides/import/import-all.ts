import { byCodeUnits } from "../../domain/code-units.ts";
import { type ForeignFile, type Imported, type ImportReport, importFinding } from "../../domain/imported.ts";
import { Ids } from "./draft-id.ts";
import { type ImportOptions, importFile } from "./import-file.ts";

/**
 * What becomes of many files, a line each, in the order of their names whatever order they come in. Ids are given once over all
 * of them, and a text that is there twice is named.
 */
export function importAll(files: readonly ForeignFile[], options: ImportOptions = {}): ImportReport {
  const ids = new Ids();
  const imported = [...files].sort(inOrder).map((file) => importFile(file, options, ids));
  const { told, duplicates } = withDuplicates(imported);
  const count = (outcome: Imported["outcome"]): number => told.filter((file) => file.outcome === outcome).length;
  return {
    files: told,
    seen: told.length,
    imported: count("imported"),
    importedWithFindings: count("imported_with_findings"),
    refused: count("refused"),
    rules: told.flatMap(({ rules }) => rules),
    duplicates,
  };
}

/** By name, and by text where two have one name. */
function inOrder(a: ForeignFile, b: ForeignFile): number {
  return byCodeUnits(a.name, b.name) || byCodeUnits("text" in a ? a.text : "", "text" in b ? b.text : "");
}

type Duplicates = { readonly told: readonly Imported[]; readonly duplicates: ImportReport["duplicates"] };

/** All of them stay: the other tool serves each, and which one goes is for a person to say. */
function withDuplicates(files: readonly Imported[]): Duplicates {
  const firsts = new Map<string, string>();
  const duplicates: { readonly id: string; readonly first: string }[] = [];
  const told = files.map((file) => {
    const findings = file.rules.flatMap(({ id, file: draft, body }) => {
      const first = firsts.get(body);
      if (first === undefined) {
        firsts.set(body, id);
        return [];
      }
      duplicates.push({ id, first });
      return [importFinding("duplicate_text", draft, `its text is byte for byte that of ${first}`)];
    });
    if (findings.length === 0) return file;
    return { ...file, outcome: "imported_with_findings" as const, findings: [...file.findings, ...findings] };
  });
  return { told, duplicates };
}
