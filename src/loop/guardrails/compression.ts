import { escapeHidden } from "../../domain/hidden.ts";
import { oneLine } from "../../domain/result.ts";
import { isPrintable } from "../../domain/text.ts";
import { utf8Length, utf8Prefix } from "../../domain/utf8.ts";
import { QUOTE } from "../quoted.ts";

/**
 * Guardrail 5: context compression. The newest result stays whole, older ones are one typed line each. A prompt carries at
 * most `HISTORY_LINES_MAX` of them, and they leave it a block at a time: so a line costs the same at turn 500 as at turn 5,
 * and the front of the prompt stays the same from turn to turn, which a server that caches prefixes needs not read again.
 */
export const HISTORY_LINES_MAX = 60;
const BLOCK_LINES = 20;

/** Lines that are quoted and joined, with the bytes that they take. */
type Lines = { readonly text: string; readonly bytes: number; readonly lines: number };
/** Closed blocks, newest first: a list that shares its tail. */
type Block = Lines & { readonly older: Block | null };

/** The lines of a run so far: the newest in `text`, those before them in closed blocks. `count` is all of them. */
export type History = Lines & { readonly count: number; readonly blocks: Block | null };

export type Newest = {
  readonly tool: string;
  readonly line: string;
  /** The result as JSON. */
  readonly json: string;
  readonly bytes: number;
};

export function addLine(history: History | null, line: string): History {
  const text = QUOTE + oneLine(line);
  const bytes = utf8Length(text);
  if (history === null) return { text, bytes, lines: 1, count: 1, blocks: null };
  const count = history.count + 1;
  if (history.lines < BLOCK_LINES) {
    const joined = `${history.text}\n${text}`;
    return { text: joined, bytes: history.bytes + 1 + bytes, lines: history.lines + 1, count, blocks: history.blocks };
  }
  const closed = { text: history.text, bytes: history.bytes, lines: history.lines, older: history.blocks };
  return { text, bytes, lines: 1, count, blocks: closed };
}

/** Keeps a result's JSON for the prompt, on one line and with every character that hides or reorders text escaped. */
export function newestOf(tool: string, line: string, json: string): Newest {
  if (isPrintable(json)) return { tool, line: oneLine(line), json, bytes: json.length };
  const visible = escapeHidden(json);
  return { tool, line: oneLine(line), json: visible, bytes: utf8Length(visible) };
}

/** The newest lines that fit into `bytesMax`, oldest first, and how many are left out. */
export function fitLines(history: History | null, bytesMax: number): Lines & { readonly left: number } {
  if (history === null) return { text: "", bytes: 0, lines: 0, left: 0 };
  let fitted = newestLines(history, bytesMax);
  for (let block = history.blocks; block !== null; block = block.older) {
    const full = fitted.lines + block.lines > HISTORY_LINES_MAX;
    // A block that is cut in its middle is the last one: what is older does not come before what is left out.
    if (full || fitted.text === "" || fitted.cut) break;
    const more = newestLines(block, bytesMax - fitted.bytes - 1);
    if (more.text === "") break;
    fitted = {
      text: `${more.text}\n${fitted.text}`,
      bytes: more.bytes + 1 + fitted.bytes,
      lines: more.lines + fitted.lines,
      cut: more.cut,
    };
  }
  const { text, bytes, lines } = fitted;
  return { text, bytes, lines, left: history.count - lines };
}

/** All of these lines if they fit, else the newest that do. */
function newestLines({ text, bytes, lines }: Lines, bytesMax: number): Lines & { readonly cut: boolean } {
  if (bytes <= bytesMax) return { text, bytes, lines, cut: false };
  const kept: string[] = [];
  let taken = 0;
  for (const line of text.split("\n").reverse()) {
    const size = utf8Length(line) + (kept.length === 0 ? 0 : 1);
    if (taken + size > bytesMax) break;
    taken += size;
    kept.push(line);
  }
  return { text: kept.reverse().join("\n"), bytes: taken, lines: kept.length, cut: true };
}

/** The start of the newest result that fits into `bytesMax`. It is the last thing to be cut. */
export function fitNewest(newest: Newest, bytesMax: number): Fitted {
  if (newest.bytes <= bytesMax) return { text: newest.json, bytes: newest.bytes, whole: true };
  const text = utf8Prefix(newest.json, Math.max(0, bytesMax));
  return { text, bytes: utf8Length(text), whole: false };
}

type Fitted = { readonly text: string; readonly bytes: number; readonly whole: boolean };
