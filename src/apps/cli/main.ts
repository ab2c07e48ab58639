import { styleText } from "node:util";
import { Command, CommanderError, Option } from "commander";
import { carried } from "./carried.ts";
import { common, withBox } from "./commands.ts";
import { countOf } from "./count-of.ts";
import { type DenialOptions, denials } from "./denials.ts";
import { doctor } from "./doctor.ts";
import { guideCommands } from "./guides.ts";
import { harvestCommands } from "./harvest.ts";
import { init } from "./init.ts";
import { type Io, usesColour } from "./io.ts";
import { checkpointLedger, verifyLedger } from "./ledger.ts";
import { loadConfig } from "./load-config.ts";
import { type Opening, opened } from "./opened.ts";
import { peopleCommands } from "./people.ts";
import { policyCommands } from "./policies.ts";
import { printCaps } from "./print-caps.ts";
import { printReplay } from "./print-replay.ts";
import { printRuns } from "./print-runs.ts";
import { profileCommands } from "./profile.ts";
import { report } from "./report.ts";
import { runIdOf } from "./run-id.ts";
import { show } from "./show.ts";
import { jsonDocument } from "./text.ts";
import { trialDoor } from "./trial-door.ts";
import { trialCommands } from "./trials.ts";
import { VERSION } from "./version.ts";

const EXIT_CODES = `
Exit codes: 0 ok, 1 failure, 2 wrong usage, 3 denied or stopped by a guardrail, 4 waiting
for approval, 5 a server was not reached or gave no usable answer, 7 verification failed,
100 an expectation failed (simulate, backtest).
A denial alone does not change the exit code: \`denied\` in --json counts it.`;

const RUN = "its id, at least 4 characters of its beginning or end, or last";
const TRACE = "also print what each model call was sent and what came back";

type Tracing = Opening & { readonly trace?: boolean };

/**
 * The command line. Returns the exit code (design 10): 0 ok, 1 failure, 2 usage, 3 a guardrail stopped the run,
 * 4 waiting for approval, 5 no usable answer of a server, 7 verification failed, 100 an expectation failed. With `--json` stdout holds one
 * document and nothing else.
 */
export async function main(argv: readonly string[], io: Io, signal?: AbortSignal): Promise<number> {
  const flags = argv.slice(0, argv.includes("--") ? argv.indexOf("--") : argv.length);
  const json = flags.includes("--json") || flags.includes("--stream");
  const cli = new Cli(io, json, signal);
  try {
    await cli.program.parseAsync(argv, { from: "user" });
    return cli.exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError) || !isHelp(error)) {
      return report(io, error, { json, debug: flags.includes("--debug"), command: commandIn(cli.program, flags) });
    }
    if (json)
      io.stdout.write(jsonDocument(error.code === "commander.version" ? { version: VERSION } : { help: cli.help }));
    return error.exitCode === 0 ? 0 : 2;
  }
}

/** The command that the arguments name, as far as there is such a one. */
function commandIn(program: Command, argv: readonly string[]): string {
  const [name = "", ...rest] = argv;
  const command = program.commands.find((known) => known.name() === name);
  return command === undefined ? program.name() : `${program.name()} ${commandIn(command, rest)}`;
}

/** Commander ends by throwing where help or the version was printed, too. */
function isHelp(error: CommanderError): boolean {
  return ["commander.help", "commander.helpDisplayed", "commander.version"].includes(error.code);
}

type Asked = {
  readonly as?: string;
  readonly for?: string;
  readonly thread?: string;
  readonly app?: string;
  readonly path: readonly string[];
};

const each = (value: string, before: readonly string[]): readonly string[] => [...before, value];

/** The commands with their options, and what became of the one that was given. */
class Cli {
  readonly program: Command;
  exitCode = 0;
  /** What was printed as help, where that has to be part of a document. */
  help = "";
  readonly #io: Io;
  readonly #signal: AbortSignal | undefined;

  constructor(io: Io, json: boolean, signal: AbortSignal | undefined) {
    this.#io = io;
    this.#signal = signal;
    const columns = (): number => Math.min(io.columns ?? 100, 110);
    const write = (sink: Io["stdout"]) => (text: string) => {
      this.help += text;
      if (!json) sink.write(text);
    };
    this.program = new Command("signalbox")
      .description("The model proposes, deterministic code commits.")
      .version(VERSION)
      .exitOverride()
      .configureOutput({
        writeOut: write(io.stdout),
        writeErr: write(io.stderr),
        // main() reports errors in its own form.
        outputError: () => {},
        getOutHelpWidth: columns,
        getErrHelpWidth: columns,
        getOutHasColors: () => usesColour(io),
        getErrHasColors: () => usesColour(io),
      })
      .configureHelp({ styleTitle: (title) => styleText("bold", title, { validateStream: false }) })
      .addHelpText("after", EXIT_CODES);
    this.#runs();
    this.#records();
    this.#caps();
    const done = (exitCode: number): void => {
      this.exitCode = exitCode;
    };
    peopleCommands(this.program, { io, signal, done });
    policyCommands(this.program, { io, done });
    guideCommands(this.program, { io, done });
    trialCommands(this.program, { io, signal, done, door: trialDoor });
    harvestCommands(this.program, { io, signal, done });
    profileCommands(this.program, { io, done });
    this.#metric();
    this.#setUp();
    this.#ledger();
  }

  #runs(): void {
    const run = "signalbox run";
    withBox(
      this.program.command("run"),
      "carry one request to its end",
      `${run} "Order 1042 arrived broken" --as agent:desk --for customer:ada`,
    )
      .argument("<request>", "what is to be done")
      .option("--as <principal>", "on whose authority (default: operator)")
      .option("--for <customer>", "whom it is about")
      .option("--thread <id>", "go on in this thread, or name a new one")
      .option("--app <app>", "the app that it acts in, for the rules that are served")
      .option("--path <file>", "a file that it is about, for the same; repeatable", each, [])
      .option("--trace", TRACE)
      .action(async (request: string, options: Tracing & Asked) => {
        const who = {
          ...(options.app === undefined ? {} : { app: options.app }),
          ...(options.path.length === 0 ? {} : { paths: options.path }),
          ...(options.as === undefined ? {} : { as: options.as }),
          ...(options.for === undefined ? {} : { customer: options.for }),
          ...(options.thread === undefined ? {} : { id: options.thread }),
        };
        this.exitCode = await carried(this.#io, { ...options, signal: this.#signal }, (box, hooks) =>
          box.run(request, { ...hooks, ...who }),
        );
      });
    withBox(this.program.command("resume"), "take up a run that was cut off", "signalbox resume RUN")
      .argument("<run>", RUN)
      .option("--trace", TRACE)
      .action(async (run: string, options: Tracing) => {
        this.exitCode = await carried(
          this.#io,
          { ...options, signal: this.#signal, reads: true, thread: null },
          async (box, hooks) => box.resume(await runIdOf(box, run), hooks),
        );
      });
    withBox(this.program.command("continue"), "let a stopped run go on with fresh budgets", "signalbox continue RUN")
      .argument("<run>", RUN)
      .option("--trace", TRACE)
      .action(async (run: string, options: Tracing) => {
        this.exitCode = await carried(
          this.#io,
          { ...options, signal: this.#signal, reads: true, thread: null },
          async (box, hooks) => box.continue(await runIdOf(box, run), hooks),
        );
      });
  }

  #records(): void {
    withBox(
      this.program.command("replay"),
      "derive every decision of a recorded run again",
      "signalbox replay RUN --config next.config.ts",
    )
      .argument("<run>", RUN)
      .action(async (run: string, options: Opening) => {
        this.exitCode = await opened(this.#io, { ...options, reads: true }, async (box) =>
          printReplay(this.#io, await box.replay(await runIdOf(box, run)), options.json === true),
        );
      });
    withBox(
      this.program.command("show"),
      "print exactly what a model call was sent and what came back",
      "signalbox show RUN 3",
    )
      .argument("<run>", RUN)
      .argument("[turn]", "which of its turns (default: the last)")
      .option("--full", "print the schema and the tools that went along as well")
      .action(async (run: string, turn: string | undefined, options: Opening & { full?: boolean }) => {
        const how = { json: options.json === true, full: options.full === true };
        this.exitCode = await opened(this.#io, { ...options, reads: true }, async (box) =>
          show(this.#io, box, await runIdOf(box, run), turn, how),
        );
      });
    withBox(this.program.command("runs"), "list the newest runs", "signalbox runs --thread THREAD")
      .option("--thread <id>", "of this thread only")
      .option("--limit <n>", "at most so many", "20")
      .action(async (options: Opening & { thread?: string; limit: string }) => {
        const limit = countOf(options.limit);
        const json = options.json === true;
        // A list of what is not there yet is empty; it makes no database.
        const filter = options.thread === undefined ? { limit } : { limit, thread: options.thread };
        this.exitCode = await opened(this.#io, { ...options, looks: true }, async (box) =>
          printRuns(this.#io, await box.runs(filter), json),
        );
      });
  }

  #caps(): void {
    withBox(
      this.program.command("caps"),
      "show what is held of the caps, and by whom",
      "signalbox caps --cap refunds_per_day",
    )
      .option("--cap <name>", "of this cap only")
      .option("--limit <n>", "at most so many, and holders of each", "20")
      .action(async (options: Opening & { cap?: string; limit: string }) => {
        const limit = countOf(options.limit);
        const json = options.json === true;
        const filter = { limit, unheld: true, ...(options.cap === undefined ? {} : { cap: options.cap }) };
        // Of what is not there yet nothing is held; looking makes no database.
        this.exitCode = await opened(this.#io, { ...options, looks: true }, async (box) =>
          printCaps(this.#io, await box.caps(filter), box.parts.clock.now(), json),
        );
      });
  }

  #metric(): void {
    withBox(
      this.program.command("denials"),
      "count what was denied, and say what has moved",
      "signalbox denials --since 7d --by tool --by code --chart",
    )
      .option("--since <when>", "from: 24h, 7d, 4w before the end, an ISO day or time, or all (default: 7d)")
      .option("--until <when>", "up to and without this ISO day or time (default: now)")
      .addOption(
        new Option("--by <what>", "tool, rail, code, rule, prompt, policy, model or plan; repeatable")
          .argParser(each)
          .default([], "tool,code,rule"),
      )
      .option("--bucket <length>", "also over time: hour, day, week, or minutes such as 15m")
      .option("--told <rule>", "apart: proposals after this served rule was told, and the others")
      .option("--chart", "draw it over time")
      .option("--prometheus", "print all decisions of all time as a Prometheus counter")
      .action(async (options: DenialOptions) => {
        this.exitCode = await denials(this.#io, options);
      });
  }

  #setUp(): void {
    const description = "check the config, the rails, the ledger and the model's server";
    withBox(this.program.command("doctor"), description, "signalbox doctor").action(async (options: Opening) => {
      this.exitCode = await doctor(this.#io, await loadConfig(this.#io, options.config), options.json === true);
    });
    common(this.program.command("init"), "write a project that runs at once", "signalbox init my-desk")
      .argument("[folder]", "where", ".")
      .action((folder: string, options: { json?: boolean }) => {
        this.exitCode = init(this.#io, folder, options.json === true);
      });
  }

  #ledger(): void {
    const ledger = this.program
      .command("ledger")
      .summary("verify what was recorded")
      .description("Verify what was recorded.");
    withBox(
      ledger.command("verify"),
      "check every chain; exit code 7 where something does not fit",
      "signalbox ledger verify --checkpoint kept-elsewhere.json",
    )
      .option("--checkpoint <file>", "also check that all of this checkpoint is still there")
      .action(async (options: Opening & { checkpoint?: string }) => {
        this.exitCode = await opened(this.#io, { ...options, reads: true }, (box) =>
          verifyLedger(this.#io, box, options.checkpoint, options.json === true),
        );
      });
    withBox(
      ledger.command("checkpoint"),
      "write a checkpoint to keep somewhere else",
      "signalbox ledger checkpoint --out kept-elsewhere.json",
    )
      .option("--out <file>", "where to; default: stdout")
      .action(async (options: Opening & { out?: string }) => {
        this.exitCode = await opened(this.#io, { ...options, reads: true }, (box) =>
          checkpointLedger(this.#io, box, options.out, options.json === true),
        );
      });
  }
}
