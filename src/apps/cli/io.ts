import { styleText } from "node:util";

/** What a command may touch of the terminal. A test hands in its own. */
export type Io = {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: { readonly [name: string]: string | undefined };
  readonly cwd: string;
  /** Whether stdout is a terminal: then there is live progress, and lines are broken to its width. */
  readonly isTty: boolean;
  readonly columns?: number | undefined;
  /** Whether stderr is one. Default: as stdout. */
  readonly isErrorTty?: boolean;
  /** Asks the person at the terminal. Absent where there is none: then nothing is asked. */
  readonly ask?: (question: string) => Promise<string>;
  /** How a person calls this command line here, for the commands that it suggests. Default `signalbox`. */
  readonly command?: string;
};

export function commandOf(io: Io): string {
  return io.command ?? "signalbox";
}

/** A hint in which commands are called by their plain name, with the name by which they are called here. */
export function asCalled(io: Io, hint: string): string {
  return hint.replace(COMMANDS, `${commandOf(io)} $1`);
}

const COMMANDS =
  /(?<![\w-])signalbox (run|runs|resume|continue|replay|show|caps|denials|doctor|init|ledger|approvals|outcomes|decide|settle|simulate|backtest|policy|guides|harvest|trial|profile|--help)(?![\w])/g;

export type Sink = { write(text: string): unknown };

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** NO_COLOR and FORCE_COLOR as no-color.org and Node have them; else colour on a terminal only. */
export function usesColour(io: Io): boolean {
  const force = io.env.FORCE_COLOR;
  if (force !== undefined && force !== "") return force !== "0" && force !== "false";
  if (io.env.NO_COLOR !== undefined && io.env.NO_COLOR !== "") return false;
  return io.isTty && io.env.TERM !== "dumb";
}

export function paint(io: Io, style: Style, text: string): string {
  return usesColour(io) && text !== "" ? styleText(style, text, { validateStream: false }) : text;
}

/** Columns to break lines at; unbounded where nobody looks at a terminal. */
export function widthOf(io: Io): number {
  return io.isTty ? Math.max(40, io.columns ?? 80) : Number.POSITIVE_INFINITY;
}

/** The same for what is written to stderr: in a log an error stays on its line. */
export function errorWidthOf(io: Io): number {
  return widthOf({ ...io, isTty: io.isErrorTty ?? io.isTty });
}

/** Whether a line can be written over: what is being waited for is shown only there. */
export function isLive(io: Io): boolean {
  return io.isTty && io.env.TERM !== "dumb";
}
