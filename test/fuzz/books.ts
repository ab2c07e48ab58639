/**
 * What happened, as the tools and the people know it, and what may have: each effect is held against the slow rails on the
 * params that it was done with, at the moment at which it was done.
 */
import { decideSlowly } from "../../spec/decision/decide.ts";
import { paramsOf } from "../../spec/decision/params.ts";
import { plainText } from "../../spec/decision/plain-text.ts";
import type { SaidCase, SaidDecision, SaidHeld, SaidReservation } from "../../spec/decision/said.ts";
import type { ApprovalState } from "../../src/domain/approval.ts";
import type { Json, JsonObject } from "../../src/domain/json.ts";
import {
  APPROVAL_MS,
  APPROVERS,
  type FuzzTool,
  firstRecord,
  PRINCIPALS,
  type Record,
  RULES,
  START,
  TOOLS,
} from "./world.ts";

/** A process over the store: by which rules it decides, how it declares the tools, and who may approve. */
export type Variant = {
  readonly rules: "usual" | "changed";
  readonly tools: "usual" | "changed";
  readonly people: "usual" | "changed";
};

/** Who a run is of. */
export type Whose = {
  readonly run: string;
  readonly thread: string;
  readonly principal: string;
  readonly customer: string | null;
  readonly outside: boolean;
};

export type Proposed = {
  readonly tool: string;
  readonly params: unknown;
  readonly evidence: readonly string[];
  /** Its caller says that the attempt before is over. */
  readonly retry?: boolean;
};

export type Effect = {
  readonly place: string;
  readonly whose: Whose;
  readonly step: number;
  readonly tool: FuzzTool;
  readonly params: JsonObject;
  readonly at: number;
  readonly wanted: readonly SaidReservation[];
  /** `again`: it was taken up once more under the same key, and that one counts. */
  came: "open" | "done" | "failed" | "outcome_unknown" | "again";
  /** The approval that it was begun with, where one was needed. */
  readonly staged: Staged | null;
  /** With which word it was settled; null where it was not, or nobody can say which word that is. */
  word: string | null;
};

/** Something that waits for a person, with all that it was proposed on. */
export type Staged = {
  readonly place: string;
  readonly whose: Whose;
  readonly step: number;
  readonly stands: { readonly [part: string]: string };
  readonly role: string;
  readonly proposer: string;
  readonly digest: string;
  readonly expiresAt: number;
  /** Who approved it, and whether that was used. */
  by: string | null;
  state: ApprovalState;
  /** The attempt that it was for is over, or was denied: the step may be proposed anew, as if nothing had been. */
  over: boolean;
};

/** Where a step of somebody else's loop stands. `fresh`: whatever is proposed is judged as if it were the first time. */
export type Standing = "fresh" | "waiting" | "approved" | "rejected" | "expired" | "open" | "done" | "outcome_unknown";

export class Books {
  readonly faults: string[] = [];
  readonly effects: Effect[] = [];
  readonly staged = new Map<string, Staged>();
  readonly #byPlace = new Map<string, Effect[]>();
  readonly #proposed = new Map<string, Set<string>>();
  /** What each step stands for, since it waits or has begun: see wordsOf. */
  readonly #standing = new Map<string, string>();
  /** Who is saying at this moment that something may be done. What comes of it can be seen before they hear of it. */
  readonly approving = new Map<string, string>();
  /** Two are at it at this moment: what each comes to is heard in whatever order. See allCame. */
  isRace = false;
  now = START;
  record: Record = firstRecord();
  /** How the record can be loaded at this moment. */
  loads: "fine" | "throws" | "missing" = "fine";

  fault(what: string): void {
    this.faults.push(what);
  }

  /** What was proposed as this step. Nothing else may be done as it. */
  propose(whose: Whose, step: number, { tool, params, evidence }: Proposed): void {
    const place = placeOf(whose.run, step);
    const text = textOf({ tool, params, evidence });
    if (text === null) return;
    const texts = this.#proposed.get(place) ?? new Set();
    this.#proposed.set(place, texts.add(text));
  }

  /** How the last effect of a step came out. One that failed takes its approval with it. */
  came(place: string, came: Effect["came"], word: string | null = null): void {
    const effect = this.lastOf(place);
    if (effect === null) return;
    effect.came = came;
    effect.word = word;
    const staged = this.staged.get(place);
    if (came === "failed" && staged?.state === "used") staged.over = true;
  }

  /**
   * How all effects of a step came out, by its rows. Where two were at it, it is here that nothing was done twice: one follows
   * another only where that failed, or may happen twice.
   */
  allCame(place: string, all: readonly Effect["came"][]): void {
    const effects = this.#byPlace.get(place) ?? [];
    if (effects.length !== all.length)
      this.fault(`${place}: ${all.length} were begun by its rows, and ${effects.length} were done`);
    effects.forEach((effect, i) => {
      const came = all[i] ?? "open";
      const isOnce = effect.tool.effect === "once";
      const isOver = came === "failed" || (came === "again" && !isOnce);
      if (i < effects.length - 1 && !isOver) this.fault(`${place}: it is ${came}, and was done again`);
      if (effect.came !== came) Object.assign(effect, { came, word: null });
    });
    const last = effects.at(-1);
    if (last?.came === "failed") this.came(place, "failed", last.word);
  }

  attemptsOf(place: string): number {
    return this.#byPlace.get(place)?.length ?? 0;
  }

  standingOf(place: string): Standing {
    const came = this.lastOf(place)?.came;
    if (came === "open" || came === "done" || came === "outcome_unknown") return came;
    const staged = this.staged.get(place);
    if (staged === undefined || staged.over) return "fresh";
    const { state } = staged;
    if (state === "waiting" || state === "approved" || state === "rejected" || state === "expired") return state;
    this.fault(`${place}: nothing of it has begun, and its approval is ${state}`);
    return "fresh";
  }

  /** Whether a step that is not fresh stands for this very proposal. */
  standsFor(place: string, proposed: Proposed): boolean {
    const words = wordsOf(proposed);
    return words !== null && isCited(proposed.evidence) && this.#standing.get(place) === words;
  }

  /** Whether a tool takes such params. */
  takes(tool: string, params: unknown): boolean {
    return textOf({ tool, params, evidence: [] }) !== null;
  }

  /** What came of a step that an approval was used for: the attempt that was begun with it, or what was done before. */
  cameOf(place: string): string | null {
    const staged = this.staged.get(place);
    const effects = this.#byPlace.get(place) ?? [];
    const own = effects.findLast((effect) => effect.staged === staged);
    if (own === undefined) return "done";
    return own.came === "open" ? "started" : own.came;
  }

  /** How many of a run wait for a person, or for their loop to come back with the approval. */
  waitingIn(run: string): number {
    return [...this.staged.values()].filter(
      ({ whose, place }) => whose.run === run && ["waiting", "approved"].includes(this.standingOf(place)),
    ).length;
  }

  lastOf(place: string): Effect | null {
    return this.#byPlace.get(place)?.at(-1) ?? null;
  }

  /** A tool acts. Nothing that it is handed is believed, but that it is handed it. */
  perform(
    variant: Variant,
    whose: Whose,
    step: number,
    proposed: Proposed,
    asProposed: Proposed = proposed,
  ): Effect | null {
    const place = placeOf(whose.run, step);
    const tool = toolOf(proposed.tool);
    if (tool === null) {
      this.fault(`${place}: ${proposed.tool} is no tool, and acts`);
      return null;
    }
    const params = proposed.params as JsonObject;
    const told = `${place} ${tool.name} ${plainText(params)}`;
    const same = textOf(proposed);
    if (same === null || this.#proposed.get(place)?.has(same) !== true)
      this.fault(`${told}: nobody proposed this as this step`);
    const about = this.caseOf(variant, whose, step, proposed);
    const said = decideSlowly(about);
    if (said.outcome !== "permit") this.fault(`${told}: slowly it is ${plainText(said as unknown as Json)}`);
    const before = this.lastOf(place);
    const mayAgain = tool.effect !== "once" && (proposed.retry === true || !whose.outside);
    const isAgain = before !== null && before.came === "open" && mayAgain;
    if (before !== null && !isOff(before) && !isAgain && !this.isRace)
      this.fault(`${told}: this step was done before, and is ${before.came}`);
    const settled = this.settledBy(tool, params, whose, place);
    if (settled !== null) this.fault(`${told}: it was done already, as ${settled.place}`);
    if (isAgain && wordsOf(asProposed) !== this.#standing.get(place))
      this.fault(`${told}: something else was begun as this step`);
    this.#useApproval(told, place, isAgain, variant);
    this.#standing.set(place, wordsOf(asProposed) ?? "");
    const wanted = said.outcome === "permit" ? said.reservations : [];
    const staged = this.staged.get(place);
    const begun = { came: "open", word: null, staged: staged === undefined || staged.over ? null : staged } as const;
    const effect: Effect = { place, whose, step, tool, params, at: this.now, wanted, ...begun };
    if (isAgain) before.came = "again";
    this.effects.push(effect);
    this.#byPlace.set(place, [...(this.#byPlace.get(place) ?? []), effect]);
    return effect;
  }

  /** An approval is used by the effect that it was given for, once. */
  #useApproval(told: string, place: string, isAgain: boolean, variant: Variant): void {
    const staged = this.staged.get(place);
    if (staged === undefined || staged.over || (isAgain && staged.state === "used")) return;
    const by = staged.by ?? (staged.state === "waiting" ? (this.approving.get(place) ?? null) : null);
    if (by === null || !["waiting", "approved"].includes(staged.state)) {
      this.fault(`${told}: it was staged, and is ${staged.state}, not approved`);
      return;
    }
    if (!this.mayApprove(staged, by, variant)) this.fault(`${told}: ${by} may not approve this`);
    Object.assign(staged, { state: "used", by });
  }

  mayApprove({ role, proposer, whose }: Staged, by: string, variant: Variant): boolean {
    return hasRoles(by, role, variant) && by !== proposer && by !== whose.principal;
  }

  /** The effect that settles a `once` proposal in its thread: one that did not fail. */
  settledBy(tool: FuzzTool, params: JsonObject, whose: Whose, place: string): Effect | null {
    if (tool.effect !== "once") return null;
    const text = plainText(params);
    const isSame = (one: Effect): boolean =>
      one.tool.name === tool.name &&
      one.whose.thread === whose.thread &&
      one.whose.customer === whose.customer &&
      plainText(one.params) === text;
    return this.effects.findLast((one) => one.place !== place && !isOff(one) && isSame(one)) ?? null;
  }

  /** The same of a proposal as it was made. */
  doneElsewhere({ tool: name, params }: Proposed, whose: Whose, place: string): Effect | null {
    const tool = toolOf(name);
    const checked = tool === null ? null : paramsOf(tool, params);
    return tool === null || checked === null || !("params" in checked)
      ? null
      : this.settledBy(tool, checked.params, whose, place);
  }

  /** The decision of this moment, in plain data. */
  caseOf(variant: Variant, whose: Whose, step: number, asked: Proposed): SaidCase {
    const { rules } = variant;
    const { run, principal, customer, outside } = whose;
    const place = placeOf(run, step);
    const staged = this.staged.get(place);
    const by = staged === undefined || staged.over ? null : (staged.by ?? this.approving.get(place) ?? null);
    const isApproved = staged !== undefined && by !== null && ["waiting", "approved", "used"].includes(staged.state);
    const today = this.standsOn(variant, outside, asked);
    return {
      route: "direct",
      tool: toolOf(asked.tool),
      asked,
      rules: RULES[rules] ?? [],
      facts: this.#facts(asked.tool),
      principal: { id: principal, tools: PRINCIPALS[principal] ?? [], attributes: {} },
      ...{ customer, run, outermost: run, step, now: this.now, today: "" },
      ...{ provenance: {}, inside: {}, unread: null },
      held: this.heldBeside(place),
      approval: isApproved
        ? {
            approved: { ...staged.stands, role: staged.role } as Approved,
            today: today as Approved,
            expiresAt: staged.expiresAt,
            approverMay: hasRoles(by, staged.role, variant),
          }
        : null,
    };
  }

  #facts(tool: string): SaidCase["facts"] {
    if (tool === "look") return { record: null };
    if (this.loads === "throws") return { code: "record_failed" };
    if (this.loads === "missing") return { code: "record_missing" };
    return { record: this.record as unknown as Json };
  }

  /** What a proposal stands on, part by part, in words of our own. */
  standsOn(
    { rules, tools }: Variant,
    outside: boolean,
    { tool, params, evidence }: Pick<Proposed, "tool" | "params" | "evidence">,
  ): Staged["stands"] {
    const said = toolOf(tool);
    const checked = said === null ? null : paramsOf(said, params);
    return {
      params: checked !== null && "params" in checked ? plainText(checked.params) : "",
      evidence: plainText([...listOf(evidence)]),
      record: tool === "look" ? "" : plainText(this.record as unknown as Json),
      definition: tools,
      policy: `${rules} ${tools}`,
      prompt: outside ? "theirs" : tools,
    };
  }

  stage(
    variant: Variant,
    whose: Whose,
    step: number,
    proposed: Proposed,
    how: Pick<Staged, "role" | "proposer" | "digest">,
  ): void {
    const place = placeOf(whose.run, step);
    const known = this.staged.get(place);
    if (known?.digest === how.digest && !known.over && ["waiting", "approved"].includes(known.state)) return;
    const stands = this.standsOn(variant, whose.outside, proposed);
    const expiresAt = this.now + APPROVAL_MS;
    const waits = { by: null, state: "waiting", over: false } as const;
    this.staged.set(place, { place, whose, step, stands, ...how, expiresAt, ...waits });
    this.#standing.set(place, wordsOf(proposed) ?? "");
  }

  /** Everything that is held of the caps by other steps. */
  heldBeside(place: string): readonly SaidHeld[] {
    return this.effects.flatMap((effect) =>
      isOff(effect) || effect.place === place
        ? []
        : effect.wanted.map(({ cap, key, amount }) => ({
            cap,
            key,
            amount,
            at: effect.at,
            outermost: effect.whose.run,
          })),
    );
  }

  /** What the books of the house must hold, by cap, key and window. */
  sums(): ReadonlyMap<string, number> {
    const sums = new Map<string, number>();
    for (const effect of this.effects) {
      if (isOff(effect)) continue;
      for (const { cap, key, window, amount } of effect.wanted) {
        const name = `${cap} ${key} ${window}`;
        sums.set(name, (sums.get(name) ?? 0) + amount);
      }
    }
    return sums;
  }

  decideSlowly(variant: Variant, whose: Whose, step: number, proposed: Proposed): SaidDecision {
    return decideSlowly(this.caseOf(variant, whose, step, proposed));
  }
}

type Approved = NonNullable<SaidCase["approval"]>["approved"];

/** What is proposed, as text: two are the same where this is. null where no tool takes it. */
function textOf({ tool, params, evidence }: Proposed): string | null {
  const said = toolOf(tool);
  const checked = said === null ? null : paramsOf(said, params);
  if (checked === null || !("params" in checked)) return null;
  return plainText([tool, checked.params, [...listOf(evidence)]]);
}

/** The same to the letter: what a schema takes for the same is another proposal all the same. */
function wordsOf({ tool, params, evidence }: Proposed): string | null {
  const isTaken = textOf({ tool, params, evidence }) !== null;
  return isTaken ? plainText([tool, params as Json, [...listOf(evidence)]]) : null;
}

/** Whether what is cited is a list of ids at all. */
export function isCited(evidence: unknown): evidence is readonly string[] {
  if (!Array.isArray(evidence) || evidence.length > 64) return false;
  return evidence.every((id) => typeof id === "string" && id.length <= 1_024 && id.isWellFormed());
}

/** Whether somebody has every role that is asked for, by the people of a process. */
export function hasRoles(by: string, role: string, { people }: Variant): boolean {
  const all = APPROVERS[people] ?? {};
  const roles = Object.hasOwn(all, by) ? (all[by] ?? []) : [];
  return role.split(" + ").every((one) => roles.includes(one));
}

/** What is cited, where it is a list at all. */
function listOf(evidence: unknown): readonly string[] {
  return Array.isArray(evidence) ? evidence : [];
}

/** It did not happen, or another entry counts for it. */
function isOff({ came }: Effect): boolean {
  return came === "failed" || came === "again";
}

export function toolOf(name: unknown): FuzzTool | null {
  return TOOLS.find((tool) => tool.name === name) ?? null;
}

export function placeOf(run: string, step: number): string {
  return `${run}-${step}`;
}
