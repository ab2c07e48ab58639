import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { makeFolder } from "../../adapters/guides-folder/index.ts";
import { readMarkup } from "../../adapters/markup-saxes/index.ts";
import { readSource } from "../../adapters/source-file/index.ts";
import { sha256 } from "../../adapters/world-node/index.ts";
import { type ControlMap, type Harvested, MAP_NAME, mapText } from "../../domain/control-map.ts";
import { type EntryPath, parseEntryPaths } from "../../domain/entry-path.ts";
import { FIRST_SCREEN, type SourceText } from "../../domain/harvest-source.ts";
import { MAP_LIMITS } from "../../domain/map-limits.ts";
import type { Parsed } from "../../domain/parsed.ts";
import { parseJson } from "../../domain/scan.ts";
import { mapFile, parseMap, TEXT_KINDS, type TextKind } from "../../guides/index.ts";
import { SignalboxError } from "../../index.ts";
import { type HarvestParts, type HarvestRequest, harvest } from "../../runtime/index.ts";
import { withBox } from "./commands.ts";
import { printHead } from "./framed.ts";
import { DIGEST_DIGITS } from "./guides-show.ts";
import { commandOf, type Io } from "./io.ts";
import { loadConfig } from "./load-config.ts";
import type { Opening } from "./opened.ts";
import { printFindings } from "./print-findings.ts";
import { printCommand, printNote } from "./print-row.ts";
import { messageOf } from "./report.ts";
import { counted, grouped, jsonDocument, visible } from "./text.ts";
import { WaitingLine } from "./waiting-line.ts";

type Going = {
  readonly io: Io;
  readonly signal: AbortSignal | undefined;
  readonly done: (exitCode: number) => void;
};

type Harvesting = Opening & {
  readonly name: string;
  readonly app?: string;
  readonly out?: string;
  readonly leaveOut: readonly string[];
};

type OfWeb = Harvesting & {
  readonly paths?: string;
  readonly first: string;
  readonly allowOrigin: readonly string[];
  readonly browser?: string;
  readonly sandbox: boolean;
};

type Browsing = Pick<OfWeb, "browser" | "sandbox">;

/** As a process that SIGINT has ended. */
const STOPPED_EXIT = 130;

const each = (value: string, before: readonly string[]): readonly string[] => [...before, value];

const EXAMPLES: { readonly [kind in TextKind]: string } = {
  aria: "snapshot.yml",
  android: "window_dump.xml",
  ios: "source.xml",
  autodroid: "screen.txt",
  actree: "tree.txt",
  mcp: "tools.json",
  openapi: "openapi.yaml",
  jsonl: "controls.jsonl",
};

/** The commands that make a control map of an interface. */
export function harvestCommands(program: Command, { io, signal, done }: Going): void {
  const command = program
    .command("harvest")
    .summary("make a map of an interface's controls, to plan and ground guides in")
    .description("Make a map of an interface's controls, to plan and ground guides in.");
  named(command.command("web"), "look at a live page, and the screens behind it", "http://127.0.0.1:8080/ --name shop")
    .argument("<url>", "the page; nothing but its origin is reached")
    .option("--paths <file>", "the ways to further screens: [{screen, from?, steps: [{click: NAME}], shows?}]")
    .option("--first <screen>", "what the first screen is called", FIRST_SCREEN)
    .option("--allow-origin <origin>", "may be loaded from as well; repeatable", each, [])
    .option("--browser <file>", "a Chromium to use (default: that of @sparticuz/chromium)")
    .option("--no-sandbox", "without Chromium's own sandbox, where the system has none for it")
    .action(async (url: string, options: OfWeb) => {
      const paths = options.paths === undefined ? [] : pathsIn(io, options.paths, options.first);
      const { first, allowOrigin, app = null, leaveOut } = options;
      const source = { url, app, first, paths, leaveOut, allowOrigins: allowOrigin };
      done(await harvested(io, { kind: "web", source }, options, { ...options, signal }));
    });
  for (const kind of TEXT_KINDS) {
    named(command.command(kind), `read ${WHAT[kind]}`, `${EXAMPLES[kind]} --name shop`)
      .argument("<file...>", "a screen each, in their order")
      .option("--map <name>", "of a file with several maps, the one that is meant")
      .action(async (files: string[], options: Harvesting & { map?: string }) => {
        const { app = null, leaveOut, map = null } = options;
        const source = { app, texts: await textsIn(io, files), leaveOut, map };
        done(await harvested(io, { kind, source }, options, null));
      });
  }
}

const WHAT: { readonly [kind in TextKind]: string } = {
  aria: "aria snapshots of Playwright",
  android: "uiautomator dumps and Appium page sources of Android",
  ios: "Appium page sources of iOS",
  autodroid: "screens as AutoDroid writes them",
  actree: "accessibility trees as WebArena writes them",
  mcp: "the tool list of an MCP server",
  openapi: "an OpenAPI document",
  jsonl: "controls as JSON lines",
};

function named(command: Command, does: string, example: string): Command {
  return withBox(command, does, `signalbox harvest ${command.name()} ${example}`)
    .requiredOption("--name <name>", "what the map is called: its file is NAME.json")
    .option("--app <app>", "the app that it is of")
    .option("--out <folder>", "where the map goes (default: the maps of the config, or maps)")
    .option("--leave-out <what>", "an element that is no part of it, by id or text; repeatable", each, []);
}

async function harvested(
  io: Io,
  request: HarvestRequest,
  options: Harvesting,
  web: (Browsing & { readonly signal: AbortSignal | undefined }) | null,
): Promise<number> {
  const name = nameOf(options.name);
  const folder = options.out ?? (await mapsOf(io, options));
  const found = await looked(io, request, options, () => harvest(request, partsFor(web)), web?.signal);
  if (!found.ok) {
    throw new SignalboxError(found.why.code, found.why.detail, {
      exitCode: found.why.code === "page_failed" || found.why.code === "timed_out" ? 5 : 1,
    });
  }
  const path = join(resolve(io.cwd, folder), `${name}.json`);
  const before = mapAt(path, options.name);
  const { map } = found.value;
  const digest = sha256(mapText(map));
  const unchanged = before !== null && sha256(mapText(before)) === digest;
  if (!unchanged) write(path, mapFile(map));
  const became = unchanged ? "unchanged" : before === null ? "harvested" : "changed";
  const screens = { screensGone: lacking(before, map), screensNew: before === null ? [] : lacking(map, before) };
  if (options.json === true) {
    const { findings } = found.value;
    io.stdout.write(
      jsonDocument({
        name,
        file: path,
        digest,
        became,
        ...screens,
        screens: map.screens,
        controls: map.controls.length,
        findings,
      }),
    );
  } else print(io, name, found.value, { digest, became, path, ...screens });
  return 0;
}

/** The screens of a map that another has not. */
function lacking(map: ControlMap | null, other: ControlMap): readonly string[] {
  const there = new Set(other.screens.map(({ id }) => id));
  return (map?.screens ?? []).flatMap(({ id }) => (there.has(id) ? [] : [id]));
}

type Became = {
  readonly digest: string;
  readonly became: string;
  readonly path: string;
  readonly screensGone: readonly string[];
  readonly screensNew: readonly string[];
};

/** Screens that are listed; more are counted. */
const SCREENS_MAX = 20;

function print(
  io: Io,
  name: string,
  { map, findings }: Harvested,
  { digest, became, path, screensGone, screensNew }: Became,
): void {
  const usable = map.controls.filter(({ clickable, disabled }) => clickable && !disabled).length;
  const facts = [
    visible(name),
    counted(map.screens.length, "screen"),
    `${counted(map.controls.length, "control")}, ${grouped(usable)} of them usable`,
    `map ${digest.slice(0, DIGEST_DIGITS)}`,
  ];
  printHead(io, became, facts, became === "changed" ? "yellow" : "green");
  for (const { id, title, where } of map.screens.slice(0, SCREENS_MAX)) {
    const on = map.controls.filter(({ screen }) => screen === id).length;
    printNote(
      io,
      [
        visible(id),
        ...(title === "" ? [] : [visible(title)]),
        ...(where === "" ? [] : [visible(where)]),
        counted(on, "control"),
      ].join(" · "),
      "dim",
    );
  }
  if (map.screens.length > SCREENS_MAX)
    printNote(io, `and ${counted(map.screens.length - SCREENS_MAX, "more screen")}`, "dim");
  printScreens(io, "gone", screensGone);
  printScreens(io, "new", screensNew);
  printFindings(io, findings);
  if (became === "changed")
    printNote(io, "guides that were grounded in it are stale until they are verified anew", "yellow");
  const shown = relative(io.cwd, path) || path;
  printNote(io, `to plan in ${visible(shown)}:`, "dim");
  printCommand(io, `${commandOf(io)} guides plan --map ${visible(name)} --task "…"`, "dim");
}

function printScreens(io: Io, what: "gone" | "new", screens: readonly string[]): void {
  if (screens.length === 0) return;
  const more = screens.length > SCREENS_MAX ? ` and ${screens.length - SCREENS_MAX} more` : "";
  const named = screens.slice(0, SCREENS_MAX).map(visible).join(", ");
  printNote(io, `${counted(screens.length, "screen")} ${what}: ${named}${more}`, what === "gone" ? "yellow" : "green");
}

/**
 * The harvest, with a line on a terminal while a page is looked at. Throws `cancelled` as soon as the caller stops it: what the
 * browser says then, which dies of the same signal, is no error of anybody's.
 */
async function looked<T>(
  io: Io,
  request: HarvestRequest,
  { json }: Harvesting,
  work: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const screens = request.kind === "web" ? request.source.paths.length + 1 : 0;
  const line = new WaitingLine(io, screens > 0 && json !== true ? `looking at ${counted(screens, "screen")}` : null);
  const stopped = (): SignalboxError =>
    new SignalboxError("cancelled", "stopped, and no map was written", { exitCode: STOPPED_EXIT });
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(stopped());
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
  // Either may fail when the other has answered, and then nobody waits for it.
  aborted.catch(() => {});
  try {
    if (signal?.aborted === true) throw stopped();
    const working = work();
    working.catch(() => {});
    return await Promise.race([aborted, working]);
  } finally {
    signal?.removeEventListener("abort", stop);
    line.clear();
  }
}

function partsFor(web: Browsing | null): HarvestParts {
  return {
    clock: { now: () => Date.now() },
    readMarkup,
    // A browser is nothing that everybody has, so its adapter is loaded when a page is asked for.
    loadWeb: async () => {
      const { webHarvest } = await import("../../adapters/harvest-web/index.ts");
      const executablePath = web?.browser;
      return webHarvest({
        browser: {
          ...(executablePath === undefined ? {} : { executablePath }),
          ...(web?.sandbox === false ? { sandbox: false } : {}),
        },
      });
    },
  };
}

function nameOf(name: string): string {
  if (MAP_NAME.test(name)) return name;
  throw new SignalboxError("usage", "--name takes lower-case letters, digits and . _ -, at most 64");
}

async function mapsOf(io: Io, { config }: Opening): Promise<string> {
  try {
    const { guides } = (await loadConfig(io, config)).config;
    const maps = typeof guides === "object" ? guides.maps : undefined;
    return typeof maps === "string" ? maps : "maps";
  } catch (error) {
    if (config === undefined && error instanceof SignalboxError && error.code === "no_config") return "maps";
    throw error;
  }
}

async function textsIn(io: Io, files: readonly string[]): Promise<readonly SourceText[]> {
  const texts: SourceText[] = [];
  for (const file of files) {
    const text = taken(await readSource(resolve(io.cwd, file), MAP_LIMITS.bytesMax));
    texts.push({ where: file, text, screen: null });
  }
  return texts;
}

function pathsIn(io: Io, file: string, first: string): readonly EntryPath[] {
  let text: string;
  try {
    text = readFileSync(resolve(io.cwd, file), "utf8");
  } catch (error) {
    throw new SignalboxError("no_file", `${file} cannot be read: ${messageOf(error)}`);
  }
  return taken(parseEntryPaths(taken(parseJson(text)), first));
}

function taken<T>(read: Parsed<T>): T {
  if (read.ok) return read.value;
  throw new SignalboxError(read.why.code, read.why.detail, { exitCode: 1 });
}

/** The map that lies there already. What is none is somebody else's file, and is not written over. */
function mapAt(path: string, name: string): ControlMap | null {
  if (!existsSync(path)) return null;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new SignalboxError("no_file", `${path} cannot be read: ${messageOf(error)}`, { exitCode: 1 });
  }
  const read = parseMap(text);
  if (read.ok) return read.value;
  throw new SignalboxError("other_content", `${path} is there and is no map: ${read.why.detail}`, {
    exitCode: 1,
    hint: `remove it, or take another name than ${name}`,
  });
}

/** Whole or not at all: whoever reads it meanwhile has the map of before. */
function write(path: string, text: string): void {
  try {
    makeFolder(dirname(path));
    const fresh = `${path}.${process.pid}.new`;
    writeFileSync(fresh, text);
    renameSync(fresh, path);
  } catch (error) {
    throw new SignalboxError("unwritable", `${path} cannot be written: ${messageOf(error)}`, { exitCode: 1 });
  }
}
