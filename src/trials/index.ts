/** The trials: paired runs and what they show. Pure and synchronous. */
export { ABSENT, ALONE, type Arm, armsOf, CONTROL_ARMS, comparisonsOf } from "./arms.ts";
export { checkTold, toldFacts } from "./check-told.ts";
export { CONTROL_FLOOR, CONTROL_PAIRS_MIN, controlOf } from "./control.ts";
export { errorsDecide } from "./errors-decide.ts";
export { trialHtml } from "./html.ts";
export { checkText, holdsValues, type Judgement, judgeRun } from "./judge-run.ts";
export { copyId, type LaidRule, laidRules, layoutOf } from "./layout.ts";
export { holm, type McNemar, mcnemar } from "./mcnemar.ts";
export { ALPHA, PAIRS_MAX, POWER, planTable, planTrial, type Rates } from "./plan-trial.ts";
export { isCold, type OwnPairs, ownPairsOf, repeatsOf } from "./repeats.ts";
export { keyOf, lastAttempts, pairsOf, planOf, ratesOf, reportTrial, strayIn } from "./report-trial.ts";
export { type RunAction, safetyScore } from "./safety-score.ts";
export { chanceText, comparisonText, intervalText, rateText, spanText, verdictText } from "./say.ts";
export { type ScheduledRun, scheduleOf } from "./schedule.ts";
