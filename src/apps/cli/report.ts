import { CommanderError } from "commander";
import { SignalboxError, StoreError } from "../../index.ts";
import { type Io, paint } from "./io.ts";
import { counted, jsonDocument, visible } from "./text.ts";

/** What of an error is told: its code, one sentence, and what to do about it. */
export type Told = {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly exitCode: number;
};

export type Manner = {
  readonly json: boolean;
  readonly debug: boolean;
  /** The command whose help would help, such as `signalbox ledger verify`. */
  readonly command: string;
};

/** One line that says what to do, and its exit code. A stack only where it was asked for. */
export function report(io: Io, error: unknown, how: Manner): number {
  const told = tell(error, how);
  if (how.json) {
    const { code, message, hint } = told;
    io.stdout.write(jsonDocument({ error: { code, message, hint } }));
  }
  printError(io, told);
  if (how.debug) io.stderr.write(`${stackOf(error)}\n`);
  return told.exitCode;
}

/** `signalbox: CODE: what is wrong (what to do)`. Several faults at once stand below, one a line. */
export function printError(io: Io, told: Omit<Told, "exitCode">): void {
  const lines = told.message.split("\n");
  const message = lines.length === 1 ? visible(told.message) : counted(lines.length, "fault");
  const hint = told.hint === "" ? "" : ` (${visible(told.hint)})`;
  io.stderr.write(`${paint(io, "red", "signalbox:")} ${told.code}: ${message}${hint}\n`);
  if (lines.length > 1) for (const line of lines) io.stderr.write(`  ${visible(line)}\n`);
}

function tell(error: unknown, how: Manner): Told {
  if (error instanceof SignalboxError) return error;
  if (error instanceof CommanderError) {
    const unquoted = error.code === "commander.excessArguments" && how.command === "signalbox run";
    const hint = unquoted ? "put the request in quotes" : `see ${how.command} --help`;
    return { code: "usage", message: usageOf(error), hint, exitCode: 2 };
  }
  if (error instanceof StoreError) {
    const code = error.code === "unavailable" ? "store_unavailable" : error.code;
    return { code, message: error.message, hint: "", exitCode: 1 };
  }
  return { code: "failed", message: messageOf(error), hint: "--debug shows where", exitCode: 1 };
}

/** Commander's sentence as part of ours: its suggestion comes on a line of its own. */
function usageOf(error: CommanderError): string {
  return error.message
    .replace(/^error: /, "")
    .replace(/\.$/, "")
    .replace(/\s*\n\(Did you mean (.*)\?\)$/, (_, near: string) => `; did you mean ${near}?`);
}

export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n")[0] || "no reason was given";
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `\ncaused by ${error.cause.stack ?? error.cause.message}` : "";
  return `${error.stack ?? error.message}${cause}`;
}
