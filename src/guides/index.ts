/** What the model is told: rule files, what is found in them, and what is made of them. Pure. */
export { FINDING_CODES, type FindingCode, finding } from "./finding-codes.ts";
export { importAll } from "./import/import-all.ts";
export { type ImportOptions, importFile } from "./import/import-file.ts";
export { importLines } from "./import/import-lines.ts";
export { type ForeignHeader, readHeader as readForeignHeader } from "./import/read-header.ts";
export { type Lint, lint } from "./lint.ts";
export type { LintFile } from "./lint-file.ts";
export {
  parseRule,
  RULE_FILE_BYTES_MAX,
  type RuleFile,
  type RuleParse,
  type RulePlaces,
  unreadableFile,
} from "./parse-rule.ts";
export { RULE_KEYS, type RuleKey } from "./read-header.ts";
export type { SafetyShare } from "./safety-share.ts";
export { HEADER_BYTES_MAX } from "./split-file.ts";
export { type WrittenCondition, type WrittenHeader, writeRule } from "./write-rule.ts";
