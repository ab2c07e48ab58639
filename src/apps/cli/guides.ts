import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { type Signalbox, SignalboxError } from "../../index.ts";
import { withBox } from "./commands.ts";
import { approveRules, publishRules, revokeRule, verifyRules, withdrawRule } from "./guides-chain.ts";
import { importRules } from "./guides-import.ts";
import { checkPins, pinPlan } from "./guides-pins.ts";
import { planCommands } from "./guides-plan.ts";
import { explainRun, serveTask } from "./guides-serve.ts";
import { diffRule, lintRules, listRules, showRule } from "./guides-show.ts";
import type { Io } from "./io.ts";
import { type Opening, opened } from "./opened.ts";
import { messageOf } from "./report.ts";

type Going = { readonly io: Io; readonly done: (exitCode: number) => void };
type Word = Opening & { readonly as: string; readonly why: string };
type Asked = Opening & {
  readonly task: string;
  readonly app?: string;
  readonly path: readonly string[];
  readonly profile?: string;
};

const each = (value: string, before: readonly string[]): readonly string[] => [...before, value];
const NAMED = "the rule's id, with @ and at least 32 digits of the digest that you saw, or confirmed on a terminal";

/** The commands of rule text: write and check it, approve exact bytes, publish them, see what is served. */
export function guideCommands(program: Command, going: Going): void {
  const guides = program
    .command("guides")
    .summary("write, check, approve, publish and serve the rules that models are told")
    .description("Write, check, approve, publish and serve the rules that models are told.");
  authorCommands(guides, going);
  chainCommands(guides, going);
  servingCommands(guides, going);
  planCommands(guides, going);
}

/** What needs a ledger, which a verification makes. */
const READS = { reads: true, maker: "signalbox guides verify" } as const;

type Work = (box: Signalbox) => Promise<number>;

function authorCommands(guides: Command, { io, done }: Going): void {
  const looking = async (options: Opening, work: Work): Promise<void> => {
    done(await opened(io, { ...options, looks: true }, work));
  };
  withBox(guides.command("list"), "say where each rule stands", "signalbox guides list").action((options: Opening) =>
    looking(options, (box) => listRules(io, box.guides, options.json === true)),
  );
  withBox(
    guides.command("import"),
    "make rule files of Cursor rules, SKILL.md, .instructions.md, AGENTS.md and CLAUDE.md",
    "signalbox guides import .cursor/rules",
  )
    .argument("<source...>", "files or folders")
    .option("--out <folder>", "where the rule files go (default: the folder of the config, or guides)")
    .option("--split <bytes>", "split a file into rules where it is longer than this (default: 2048)")
    .option("--dry-run", "write nothing, and say what would be")
    .action(async (sources: string[], options: Opening & { out?: string; split?: string; dryRun?: boolean }) => {
      done(await importRules(io, sources, options));
    });
  withBox(guides.command("lint"), "check the rule files; nothing is written", "signalbox guides lint").action(
    (options: Opening) => looking(options, (box) => lintRules(io, box.guides, options.json === true)),
  );
  withBox(guides.command("show"), "print exactly the bytes of a rule file", "signalbox guides show lock-screen")
    .argument("<rule>", "the rule's id; with @ and the beginning of a digest, the bytes that were verified under it")
    .action((rule: string, options: Opening) =>
      looking(options, (box) => showRule(io, box.guides, rule, options.json === true)),
    );
  withBox(guides.command("diff"), "compare a rule file with what is published", "signalbox guides diff lock-screen")
    .argument("<rule>", "the rule's id")
    .action((rule: string, options: Opening) =>
      looking(options, (box) => diffRule(io, box.guides, rule, options.json === true)),
    );
}

function chainCommands(guides: Command, { io, done }: Going): void {
  const open = async (options: Opening, work: Work): Promise<void> => {
    done(await opened(io, options, work));
  };
  withBox(
    guides.command("verify"),
    "run the checks on exact bytes, and keep a receipt; exit code 1 where one does not pass",
    "signalbox guides verify lock-screen",
  )
    .argument("[rule...]", "their ids (default: all)")
    .action((rules: string[], options: Opening) =>
      open(options, (box) => verifyRules(io, box.guides, rules, options.json === true)),
    );
  worded(
    guides.command("approve"),
    "take responsibility for exact bytes reaching a model",
    'signalbox guides approve lock-screen@7c1f0a3b9d428e6b5f20c4d7a1936be0 --as user:sue --why "read with the device team"',
  )
    .argument("<rule...>", NAMED)
    .option("--key <file>", "sign with this private key (PEM, or OpenSSH without a passphrase)")
    .option("--signature <file>", "a signature made elsewhere, over what `guides statement` prints")
    .action((rules: string[], options: Word & { key?: string; signature?: string }) =>
      open(options, (box) =>
        approveRules(io, box.guides, rules, { ...options, signing: signingOf(io, options, rules) }),
      ),
    );
  worded(
    guides.command("statement"),
    "print what a signature of an approval is over, byte for byte",
    'signalbox guides statement lock-screen@7c1f0a3b9d428e6b5f20c4d7a1936be0 --as user:sue --why "read" > it && ssh-keygen -Y sign -n signalbox-guides -f ~/.ssh/id_ed25519 it',
  )
    .argument("<rule>", "the rule's id, with @ and at least 32 digits of the digest that you saw")
    .action((rule: string, { as, why, ...options }: Word) =>
      open({ ...options, ...READS }, async (box) => {
        io.stdout.write(await box.guides.statement(rule, { as, why }));
        return 0;
      }),
    );
  withBox(
    guides.command("publish"),
    "serve approved bytes from now on",
    "signalbox guides publish lock-screen --as user:sue",
  )
    .argument("[rule...]", "their ids (default: all that are approved)")
    .requiredOption("--as <approver>", "who you are: an approver of the config")
    .action((rules: string[], options: Opening & { as: string }) =>
      open({ ...options, ...READS }, (box) => publishRules(io, box.guides, rules, options)),
    );
  worded(
    guides.command("revoke"),
    "take an approval back; where it is published, it is served no more",
    'signalbox guides revoke lock-screen@7c1f0a3b --as user:sue --why "wrong device"',
  )
    .argument("<rule>", "the rule's id, with @ and the beginning of the digest")
    .action((rule: string, options: Word) =>
      open({ ...options, ...READS }, (box) => revokeRule(io, box.guides, rule, options)),
    );
  worded(
    guides.command("withdraw"),
    "publish nothing under this id any more",
    'signalbox guides withdraw lock-screen --as user:sue --why "the app is gone"',
  )
    .argument("<rule>", "the rule's id")
    .action((rule: string, options: Word) =>
      open({ ...options, ...READS }, (box) => withdrawRule(io, box.guides, rule, options)),
    );
}

function servingCommands(guides: Command, { io, done }: Going): void {
  asking(
    guides.command("serve"),
    "print what a model would be told for a task, and what became of each rule",
    'signalbox guides serve --task "open settings" --app com.android.settings --profile qwen3-8b-16k',
  )
    .option("--all", "also list the rules that were not selected")
    .action(async (options: Asked & { all?: boolean }) => {
      done(
        await opened(io, { ...options, looks: true }, (box) =>
          serveTask(io, box.guides, wantedOf(options), { json: options.json === true, all: options.all === true }),
        ),
      );
    });
  asking(
    guides.command("pin"),
    "keep the plan of a task, to be compared with",
    'signalbox guides pin settings --task "open settings" --app com.android.settings --as user:sue',
  )
    .argument("<name>", "what the pin is called")
    .option("--as <who>", "who you are", "operator")
    .option("--reason <text>", "why it is pinned anew; needed where the plan is another one")
    .action(async (name: string, options: Asked & { as: string; reason?: string }) => {
      const { as, reason } = options;
      const word = { as, ...(reason === undefined ? {} : { reason }) };
      done(
        await opened(io, { ...options, ...READS }, (box) =>
          pinPlan(io, box.guides, name, wantedOf(options), word, options.json === true),
        ),
      );
    });
  withBox(
    guides.command("check"),
    "hold every pinned plan against today's; exit code 1 where one has changed",
    "signalbox guides check",
  ).action(async (options: Opening) => {
    done(await opened(io, { ...options, ...READS }, (box) => checkPins(io, box.guides, options.json === true)));
  });
  withBox(guides.command("explain"), "say what a run was told, and what it was not", "signalbox guides explain last")
    .argument("<run>", "its id, its beginning or its end, or last")
    .option("--text", "print the text that it was told as well")
    .action(async (run: string, options: Opening & { text?: boolean }) => {
      done(
        await opened(io, { ...options, reads: true }, (box) =>
          explainRun(io, box, run, { json: options.json === true, text: options.text === true }),
        ),
      );
    });
}

function worded(command: Command, does: string, example: string): Command {
  return withBox(command, does, example)
    .requiredOption("--as <approver>", "who you are: an approver of the config")
    .requiredOption("--why <text>", "in your words");
}

function asking(command: Command, does: string, example: string): Command {
  return withBox(command, does, example)
    .requiredOption("--task <text>", "what the operator would ask for")
    .option("--app <app>", "the app that is acted in")
    .option("--path <file>", "a file that it is about; repeatable", each, [])
    .option("--profile <name>", "a profile of the config (default: the one that runs are served for)");
}

function wantedOf({ task, app, path, profile }: Asked) {
  return {
    task,
    ...(app === undefined ? {} : { app }),
    ...(path.length === 0 ? {} : { paths: path }),
    ...(profile === undefined ? {} : { profile }),
  };
}

/** A key or a signature comes as a file; one signature is over one rule's statement. */
function signingOf(
  io: Io,
  { key, signature }: { readonly key?: string; readonly signature?: string },
  rules: readonly string[],
): { readonly signature: string } | { readonly privateKey: string } | null {
  if (key !== undefined && signature !== undefined) {
    throw new SignalboxError("usage", "give --key or --signature, not both");
  }
  if (signature !== undefined && rules.length !== 1) {
    throw new SignalboxError("usage", "--signature is over one rule's statement: approve the rules one by one");
  }
  if (key !== undefined) return { privateKey: textOfFile(io, key) };
  return signature === undefined ? null : { signature: textOfFile(io, signature) };
}

function textOfFile(io: Io, file: string): string {
  try {
    return readFileSync(resolve(io.cwd, file), "utf8");
  } catch (error) {
    throw new SignalboxError("no_file", `${file} cannot be read: ${messageOf(error)}`);
  }
}
