import { type Parsed, parsed, unparsed } from "../domain/parsed.ts";
import type { PairsNeeded, TrialPlan } from "../domain/trial-run.ts";
import { wilson, Z_95 } from "../domain/wilson.ts";
import { type Shares, supportPower, testPower } from "./power.ts";

/** The chance of a false finding that a trial may have, all of its comparisons together. */
export const ALPHA = 0.05;
/** The chance to find what is there. */
export const POWER = 0.8;
/** Nobody runs more pairs, so more are not looked for. */
export const PAIRS_MAX = 10_000;

/** How often the rule is followed in the two arms that are to be told apart, from 0 to 1. */
export type Rates = {
  readonly high: number;
  readonly low: number;
  /** The share of pairs that come out differently; null: as if the runs of a pair were independent. */
  readonly discordance: number | null;
};

/**
 * How many pairs a trial needs, before it begins. `comparisons` share ALPHA among them (Bonferroni), since as many are made.
 *
 * - `separate`: from here on the two Wilson 95 % intervals do not overlap where the arms come out just as expected, counts
 *   rounded towards each other. Half of all trials come out nearer than expected, so this alone is a floor.
 * - `mcnemar`: from here on the exact test on the pairs finds the difference, in its direction, with POWER. Computed exactly
 *   over all outcomes.
 * - `supported`: the same for the whole decision, intervals and test together. This is what is run.
 *
 * Power is not quite monotone in the number of pairs, since counts are whole. A figure is the least number from which on it
 * holds: one pair fewer is not enough, and each of the next SPAN numbers is.
 * `impossible_rates` where no pairs can have such rates.
 */
export function planTrial(rates: Rates, comparisons = 1): Parsed<TrialPlan> {
  const shares = checkRates(rates);
  if (!shares.ok) return shares;
  const { high, low } = rates;
  const discordance = shares.value.onlyHigh + shares.value.onlyLow;
  const alpha = ALPHA / comparisons;
  const needed: PairsNeeded = {
    separate: within(separateFrom(high, low)),
    mcnemar: leastFrom((n) => testPower(n, shares.value, alpha) >= POWER),
    supported: leastFrom((n) => supportPower(n, shares.value, alpha) >= POWER),
  };
  return parsed({ high, low, discordance, power: POWER, alpha, comparisons, needed });
}

/** The plans for ever lower rates beside one high one, for people to see what a trial of theirs can tell apart. */
export function planTable(high: number, comparisons = 1): readonly TrialPlan[] {
  const lows = [...Array(10).keys()].map((i) => (high * 100 - (i + 1) * 10) / 100).filter((low) => low >= 0);
  return lows.flatMap((low) => {
    const plan = planTrial({ high, low, discordance: null }, comparisons);
    return plan.ok ? [plan.value] : [];
  });
}

/** Rates come in percent, and what they leave of nothing is nothing. */
const DUST = 1e-9;

/** What pairs of such rates are made of; `impossible_rates` where there are none. */
export function checkRates({ high, low, discordance }: Rates): Parsed<Shares> {
  const rates = [high, low, discordance ?? 0];
  if (!rates.every((rate) => rate >= 0 && rate <= 1)) {
    return unparsed("impossible_rates", "a rate is from 0 to 1");
  }
  if (!(low < high))
    return unparsed("impossible_rates", "the lower rate is not lower, so there is nothing to tell apart");
  const differing = discordance ?? high * (1 - low) + low * (1 - high);
  const [least, most] = [high - low, Math.min(high + low, 2 - high - low)];
  if (differing < least - DUST || differing > most + DUST) {
    const range = `between ${percent(least)} and ${percent(most)} of the pairs`;
    return unparsed("impossible_rates", `with ${percent(high)} and ${percent(low)}, ${range} come out differently`);
  }
  const onlyHigh = (differing + high - low) / 2;
  const onlyLow = Math.max(0, differing - onlyHigh);
  const both = Math.max(0, high - onlyHigh);
  return parsed({ both, onlyHigh, onlyLow, neither: Math.max(0, 1 - both - onlyHigh - onlyLow) });
}

function percent(rate: number): string {
  return `${Math.round(rate * 1_000) / 10} %`;
}

/** Whether the intervals of `n` pairs are apart where both arms come out as expected, rounded towards each other. */
export function isSeparate(n: number, high: number, low: number): boolean {
  return wilson(Math.floor(n * high + DUST), n).low > wilson(Math.ceil(n * low - DUST), n).high;
}

/**
 * The least number from which on they are apart, for every larger one as well. A Wilson interval reaches at most
 * z²/2(n+z²) + z/2√(n+z²) from its rate, and rounding takes at most one of n from each: where two of these fit between the
 * rates all is decided, for this n and all larger ones. From there down, each number is looked at.
 */
function separateFrom(high: number, low: number): number {
  const square = Z_95 * Z_95;
  const isCertain = (n: number): boolean => high - low - 2 / n > square / (n + square) + Z_95 / Math.sqrt(n + square);
  let n = 1;
  while (!isCertain(n)) n *= 2;
  while (n > 1 && isSeparate(n - 1, high, low)) n -= 1;
  return n;
}

/** So many numbers after it are looked at as well: more than the teeth of the saw are long. */
export const SPAN = 24;

function leastFrom(isEnough: (n: number) => boolean): number | null {
  let enough = 1;
  while (!isEnough(enough)) {
    if (enough >= PAIRS_MAX) return null;
    enough = Math.min(PAIRS_MAX, enough * 2);
  }
  let short = Math.floor(enough / 2);
  while (enough - short > 1) {
    const middle = Math.floor((enough + short) / 2);
    if (isEnough(middle)) enough = middle;
    else short = middle;
  }
  for (let after = 1; after <= SPAN; after++) {
    if (isEnough(enough + after)) continue;
    enough += after + 1;
    while (!isEnough(enough)) enough += 1;
    after = 0;
  }
  return within(enough);
}

function within(n: number): number | null {
  return n > PAIRS_MAX ? null : n;
}
