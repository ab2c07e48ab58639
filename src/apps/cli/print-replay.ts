import type { Replay } from "../../index.ts";
import { clip, type Io, paint, visible } from "./io.ts";

/** Exit code 0 where everything was derived again, 1 where something differs. */
export function printReplay(io: Io, replay: Replay, json: boolean): number {
  const code = replay.same ? 0 : 1;
  if (json) {
    io.stdout.write(`${JSON.stringify(replay)}\n`);
    return code;
  }
  for (const difference of replay.differences) {
    io.stdout.write(`row ${difference.seq}  ${paint(io, "yellow", difference.what)} differs\n`);
    io.stdout.write(`  recorded  ${clip(visible(difference.recorded), 400)}\n`);
    io.stdout.write(`  derived   ${clip(visible(difference.derived), 400)}\n`);
  }
  for (const what of replay.changed) io.stdout.write(`since the run, ${what} has changed\n`);
  const verdict = replay.same ? paint(io, "green", "reproduced") : paint(io, "red", "differs");
  const ending = replay.ending ?? "not ended";
  io.stdout.write(`${verdict} · ${replay.rows} rows · ${replay.decisions} decisions · ${ending} · run ${replay.run}\n`);
  return code;
}
