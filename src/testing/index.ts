/** For tests: yours as well as ours. */
export { type FaultyStoreOptions, faultyStore } from "./faulty-store.ts";
export { type Judged, type JudgeInput, judge } from "./judge.ts";
export { type MisbehavingServer, type MisbehavingServerOptions, misbehavingServer } from "./misbehaving-server.ts";
export type { Expected, Misbehaviour, Recorded, TrialEnd, TrialProposal } from "./misbehaviour-expected.ts";
export type {
  BentReply,
  HeardRequest,
  HonestReply,
  RawReply,
  ServerCall,
  ServerReply,
} from "./misbehaviour-script.ts";
export { MISBEHAVIOURS, type MisbehaviourName } from "./misbehaviours.ts";
export { type ScriptedModel, type ScriptedReply, scriptedModel } from "./scripted-model.ts";
export { countedIds, type SimulatedClock, simulatedClock } from "./simulated-clock.ts";
