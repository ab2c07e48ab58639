/**
 * Makes rule files of one foreign rule file (design 7.1). The text of the rules is the foreign file's own, byte for byte; only
 * their headers are new. What could not be kept, and what was guessed, is a finding. Laws, tested in test/laws/import.test.ts:
 *
 *   one-line         each file gives one line of the report: imported, imported with findings, or refused with a code
 *   no-byte-lost     the bodies of a file's rules, put together, are its body, but for empty lines around them
 *   total            no text makes it throw, and its cost is linear in the text
 */
import type { Finding } from "../../domain/finding.ts";
import { foreignFormat } from "../../domain/foreign-rule.ts";
import { isBlank } from "../../domain/hidden.ts";
import { FOREIGN_BYTES_MAX, type ForeignFile, type Imported, type ImportRefusal } from "../../domain/imported.ts";
import { DEFAULT_PROFILE } from "../../domain/profile.ts";
import { shownName } from "../places.ts";
import { byteOffsets } from "./byte-offsets.ts";
import { Ids } from "./draft-id.ts";
import { draftsOf } from "./drafts.ts";
import { findingsOf } from "./findings.ts";
import { matchersOf } from "./matchers.ts";
import { readHeader } from "./read-header.ts";
import type { Source } from "./source.ts";

export type ImportOptions = {
  /** UTF-8 bytes from which on a file is split at its headings. Default: the budget of DEFAULT_PROFILE. */
  readonly budgetBytes?: number;
};

/** What becomes of one file. `ids`: those that other files have taken. */
export function importFile(file: ForeignFile, options: ImportOptions = {}, ids: Ids = new Ids()): Imported {
  const { name } = file;
  const format = foreignFormat(name);
  const refuse = (code: ImportRefusal, message: string, bytes = 0): Imported => {
    const findings: Finding[] = [{ rule: code, severity: "error", where: shownName(name), message }];
    return { name, format, outcome: "refused", code, bytes, rules: [], findings };
  };
  if ("failed" in file) return refuse(file.failed.code, file.failed.detail, file.bytes);
  const { text } = file;
  const bytesBefore = byteOffsets(text);
  const bytes = bytesBefore(text.length);
  if (format === null) return refuse("unknown_format", "no tool that is known here reads a file of this name", bytes);
  if (bytes > FOREIGN_BYTES_MAX) return refuse("too_large", `it has more than ${FOREIGN_BYTES_MAX} bytes`, bytes);
  if (isBlank(text)) return refuse("empty", "there is nothing in it", bytes);
  const header = readHeader(text);
  if (isBlank(text.slice(header.bodyFrom))) return refuse("no_body", "there is nothing after its header", bytes);
  const budgetBytes = options.budgetBytes ?? DEFAULT_PROFILE.budgetBytes;
  const matchers = matchersOf(format, name, header);
  const source: Source = { name, format, text, bytesBefore, header, matchers, budgetBytes };
  const drafts = draftsOf(source, ids);
  if (!drafts.ok) return refuse(drafts.code, drafts.detail, bytes);
  const { rules } = drafts;
  const findings = findingsOf(source, rules);
  const outcome = findings.length === 0 ? "imported" : "imported_with_findings";
  return { name, format, outcome, code: null, bytes, rules, findings };
}
