import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Checkpoint, parseCheckpoint, type Signalbox, SignalboxError } from "../../index.ts";
import { type Io, paint } from "./io.ts";

/** Exit code 0 where every chain holds, 7 where something does not fit. */
export async function verifyLedger(io: Io, box: Signalbox, file: string | undefined, json: boolean): Promise<number> {
  const verdict = await box.verifyLedger(file === undefined ? undefined : readCheckpoint(io, file));
  const code = verdict.ok ? 0 : 7;
  if (json) {
    io.stdout.write(`${JSON.stringify(verdict)}\n`);
    return code;
  }
  for (const fault of verdict.faults) {
    const where = fault.run === null ? "ledger" : `run ${fault.run}${fault.seq === null ? "" : `, row ${fault.seq}`}`;
    io.stdout.write(`${paint(io, "red", fault.code)}  ${where}: ${fault.detail}\n`);
  }
  const word = verdict.ok ? paint(io, "green", "verified") : paint(io, "red", `${verdict.faults.length} fault(s)`);
  const keyed = box.parts.ledgerKeyed ? "keyed" : "not keyed";
  io.stdout.write(`${word} · ${verdict.runs} runs · ${verdict.rows} rows · ${verdict.heads} heads · ${keyed}\n`);
  if (file === undefined && verdict.ok) {
    io.stdout.write(
      "rows cut off everywhere, or an older copy of the file, show only against a checkpoint kept elsewhere\n",
    );
  }
  return code;
}

export async function checkpointLedger(
  io: Io,
  box: Signalbox,
  out: string | undefined,
  json: boolean,
): Promise<number> {
  const text = `${JSON.stringify(await box.checkpoint())}\n`;
  if (out === undefined || json) io.stdout.write(text);
  if (out === undefined) return 0;
  try {
    writeFileSync(resolve(io.cwd, out), text, { flag: "wx" });
  } catch (error) {
    throw new SignalboxError("cannot_write", `${out}: ${error instanceof Error ? error.message : String(error)}`, {
      exitCode: 1,
    });
  }
  if (!json) io.stdout.write(`written to ${out}; keep it on another machine\n`);
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
