export { type Checkpoint, checkpointDigest, makeCheckpoint, parseCheckpoint } from "./checkpoint.ts";
export { type EntryFacts, headEntry, headText } from "./heads.ts";
export { CHAIN_START, type ChainEnd, chainRow, chainStart, type HashText, rowText } from "./rows.ts";
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
