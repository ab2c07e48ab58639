import { ENDINGS, type Model, type Run, type RunEvent, type RunOutcome } from "../../index.ts";
import type { TextPiece } from "../../runtime/index.ts";
import { Draft } from "./draft.ts";
import { servedTexts } from "./guide-texts.ts";
import { commandOf, type Io, isLive, paint, type Style, widthOf } from "./io.ts";
import { TRUNCATED } from "./print-call.ts";
import { headOf, printLine, printNote, printSaid } from "./print-row.ts";
import { callText, capTexts, codeAndDetail, denialText, duration, routeNote } from "./run-texts.ts";
import { clip, columnsOf, counted, grouped, visible, visibleLines, wrapCommand, wrapParts } from "./text.ts";
import type { Trace } from "./trace.ts";

export type RunSetting = {
  readonly model: Pick<Model, "name" | "kind">;
  /** The thread that the caller named, and so need not be told. */
  readonly thread: string | null;
  /** What every further command needs as well, such as ` --config FILE`; null where none leads anywhere. */
  readonly again: string | null;
  /** Prints the model calls in full as well. */
  readonly trace?: Trace | null;
};

type Of<Kind extends RunEvent["kind"]> = Extract<RunEvent, { kind: Kind }>;

/** Prints a run turn by turn: what the model proposed, what the rails said, what came of it. */
export class RunScreen {
  readonly #io: Io;
  readonly #setting: RunSetting;
  /** What the reply of this turn was, which turn it is, and what of both stands in the margin already. */
  #label = "action";
  #turn = 0;
  #named = { turn: 0, label: "" };
  /** The steps of a plan, and how many of them have had their row. */
  #steps = 1;
  #stepsShown = 0;
  #performing: Extract<Run["command"], { kind: "perform" }> | null = null;
  #decided: Of<"decided"> | null = null;
  #heard = 0;
  #breaches = 0;
  #answered = false;
  #waiting = false;
  /** The turn whose reply is waited for, and the text of it that has arrived. */
  #asked = 0;
  readonly #draft: Draft;
  /** Whether the reply's text stands on the screen already. */
  #drafted = false;
  #probed: Of<"probed"> | null = null;

  constructor(io: Io, setting: RunSetting) {
    this.#io = io;
    this.#setting = setting;
    this.#draft = new Draft(io);
  }

  hear(event: RunEvent, run: Run): void {
    // A canary's row is written with what follows it, which may be the end of a text that stands here half.
    if (event.kind === "probed") {
      this.#probed = event;
      return;
    }
    this.#unwait();
    this.#closeDraft(event.kind === "replied" && event.reply?.kind === "conversation" ? event.reply.text : null);
    this.#heard += 1;
    this.#broken(run);
    if (this.#probed !== null) this.#setting.trace?.came(this.#probed);
    this.#probed = null;
    this.#setting.trace?.came(event);
    this.#show(event, run);
    this.#drafted = false;
    this.#setting.trace?.sent(event, run);
    const command = run.command;
    if (command?.kind === "ask_model") this.#asked = command.turn;
    this.#performing = command?.kind === "perform" ? command : null;
    if (command?.kind === "ask_model") this.#wait(command.turn, `asking ${this.#setting.model.name}`);
    if (command?.kind === "perform" && event.kind === "started") this.#wait(this.#turn, `running ${command.tool}`);
  }

  /** Shows what the model says while it arrives. */
  say(piece: TextPiece): void {
    if (piece.kind === "discarded") this.#closeDraft(null);
    else this.#draft.push(piece.text, () => this.#draftHead());
  }

  #draftHead(): string {
    this.#unwait();
    if (this.#asked !== 0) this.#turn = this.#asked;
    const { turn, kind } = this.#margin("answer");
    return headOf(turn, kind);
  }

  /** Takes back the line that says what is being waited for, and closes a text that broke off. */
  clear(): void {
    this.#unwait();
    this.#closeDraft(null);
  }

  #unwait(): void {
    if (this.#waiting) this.#io.stdout.write("\r\u001b[K");
    this.#waiting = false;
  }

  #closeDraft(text: string | null): void {
    const { isOpen } = this.#draft;
    this.#drafted = this.#draft.close(text);
    // What was discarded names no turn: the row that stands in its place does.
    if (isOpen && !this.#drafted) this.#named = { turn: 0, label: "" };
  }

  finish(outcome: RunOutcome, elapsedMs: number): void {
    this.clear();
    if (this.#heard === 0) printNote(this.#io, "this run had ended before; nothing was done now", "dim");
    // A text that no reply of now carried: what a retrieval found, or what was said before this command.
    const unsaid = outcome.exitCode === 0 && !this.#answered;
    if (unsaid) printSaid(this.#io, null, "answer", visibleLines(outcome.text), "bold");
    printEnd(this.#io, this.#setting, outcome, elapsedMs);
  }

  #wait(turn: number, text: string): void {
    if (!isLive(this.#io)) return;
    const line = clip(`${String(turn).padStart(3)}  ${visible(text)} …`, widthOf(this.#io) - 1);
    this.#io.stdout.write(paint(this.#io, "dim", line));
    this.#waiting = true;
  }

  #show(event: RunEvent, run: Run): void {
    switch (event.kind) {
      case "began":
        if (this.#setting.model.kind === "scripted") {
          printNote(this.#io, "the model is scripted: it says the same every time", "dim");
        }
        if (event.guides !== null) printGuide(this.#io, event.guides);
        break;
      case "injected":
        for (const rule of event.rules) printNote(this.#io, `rule ${visible(rule)} applies from here on`, "cyan");
        break;
      case "replied":
        [this.#turn, this.#steps, this.#stepsShown] = [event.turn, 1, 0];
        // A trace has said so in its section of the call.
        if (event.truncated && !this.#setting.trace) {
          printNote(this.#io, `the server cut the prompt: ${TRUNCATED}`, "yellow");
        }
        if (event.reply === null) this.#unreadable(event, run);
        else this.#replied(event.reply, run);
        break;
      case "decided":
        this.#decidedOn(event, run);
        break;
      case "finished":
        this.#finished(event, run);
        break;
      case "settled_before":
        this.#settledBefore(event, run);
        break;
      case "retrieved":
        this.#retrieved(event, run);
        break;
      case "model_failed":
        this.#modelFailed(event, run);
        break;
      case "continued":
        printNote(this.#io, "continued with fresh budgets", "dim");
        break;
      case "rejected":
        // A person's own words are printed by the command that took them; only time says it here.
        if (event.by === null) printNote(this.#io, visible(event.why), "yellow");
        break;
      case "staged":
        if (event.why !== "") printNote(this.#io, visible(event.why), "yellow");
        break;
      case "approved":
      case "edited":
      case "probed":
      case "started":
      case "interrupted":
      case "ended":
        break;
    }
  }

  #row(run: Run, what: string, verdict: string, style: Style, rest: readonly string[]): void {
    // A resumed run begins in the middle of a turn whose reply was heard before.
    if (this.#turn === 0) this.#turn = run.command?.kind === "ask_model" ? run.turn - 1 : run.turn;
    const label = this.#steps > 1 ? `${this.#label} ${this.#stepsShown + 1}/${this.#steps}` : this.#label;
    printLine(this.#io, { ...this.#margin(label), what, verdict, style, rest });
    this.#stepsShown += 1;
  }

  /** A turn is named on its first row only, and so is the kind of its reply. */
  #margin(label: string): { readonly turn: number | null; readonly kind: string } {
    const fresh = this.#named.turn !== this.#turn;
    const kind = fresh || this.#named.label !== label ? label : "";
    this.#named = { turn: this.#turn, label };
    return { turn: fresh ? this.#turn : null, kind };
  }

  #unreadable(event: Of<"replied">, run: Run): void {
    const again = run.command?.kind === "ask_model" && run.command.mode.kind === "reask";
    this.#label = "malformed";
    const said = event.raw === "" ? "(nothing)" : `"${clip(visible(event.raw.slice(0, 400)), 200)}"`;
    const why = event.why === null ? "unreadable" : codeAndDetail(event.why.code, event.why.detail);
    const inARow = again || run.malformedInARow === 0 ? [] : [`${run.malformedInARow} of 3 in a row`];
    this.#row(run, said, again ? "re-asked" : "given up", "yellow", [why, ...inARow]);
  }

  #replied(reply: NonNullable<Of<"replied">["reply"]>, run: Run): void {
    if (reply.kind === "conversation") {
      this.#answered = true;
      if (this.#drafted) return;
      const { turn, kind } = this.#margin("answer");
      printSaid(this.#io, turn, kind, visibleLines(`"${reply.text}"`), "bold");
      return;
    }
    this.#label = reply.kind;
    if (reply.kind === "plan") this.#steps = reply.steps.length;
    const what = reply.kind === "action" ? callText(reply) : null;
    if (run.command?.kind === "end") this.#row(run, what ?? "", "not run", "red", [run.command.ending]);
  }

  #decidedOn(event: Of<"decided">, run: Run): void {
    this.#decided = event.outcome === "permit" ? event : null;
    if (event.outcome === "permit") return;
    const what = callText(event) + routeNote(event.route);
    if (event.outcome === "stage") {
      const role = visible(event.role ?? "a person");
      this.#row(run, what, "staged", "yellow", [`waits for ${role}`, visible(event.rule)]);
    } else {
      this.#row(run, what, "denied", "red", [denialText(event.denial)]);
      this.#planStopped();
    }
  }

  #finished(event: Of<"finished">, run: Run): void {
    const from = this.#decided;
    this.#decided = null;
    const what = from === null ? visible(event.tool) : callText(from) + routeNote(from.route);
    const caps = from === null ? [] : capTexts(from);
    const said = visible(event.error ?? event.line);
    switch (event.outcome) {
      case "done":
        this.#row(run, what, "permitted", "green", [said, ...caps]);
        break;
      case "failed":
        this.#row(run, what, "failed", "red", [said]);
        this.#planStopped();
        break;
      case "outcome_unknown":
        this.#row(run, what, "unknown", "red", [said, ...caps]);
        this.#planStopped();
        break;
    }
  }

  #settledBefore(event: Of<"settled_before">, run: Run): void {
    const where = event.receipt.run === run.began?.run ? "this run" : `run ${visible(event.receipt.run)}`;
    const receipt = `receipt of ${where}, step ${event.receipt.step}`;
    const what = this.#performing === null ? visible(event.tool) : callText(this.#performing);
    this.#row(run, what, "settled", "cyan", [visible(event.line), receipt, "nothing was performed"]);
  }

  #retrieved(event: Of<"retrieved">, run: Run): void {
    const found = event.passages.length;
    const [verdict, style] = found === 0 ? (["nothing", "yellow"] as const) : (["found", "green"] as const);
    if (event.failed !== null) this.#row(run, visible(event.query), "failed", "red", [visible(event.failed)]);
    else this.#row(run, visible(event.query), verdict, style, [counted(found, "passage")]);
  }

  /** Where this ends the run, its last lines say so. */
  #modelFailed(event: Of<"model_failed">, run: Run): void {
    if (run.command?.kind !== "ask_model") return;
    this.#label = "model";
    this.#row(run, visible(event.detail), "re-asked", "yellow", [visible(event.code), "with a smaller prompt"]);
  }

  /** What the watchdog saw; a breach that ends the run is told at its end. */
  #broken({ breaches }: Run): void {
    const fresh = breaches.slice(this.#breaches).filter(({ escalate }) => escalate === "warn");
    this.#breaches = breaches.length;
    for (const { rule, by } of fresh) {
      printNote(this.#io, `rule ${visible(rule)} was broken by ${visible(by)}`, "yellow");
    }
  }

  #planStopped(): void {
    const left = this.#steps - this.#stepsShown;
    if (left > 0) printNote(this.#io, `the plan stopped here: ${counted(left, "step")} not performed`, "dim");
  }
}

function printGuide(io: Io, served: Parameters<typeof servedTexts>[0]): void {
  const width = widthOf(io);
  const texts = servedTexts(served);
  const lines = Number.isFinite(width) ? wrapParts(texts, width - 9) : [texts.join(" · ")];
  lines.forEach((line, i) => {
    io.stdout.write(`${paint(io, "dim", `${i === 0 ? "  guide  " : " ".repeat(9)}${line}`)}\n`);
  });
}

/** The options under which the thread goes on: it is of one principal and one customer. */
function whoseText({ principal, customer }: RunOutcome): string {
  const as = principal === "operator" || principal === "" ? "" : ` --as ${visible(principal)}`;
  return customer === null ? as : `${as} --for ${visible(customer)}`;
}

function printEnd(io: Io, setting: RunSetting, outcome: RunOutcome, elapsedMs: number): void {
  const style = outcome.exitCode === 0 ? "green" : outcome.exitCode === 4 ? "yellow" : "red";
  // What the world refused goes to stderr as every other error does; a guardrail is a result.
  const failed = outcome.exitCode === 1 || outcome.exitCode === 5;
  if (!failed && outcome.exitCode !== 0) printNote(io, ENDINGS[outcome.ending].message, style);
  if (!failed && outcome.detail !== "") printNote(io, visible(outcome.detail), "dim");
  if (outcome.exitCode !== 0 && outcome.lastResult !== null) {
    printNote(io, `last result: ${visible(outcome.lastResult.line)}`, "dim");
  }
  // An answer says nothing of what was denied on the way to it, so this line does.
  const counts = [
    ...(outcome.performed === 0 ? [] : [`${grouped(outcome.performed)} performed`]),
    ...(outcome.denied === 0 ? [] : [`${grouped(outcome.denied)} denied`]),
  ];
  const facts = [outcome.ending, counted(outcome.turns, "turn"), ...counts, duration(elapsedMs)];
  // A failure has said on stderr already what to do.
  const { again } = setting;
  const next = failed || again === null ? "" : `${commandOf(io)} ${nextCommand(outcome)}${again}`;
  printFacts(io, [...facts, `run ${outcome.run}`], next, { style, of: "first" });
  if (setting.thread === null && again !== null) {
    const further = `${commandOf(io)} run --thread ${outcome.thread}${whoseText(outcome)}${again} "…"`;
    printFacts(io, [`thread ${outcome.thread}`], further, { style: "dim", of: "all" });
  }
}

type Painted = { readonly style: Style; readonly of: "first" | "all" };

/** Facts joined by ` · `, and the command that goes on from there. */
function printFacts(io: Io, facts: readonly string[], command: string, painted: Painted): void {
  const width = widthOf(io);
  const whole = facts.join(" · ") + (command === "" ? "" : ` (${command})`);
  const lines = columnsOf(whole) <= width ? [whole] : [...wrapParts(facts, width), ...wrapCommand(command, width)];
  lines.forEach((line, i) => {
    const end = painted.of === "all" ? line.length : i === 0 ? (facts[0]?.length ?? 0) : 0;
    io.stdout.write(`${paint(io, painted.style, line.slice(0, end))}${line.slice(end)}\n`);
  });
}

/** The command that one would give next, with what it is about. */
function nextCommand(outcome: RunOutcome): string {
  if (outcome.ending === "awaiting_approval") return `approvals show ${outcome.run}-${outcome.steps}`;
  return `${nextVerb(outcome)} ${outcome.run}`;
}

/** The command that one would give next. */
export function nextVerb(outcome: RunOutcome): "replay" | "continue" | "resume" {
  // What the ledger did not take has no end there either, so the run is still open.
  if (outcome.ending === "ledger_unavailable") return "resume";
  return ENDINGS[outcome.ending].continuable ? "continue" : "replay";
}
