import { statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Config, SignalboxError } from "../../index.ts";
import type { Io } from "./io.ts";
import { messageOf } from "./report.ts";
import { syntaxPlace, wasRunning } from "./syntax-place.ts";

const NAMES = ["signalbox.config.ts", "signalbox.config.mts", "signalbox.config.mjs", "signalbox.config.js"];

/** The config's file, and how it is named to who runs the command. */
type Named = { readonly path: string; readonly shown: string; readonly cwd: string };

export type LoadedConfig = { readonly path: string; readonly config: Config };

/** Finds and loads the config. Paths in it (the store's, the guides') are relative to its own folder. */
export async function loadConfig(io: Io, named: string | undefined): Promise<LoadedConfig> {
  const path = named === undefined ? findConfig(io.cwd) : resolve(io.cwd, named);
  if (path === null || !isFile(path)) {
    const what = named === undefined ? "there is no signalbox.config.ts here" : `there is no file ${named}`;
    throw new SignalboxError("no_config", what, { hint: "signalbox init writes one, or name one with --config" });
  }
  const shown = relative(io.cwd, path);
  const config = await importConfig({ path, shown, cwd: io.cwd });
  if (typeof config !== "object" || config === null) {
    const what = config === undefined ? "has no default export" : `exports ${kindOf(config)}, which is no config`;
    throw new SignalboxError("bad_config", `${shown} ${what}`, { hint: "export default defineConfig({ … })" });
  }
  return { path, config: withPlace(config as Config, dirname(path)) };
}

function findConfig(cwd: string): string | null {
  const name = NAMES.find((candidate) => isFile(resolve(cwd, candidate)));
  return name === undefined ? null : resolve(cwd, name);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // Not there, not to be seen by us, or no path at all: there is nothing to load.
    return false;
  }
}

function kindOf(value: unknown): string {
  return value === null ? "null" : `a ${typeof value}`;
}

/**
 * JavaScript is imported as it is. TypeScript goes through Node where this Node strips types by itself, and through jiti
 * where it does not, or where the project's package.json makes Node take the file for CommonJS.
 */
async function importConfig(named: Named): Promise<unknown> {
  const { path } = named;
  const url = pathToFileURL(path).href;
  try {
    return (await import(url)).default;
  } catch (error) {
    if (!path.endsWith("ts") || !isSyntax(error, path)) throw broken(named, error);
  }
  try {
    const { createJiti } = await import("jiti");
    return await createJiti(import.meta.url, { fsCache: false }).import(path, { default: true });
  } catch (error) {
    throw broken(named, error);
  }
}

/** Whether an import failed for how the file is written, and not for what it does. */
function isSyntax(error: unknown, path: string): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  if (code === "ERR_UNKNOWN_FILE_EXTENSION" || code.startsWith("ERR_UNSUPPORTED")) return true;
  // A file that was running must not run a second time.
  return error instanceof SyntaxError && !wasRunning(error, path);
}

function broken({ shown, cwd, path }: Named, error: unknown): SignalboxError {
  const place = syntaxPlace(error, path);
  if (place === null) {
    return new SignalboxError("bad_config", `${shown}: ${messageOf(error)}`, {
      cause: error,
      hint: "--debug shows where",
    });
  }
  // The file is often another than the config: one that it imports.
  const file = relative(cwd, place.path);
  const message = messageOf(error)
    .replace(/^ParseError: /, "")
    .trim();
  return new SignalboxError("bad_config", `${file}:${place.line}:${place.column}: ${message}`, { cause: error });
}

function withPlace(config: Config, folder: string): Config {
  const placed = withGuides(config, folder);
  const store = config.store ?? "./signalbox.db";
  if (typeof store !== "string" || store === "memory") return placed;
  return { ...placed, store: resolve(folder, store) };
}

/** What is no path is left as it is: the check of the config says what is wrong with it. */
function withGuides(config: Config, folder: string): Config {
  const { guides } = config;
  if (typeof guides === "string" && guides !== "") return { ...config, guides: resolve(folder, guides) };
  if (typeof guides !== "object" || guides === null) return config;
  const { folder: rules, maps } = guides;
  const placed = {
    ...(typeof rules === "string" ? { folder: resolve(folder, rules) } : {}),
    ...(typeof maps === "string" ? { maps: resolve(folder, maps) } : {}),
  };
  return { ...config, guides: { ...guides, ...placed } };
}
