import { readdirSync, readFileSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { SignalboxError } from "../../index.ts";
import type { Io } from "./io.ts";

/** One scenario as it was written: `name` is its file, and of a file with many, the line. */
export type Written = { readonly name: string; readonly text: string };

/** Whether a path names one scenario, or many: a folder, or a file with one on each line. */
export function isCorpus(io: Io, path: string): boolean {
  const stat = statSync(resolve(io.cwd, path), { throwIfNoEntry: false });
  if (stat === undefined) throw new SignalboxError("no_scenario", `there is no file or folder ${path}`);
  return stat.isDirectory() || isLines(path);
}

/** The scenarios that a path names, in the order of their names. A folder is read with the folders in it. */
export function* writtenAt(io: Io, path: string): Generator<Written> {
  const whole = resolve(io.cwd, path);
  if (!statSync(whole).isDirectory()) return yield* writtenIn(path, whole);
  const files = readdirSync(whole, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && (entry.name.endsWith(".json") || isLines(entry.name)))
    .map((entry) => resolve(entry.parentPath, entry.name))
    .sort();
  if (files.length === 0) {
    throw new SignalboxError("no_scenario", `there is no scenario in ${path}`, {
      hint: "scenarios are files that end in .json, or in .jsonl with one on each line",
    });
  }
  for (const file of files) yield* writtenIn(relative(io.cwd, file), file);
}

function isLines(name: string): boolean {
  return /\.(?:jsonl|ndjson)$/.test(name);
}

function* writtenIn(name: string, file: string): Generator<Written> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new SignalboxError("no_scenario", `${name} cannot be read`, { cause: error });
  }
  if (!isLines(name)) return yield { name, text };
  const lines = text.split("\n");
  for (const [i, line] of lines.entries()) {
    if (line.trim() !== "") yield { name: `${name}:${i + 1}`, text: line };
  }
}
