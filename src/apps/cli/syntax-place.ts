import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** A place in a file, as editors count: from 1. */
type Place = { readonly path: string; readonly line: number; readonly column: number };

/** More than this a check of one file does not take. */
const CHECK_MS = 5_000;

/** Where a file could not be parsed, or null where the error is of another kind or nobody says where. */
export function syntaxPlace(error: unknown, path: string): Place | null {
  if (!(error instanceof Error)) return null;
  // The loader of TypeScript ends its message with the place, and counts columns from 0.
  const parsed = /^ParseError: [^\n]*\n ?(.+):(\d+):(\d+)$/.exec(error.message);
  if (parsed !== null) return { path: parsed[1] ?? "", line: Number(parsed[2]), column: Number(parsed[3]) + 1 };
  if (!(error instanceof SyntaxError)) return null;
  if (wasRunning(error, path)) return null;
  return headPlace(error.stack ?? "") ?? checkedPlace(path);
}

/** Whether the file itself stands in the stack: then it was running and parsed something, and is itself written well. */
export function wasRunning(error: Error, path: string): boolean {
  return (error.stack ?? "").split("\n").some((line) => /^ +at /.test(line) && line.includes(path));
}

/** Node tells the place of JavaScript only when it prints the error: `--check` parses and prints, and runs nothing. */
function checkedPlace(path: string): Place | null {
  const { stderr } = spawnSync(process.execPath, ["--check", path], {
    encoding: "utf8",
    env: {},
    stdio: ["ignore", "ignore", "pipe"],
    timeout: CHECK_MS,
  });
  return headPlace(stderr ?? "");
}

/** `FILE:LINE`, the source, and below it a caret under the column. */
function headPlace(text: string): Place | null {
  const lines = text.split("\n");
  const place = /^(.+):(\d+)$/.exec(lines[0] ?? "");
  const caret = lines.slice(1, 20).find((line) => /^\s*\^+\s*$/.test(line));
  if (place === null || caret === undefined) return null;
  const file = place[1] ?? "";
  const path = file.startsWith("file:") ? fileURLToPath(file) : file;
  return { path, line: Number(place[2]), column: caret.indexOf("^") + 1 };
}
