import { type GuardrailTwin, twin } from "./guardrail-twin.ts";
import { TEACHING_TWINS } from "./teaching-twins.ts";

const ADVANCE = "loop/advance.ts";
const TURNS = "loop/turns.ts";
const BUDGET = "loop/guardrails/turn-budget.ts";
const REPETITION = "loop/guardrails/repetition.ts";
const CYCLE = "loop/guardrails/cycle.ts";
const SHORT = "loop/guardrails/short-circuit.ts";
const ROUTES = "loop/guardrails/auto-correction.ts";
const COMPRESSION = "loop/guardrails/compression.ts";
const PROMPT = "loop/prompt.ts";
const KEYS = "loop/step-keys.ts";
const KEEP = "loop/keep.ts";

export const GUARDRAIL_TWINS: readonly GuardrailTwin[] = [
  // 1. Turn budget
  twin("turnBudget", "one turn too many", BUDGET, "turnsUsed >= turnsMax", "turnsUsed > turnsMax"),
  twin("turnBudget", "one turn too few", BUDGET, "turnsUsed >= turnsMax", "turnsUsed + 1 >= turnsMax"),
  twin(
    "turnBudget",
    "no turn budget at the top of the turn",
    TURNS,
    'if (turnBudgetSpent(run.used.turns, began.budgets.turns)) return end({ ...run, queue: null }, "turn_budget");',
    "",
  ),
  twin(
    "turnBudget",
    "an empty text at the end of the budget",
    TURNS,
    "text: text ?? `",
    'text: text ?? ((..._parts: unknown[]) => "")`',
  ),

  // Calls and steps
  twin(
    "callAndStepBudgets",
    "no call budget",
    TURNS,
    'if (run.used.modelCalls >= budgets.modelCalls) return "call_budget";',
    "",
  ),
  twin(
    "callAndStepBudgets",
    "a re-ask is not counted as a call",
    ADVANCE,
    'used: { ...run.used, modelCalls: run.used.modelCalls + 1 },\n      command: { kind: "ask_model", turn: event.turn, call: 2',
    'command: { kind: "ask_model", turn: event.turn, call: 2',
  ),
  twin(
    "callAndStepBudgets",
    "one step too many",
    ADVANCE,
    "run.used.steps >= began.budgets.steps",
    "run.used.steps > began.budgets.steps",
  ),
  twin(
    "callAndStepBudgets",
    "the steps of a plan are not counted",
    ADVANCE,
    "used: { ...run.used, steps: run.used.steps + 1 },",
    "used: { ...run.used, steps: run.used.steps + (run.queue?.plan === true ? 0 : 1) },",
  ),

  // 2. Repetition
  twin("repetition", "the fourth identical one ends the run", REPETITION, "IDENTICAL_MAX = 3", "IDENTICAL_MAX = 4"),
  twin("repetition", "the second identical one ends the run", REPETITION, "IDENTICAL_MAX = 3", "IDENTICAL_MAX = 2"),
  twin(
    "repetition",
    "results play a part",
    ADVANCE,
    "return seen.due === null ? stepDone(seen) :",
    `if (run.newest === null || run.newest.json !== noted.newest?.json) {
        return stepDone({ ...seen, streak: null, recent: [] });
      }
      return seen.due === null ? stepDone(seen) :`,
  ),
  twin(
    "repetition",
    "evidence is ignored",
    KEYS,
    "const evidence = step.evidence.length < 2 ? step.evidence : [...step.evidence].sort();",
    "const evidence: string[] = [];",
  ),
  twin("repetition", "the order of the evidence counts", KEYS, "[...step.evidence].sort()", "step.evidence"),
  twin(
    "repetition",
    "only the tool's name is compared",
    KEYS,
    "canonicalJson({ tool: step.tool, params: step.params, evidence })",
    "canonicalJson({ tool: step.tool, evidence })",
  ),
  twin(
    "repetitionOfEverything",
    "denied proposals do not count",
    ADVANCE,
    "{ ...run, lastSettled: null, staged: null, approved: null },\n        {",
    "{ ...run, lastSettled: null, staged: null, approved: null, streak: null, recent: [] },\n        {",
  ),
  twin(
    "repetitionOfEverything",
    "a plan hides a row of identical steps",
    ADVANCE,
    "if (isTooLong(streak)) return",
    "if (isTooLong(streak) && !queue.plan) return",
  ),
  twin(
    "repetitionOfEverything",
    "a one-step plan is another proposal",
    ADVANCE,
    "const judged = queue.plan ? run : sign(run, signature);",
    `const other = step.route === "direct" ? signature : { ...signature, text: \`plan \${signature.text}\` };
  if (other !== signature) return performStep({ ...sign(run, other), streak: null, shortCircuits: null }, step);
  const judged = queue.plan ? run : sign(run, signature);`,
  ),
  twin(
    "repetitionOfEverything",
    "the order of a plan's steps hides that they are the same",
    ADVANCE,
    "    .map((signature) => signature.text)\n    .sort()",
    "    .map((signature) => signature.text)",
  ),

  // Malformed replies
  twin("malformed", "the fourth malformed turn ends the run", ADVANCE, "MALFORMED_MAX = 3", "MALFORMED_MAX = 4"),
  twin("malformed", "the second malformed turn ends the run", ADVANCE, "MALFORMED_MAX = 3", "MALFORMED_MAX = 2"),
  twin("malformed", "no re-ask", ADVANCE, "if (call === 1 && spentBudget(run) === null) {", "if (call === 0) {"),
  twin(
    "malformed",
    "a readable reply does not start the count again",
    ADVANCE,
    "return afterReadable(next.malformedInARow === 0 ? next : { ...next, malformedInARow: 0 }, event.reply, event);",
    "return afterReadable(next, event.reply, event);",
  ),

  // mayRepeat
  twin("mayRepeat", "polling makes a streak", REPETITION, "if (signature.mayRepeat) return null;", ""),
  twin("mayRepeat", "polling is a repetition", REPETITION, "newest.mayRepeat || ", ""),
  twin("mayRepeat", "mayRepeat is not looked up", KEYS, "run.rules.tools.get(step.tool)?.mayRepeat ?? false", "false"),

  // Cycles
  twin("cycle", "period 2 after four rounds", CYCLE, "[2, 3],", "[2, 4],"),
  twin("cycle", "period 2 after two rounds", CYCLE, "[2, 3],", "[2, 2],"),
  twin("cycle", "no period 2", CYCLE, "[2, 3],", ""),
  twin("cycle", "no period 3", CYCLE, "[3, 2],", ""),
  twin("cycle", "no period 4", CYCLE, "[4, 2],", ""),
  twin("cycle", "too short a memory for period 4", CYCLE, "RECENT_TURNS = 8", "RECENT_TURNS = 7"),
  twin("cycle", "polling is a cycle", CYCLE, "goesRound && tail.some((entry) => !entry.mayRepeat)", "goesRound"),

  // 3. Short-circuit
  twin(
    "shortCircuit",
    "counted under repetition",
    ADVANCE,
    "if (done !== null) return giveReceipt(run, step, done);",
    `if (done !== null) {
    const counted = sign(run, signatureOf(run, step));
    return counted.command?.kind === "end" ? counted : giveReceipt(counted, step, done);
  }`,
  ),
  twin(
    "shortCircuit",
    "not cleared by another result",
    KEEP,
    "if (key === null) return { ...run, lastDone, lastSettled: null };",
    "if (key === null) return { ...run, lastDone };",
  ),
  twin(
    "shortCircuit",
    "what did not pass settles as well",
    KEEP,
    "const lastSettled = event.pass ? receipt : null;",
    "const lastSettled = receipt;",
  ),
  twin("shortCircuit", "the fourth ends the run", SHORT, "SHORT_CIRCUITS_MAX = 3", "SHORT_CIRCUITS_MAX = 4"),
  twin("shortCircuit", "the second ends the run", SHORT, "SHORT_CIRCUITS_MAX = 3", "SHORT_CIRCUITS_MAX = 2"),
  twin(
    "shortCircuit",
    "it never ends the run",
    SHORT,
    "return circuits !== null && circuits.count >= SHORT_CIRCUITS_MAX;",
    "return false;",
  ),
  twin("shortCircuit", "what passed is done again", SHORT, "return last?.key === key ? last : ", "return "),
  twin(
    "onceSettles",
    "a receipt is forgotten when something else happens",
    SHORT,
    "last : receiptFor(receipts, key)",
    "last : null",
  ),
  twin(
    "onceSettles",
    "any payment settles every other",
    KEYS,
    "if (tool.once && !tool.mayRepeat) return",
    "if (tool.once && !tool.mayRepeat) return step.tool;\n  if (tool.once && !tool.mayRepeat) return",
  ),
  twin(
    "onceSettles",
    "what failed leaves a receipt",
    ADVANCE,
    ": { ...noted, lastSettled: null },",
    ": settle(noted, { ...event, pass: true }, event.result),",
  ),

  // 4. Auto-correction
  twin("autoCorrection", "no route to the local actor", ROUTES, 'found.local ? "local" : "adapter"', '"adapter"'),
  twin("autoCorrection", "no route to the adapter", ROUTES, 'found.local ? "local" : "adapter"', '"local"'),
  twin(
    "autoCorrection",
    "no route for code work",
    ROUTES,
    "alone && builder?.local === true && isCodeWork(step.description)",
    "false",
  ),
  twin("autoCorrection", "code work is routed in longer plans too", ROUTES, "if (alone && builder", "if (builder"),
  twin(
    "autoCorrection",
    "anything goes to the builder",
    ROUTES,
    "builder?.local === true && isCodeWork(step.description)",
    "builder?.local === true",
  ),
  twin(
    "autoCorrection",
    "an actor that is not installed is tried all the same",
    ROUTES,
    'if (NOT_ACTORS.includes(step.actor)) return { tool: step.actor, ...rest, route: "actor_not_in_allowlist" };',
    "",
  ),
  twin("autoCorrection", "what nobody can perform is performed", ROUTES, 'route: "unroutable" }', 'route: "adapter" }'),
  twin(
    "planStops",
    "a plan goes on after a denial",
    ADVANCE,
    "      return stepNotDone(noted);",
    "      return stepDone(noted);",
  ),
  twin("planStops", "a plan goes on after a failure", ADVANCE, "return stepNotDone(seen);", "return stepDone(seen);"),

  ...TEACHING_TWINS,

  // 5. Compression
  {
    check: "newestIsCutLast",
    fault: "the newest result is cut first",
    patches: [
      {
        file: PROMPT,
        find: `  const newest = newestBlock(run, left, cut);
  left -= newest.bytes;
  const lines = fitLines(run.history, left);
  left -= lines.bytes;`,
        replace: `  const lines = fitLines(run.history, left);
  left -= lines.bytes;
  const newest = newestBlock(run, left, cut);
  left -= newest.bytes;`,
      },
    ],
  },
  {
    check: "compression",
    fault: "the bound is not respected",
    patches: [
      { file: COMPRESSION, find: "if (newest.bytes <= bytesMax) return", replace: "if (bytesMax > 0) return" },
      { file: PROMPT, find: "if (bytes > bytesMax) throw", replace: "if (bytes < 0) throw" },
    ],
  },
  twin(
    "compression",
    "what was cut is not named",
    PROMPT,
    "cut.push(`the end of the newest result",
    "void (`the end of the newest result",
  ),
  {
    check: "boundIsInBytes",
    fault: "bytes are counted as characters",
    patches: [
      {
        file: COMPRESSION,
        find: "bytes: utf8Length(visible) }",
        replace: "bytes: visible.length }",
      },
      { file: PROMPT, find: "if (bytes > bytesMax) throw", replace: "if (bytes < 0) throw" },
    ],
  },
  twin(
    "olderAreLines",
    "older results stay whole",
    KEEP,
    "addLine(run.history, run.newest.line)",
    "addLine(run.history, run.newest.line + run.newest.json)",
  ),
  twin(
    "olderAreLines",
    "an older result leaves no line",
    KEEP,
    "run.newest === null ? run.history : addLine(run.history, run.newest.line)",
    "run.history",
  ),

  // Continue
  twin(
    "continues",
    "the open steps of a plan are forgotten",
    ADVANCE,
    "return openSteps && !stopped ? attemptStep(next) : nextTurn(next);",
    "return nextTurn(next);",
  ),
  twin(
    "continues",
    "a plan begins again",
    ADVANCE,
    "return openSteps && !stopped ? attemptStep(next) : nextTurn(next);",
    "return next.queue === null ? nextTurn(next) : attemptStep({ ...next, queue: { ...next.queue, next: 0 } });",
  ),
  twin(
    "continues",
    "the budgets are not fresh",
    ADVANCE,
    "used: { ...NOTHING_SPENT, since: event.at },\n    lastAt",
    "used: run.used,\n    lastAt",
  ),
];
