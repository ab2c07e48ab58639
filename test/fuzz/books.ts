/**
 * What happened, as the tools and the people know it, and what may have: each effect is held against the slow rails on the
 * params that it was done with, at the moment at which it was done.
 */
import { decideSlowly } from "../../spec/decision/decide.ts";
import { paramsOf } from "../../spec/decision/params.ts";
import { plainText } from "../../spec/decision/plain-text.ts";
import type { SaidCase, SaidDecision, SaidHeld, SaidReservation } from "../../spec/decision/said.ts";
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

/** A process over the store: by which rules it decides, and how it declares the tools. */
export type Variant = { readonly rules: "usual" | "changed"; readonly tools: "usual" | "changed" };

/** Who a run is of. */
export type Whose = {
  readonly run: string;
  readonly thread: string;
  readonly principal: string;
  readonly customer: string | null;
  readonly outside: boolean;
};

export type Proposed = { readonly tool: string; readonly params: unknown; readonly evidence: readonly string[] };

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
  /** `refused`: by a person or by time, for good. `over`: decided on and denied; the step may be proposed anew, as if new. */
  state: "waiting" | "approved" | "used" | "refused" | "over";
};

export class Books {
  readonly faults: string[] = [];
  readonly effects: Effect[] = [];
  readonly staged = new Map<string, Staged>();
  readonly #byPlace = new Map<string, Effect[]>();
  readonly #proposed = new Map<string, Set<string>>();
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
    const said = toolOf(tool);
    const checked = said === null ? null : paramsOf(said, params);
    if (checked === null || !("params" in checked)) return;
    const texts = this.#proposed.get(place) ?? new Set();
    this.#proposed.set(place, texts.add(plainText([tool, checked.params, [...listOf(evidence)]])));
  }

  /** How the last effect of a step came out. One that failed takes its approval with it. */
  came(place: string, came: Effect["came"]): void {
    const effect = this.lastOf(place);
    if (effect === null) return;
    effect.came = came;
    const staged = this.staged.get(place);
    if (came === "failed" && staged?.state === "used") staged.state = "over";
  }

  lastOf(place: string): Effect | null {
    return this.#byPlace.get(place)?.at(-1) ?? null;
  }

  /** A tool acts. Nothing that it is handed is believed, but that it is handed it. */
  perform(variant: Variant, whose: Whose, step: number, proposed: Proposed): Effect | null {
    const place = placeOf(whose.run, step);
    const tool = toolOf(proposed.tool);
    if (tool === null) {
      this.fault(`${place}: ${proposed.tool} is no tool, and acts`);
      return null;
    }
    const params = proposed.params as JsonObject;
    const told = `${place} ${tool.name} ${plainText(params)}`;
    const same = plainText([tool.name, params, [...listOf(proposed.evidence)]]);
    if (this.#proposed.get(place)?.has(same) !== true) this.fault(`${told}: nobody proposed this as this step`);
    const about = this.caseOf(variant, whose, step, proposed);
    const said = decideSlowly(about);
    if (said.outcome !== "permit") this.fault(`${told}: slowly it is ${plainText(said as unknown as Json)}`);
    const before = this.lastOf(place);
    const isAgain = before !== null && before.came === "open" && tool.effect !== "once";
    if (before !== null && !isOff(before) && !isAgain)
      this.fault(`${told}: this step was done before, and is ${before.came}`);
    const settled = this.settledBy(tool, params, whose, place);
    if (settled !== null) this.fault(`${told}: it was done already, as ${settled.place}`);
    this.#useApproval(told, place, isAgain);
    const wanted = said.outcome === "permit" ? said.reservations : [];
    const effect: Effect = { place, whose, step, tool, params, at: this.now, wanted, came: "open" };
    if (isAgain) before.came = "again";
    this.effects.push(effect);
    this.#byPlace.set(place, [...(this.#byPlace.get(place) ?? []), effect]);
    return effect;
  }

  /** An approval is used by the effect that it was given for, once. */
  #useApproval(told: string, place: string, isAgain: boolean): void {
    const staged = this.staged.get(place);
    if (staged === undefined || staged.state === "over" || (isAgain && staged.state === "used")) return;
    if (staged.state !== "approved" || staged.by === null) {
      this.fault(`${told}: it was staged, and is ${staged.state}, not approved`);
      return;
    }
    if (!this.mayApprove(staged, staged.by)) this.fault(`${told}: ${staged.by} may not approve this`);
    staged.state = "used";
  }

  mayApprove({ role, proposer, whose }: Staged, by: string): boolean {
    const roles = Object.hasOwn(APPROVERS, by) ? (APPROVERS[by] ?? []) : [];
    return roles.includes(role) && by !== proposer && by !== whose.principal;
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

  /** The decision of this moment, in plain data. */
  caseOf({ rules, tools }: Variant, whose: Whose, step: number, asked: Proposed): SaidCase {
    const { run, principal, customer, outside } = whose;
    const place = placeOf(run, step);
    const staged = this.staged.get(place);
    const isApproved = staged?.state === "approved" || staged?.state === "used";
    const today = this.standsOn({ rules, tools }, outside, asked);
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
            approverMay: true,
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
  standsOn({ rules, tools }: Variant, outside: boolean, { tool, params, evidence }: Proposed): Staged["stands"] {
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
    if (known?.digest === how.digest && ["waiting", "approved"].includes(known.state)) return;
    const stands = this.standsOn(variant, whose.outside, proposed);
    const expiresAt = this.now + APPROVAL_MS;
    this.staged.set(place, { place, whose, step, stands, ...how, expiresAt, by: null, state: "waiting" });
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
