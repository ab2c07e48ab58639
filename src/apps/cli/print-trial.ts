import type { ArmCount, Comparison, TrialReport } from "../../domain/trial-run.ts";
import { chanceText, comparisonText, intervalText, rateText, spanText, verdictText } from "../../trials/index.ts";
import { type Io, paint, widthOf } from "./io.ts";
import { clip, columnsOf, counted, grouped, pad, visible, wrap } from "./text.ts";

const BAR_COLUMNS = 41;
const BAR_COLUMNS_MIN = 11;
const NAME_COLUMNS_MAX = 24;

/** What a trial showed: the verdict, an interval for every arm, what the pairs say, and what has to be known beside it. */
export function printTrial(io: Io, report: TrialReport, page: string | null): void {
  const { name, varies, control, arms, comparisons, notes, pairs, conditions } = report;
  io.stdout.write(`${paint(io, "bold", visible(name))}\n`);
  const facts = [
    `${varies} varied`,
    counted(pairs, "pair"),
    visible(conditions.model),
    `profile ${visible(report.profile)}`,
  ];
  print(io, facts.join(" · "), 2);
  const isSupported = comparisons.some(({ higher }) => higher !== null);
  for (const line of broken(io, verdictText(report), 2)) {
    io.stdout.write(`  ${paint(io, isSupported ? "green" : "yellow", visible(line))}\n`);
  }
  io.stdout.write("\n");
  printArms(io, [...arms, { ...control.alone, arm: "control: alone" }, { ...control.absent, arm: "control: absent" }]);
  io.stdout.write("\n");
  printComparisons(io, comparisons);
  if (notes.length > 0) io.stdout.write("\n");
  for (const note of notes)
    for (const line of broken(io, note, 2)) io.stdout.write(`  ${paint(io, "dim", visible(line))}\n`);
  if (page !== null) io.stdout.write(`\n  ${visible(page)} has it as a page\n`);
}

function printArms(io: Io, arms: readonly ArmCount[]): void {
  const rows = arms.map((arm) => ({ arm, facts: factsOf(arm) }));
  const widest = (of: (row: (typeof rows)[number]) => string): number =>
    Math.max(...rows.map((row) => columnsOf(of(row))));
  const names = Math.min(
    NAME_COLUMNS_MAX,
    widest(({ arm }) => visible(arm.arm)),
  );
  const rates = widest(({ facts }) => facts.rate);
  const counts = widest(({ facts }) => facts.count);
  const all = widthOf(io) - 2 - names - rates - 4;
  // Where there is no room for the counts beside the bars, they stand below.
  const isNarrow = all - counts - 2 < BAR_COLUMNS_MIN;
  const room = isNarrow ? all : all - counts - 2;
  const bar = Math.max(BAR_COLUMNS_MIN, Math.min(BAR_COLUMNS, Number.isFinite(room) ? room : BAR_COLUMNS));
  io.stdout.write(`  ${" ".repeat(names)}  ${paint(io, "dim", axisOf(bar))}\n`);
  for (const { arm, facts } of rows) {
    const name = pad(clip(visible(arm.arm), names), names);
    const drawn = paint(io, "cyan", barOf(arm, bar));
    const beside = isNarrow ? "" : `  ${facts.count}`;
    io.stdout.write(`  ${name}  ${drawn}  ${facts.rate.padStart(rates)}${beside}\n`);
    print(io, isNarrow ? `${facts.count} · ${facts.more}` : facts.more, names + 4);
  }
}

type Facts = { readonly rate: string; readonly count: string; readonly more: string };

function factsOf(arm: ArmCount): Facts {
  const judged = arm.obeyed + arm.broken;
  const safety = arm.safety.lowest === null ? [] : [`safety ${arm.safety.lowest} at the least of ${arm.safety.scored}`];
  const more = [
    `${counted(arm.neighbours[1], "neighbour")}, ${spanText(arm.bytes)} bytes`,
    ...(arm.repeats === 0 ? [] : [counted(arm.repeats, "repeat")]),
    ...(arm.abstained === 0 ? [] : [`${grouped(arm.abstained)} abstained (${intervalText(arm.abstainedInterval)})`]),
    ...(arm.errors === 0 ? [] : [`${counted(arm.errors, "error")} (${intervalText(arm.errorsInterval)})`]),
    ...safety,
  ];
  return {
    rate: `${rateText(arm.rate)} (${intervalText(arm.interval)})`,
    count: `${grouped(arm.obeyed)} of ${grouped(judged)}`,
    more: more.join(" · "),
  };
}

/** From 0 on the left to 100 % on the right. */
function axisOf(columns: number): string {
  const half = Math.floor(columns / 2);
  return `0${pad("", half - 1)}50${pad("", Math.max(1, columns - half - 6))}100`.slice(0, columns);
}

function barOf({ rate, interval }: ArmCount, columns: number): string {
  const at = (share: number): number => Math.round(share * (columns - 1));
  const [low, high] = [at(interval.low), at(interval.high)];
  const cells: string[] = [...Array(columns).keys()].map((i) =>
    i < low || i > high ? "·" : i === low || i === high ? "┼" : "─",
  );
  if (rate !== null) cells[at(rate)] = "●";
  return cells.join("");
}

function printComparisons(io: Io, comparisons: readonly Comparison[]): void {
  for (const one of comparisons) {
    const lost = one.incomplete + one.repeated;
    const pairs = lost === 0 ? `${one.complete}` : `${one.complete} of ${one.complete + lost}`;
    const differ = `${one.onlyFirst} only in the first, ${one.onlySecond} only in the second`;
    const p = `exact p ${chanceText(one.exact)}, Holm ${chanceText(one.holm)}`;
    const said = `${visible(one.first)} and ${visible(one.second)}: ${comparisonText(one)}`;
    const [first = "", ...rest] = broken(io, said, 2);
    io.stdout.write(`  ${one.higher === null ? first : paint(io, "green", first)}\n`);
    for (const line of rest) io.stdout.write(`    ${line}\n`);
    print(io, `${pairs} complete pairs · ${differ} · ${p}`, 4);
  }
}

function print(io: Io, text: string, indent: number): void {
  for (const line of broken(io, text, indent)) io.stdout.write(`${" ".repeat(indent)}${paint(io, "dim", line)}\n`);
}

function broken(io: Io, text: string, indent: number): readonly string[] {
  const room = widthOf(io) - indent;
  return Number.isFinite(room) ? wrap(text, Math.max(20, room)) : [text];
}
