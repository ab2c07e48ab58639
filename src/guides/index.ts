/** The guides: what the model is told. Pure and synchronous. */
export { compile } from "./compile.ts";
export { type Glob, parseGlob } from "./glob.ts";
export { matchesName, matchesPath } from "./glob-match.ts";
export { guideTask } from "./guide-task.ts";
export { pathsIn } from "./paths-in.ts";
export { type RuleSet, ruleSet } from "./rule-set.ts";
export { explainSelection } from "./select.ts";
export { isServePlan, type ServePlan } from "./serve-plan.ts";
export { parsePhrase, parseWord, runsOf } from "./words.ts";
