import { Command, CommanderError } from "commander";
import type { RunOutcome } from "../../index.ts";
import { createSignalbox, type Signalbox, SignalboxError } from "../../index.ts";
import { doctor } from "./doctor.ts";
import { init } from "./init.ts";
import { type Io, paint } from "./io.ts";
import { checkpointLedger, verifyLedger } from "./ledger.ts";
import { type LoadedConfig, loadConfig } from "./load-config.ts";
import { printReplay } from "./print-replay.ts";
import { printRuns } from "./print-runs.ts";
import { renderRun } from "./render-run.ts";
import { VERSION } from "./version.ts";

/** Options that every command over a box takes. */
type Common = { readonly config?: string; readonly json?: boolean; readonly debug?: boolean };

/**
 * The command line. Returns the exit code (design 10): 0 ok, 1 failure, 2 usage, 3 denied or stopped by a guardrail,
 * 4 waiting for approval, 5 unreachable, 7 verification failed. With `--json` stdout holds one document and nothing else.
 */
export async function main(argv: readonly string[], io: Io, signal?: AbortSignal): Promise<number> {
  let code = 0;
  const program = new Command("signalbox")
    .description("The model proposes, deterministic code commits.")
    .version(VERSION)
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .showHelpAfterError("(signalbox --help shows the commands)");

  const withBox = (name: string, description: string): Command =>
    program
      .command(name)
      .description(description)
      .option("-c, --config <file>", "the config (default: signalbox.config.ts here)")
      .option("--json", "print one JSON document on stdout and nothing else")
      .option("--debug", "show the stack of an error");

  withBox("run", "carry one request to its end")
    .argument("<request>", "what is to be done")
    .option("--as <principal>", "on whose authority (default: operator)")
    .option("--for <customer>", "whom it is about")
    .option("--thread <id>", "go on in this thread")
    .addHelpText("after", '\nExample: signalbox run "Order 1042 arrived broken" --as agent:desk --for customer:ada')
    .action(async (request: string, options: Common & { as?: string; for?: string; thread?: string }) => {
      code = await carried(
        io,
        options,
        (box, hooks) =>
          box.run(request, {
            ...hooks,
            ...(options.as === undefined ? {} : { as: options.as }),
            ...(options.for === undefined ? {} : { customer: options.for }),
            ...(options.thread === undefined ? {} : { id: options.thread }),
          }),
        signal,
      );
    });

  withBox("resume", "take up a run that was cut off")
    .argument("<run>")
    .action(async (run: string, options: Common) => {
      code = await carried(io, options, (box, hooks) => box.resume(run, hooks), signal);
    });

  withBox("continue", "let a stopped run go on with fresh budgets")
    .argument("<run>")
    .action(async (run: string, options: Common) => {
      code = await carried(io, options, (box, hooks) => box.continue(run, hooks), signal);
    });

  withBox("replay", "derive every decision of a recorded run again")
    .argument("<run>")
    .action(async (run: string, options: Common) => {
      code = await opened(io, options, async (box) => printReplay(io, await box.replay(run), options.json === true));
    });

  withBox("runs", "list the newest runs")
    .option("--thread <id>", "of this thread only")
    .option("--limit <n>", "at most so many", "20")
    .action(async (options: Common & { thread?: string; limit: string }) => {
      const limit = Number(options.limit);
      if (!Number.isSafeInteger(limit) || limit < 1)
        throw new SignalboxError("usage", "--limit takes a whole number from 1");
      const filter = options.thread === undefined ? { limit } : { limit, thread: options.thread };
      code = await opened(io, options, async (box) => printRuns(io, await box.runs(filter), options.json === true));
    });

  withBox("doctor", "check the config, the rails, the ledger and the model's server").action(
    async (options: Common) => {
      code = await doctor(io, await loadConfig(io, options.config), options.json === true);
    },
  );

  program
    .command("init")
    .description("write a project that runs at once")
    .argument("[folder]", "where", ".")
    .option("--json", "print one JSON document on stdout and nothing else")
    .action(async (folder: string, options: { json?: boolean }) => {
      code = init(io, folder, options.json === true);
    });

  const ledger = program.command("ledger").description("verify what was recorded");
  const ledgerCommand = (name: string, description: string): Command =>
    ledger
      .command(name)
      .description(description)
      .option("-c, --config <file>", "the config (default: signalbox.config.ts here)")
      .option("--json", "print one JSON document on stdout and nothing else")
      .option("--debug", "show the stack of an error");
  ledgerCommand("verify", "check every chain; exit code 7 where something does not fit")
    .option("--checkpoint <file>", "also check that all of this checkpoint is still there")
    .action(async (options: Common & { checkpoint?: string }) => {
      code = await opened(io, options, (box) => verifyLedger(io, box, options.checkpoint, options.json === true));
    });
  ledgerCommand("checkpoint", "write a checkpoint to keep somewhere else")
    .option("--out <file>", "where to; default: stdout")
    .action(async (options: Common & { out?: string }) => {
      code = await opened(io, options, (box) => checkpointLedger(io, box, options.out, options.json === true));
    });

  try {
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    return report(io, error, argv);
  }
}

/** One line that says what to do, and its exit code. A stack only where it was asked for. */
function report(io: Io, error: unknown, argv: readonly string[]): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const known =
    error instanceof SignalboxError
      ? error
      : new SignalboxError("failed", messageOf(error), { exitCode: 1, cause: error });
  if (argv.includes("--json")) {
    const { code, message, hint } = known;
    io.stdout.write(`${JSON.stringify({ error: { code, message, hint } })}\n`);
  }
  const hint = known.hint === "" ? "" : ` (${known.hint})`;
  io.stderr.write(`${paint(io, "red", "signalbox:")} ${known.code}: ${known.message}${hint}\n`);
  if (argv.includes("--debug")) io.stderr.write(`${stackOf(error)}\n`);
  return known.exitCode;
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `\ncaused by ${error.cause.stack ?? error.cause.message}` : "";
  return `${error.stack ?? error.message}${cause}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
}

async function opened(
  io: Io,
  options: Common,
  work: (box: Signalbox, loaded: LoadedConfig) => number | Promise<number>,
): Promise<number> {
  const loaded = await loadConfig(io, options.config);
  const box = createSignalbox(loaded.config);
  try {
    return await work(box, loaded);
  } finally {
    await box.close();
  }
}

type Hooks = {
  readonly onEvent?: NonNullable<Parameters<Signalbox["run"]>[1]>["onEvent"] & object;
  readonly signal?: AbortSignal;
};

/** Carries a run with live progress, or with one document at the end. */
async function carried(
  io: Io,
  options: Common,
  work: (box: Signalbox, hooks: Hooks) => Promise<RunOutcome>,
  signal: AbortSignal | undefined,
): Promise<number> {
  return opened(io, options, async (box) => {
    const cancel = signal === undefined ? {} : { signal };
    if (options.json === true) {
      const outcome = await work(box, cancel);
      io.stdout.write(`${JSON.stringify(outcome)}\n`);
      return outcome.exitCode;
    }
    const started = performance.now();
    const renderer = renderRun(io, box.parts.model);
    const outcome = await work(box, { onEvent: renderer.onEvent, ...cancel });
    renderer.finish(outcome, performance.now() - started);
    return outcome.exitCode;
  });
}
