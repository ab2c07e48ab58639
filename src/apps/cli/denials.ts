import {
  type Bucket,
  type Denials,
  type DenialsQuery,
  DIMENSIONS,
  type Dimension,
  METRIC_DIMENSIONS,
  prometheusText,
  type Signalbox,
  SignalboxError,
} from "../../index.ts";
import { printChart } from "./denial-chart.ts";
import { instantOf, type Since, sinceOf } from "./instant.ts";
import type { Io } from "./io.ts";
import { type Opening, opened } from "./opened.ts";
import { printDenials } from "./print-denials.ts";
import { jsonDocument } from "./text.ts";

export type DenialOptions = Opening & {
  readonly since?: string;
  readonly until?: string;
  readonly by: readonly string[];
  readonly bucket?: string;
  readonly chart?: boolean;
  readonly prometheus?: boolean;
  readonly told?: string;
};

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** Where `--chart` comes without a bucket: hours up to this many days, then days, then weeks. */
const HOURLY_DAYS_MAX = 2;
const DAILY_DAYS_MAX = 62;

/** Prints what was denied: as a table, a chart, a document, or for Prometheus. */
export function denials(io: Io, options: DenialOptions): Promise<number> {
  const { json = false, chart = false, bucket } = options;
  const asked = askedOf(options);
  const wanted = bucket === undefined ? null : bucketOf(bucket);
  return opened(io, { ...options, reads: true }, async (box) => {
    if (options.prometheus === true) {
      const all = { since: 0, by: METRIC_DIMENSIONS, outcomes: ["deny", "stage", "permit"] } as const;
      io.stdout.write(prometheusText(await box.denials(all)));
      return 0;
    }
    const query = {
      ...queryOf(asked, box.parts.clock.now() + 1),
      ...(options.told === undefined ? {} : { told: options.told }),
    };
    const seen = chart || wanted !== null ? await counted(box, query, wanted) : await box.denials(query);
    if (seen.told !== null && seen.told.with.proposals === 0) await refuseUnknown(box, seen.told.rule);
    if (json) io.stdout.write(jsonDocument(seen));
    else {
      printDenials(io, seen);
      if (seen.buckets.length > 0 && seen.totals.proposals > 0) printChart(io, seen);
    }
    return 0;
  });
}

/**
 * A misspelt rule must not pass for one that was never told: it is in the folder, is published, or was verified once.
 *
 * @throws SignalboxError `unknown_rule`.
 */
async function refuseUnknown({ guides, parts }: Signalbox, rule: string): Promise<void> {
  if (parts.guides === null) return;
  const failureOf = (asked: Promise<unknown>): Promise<unknown> =>
    asked.then(
      () => null,
      (error: unknown) => error,
    );
  const unknown = await failureOf(guides.show(rule));
  if (!isCalled(unknown, "unknown_rule")) return;
  if (isCalled(await failureOf(guides.revision(rule)), "unknown_revision")) throw unknown;
}

function isCalled(error: unknown, code: string): boolean {
  return error instanceof SignalboxError && error.code === code;
}

/** With buckets, which all of time has too many of: then the window begins with the first decision. */
async function counted(box: Signalbox, query: Windowed, bucket: Bucket | null): Promise<Denials> {
  const { until } = query;
  let since = query.since ?? until - WEEK_MS;
  if (since === 0) since = Math.min((await box.denials(query)).oldest ?? until - 1, until - 1);
  const days = (until - since) / DAY_MS;
  const fitting = days <= HOURLY_DAYS_MAX ? "hour" : days <= DAILY_DAYS_MAX ? "day" : "week";
  return box.denials({ ...query, since, bucket: bucket ?? fitting });
}

type Windowed = DenialsQuery & { readonly until: number };

type Asked = { readonly since: Since | null; readonly until: number | null; readonly by: readonly Dimension[] };

function askedOf({ since, until, by, ...options }: DenialOptions): Asked {
  if (options.prometheus === true) {
    const other = [since, until, options.bucket, options.told].some((value) => value !== undefined) || by.length > 0;
    if (other || options.chart === true || options.json === true) {
      throw new SignalboxError("usage", "--prometheus stands alone: it counts all decisions of all time");
    }
  }
  return {
    since: since === undefined ? null : since === "all" ? { at: 0 } : sinceOf("--since", since),
    until: until === undefined ? null : instantOf("--until", until),
    by: by.flatMap((names) => names.split(",")).map(dimensionOf),
  };
}

/** `now` is what a window ends with where nothing else was said. */
function queryOf({ since, until, by }: Asked, now: number): Windowed {
  const end = until ?? now;
  return {
    until: end,
    ...(since === null ? {} : { since: "at" in since ? since.at : end - since.ago }),
    ...(by.length === 0 ? {} : { by }),
  };
}

function dimensionOf(name: string): Dimension {
  const found = DIMENSIONS.find((dimension) => dimension === name);
  if (found !== undefined) return found;
  throw new SignalboxError("usage", `--by takes one of ${DIMENSIONS.join(", ")}, not "${name.slice(0, 40)}"`);
}

function bucketOf(text: string): Bucket {
  if (text === "hour" || text === "day" || text === "week") return text;
  const minutes = /^([1-9][0-9]{0,5})m$/.exec(text)?.[1];
  if (minutes !== undefined) return { minutes: Number(minutes) };
  throw new SignalboxError(
    "usage",
    `--bucket takes hour, day, week or minutes such as 15m, not "${text.slice(0, 40)}"`,
  );
}
