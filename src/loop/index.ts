/** The loop: what may happen next in a run. Pure; it names commands and performs nothing. */
export { advance, MALFORMED_MAX } from "./advance.ts";
export { CODE_WORDS, isCodeWork, LOCAL_ACTORS, type RoutedStep, routeStep } from "./guardrails/auto-correction.ts";
export { addLine, fitLines, fitNewest, newestOf } from "./guardrails/compression.ts";
export { cyclePeriod } from "./guardrails/cycle.ts";
export { isRepetition, isTooLong, nextStreak } from "./guardrails/repetition.ts";
export { nextShortCircuits, settledBy, shortCircuitsSpent } from "./guardrails/short-circuit.ts";
export { turnBudgetSpent } from "./guardrails/turn-budget.ts";
export { type OutsideState, type OutsideStep, proposalText, stepAfter } from "./outside-step.ts";
export { buildPrompt, type Prompt, type PromptResult, promptBytes } from "./prompt.ts";
export { quoted } from "./quoted.ts";
export { type Breach, type LoopRules, type LoopTool, newRun, type Run } from "./run.ts";
export { systemText } from "./system-text.ts";
export { wallUsed } from "./turns.ts";
export { type Wire, wireOf, wireSchema, withoutMeta } from "./wire-schema.ts";
