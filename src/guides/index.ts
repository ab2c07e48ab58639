/** What the model is told: rules, and the chain of what people said of them. */
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
export { bodyOfRecord, parseRecord } from "./parse-record.ts";
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
