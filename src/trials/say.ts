import type { Comparison, TrialReport } from "../domain/trial-run.ts";
import { unreachable } from "../domain/unreachable.ts";

/** The sentences of a report, the same on every surface. */

/** What a trial showed, in one sentence that claims no more than it can. */
export function verdictText({ arms, comparisons, finished, missing }: Omit<TrialReport, "kind">): string {
  if (!finished)
    return `Not finished: ${missing} runs are missing. No ordering is supported before all of them are made.`;
  const supported = comparisons.filter(({ higher }) => higher !== null);
  if (supported.length === 0) {
    const uneven = comparisons.filter(({ survivors }) => survivors);
    if (uneven.length > 0) {
      const lost = uneven.map(({ first, second }) => `${first} and ${second}`).join(", and of ");
      return `No ordering of the ${arms.length} arms is supported: of ${lost} one lost more runs than the other, so only survivors were compared.`;
    }
    if (comparisons.some(({ because }) => because === "few")) {
      return `No ordering of the ${arms.length} arms is supported: there are fewer complete pairs than were planned.`;
    }
    return `No ordering of the ${arms.length} arms is supported: what differs between them may be chance.`;
  }
  const highers = [...new Set(supported.map(({ higher }) => higher))];
  const said = highers.map((arm) => {
    const below = supported.filter(({ higher }) => higher === arm);
    return `${arm} over ${below.map(({ first, second }) => (arm === first ? second : first)).join(" and ")}`;
  });
  const rest = comparisons.length - supported.length;
  const others = rest === 1 ? "In the other comparison" : `In the ${rest} other comparisons`;
  return `Supported: ${said.join("; ")}.${rest === 0 ? "" : ` ${others} no ordering is supported.`}`;
}

/** What came of one comparison. */
export function comparisonText({ first, second, higher, because }: Comparison): string {
  if (higher !== null) return `followed more often in ${higher}`;
  switch (because) {
    case "overlap":
      return "not supported: the intervals overlap";
    case "chance":
      return "not supported: the pairs may differ by chance";
    case "survivors":
      return "not supported: one arm lost more runs than the other, so survivors were compared";
    case "few":
      return "not supported: fewer complete pairs than were planned";
    case "unfinished":
      return "not supported: runs are missing";
    case null:
      return `${first} and ${second} were not compared`;
    default:
      return unreachable(because);
  }
}

/** A rate as a share of whole percent, which is more than the figures of a trial can carry. */
export function rateText(rate: number | null): string {
  return rate === null ? "none" : `${Math.round(rate * 100)} %`;
}

/** An interval in percent, rounded outwards: what it is said to exclude it does exclude. */
export function intervalText({ low, high }: { readonly low: number; readonly high: number }): string {
  return `${Math.floor(low * 100 + 1e-9)} to ${Math.ceil(high * 100 - 1e-9)} %`;
}

/** A probability: never 0, which no test can say. */
export function chanceText(p: number): string {
  return p < 0.001 ? "< 0.001" : p.toFixed(3);
}

/** `10`, or `690 to 5,120` where it was not always the same. */
export function spanText([least, most]: readonly [number, number]): string {
  return least === most ? grouped(least) : `${grouped(least)} to ${grouped(most)}`;
}

function grouped(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}
