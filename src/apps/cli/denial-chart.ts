import type { Bucket, BucketCounts, Denials } from "../../index.ts";
import { minuteText } from "./instant.ts";
import { type Io, paint, widthOf } from "./io.ts";
import { percent, wrapped } from "./print-denials.ts";
import { columnsOf, grouped } from "./text.ts";

/** What bars are drawn with. Whole and half blocks and the light shade are in every terminal font that has blocks at all. */
type Ink = { readonly whole: string; readonly half: string; readonly staged: string; readonly none: string };
const BLOCKS: Ink = { whole: "█", half: "▌", staged: "░", none: "·" };
const PLAIN: Ink = { whole: "#", half: "#", staged: ":", none: "." };

/** Columns of a bar where nobody looks at a terminal, and the most and the fewest on one. */
const BAR_COLUMNS = 50;
const BAR_COLUMNS_MIN = 4;
/** A scale ends at one of these percentages. */
const SCALES: readonly number[] = [1, 2, 5, 10, 20, 30, 40, 50, 75, 100];

/** The shares of denied and of staged proposals over time: a line a bucket. */
export function printChart(io: Io, { buckets, bucket }: Pick<Denials, "buckets" | "bucket">): void {
  const ink = inkOf(io);
  const scale = scaleOf(buckets);
  const facts = buckets.map((counts) => factOf(counts));
  const label = bucket === "day" || bucket === "week" ? 10 : 16;
  const [shares, counts] = [0, 1].map((i) => Math.max(...facts.map((fact) => columnsOf(fact[i] ?? ""))));
  const before = 2 + label + 2;
  const after = 2 + (shares ?? 0) + 2 + (counts ?? 0);
  const width = widthOf(io);
  const room = Number.isFinite(width) ? Math.min(BAR_COLUMNS, width - before - after) : BAR_COLUMNS;
  const bar = Math.max(BAR_COLUMNS_MIN, room);
  const legend = `denied ${ink.whole} and staged ${ink.staged} by ${bucketText(bucket)} in UTC, of the proposals; the scale ends at ${scale} %`;
  io.stdout.write(`\n${paint(io, "bold", wrapped(io, legend).join("\n"))}\n`);
  buckets.forEach((one, i) => {
    const [share = "", count = ""] = facts[i] ?? [];
    const start = paint(io, "dim", minuteText(one.start).slice(0, label));
    const drawn = drawnBar(io, ink, one, bar, scale);
    io.stdout.write(`  ${start}  ${drawn}  ${share.padStart(shares ?? 0)}  ${count.padStart(counts ?? 0)}\n`);
  });
}

function factOf({ proposals, denials }: BucketCounts): readonly [string, string] {
  if (proposals === 0) return ["-", "none"];
  return [percent(denials / proposals), `${grouped(denials)} of ${grouped(proposals)}`];
}

function drawnBar(io: Io, ink: Ink, counts: BucketCounts, columns: number, scale: number): string {
  const { proposals, denials, staged } = counts;
  if (proposals === 0) return paint(io, "dim", ink.none) + " ".repeat(columns - 1);
  const halves = halvesOf(denials, proposals, columns, scale);
  const denied = ink.whole.repeat(Math.floor(halves / 2)) + (halves % 2 === 1 ? ink.half : "");
  const both = Math.ceil(halvesOf(denials + staged, proposals, columns, scale) / 2);
  const waiting = ink.staged.repeat(
    staged === 0 ? 0 : Math.min(columns - denied.length, Math.max(1, both - denied.length)),
  );
  const rest = " ".repeat(columns - denied.length - waiting.length);
  return `${paint(io, "red", denied)}${paint(io, "yellow", waiting)}${rest}`;
}

/** Half columns of a share; what is not nothing takes at least one. */
function halvesOf(n: number, of: number, columns: number, scale: number): number {
  if (n === 0) return 0;
  return Math.min(2 * columns, Math.max(1, Math.round((n / of / (scale / 100)) * columns * 2)));
}

/** The smallest scale that holds every bar. */
function scaleOf(buckets: readonly BucketCounts[]): number {
  const most = Math.max(
    ...buckets.map(({ proposals, denials, staged }) => (proposals === 0 ? 0 : ((denials + staged) / proposals) * 100)),
  );
  return SCALES.find((scale) => scale >= most) ?? 100;
}

function bucketText(bucket: Bucket | null): string {
  if (bucket === null) return "window";
  if (typeof bucket === "string") return bucket === "week" ? "week from Monday" : bucket;
  return `${grouped(bucket.minutes)} minutes`;
}

/** Blocks, unless the terminal says that it has no such characters: by its name, or by a locale that is not UTF-8. */
function inkOf({ env }: Io): Ink {
  if (env.TERM === "dumb") return PLAIN;
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find((value) => value !== undefined && value !== "");
  return locale === undefined || /utf-?8/i.test(locale) ? BLOCKS : PLAIN;
}
