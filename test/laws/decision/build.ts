/** Makes what a house is given, functions and schemas, from a decision that is said in plain data. */
import { isDeepStrictEqual } from "node:util";
import type {
  SaidAmount,
  SaidBroken,
  SaidCap,
  SaidCase,
  SaidEvidence,
  SaidField,
  SaidKey,
  SaidRule,
  SaidTerm,
  SaidTest,
  SaidTool,
  SaidVerdict,
} from "../../../spec/decision/said.ts";
import { countsIn } from "../../../src/domain/cap.ts";
import { denial } from "../../../src/domain/denial.ts";
import { deepFreeze, type Json, type JsonObject } from "../../../src/domain/json.ts";
import type { DecisionContext, JudgedProposal } from "../../../src/domain/tool.ts";
import type { PolicyRule, Tool } from "../../../src/index.ts";
import type { DecideInput, Facts } from "../../../src/rails/index.ts";
import type { House } from "../../crash/house.ts";

/** What is tried of a house: of the real one, or of a copy with a planted fault. */
export type Tried = Pick<House, "door" | "rails">;

type Judged = JudgedProposal<JsonObject>;
type Asks = (proposal: Judged, record: Json, context: DecisionContext) => boolean;

export class Builder {
  readonly #house: Tried;
  readonly #schemas = new Map<string, Tool>();
  #tools = new WeakMap<SaidTool, Tool>();
  #rules = new WeakMap<readonly SaidRule[], readonly PolicyRule[]>();

  constructor(house: Tried) {
    this.#house = house;
  }

  /** The input of `decide`, with the use of the caps read as a store reads it: by the slots that the house asks for. */
  input(about: SaidCase): DecideInput {
    const tool = about.tool === null ? null : this.tool(about.tool);
    const { asked, route, approval, principal, customer, run, outermost, step, now, today, provenance } = about;
    const requests: readonly string[] = [];
    const context = deepFreeze({
      ...{ principal, customer, thread: "thread", run, outermost, step, now, today, requests, provenance },
    });
    const facts: Facts =
      "record" in about.facts
        ? { ok: true, record: deepFreeze(about.facts.record) }
        : { ok: false, denial: denial(about.facts.code, "as the loader has it") };
    const proposal = { tool: asked.tool, params: asked.params as Json, evidence: asked.evidence };
    const policies = this.rules(about.rules);
    const capUse = tool === null ? [] : this.#useOf(about, tool, facts, context);
    return { proposal, route, tool, policies, facts, context, capUse, approval };
  }

  tool(said: SaidTool): Tool {
    const known = this.#tools.get(said);
    if (known !== undefined) return known;
    const { name, placement, denials, provenance } = said;
    const rules = Object.entries(provenance ?? {}).map(([field, { from, stage, inside }]) => {
      const otherwise = stage === undefined ? {} : { otherwise: { stage } };
      return [field, { from, ...otherwise, ...(inside === true ? { inside } : {}) }] as const;
    });
    const tool: Tool = {
      ...this.#shell(said),
      ...{ name, placement, denials },
      provenance: provenance === null ? null : Object.fromEntries(rules),
      evidence: said.evidence === null ? null : evidenceOf(said.evidence),
      authorise: authoriseOf(said.authorise),
      caps: said.caps.map(capOf),
    };
    this.#tools.set(said, tool);
    return tool;
  }

  rules(said: readonly SaidRule[]): readonly PolicyRule[] {
    const known = this.#rules.get(said) ?? said.map(ruleOf);
    this.#rules.set(said, known);
    return known;
  }

  #useOf(about: SaidCase, tool: Tool, facts: Facts, context: DecisionContext): DecideInput["capUse"] {
    const { capDemand, checkOutput, windowAt } = this.#house.rails;
    const checked = facts.ok ? checkOutput(tool, about.asked.params as Json) : null;
    if (checked?.ok !== true || !facts.ok) return [];
    const demand = capDemand(tool, checked.params, facts.record, context);
    if (!demand.ok) return [];
    return demand.slots
      .filter(({ cap }) => cap !== about.unread)
      .map((slot) => {
        const cap = tool.caps.find(({ name }) => name === slot.cap);
        const used = about.held
          .filter(({ cap: name, key }) => name === slot.cap && key === slot.key)
          .filter(
            ({ at, outermost }) => cap !== undefined && countsIn(slot, windowAt(cap.window, at, outermost).window),
          )
          .reduce((sum, { amount }) => sum + amount, 0);
        return { cap: slot.cap, key: slot.key, window: slot.window, used };
      });
  }

  /** A tool with this schema and no rails. Making the JSON Schema of one takes longer than many decisions. */
  #shell({ fields, schema }: SaidTool): Tool {
    const name = JSON.stringify([fields, schema]);
    const known = this.#schemas.get(name);
    if (known !== undefined) return known;
    const { defineTool, z } = this.#house.door;
    const shape = Object.fromEntries(
      Object.entries(fields).map(([field, about]) => {
        const type = this.#typeOf(about);
        return [field, about.optional === true ? type.optional() : type];
      }),
    );
    const sound = schema === "strips" ? z.object(shape) : z.strictObject(shape);
    const shell = defineTool({
      name: "shell",
      description: "Does what the test says.",
      placement: "internal",
      effect: "idempotent",
      params: sound,
      execute: () => null,
      summarise: () => "done",
    });
    const odd = { vendor: "test", version: 1 as const };
    const made: Tool =
      schema === "throws"
        ? { ...shell, params: { "~standard": { ...odd, validate: thrower } } }
        : schema === "promises"
          ? {
              ...shell,
              params: { "~standard": { ...odd, validate: async (value) => ({ value: value as JsonObject }) } },
            }
          : schema === "refuses"
            ? { ...shell, params: { "~standard": { ...odd, validate: () => ({ issues: [{ message: "not so" }] }) } } }
            : shell;
    this.#schemas.set(name, made);
    return made;
  }

  #typeOf(field: SaidField) {
    const { z } = this.#house.door;
    switch (field.is) {
      case "whole":
        return z.int().min(field.min).max(field.max);
      case "one_of":
        return z.enum(field.values as readonly [string, ...string[]]);
      case "text":
        return z.string().max(field.length);
      case "form":
        return z.string().regex(new RegExp(`^[A-Z]{${field.letters}}[0-9]{${field.digits}}$`));
      case "texts":
        return z.array(z.string().max(field.length)).max(field.many);
      case "either": {
        const types = field.of.map((one): ReturnType<typeof z.int> => this.#typeOf(one) as ReturnType<typeof z.int>);
        return z.union(types);
      }
    }
  }
}

function thrower(): never {
  throw new Error("broken");
}

function ruleOf({ id, tools, effect, when, code }: SaidRule): PolicyRule {
  const asks = "broken" in when ? brokenAsk(when) : testOf(when);
  return { id, tools, effect, when: asks, ...(code === undefined ? {} : { code }) };
}

function brokenAsk({ broken }: SaidBroken): Asks {
  if (broken === "meddles") return ({ params }) => Object.assign(params, { amount: 1 }) !== null;
  return () => gives(broken, true) as boolean;
}

function gives(broken: Exclude<SaidBroken["broken"], "meddles">, wanted: unknown): unknown {
  switch (broken) {
    case "nothing":
      return undefined;
    case "word":
      return "permit";
    case "number":
      return 1;
    case "null":
      return null;
    case "promise":
      return Promise.resolve(wanted);
  }
}

function testOf(test: SaidTest): Asks {
  switch (test.is) {
    case "always":
      return () => true;
    case "never":
      return () => false;
    case "throws":
      return thrower;
    case "same": {
      const [left, right] = [termOf(test.left), termOf(test.right)];
      return (...all) => isDeepStrictEqual(left(...all), right(...all));
    }
    case "above": {
      const [left, right] = [termOf(test.left), termOf(test.right)];
      return (...all) => {
        const [a, b] = [left(...all), right(...all)];
        return typeof a === "number" && typeof b === "number" && a > b;
      };
    }
    case "cites":
      return ({ evidence }) => evidence.includes(test.id);
    case "not": {
      const inner = testOf(test.test);
      return (...all) => !inner(...all);
    }
    case "both": {
      const [first, second] = [testOf(test.first), testOf(test.second)];
      return (...all) => first(...all) && second(...all);
    }
    case "either": {
      const [first, second] = [testOf(test.first), testOf(test.second)];
      return (...all) => first(...all) || second(...all);
    }
  }
}

function termOf(term: SaidTerm): (proposal: Judged, record: Json, context: DecisionContext) => Json | undefined {
  if ("value" in term) return () => term.value;
  switch (term.of) {
    case "params":
      return ({ params }) => params[term.name];
    case "record":
      return (_p, record) => (record as JsonObject | null)?.[term.name];
    case "attributes":
      return (_p, _r, { principal }) => principal.attributes[term.name];
    case "customer":
      return (_p, _r, { customer }) => customer;
    case "principal":
      return (_p, _r, { principal }) => principal.id;
    case "today":
      return (_p, _r, { today }) => today;
    case "now":
      return (_p, _r, { now }) => now;
    case "step":
      return (_p, _r, { step }) => step;
    case "cited":
      return ({ evidence }) => evidence.length;
  }
}

function authoriseOf(said: SaidTool["authorise"]): Tool["authorise"] {
  if (said === null || said === "by_policy") return said;
  const cases = said.cases.map(({ when, verdict }) => ({ asks: testOf(when), verdict }));
  return ((proposal, record, context) => {
    const found = cases.find(({ asks }) => asks(proposal, record, context));
    return verdictOf(found?.verdict ?? said.otherwise, proposal);
  }) satisfies Tool["authorise"];
}

function verdictOf(said: SaidVerdict, { evidence }: Judged): ReturnType<Extract<Tool["authorise"], object>> {
  type Verdict = ReturnType<Extract<Tool["authorise"], object>>;
  if ("broken" in said) {
    if (said.broken === "throws") thrower();
    else if (said.broken === "meddles") (evidence as string[]).push("evt");
    else return gives(said.broken, { effect: "permit" }) as Verdict;
    return { effect: "permit" };
  }
  switch (said.says) {
    case "permit":
      return { effect: "permit" };
    case "stage":
      return { effect: "stage", role: said.role };
    case "deny":
      return { effect: "deny", code: said.code };
    case "stage_without_role":
      return { effect: "stage" } as Verdict;
    case "unheard_of":
      return { effect: "allow" } as unknown as Verdict;
  }
}

function evidenceOf({ min, maxAgeMs, lists, justifies }: SaidEvidence): NonNullable<Tool["evidence"]> {
  type Rule = NonNullable<Tool["evidence"]>;
  const items = (record: Json) => (record as unknown as { readonly items: ReturnType<Rule["from"]> }).items;
  const from: Rule["from"] =
    lists === "throws"
      ? thrower
      : lists === "promises"
        ? ((async (record: Json) => items(record)) as unknown as Rule["from"])
        : items;
  const vouches = Object.entries(justifies).map(([field, by]) => [
    field,
    "item" in by
      ? (item: object) => (item as JsonObject)[by.item]
      : by.broken === "throws"
        ? thrower
        : async () => "promised",
  ]);
  const age = maxAgeMs === null ? {} : { maxAgeMs };
  return { min, from, ...age, ...(vouches.length === 0 ? {} : { justifies: Object.fromEntries(vouches) }) };
}

function capOf({ name, limit, window, amount, key }: SaidCap): Tool["caps"][number] {
  return {
    ...{ name, limit, window },
    ...(amount === undefined ? {} : { amount: amountOf(amount) }),
    ...(key === undefined ? {} : { key: keyOf(key) }),
  };
}

function amountOf(said: SaidAmount): NonNullable<Tool["caps"][number]["amount"]> {
  if ("broken" in said)
    return said.broken === "throws" ? thrower : (((): unknown => Promise.resolve(1)) as () => number);
  if ("value" in said) return () => said.value as number;
  return (params, record) => (said.of === "params" ? params : (record as JsonObject))[said.name] as number;
}

function keyOf(said: SaidKey): NonNullable<Tool["caps"][number]["key"]> {
  if ("broken" in said)
    return said.broken === "throws" ? thrower : (((): unknown => Promise.resolve("a")) as () => string);
  if ("value" in said) return () => said.value as string;
  switch (said.of) {
    case "customer":
      return (_p, _r, { customer }) => customer as string;
    case "principal":
      return (_p, _r, { principal }) => principal.id;
    case "params":
      return (params) => params[said.name] as string;
  }
}
