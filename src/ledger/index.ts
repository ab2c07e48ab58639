export { type Bucket, bucketMs } from "./bucket.ts";
export { type Checkpoint, checkpointDigest, makeCheckpoint, parseCheckpoint } from "./checkpoint.ts";
export { METRIC_DIMENSIONS, prometheusText } from "./exposition.ts";
export { type EntryFacts, headEntry, headOf } from "./heads.ts";
export { type RateShift, rateShift, SHIFT_PROPOSALS_MIN } from "./rate-shift.ts";
export { type ChainEnd, chainRow, chainStart, type HashText } from "./rows.ts";
export {
  type BucketCounts,
  beginTally,
  bucketsIn,
  type Counts,
  countDecision,
  type DecisionFact,
  type DenialGroup,
  DIMENSIONS,
  type Dimension,
  finishTally,
  type Outcome,
  type Tallied,
  type TallyQuery,
} from "./tally.ts";
export {
  addRun,
  addUnreadableRun,
  beginVerification,
  type ChainHead,
  type Fault,
  type FaultCode,
  finishVerification,
  type LedgerVerdict,
  ROW_FAULTS,
  type RowFault,
  type RunRows,
  type RunVerdict,
  type Verification,
  type VerifyOptions,
  verifyLedger,
  verifyRun,
} from "./verify.ts";
export { addGuides, type GuideRows } from "./verify-guides.ts";
