import { escapeHidden } from "../../domain/hidden.ts";
import { oneLine } from "../../domain/result.ts";
import { utf8Length, utf8Prefix } from "../../domain/utf8.ts";

/**
 * Guardrail 5: context compression. The newest result stays whole, older ones are one typed line each. The history is a
 * list that shares its tail, so that adding a line costs the same at turn 500 as at turn 5; for the same reason a prompt
 * carries at most `HISTORY_LINES_MAX` of them.
 */
export const HISTORY_LINES_MAX = 60;

export type History = {
  readonly line: string;
  readonly bytes: number;
  readonly count: number;
  readonly older: History | null;
};

export type Newest = {
  readonly tool: string;
  readonly line: string;
  /** Canonical JSON of the result. */
  readonly json: string;
  readonly bytes: number;
};

export function addLine(history: History | null, text: string): History {
  const line = oneLine(text);
  return { line, bytes: utf8Length(line), count: (history?.count ?? 0) + 1, older: history };
}

/** Keeps a result's canonical JSON for the prompt, on one line and with every character that hides or reorders text escaped. */
export function newestOf(tool: string, line: string, json: string): Newest {
  const visible = escapeHidden(json);
  return { tool, line: oneLine(line), json: visible, bytes: utf8Length(visible) };
}

/** The newest lines that fit into `bytesMax`, oldest first, each costing its bytes plus `overhead`. */
export function fitLines(
  history: History | null,
  bytesMax: number,
  overhead: number,
): { readonly lines: readonly string[]; readonly left: number; readonly bytes: number } {
  const kept: string[] = [];
  let bytes = 0;
  let entry = history;
  while (entry !== null && kept.length < HISTORY_LINES_MAX && bytes + entry.bytes + overhead <= bytesMax) {
    kept.push(entry.line);
    bytes += entry.bytes + overhead;
    entry = entry.older;
  }
  return { lines: kept.reverse(), left: entry?.count ?? 0, bytes };
}

/** The start of the newest result that fits into `bytesMax`. It is the last thing to be cut. */
export function fitNewest(newest: Newest, bytesMax: number): { readonly text: string; readonly whole: boolean } {
  if (newest.bytes <= bytesMax) return { text: newest.json, whole: true };
  return { text: utf8Prefix(newest.json, Math.max(0, bytesMax)), whole: false };
}
