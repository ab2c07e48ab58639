import type { RuleStatus } from "../../index.ts";
import type { Io } from "./io.ts";
import { printNote } from "./print-row.ts";
import { visible } from "./text.ts";

/** What is published and not served, and why. */
export function printWithheld(io: Io, all: readonly RuleStatus[]): void {
  for (const { rule, published, withheld } of all) {
    if (published === null || withheld === null) continue;
    printNote(io, `${visible(rule ?? "")} is withheld (${withheld.code}): ${visible(withheld.detail)}`, "yellow");
  }
}
