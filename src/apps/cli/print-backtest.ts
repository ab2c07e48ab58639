import type { Backtest, Flip } from "../../index.ts";
import { type Io, paint, type Style, widthOf } from "./io.ts";
import { counted, grouped, visible, wrap, wrapParts } from "./text.ts";

type Timed = Backtest & { readonly ms: number; readonly perSecond: number };

const STYLES: { readonly [outcome in Flip["to"]["outcome"]]: Style } = {
  permit: "green",
  deny: "red",
  stage: "yellow",
};

/** First what flips, then what nobody can tell, then what that comes to. */
export function printBacktest(io: Io, report: Timed, failedOn: readonly string[]): void {
  const digits = Math.max(...[...report.flips, ...report.unknowns].map(({ count }) => grouped(count).length), 1);
  for (const flip of report.flips) {
    const { from, to, count, tools, money, examples } = flip;
    const words = `${wordsOf(from)} -> ${wordsOf(to)}`;
    print(io, digits, count, paint(io, STYLES[to.outcome], visible(words)), [
      `by ${to.rule}: ${sums(tools, grouped)}`,
      ...(Object.keys(money).length === 0 ? [] : [`reserves ${sums(money, signed)}`]),
      `such as ${examplesOf(examples)}`,
    ]);
  }
  for (const { why, tool, count, examples } of report.unknowns) {
    const text = `${visible(tool)}: ${visible(why)} was not kept`;
    print(io, digits, count, `${paint(io, "yellow", "unknown")}  ${text}`, [`such as ${examplesOf(examples)}`]);
  }
  for (const line of notesOf(report)) {
    for (const piece of broken(io, visible(line), 0)) io.stdout.write(`${paint(io, "dim", piece)}\n`);
  }
  const { proposals, runs, unchanged, flipped, unknown, approvals, ms, perSecond } = report;
  const parts = [
    counted(proposals, "proposal"),
    `${grouped(unchanged)} unchanged`,
    `${grouped(flipped)} changed`,
    `${grouped(unknown)} unknown`,
    ...(approvals.added === 0 ? [] : [`${signed(approvals.added)} approvals`]),
    ...(approvals.removed === 0 ? [] : [`${signed(-approvals.removed)} approvals`]),
    counted(runs, "run"),
    `${(ms / 1_000).toFixed(1)} s (${grouped(perSecond)} a second)`,
    ...(failedOn.length === 0 ? [] : [paint(io, "red", `fails on ${failedOn.join(", ")}`)]),
  ];
  for (const line of wrapParts(parts, widthOf(io))) io.stdout.write(`${line}\n`);
}

function print(io: Io, digits: number, count: number, head: string, lines: readonly string[]): void {
  io.stdout.write(`${grouped(count).padStart(digits)}  ${head}\n`);
  const before = digits + 4;
  for (const line of lines.flatMap((text) => broken(io, visible(text), before))) {
    io.stdout.write(`${" ".repeat(before)}${line}\n`);
  }
}

/** What has to be known to read the figures right. */
function notesOf({ money, simulatedCaps, listed }: Backtest): readonly string[] {
  const moved = money.filter(({ recorded, now }) => recorded !== now);
  const notes = moved.map(({ cap, recorded, now }) => {
    return `${cap}: ${grouped(recorded)} was reserved, now ${grouped(now)} (${signed(now - recorded)})`;
  });
  if (simulatedCaps.length > 0) {
    const caps = simulatedCaps.join(", ");
    notes.push(`the use of ${caps} was not recorded: it is what is permitted now, in the order of the runs`);
  }
  for (const { tool, path, count } of listed) {
    const what = path === "" ? "the record" : `\`${path}\``;
    notes.push(
      `${counted(count, "decision")} on ${tool} list the keys of ${what}: of a copy, a missing fact is not noticed`,
    );
  }
  return notes;
}

function wordsOf({ outcome, code, role }: Flip["from"]): string {
  return [outcome, code ?? role].filter((word) => word !== null).join(" ");
}

function sums(of: { readonly [name: string]: number }, shown: (n: number) => string): string {
  return Object.entries(of)
    .map(([name, n]) => `${shown(n)} ${name}`)
    .join(", ");
}

function signed(n: number): string {
  if (n === 0) return "0";
  return n < 0 ? `-${grouped(-n)}` : `+${grouped(n)}`;
}

function examplesOf(examples: Flip["examples"]): string {
  return examples.map(({ run, step }) => `run ${run} step ${step}`).join(", ");
}

function broken(io: Io, text: string, before: number): readonly string[] {
  const room = widthOf(io) - before;
  return Number.isFinite(room) ? wrap(text, Math.max(20, room)) : [text];
}
