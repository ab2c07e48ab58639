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
export { FINDING_CODES, type FindingCode, finding } from "./finding-codes.ts";
export { FOLLOW_ID_UNITS, type FollowPart, followParts } from "./follow.ts";
export { type Glob, parseGlob, parsePathGlob } from "./glob.ts";
export { matchesName, matchesPath } from "./glob-match.ts";
export {
  type Counts,
  type Evaluation,
  evaluate,
  evaluationOf,
  type Outcome,
  outcomeOf,
  type Pair,
  type Rate,
} from "./ground/evaluate.ts";
export { type Candidate, type Explanation, explain } from "./ground/explain.ts";
export { GROUND_RULES, type GroundFinding, type GroundRule } from "./ground/findings.ts";
export { type Blocked, type Fix, type GateReport, gate, gateReport, type Verdict } from "./ground/gate.ts";
export { type Grounded, ground, type Near } from "./ground/ground.ts";
export { type GroundedGuide, type GroundedStep, groundGuide } from "./ground/ground-guide.ts";
export { type GroundIndex, groundIndex } from "./ground/ground-index.ts";
export { groundRule } from "./ground/ground-rule.ts";
export type { Scope } from "./ground/judge.ts";
export { readControlMaps, readPairs } from "./ground/read-pairs.ts";
export { SCORE_1 } from "./ground/score-1.ts";
export { guideTask } from "./guide-task.ts";
export { guideText } from "./guide-text.ts";
export { joinMaps } from "./harvest/join-maps.ts";
export { Passwords } from "./harvest/passwords.ts";
export { readControlLines } from "./harvest/read-jsonl.ts";
export { type ReadMarkupText, readText, TEXT_KINDS, type TextKind } from "./harvest/read-text.ts";
export { READING_FINDINGS, type Reading } from "./harvest/reading.ts";
export { distinctiveWords } from "./import/distinctive-words.ts";
export { importAll } from "./import/import-all.ts";
export { type ImportOptions, importFile } from "./import/import-file.ts";
export { importLines } from "./import/import-lines.ts";
export { type ForeignHeader, readHeader as readForeignHeader } from "./import/read-header.ts";
export { type Lint, lint } from "./lint.ts";
export type { LintFile } from "./lint-file.ts";
export { parseGuide } from "./parse-guide.ts";
export { mapFile, parseMap } from "./parse-map.ts";
export { bodyOfRecord, parseRecord } from "./parse-record.ts";
export {
  parseRule,
  RULE_FILE_BYTES_MAX,
  type RuleFile,
  type RuleParse,
  type RulePlaces,
  unreadableFile,
} from "./parse-rule.ts";
export { pathsIn } from "./paths-in.ts";
export { shownName } from "./places.ts";
export { type LeftOut, PLAN_SCHEMA, PLAN_SYSTEM, type PlanPrompt, planPrompt } from "./plan-prompt.ts";
export { RULE_KEYS, type RuleKey } from "./read-header.ts";
export { type RuleSet, ruleSet } from "./rule-set.ts";
export type { SafetyShare } from "./safety-share.ts";
export { explainSelection } from "./select.ts";
export { isServePlan, type ServePlan } from "./serve-plan.ts";
export { HEADER_BYTES_MAX } from "./split-file.ts";
export {
  isToPublish,
  newestPassing,
  newestVerification,
  type PublishedRevision,
  publicationOf,
  publishedAt,
  publishedNow,
  publishedOf,
  revisionsOf,
  standingApprovals,
  standingReceipt,
  stateOfRevision,
  verificationOf,
  verificationsOf,
  withdrawnSince,
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

export { type WrittenCondition, type WrittenHeader, writeRule } from "./write-rule.ts";
