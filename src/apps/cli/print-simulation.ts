import type { SimulatedVerdict, Simulation } from "../../index.ts";
import { type Io, paint, type Style, widthOf } from "./io.ts";
import type { Summary } from "./simulate.ts";
import { clip, columnsOf, counted, grouped, pad, visible, wrap, wrapParts } from "./text.ts";

const STYLES: { readonly [Outcome in SimulatedVerdict["outcome"]]: Style } = {
  allow: "green",
  deny: "red",
  stage: "yellow",
  settled: "dim",
};
const OUTCOME_COLUMNS = "settled".length;
/** A longer name of a tool is cut, on a terminal. */
const TOOL_COLUMNS_MAX = 28;
/** Of a corpus with more, the JSON document has the rest. */
const FAILURES_SHOWN = 20;

/** One line a proposal: what became of it and by which rule; below it what it holds of the caps, or what was expected. */
export function printSimulation(io: Io, { verdicts, scenario }: Simulation): void {
  if (scenario !== null) io.stdout.write(`${paint(io, "bold", visible(scenario))}\n`);
  const most = io.isTty ? TOOL_COLUMNS_MAX : Number.POSITIVE_INFINITY;
  const toolColumns = Math.min(most, Math.max(...verdicts.map(({ tool }) => columnsOf(visible(tool))), 4));
  const indexColumns = String(verdicts.length).length;
  for (const verdict of verdicts) {
    const start = `${String(verdict.index + 1).padStart(indexColumns)}  `;
    const tool = pad(clip(visible(verdict.tool), toolColumns), toolColumns);
    const before = start.length + toolColumns + 2 + OUTCOME_COLUMNS + 2;
    const outcome = paint(io, STYLES[verdict.outcome], pad(verdict.outcome, OUTCOME_COLUMNS));
    const [first = "", ...rest] = told(verdict).flatMap((line) => broken(io, visible(line), before));
    io.stdout.write(`${start}${tool}  ${outcome}  ${first}\n`);
    for (const line of rest) io.stdout.write(`${" ".repeat(before)}${line}\n`);
    if (verdict.asExpected === false) {
      io.stdout.write(`${" ".repeat(before)}${paint(io, "red", "expected")} ${visible(expectedText(verdict))}\n`);
    }
  }
  const count = (outcome: SimulatedVerdict["outcome"]): number =>
    verdicts.filter((verdict) => verdict.outcome === outcome).length;
  const expected = verdicts.filter(({ asExpected }) => asExpected !== null);
  const asExpected = expected.filter(({ asExpected }) => asExpected === true).length;
  const outcomes = { allow: count("allow"), deny: count("deny"), stage: count("stage"), settled: count("settled") };
  printCounts(io, outcomes, [counted(verdicts.length, "proposal")], [], expected.length, asExpected);
}

/** What a corpus expected and did not get, and what could not be read. */
export function printFailures(io: Io, { failures, bad }: Summary): void {
  const show = (name: string, text: string): void => {
    for (const line of broken(io, `${visible(name)}: ${visible(text)}`, 0)) io.stdout.write(`${line}\n`);
  };
  for (const { file, verdict } of failures.slice(0, FAILURES_SHOWN)) {
    const got = [verdict.outcome, verdict.code ?? verdict.role, `by ${verdict.rule}`].filter((part) => part !== null);
    show(
      file,
      `proposal ${verdict.index + 1}, ${verdict.tool}: expected ${expectedText(verdict)}, got ${got.join(" ")}`,
    );
  }
  if (failures.length > FAILURES_SHOWN) {
    io.stdout.write(`and ${grouped(failures.length - FAILURES_SHOWN)} more: --json has them all\n`);
  }
  for (const { message } of bad.slice(0, FAILURES_SHOWN)) {
    for (const line of message.split("\n")) {
      for (const piece of broken(io, visible(line), 0)) io.stdout.write(`${paint(io, "red", piece)}\n`);
    }
  }
  if (bad.length > FAILURES_SHOWN) io.stdout.write(`and ${grouped(bad.length - FAILURES_SHOWN)} more cannot be read\n`);
}

export function printSummary(io: Io, summary: Summary): void {
  const { codes, scenarios, proposals, outcomes, expected, asExpected, bad, ms, perSecond } = summary;
  const columns = Math.max(...Object.keys(codes).map((code) => columnsOf(visible(code))), 0);
  const digits = Math.max(...Object.values(codes).map((n) => grouped(n).length), 0);
  if (digits > 0) io.stdout.write(`${paint(io, "bold", "denied with")}\n`);
  for (const [code, n] of Object.entries(codes)) {
    io.stdout.write(`  ${pad(visible(code), columns)}  ${grouped(n).padStart(digits)}\n`);
  }
  const time = ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
  const took = `${time} (${grouped(perSecond)} scenarios a second)`;
  const unread = bad.length === 0 ? [] : [paint(io, "red", `${grouped(bad.length)} unreadable`)];
  const head = [counted(scenarios, "scenario"), counted(proposals, "proposal")];
  printCounts(io, outcomes, head, [...unread, took], expected, asExpected);
}

function printCounts(
  io: Io,
  outcomes: { readonly [outcome: string]: number },
  head: readonly string[],
  tail: readonly string[],
  expected: number,
  asExpected: number,
): void {
  const { allow = 0, deny = 0, stage = 0, settled = 0 } = outcomes;
  const counts = [`${grouped(allow)} allowed`, `${grouped(deny)} denied`, `${grouped(stage)} staged`];
  if (settled > 0) counts.push(`${grouped(settled)} settled before`);
  if (expected > 0) counts.push(`${grouped(asExpected)} of ${grouped(expected)} as expected`);
  for (const line of wrapParts([...head, ...counts, ...tail], widthOf(io))) io.stdout.write(`${line}\n`);
}

function told({ code, message, rule, role, reservations, outcome }: SimulatedVerdict): readonly string[] {
  switch (outcome) {
    case "deny":
      return [`${code} by ${rule}: ${message}`];
    case "stage":
      return [`for ${role} by ${rule}`];
    case "settled":
      return ["done before in this thread: its receipt goes back"];
    default:
      return [
        `by ${rule}`,
        ...reservations.map(({ cap, key, amount, limit }) => {
          const whose = key === "all" ? "" : ` for ${key}`;
          return `holds ${grouped(amount)} of ${grouped(limit)} ${cap}${whose}`;
        }),
      ];
  }
}

function expectedText({ expected }: SimulatedVerdict): string {
  if (expected === null) return "anything";
  const { outcome, code, role, rule } = expected;
  return [outcome, code, role, rule === null ? null : `by ${rule}`].filter((part) => part !== null).join(" ");
}

function broken(io: Io, text: string, before: number): readonly string[] {
  const room = widthOf(io) - before;
  return Number.isFinite(room) ? wrap(text, Math.max(20, room)) : [text];
}
