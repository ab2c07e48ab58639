import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { SignalboxError } from "../../index.ts";
import type { Io } from "./io.ts";
import { grouped } from "./text.ts";

/** One scenario as it was written: `name` is its file, and of a file with many, the line. Or why it cannot be read. */
export type Written =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly fault: SignalboxError };

/** Bytes of a file with one scenario, which holds no more, and of one with many. */
const FILE_BYTES_MAX = 4_194_304;
const LINES_BYTES_MAX = 268_435_456;

/** Whether a path names one scenario, or many: a folder, or a file with one on each line. */
export function isCorpus(io: Io, path: string): boolean {
  const stat = statSync(resolve(io.cwd, path), { throwIfNoEntry: false });
  if (stat === undefined) throw new SignalboxError("no_scenario", `there is no file or folder ${path}`);
  return stat.isDirectory() || isLines(path);
}

/**
 * The scenarios that a path names, in the order of their names. A folder is read with the folders in it; a link is followed,
 * and what several links lead to is read once.
 */
export function* writtenAt(io: Io, path: string): Generator<Written> {
  const whole = resolve(io.cwd, path);
  if (!statSync(whole).isDirectory()) return yield* writtenIn(path, whole);
  const found = filesIn(whole, path, new Set());
  if (found.length === 0) {
    throw new SignalboxError("no_scenario", `there is no scenario in ${path}`, {
      hint: "scenarios are files that end in .json, or in .jsonl with one on each line",
    });
  }
  found.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const one of found) {
    if ("fault" in one) yield one;
    else yield* writtenIn(one.name, one.file);
  }
}

type Found =
  | { readonly name: string; readonly file: string }
  | { readonly name: string; readonly fault: SignalboxError };

/** `seen`: the real paths that were come by, so that a link to a folder above ends. */
function filesIn(folder: string, shown: string, seen: Set<string>): Found[] {
  seen.add(realpathSync(folder));
  const found: Found[] = [];
  for (const entry of readdirSync(folder).sort()) {
    const file = join(folder, entry);
    const name = join(shown, entry);
    try {
      const stat = statSync(file);
      const real = realpathSync(file);
      if (seen.has(real)) continue;
      if (stat.isDirectory()) found.push(...filesIn(file, name, seen));
      else if (stat.isFile() && (isLines(entry) || /\.json$/i.test(entry))) {
        seen.add(real);
        found.push({ name, file });
      }
    } catch (error) {
      // A link to nothing, a circle of links, a folder that may not be read.
      found.push({ name, fault: unreadable(name, error) });
    }
  }
  return found;
}

function unreadable(name: string, error: unknown): SignalboxError {
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  return new SignalboxError("no_scenario", `${name} cannot be read${code}`, { cause: error });
}

function isLines(name: string): boolean {
  return /\.(?:jsonl|ndjson)$/i.test(name);
}

function* writtenIn(name: string, file: string): Generator<Written> {
  const most = isLines(name) ? LINES_BYTES_MAX : FILE_BYTES_MAX;
  let text: string;
  try {
    const { size } = statSync(file);
    if (size > most) {
      const fault = `${name} takes ${grouped(size)} bytes, at most ${grouped(most)} are read`;
      return yield { name, fault: new SignalboxError("bad_scenario", fault) };
    }
    const bytes = readFileSync(file);
    if (!isUtf8(bytes)) {
      return yield { name, fault: new SignalboxError("bad_scenario", `${name} is not UTF-8`) };
    }
    text = bytes.toString("utf8");
  } catch (error) {
    return yield { name, fault: unreadable(name, error) };
  }
  if (!isLines(name)) return yield { name, text };
  const lines = text.split("\n");
  for (const [i, line] of lines.entries()) {
    if (line.trim() !== "") yield { name: `${name}:${i + 1}`, text: line };
  }
}
