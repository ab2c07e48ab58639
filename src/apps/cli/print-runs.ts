import { ENDINGS, type RunEntry } from "../../index.ts";
import { type Io, paint, type Style, widthOf } from "./io.ts";
import { clip, jsonDocument, pad, visible } from "./text.ts";

export function printRuns(io: Io, runs: readonly RunEntry[], json: boolean): number {
  if (json) {
    io.stdout.write(jsonDocument(runs));
    return 0;
  }
  if (runs.length === 0) io.stdout.write('no runs yet: signalbox run "what is to be done"\n');
  const width = Math.min(widthOf(io), 200);
  const endingColumns = Math.max(...runs.map((run) => endingOf(run).length), 0);
  const rowColumns = Math.max(...runs.map((run) => String(run.headSeq).length), 0);
  for (const run of runs) {
    const when = width < 100 ? "" : `${new Date(run.startedAt).toISOString().slice(0, 19).replace("T", " ")}Z  `;
    const rows =
      width < 80 ? "" : `${String(run.headSeq).padStart(rowColumns)} ${pad(run.headSeq === 1 ? "row" : "rows", 4)}  `;
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
