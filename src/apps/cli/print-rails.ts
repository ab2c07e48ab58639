import type { RailRow } from "../../index.ts";
import { type Io, paint, widthOf } from "./io.ts";
import { clip, columnsOf, pad, visible, wrap } from "./text.ts";

const HEAD = ["tool", "placement", "output", "input", "action", "evidence", "traced", "caps"] as const;
/** A longer name of a tool is cut in the table, where there is a terminal that it has to fit. */
const TOOL_COLUMNS_MAX = 20;
const GAP = "  ";
const HINT_ONLY = "hint only";

/** The matrix of tools and rails: a table where it fits, else a paragraph for each tool. */
export function printRails(io: Io, rows: readonly RailRow[]): void {
  if (rows.length === 0) return;
  const cells = rows.map((row) => cellsOf(io, row));
  const columns = HEAD.map((head, i) => Math.max(head.length, ...cells.map((row) => columnsOf(row[i] ?? ""))));
  const width = columns.reduce((sum, one) => sum + one, 0) + GAP.length * (HEAD.length - 1);
  if (width > widthOf(io)) {
    for (const row of rows) printAlone(io, row);
    return;
  }
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => pad(cell, columns[i] ?? 0))
      .join(GAP)
      .trimEnd();
  io.stdout.write(`${paint(io, "bold", line(HEAD))}\n`);
  for (const row of cells) {
    const text = line(row);
    io.stdout.write(`${row.includes(HINT_ONLY) ? text.replace(HINT_ONLY, paint(io, "yellow", HINT_ONLY)) : text}\n`);
  }
  for (const text of wrap(LEGEND, Math.min(widthOf(io), 90))) io.stdout.write(`${paint(io, "dim", text)}\n`);
}

const LEGEND =
  "output: the type of its params; input: principals that may use it; evidence: ids to cite; traced: fields that must have been seen; caps: blast radius";

function cellsOf(io: Io, row: RailRow): readonly string[] {
  const { tool, placement, output, input, evidence, provenance, blastRadius } = row;
  return [
    io.isTty ? clip(visible(tool), TOOL_COLUMNS_MAX) : visible(tool),
    placement,
    output,
    input === null ? "anybody" : input.length === 0 ? "nobody" : String(input.length),
    actionOf(row),
    evidence === null ? "-" : String(evidence),
    provenance.length === 0 ? "-" : String(provenance.length),
    blastRadius.length === 0 ? "-" : String(blastRadius.length),
  ];
}

/** What judges it: its own `authorise`, and how many rules. */
function actionOf({ tool, action, hintOnly }: RailRow): string {
  if (hintOnly) return HINT_ONLY;
  const own = action.includes(`${tool}.authorise`);
  const rules = action.length - (own ? 1 : 0);
  if (rules === 0) return own ? "own" : "-";
  const counted = rules === 1 ? "1 rule" : `${rules} rules`;
  return own ? `own, ${counted}` : counted;
}

function printAlone(io: Io, row: RailRow): void {
  const [tool = "", ...cells] = cellsOf(io, row);
  const rails = cells.map((cell, i) => `${HEAD[i + 1]} ${cell}`).filter((text) => !text.endsWith(" -"));
  for (const text of wrap(`${tool}: ${rails.join(", ")}`, widthOf(io))) io.stdout.write(`${text}\n`);
}
