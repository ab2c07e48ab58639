import type { Run, RunEvent, RunOutcome, Signalbox } from "../../index.ts";
import { ENDINGS, type Ending, type RunOptions } from "../../index.ts";
import { guideHint } from "./guide-hints.ts";
import { commandOf, type Io, isLive } from "./io.ts";
import { type Opening, opened } from "./opened.ts";
import { nextVerb, RunScreen } from "./render-run.ts";
import { printError } from "./report.ts";
import { jsonDocument } from "./text.ts";
import { Trace } from "./trace.ts";

export type Carrying = Opening & {
  readonly thread?: string | null;
  /** Prints each model call in full while it happens. */
  readonly trace?: boolean;
  readonly signal: AbortSignal | undefined;
};

/** Carries a run with live progress, or with one document at the end. */
export function carried(
  io: Io,
  options: Carrying,
  work: (box: Signalbox, hooks: Pick<RunOptions, "onEvent" | "onText" | "signal">) => Promise<RunOutcome>,
): Promise<number> {
  return opened(io, options, async (box, isForgotten) => {
    // A ledger that is gone with this command leads nowhere further.
    const again = isForgotten ? null : options.config === undefined ? "" : ` --config ${options.config}`;
    const cancel = options.signal === undefined ? {} : { signal: options.signal };
    if (options.json === true) {
      const trace = options.trace === true ? new Trace({ ...io, stdout: io.stderr }, box, false) : null;
      const onEvent = (event: RunEvent, run: Run): void => {
        trace?.came(event);
        trace?.sent(event, run);
      };
      const outcome = await work(box, trace === null ? cancel : { onEvent, ...cancel });
      io.stdout.write(jsonDocument(outcome));
      printFailure(io, outcome, again);
      return outcome.exitCode;
    }
    const started = performance.now();
    const trace = options.trace === true ? new Trace(io, box, true) : null;
    const screen = new RunScreen(io, { model: box.parts.model, thread: options.thread ?? null, again, trace });
    const live: Pick<RunOptions, "onText"> = isLive(io) ? { onText: (piece) => screen.say(piece) } : {};
    try {
      const outcome = await work(box, { onEvent: (event, run) => screen.hear(event, run), ...live, ...cancel });
      screen.clear();
      printFailure(io, outcome, again);
      screen.finish(outcome, performance.now() - started);
      return outcome.exitCode;
    } finally {
      screen.clear();
    }
  });
}

/** What a person can do about an ending that is no result but a failure. */
const HINTS: { readonly [Name in Ending]?: string } = {
  model_unreachable: "signalbox doctor asks the model's server",
  ledger_unavailable: "make the ledger writable",
  outcome_unknown: "look whether it happened; it is never retried by itself",
  failed: "where no other process carries this run it is a bug: please report it",
};

/** Only a person can say how it came out. */
function resolving(io: Io, { run, steps }: RunOutcome, again: string): string {
  return `${commandOf(io)} outcomes resolve ${run}-${steps} --as WHO --outcome done|failed --why "…"${again}`;
}

/** A failure of the world is told on stderr like every other error; what a guardrail or a rail stops is a result. */
function printFailure(io: Io, outcome: RunOutcome, again: string | null): void {
  if (outcome.exitCode !== 1 && outcome.exitCode !== 5) return;
  const verb = nextVerb(outcome);
  const next = verb === "replay" || again === null ? "" : `${commandOf(io)} ${verb} ${outcome.run}${again}`;
  printError(io, {
    code: outcome.ending,
    message: outcome.detail === "" ? ENDINGS[outcome.ending].message : outcome.detail,
    hint: outcome.ending === "guide_refused" ? guideHint(outcome.detail) : (HINTS[outcome.ending] ?? ""),
    next: outcome.ending === "outcome_unknown" && again !== null ? resolving(io, outcome, again) : next,
  });
}
