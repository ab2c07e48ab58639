import { isMetByEvent } from "../domain/condition.ts";
import type { Finished, Injected } from "../domain/event.ts";
import type { GuideEvent } from "../domain/guide-event.ts";
import { oneLine } from "../domain/result.ts";
import { brokenByEvents } from "./guardrails/watchdog.ts";
import { noteSince } from "./keep.ts";
import { ruleText } from "./rule-text.ts";
import type { Breach, Due, Run } from "./run.ts";
import { INJECTED, RULES } from "./told.ts";
import { bug, end } from "./turns.ts";

/**
 * Channel B (design 5.3): a rule with `when` is injected once, when an event first meets it, and then stands in every prompt
 * of the run. The injection comes before whatever would go on next, so that the model is told before it is asked again.
 */

/** What a step's events do: they may break what was taught before, and teach what waits for them. In this order. */
export function afterEvents(run: Run, { events, step }: Finished): Run {
  if (events.length === 0 || run.began === null || run.began.guides === null) return run;
  const due = dueAfter(run, events, step);
  const next = due === run.due ? run : { ...run, due };
  return withBreaches(next, brokenByEvents(run, events, step));
}

/** Rules that wait for one of these events and were not injected, behind those that are due already. */
function dueAfter({ began, taught, due }: Run, events: readonly GuideEvent[], step: number): Due | null {
  const known = due?.rules ?? [];
  const met = (began?.guides?.report.routed ?? []).filter(
    ({ id, when }) => !taught.includes(id) && !known.includes(id) && events.some((event) => isMetByEvent(when, event)),
  );
  return met.length === 0 ? due : { step: due?.step ?? step, rules: [...known, ...met.map(({ id }) => id)] };
}

/** A plan that was made before a rule applied stops there; the model is told how much of it was not done. */
export function planStopped(run: Run): Run {
  const left = run.queue === null ? 0 : run.queue.steps.length - run.queue.next - 1;
  if (left < 1) return run;
  const line = `the plan stopped, since a rule applies now: ${left} step${left === 1 ? "" : "s"} not performed`;
  return noteSince(run, line);
}

/** The breaches are kept, and the model is told of them; one that escalates to `end` ends the run. */
export function withBreaches(run: Run, breaches: readonly Breach[]): Run {
  if (breaches.length === 0) return run;
  const noted = breaches.reduce((before, breach) => noteSince(before, breachLine(run, breach)), run);
  const next: Run = { ...noted, breaches: [...run.breaches, ...breaches] };
  const last = breaches.find(({ escalate }) => escalate === "end");
  return last === undefined ? next : end(next, "watchdog", `rule ${last.rule} was broken by ${last.by}`);
}

/**
 * No prompt has the names of rules: what the model can know one by is its text. That is repeated where the line holds it as it is, and
 * never a part of it, which may say something else than the whole; else the line says where it stands.
 */
function breachLine({ began }: Run, { rule, by }: Breach): string {
  const line = `rule ${rule} was broken by ${by}`;
  const guides = began?.guides ?? null;
  const text = guides === null ? null : ruleText(guides, rule);
  if (guides === null || text === null) return line;
  const whole = `${line}. The rule says: ${text}`;
  if (oneLine(whole) === whole) return whole;
  const { kept } = guides.report;
  const at = kept.findIndex(({ id }) => id === rule);
  return `${line}. It stands ${at < 0 ? `under ${INJECTED}` : `under ${RULES}, number ${at + 1} of ${kept.length}`}`;
}

/** Puts what is due before the next thing that goes on. An ended run teaches nothing; it does so where it is continued. */
export function teachFirst(run: Run): Run {
  const { due, command } = run;
  if (due === null || command === null) return run;
  switch (command.kind) {
    case "ask_model":
    case "perform":
    case "retrieve":
      return { ...run, deferred: command, command: { kind: "inject", step: due.step, rules: due.rules } };
    default:
      return run;
  }
}

export function afterInjection(run: Run, event: Injected): Run {
  const { command, deferred, due } = run;
  if (command?.kind !== "inject" || deferred === null || due === null || event.rules.join() !== due.rules.join()) {
    return bug(run, "an injection that nothing asked for");
  }
  return { ...run, taught: [...run.taught, ...due.rules], due: null, deferred: null, command: deferred };
}
