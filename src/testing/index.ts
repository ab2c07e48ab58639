/** For tests: yours as well as ours. */
export { type FaultyStoreOptions, faultyStore } from "./faulty-store.ts";
export { type Judged, type JudgeInput, judge } from "./judge.ts";
export { type ScriptedModel, type ScriptedReply, scriptedModel } from "./scripted-model.ts";
export { countedIds, type SimulatedClock, simulatedClock } from "./simulated-clock.ts";
