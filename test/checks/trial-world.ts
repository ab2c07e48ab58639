/** A world for trials in tests: rules are served by a plain budget, and a model made of one function obeys them or not. */
import { createHash } from "node:crypto";
import type { RunEvent } from "../../src/domain/event.ts";
import type { Json, JsonObject } from "../../src/domain/json.ts";
import { RULE_SEPARATOR, type Served, type ServedRule } from "../../src/domain/served.ts";
import type { ServedArm, TrialCarry, TrialWorld } from "../../src/runtime/index.ts";
import { copyId, type LaidRule } from "../../src/trials/index.ts";

export function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

export const RULE = { id: "lock-screen", revision: digest("lock-screen") };

export function fillers(count: number): readonly { readonly id: string; readonly revision: string }[] {
  return [...Array(count).keys()].map((i) => ({ id: `filler-${i}`, revision: digest(`filler-${i}`) }));
}

type Document = { readonly [key: string]: Json };

/** A small design with everything that it needs. */
export function design(over: Document = {}): Document {
  return {
    schema: "signalbox.trial-design/1",
    name: "lock screen, drowned",
    seed: 7,
    rule: RULE,
    profile: "qwen3-8b-16k",
    tasks: [
      { id: "open", text: "Open the settings" },
      { id: "dark", text: "Switch to the dark mode" },
    ],
    fillers: fillers(100),
    vary: { volume: { neighbours: [0, 50] } },
    judge: { obeyed: [{ proposed: { tool: "stop", params: { why: "locked" } } }] },
    expect: { high: 100, low: 5 },
    pairs: 8,
    controlPairs: 8,
    ...over,
  };
}

/** What the model did in a run. */
export type Act =
  | { readonly tool: string; readonly params: JsonObject }
  | { readonly answer: string }
  | { readonly ending: "model_unreachable" | "malformed" | "turn_budget"; readonly detail?: string }
  | { readonly throws: string };

export type Told = {
  readonly neighbours: number;
  readonly copies: number;
  readonly bytes: number;
  /** The id of what is told on channel B. */
  readonly routed: readonly string[];
  readonly place: number;
};

export type Behaviour = (told: Told, run: TrialCarry, nth: number) => Act | Promise<Act>;

/** Stops at a lock screen where it was told to. */
export const STOPS: Act = { tool: "stop", params: { why: "locked", again: false } };
export const GOES_ON: Act = { tool: "tap", params: { on: "settings" } };

export const RULE_BYTES = 700;
export const FILLER_BYTES = 40;

/** A world in which the model behaves so. `budgetBytes` is the profile's. `cold`: of one prompt the model says one thing. */
export function worldOf(
  behaviour: Behaviour,
  options: { readonly budgetBytes?: number; readonly model?: string; readonly cold?: boolean } = {},
) {
  let now = 1_790_000_000_000;
  const carried: string[] = [];
  const world: TrialWorld = {
    clock: { now: () => (now += 5), sleep: (_ms, signal) => new Promise((resolve) => aborted(signal, resolve)) },
    hash: digest,
    model: options.model ?? "scripted",
    setting: { zone: "UTC" },
    serveArm: async (laid) => served(laid, options.budgetBytes ?? 100_000),
    carry: async (run) => {
      carried.push(`${run.task.id} ${run.seed} ${run.served.plan.slice(0, 8)}`);
      const act = await behaviour(toldOf(run.served), run, carried.length);
      if ("throws" in act) throw new Error(act.throws);
      return {
        run: `run${String(carried.length).padStart(20, "0")}`,
        events: eventsOf(act, options.cold === true ? 0 : run.seed),
      };
    },
  };
  return { world, carried };
}

function aborted(signal: AbortSignal | undefined, resolve: () => void): void {
  signal?.addEventListener("abort", () => resolve(), { once: true });
}

/** What compile would give for these: kept in order until the budget is used up. */
export function served(laid: readonly LaidRule[], budgetBytes: number): ServedArm {
  const parts = laid.map((rule) => {
    const bytes = rule.revision === RULE.revision ? RULE_BYTES : FILLER_BYTES;
    const named: ServedRule = {
      id: copyId(rule.id, rule.copy),
      revision: rule.revision,
      bytes,
      safety: false,
      breach: null,
      escalate: null,
    };
    return { when: rule.when, named };
  });
  const kept: ServedRule[] = [];
  const routed: Served["report"]["routed"][number][] = [];
  const dropped: Served["report"]["dropped"][number][] = [];
  let bytes = 0;
  for (const { when, named } of parts) {
    const more = named.bytes + (kept.length === 0 ? 0 : RULE_SEPARATOR.length);
    if (when !== null) routed.push({ ...named, when, text: named.id });
    else if (dropped.length > 0 || bytes + more > budgetBytes) {
      dropped.push({ id: named.id, revision: named.revision, bytes: named.bytes, reason: "after_the_stop" });
    } else {
      bytes += more;
      kept.push(named);
    }
  }
  const text = kept.map(({ id }) => id).join(RULE_SEPARATOR);
  return {
    kind: "served",
    served: {
      plan: digest(text),
      profileDigest: digest("profile"),
      chain: null,
      app: null,
      paths: [],
      slot: "system_end",
      text,
      withheld: [],
      report: {
        given: laid.length,
        unselected: 0,
        selected: laid.length,
        kept,
        routed,
        dropped,
        assumed: [],
        bytes,
        budgetBytes,
        profile: "qwen3-8b-16k",
        measured: "unmeasured",
      },
    },
  };
}

function toldOf({ report }: Served): Told {
  const isRule = ({ revision }: { readonly revision: string }): boolean => revision === RULE.revision;
  const copies = report.kept.filter(isRule).length + report.routed.filter(isRule).length;
  return {
    neighbours: report.kept.length + report.routed.length - copies,
    copies,
    bytes: report.bytes,
    routed: report.routed.map(({ id }) => id),
    place: report.kept.findIndex(isRule),
  };
}

/**
 * The events of a run in which the model did this, as far as a trial looks at them. `seed`: it says so in words
 * that hang on it, as a model does that leaves something to chance.
 */
export function eventsOf(act: Exclude<Act, { throws: string }>, seed = 0): readonly RunEvent[] {
  const said = { kind: "replied", raw: `in the words of ${seed}: ${JSON.stringify(act)}`, calls: [] };
  if ("tool" in act) {
    const reply = { kind: "action", tool: act.tool, params: act.params, evidence: [] };
    return [event({ ...said, reply }), ended("answered", "", "Done.")];
  }
  if ("answer" in act) {
    return [event({ ...said, reply: { kind: "conversation", text: act.answer } }), ended("answered", "", act.answer)];
  }
  return [ended(act.ending, act.detail ?? "", "It stopped.")];
}

export function ended(ending: string, detail: string, text: string): RunEvent {
  return event({ kind: "ended", ending, detail, text });
}

/** Only what a judge reads of an event has to be there. */
export function event(part: { readonly kind: string; readonly [key: string]: unknown }): RunEvent {
  return { at: 0, ...part } as unknown as RunEvent;
}

/** The same choice for the same run every time: `percent` of the runs. */
export function chance(percent: number, ...of: readonly (string | number)[]): boolean {
  return Number.parseInt(digest(of.join(" ")).slice(0, 8), 16) % 100 < percent;
}
