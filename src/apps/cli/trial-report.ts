import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { sha256 } from "../../adapters/world-node/index.ts";
import type { TrialRefusalCode } from "../../domain/trial-run.ts";
import { SignalboxError } from "../../index.ts";
import { readTrialFile } from "../../runtime/index.ts";
import { errorsDecide, reportTrial, trialHtml } from "../../trials/index.ts";
import type { Io } from "./io.ts";
import { printTrial } from "./print-trial.ts";
import { messageOf, printError } from "./report.ts";
import { jsonDocument, visible } from "./text.ts";

/** The beginning that all of our pages have. */
const PAGE_UNITS = 240;

const RETRY = "mend what fails, then signalbox trial run DESIGN --retry-errors";

const HINTS: { readonly [code in TrialRefusalCode]?: string } = {
  no_positive_control: "nothing can be said of the arms, whatever they did",
  too_many_errors: RETRY,
};

export type ReportOptions = { readonly json?: boolean; readonly html?: string };

/** Exit code 0 with a report, 1 where there can be none. */
export function reportTrialAt(io: Io, path: string, { json, html }: ReportOptions): number {
  const results = readTrialFile(resolve(io.cwd, path), sha256);
  const report = reportTrial(results);
  if (report.kind === "refusal") {
    if (json === true) io.stdout.write(jsonDocument(report));
    else {
      const { code, detail } = report;
      const hint = code === "no_positive_control" && errorsDecide(results) ? RETRY : (HINTS[code] ?? "");
      printError(io, { code, message: visible(detail), hint });
    }
    return 1;
  }
  // First what can fail, so that a document is the only one.
  if (html !== undefined) writePage(io, html, trialHtml(report));
  if (json === true) io.stdout.write(jsonDocument(report));
  else printTrial(io, report, html ?? null);
  return 0;
}

/** A page of ours may be written anew; any other file is somebody's, the runs themselves among them. */
function writePage(io: Io, path: string, page: string): void {
  const file = resolve(io.cwd, path);
  try {
    if (existsSync(file) && !readFileSync(file, "utf8").startsWith(page.slice(0, PAGE_UNITS))) {
      throw new SignalboxError("other_content", `${path} is there and is no report`, {
        exitCode: 1,
        hint: "give another name to --html, or remove it",
      });
    }
    writeFileSync(file, page);
  } catch (error) {
    if (error instanceof SignalboxError) throw error;
    throw new SignalboxError("no_file", `${path} cannot be written: ${messageOf(error)}`, { exitCode: 1 });
  }
}
