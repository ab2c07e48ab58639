/** What the end-to-end tests stand on: folders of their own, the command line in this process and in one of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Config, createSignalbox, type JsonObject, type Signalbox } from "signalbox";
import { onTestFinished } from "vitest";
import type { Io } from "../../src/apps/cli/io.ts";
import { main } from "../../src/apps/cli/main.ts";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BIN = join(ROOT, "src/apps/cli/bin.ts");
/** The executable as a shell is told of it. */
export const COMMAND = `"${process.execPath}" --conditions=signalbox-source "${BIN}"`;

/** A folder that is gone after the test, with `signalbox` installed by a link to this repository. */
export function folder(files: Readonly<Record<string, string>> = {}): string {
  const made = mkdtempSync(join(tmpdir(), "signalbox-e2e-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  mkdirSync(join(made, "node_modules"));
  symlinkSync(ROOT, join(made, "node_modules/signalbox"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text);
  return made;
}

/** What differs from the desk as it stands in desk.ts. `config` goes into its config as it is. */
export type DeskSetting = {
  readonly replies?: readonly unknown[];
  readonly model?: object;
  readonly config?: object;
  readonly secret?: string;
  readonly ceilingMinor?: number;
  readonly perRunMinor?: number;
  readonly description?: string;
  /** The model takes a moment for each reply. */
  readonly unhurried?: boolean;
};

const DESK = readFileSync(new URL("desk.ts", import.meta.url), "utf8");

/** A folder with the desk in it. */
export function desk(setting: DeskSetting): string {
  return folder({ "signalbox.config.ts": DESK, "desk.json": JSON.stringify(setting) });
}

/** A box over the desk in a folder, as a library's user opens it. Its config is read anew each time. */
export async function openDesk(cwd: string, instead: Partial<Config> = {}): Promise<Signalbox> {
  opened += 1;
  const url = `${pathToFileURL(join(cwd, "signalbox.config.ts")).href}?${opened}`;
  const config: Config = (await import(/* @vite-ignore */ url)).default;
  const box = createSignalbox({ ...config, store: join(cwd, "signalbox.db"), ...instead });
  onTestFinished(() => box.close());
  return box;
}

let opened = 0;

/** What the desk's tools really did, in order. */
export function effects(cwd: string): readonly string[] {
  if (!readdirSync(cwd).includes("effects.log")) return [];
  return readFileSync(join(cwd, "effects.log"), "utf8").trimEnd().split("\n");
}

export type Said = { readonly code: number; readonly stdout: string; readonly stderr: string };

export type Terminal = {
  readonly isTty?: boolean;
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Answers what a person at the terminal is asked. */
  readonly ask?: (question: string) => Promise<string>;
  /** Hears all that is written to stdout as it is written. */
  readonly onWrite?: (text: string) => void;
};

/** The command line in this process. */
export async function cli(cwd: string, argv: readonly string[], terminal: Terminal = {}): Promise<Said> {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const write = (text: string): void => {
    stdout.push(text);
    terminal.onWrite?.(text);
  };
  const io: Io = {
    stdout: { write },
    stderr: { write: (text) => void stderr.push(text) },
    env: terminal.env ?? {},
    cwd,
    isTty: terminal.isTty ?? false,
    columns: terminal.columns,
    ...(terminal.ask === undefined ? {} : { ask: terminal.ask }),
  };
  const code = await main(argv, io, terminal.signal);
  return { code, stdout: stdout.join(""), stderr: stderr.join("") };
}

export type Child = { readonly process: ChildProcess; readonly said: Promise<Said> };

/** The real executable in a process of its own; `as` drops privileges that would read and write everything. */
export function start(
  cwd: string,
  argv: readonly string[],
  options: { readonly as?: number; readonly env?: Readonly<Record<string, string>> } = {},
): Child {
  const { FORCE_COLOR: _, ...env } = process.env;
  const drop = options.as === undefined ? {} : { uid: options.as, gid: options.as };
  const child = spawn(process.execPath, ["--conditions=signalbox-source", BIN, ...argv], {
    cwd,
    env: { ...env, NO_COLOR: "1", ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    ...drop,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { process: child, said: heard(child) };
}

export function bin(...args: Parameters<typeof start>): Promise<Said> {
  return start(...args).said;
}

export function heard(child: ChildProcess): Promise<Said> {
  return new Promise((resolve, reject) => {
    const [stdout, stderr]: [string[], string[]] = [[], []];
    child.stdout?.setEncoding("utf8").on("data", (text: string) => void stdout.push(text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => void stderr.push(text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? -1, stdout: stdout.join(""), stderr: stderr.join("") }));
  });
}

/** The one JSON document that stdout has to be. */
export function documentIn(said: Said): unknown {
  const lines = said.stdout.split("\n");
  if (lines.length !== 2 || lines[1] !== "") throw new Error(`not one line: ${JSON.stringify(said)}`);
  return JSON.parse(said.stdout);
}

/** Digests of all that lies in a folder, to see that nothing was touched. */
export function contents(path: string): Readonly<Record<string, string>> {
  const names = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isFile());
  const digest = (name: string): string =>
    createHash("sha256")
      .update(readFileSync(join(path, name)))
      .digest("hex");
  return Object.fromEntries(names.map(({ name }) => [name, digest(name)]));
}

/** Replies of the desk's model. */
export const say = {
  answer: (text = "done"): JsonObject => ({ kind: "conversation", text }),
  act: (tool: string, params: JsonObject, evidence: readonly string[] = []): JsonObject => ({
    kind: "action",
    tool,
    params,
    evidence,
  }),
  look: (id: string): JsonObject => say.act("look", { id }),
  pay: (account: string, amountMinor: number, evidence = [`inv_${account}`]): JsonObject =>
    say.act("pay", { account, amountMinor }, evidence),
  plan: (...steps: readonly PlanStep[]): JsonObject => ({
    kind: "plan",
    steps: steps.map(([actor, params, ...evidence]) => ({ actor, description: "a step", params, evidence })),
  }),
  retrieve: (query: string): JsonObject => ({ kind: "retrieve", query }),
};

type PlanStep = readonly [actor: string, params: JsonObject, ...evidence: readonly string[]];
