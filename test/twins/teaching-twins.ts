import { type GuardrailTwin, twin } from "./guardrail-twin.ts";

const ADVANCE = "loop/advance.ts";
const COMPRESSION = "loop/guardrails/compression.ts";
const PROMPT = "loop/prompt.ts";
const KEEP = "loop/keep.ts";
const TEACH = "loop/teach.ts";
const TOLD = "loop/told.ts";
const WATCHDOG = "loop/guardrails/watchdog.ts";
const CONDITION = "domain/condition.ts";

/** Faults in channel B and in the watchdog. */
export const TEACHING_TWINS: readonly GuardrailTwin[] = [
  twin("taughtOnce", "a rule is taught at every event", TEACH, "!taught.includes(id) && ", ""),
  twin(
    "taughtOnce",
    "the model is asked before it is taught",
    TEACH,
    'case "ask_model":\n    case "perform":',
    'case "perform":',
  ),
  twin("taughtOnce", "an injected rule is in no prompt", PROMPT, "user.add(told.injected);", ""),
  twin("taughtOnce", "every rule on channel B is in the prompt", TOLD, "({ id }) => taught.includes(id)", "() => true"),
  twin(
    "roomIsReserved",
    "only what was injected takes room",
    TOLD,
    "channelBytes(report.routed)",
    "utf8Length(injected)",
  ),
  twin(
    "teachingFirst",
    "the watchdog acts on what was not taught",
    WATCHDOG,
    "breach !== null && taught.includes(id)",
    "breach !== null",
  ),
  twin(
    "teachingFirst",
    "a step that breaks a rule is performed",
    ADVANCE,
    'if (watched.command?.kind === "end") return watched;',
    "",
  ),
  twin("teachingFirst", "no escalation", TEACH, 'escalate === "end"', 'escalate === "warn"'),
  twin(
    "eventsBreak",
    "an event that teaches a rule breaks it as well",
    TEACH,
    "brokenByEvents(run, events, step)",
    "brokenByEvents({ ...next, taught: [...run.taught, ...(due?.rules ?? [])] }, events, step)",
  ),
  twin(
    "eventsBreak",
    "what broke a rule stands behind its breach",
    KEEP,
    "if (run.newest === null) return",
    "if (run.step > -1) return",
  ),
  twin(
    "breachIsTold",
    "a breach stands before the step before it",
    KEEP,
    "if (run.newest === null) return",
    "if (run.step > -1) return",
  ),
  twin(
    "breachIsTold",
    "a rule that was broken has a name only",
    TEACH,
    "guides === null ? null : ruleText(guides, rule)",
    "null",
  ),
  twin(
    "breachIsTold",
    "the text of another rule",
    "loop/rule-text.ts",
    "if (rule.id === id) return own;",
    "if (rule.id !== id) return own;",
  ),
  twin(
    "breachRepeatsWhole",
    "as much of the rule as the line holds",
    TEACH,
    "if (oneLine(whole) === whole) return whole;",
    'if (oneLine(whole) !== "") return whole;',
  ),
  twin("breachesAreBounded", "breaches take all the room", PROMPT, "Math.min(SINCE_BYTES_MAX, left >> 2)", "left"),
  twin(
    "breachIsTold",
    "a line takes as many bytes as the name of a rule",
    COMPRESSION,
    "QUOTE + oneLine(line)",
    "QUOTE + line",
  ),
  twin("teachingStopsPlans", "a plan goes on past a rule that applies now", ADVANCE, "seen.due === null ?", "true ?"),
  twin("teachingStopsPlans", "nobody says that a plan stopped", TEACH, "if (left < 1) return run;", "return run;"),
  twin("eventsBreak", "events break nothing", WATCHDOG, "if (events.length === 0) return [];", "return [];"),
  twin(
    "textIsTaught",
    "a rule in the text is not watched",
    WATCHDOG,
    "...kept.filter(({ breach }) => breach !== null), ",
    "",
  ),
  twin("textIsTaught", "params play no part", CONDITION, " && hasFacts(condition, params)", ""),
];
