import type { Command } from "commander";
import { type ApprovalEntry, type ApprovalFilter, type RunOutcome, SignalboxError } from "../../index.ts";
import { approveAll, editOne, listApprovals, rejectOne, STATES, showApproval } from "./approvals.ts";
import { carried } from "./carried.ts";
import { withBox } from "./commands.ts";
import { decide, parsed, settle } from "./decide.ts";
import { commandOf, type Io } from "./io.ts";
import { type Opening, opened } from "./opened.ts";
import { listOutcomes, resolveOutcome } from "./outcomes.ts";
import { printNote } from "./print-row.ts";
import { jsonDocument } from "./text.ts";

type Going = { readonly io: Io; readonly signal: AbortSignal | undefined; readonly done: (exitCode: number) => void };
type Word = Opening & { readonly as: string; readonly why?: string; readonly resume?: boolean };

const ID = "RUN-STEP as `approvals list` prints it; the run also by its last characters";

/** The commands by which people decide, and by which other loops ask. */
export function peopleCommands(program: Command, going: Going): void {
  approvalCommands(program, going);
  outcomeCommands(program, going);
  decideCommands(program, going);
}

function approvalCommands(program: Command, { io, signal, done }: Going): void {
  const approvals = program
    .command("approvals")
    .summary("see, approve and refuse what waits for a person")
    .description("See, approve and refuse what waits for a person.");
  withBox(approvals.command("list"), "list what waits for a person", "signalbox approvals list")
    .option("--state <state>", STATES.join(", "), "waiting")
    .option("--limit <n>", "at most so many", "50")
    .action(async (options: Opening & { state: string; limit: string }) => {
      const filter = filterOf(options);
      done(
        await opened(io, { ...options, reads: true }, (box) => listApprovals(io, box, filter, options.json === true)),
      );
    });
  withBox(
    approvals.command("show"),
    "print exactly what would be approved, and what it was judged on",
    "signalbox approvals show RUN-STEP",
  )
    .argument("<id>", ID)
    .action(async (id: string, options: Opening) => {
      done(await opened(io, { ...options, reads: true }, (box) => showApproval(io, box, id, options.json === true)));
    });
  saying(
    approvals.command("approve"),
    "approve exact bytes, and carry the run on",
    "signalbox approvals approve RUN-STEP@DIGEST --as user:sue",
  )
    .argument("<id...>", `${ID}; with @ and the beginning of its digest, or confirmed on a terminal`)
    .action(async (ids: string[], options: Word) => {
      let approved: readonly ApprovalEntry[] | null = null;
      done(
        await opened(io, { ...options, reads: true }, async (box) => {
          approved = await approveAll(io, box, ids, { ...options, json: options.json === true });
          return approved === null ? 1 : 0;
        }),
      );
      if (approved !== null) await goOn(approved, options);
    });
  saying(
    approvals.command("reject"),
    "refuse a proposal; the reason goes back to the model",
    'signalbox approvals reject RUN-STEP --as user:sue --why "not our supplier"',
  )
    .argument("<id>", ID)
    .action(async (id: string, options: Word) => {
      await said(options, (box) => rejectOne(io, box, id, { ...options, json: options.json === true }));
    });
  saying(
    approvals.command("edit"),
    "put other params in its place: a new proposal, judged like any other",
    `signalbox approvals edit RUN-STEP --as user:sue --params '{"orderId": "1042", "amountMinor": 500}'`,
  )
    .argument("<id>", ID)
    .requiredOption("--params <json>", "the params of the new proposal, whole")
    .option("--cites <ids>", "the evidence that it cites, separated by commas (default: as before)")
    .action(async (id: string, options: Word & { params: string; cites?: string }) => {
      const params = parsed(options.params, "--params");
      const cites = options.cites?.split(",").filter((cite) => cite !== "");
      const json = options.json === true;
      await said(options, (box) => editOne(io, box, id, { ...options, json, params, cites }));
    });

  type Box = Parameters<Parameters<typeof opened>[2]>[0];
  async function said(options: Word, say: (box: Box) => Promise<ApprovalEntry>): Promise<void> {
    let entry: ApprovalEntry | null = null;
    done(
      await opened(io, { ...options, reads: true }, async (box) => {
        entry = await say(box);
        return 0;
      }),
    );
    if (entry !== null) await goOn([entry], options);
  }

  /** A person's word lets the run go on, here and now unless they want otherwise. What another loop carries is its own. */
  async function goOn(entries: readonly ApprovalEntry[], options: Word): Promise<void> {
    const runs = [...new Set(entries.filter(({ outside }) => !outside).map(({ run }) => run))];
    const goes = options.resume === false ? [] : runs;
    if (options.json === true) {
      const outcomes: RunOutcome[] = [];
      const work = async (box: Box): Promise<number> => {
        for (const run of goes) outcomes.push(await box.resume(run, signal === undefined ? {} : { signal }));
        return Math.max(0, ...outcomes.map(({ exitCode }) => exitCode));
      };
      done(await opened(io, { ...options, reads: true }, work));
      io.stdout.write(jsonDocument({ approvals: entries, runs: outcomes }));
      return;
    }
    // Of several runs the worst exit code counts, as in a document.
    let worst = 0;
    for (const run of goes) {
      const carrying = { ...options, signal, reads: true, thread: null };
      worst = Math.max(worst, await carried(io, carrying, (box, hooks) => box.resume(run, hooks)));
    }
    done(worst);
    for (const { outside, id, state } of entries) {
      if (outside && state === "approved") printNote(io, `${id}: its own loop commits it when it asks again`, "dim");
    }
    if (options.resume === false) {
      for (const run of runs) printNote(io, `the run can go on: ${commandOf(io)} resume ${run}`, "dim");
    }
  }
}

function saying(command: Command, does: string, example: string): Command {
  return withBox(command, does, example)
    .requiredOption("--as <approver>", "who you are: an approver of the config")
    .option("--why <text>", "in your words")
    .option("--no-resume", "say it, and leave the run waiting for `signalbox resume`");
}

function filterOf({ state, limit }: { readonly state: string; readonly limit: string }): ApprovalFilter {
  const known = STATES.find((name) => name === state);
  if (known === undefined) throw new SignalboxError("usage", `--state takes ${STATES.join(", ")}`);
  if (!/^[1-9][0-9]{0,5}$/.test(limit)) throw new SignalboxError("usage", "--limit takes a whole number from 1");
  return { state: known, limit: Number(limit) };
}

type Resolving = Opening & {
  readonly as: string;
  readonly outcome: string;
  readonly why: string;
  readonly result?: string;
  readonly gone?: boolean;
};

function outcomeCommands(program: Command, { io, done }: Going): void {
  const outcomes = program
    .command("outcomes")
    .summary("see and settle effects of which nobody knows whether they happened")
    .description("See and settle effects of which nobody knows whether they happened.");
  withBox(outcomes.command("list"), "list them", "signalbox outcomes list").action(async (options: Opening) => {
    done(await opened(io, { ...options, reads: true }, (box) => listOutcomes(io, box, options.json === true)));
  });
  withBox(
    outcomes.command("resolve"),
    "say how one came out, when you have looked",
    'signalbox outcomes resolve RUN-STEP --as user:sue --outcome failed --why "not in the statement"',
  )
    .argument("<id>", "RUN-STEP as `outcomes list` prints it")
    .requiredOption("--as <approver>", "who you are: an approver of the config")
    .requiredOption("--outcome <outcome>", "done or failed")
    .requiredOption("--why <text>", "how you know")
    .option("--result <json>", "for done: the result, where you know it")
    .option("--gone", "whoever began it is gone for good: for a step of another loop that was never settled")
    .action(async (id: string, options: Resolving) => {
      const { result, ...rest } = options;
      const given = result === undefined ? rest : { ...rest, result: parsed(result, "--result") };
      done(
        await opened(io, { ...options, reads: true }, (box) =>
          resolveOutcome(io, box, id, given, options.json === true),
        ),
      );
    });
}

function decideCommands(program: Command, { io, done }: Going): void {
  withBox(
    program.command("decide"),
    "decide one proposal of another loop; exit code 0 allow, 3 deny, 4 stage",
    "signalbox decide proposal.json --json",
  )
    .argument("[file]", "the proposal as JSON: run, step, tool, params, evidence …; - for stdin", "-")
    .action(async (file: string, options: Opening) => {
      done(await opened(io, options, (box) => decide(io, box, file, options.json === true)));
    });
  withBox(
    program.command("settle"),
    "say how a step that was allowed came out",
    `signalbox settle RUN STEP --outcome done --result '{"receipt": 7}'`,
  )
    .argument("<run>", "the run, as it was given to decide")
    .argument("<step>", "the step")
    .requiredOption("--outcome <outcome>", "done, failed or outcome_unknown")
    .option("--result <json>", "for done")
    .option("--error <text>", "for failed and outcome_unknown")
    .action(
      async (run: string, step: string, options: Opening & { outcome: string; result?: string; error?: string }) => {
        done(
          await opened(io, { ...options, reads: true }, (box) =>
            settle(io, box, run, step, options, options.json === true),
          ),
        );
      },
    );
}
