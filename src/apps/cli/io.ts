import { styleText } from "node:util";

/** What a command may touch of the terminal. A test hands in its own. */
export type Io = {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: { readonly [name: string]: string | undefined };
  readonly cwd: string;
  /** Whether stdout is a terminal: then there is live progress, and lines are cut to its width. */
  readonly isTty: boolean;
  readonly columns?: number;
};

export type Sink = { write(text: string): unknown };

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** NO_COLOR and FORCE_COLOR as no-color.org and Node have them; else colour on a terminal only. */
export function usesColour(io: Io): boolean {
  const force = io.env.FORCE_COLOR;
  if (force !== undefined && force !== "") return force !== "0";
  if (io.env.NO_COLOR !== undefined && io.env.NO_COLOR !== "") return false;
  return io.isTty && io.env.TERM !== "dumb";
}

export function paint(io: Io, style: Style, text: string): string {
  return usesColour(io) ? styleText(style, text, { validateStream: false }) : text;
}

/** Text as a person can trust it: control, bidi, zero-width and tag characters are shown as escapes, line breaks as `⏎`. */
export function visible(text: string): string {
  return text.replace(/\r\n|\n/g, "⏎").replace(HIDDEN, (character) => {
    const point = character.codePointAt(0) ?? 0;
    return `\\u{${point.toString(16)}}`;
  });
}

const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is made visible here
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e01ef}]/gu;

/** At most `width` characters, with `…` where something was cut. */
export function clip(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join("")}…`;
}

export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - [...text].length));
}
