import type { Finding } from "../../index.ts";
import { type Io, paint, widthOf } from "./io.ts";
import { counted, pad, visible, wrap } from "./text.ts";

const RULE_COLUMNS = 24;
/** Columns that a message has beside its code; with fewer it stands below it. */
const MESSAGE_COLUMNS_MIN = 40;
const BELOW = "      ";

/**
 * One finding in a line: how bad, which check, where, and what to do about it. `said`: what was printed before, to which is added;
 * the same sentence is not said again.
 */
export function printFindings(io: Io, findings: readonly Finding[], said: Set<string> = new Set()): void {
  for (const one of findings) {
    const isSaid = said.has(sentenceOf(one));
    said.add(sentenceOf(one));
    printFinding(io, one, [`${visible(one.where)}: ${isSaid ? "as above" : visible(one.message)}`]);
  }
}

/** The same, where what is found in many places in the same words is said once, with the places below it. */
export function printGrouped(io: Io, findings: readonly Finding[]): void {
  const groups = new Map<string, Finding[]>();
  for (const one of findings) {
    const group = groups.get(sentenceOf(one));
    if (group === undefined) groups.set(sentenceOf(one), [one]);
    else group.push(one);
  }
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const places = group.map(({ where }) => visible(where));
    const below = Number.isFinite(widthOf(io)) ? [places.join(", ")] : places;
    const said = visible(first.message);
    if (group.length === 1) printFinding(io, first, [`${places[0]}: ${said}`]);
    else printFinding(io, first, [`${counted(group.length, "place")}: ${said}`, ...below]);
  }
}

function sentenceOf({ message, rule }: Finding): string {
  return `${rule} ${message}`;
}

/** Each paragraph begins a line. */
function printFinding(io: Io, { rule, severity }: Finding, paragraphs: readonly string[]): void {
  const width = widthOf(io);
  const head = `    ${pad(severity, 8)} ${pad(rule, RULE_COLUMNS)} `;
  const style = severity === "error" ? "red" : "yellow";
  const isBeside = width - head.length >= MESSAGE_COLUMNS_MIN;
  const margin = isBeside ? " ".repeat(head.length) : BELOW;
  const room = width - margin.length;
  const lines = paragraphs.flatMap((text) => (Number.isFinite(width) ? wrap(text, room) : [text]));
  if (!isBeside) io.stdout.write(`${paint(io, style, head.trimEnd())}\n`);
  lines.forEach((line, i) => {
    io.stdout.write(`${isBeside && i === 0 ? paint(io, style, head) : margin}${line}\n`);
  });
}
