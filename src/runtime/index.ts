/** The corridor: the only room that knows the order in which the others are used. */

export type { ApprovalEntry } from "./approval-entry.ts";
export type { ApprovalFilter, Edit, Word } from "./approvals.ts";
export type { CapState, CapsFilter } from "./caps.ts";
export {
  APPROVAL_MS,
  type ApproverConfig,
  type Config,
  checkConfig,
  defineConfig,
  mergeBudgets,
  mergeWindow,
  nearest,
  type PrincipalConfig,
} from "./config.ts";
export type { Denials, DenialsQuery } from "./denials.ts";
export type { TextPiece } from "./drafting.ts";
export { SignalboxError } from "./error.ts";
export type { OpenOutcome, Resolution } from "./outcomes.ts";
export type { DecideOutcome, GuardCall, GuardOutcome, Settling } from "./outside.ts";
export { type Parts, policyVersionOf, type Scope, scopeOf } from "./parts.ts";
export type { OutsideProposal, ProposalContext } from "./proposed.ts";
export type { Difference, Replay } from "./replay.ts";
export type { RunOutcome } from "./run.ts";
export { type ShownCall, type ShownSent, type ShownTurn, showCall, showSent } from "./shown.ts";
export {
  type Approvals,
  type Outcomes,
  openSignalbox,
  type RunOptions,
  type Signalbox,
  type Thread,
  type ThreadOptions,
} from "./signalbox.ts";
