/**
 * What became of each ForeignRule (design 7.1): imported, imported with findings, or refused with a code. None vanish.
 */
import type { Finding } from "./finding.ts";
import type { ForeignFormat } from "./foreign-rule.ts";

/** Bytes that a foreign file may have: its rule has a header as well, and is to be within the bounds of rule files. */
export const FOREIGN_BYTES_MAX = 1_000_000;

export const IMPORT_OUTCOMES = ["imported", "imported_with_findings", "refused"] as const;
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number];

export const IMPORT_REFUSALS = [
  "unknown_format",
  "empty",
  "no_body",
  "header_too_large",
  "too_many_sections",
  "too_large",
  "not_utf8",
  "unreadable",
  "symbolic_link",
  "not_a_file",
] as const;
/** Why a file gives no rule. The last four are found where it is read, `too_large` here as well. */
export type ImportRefusal = (typeof IMPORT_REFUSALS)[number];

/**
 * What a person has to look at in an import, and how grave it is: with an error the rule is not what the foreign file says, or
 * will not pass a verification as it is.
 */
export const IMPORT_FINDINGS = {
  /** A section that no heading divides has more bytes than the budget. */
  larger_than_budget: "error",
  /** Characters that cannot be seen. The draft keeps them, and no verification passes it until somebody takes them out. */
  hidden_code_point: "error",
  header_not_closed: "error",
  header_line_unread: "warning",
  header_value_unread: "warning",
  duplicate_key: "warning",
  /** Keys that a rule has no place for. */
  key_not_kept: "warning",
  glob_not_kept: "error",
  /** A rule in a folder of rules below the top was for that folder. */
  folder_not_kept: "warning",
  /** The other tool lets a model choose: the matcher is made from the name and the description. */
  guessed_matcher: "warning",
  /** Nothing says when it is for, so it is for every task. */
  no_matcher: "warning",
  /** Files whose text is not part of the rule. */
  refers_to_file: "warning",
  /** Sections that may have to be `safety: true`, which only a person says. */
  maybe_safety: "warning",
  byte_order_mark: "warning",
  /** The text is byte for byte that of another rule. */
  duplicate_text: "warning",
} as const satisfies Readonly<Record<string, Finding["severity"]>>;
export type ImportFinding = keyof typeof IMPORT_FINDINGS;

/** A finding with the severity that its code has. */
export function importFinding(code: ImportFinding, where: string, message: string): Finding {
  return { rule: code, severity: IMPORT_FINDINGS[code], where, message };
}

/** A foreign file as it was read: its text, decoded strictly with the byte order mark kept, or why there is none. */
export type ForeignFile =
  | { /** Below the folder that names begin at, with `/`. */ readonly name: string; readonly text: string }
  | {
      readonly name: string;
      /** Of the file, where that is known. */
      readonly bytes?: number;
      readonly failed: { readonly code: ImportRefusal; readonly detail: string };
    };

/** A rule file that an import gives, in our format. Its body is an untouched range of the foreign file's bytes. */
export type DraftRule = {
  readonly id: string;
  /** Its name in the guides folder. */
  readonly file: string;
  readonly text: string;
  readonly body: string;
  /** The heading that the section begins with; empty where it has none. */
  readonly title: string;
  /** Of the body in UTF-8. */
  readonly bytes: number;
  /** Where the body stands in the foreign file, in bytes. */
  readonly from: number;
  readonly to: number;
};

/** One line of the report. */
export type Imported = {
  readonly name: string;
  readonly format: ForeignFormat | null;
  readonly outcome: ImportOutcome;
  /** Of a refusal; null otherwise. */
  readonly code: ImportRefusal | null;
  /** Of the foreign file; 0 where that is not known. */
  readonly bytes: number;
  readonly rules: readonly DraftRule[];
  readonly findings: readonly Finding[];
};

export type ImportReport = {
  /** By name. */
  readonly files: readonly Imported[];
  /** seen = imported + importedWithFindings + refused. */
  readonly seen: number;
  readonly imported: number;
  readonly importedWithFindings: number;
  readonly refused: number;
  /** Of all files, in their order. Each id and each file name once. */
  readonly rules: readonly DraftRule[];
  /** Rules whose text is byte for byte that of one before. */
  readonly duplicates: readonly { readonly id: string; readonly first: string }[];
};
