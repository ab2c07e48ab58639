import { describe, expect, test } from "vitest";
import { ON_LOCK, someProfile, someRule, someTask } from "../../test/checks/guide-rules.ts";
import type { Rule } from "../domain/rule.ts";
import { planText } from "../domain/served.ts";
import { compile } from "./compile.ts";
import type { Dropped } from "./fit.ts";
import { Part } from "./part.ts";
import { ruleSet } from "./rule-set.ts";
import { isServePlan, type PlanParts, ServePlan } from "./serve-plan.ts";

const RULES: readonly Rule[] = [
  someRule("a", { body: "an ordinary rule" }),
  someRule("b", { body: "Sécurité d'abord 🦊", safety: true }),
  someRule("c", { body: "on the channel", when: ON_LOCK, safety: true }),
  someRule("d", { body: "x".repeat(100) }),
];

function plan(rules = RULES, budget = 60): ServePlan {
  const made = compile(ruleSet(rules), someTask(""), someProfile(budget));
  if (made.kind === "refusal") throw new Error(made.detail);
  return made;
}

describe("what compile makes", () => {
  test("is a plan, with all of the rules in its report", () => {
    const made = plan();
    expect(isServePlan(made)).toBe(true);
    expect(made.text).toBe("an ordinary rule\n\nSécurité d'abord 🦊");
    const named = { revision: "0".repeat(64), breach: null, escalate: null };
    expect(made.report).toEqual({
      given: 4,
      unselected: 0,
      selected: 4,
      kept: [
        { id: "a", bytes: 16, safety: false, ...named },
        { id: "b", bytes: 23, safety: true, ...named },
      ],
      routed: [{ id: "c", bytes: 14, safety: true, ...named, when: ON_LOCK, text: "on the channel" }],
      dropped: [{ id: "d", revision: "0".repeat(64), bytes: 100, reason: "larger_than_budget" }],
      assumed: [],
      bytes: 41,
      budgetBytes: 60,
      profile: "phone",
      measured: "unmeasured",
    });
  });

  test("of nothing is a plan that says so", () => {
    expect(plan([], 0)).toMatchObject({
      kind: "plan",
      text: "",
      report: { given: 0, selected: 0, kept: [], bytes: 0 },
    });
  });

  test("two rules of one id are refused, whichever order they have", () => {
    const twice = [someRule("a", { file: "y.md" }), someRule("a", { file: "x.md", order: 9 }), someRule("b")];
    for (const rules of [twice, twice.toReversed()]) {
      expect(compile(ruleSet(rules), someTask(""), someProfile(100))).toEqual({
        kind: "refusal",
        code: "duplicate_id",
        detail: "a is the id of x.md and y.md",
        rules: ["a"],
      });
    }
  });
});

describe("the constructor holds the laws by itself", () => {
  const part = (id: string, about: Partial<Rule> = {}): Part => new Part(someRule(id, { body: "12345", ...about }));
  const [a, b, s, c] = [part("a"), part("b"), part("s", { safety: true }), part("c", { when: ON_LOCK })];
  const out = (one: Part): Dropped => ({ part: one, reason: "after_the_stop" });
  const { slot, ...profile } = someProfile(19);
  const parts = (about: Partial<PlanParts>): PlanParts => ({
    given: 4,
    selected: [a, b, c, s],
    kept: [a, b, s],
    routed: [c],
    dropped: [],
    assumed: [],
    slot,
    profile,
    ...about,
  });

  test("and makes a plan of sound parts", () => {
    expect(isServePlan(ServePlan.assemble(parts({})))).toBe(true);
    expect(isServePlan(ServePlan.assemble(parts({ kept: [a, s], dropped: [out(b)] })))).toBe(true);
    expect(ServePlan.assemble(parts({ assumed: [a, c] })).report.assumed).toEqual(["a", "c"]);
  });

  const unsound: readonly (readonly [fault: string, about: Partial<PlanParts>, message: RegExp])[] = [
    ["one byte over the budget", { profile: { ...profile, budgetBytes: 18 } }, /over its budget/],
    ["a budget that is no number", { profile: { ...profile, budgetBytes: Number.NaN } }, /over its budget/],
    ["one byte over the window", { profile: { ...profile, contextTokens: 25, bytesPerToken: 1 } }, /over its window/],
    ["a safety rule that was dropped", { kept: [a, b], dropped: [out(s)] }, /safety rule s was dropped/],
    ["a safety rule that is nowhere", { kept: [a, b] }, /s was selected and is nowhere/],
    ["a rule that is nowhere", { kept: [a, s] }, /b was selected and is nowhere/],
    ["a rule that is in two places", { dropped: [out(b)] }, /not selected/],
    ["a rule that was not selected", { kept: [a, b, s, part("t")] }, /not selected/],
    ["a rule that only looks like one that was selected", { kept: [a, part("b"), s] }, /b was selected and is nowhere/],
    ["a channel B rule in the text", { kept: [a, b, c, s], routed: [] }, /c is for channel B and not on it/],
    ["an ordinary rule on channel B", { kept: [a, s], routed: [b, c] }, /b was selected and is nowhere/],
    ["a channel B rule that was dropped", { routed: [], dropped: [out(c)] }, /c is for channel B/],
    ["a text in another order", { kept: [b, a, s] }, /nowhere/],
    ["rules that are not in authored order", { selected: [b, a, c, s], kept: [b, a, s] }, /authored order/],
    ["a rule that was selected twice", { selected: [a, a, b, c, s], kept: [a, a, b, s] }, /authored order/],
    ["more rules than there were", { given: 3 }, /not selected/],
    ["a rule that is assumed and was not selected", { assumed: [part("t")] }, /not selected/],
    [
      "a part that was not measured",
      { selected: [{ ...a, bytes: 0 } as unknown as Part], kept: [], routed: [] },
      /measured/,
    ],
    ["a part by inheritance", { selected: [Object.create(a) as Part], kept: [], routed: [] }, /measured/],
  ];
  test.each(unsound)("it refuses %s", (_, about, message) => {
    expect(() => ServePlan.assemble(parts(about))).toThrow(message);
  });

  test("and makes none where lists do not keep what is put into them", () => {
    const sound = parts({});
    try {
      Object.defineProperty(Array.prototype, "0", { configurable: true, get: () => undefined, set: () => {} });
      expect(() => ServePlan.assemble(sound)).toThrow(/does not keep/);
    } finally {
      Reflect.deleteProperty(Array.prototype, "0");
    }
  });

  test("a part is measured by whoever makes one, and stays as it is", () => {
    for (const [body, bytes] of [
      ["", 0],
      ["é漢🦊", 9],
      ["a\r\n", 3],
    ] as const) {
      expect(part("x", { body }).bytes).toBe(bytes);
    }
    expect(() => Object.assign(a, { bytes: 0 })).toThrow(TypeError);
    expect(() => Object.assign(a.served, { bytes: 0 })).toThrow(TypeError);
    expect(() => Object.assign(Part.prototype, { dropped: () => null })).toThrow(TypeError);
    expect(() => Reflect.construct(Part, [{ ...someRule("x"), body: "\ud83d" }])).toThrow(TypeError);
  });
});

describe("what is no plan", () => {
  const real = plan();
  const likenesses: readonly (readonly [string, () => unknown])[] = [
    ["a cast", () => ({ kind: "plan", slot: "system_end", text: "x", report: real.report }) as unknown as ServePlan],
    ["a spread copy", () => ({ ...real })],
    ["a spread copy with another text", () => ({ ...real, text: "x".repeat(1_000) })],
    ["JSON and back", () => JSON.parse(JSON.stringify(real))],
    ["a structured clone", () => structuredClone(real)],
    ["an object with a plan as its prototype", () => Object.create(real)],
    ["an object with the prototype of plans", () => Object.create(Object.getPrototypeOf(real))],
    ["an object that was given that prototype", () => Object.setPrototypeOf({ ...real }, Object.getPrototypeOf(real))],
    ["a proxy of one", () => new Proxy(real, {})],
    ["a proxy that says otherwise", () => new Proxy(real, { get: (_, key) => (key === "text" ? "x" : null) })],
    ["all of its descriptors", () => Object.defineProperties({}, Object.getOwnPropertyDescriptors(real))],
    ["null", () => null],
    ["a text", () => "plan"],
    ["a function", () => () => real],
  ];
  test.each(likenesses)("%s", (_, make) => {
    expect(isServePlan(make())).toBe(false);
  });

  test("a subclass, a call of the constructor and what a plan says its constructor is", () => {
    class Evil extends (ServePlan as unknown as new (...given: unknown[]) => object) {}
    const parts = {
      given: 0,
      selected: [],
      kept: [],
      routed: [],
      dropped: [],
      slot: "system_end",
      profile: someProfile(0),
    };
    for (const key of [undefined, Symbol("assemble"), "assemble"]) {
      expect(() => new Evil(key, parts)).toThrow("only compile() makes a ServePlan");
      expect(() => Reflect.construct(ServePlan, [key, parts])).toThrow("only compile() makes a ServePlan");
      expect(() => Reflect.construct(ServePlan, [key, parts], Object)).toThrow("only compile() makes a ServePlan");
    }
    expect(Reflect.get(real, "constructor")).toBeUndefined();
    expect(() => Object.assign(ServePlan, { is: () => true })).toThrow(TypeError);
    expect(() => Object.defineProperty(ServePlan, "is", { value: () => true })).toThrow(TypeError);
    expect(() => Object.assign(ServePlan.prototype, { text: "x" })).toThrow(TypeError);
    expect(isServePlan(Object.create(Evil.prototype))).toBe(false);
  });
});

describe("a plan stays what it was", () => {
  test("it is frozen all the way down", () => {
    const thawed: string[] = [];
    const walk = (value: unknown, at: string): void => {
      if (typeof value !== "object" || value === null) return;
      if (!Object.isFrozen(value)) thawed.push(at);
      for (const key of Reflect.ownKeys(value)) walk(Reflect.get(value, key), `${at}.${String(key)}`);
    };
    const facts = [{ name: "state", anyOf: ["locked", 1, true] }];
    const when = { event: null, tool: null, facts };
    walk(plan([...RULES, someRule("e", { when, breach: { ...when, tool: "tap" }, escalate: "end" })]), "plan");
    expect(thawed).toEqual([]);
  });

  test("whatever becomes of it, and of what it was made from", () => {
    const anyOf = ["locked"];
    const facts = [{ name: "state", anyOf }];
    const when = { event: "screen", tool: null, facts };
    const profile = { ...someProfile(60) };
    const rules = [...RULES.map((rule) => ({ ...rule })), { ...someRule("e"), when }];
    const task = { text: "", app: null, paths: [] as string[] };
    const set = ruleSet(rules);
    const made = compile(set, task, profile);
    if (made.kind === "refusal") throw new Error(made.detail);
    const before = planText(made);

    anyOf.push("open");
    facts.push({ name: "other", anyOf });
    Object.assign(when, { event: null });
    for (const rule of rules)
      Object.assign(rule, { body: "y".repeat(1_000), safety: !rule.safety, id: "z", order: -1, when: null });
    rules.length = 1;
    Object.assign(profile, { budgetBytes: 1, slot: "last_user", name: "desk" });
    task.paths.push("x.ts");
    expect(planText(made)).toBe(before);
    // The set is what it was made from as well.
    const again = compile(set, someTask(""), someProfile(60));
    expect(again.kind === "plan" && planText(again)).toBe(before);

    for (const [target, change] of [
      [made, { text: "x", report: null }],
      [made.report, { kept: [], bytes: 0 }],
      [made.report.kept, { 0: null, length: 0 }],
      [made.report.kept[0], { id: "x" }],
      [made.report.routed[0]?.when, { event: null }],
      [set, { size: 0, duplicates: [] }],
    ] as const) {
      expect(() => Object.assign(target ?? {}, change)).toThrow(TypeError);
    }
    expect(() => Object.setPrototypeOf(made, { text: "x" })).toThrow(TypeError);
    expect(planText(made)).toBe(before);
  });

  test("inputs that say something else each time they are asked", () => {
    let asked = 0;
    const fickle = <T>(first: T, later: T): PropertyDescriptor & ThisType<unknown> => ({
      enumerable: true,
      get: () => (asked++ === 0 ? first : later),
    });
    const profile = Object.defineProperty(someProfile(60), "budgetBytes", fickle(60, 1_000_000));
    const made = compile(ruleSet(RULES), someTask(""), profile);
    expect(made).toMatchObject({ report: { budgetBytes: 60, bytes: 41 } });
    expect(asked).toBe(1);

    asked = 0;
    const rule = Object.defineProperty(someRule("a"), "body", fickle("short", "long".repeat(1_000)));
    expect(compile(ruleSet([rule]), someTask(""), someProfile(60))).toMatchObject({
      text: "short",
      report: { bytes: 5 },
    });
    expect(asked).toBe(1);
  });

  test("no set but a prepared one is compiled", () => {
    const set = ruleSet(RULES);
    const likenesses = [{ ...set }, Object.create(set), structuredClone({ ...set }), new Proxy(set, {}), {}];
    for (const like of likenesses) {
      expect(() => compile(like as typeof set, someTask(""), someProfile(60))).toThrow(/#parts|'length'/);
    }
    expect(Reflect.get(set, "constructor")).toBeUndefined();
  });
});

// Code in the same process can change what every list and text does. A plan that comes out nevertheless keeps the laws.
describe("patched prototypes break no law", () => {
  type Patch = readonly [target: object, name: PropertyKey, descriptor: PropertyDescriptor];
  const value = (made: unknown): PropertyDescriptor => ({ value: made, configurable: true, writable: true });
  const lists = (name: string, made: (this: unknown[], ...given: unknown[]) => unknown): Patch => [
    Array.prototype,
    name,
    value(made),
  ];
  const patches: readonly (readonly [string, Patch])[] = [
    ["every character is ASCII", [String.prototype, "charCodeAt", value(() => 0x41)]],
    ["every code point is ASCII", [String.prototype, "codePointAt", value(() => 0x41)]],
    ["every text is well-formed", [String.prototype, "isWellFormed", value(() => true)]],
    ["freezing does nothing", [Object, "freeze", value((one: unknown) => one)]],
    ["all is frozen already", [Object, "isFrozen", value(() => true)]],
    ["everything is the same", [Object, "is", value(() => true)]],
    ["filters let nothing through", lists("filter", () => [])],
    [
      "filters let everything through",
      lists("filter", function () {
        return this;
      }),
    ],
    ["sums are the least", lists("reduce", (_, first) => first)],
    ["nothing can be put into a list", lists("push", () => 0)],
    [
      "everything is put into a list twice",
      lists("push", function (one) {
        this[this.length] = one;
        this[this.length] = one;
        return this.length;
      }),
    ],
    ["lists map to nothing", lists("map", () => [])],
    [
      "lists are sorted backwards",
      lists("sort", function () {
        return this.reverse();
      }),
    ],
    ["nothing is in a list", [Array.prototype, Symbol.iterator, value(function* () {})]],
    [
      "a list's first place swallows what it is given",
      [Array.prototype, "0", { configurable: true, get: () => undefined, set: () => {} }],
    ],
    ["every list has one more", [Array.prototype, "1", { configurable: true, get: () => RULES[3], set: () => {} }]],
    ["joining is endless", lists("join", () => "x".repeat(10_000))],
    [
      "every object is for no channel",
      [Object.prototype, "routed", { configurable: true, get: () => null, set: () => {} }],
    ],
    [
      "every object has a safety of its own",
      [Object.prototype, "safety", { configurable: true, get: () => false, set: () => {} }],
    ],
    ["every object is a plan's", [Object, Symbol.hasInstance, value(() => true)]],
    ["numbers are whole", [Number, "isSafeInteger", value(() => true)]],
    ["rounding adds a million", [Math, "floor", value(() => 1_000_000)]],
  ];

  const longest = new TextEncoder();
  for (const [what, [target, name, descriptor]] of patches) {
    test(what, () => {
      for (const rules of [RULES, [...RULES, someRule("e", { safety: true, body: "漢".repeat(20) })]]) {
        for (const budget of [40, 41, 60, 103, 104, 105]) {
          const prepared = ruleSet(rules);
          const [task, profile] = [someTask(""), someProfile(budget)];
          const made: unknown[] = [];
          const before = Object.getOwnPropertyDescriptor(target, name);
          try {
            Object.defineProperty(target, name, descriptor);
            for (const prepare of [() => prepared, () => ruleSet(rules)]) {
              try {
                made[made.length] = compile(prepare(), task, profile);
              } catch {}
            }
          } finally {
            if (before === undefined) Reflect.deleteProperty(target, name);
            else Object.defineProperty(target, name, before);
          }
          for (const one of made) {
            if (!isServePlan(one)) continue;
            expect(longest.encode(one.text).length).toBeLessThanOrEqual(budget);
            expect(one.report.bytes).toBe(longest.encode(one.text).length);
            expect(one.report.dropped.filter(({ id }) => id !== "a" && id !== "d")).toEqual([]);
            expect(one.report.kept.length + one.report.routed.length + one.report.dropped.length).toBe(
              one.report.selected,
            );
            expect(
              [one, one.report, one.report.kept, one.report.kept[0] ?? one].every((value) => Object.isFrozen(value)),
            ).toBe(true);
          }
        }
      }
    });
  }
});
