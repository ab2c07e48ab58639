import type { Replay } from "../../index.ts";
import { type Io, paint, widthOf } from "./io.ts";
import { clip, counted, jsonDocument, pad, visible } from "./text.ts";

/** Exit code 0 where everything was derived again, 1 where something differs. */
export function printReplay(io: Io, replay: Replay, json: boolean): number {
  const code = replay.same ? 0 : 1;
  if (json) {
    io.stdout.write(jsonDocument(replay));
    return code;
  }
  for (const { seq, what, recorded, derived } of replay.differences) {
    const [before, after] = differing(recorded, derived);
    const room = Math.min(widthOf(io), 400) - 16;
    io.stdout.write(`${pad(`  row ${seq}`, 10)}${paint(io, "yellow", what)} differs\n`);
    io.stdout.write(`    recorded    ${clip(visible(before), room)}\n`);
    io.stdout.write(`    derived     ${clip(visible(after), room)}\n`);
  }
  for (const what of replay.changed) io.stdout.write(`  since the run, ${what} has changed\n`);
  const verdict = replay.same ? paint(io, "green", "reproduced") : paint(io, "red", "differs");
  const facts = [counted(replay.rows, "row"), counted(replay.decisions, "decision"), replay.ending ?? "not ended"];
  io.stdout.write(`${verdict} · ${facts.join(" · ")} · run ${replay.run}\n`);
  return code;
}

/** Two decisions as a person says them; of other objects, and of equal verdicts, only the fields that differ. */
function differing(recorded: string, derived: string): readonly [string, string] {
  const [before, after] = [objectIn(recorded), objectIn(derived)];
  if (before === null || after === null) return [recorded, derived];
  const verdicts = [verdictOf(before), verdictOf(after)] as const;
  if (verdicts[0] !== verdicts[1]) return verdicts;
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  const shown = (object: Record<string, unknown>): string =>
    `{${changed.map((key) => `${key}: ${textOf(object[key])}`).join(", ")}}`;
  return [shown(before), shown(after)];
}

/** `deny outside_window by refund.authorise`; empty for what is no decision. */
function verdictOf({ outcome, code, role, rule }: Record<string, unknown>): string {
  if (typeof outcome !== "string") return "";
  const parts = [outcome, code, role, `by ${textOf(rule)}`];
  return parts.filter((part) => typeof part === "string").join(" ");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? Object.fromEntries(Object.entries(value)) : null;
  } catch {
    // A digest, or the name of a command: it is shown as it is.
    return null;
  }
}
