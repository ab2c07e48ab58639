import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Json } from "../../domain/json.ts";
import type { TrialDesign } from "../../domain/trial.ts";
import { SignalboxError } from "../../index.ts";
import {
  parseTrialDocument,
  runTrial,
  type TrialEnd,
  type TrialProgress,
  type TrialWorld,
} from "../../runtime/index.ts";
import { errorsDecide } from "../../trials/index.ts";
import { commandOf, type Io, isLive, paint, widthOf } from "./io.ts";
import type { Opening } from "./opened.ts";
import { messageOf, printError } from "./report.ts";
import { clip, counted, grouped, jsonDocument, shellWord, visible } from "./text.ts";

/**
 * Opens the world of a trial: the config's rules, profile, model and tools, with nothing behind the tools. Whoever wires the
 * command line hands it in, so that tests can hand in a scripted one.
 */
export type TrialDoor = (
  io: Io,
  options: Opening,
  design: TrialDesign,
  work: (world: TrialWorld) => Promise<number>,
) => Promise<number>;

export type RunOptions = Opening & { readonly out?: string; readonly for?: string; readonly retryErrors?: boolean };

/** Exit code 0 where every run was made, 1 where it stopped before. */
export async function runTrialAt(
  io: Io,
  path: string,
  options: RunOptions,
  signal: AbortSignal | undefined,
  door: TrialDoor,
): Promise<number> {
  const { document, design } = readDesign(io, path);
  const out = options.out ?? runsBeside(path);
  const deadline = options.for === undefined ? {} : { deadlineMs: lengthOf(options.for) };
  const live = options.json !== true && isLive(io);
  return door(io, options, design, async (world) => {
    const bar = new Bar(io);
    try {
      const end = await runTrial(world, document, {
        file: resolve(io.cwd, out),
        retryErrors: options.retryErrors === true,
        ...deadline,
        ...(signal === undefined ? {} : { signal }),
        ...(live ? { onProgress: (progress: TrialProgress) => bar.show(progress) } : {}),
      });
      bar.clear();
      const { results: _, ...told } = end;
      if (options.json === true) io.stdout.write(jsonDocument({ file: out, ...told }));
      else printEnd(io, end, out, againWith(path, options, retryHelps(end)));
      return end.ending === "finished" ? 0 : 1;
    } finally {
      bar.clear();
    }
  });
}

/** A design from its file. Throws `no_trial`, `bad_trial`, `varies_two`, each fault with the file. */
export function readDesign(io: Io, path: string): { readonly document: Json; readonly design: TrialDesign } {
  let text: string;
  try {
    text = readFileSync(resolve(io.cwd, path), "utf8");
  } catch (error) {
    throw new SignalboxError("no_trial", `${path} cannot be read: ${messageOf(error)}`);
  }
  const read = parseTrialDocument(text);
  if (read.ok) return read.value;
  const code = read.why.code === "varies_two" ? "varies_two" : "bad_trial";
  throw new SignalboxError(code, read.why.detail.replace(/^/gm, `${path}: `), {
    hint: "docs/trials.md has the format",
  });
}

function runsBeside(path: string): string {
  return `${path.replace(/\.json$/i, "")}.runs.jsonl`;
}

const UNITS_MS: { readonly [unit: string]: number } = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function lengthOf(text: string): number {
  const [, count = "", unit = ""] = /^([1-9][0-9]{0,5})([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS_MS[unit] ?? 0);
  if (ms > 0) return ms;
  throw new SignalboxError("usage", `--for takes a length of time, not "${text.slice(0, 40)}"`, {
    hint: "90s, 30m, 8h or 2d",
  });
}

const BAR_COLUMNS = 24;

/** How far it is, on one line that is written over. */
class Bar {
  readonly #io: Io;
  #shown = false;

  constructor(io: Io) {
    this.#io = io;
  }

  show({ done, of, errors, run }: TrialProgress): void {
    const filled = Math.floor((done / Math.max(1, of)) * BAR_COLUMNS);
    const bar = `${"█".repeat(filled)}${"░".repeat(BAR_COLUMNS - filled)}`;
    const facts = [
      `${grouped(done)} of ${grouped(of)}`,
      ...(errors === 0 ? [] : [counted(errors, "error")]),
      ...(run === null ? [] : [`pair ${run.pair + 1}, ${visible(run.arm)}: ${run.outcome}`]),
    ];
    this.clear();
    this.#io.stdout.write(clip(`${bar} ${facts.join(" · ")}`, widthOf(this.#io) - 1));
    this.#shown = true;
  }

  clear(): void {
    if (this.#shown) this.#io.stdout.write("\r\u001b[K");
    this.#shown = false;
  }
}

const RETRY = "mend what fails";

/** Whether errors are what it stopped for, so that making them once more is what helps. */
function retryHelps({ ending, results }: TrialEnd): boolean {
  return ending === "too_many_errors" || (ending === "no_positive_control" && errorsDecide(results));
}

const HINTS: { readonly [ending in TrialEnd["ending"]]: string } = {
  finished: "",
  cancelled: "",
  deadline: "",
  too_many_errors: "",
  no_positive_control:
    "where the rule alone makes no difference, the arms can show none: mend the rule, the task or the check",
};

/** The command that goes on from there: with all that was given, since another file would be another trial. */
function againWith(path: string, options: RunOptions, retry: boolean): string {
  const { config, out, for: time, retryErrors } = options;
  const given = [
    ...(config === undefined ? [] : ["--config", config]),
    ...(out === undefined ? [] : ["--out", out]),
    ...(time === undefined ? [] : ["--for", time]),
    ...(retryErrors === true || retry ? ["--retry-errors"] : []),
  ];
  return ["trial", "run", path, ...given].map(shellWord).join(" ");
}

function printEnd(io: Io, end: TrialEnd, out: string, again: string): void {
  const { ending, detail, made, done, of, errors } = end;
  const facts = [`${grouped(done)} of ${counted(of, "run")}`, `${grouped(made)} made now`];
  if (errors > 0) facts.push(counted(errors, "error"));
  const style = ending === "finished" ? "green" : "yellow";
  io.stdout.write(`${paint(io, style, ending)} · ${facts.join(" · ")} · ${visible(out)}\n`);
  if (ending === "finished") {
    io.stdout.write(`${paint(io, "dim", `${commandOf(io)} trial report ${visible(shellWord(out))}`)}\n`);
    return;
  }
  const isOver = ending === "no_positive_control" && !retryHelps(end);
  const isKept = ending === "cancelled" || ending === "deadline";
  const message = isKept ? `${detail}, and what was made is kept` : detail;
  const next = isOver ? "" : `${commandOf(io)} ${again}`;
  printError(io, { code: ending, message: visible(message), hint: retryHelps(end) ? RETRY : HINTS[ending], next });
}
