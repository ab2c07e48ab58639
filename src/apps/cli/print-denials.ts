import type { DenialGroup, Denials, Dimension, RateShift } from "../../index.ts";
import { minuteText } from "./instant.ts";
import { commandOf, type Io, paint, widthOf } from "./io.ts";
import { clip, columnsOf, counted, grouped, pad, visible, wrap, wrapParts } from "./text.ts";

/** A table is as long as this; what moved is in it all the same. */
const ROWS_MAX = 30;
/** Columns that names should have, for which the interval gives way, and must have. */
const NAME_COLUMNS = 7;
const NAME_COLUMNS_MIN = 4;
const DIGEST_UNITS = 12;
const GAP = "  ";

/** What was denied and what waits for a person, the most frequent first, and what has moved. */
export function printDenials(io: Io, seen: Denials): void {
  const { totals, totalsBefore, newest, since, until } = seen;
  const window = since === 0 ? "all time" : `${minuteText(since)} to ${minuteText(until - 1)} UTC`;
  if (newest === null) {
    io.stdout.write(`no decisions yet: ${commandOf(io)} run "what is to be done"\n`);
  } else if (totals.proposals === 0 && totalsBefore.proposals === 0) {
    io.stdout.write(`no decisions from ${window}; the newest is of ${minuteText(newest)} UTC (--since all)\n`);
  } else {
    const facts = ["denials", window, ...(since === 0 ? [] : [`against the ${lengthText(until - since)} before`])];
    io.stdout.write(`${paint(io, "bold", lines(io, facts).join("\n"))}\n`);
    printTable(io, seen);
    io.stdout.write("\n");
    printTotals(io, seen);
  }
  if (seen.unreadable > 0) {
    const what = `${counted(seen.unreadable, "row")} could not be read as a decision: ${commandOf(io)} ledger verify`;
    io.stdout.write(`${paint(io, "red", what)}\n`);
  }
}

function printTable(io: Io, { groups: all, by, other }: Denials): void {
  // What there was before and of which nothing was proposed since can have no share, and nothing to compare.
  const groups = all.filter(({ of }) => of > 0);
  if (groups.length === 0) {
    io.stdout.write("nothing was denied, and nothing waits for a person\n");
    return;
  }
  const shown = groups.filter((group, i) => i < ROWS_MAX || group.shift?.moved === true);
  // Without its code a staged proposal would look like a denial.
  const apart = !by.includes("code") && groups.some(({ outcome }) => outcome !== "deny");
  const heads = apart ? ["outcome", ...by] : [...by];
  const names = shown.map((group) => [
    ...(apart ? [OUTCOMES[group.outcome]] : []),
    ...by.map((name) => nameOf(group, name)),
  ]);
  const width = widthOf(io);
  const least = (NAME_COLUMNS + GAP.length) * heads.length;
  const whole = tableFacts(shown, true);
  // Where even the shortest names leave no room for the interval, it is --json that has it.
  const facts = whole.columns + least <= width ? whole : tableFacts(shown, false);
  const columns = fitted(
    heads.map((name, i) => widest([name, ...names.map((row) => row[i] ?? "")])),
    width - facts.columns - GAP.length * heads.length,
  );
  const line = (cells: readonly string[], row: string): string =>
    [...cells.map((cell, i) => pad(clip(cell, columns[i] ?? 0), columns[i] ?? 0)), row].join(GAP).trimEnd();
  io.stdout.write(`${paint(io, "dim", `  ${line(heads, facts.head)}`)}\n`);
  shown.forEach((group, i) => {
    const moved = group.shift?.moved === true;
    const text = line(names[i] ?? [], facts.rows[i] ?? "");
    io.stdout.write(`${moved ? paint(io, "red", "!") : " "} ${moved ? paint(io, "bold", text) : text}\n`);
  });
  const rest = groups.filter((group) => !shown.includes(group));
  const beyond = other === null ? 0 : other.deny + other.stage + other.permit;
  const left = rest.reduce((sum, group) => sum + group.n, 0);
  if (rest.length > 0) {
    io.stdout.write(`  … ${counted(rest.length, "row")} more, ${counted(left, "decision")}: --json has them\n`);
  }
  if (beyond > 0) {
    const what = `(other): ${counted(beyond, "decision")} beyond ${grouped(groups.length)} groups; count by less`;
    io.stdout.write(`  ${paint(io, "yellow", what)}\n`);
  }
}

/** What stands right of the names, in columns of its own: the numbers to the right, the change to the left. */
type Facts = { readonly head: string; readonly rows: readonly string[]; readonly columns: number };

function tableFacts(groups: readonly DenialGroup[], interval: boolean): Facts {
  const cells = [
    ["n", "share", interval ? "change, points [95 %]" : "points"],
    ...groups.map(({ n, share, shift }) => [
      grouped(n),
      percent(share),
      shift === null ? "-" : interval ? changeText(shift) : points(shift.change),
    ]),
  ];
  const [n, share, change] = [0, 1, 2].map((i) => widest(cells.map((row) => row[i] ?? "")));
  const [head = "", ...rows] = cells.map(([one = "", two = "", three = ""]) =>
    [one.padStart(n ?? 0), two.padStart(share ?? 0), three].join(GAP),
  );
  return { head, rows, columns: 2 + (n ?? 0) + (share ?? 0) + (change ?? 0) + 2 * GAP.length };
}

/** Whether a rule helped, as far as runs tell that nobody paired. */
function printTold(io: Io, { rule, with: withIt, without, shift }: NonNullable<Denials["told"]>): void {
  const of = ({ denials, proposals }: typeof withIt): string =>
    proposals === 0
      ? "none proposed"
      : `${grouped(denials)} of ${grouped(proposals)} (${percent(denials / proposals)})`;
  const told = withIt.proposals === 0 ? "no proposal in this time came after it was told" : `denied ${of(withIt)}`;
  const parts = [`told ${visible(rule)}: ${told}`, `not told: ${of(without)}`];
  if (shift !== null) parts.push(`${changeText(shift)} points${shift.moved ? ", differs" : ""}`);
  for (const text of lines(io, parts)) io.stdout.write(`  ${text}\n`);
}

function printTotals(io: Io, { since, totals, totalsBefore, denialShift, stagedShift, groups, told }: Denials): void {
  const total = (what: string, n: number, shift: RateShift | null): void => {
    const share = totals.proposals === 0 ? "" : ` (${percent(n / totals.proposals)})`;
    const parts = [
      `${what} ${grouped(n)} of ${counted(totals.proposals, "proposal")}${share}`,
      ...(shift === null ? [] : [`${changeText(shift)} points${shift.moved ? ", moved" : ""}`]),
    ];
    const mark = shift?.moved === true ? paint(io, "red", "!") : " ";
    lines(io, parts).forEach((text, i) => {
      io.stdout.write(`${i === 0 ? mark : " "} ${text}\n`);
    });
  };
  total("denied", totals.denials, denialShift);
  total("staged", totals.staged, stagedShift);
  if (told !== null) printTold(io, told);
  const compared = groups.filter(({ shift }) => shift !== null).length;
  const note =
    totalsBefore.proposals === 0
      ? "nothing was proposed in the window before, so nothing is compared"
      : `! moved: the interval excludes 0, as it does by chance in about 1 row of 20; ${grouped(compared)} compared`;
  if (since > 0) for (const text of wrapped(io, note)) io.stdout.write(`${paint(io, "dim", text)}\n`);
}

/** In lines of the terminal's width; in one where nobody looks at a terminal. */
export function wrapped(io: Io, text: string): readonly string[] {
  const width = widthOf(io);
  return Number.isFinite(width) ? wrap(text, width) : [text];
}

const OUTCOMES: { readonly [Name in DenialGroup["outcome"]]: string } = {
  deny: "denied",
  stage: "staged",
  permit: "permitted",
};

function nameOf({ key, outcome }: DenialGroup, dimension: Dimension): string {
  const value = key[dimension] ?? null;
  if (value === null) return dimension === "tool" ? "(unknown)" : dimension === "code" ? `(${OUTCOMES[outcome]})` : "-";
  return visible(
    dimension === "prompt" || dimension === "policy" || dimension === "plan" ? value.slice(0, DIGEST_UNITS) : value,
  );
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function changeText({ change, interval: { low, high } }: RateShift): string {
  return `${points(change)} [${points(low)}, ${points(high)}]`;
}

function points(change: number): string {
  return `${change < 0 ? "" : "+"}${(change * 100).toFixed(1)}`;
}

function lengthText(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes % 1_440 === 0) return counted(minutes / 1_440, "day");
  return minutes % 60 === 0 ? counted(minutes / 60, "hour") : counted(minutes, "minute");
}

function lines(io: Io, parts: readonly string[]): readonly string[] {
  const width = widthOf(io);
  return Number.isFinite(width) ? wrapParts(parts, width - 2) : [parts.join(" · ")];
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map(columnsOf));
}

/** The widest columns give way first, until all of them fit. */
function fitted(columns: readonly number[], room: number): readonly number[] {
  const fit = [...columns];
  while (fit.reduce((sum, one) => sum + one, 0) > room) {
    const most = Math.max(...fit);
    if (most <= NAME_COLUMNS_MIN) break;
    fit[fit.indexOf(most)] = most - 1;
  }
  return fit;
}
