import type { Command } from "commander";
import { backtestPolicy } from "./backtest.ts";
import { withBox } from "./commands.ts";
import type { Io } from "./io.ts";
import type { Opening } from "./opened.ts";
import { checkPolicyFile } from "./policy.ts";
import { simulateAt } from "./simulate.ts";

type Going = { readonly io: Io; readonly done: (exitCode: number) => void };

/** The commands that try a policy before it is used. None of them performs anything. */
export function policyCommands(program: Command, { io, done }: Going): void {
  withBox(
    program.command("simulate"),
    "judge the proposals of scenarios; nothing is performed or opened",
    "signalbox simulate scenarios/ --config next.config.ts",
  )
    .argument("<path>", "a scenario, a .jsonl file with one on each line, or a folder of both")
    .option("--stream", "print one JSON document for each scenario, and a summary as the last")
    .action(async (path: string, options: Opening & { stream?: boolean }) => {
      done(await simulateAt(io, path, options));
    });
  withBox(
    program.command("backtest"),
    "decide every recorded proposal again by other rules, and say what comes out otherwise",
    "signalbox backtest --policy next.config.ts --since 30d --fail-on permit,unknown",
  )
    .requiredOption("--policy <file>", "the config whose tools and policies decide again")
    .option("--since <when>", "count decisions from: 12h, 30d, 4w ago, an ISO day or time, or all (default: all)")
    .option(
      "--fail-on <what>",
      "exit with 100 on any flip, on one to permit, deny or stage, on unknown, or on none",
      "flip,unknown",
    )
    .action(async (options: Opening & { policy: string; since?: string; failOn: string }) => {
      done(await backtestPolicy(io, options));
    });
  const policy = program
    .command("policy")
    .summary("check the rules of a config")
    .description("Check the rules of a config.");
  withBox(
    policy.command("check"),
    "say what is wrong with the rules, what is likely not meant, and which rails each tool has",
    "signalbox policy check --config next.config.ts",
  ).action(async (options: Opening) => {
    done(await checkPolicyFile(io, options));
  });
}
