/** The guides: what the model is told. Pure. */
export {
  type Counts,
  type Evaluation,
  evaluate,
  evaluationOf,
  type Pair,
  type Rate,
} from "./ground/evaluate.ts";
export { type Candidate, type Explanation, explain } from "./ground/explain.ts";
export { GROUND_RULES, type GroundFinding, type GroundRule } from "./ground/findings.ts";
export { type Blocked, type Fix, type GateReport, gate, gateReport, type Verdict } from "./ground/gate.ts";
export { type Grounded, ground, type Near } from "./ground/ground.ts";
export { type GroundedGuide, type GroundedStep, groundGuide } from "./ground/ground-guide.ts";
export { type GroundIndex, groundIndex } from "./ground/ground-index.ts";
export type { Scope } from "./ground/judge.ts";
export { readControlMaps, readPairs } from "./ground/read-pairs.ts";
export { SCORE_1 } from "./ground/score-1.ts";
