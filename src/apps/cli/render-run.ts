import { type Denial, ENDINGS, type Run, type RunEvent, type RunOutcome } from "../../index.ts";
import { clip, type Io, pad, paint, type Style, visible } from "./io.ts";

/** Prints a run turn by turn: what the model proposed, what the rails said, what came of it. */
export type RunRenderer = {
  readonly onEvent: (event: RunEvent, run: Run) => void;
  readonly finish: (outcome: RunOutcome, elapsedMs: number) => void;
};

type Of<Kind extends RunEvent["kind"]> = Extract<RunEvent, { kind: Kind }>;

const KIND_WIDTH = 11;

export function renderRun(
  io: Io,
  model: { readonly name: string; readonly kind: string; readonly where: string },
): RunRenderer {
  let turn = 0;
  let kind = "";
  let decided: Of<"decided"> | null = null;
  let circuits = 0;
  let waiting = false;

  const width = io.isTty ? Math.max(60, io.columns ?? 100) : 240;
  const clear = (): void => {
    if (waiting) io.stdout.write("\r\u001b[K");
    waiting = false;
  };
  const line = (text: string, style: Style | null = null): void => {
    clear();
    const cut = clip(text, width);
    io.stdout.write(`${style === null ? cut : paint(io, style, cut)}\n`);
  };
  const head = (label: string): string => `${pad(String(turn), 4).padStart(6)}${pad(label, KIND_WIDTH)}`;
  const verdict = (what: string, style: Style, word: string, rest: string): void => {
    clear();
    const room = Math.max(20, Math.min(64, width - 40));
    const left = pad(clip(`${head(kind)}${what}`, room), room);
    const tail = clip(rest, Math.max(10, width - room - word.length - 4));
    io.stdout.write(`${left}  ${paint(io, style, word)}  ${tail}\n`);
    kind = "";
  };
  const ask = (run: Run): void => {
    if (!io.isTty || run.command?.kind !== "ask_model") return;
    clear();
    io.stdout.write(paint(io, "dim", `${String(run.command.turn).padStart(3)}   asking ${visible(model.name)} …`));
    waiting = true;
  };

  const onReplied = (event: Of<"replied">, run: Run): void => {
    turn = event.turn;
    if (event.reply === null) {
      const again =
        run.command?.kind === "ask_model" && run.command.mode.kind === "reask" ? "asked again" : "counts as malformed";
      kind = "unreadable";
      const said = event.raw === "" ? "(nothing)" : `"${visible(event.raw)}"`;
      verdict(said, "yellow", event.why?.code ?? "unreadable", again);
      return;
    }
    kind = event.reply.kind === "conversation" ? "answer" : event.reply.kind;
    if (event.reply.kind === "conversation") line(`${head(kind)}"${visible(event.reply.text)}"`);
    if (event.reply.kind === "retrieve") line(`${head(kind)}${visible(event.reply.query)}`);
    if (event.reply.kind === "plan" && event.reply.steps.length > 1)
      line(`${head(kind)}${event.reply.steps.length} steps`);
    if (event.reply.kind === "action" && run.command?.kind === "end")
      line(`${head(kind)}${call(event.reply.tool, event.reply.params, [])}`);
    showCircuit(run);
  };

  const showCircuit = (run: Run): void => {
    const count = run.shortCircuits?.count ?? 0;
    if (count > circuits && run.newest !== null)
      verdict(run.newest.tool, "cyan", "already done", `${run.newest.line}; nothing was performed`);
    circuits = count;
  };

  const onDecided = (event: Of<"decided">): void => {
    const what = call(event.tool, event.params, event.evidence) + routeNote(event.route);
    if (event.outcome === "permit") {
      decided = event;
    } else if (event.outcome === "stage") {
      verdict(what, "yellow", "staged", `waits for ${event.role ?? "a person"} (${event.rule})`);
    } else {
      verdict(what, "red", "denied", denialText(event.denial));
    }
  };

  const onFinished = (event: Of<"finished">): void => {
    const from = decided;
    decided = null;
    const what = from === null ? event.tool : call(from.tool, from.params, from.evidence) + routeNote(from.route);
    const caps = (from?.reservations ?? []).map((held) => {
      const before = from?.capUse.find((use) => use.cap === held.cap && use.key === held.key)?.used ?? 0;
      return `${held.cap} ${grouped(before + held.amount)} of ${grouped(held.limit)}`;
    });
    const outcome = event.outcome === "done" ? event.line : `${event.outcome}: ${event.error ?? ""}`;
    const style = event.outcome === "done" ? "green" : "red";
    verdict(
      what,
      style,
      event.outcome === "done" ? "permitted" : event.outcome,
      [visible(outcome), ...caps].join(" · "),
    );
  };

  return {
    onEvent: (event, run) => {
      switch (event.kind) {
        case "began":
          if (model.kind === "scripted") line("  the model is scripted: it says the same every time", "dim");
          break;
        case "replied":
          onReplied(event, run);
          break;
        case "decided":
          onDecided(event);
          break;
        case "finished":
          onFinished(event);
          break;
        case "settled_before":
          circuits = run.shortCircuits?.count ?? 0;
          verdict(
            event.tool,
            "cyan",
            "already done",
            `${event.line} (run ${event.receipt.run}); nothing was performed`,
          );
          break;
        case "retrieved":
          line(`${head("")}${event.passages.length} passage(s) found`);
          break;
        case "model_failed":
          line(`${head("model")}${event.code}: ${visible(event.detail)}`, "red");
          break;
        case "interrupted":
          line(`${head("stopped")}${visible(event.detail)}`, "yellow");
          break;
        case "continued":
          line("  continued with fresh budgets", "dim");
          break;
        case "started":
        case "ended":
          break;
      }
      ask(run);
    },
    finish: (outcome, elapsedMs) => {
      clear();
      const style = outcome.exitCode === 0 ? "green" : outcome.exitCode === 4 ? "yellow" : "red";
      if (outcome.exitCode !== 0) line(`  ${ENDINGS[outcome.ending].message}`, style);
      if (outcome.detail !== "") line(`  ${visible(outcome.detail)}`, "dim");
      if (outcome.exitCode !== 0 && outcome.lastResult !== null)
        line(`  last result: ${visible(outcome.lastResult.line)}`);
      const facts = [
        paint(io, style, outcome.ending),
        counted(outcome.turns, "turn"),
        counted(outcome.steps, "step"),
        `${(elapsedMs / 1000).toFixed(1)} s`,
        `run ${outcome.run}`,
        `thread ${outcome.thread}`,
      ];
      io.stdout.write(`${facts.join(" · ")}\n`);
    },
  };
}

function call(tool: string, params: unknown, evidence: readonly string[]): string {
  const cites = evidence.length === 0 ? "" : ` cites ${evidence.map(visible).join(", ")}`;
  return `${visible(tool)} ${shortParams(params)}${cites}`;
}

/** `{orderId: 1042, amountMinor: 9000}`: readable, not JSON. */
function shortParams(params: unknown): string {
  if (typeof params !== "object" || params === null) return visible(JSON.stringify(params) ?? "");
  const entries = Object.entries(params).map(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${visible(key)}: ${clip(visible(text ?? ""), 40)}`;
  });
  return `{${entries.join(", ")}}`;
}

function routeNote(route: string): string {
  if (route === "local" || route === "adapter" || route === "code_work") return " (from a plan step)";
  return "";
}

function denialText(denial: Denial | null): string {
  return denial === null ? "" : `${denial.code}: ${visible(denial.detail)}`;
}

function grouped(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

function counted(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? "" : "s"}`;
}
