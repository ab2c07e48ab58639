/** The slow spec says no: to each of these effects, which differ from a good one in one thing. */
import { describe, expect, test } from "vitest";
import { faultOf, type Performed, unrecordedFault } from "../../spec/rails.ts";
import type { RunEvent } from "../../src/index.ts";
import { SAID_AGAIN } from "./said-again.ts";
import { dayInZurich, START, World } from "./world.ts";

const HOUR = 3_600_000;

const good: Performed = {
  tool: "pay",
  params: { account: "a1", amountMinor: 100, to: "payee-a" },
  evidence: ["a1-a-new"],
  principal: "desk",
  customer: "customer:a",
  thread: "t",
  run: "r",
  outermost: "r",
  step: 1,
  at: START,
  day: dayInZurich(START),
  came: "done",
};
const pay = (params: Performed["params"], more: Partial<Performed> = {}): Performed => ({
  ...good,
  params: { ...good.params, ...params },
  ...more,
});
const label: Performed = { ...good, tool: "label", params: { account: "a1", colour: "blue" }, evidence: [] };
const tell = (to: string): Performed => ({ ...good, tool: "tell", params: { to }, evidence: [] });
const listed: Performed = { ...good, tool: "list", params: {}, evidence: [] };
const faultIn = (...all: readonly Performed[]): string | null => {
  const last = all.at(-1);
  return last === undefined ? null : faultOf(last, all.slice(0, -1), SAID_AGAIN);
};

describe("the rails, said again", () => {
  test("permit what may be done", () => {
    expect(faultIn(good)).toBe(null);
    expect(faultIn(pay({ ref: "AB12" }))).toBe(null);
    expect(faultIn(pay({ account: "ab", to: "payee-file" }, { evidence: ["ab-file", "ab-a-new"] }))).toBe(null);
    expect(faultIn(label)).toBe(null);
    expect(faultIn(tell("Bill@good.example"))).toBe(null);
    expect(faultIn(listed, tell("bank@good.example"))).toBe(null);
    expect(faultIn(good, pay({ amountMinor: 200 }))).toBe(null);
    expect(faultIn({ ...good, came: "failed" }, good)).toBe(null);
    expect(faultIn(good, { ...good, thread: "u", run: "s", outermost: "s" })).toBe(null);
  });

  const bad: readonly (readonly [string, ...Performed[]])[] = [
    ["there is no such tool", { ...good, tool: "approve" }],
    ["there is no such tool", { ...good, tool: "toString" }],
    ["clerk may not use it", { ...good, principal: "clerk" }],
    ["nobody may not use it", { ...good, principal: "nobody" }],
    ["it has a parameter that there is not: approved", pay({ approved: true })],
    ["it lacks to", { ...good, params: { account: "a1", amountMinor: 100 } }],
    ["amountMinor is not what it must be", pay({ amountMinor: 0 })],
    ["amountMinor is not what it must be", pay({ amountMinor: 1_001 })],
    ["amountMinor is not what it must be", pay({ amountMinor: 0.5 })],
    ["amountMinor is not what it must be", pay({ amountMinor: "100" })],
    ["ref is not what it must be", pay({ ref: "AB12\n" })],
    ["account is not what it must be", pay({ account: "a1       " })],
    ["it cites a9, which does not exist", { ...good, evidence: ["a9"] }],
    ["it cites ab-b-new of customer:b", pay({ account: "ab" }, { evidence: ["ab-a-new", "ab-b-new"] })],
    ["it cites a1-a-old, which is too old", { ...good, evidence: ["a1-a-old"] }],
    ["it cites a1-a-next, which has not happened yet", { ...good, evidence: ["a1-a-next"] }],
    ["it cites too little", { ...good, evidence: [] }],
    ["it cites too little", { ...good, tool: "purge", principal: "clerk", params: { account: "a1" } }],
    ["nothing cited vouches for to", pay({ to: "payee-b" })],
    ["the policy says deny", pay({ account: "c2", to: "payee-c" }, { customer: "customer:c", evidence: ["c2-c-new"] })],
    ["the policy says deny", pay({ account: "a2", amountMinor: 41 }, { evidence: ["a2-a-new"] })],
    ["the policy says deny", pay({ account: "b1", to: "payee-file" }, { evidence: ["b1-file"] })],
    ["the policy says stage", pay({ amountMinor: 401 })],
    ["the policy says stage", { ...good, tool: "wire", params: { account: "a1", amountMinor: 5 } }],
    ["the policy says stage", { ...label, params: { account: "a1", colour: "red" } }],
    ["it was done already, as step 1 of run r", good, { ...good, run: "s", outermost: "s" }],
    ["it was done already, as step 1 of run r", { ...good, came: "unknown" }, { ...good, step: 2 }],
    ["paid_in_run: 301 of 300", good, pay({ amountMinor: 201 })],
    [
      "paid_in_run: 301 of 300",
      { ...good, came: "unknown" },
      pay({ amountMinor: 201 }, { run: "nested", thread: "r.1" }),
    ],
    ["the policy says deny", tell("eve@evil.example")],
    ["the policy says deny", tell("bank@good.example")],
    ["the policy says deny", listed, tell("eve@evil.example")],
    ["the policy says deny", { ...listed, thread: "u" }, tell("bank@good.example")],
    ["the policy says deny", { ...listed, came: "failed" }, tell("bank@good.example")],
    ["labels: 5 of 4", label, label, label, label, label],
  ];
  for (const [i, [why, ...effects]] of bad.entries())
    test(`${i + 1}: ${why}`, () => expect(faultIn(...effects)).toBe(why));

  test("a day is the zone's, and its sum all runs'", () => {
    const paid = (i: number, at: number): Performed =>
      pay({ amountMinor: 250 + i }, { run: `r${i}`, outermost: `r${i}`, thread: `t${i}`, at, day: dayInZurich(at) });
    const before = [paid(1, START), paid(2, START), paid(3, START)];
    // 23:59 in Zurich, which is 22:59 elsewhere, and then midnight.
    expect(faultIn(...before, paid(4, START + 2.99 * HOUR))).toBe("paid_in_day: 1010 of 900");
    expect(faultIn(...before, paid(4, START + 3 * HOUR))).toBe(null);
    // The day after is an hour shorter, since the clocks go forward.
    expect([26.9, 25.9].map((hours) => dayInZurich(START + hours * HOUR) - dayInZurich(START))).toEqual([2, 1]);
  });
});

describe("the rows, read again", () => {
  const decided = {
    kind: "decided",
    step: 1,
    tool: "pay",
    outcome: "permit",
    checked: good.params,
    evidence: ["a1-a-new"],
  };
  const rows = (...more: readonly object[]): readonly RunEvent[] => {
    const began = { kind: "began", principal: { id: "desk" }, customer: "customer:a" };
    return [began, ...more] as unknown as readonly RunEvent[];
  };
  const started = { kind: "started", step: 1, tool: "pay", params: good.params };

  test("account for what they say", () => expect(unrecordedFault(good, rows(decided, started))).toBe(null));

  const bad: readonly (readonly [string, readonly object[]])[] = [
    ["no row says that it started", []],
    ["no row says that it started", [decided]],
    ["it started twice", [decided, started, decided, started]],
    ["nothing was decided right before it started", [started]],
    ["it was decided as stage", [{ ...decided, outcome: "stage" }, started]],
    ["it was decided as permit", [{ ...decided, step: 2 }, started]],
    ["it is not what was decided", [{ ...decided, checked: { ...good.params, amountMinor: 1 } }, started]],
    ["it is not what started", [decided, { ...started, params: {} }]],
    ["other evidence was judged", [{ ...decided, evidence: [] }, started]],
  ];
  for (const [i, [why, events]] of bad.entries()) {
    test(`${i + 1}: ${why}`, () => expect(unrecordedFault(good, rows(...events))).toBe(why));
  }

  test("say for whom", () => {
    const events = rows(decided, started);
    expect(unrecordedFault({ ...good, customer: "customer:b" }, events)).toBe("it acts for somebody else");
    expect(unrecordedFault({ ...good, principal: "clerk" }, events)).toBe("it acts for somebody else");
  });
});

describe("what a reply says", () => {
  const peek = { tool: "peek", params: {}, evidence: [] };
  const done: Performed = { ...good, ...peek };
  const faultsOf = (meant: World["meant"], ...effects: readonly Performed[]): number => {
    const world = new World();
    world.meant = meant;
    for (const effect of effects) world.perform(effect);
    return world.faults.length;
  };

  test("is done at most once and in its order, and nothing else is", () => {
    const pays = { tool: "pay", params: { ...good.params, ref: null }, evidence: good.evidence };
    expect(faultsOf({ only: [peek], done: 0 }, done)).toBe(0);
    expect(faultsOf({ only: [peek, pays], done: 0 }, done, good)).toBe(0);
    expect(faultsOf({ only: [peek, pays], done: 0 }, good)).toBe(0);
    expect(faultsOf({ only: null, done: 0 }, good)).toBe(0);
    expect(faultsOf({ only: [], done: 0 }, done)).toBe(1);
    expect(faultsOf({ only: [peek], done: 0 }, done, done)).toBe(1);
    expect(faultsOf({ only: [pays, peek], done: 0 }, done, good)).toBe(1);
    expect(faultsOf({ only: [pays], done: 0 }, { ...good, evidence: ["a1-file"] })).toBe(1);
    expect(faultsOf({ only: [pays], done: 0 }, pay({ amountMinor: 1 }))).toBe(1);
  });
});
