/** The guides: what the model is told, and the chain of what people said of it. Pure and synchronous. */
export {
  type BrokenChain,
  beginFold,
  CHAIN_CODES,
  type ChainCode,
  foldGuides,
  type GuideState,
  isBroken,
  type Judged,
  judgeRecord,
  NO_GUIDES,
  nameOf,
  type Placed,
  take,
} from "./chain.ts";
export { compile } from "./compile.ts";
export { type Glob, parseGlob } from "./glob.ts";
export { matchesName, matchesPath } from "./glob-match.ts";
export { guideTask } from "./guide-task.ts";
export { bodyOfRecord, parseRecord } from "./parse-record.ts";
export { pathsIn } from "./paths-in.ts";
export { type RuleSet, ruleSet } from "./rule-set.ts";
export { explainSelection } from "./select.ts";
export { isServePlan, type ServePlan } from "./serve-plan.ts";
export {
  newestPassing,
  newestVerification,
  type PublishedRevision,
  publishedNow,
  publishedOf,
  revisionsOf,
  standingApprovals,
  stateOfRevision,
} from "./standing.ts";
export { STATEMENT, type Stated, statementOf } from "./statement.ts";
export {
  type Circumstances,
  type SignatureVerdict,
  type Withholding,
  withholdingOf,
  withholdingOfApproval,
} from "./withhold.ts";
export { parsePhrase, parseWord, runsOf } from "./words.ts";
