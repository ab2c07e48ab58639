import { ENDINGS, type RunEntry } from "../../index.ts";
import { commandOf, type Io, paint, type Style, widthOf } from "./io.ts";
import { clip, jsonDocument, pad, visible } from "./text.ts";

/** Columns of a time, with the gap behind it, and of the word behind the number of rows. */
const FULL = "2026-11-30 03:44:01Z  ".length;
const SHORT = "11-30 03:44  ".length;
const ROWS = " rows  ".length;
/** With fewer nobody sees which request it was. */
const REQUEST_COLUMNS = 16;

export function printRuns(io: Io, runs: readonly RunEntry[], json: boolean): number {
  if (json) {
    io.stdout.write(jsonDocument(runs));
    return 0;
  }
  if (runs.length === 0) io.stdout.write(`no runs yet: ${commandOf(io)} run "what is to be done"\n`);
  const width = Math.min(widthOf(io), 200);
  const endingColumns = Math.max(...runs.map((run) => endingOf(run).length), 0);
  const rowColumns = Math.max(...runs.map((run) => String(run.headSeq).length), 0);
  const idColumns = Math.max(...runs.map((run) => run.run.length), 0);
  const room = width - idColumns - 2 - endingColumns - 2;
  // What says the least goes first: how many rows there are, then the year and the seconds.
  const rowsFit = room - FULL - (rowColumns + ROWS) >= REQUEST_COLUMNS;
  const time = room - FULL >= REQUEST_COLUMNS ? "full" : room - SHORT >= REQUEST_COLUMNS ? "short" : "none";
  for (const run of runs) {
    const at = new Date(run.startedAt).toISOString().replace("T", " ");
    const when = time === "none" ? "" : time === "full" ? `${at.slice(0, 19)}Z  ` : `${at.slice(5, 16)}  `;
    const rows = rowsFit
      ? `${String(run.headSeq).padStart(rowColumns)} ${pad(run.headSeq === 1 ? "row" : "rows", 4)}  `
      : "";
    const before = run.run.length + 2 + when.length + endingColumns + 2 + rows.length;
    const ending = paint(io, styleOf(run), pad(endingOf(run), endingColumns));
    const request = clip(visible(run.request), Math.max(8, width - before));
    io.stdout.write(`${visible(run.run)}  ${when}${ending}  ${rows}${request}\n`);
  }
  return 0;
}

function endingOf(run: RunEntry): string {
  return run.ending ?? "open";
}

function styleOf(run: RunEntry): Style {
  if (run.ending === null || run.ending === "awaiting_approval") return "yellow";
  return ENDINGS[run.ending].exitCode === 0 ? "green" : "red";
}
