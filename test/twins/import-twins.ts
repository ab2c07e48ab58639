import type { IMPORT_CHECKS } from "../checks/import.ts";
import type { Patch } from "./twin.ts";

/** A fault in the import of foreign rules, and the check that must catch it. */
export type ImportTwin = {
  readonly fault: string;
  readonly check: keyof typeof IMPORT_CHECKS;
  readonly patches: readonly Patch[];
};

function twin(check: ImportTwin["check"], fault: string, file: string, find: string, replace: string): ImportTwin {
  return { check, fault, patches: [{ file: `guides/import/${file}`, find, replace }] };
}

const SPLIT = "split-sections.ts";
const DRAFTS = "drafts.ts";
const LINES = "header-lines.ts";
const VALUE = "header-value.ts";
const MATCHERS = "matchers.ts";
const FINDINGS = "findings.ts";

export const IMPORT_TWINS: readonly ImportTwin[] = [
  twin(
    "noByteLost",
    "the text before the first heading is dropped",
    SPLIT,
    "[range.from, ...(isHidden ? cuts.slice(1) : cuts)]",
    "cuts",
  ),
  twin(
    "noByteLost",
    "a heading with nothing below it is dropped",
    SPLIT,
    "if (idle === null) kept.push(whole);",
    "if (idle === null) kept.push(piece);",
  ),
  twin(
    "noByteLost",
    "the last heading is dropped where nothing is below it",
    SPLIT,
    "return idle === null ? kept : [...kept, idle];",
    "return kept.slice(0, -1);",
  ),
  twin(
    "noByteLost",
    "line breaks are made all the same",
    DRAFTS,
    "const body = text.slice(start, section.to)",
    "const body = text.slice(start, section.to).replaceAll('\\r', '')",
  ),
  twin(
    "noByteLost",
    "places are counted in characters",
    DRAFTS,
    "const [from, to] = [bytesBefore(start), bytesBefore(start + body.length)];",
    "const [from, to] = [start, start + body.length];",
  ),
  twin("noByteLost", "a byte order mark shifts the places", LINES, 'text.startsWith("\\ufeff") ? 1 : 0, 1)', "0, 1)"),

  twin(
    "oneLine",
    "files that are refused are left out",
    "import-all.ts",
    "files: told,",
    'files: told.filter(({ outcome }) => outcome !== "refused"),',
  ),
  twin("oneLine", "an id is given twice", "draft-id.ts", "this.#taken.add(id);", ""),
  twin(
    "oneLine",
    "a file with nothing behind its header gives a rule without text",
    "import-file.ts",
    "if (isBlank(text.slice(header.bodyFrom)))",
    "if (text === '')",
  ),
  twin(
    "oneLine",
    "a duplicate is named, and the file passes for clean",
    "import-all.ts",
    'outcome: "imported_with_findings" as const, ',
    "",
  ),

  twin(
    "headerEndsInTime",
    "any mark that comes later closes the header",
    LINES,
    'else if (blank && !inset.startsWith("#") && !(isInner(inset) && mayGoOn(open))) break;',
    "",
  ),
  twin(
    "headerEndsInTime",
    "prose between two rules across the page is a header",
    LINES,
    "if (strays.length > 0 && !entries.some(({ key }) => isKnown(key))) return null;",
    "",
  ),

  twin("globsAsMeant", "a comma in braces separates", VALUE, 'mark === "," && depth === 0', 'mark === ","'),
  twin(
    "globsAsMeant",
    "the lines of a list are not read",
    "read-header.ts",
    "...rest.flatMap((line) => readList(line.slice(1)))",
    "",
  ),
  twin(
    "globsAsMeant",
    "a glob for every file is kept",
    MATCHERS,
    "if (all.some((glob) => EVERY_FILE.has(glob))) return EVERY_TASK;",
    "",
  ),

  twin(
    "wholeGuess",
    "a description is cut short",
    MATCHERS,
    '.join("\\n");\n  const words',
    '.join("\\n").slice(0, 1_024);\n  const words',
  ),
  twin(
    "wholeGuess",
    "a guess passes for certain",
    MATCHERS,
    'findings: [{ code: "guessed_matcher", message }]',
    "findings: []",
  ),

  twin("neverWider", "without globs a rule is for every task", MATCHERS, "if (paths.length > 0) return", "return"),

  twin(
    "nothingQuiet",
    "hidden code points are not looked for",
    FINDINGS,
    "const unseen = unseenIn(body);",
    "const unseen = null;",
  ),
  twin(
    "nothingQuiet",
    "an import decides what is safety",
    DRAFTS,
    "return { id, ...(task",
    "return { id, safety: true, ...(task",
  ),
  twin(
    "nothingQuiet",
    "a section over the budget is not named",
    FINDINGS,
    "if (bytes > budgetBytes) {",
    "if (bytes > budgetBytes * 10) {",
  ),
];
