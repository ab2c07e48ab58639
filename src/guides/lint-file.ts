import type { Finding } from "../domain/finding.ts";
import type { RuleParse } from "./parse-rule.ts";

/** A rule file as it was read. */
export type LintFile = { readonly name: string; readonly parsed: RuleParse };

/** A finding of the set, with the file that it is listed under. */
export type FoundIn = { readonly file: string; readonly finding: Finding };
