import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { sha256 } from "../../adapters/world-node/index.ts";
import { SignalboxError } from "../../index.ts";
import { readTrialFile } from "../../runtime/index.ts";
import { reportTrial, trialHtml } from "../../trials/index.ts";
import type { Io } from "./io.ts";
import { printTrial } from "./print-trial.ts";
import { messageOf, printError } from "./report.ts";
import { jsonDocument, visible } from "./text.ts";

export type ReportOptions = { readonly json?: boolean; readonly html?: string };

/** Exit code 0 with a report, 1 where there can be none. */
export function reportTrialAt(io: Io, path: string, { json, html }: ReportOptions): number {
  const report = reportTrial(readTrialFile(resolve(io.cwd, path), sha256));
  if (json === true) io.stdout.write(jsonDocument(report));
  if (report.kind === "refusal") {
    if (json !== true) {
      const hint = report.code === "no_positive_control" ? "nothing can be said of the arms, whatever they did" : "";
      printError(io, { code: report.code, message: visible(report.detail), hint });
    }
    return 1;
  }
  if (html !== undefined) writePage(io, html, trialHtml(report));
  if (json !== true) printTrial(io, report, html ?? null);
  return 0;
}

function writePage(io: Io, path: string, page: string): void {
  try {
    writeFileSync(resolve(io.cwd, path), page);
  } catch (error) {
    throw new SignalboxError("no_file", `${path} cannot be written: ${messageOf(error)}`, { exitCode: 1 });
  }
}
