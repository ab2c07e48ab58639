/**
 * Signalbox: the model proposes, deterministic code commits. The one public door; besides apps/ the only place where
 * adapters are wired to the corridor.
 */
import { guidesFolder, mapsFolder } from "./adapters/guides-folder/index.ts";
import { openAiModel } from "./adapters/model-openai/index.ts";
import { nodeSignatures } from "./adapters/signatures/index.ts";
import { openMemoryStore } from "./adapters/store-memory/index.ts";
import { openSqliteStore } from "./adapters/store-sqlite/index.ts";
import { hmacSha256, sha256, sha256Bytes, systemClock, ulids, VERSION } from "./adapters/world-node/index.ts";
import { DEFAULT_BUDGETS } from "./domain/budgets.ts";
import type { ControlMap } from "./domain/control-map.ts";
import type { Finding } from "./domain/finding.ts";
import type { GuideEvent } from "./domain/guide-event.ts";
import { isJsonObject, type JsonObject } from "./domain/json.ts";
import { frozenJson } from "./domain/plain.ts";
import type { Principal } from "./domain/principal.ts";
import { DEFAULT_PROFILE } from "./domain/profile.ts";
import { SECRET_LENGTH_MIN } from "./domain/redact.ts";
import { screenEventOf } from "./domain/screen-event.ts";
import type { TrialResults } from "./domain/trial-run.ts";
import { DEFAULT_WINDOW, type Window } from "./domain/window.ts";
import type { Model } from "./ports/model.ts";
import type { PublicKey } from "./ports/signatures.ts";
import type { Store } from "./ports/store.ts";
import { StoreError } from "./ports/store.ts";
import type { Clock } from "./ports/world.ts";
import {
  APPROVAL_MS,
  type Config,
  checkConfig as checkDeclared,
  checkKeys,
  checkRules,
  GUIDE_ROLE,
  type GuideParts,
  mergeBudgets,
  mergeWindow,
  openSignalbox,
  type PolicyConfig,
  policyVersionOf,
  profilesOf,
  type Rules,
  readTrialFile,
  type Signalbox,
  SignalboxError,
} from "./runtime/index.ts";

const signatures = nodeSignatures();

/** Everything that is wrong with a config, so that it can be mended in one go. Start-up refuses where any is an error. */
export function checkConfig(config: Config): readonly Finding[] {
  const findings = checkDeclared(config);
  return typeof config === "object" && config !== null
    ? [...findings, ...checkKeys(config.approvers, signatures)]
    : findings;
}

/**
 * Checks a config and opens it. Throws a SignalboxError `bad_config` that names everything that is wrong, or
 * `store_unavailable` where the ledger cannot be opened; nothing is half started.
 */
export function createSignalbox(config: Config): Signalbox {
  refuseErrors(checkConfig(config));
  const clock = config.clock ?? systemClock();
  const guides = guidesOf(config);
  return openSignalbox({
    ...rulesIn(config),
    model: modelOf(config.model, clock),
    store: storeOf(config.store ?? "./signalbox.db"),
    clock,
    ids: config.ids ?? ulids(clock),
    hashBytes: sha256Bytes,
    ledgerHash: config.ledgerKey === undefined ? sha256 : hmacSha256(config.ledgerKey),
    ledgerKeyed: config.ledgerKey !== undefined,
    memory: config.memory ?? null,
    guides,
    approvers: new Map(
      Object.entries(config.approvers ?? {}).map(([id, { keys, roles }]) => [
        id,
        { id, roles: [...roles], keys: keysIn(keys) },
      ]),
    ),
    approvalMs: config.approvalMs ?? APPROVAL_MS,
    services: config.services ?? {},
    budgets: mergeBudgets(DEFAULT_BUDGETS, config.budgets),
    window: mergeWindow(windowOf(guides), config.window),
  });
}

/** The window of the profile that is served for, where the config does not say it itself. */
function windowOf(guides: GuideParts | null): Window {
  const profile = guides?.profiles.get(guides.profile);
  if (profile === undefined) return DEFAULT_WINDOW;
  const { contextTokens: tokens, bytesPerToken, measured } = profile;
  return { ...DEFAULT_WINDOW, tokens, bytesPerToken, measured };
}

/**
 * The part of a config that decides: its tools, policies and principals, for `simulate` and `backtest`. Needs no model and
 * opens no store. Throws `bad_config` as createSignalbox does.
 */
export function rulesOf(config: PolicyConfig): Rules {
  refuseErrors(checkRules(config));
  return rulesIn(config);
}

/**
 * The event by which a tool says that a screen is up, for guides that were planned with `--follow`: `emit(screenEvent(map, "account"))`.
 * It carries the digest of what `map` has on this screen, and a guide is told only where that is what it was planned with. So `map` is
 * what the tool sees now; the harvested one, from `box.guides.map(name)`, tells of a change only after the next harvest.
 *
 * @throws RangeError where the map has no such screen.
 */
export function screenEvent(map: ControlMap, screen: string): GuideEvent {
  return screenEventOf(map, screen, sha256);
}

/** The runs of a trial as their file has them: what `reportTrial` takes. @throws SignalboxError where it is no such file. */
export function readTrialRuns(path: string): TrialResults {
  return readTrialFile(path, sha256);
}

function refuseErrors(findings: readonly Finding[]): void {
  const errors = findings.filter((finding) => finding.severity === "error");
  if (errors.length === 0) return;
  const lines = errors.map((finding) => `${finding.where}: ${finding.message}`);
  throw new SignalboxError("bad_config", lines.join("\n"), {
    hint: "signalbox doctor checks a config without running it",
  });
}

function rulesIn(config: PolicyConfig): Rules {
  const tools = new Map(config.tools.map((tool) => [tool.name, tool]));
  const policies = config.policies ?? [];
  return {
    hash: sha256,
    tools,
    policies,
    policyVersion: policyVersionOf({ tools, policies, hash: sha256 }, config.policyVersion ?? ""),
    principals: principalsOf(config),
    zone: config.zone ?? "UTC",
    redaction: {
      values: [...(config.redact?.values ?? []), ...keysOf(config.model)],
      fields: config.redact?.fields ?? [],
    },
  };
}

/**
 * What a model's server is given as a key: by `apiKey`, or in the query of its URL. Many local servers want one of any kind;
 * one that is too short to be a secret is found everywhere, and hides nothing.
 */
function keysOf(model: Config["model"] | undefined): readonly string[] {
  if (model === undefined || "complete" in model) return [];
  const query = new URL(model.baseUrl).search.slice(1).split("&");
  const raw = query.map((pair) => pair.slice(pair.indexOf("=") + 1));
  const keys = [model.apiKey ?? "", ...raw, ...new URL(model.baseUrl).searchParams.values()];
  return [...new Set(keys)].filter((key) => key.length >= SECRET_LENGTH_MIN);
}

function modelOf(model: Config["model"], clock: Clock): Model {
  return "complete" in model ? model : openAiModel({ ...model, clock, chance: Math.random });
}

/** checkConfig has read each of them. */
function keysIn(keys: readonly string[] = []): readonly PublicKey[] {
  return keys.flatMap((key) => {
    const read = signatures.readKey(key);
    return read.ok ? [read.value] : [];
  });
}

function guidesOf({ guides, model, profiles }: Config): GuideParts | null {
  if (guides === undefined) return null;
  const declared = typeof guides === "string" ? { folder: guides } : guides;
  const { app, exclude = [], folder, maps, profile, role, signatures: required } = declared;
  const ofModel = "complete" in model ? undefined : model.profile;
  const served = ofModel ?? profile ?? DEFAULT_PROFILE.name;
  return {
    files: typeof folder === "string" ? guidesFolder(folder) : folder,
    profiles: profilesOf(profiles, served),
    profile: served,
    app: app ?? null,
    role: role ?? GUIDE_ROLE,
    signaturesRequired: required === "required",
    exclude: [...exclude],
    map: null,
    maps: maps === undefined ? null : typeof maps === "string" ? mapsFolder(maps) : maps,
    signatures,
    tool: `signalbox ${VERSION}`,
  };
}

function storeOf(store: string | Store): Store {
  if (typeof store !== "string") return store;
  if (store === "memory") return openMemoryStore();
  try {
    return openSqliteStore({ path: store });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new SignalboxError(error.code === "unavailable" ? "store_unavailable" : error.code, error.message, {
      exitCode: 1,
    });
  }
}

function principalsOf(config: PolicyConfig): ReadonlyMap<string, Principal> | null {
  if (config.principals === undefined) return null;
  const all = config.tools.map((tool) => tool.name);
  return new Map(
    Object.entries(config.principals).map(([id, { tools, attributes }]) => [
      id,
      { id, tools: tools === "all" ? all : [...tools], attributes: attributesOf(attributes) },
    ]),
  );
}

/** A copy: what a config's owner changes afterwards was not what was decided on. checkConfig has seen that it is plain. */
function attributesOf(attributes: JsonObject | undefined): JsonObject {
  const copy = frozenJson(attributes ?? {});
  return copy.ok && isJsonObject(copy.value) ? copy.value : {};
}

export { z } from "zod";
export { type Budgets, DEFAULT_BUDGETS } from "./domain/budgets.ts";
export type { CapRange, CapSlot, CapUse, CapWindow, Reservation } from "./domain/cap.ts";
export type { Control, ControlMap, Screen } from "./domain/control-map.ts";
export { dayIn, daysBetween } from "./domain/dates.ts";
export { DENIAL_CODES, type Denial } from "./domain/denial.ts";
export { EffectFailed } from "./domain/effect-failed.ts";
export { ENDINGS, type Ending } from "./domain/ending.ts";
export type { RunEvent } from "./domain/event.ts";
export type { Finding } from "./domain/finding.ts";
export type { Guide, Milestone, RuleGuide } from "./domain/guide.ts";
export type { GuideEvent } from "./domain/guide-event.ts";
export { type Cited, type GuideSignature, RULE_STATES, type RuleState } from "./domain/guide-record.ts";
export type { Json, JsonObject } from "./domain/json.ts";
export type { Parsed, Why } from "./domain/parsed.ts";
export { definePolicy, type PolicyRule } from "./domain/policy.ts";
export { DEFAULT_PROFILE, type Profile, SLOTS, type Slot } from "./domain/profile.ts";
export type { Provenance, ProvenanceRule, ProvenanceRules, SeenIn, Sighting, Trusted } from "./domain/provenance.ts";
export type { Revision } from "./domain/revision.ts";
export type { Row } from "./domain/row.ts";
export type { Condition, Escalation, Rule, Scalar, TaskMatcher } from "./domain/rule.ts";
export type { Scenario, SimulatedVerdict, Simulation } from "./domain/scenario.ts";
export type {
  DroppedRule,
  DropReason,
  Refusal,
  RefusalCode,
  RoutedRule,
  Served,
  ServedRule,
  ServeReport,
  Unselected,
  WithheldCode,
  WithheldRule,
} from "./domain/served.ts";
export {
  type CallContext,
  type DecisionContext,
  defineActor,
  defineTool,
  type EvidenceItem,
  type RecordContext,
  type Tool,
  withServices,
} from "./domain/tool.ts";
export type { TrialDesign, TrialJudge } from "./domain/trial.ts";
export type { TrialPlan, TrialRefusal, TrialReport, TrialResults, TrialRun } from "./domain/trial-run.ts";
export { type Deny, deny, type Permit, permit, type Stage, stage, type Verdict } from "./domain/verdict.ts";
export type { Interval } from "./domain/wilson.ts";
export type { GroundedGuide, GroundedStep, GroundFinding, LeftOut, Verdict as GateVerdict } from "./guides/index.ts";
export {
  type Bucket,
  type BucketCounts,
  type Checkpoint,
  type Counts,
  type DenialGroup,
  DIMENSIONS,
  type Dimension,
  type LedgerVerdict,
  METRIC_DIMENSIONS,
  parseCheckpoint,
  prometheusText,
  type RateShift,
} from "./ledger/index.ts";
export type { Breach, Run } from "./loop/index.ts";
export type { GuideFile, GuideFiles } from "./ports/guide-files.ts";
export type { MapFiles } from "./ports/map-files.ts";
export type { Memory } from "./ports/memory.ts";
export type {
  Model,
  ModelMessage,
  ModelPrice,
  ModelReply,
  ModelRequest,
  ModelServer,
  ModelSettings,
} from "./ports/model.ts";
export {
  type CapEntry,
  type CapFilter,
  type CapHolder,
  type Closing,
  type DamagedRow,
  type DecideQuery,
  type DecideSeen,
  type DecideWrite,
  type HeadEntry,
  type RunEntry,
  type RunHeader,
  type ScannedRow,
  type SettledEffect,
  type SettleWrite,
  type Store,
  StoreError,
} from "./ports/store.ts";
export type { Clock, Ids } from "./ports/world.ts";
export type { RailRow } from "./rails/index.ts";
export {
  type ApprovalEntry,
  type ApprovalFilter,
  type Approvals,
  type ApprovedRule,
  type Backtest,
  type BacktestOptions,
  backtest,
  type CapState,
  type CapsFilter,
  type Config,
  checkPolicy,
  checkRules,
  type DecideOutcome,
  type Denials,
  type DenialsQuery,
  defineConfig,
  type Edit,
  type Explained,
  type Flip,
  type GuardCall,
  type GuardOutcome,
  type GuideSigning,
  type Guides,
  type GuidesConfig,
  type GuidesOptions,
  type GuideWord,
  type KeptRevision,
  type LintReport,
  type NamedMap,
  type OpenOutcome,
  type Outcomes,
  type OutsideProposal,
  type PinCheck,
  type PinResult,
  type PlannedGuide,
  type PlanWanted,
  type PolicyConfig,
  type ProfileConfig,
  type ProposalContext,
  type PublishedRule,
  parseScenario,
  type Replay,
  type Resolution,
  type RuleStatus,
  type Rules,
  type RunOptions,
  type RunOutcome,
  railsOf,
  readScenario,
  SCENARIO_SCHEMA,
  type ServeOutcome,
  type ServeWanted,
  type Settling,
  type ShownRule,
  type Signalbox,
  SignalboxError,
  simulate,
  type TextPiece,
  type Thread,
  type ThreadOptions,
  type Verified,
  type Withheld,
  type Word,
} from "./runtime/index.ts";
export {
  type Judgement,
  judgeRun,
  planTrial,
  type Rates,
  type RunAction,
  reportTrial,
  safetyScore,
} from "./trials/index.ts";
