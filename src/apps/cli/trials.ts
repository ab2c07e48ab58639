import type { Command } from "commander";
import { common, withBox } from "./commands.ts";
import type { Io } from "./io.ts";
import { type PlanOptions, planTrialAt } from "./trial-plan.ts";
import { type ReportOptions, reportTrialAt } from "./trial-report.ts";
import { type RunOptions, runTrialAt, type TrialDoor } from "./trial-run.ts";

type Going = {
  readonly io: Io;
  readonly signal: AbortSignal | undefined;
  readonly done: (exitCode: number) => void;
  readonly door: TrialDoor;
};

/** The commands that find out whether a rule is heard: how many pairs that takes, the runs, and what they show. */
export function trialCommands(program: Command, { io, signal, done, door }: Going): void {
  const trial = program
    .command("trial")
    .summary("find out whether a rule is followed, by paired runs that can refute it")
    .description("Find out whether a rule is followed, by paired runs that can refute it.");
  withBox(
    trial.command("plan"),
    "say how many pairs a trial needs, before a run is made",
    "signalbox trial plan trials/lock-screen.json",
  )
    .argument("[design]", "the design of a trial (docs/trials.md)")
    .option("--high <percent>", "without a design: how often the rule is followed in the better arm")
    .option("--low <percent>", "the rate that is to be told from it")
    .option("--discordance <percent>", "how many pairs come out differently (default: as if they were independent)")
    .option("--arms <n>", "how many arms there are, each compared with each", "2")
    .action(async (design: string | undefined, options: PlanOptions) => {
      done(await planTrialAt(io, design, options, door));
    });
  withBox(
    trial.command("run"),
    "make the runs of a trial, or those that are still missing; nothing is performed",
    "signalbox trial run trials/lock-screen.json",
  )
    .argument("<design>", "the design of a trial (docs/trials.md)")
    .option("--out <file>", "where the runs are kept, one a line (default: beside the design, .runs.jsonl)")
    .option("--for <time>", "stop after so long, such as 30m or 8h; the same command goes on from there")
    .option("--retry-errors", "make those runs once more that came to an error")
    .action(async (design: string, options: RunOptions) => {
      done(await runTrialAt(io, design, options, signal, door));
    });
  common(
    trial.command("report"),
    "say what the runs of a trial show, or why that cannot be said",
    "signalbox trial report trials/lock-screen.runs.jsonl --html report.html",
  )
    .argument("<runs>", "the file of runs")
    .option("--html <file>", "also write a page that needs nothing else")
    .action((runs: string, options: ReportOptions) => {
      done(reportTrialAt(io, runs, options));
    });
}
