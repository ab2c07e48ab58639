import { type Backtest, backtest, type Flip, rulesOf, SignalboxError } from "../../index.ts";
import { sinceOf } from "./instant.ts";
import type { Io } from "./io.ts";
import { loadConfig } from "./load-config.ts";
import { type Opening, opened } from "./opened.ts";
import { printBacktest } from "./print-backtest.ts";
import { EXPECTATION_FAILED } from "./simulate.ts";
import { jsonDocument } from "./text.ts";

type Options = Opening & { readonly policy: string; readonly since?: string; readonly failOn: string };

/** What a backtest can fail on. `permit`, `deny`, `stage`: a proposal that comes to this and did not before. */
const FAILURES = ["flip", "permit", "deny", "stage", "unknown", "none"] as const;
type Failure = (typeof FAILURES)[number];

/** Exit code 0 where nothing comes to what it may not, 100 where something does. Writes nothing to the ledger. */
export async function backtestPolicy(io: Io, options: Options): Promise<number> {
  const failures = failuresIn(options.failOn);
  const from = since(options.since);
  const { config } = await loadConfig(io, options.policy);
  return opened(io, { ...options, reads: true }, async (box) => {
    // A file with nothing but rules is read in the zone of the config.
    const candidate = rulesOf({ zone: box.parts.zone, ...config });
    const began = performance.now();
    const report = await backtest(box.parts.store, { current: box.parts, candidate, since: from });
    const ms = Math.max(1, Math.round(performance.now() - began));
    const failed = failures.filter((failure) => comesTo(report, failure) > 0);
    const ok = failed.length === 0;
    const timed = { ms, perSecond: Math.round((report.proposals * 1_000) / ms) };
    if (options.json === true) io.stdout.write(jsonDocument({ ...report, ok, failedOn: failed, ...timed }));
    else printBacktest(io, { ...report, ...timed }, failed);
    return ok ? 0 : EXPECTATION_FAILED;
  });
}

function comesTo({ flipped, unknown, flips }: Backtest, failure: Failure): number {
  if (failure === "none") return 0;
  if (failure === "flip") return flipped;
  if (failure === "unknown") return unknown;
  const isTo = ({ from, to }: Flip): boolean => to.outcome === failure && from.outcome !== failure;
  return flips.filter(isTo).reduce((sum, { count }) => sum + count, 0);
}

function failuresIn(text: string): readonly Failure[] {
  return text.split(",").map((word) => {
    const failure = FAILURES.find((known) => known === word.trim());
    if (failure !== undefined) return failure;
    throw new SignalboxError("usage", `--fail-on takes ${FAILURES.join(", ")}, or several with commas between them`);
  });
}

function since(text: string | undefined): number | null {
  if (text === undefined || text === "all") return null;
  const from = sinceOf("--since", text);
  return "at" in from ? from.at : Date.now() - from.ago;
}
