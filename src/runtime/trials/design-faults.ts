import type { ExpectedRates, RuleRef, TrialCheck, TrialDesign, Vary } from "../../domain/trial.ts";
import { unreachable } from "../../domain/unreachable.ts";
import { armsOf, PAIRS_MAX, pairsOf } from "../../trials/index.ts";
import type { Fault } from "../form.ts";

/** What is wrong with a design that has the right shape. */
export function designFaults(design: TrialDesign): readonly Fault[] {
  return [
    ...varyFaults(design.vary),
    ...fillerFaults(design),
    ...twice(design.tasks.map(({ id }) => id)).map((id) => ({ path: "tasks", message: `two tasks have the id ${id}` })),
    ...judgeFaults(design),
    ...pairFaults(design),
  ];
}

function varyFaults(vary: Vary): readonly Fault[] {
  switch (vary.kind) {
    case "volume":
      return sameArms("vary.volume.neighbours", vary.value.neighbours);
    case "position":
      return sameArms("vary.position.places", vary.value.places);
    case "channel":
      return [];
    case "repeated": {
      const even = vary.value.times.filter((n) => n % 2 === 0);
      const message = `${even.join(", ")}: must be odd, so that the copy in the middle stays where it is`;
      const path = "vary.repeated.times";
      return [...sameArms(path, vary.value.times), ...(even.length === 0 ? [] : [{ path, message }])];
    }
    default:
      return unreachable(vary);
  }
}

/** Two arms that are the same would be a comparison of nothing. */
function sameArms(path: string, values: readonly (number | string)[]): readonly Fault[] {
  return twice(values).map((value) => ({
    path,
    message: `${value} is there twice, and two arms that are one vary nothing`,
  }));
}

function fillerFaults({ rule, fillers, vary }: TrialDesign): readonly Fault[] {
  const faults: Fault[] = [];
  const path = "fillers";
  const isRule = ({ id, revision }: RuleRef): boolean => id === rule.id || revision === rule.revision;
  if (fillers.some(isRule)) faults.push({ path, message: `the rule ${rule.id} itself is among them` });
  for (const id of twice(fillers.map((filler) => filler.id))) faults.push({ path, message: `${id} is there twice` });
  for (const revision of twice(fillers.map((filler) => filler.revision))) {
    faults.push({ path, message: `the revision ${revision.slice(0, 12)} is there twice, so it would be told twice` });
  }
  const most = Math.max(...armsOf(vary).map(({ neighbours }) => neighbours));
  if (most > fillers.length) {
    faults.push({ path, message: `an arm has ${most} neighbours, and there are ${fillers.length} to draw from` });
  }
  return faults;
}

const NEGATIVE: readonly TrialCheck["kind"][] = ["not_proposed", "answer_lacks"];

/** A judge that only looks for what must not happen is content with a run that does nothing at all. */
function judgeFaults({ judge }: TrialDesign): readonly Fault[] {
  if (![...judge.obeyed, ...judge.opportunity].every(({ kind }) => NEGATIVE.includes(kind))) return [];
  const message =
    "a run that does nothing would obey the rule: say in `obeyed` or `opportunity` what has to happen, `ended` for example";
  return [{ path: "judge", message }];
}

function pairFaults(design: TrialDesign): readonly Fault[] {
  const rates = rateFaults(design.expect);
  if (rates.length > 0) return rates;
  if (pairsOf(design) !== null) return [];
  const message = `to tell these rates apart takes more than ${PAIRS_MAX} pairs: expect a larger difference, or give \`pairs\``;
  return [{ path: "expect", message }];
}

/** Which of the rates it is that cannot be, and what it must be. */
function rateFaults({ high, low, discordance }: ExpectedRates): readonly Fault[] {
  if (high === 0)
    return [{ path: "expect.high", message: "must be more than 0: no rate is lower, to be told from it" }];
  if (low >= high) {
    return [
      { path: "expect.low", message: `must be lower than \`high\`, which is ${high}: else nothing is told apart` },
    ];
  }
  const [least, most] = [high - low, Math.min(high + low, 200 - high - low)];
  if (discordance === null || (discordance >= least && discordance <= most)) return [];
  const message = `must be from ${least} to ${most}: with rates of ${high} % and ${low} % so many pairs come out differently`;
  return [{ path: "expect.discordance", message }];
}

function twice<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values.filter((value, i) => values.indexOf(value) !== i))];
}
