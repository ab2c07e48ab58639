import type { RunEntry } from "../../index.ts";
import { clip, type Io, pad, paint, visible } from "./io.ts";

export function printRuns(io: Io, runs: readonly RunEntry[], json: boolean): number {
  if (json) {
    io.stdout.write(`${JSON.stringify(runs)}\n`);
    return 0;
  }
  if (runs.length === 0) io.stdout.write("no runs yet\n");
  for (const run of runs) {
    const ending = run.ending ?? "open";
    const style =
      run.ending === "answered" || run.ending === "retrieved" ? "green" : run.ending === null ? "yellow" : "red";
    const when = new Date(run.startedAt).toISOString().slice(0, 19).replace("T", " ");
    io.stdout.write(
      `${run.run}  ${when}  ${paint(io, style, pad(ending, 18))}  ${pad(String(run.headSeq), 4)} rows  ${clip(visible(run.request), 60)}\n`,
    );
  }
  return 0;
}
