/** The guides: what the model is told. Pure. */
export { importAll } from "./import/import-all.ts";
export { type ImportOptions, importFile } from "./import/import-file.ts";
export { importLines } from "./import/import-lines.ts";
export { type ForeignHeader, readHeader as readForeignHeader } from "./import/read-header.ts";
export { type ConditionHeader, type RuleHeader, writeRule } from "./write-rule.ts";
