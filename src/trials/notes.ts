import type { ArmCount, Comparison, TrialControl, TrialPlan, TrialRepeats } from "../domain/trial-run.ts";
import type { Compared } from "./compare.ts";
import { promptOf } from "./repeats.ts";
import { intervalText, rateText } from "./say.ts";

type Noted = {
  readonly plan: TrialPlan | null;
  readonly missing: number;
  readonly control: TrialControl;
  readonly arms: readonly ArmCount[];
  readonly comparisons: readonly Comparison[];
  readonly repeats: TrialRepeats | null;
  readonly compared: readonly Compared[];
};

/** What has to be known to read the figures of a report right, each in a sentence. */
export function notesOf({ plan, missing, control, arms, comparisons, repeats, compared }: Noted): readonly string[] {
  return [
    ...(missing > 0 ? [`${missing} runs are missing, and until then no ordering is supported`] : []),
    ...comparisons.filter(({ survivors }) => survivors).map((one) => survivorNote(one, arms)),
    ...shortNotes(plan, comparisons),
    ...[control.alone, control.absent, ...arms].flatMap(lossNotes),
    ...promptNotes(repeats, compared),
  ];
}

function survivorNote({ first, second }: Comparison, arms: readonly ArmCount[]): string {
  const said = arms.filter(({ arm }) => arm === first || arm === second).map(lostText);
  return `${said.join("; ")}: what is left of them are survivors, and comparing those supports nothing`;
}

function lostText({ arm, abstained, abstainedInterval, errors, errorsInterval, ...count }: ArmCount): string {
  const of = count.obeyed + count.broken + abstained + errors;
  const lost = `${abstained} of ${of} runs abstained (${intervalText(abstainedInterval)})`;
  return `${arm}: ${lost}${errors === 0 ? "" : `, ${errors} came to an error (${intervalText(errorsInterval)})`}`;
}

/** The pairs that count are those that are complete, however many were declared. */
function shortNotes(plan: TrialPlan | null, comparisons: readonly Comparison[]): readonly string[] {
  if (plan === null) return [];
  const needed = plan.needed.supported;
  const short = comparisons.filter(({ complete }) => needed === null || complete < needed);
  if (short.length === 0) return [];
  const many = needed === null ? "more complete pairs than are looked for" : `${needed} complete pairs`;
  const rates = `${rateText(plan.high)} against ${rateText(plan.low)}`;
  const have = short.map(({ first, second, complete }) => `${first} and ${second} have ${complete}`);
  return [
    `to find a difference of ${rates} with ${plan.power * 100} % power takes ${many}, and fewer support no ordering: ${have.join(", ")}`,
  ];
}

function lossNotes({
  arm,
  abstained,
  abstainedInterval,
  errors,
  errorsInterval,
  ...count
}: ArmCount): readonly string[] {
  const of = count.obeyed + count.broken + abstained + errors;
  const notes: string[] = [];
  if (errors > 0) {
    notes.push(
      `${arm}: ${errors} of ${of} runs came to an error (${intervalText(errorsInterval)}) and count in no rate`,
    );
  }
  if (abstained > 0) {
    const share = intervalText(abstainedInterval);
    notes.push(`${arm}: ${abstained} of ${of} runs had no opportunity (${share}) and count in no rate`);
  }
  return notes;
}

const WHY_ONCE = {
  temperature: "the temperature was 0",
  replies: "the model was never seen to say two things of one prompt",
} as const satisfies { readonly [why in TrialRepeats]: string };

/** Runs with one prompt are draws of their own only where the model leaves something to chance. */
function promptNotes(repeats: TrialRepeats | null, compared: readonly Compared[]): readonly string[] {
  const few = compared.flatMap(({ count: { arm }, runs }) => {
    const prompts = new Set(runs.map(promptOf)).size;
    return prompts < runs.length ? [`${arm} ${prompts} in ${runs.length} runs`] : [];
  });
  if (few.length === 0) return [];
  const said = `different prompts: ${few.join(", ")}`;
  if (repeats === null)
    return [`${said}; the model was seen to say different things of one prompt, so each run counts`];
  return [
    `${said}; ${WHY_ONCE[repeats]}, so each prompt counts once: more tasks make more draws, and so does a temperature that the model heeds`,
  ];
}
