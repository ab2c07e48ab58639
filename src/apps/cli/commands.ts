import type { Command } from "commander";

/** How every command of ours is declared. */

/** What it does and an example come first in its help. */
export function common(command: Command, does: string, example: string): Command {
  return command
    .summary(does)
    .description(`${does.slice(0, 1).toUpperCase()}${does.slice(1)}.\n\n  ${example}`)
    .option("--json", "print one JSON document on stdout and nothing else")
    .option("--debug", "show the stack of an error");
}

export function withBox(command: Command, does: string, example: string): Command {
  return common(command, does, example).option("-c, --config <file>", "the config (default: signalbox.config.ts here)");
}
