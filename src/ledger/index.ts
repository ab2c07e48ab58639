export { type Checkpoint, checkpointDigest, makeCheckpoint, parseCheckpoint } from "./checkpoint.ts";
export { type EntryFacts, headEntry, headOf } from "./heads.ts";
export { type ChainEnd, chainRow, chainStart, type HashText } from "./rows.ts";
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
