import { ENDINGS, type RunEvent, type Signalbox, SignalboxError } from "../../index.ts";
import type { ShownTurn } from "../../runtime/index.ts";
import { printHead } from "./framed.ts";
import { type Io, paint, type Style, widthOf } from "./io.ts";
import { callTitle, printCame, printExact, printSent, printWire } from "./print-call.ts";
import { printProbed } from "./print-probed.ts";
import { callText, codeAndDetail, denialText, routeNote } from "./run-texts.ts";
import { jsonDocument, visible, wrapParts } from "./text.ts";

/** Prints a turn of a recorded run: exactly what each model call was sent, what came back, and what followed. */
export async function show(
  io: Io,
  box: Signalbox,
  run: string,
  turn: string | undefined,
  how: { readonly json: boolean; readonly full: boolean },
): Promise<number> {
  const shown = await (turn === undefined ? box.show(run) : box.show(run, turnOf(turn)));
  if (how.json) io.stdout.write(jsonDocument(shown));
  else print(io, shown, how.full);
  return 0;
}

function turnOf(text: string): number {
  const turn = Number(text);
  if (/^[1-9][0-9]*$/.test(text) && Number.isSafeInteger(turn)) return turn;
  throw new SignalboxError("usage", `a turn is a whole number from 1, not "${text.slice(0, 40)}"`);
}

function print(io: Io, shown: ShownTurn, full: boolean): void {
  const last = shown.turns.at(-1) ?? shown.turn;
  const title = `turn ${shown.turn} of ${last}`;
  const facts = [title, `run ${shown.run}`, visible(shown.model), visible(shown.principal)];
  const width = widthOf(io);
  const lines = Number.isFinite(width) ? wrapParts(facts, width) : [facts.join(" · ")];
  lines.forEach((line, i) => {
    const bold = i === 0 ? title.length : 0;
    io.stdout.write(`${paint(io, "bold", line.slice(0, bold))}${line.slice(bold)}\n`);
  });
  if (shown.probed !== null) printProbed(io, shown.probed);
  let system: string | null = null;
  shown.calls.forEach((call, i) => {
    io.stdout.write("\n");
    io.stdout.write(`${paint(io, "cyan", callTitle(call, i + 1))}\n`);
    const systemSeen = system !== null && system === call.sent.system ? "in the call before" : null;
    printSent(io, call.sent, systemSeen);
    printExact(io, call.sent);
    printWire(io, call.sent, full, ["--full prints it"]);
    printCame(io, call);
    system = call.sent.system;
  });
  if (shown.followed.length === 0) return;
  io.stdout.write(`\n${paint(io, "cyan", "what followed")}\n`);
  for (const event of shown.followed) printFollowed(io, event);
}

/** What code made of the reply, one line an event. */
function printFollowed(io: Io, event: RunEvent): void {
  switch (event.kind) {
    case "decided": {
      const verdict = VERDICTS[event.outcome];
      const why =
        event.outcome === "stage" ? `waits for ${visible(event.role ?? "a person")}` : denialText(event.denial);
      const facts = [callText(event) + routeNote(event.route), `by ${visible(event.rule)}`, why];
      printHead(io, `step ${event.step} ${verdict.word}`, said(facts), verdict.style);
      return;
    }
    case "finished": {
      const facts = [visible(event.tool), visible(event.error ?? event.line)];
      printHead(io, `step ${event.step} ${event.outcome}`, facts, event.outcome === "done" ? "green" : "red");
      return;
    }
    case "settled_before": {
      const receipt = `receipt of run ${visible(event.receipt.run)}, step ${event.receipt.step}`;
      printHead(io, `step ${event.step} settled`, [visible(event.tool), visible(event.line), receipt], "cyan");
      return;
    }
    case "retrieved": {
      printHead(io, "retrieved", said([visible(event.query), visible(event.failed ?? "")]), "green");
      for (const passage of event.passages) printHead(io, "  passage", [visible(passage.source)], "dim");
      return;
    }
    case "ended":
      printHead(
        io,
        `ended: ${event.ending}`,
        said([visible(event.detail)]),
        ENDINGS[event.ending].exitCode === 0 ? "green" : "red",
      );
      return;
    case "interrupted":
      printHead(io, "interrupted", [codeAndDetail(event.ending, event.detail)], "red");
      return;
    case "continued":
      printHead(io, "continued", ["with fresh budgets"], "dim");
      return;
    case "approved":
    case "rejected":
    case "edited": {
      const word = event.kind === "rejected" && event.code === "approval_expired" ? "expired" : event.kind;
      const facts = [event.by === null ? "" : `by ${visible(event.by)}`, visible(event.why ?? "")];
      printHead(io, `step ${event.step} ${word}`, said(facts), event.kind === "approved" ? "green" : "yellow");
      return;
    }
    // A start stands between a decision and an outcome, both of which are here; the others are parts of a call.
    case "started":
    case "staged":
    case "began":
    case "probed":
    case "replied":
    case "model_failed":
      return;
  }
}

const VERDICTS: {
  readonly [Outcome in "permit" | "stage" | "deny"]: { readonly word: string; readonly style: Style };
} = {
  permit: { word: "permitted", style: "green" },
  stage: { word: "staged", style: "yellow" },
  deny: { word: "denied", style: "red" },
};

function said(facts: readonly string[]): readonly string[] {
  return facts.filter((fact) => fact !== "");
}
