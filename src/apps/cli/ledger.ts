import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Checkpoint, parseCheckpoint, type Signalbox, SignalboxError } from "../../index.ts";
import { commandOf, type Io, paint } from "./io.ts";
import { messageOf } from "./report.ts";
import { counted, jsonDocument, visible } from "./text.ts";

/** Exit code 0 where every chain holds, 7 where something does not fit. */
export async function verifyLedger(io: Io, box: Signalbox, file: string | undefined, json: boolean): Promise<number> {
  const verdict = await box.verifyLedger(file === undefined ? undefined : readCheckpoint(io, file));
  const code = verdict.ok ? 0 : 7;
  if (json) {
    io.stdout.write(jsonDocument(verdict));
    return code;
  }
  for (const fault of verdict.faults) {
    const where = fault.run === null ? "ledger" : `run ${fault.run}${fault.seq === null ? "" : `, row ${fault.seq}`}`;
    io.stdout.write(`  ${paint(io, "red", visible(fault.code))}  ${visible(where)}: ${visible(fault.detail)}\n`);
  }
  const word = verdict.ok ? paint(io, "green", "verified") : paint(io, "red", counted(verdict.faults.length, "fault"));
  const { runs, rows, heads, guides, revisions } = verdict;
  const facts = [
    ...[counted(runs, "run"), counted(rows, "row"), counted(heads, "head")],
    ...(guides + revisions === 0 ? [] : [`${counted(guides, "row")} of the guides`, counted(revisions, "revision")]),
  ];
  const keyed = box.parts.ledgerKeyed ? "keyed" : "not keyed";
  const against = file === undefined ? [] : [`against ${file}`];
  io.stdout.write(`${[word, ...facts, keyed, ...against].join(" · ")}\n`);
  if (file === undefined && verdict.ok) {
    const note = `a cut end or an older copy shows only against a checkpoint (${commandOf(io)} ledger checkpoint --out FILE)`;
    io.stdout.write(`${paint(io, "dim", note)}\n`);
  }
  return code;
}

export async function checkpointLedger(
  io: Io,
  box: Signalbox,
  out: string | undefined,
  json: boolean,
): Promise<number> {
  const text = jsonDocument(await box.checkpoint());
  if (out !== undefined) {
    try {
      writeFileSync(resolve(io.cwd, out), text, { flag: "wx" });
    } catch (error) {
      throw new SignalboxError("cannot_write", messageOf(error), { exitCode: 1, hint: "--out names a new file" });
    }
  }
  if (out === undefined || json) io.stdout.write(text);
  else io.stdout.write(`${paint(io, "green", "wrote")}  ${out}; keep it on another machine\n`);
  return 0;
}

function readCheckpoint(io: Io, file: string): Checkpoint {
  let text: string;
  try {
    text = readFileSync(resolve(io.cwd, file), "utf8");
  } catch {
    throw new SignalboxError("no_checkpoint", `${file} cannot be read`);
  }
  const checkpoint = parseCheckpoint(text);
  if (checkpoint.ok) return checkpoint.value;
  throw new SignalboxError("bad_checkpoint", `${file}: ${checkpoint.why.detail}`);
}
