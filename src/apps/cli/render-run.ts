import { type Denial, ENDINGS, type Model, type Run, type RunEvent, type RunOutcome } from "../../index.ts";
import { type Io, isLive, paint, type Style, widthOf } from "./io.ts";
import { printLine, printNote, printSaid } from "./print-row.ts";
import { clip, columnsOf, counted, grouped, visible, visibleLines, wrapParts } from "./text.ts";

/** Prints a run turn by turn: what the model proposed, what the rails said, what came of it. */
export type RunRenderer = {
  readonly onEvent: (event: RunEvent, run: Run) => void;
  /** Takes back the line that says what is being waited for. */
  readonly clear: () => void;
  readonly finish: (outcome: RunOutcome, elapsedMs: number) => void;
};

export type RunSetting = {
  readonly model: Pick<Model, "name" | "kind">;
  /** The thread that the caller named, and so need not be told. */
  readonly thread: string | null;
  /** What every further command needs as well, such as ` --config FILE`. */
  readonly again: string;
};

type Of<Kind extends RunEvent["kind"]> = Extract<RunEvent, { kind: Kind }>;
type Reply = NonNullable<Of<"replied">["reply"]>;

const SHOWN_CHARACTERS_MAX = 2_000;
const VALUE_COLUMNS_MAX = 48;

export function renderRun(io: Io, setting: RunSetting): RunRenderer {
  let label = "action";
  let labelled = 0;
  let decided: Of<"decided"> | null = null;
  let circuits = 0;
  let heard = 0;
  let answered = false;
  let waiting = false;

  const clear = (): void => {
    if (waiting) io.stdout.write("\r\u001b[K");
    waiting = false;
  };
  const wait = (turn: number, text: string): void => {
    if (!isLive(io)) return;
    const line = clip(`${String(turn).padStart(3)}  ${visible(text)} …`, widthOf(io) - 1);
    io.stdout.write(paint(io, "dim", line));
    waiting = true;
  };
  const waitFor = (event: RunEvent, run: Run): void => {
    const command = run.command;
    if (command?.kind === "ask_model") wait(command.turn, `asking ${setting.model.name}`);
    if (command?.kind === "perform" && event.kind === "started") wait(run.turn, `running ${command.tool}`);
  };

  /** A turn and its kind are named on the first of its rows only. */
  const row = (run: Run, what: string, verdict: string, style: Style, rest: readonly string[]): void => {
    const first = labelled !== run.turn || label === "malformed" || label.startsWith("plan ");
    const kind = first ? stepLabel(run, label) : "";
    printLine(io, { turn: labelled === run.turn ? null : run.turn, kind, what, verdict, style, rest });
    labelled = run.turn;
  };

  const onMalformed = (event: Of<"replied">, run: Run): void => {
    const again = run.command?.kind === "ask_model" && run.command.mode.kind === "reask";
    label = "malformed";
    const said = event.raw === "" ? "(nothing)" : `"${clip(visible(event.raw.slice(0, SHOWN_CHARACTERS_MAX)), 200)}"`;
    const why = event.why === null ? "unreadable" : codeAndDetail(event.why.code, event.why.detail);
    const counts = run.malformedInARow > 0 ? [`${run.malformedInARow} of 3 in a row`] : [];
    row(run, said, again ? "re-asked" : "given up", "yellow", again ? [why] : [why, ...counts]);
  };

  const onReplied = (event: Of<"replied">, run: Run): void => {
    if (event.reply === null) return onMalformed(event, run);
    label = labelOf(event.reply);
    if (event.reply.kind === "conversation") {
      const lines = visibleLines(`"${event.reply.text}"`);
      printSaid(io, labelled === run.turn ? null : run.turn, label, lines, "bold");
      labelled = run.turn;
      answered = true;
    }
    if (showCircuit(run)) return;
    const command = run.command;
    if (command?.kind !== "end" || event.reply.kind === "conversation") return;
    const what = event.reply.kind === "action" ? callText(event.reply) : "";
    row(run, what, "not run", "red", [command.ending]);
  };

  /** A proposal that the loop itself answered leaves no event of its own, so its counter tells of it. */
  const showCircuit = (run: Run): boolean => {
    const count = run.shortCircuits?.count ?? 0;
    const before = circuits;
    circuits = count;
    if (count <= before || run.newest === null) return false;
    const line = run.newest.line.replace(`${run.newest.tool} already done: `, "");
    row(run, visible(run.newest.tool), "settled", "cyan", [visible(line), "nothing was performed"]);
    return true;
  };

  const onDecided = (event: Of<"decided">, run: Run): void => {
    decided = event;
    const what = callText(event) + routeNote(event.route);
    if (event.outcome === "permit") return;
    decided = null;
    if (event.outcome === "stage") {
      row(run, what, "staged", "yellow", [`waits for ${visible(event.role ?? "a person")}`, visible(event.rule)]);
    } else {
      row(run, what, "denied", "red", [denialText(event.denial)]);
    }
  };

  const onFinished = (event: Of<"finished">, run: Run): void => {
    const from = decided;
    decided = null;
    const what = from === null ? visible(event.tool) : callText(from) + routeNote(from.route);
    const caps = from === null ? [] : capTexts(from);
    switch (event.outcome) {
      case "done":
        return row(run, what, "permitted", "green", [visible(event.error ?? event.line), ...caps]);
      case "failed":
        return row(run, what, "failed", "red", [visible(event.error ?? "")]);
      case "outcome_unknown":
        return row(run, what, "unknown", "red", [visible(event.error ?? ""), ...caps]);
    }
  };

  const onSettledBefore = (event: Of<"settled_before">, run: Run): void => {
    circuits = run.shortCircuits?.count ?? 0;
    const where = event.receipt.run === run.began?.run ? "this run" : `run ${visible(event.receipt.run)}`;
    const receipt = `receipt of ${where}, step ${event.receipt.step}`;
    row(run, visible(event.tool), "settled", "cyan", [visible(event.line), receipt, "nothing was performed"]);
  };

  const show = (event: RunEvent, run: Run): void => {
    switch (event.kind) {
      case "began":
        if (setting.model.kind === "scripted") {
          printNote(io, "the model is scripted: it says the same every time", "dim");
        }
        break;
      case "replied":
        onReplied(event, run);
        break;
      case "decided":
        onDecided(event, run);
        break;
      case "finished":
        onFinished(event, run);
        break;
      case "settled_before":
        onSettledBefore(event, run);
        break;
      case "retrieved": {
        const found = event.passages.length;
        const verdict = found === 0 ? "nothing" : "found";
        row(run, visible(event.query), verdict, found === 0 ? "yellow" : "green", [counted(found, "passage")]);
        break;
      }
      case "model_failed":
        // Where this ends the run, the last lines say so.
        if (run.command?.kind === "ask_model") {
          label = "model";
          row(run, visible(event.detail), "re-asked", "yellow", [visible(event.code), "with a smaller prompt"]);
        }
        break;
      case "continued":
        printNote(io, "continued with fresh budgets", "dim");
        break;
      case "started":
      case "interrupted":
      case "ended":
        break;
    }
  };

  return {
    clear,
    onEvent: (event, run) => {
      clear();
      heard += 1;
      show(event, run);
      waitFor(event, run);
    },
    finish: (outcome, elapsedMs) => {
      clear();
      if (heard === 0) printNote(io, "this run had ended before; nothing was done now", "dim");
      // A text that no reply carried, such as what a retrieval found, or that was said before this command.
      if (outcome.exitCode === 0 && !answered) printSaid(io, null, "answer", visibleLines(outcome.text), "bold");
      printEnd(io, setting, outcome, elapsedMs);
    },
  };
}

function printEnd(io: Io, setting: RunSetting, outcome: RunOutcome, elapsedMs: number): void {
  const style = outcome.exitCode === 0 ? "green" : outcome.exitCode === 4 ? "yellow" : "red";
  // What the world refused goes to stderr as well as every other error; a guardrail is a result.
  if (outcome.exitCode === 3 || outcome.exitCode === 4) {
    printNote(io, ENDINGS[outcome.ending].message, style);
    if (outcome.detail !== "") printNote(io, visible(outcome.detail), "dim");
  }
  if (outcome.exitCode !== 0 && outcome.lastResult !== null) {
    printNote(io, `last result: ${visible(outcome.lastResult.line)}`, "dim");
  }
  const facts = [outcome.ending, counted(outcome.turns, "turn"), counted(outcome.steps, "step"), duration(elapsedMs)];
  const next = `(signalbox ${nextVerb(outcome)} ${outcome.run}${setting.again})`;
  printFacts(io, [...facts, `run ${outcome.run} ${next}`], style);
  if (setting.thread === null) {
    const further = `(signalbox run --thread ${outcome.thread}${setting.again} "…")`;
    printFacts(io, [`thread ${outcome.thread} ${further}`], "dim");
  }
}

/** The last lines: facts joined by ` · `, the first of them painted. */
function printFacts(io: Io, facts: readonly string[], style: Style): void {
  const width = widthOf(io);
  const lines = Number.isFinite(width) ? wrapParts(facts, width) : [facts.join(" · ")];
  lines.forEach((line, i) => {
    const painted = Math.min(line.length, columnsOf(facts.length === 1 ? line : (facts[0] ?? "")));
    const text = i === 0 ? paint(io, style, line.slice(0, painted)) + line.slice(painted) : line;
    io.stdout.write(`${text}\n`);
  });
}

/** The command that one would give next. */
export function nextVerb(outcome: RunOutcome): "replay" | "continue" | "resume" {
  // What the ledger did not take has no end there either, so the run is still open.
  if (outcome.ending === "ledger_unavailable") return "resume";
  return ENDINGS[outcome.ending].continuable ? "continue" : "replay";
}

function labelOf(reply: Reply): string {
  if (reply.kind === "conversation") return "answer";
  return reply.kind === "plan" && reply.steps.length > 1 ? `plan /${reply.steps.length}` : reply.kind;
}

/** `plan 2/3` for a step of a plan of several; else the kind of the reply. */
function stepLabel(run: Run, label: string): string {
  if (!label.startsWith("plan /")) return label;
  const next = run.queue === null ? null : run.queue.next;
  return next === null ? "plan" : label.replace("/", `${next + 1}/`);
}

function callText(proposal: {
  readonly tool: string;
  readonly params: unknown;
  readonly evidence: readonly string[];
}): string {
  const cites = proposal.evidence.length === 0 ? "" : ` cites ${proposal.evidence.map(visible).join(", ")}`;
  return `${visible(proposal.tool)} ${paramsText(proposal.params)}${cites}`;
}

/** `{orderId: 1042, amountMinor: 9000}`: readable, not JSON. */
function paramsText(params: unknown): string {
  if (typeof params !== "object" || params === null) return visible(JSON.stringify(params) ?? "");
  const entries = Object.entries(params).map(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${visible(key)}: ${clip(visible(text ?? ""), VALUE_COLUMNS_MAX)}`;
  });
  return `{${entries.join(", ")}}`;
}

function capTexts(from: Of<"decided">): readonly string[] {
  return from.reservations.map((held) => {
    const before = from.capUse.find((use) => use.cap === held.cap && use.key === held.key)?.used ?? 0;
    return `${visible(held.cap)} ${grouped(before + held.amount)} of ${grouped(held.limit)}`;
  });
}

function routeNote(route: string): string {
  return route === "code_work" ? " (code work, routed to the builder)" : "";
}

function denialText(denial: Denial | null): string {
  return denial === null ? "" : codeAndDetail(denial.code, denial.detail);
}

function codeAndDetail(code: string, detail: string): string {
  return detail === "" || detail === code ? visible(code) : `${visible(code)}: ${visible(detail)}`;
}

function duration(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`;
}
