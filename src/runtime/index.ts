/** The corridor: the only room that knows the order in which the others are used. */
export type { ApprovalEntry } from "./approval-entry.ts";
export type { ApprovalFilter, Edit, Word } from "./approvals.ts";
export { type BacktestOptions, backtest } from "./backtest.ts";
export type { Backtest, Flip } from "./backtest-tally.ts";
export type { CapState, CapsFilter } from "./caps.ts";
export { checkPolicy, railsOf } from "./check-policy.ts";
export {
  APPROVAL_MS,
  type ApproverConfig,
  type Config,
  checkConfig,
  checkRules,
  defineConfig,
  mergeBudgets,
  mergeWindow,
  type PolicyConfig,
  type PrincipalConfig,
} from "./config.ts";
export {
  checkKeys,
  GUIDE_ROLE,
  type GuidesConfig,
  type GuidesOptions,
  type ProfileConfig,
  profilesOf,
} from "./config-guides.ts";
export type { Denials, DenialsQuery } from "./denials.ts";
export type { TextPiece } from "./drafting.ts";
export { SignalboxError } from "./error.ts";
export type { GuardCall, GuardOutcome } from "./guard.ts";
export type {
  ApprovedRule,
  GuideSigning,
  Guides,
  GuideWord,
  KeptRevision,
  LintReport,
  PinCheck,
  PinResult,
  PublishedRule,
  RuleStatus,
  ServeOutcome,
  ServeWanted,
  ShownRule,
  Verified,
} from "./guides/api.ts";
export { decodeUtf8 } from "./guides/decode-utf8.ts";
export type { Explained } from "./guides/explain.ts";
export type { GuideParts } from "./guides/guide-parts.ts";
export type { NamedMap } from "./guides/named-map.ts";
export type { PlannedGuide, PlanWanted } from "./guides/plan-guide.ts";
export type { Withheld } from "./guides/withheld-now.ts";
export { type HarvestParts, type HarvestRequest, harvest, textHarvester } from "./harvest/harvest.ts";
export type { OpenOutcome, Resolution } from "./outcomes.ts";
export type { DecideOutcome } from "./outside.ts";
export type { Settling } from "./outside-settle.ts";
export { type Parts, policyVersionOf, type Scope, scopeOf } from "./parts.ts";
export type { OutsideProposal, ProposalContext } from "./proposed.ts";
export type { Difference, Replay } from "./replay.ts";
export type { RunOutcome } from "./run.ts";
export { parseScenario, readScenario, SCENARIO_SCHEMA } from "./scenario-form.ts";
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
export { type Rules, simulate } from "./simulate.ts";
export { enactTools } from "./trials/enact-tools.ts";
export { openTrialWorld } from "./trials/open-world.ts";
export {
  runTrial,
  TRIAL_ENDINGS,
  type TrialEnd,
  type TrialEnding,
  type TrialOptions,
  type TrialProgress,
} from "./trials/run-trial.ts";
export { readTrialFile } from "./trials/trial-file.ts";
export { parseTrial, parseTrialDocument, readTrial, TRIAL_SCHEMA } from "./trials/trial-form.ts";
export type { ServedArm, TrialCarried, TrialCarry, TrialWorld } from "./trials/trial-world.ts";
