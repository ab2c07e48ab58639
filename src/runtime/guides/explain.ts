import { isMetByEvent } from "../../domain/condition.ts";
import type { Ending } from "../../domain/ending.ts";
import type { Finding } from "../../domain/finding.ts";
import type { GuideEvent } from "../../domain/guide-event.ts";
import type { Served } from "../../domain/served.ts";
import { advance, type Breach, newRun } from "../../loop/index.ts";
import { eventsOf } from "../journal.ts";
import { type Parts, scopeOfRun } from "../parts.ts";
import { beganOf, readVerified } from "../recorded.ts";

/** What a recorded run was told, and what it was not: from its rows alone. */
export type Explained = {
  readonly run: string;
  readonly at: number;
  readonly request: string;
  readonly model: string;
  readonly ending: Ending | null;
  /** Why there was no plan; null where there was one, or where no guides were configured. */
  readonly refused: string | null;
  /** The receipt; null where nothing was served. */
  readonly served: Served | null;
  /** Rules of channel B whose event happened: by which step's events, and before which turn. */
  readonly injected: readonly { readonly rule: string; readonly step: number; readonly turn: number }[];
  /** Rules of channel B whose event never happened: the model was not told them. */
  readonly waiting: readonly string[];
  /** What tools saw, in the order in which it happened: what `when` and `breach` are held against. */
  readonly events: readonly (GuideEvent & { readonly step: number })[];
  /** Guides that were not told since the screen that came up was not the one that was harvested. */
  readonly findings: readonly Finding[];
  readonly breaches: readonly Breach[];
};

/** @throws SignalboxError `unknown_run`, `ledger_damaged`. */
export async function explain(parts: Parts, id: string): Promise<Explained> {
  const events = eventsOf(await readVerified(parts, id));
  const began = beganOf(events, id);
  let run = newRun(scopeOfRun(parts, began).rules);
  let refused: string | null = null;
  const injected: { rule: string; step: number; turn: number }[] = [];
  for (const event of events) {
    run = advance(run, event);
    if (event.kind === "interrupted" && event.ending === "guide_refused") refused = event.detail;
    if (event.kind === "injected") {
      for (const rule of event.rules) injected.push({ rule, step: event.step, turn: Math.max(1, run.turn) });
    }
  }
  const { at, request, model, guides } = began;
  const came = new Set(injected.map(({ rule }) => rule));
  const waiting = (guides?.report.routed ?? []).map((rule) => rule.id).filter((rule) => !came.has(rule));
  const { ended: ending, breaches } = run;
  const seen = events.flatMap((event) =>
    event.kind === "finished" ? event.events.map(({ name, facts }) => ({ step: event.step, name, facts })) : [],
  );
  const findings = staleScreens(guides, waiting, seen);
  const told = { served: guides, injected, waiting, events: seen, findings, breaches };
  return { run: id, at, request, model, ending, refused, ...told };
}

/** A guide that waits for a screen as it was harvested, in a run that saw this screen otherwise. */
function staleScreens(
  guides: Served | null,
  waiting: readonly string[],
  seen: readonly GuideEvent[],
): readonly Finding[] {
  return (guides?.report.routed ?? []).flatMap(({ id, when }): readonly Finding[] => {
    const facts = new Map(when.facts.map(({ name, anyOf }) => [name, anyOf]));
    const [screen, digest] = [facts.get("screen"), facts.get("digest")];
    if (!waiting.includes(id) || screen === undefined || digest === undefined) return [];
    const other = seen.find((event) => isMetByEvent({ ...when, facts: [{ name: "screen", anyOf: screen }] }, event));
    if (other === undefined) return [];
    const message = `the screen ${screen.join(" or ")} has changed since it was harvested: harvest it again, and plan anew`;
    return [{ rule: "stale_screen", severity: "error", where: id, message }];
  });
}
