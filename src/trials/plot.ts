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

/** Where the parts of a drawing stand. `above`: a row's name and figures stand above its line, where there is no room beside. */
type Frame = {
  readonly id: string;
  readonly width: number;
  readonly left: number;
  readonly right: number;
  readonly row: number;
  readonly above: boolean;
};

const BESIDE: Frame = { id: "plot", width: 720, left: 150, right: 150, row: 34, above: false };
const ABOVE: Frame = { id: "narrow-plot", width: 360, left: 16, right: 24, row: 54, above: true };
const TOP = 8;
const AXIS = 30;
const TICKS: readonly number[] = [0, 0.25, 0.5, 0.75, 1];

/**
 * The intervals as a drawing: a line for the interval, a dot for the rate. No figure stands in the drawing alone. It is there
 * twice, for wide pages and for narrow ones, and the style shows one.
 */
export function intervalPlot(rows: readonly PlotRow[], title: string): string {
  return [BESIDE, ABOVE].map((frame) => drawn(frame, rows, title)).join("\n");
}

function drawn(frame: Frame, rows: readonly PlotRow[], title: string): string {
  const { above, id, row, width } = frame;
  const bottom = TOP + rows.length * row;
  const said = rows
    .map(({ name, rate, interval }) => `${name}: ${rateText(rate)}, ${intervalText(interval)}`)
    .join("; ");
  const grid = TICKS.map((tick) => {
    const x = at(frame, tick);
    return (
      `<line class="grid" x1="${x}" y1="${TOP}" x2="${x}" y2="${bottom}"/>` +
      `<text class="tick" x="${x}" y="${bottom + 20}" text-anchor="middle">${tick * 100} %</text>`
    );
  });
  return [
    `<svg class="${above ? "above" : "beside"}" viewBox="0 0 ${width} ${bottom + AXIS}" role="img" aria-labelledby="${id}-title ${id}-rows">`,
    `<title id="${id}-title">${escaped(title)}</title><desc id="${id}-rows">${escaped(said)}</desc>`,
    ...grid,
    ...rows.map((one, i) => drawnRow(frame, one, TOP + i * row)),
    "</svg>",
  ].join("\n");
}

function drawnRow(frame: Frame, { name, rate, interval, kind }: PlotRow, top: number): string {
  const { above, left, right, row, width } = frame;
  const y = above ? top + row - 14 : top + row / 2;
  const textY = above ? top + 20 : y + 4;
  const { low, high } = interval;
  const x = (share: number): string => at(frame, share);
  const dot = rate === null ? "" : `<circle class="rate" cx="${x(rate)}" cy="${y}" r="5"/>`;
  const ends = above ? [left, width - right] : [left - 14, width - right + 14];
  return [
    `<g class="${kind}">`,
    `<text class="name" x="${ends[0]}" y="${textY}" text-anchor="${above ? "start" : "end"}">${escaped(name)}</text>`,
    `<line class="span" x1="${x(low)}" y1="${y}" x2="${x(high)}" y2="${y}"/>`,
    ...[low, high].map((end) => `<line class="end" x1="${x(end)}" y1="${y - 5}" x2="${x(end)}" y2="${y + 5}"/>`),
    dot,
    `<text class="figure" x="${ends[1]}" y="${textY}" text-anchor="${above ? "end" : "start"}">${rateText(rate)}, ${intervalText(interval)}</text>`,
    "</g>",
  ].join("");
}

function at({ left, right, width }: Frame, share: number): string {
  return (left + share * (width - left - right)).toFixed(1);
}
