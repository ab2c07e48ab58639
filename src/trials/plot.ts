import { escaped } from "./escaped.ts";
import { intervalText, rateText } from "./say.ts";

/** A row of an interval plot: what it is of, its rate, and its interval. */
export type PlotRow = {
  readonly name: string;
  readonly rate: number | null;
  readonly interval: { readonly low: number; readonly high: number };
  /** `control`: drawn lighter, since it is not what the trial is about. */
  readonly kind: "arm" | "control";
};

const WIDTH = 720;
const LEFT = 150;
const RIGHT = 150;
const TOP = 8;
const ROW = 34;
const AXIS = 30;
const TICKS: readonly number[] = [0, 0.25, 0.5, 0.75, 1];

/** The intervals as one drawing: a line for the interval, a dot for the rate. No figure stands in the drawing alone. */
export function intervalPlot(rows: readonly PlotRow[], title: string): string {
  const height = TOP + rows.length * ROW + AXIS;
  const bottom = TOP + rows.length * ROW;
  const said = rows
    .map(({ name, rate, interval }) => `${name}: ${rateText(rate)}, ${intervalText(interval)}`)
    .join("; ");
  const grid = TICKS.map(
    (tick) =>
      `<line class="grid" x1="${at(tick)}" y1="${TOP}" x2="${at(tick)}" y2="${bottom}"/>` +
      `<text class="tick" x="${at(tick)}" y="${bottom + 20}" text-anchor="middle">${tick * 100} %</text>`,
  );
  return [
    `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="plot-title plot-rows">`,
    `<title id="plot-title">${escaped(title)}</title><desc id="plot-rows">${escaped(said)}</desc>`,
    ...grid,
    ...rows.map(drawnRow),
    "</svg>",
  ].join("\n");
}

function drawnRow({ name, rate, interval, kind }: PlotRow, i: number): string {
  const y = TOP + i * ROW + ROW / 2;
  const { low, high } = interval;
  const dot = rate === null ? "" : `<circle class="rate" cx="${at(rate)}" cy="${y}" r="5"/>`;
  return [
    `<g class="${kind}">`,
    `<text class="name" x="${LEFT - 14}" y="${y + 4}" text-anchor="end">${escaped(name)}</text>`,
    `<line class="span" x1="${at(low)}" y1="${y}" x2="${at(high)}" y2="${y}"/>`,
    ...[low, high].map((end) => `<line class="end" x1="${at(end)}" y1="${y - 5}" x2="${at(end)}" y2="${y + 5}"/>`),
    dot,
    `<text class="figure" x="${WIDTH - RIGHT + 14}" y="${y + 4}">${rateText(rate)}, ${intervalText(interval)}</text>`,
    "</g>",
  ].join("");
}

function at(share: number): string {
  return (LEFT + share * (WIDTH - LEFT - RIGHT)).toFixed(1);
}
