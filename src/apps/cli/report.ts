import { CommanderError } from "commander";
import { SignalboxError, StoreError } from "../../index.ts";
import { asCalled, errorWidthOf, type Io, paint } from "./io.ts";
import { columnsOf, counted, jsonDocument, visible, wrap, wrapCommand } from "./text.ts";

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

/** Who says it. */
const NAME = "signalbox:";

/** A hint that is nothing but a command about exact bytes. */
const COMMAND = /^\S+(?: [a-z]+)+ \S+@[0-9a-f]{32,}$/;

/** One line that says what to do, and its exit code. A stack only where it was asked for. */
export function report(io: Io, error: unknown, how: Manner): number {
  const told = tell(error, how);
  if (how.json) {
    const { code, message } = told;
    const hint = asCalled(io, told.hint);
    io.stdout.write(jsonDocument({ error: { code, message, hint } }));
  }
  printError(io, told);
  if (how.debug) io.stderr.write(`${stackOf(error)}\n`);
  return told.exitCode;
}

/**
 * `signalbox: CODE: what is wrong (what to do)`. Several faults at once stand below, one a line. On a terminal on which all
 * this fits no line, so does what to do, and `next`, the command to give then, is there to be copied.
 */
export function printError(io: Io, told: Omit<Told, "exitCode"> & { readonly next?: string }): void {
  const faults = told.message.split("\n");
  const message = faults.length === 1 ? visible(told.message) : counted(faults.length, "fault");
  const hint = visible(asCalled(io, told.hint));
  const next = visible(told.next ?? "");
  const todo = [hint, next].filter((text) => text !== "").join(", then ");
  const width = errorWidthOf(io);
  const line = `${told.code}: ${message}`;
  const whole = todo === "" ? line : `${line} (${todo})`;
  const room = width - NAME.length - 1;
  const fits = columnsOf(whole) <= room;
  const [first = "", ...rest] = fits ? [whole] : wrap(line, room);
  io.stderr.write(`${paint(io, "red", NAME)} ${first}\n`);
  const print = (text: string, breaksWords: boolean): void => {
    const pieces = Number.isFinite(width) ? wrap(text, width - 2, breaksWords) : [text];
    for (const piece of pieces) io.stderr.write(`  ${piece}\n`);
  };
  for (const text of [...rest, ...(faults.length > 1 ? faults.map(visible) : [])]) print(text, true);
  // Names and digests in a hint are there to be copied, and a command as a whole.
  if (!fits && COMMAND.test(hint)) io.stderr.write(`  ${hint}\n`);
  else if (!fits && hint !== "") print(hint, false);
  if (!fits) for (const text of wrapCommand(next, width)) io.stderr.write(`${text}\n`);
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
