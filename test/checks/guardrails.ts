import assert from "node:assert/strict";
import { DEFAULT_BUDGETS } from "../../src/domain/budgets.ts";
import type { Reply } from "../../src/domain/reply.ts";
import { action, drive, endingOf, endText, type Loop, loopTool, rulesOf } from "./drive.ts";
import { TEACHING_CHECKS } from "./teaching.ts";

/**
 * What each guardrail promises, as checks over the loop's door. The unit tests run them against the real loop, the twins
 * against copies with a planted fault, which each must catch.
 */
const tools = rulesOf(
  loopTool("read"),
  loopTool("edit"),
  loopTool("poll", { mayRepeat: true }),
  loopTool("pay", { once: true }),
  loopTool("builder", { local: true, settleKey: (params) => String((params as { path?: unknown }).path) }),
  loopTool("search_web"),
);

function* forever(reply: (turn: number) => Reply | null): Generator<Reply | null> {
  for (let turn = 1; ; turn++) yield reply(turn);
}

/** Turns: border-1, border, border+1 of the budget, and no other way round it. */
export function turnBudget(loop: Loop): void {
  for (const turns of [1, 9, 10, 11]) {
    const budgets = { ...DEFAULT_BUDGETS, turns, modelCalls: 1_000, steps: 1_000 };
    const { run, performed } = drive(
      loop,
      tools,
      forever((turn) => action("read", { turn })),
      { began: { budgets } },
    );
    assert.equal(endingOf(run), "turn_budget");
    assert.equal(performed.length, turns, "as many turns as the budget has, not one more or less");
    assert.equal(
      endText(run),
      "I reached the maximum number of steps. Here's where I left off.\nLast result: read done",
    );
  }
  const { run } = drive(
    loop,
    tools,
    [...Array(9).keys()].map((turn) => action("read", { turn })).concat([{ kind: "conversation", text: "done" }]),
  );
  assert.equal(endingOf(run), "answered", "an answer in the last turn is an answer");
}

/** Ten turns cannot hide a hundred calls or steps: re-asks and the steps of plans have counters of their own. */
export function callAndStepBudgets(loop: Loop): void {
  const calls = drive(
    loop,
    tools,
    forever((turn) => (turn % 2 === 0 ? action("read", { turn }) : null)),
    {
      began: { budgets: { ...DEFAULT_BUDGETS, turns: 100, modelCalls: 7, steps: 100 } },
    },
  );
  assert.equal(endingOf(calls.run), "call_budget");
  assert.equal(calls.events.filter((event) => event.kind === "replied").length, 7);
  const plan = (turn: number): Reply => ({
    kind: "plan",
    steps: [1, 2, 3, 4].map((i) => ({ actor: "read", description: "", params: { turn, i }, evidence: [] })),
  });
  const steps = drive(loop, tools, forever(plan), { began: { budgets: { ...DEFAULT_BUDGETS, steps: 10 } } });
  assert.equal(endingOf(steps.run), "step_budget");
  assert.equal(steps.performed.length, 10);
}

/** The third identical proposal in a row is not run; two are legitimate; results play no part. */
export function repetition(loop: Loop): void {
  let clock = 0;
  const stamped = { perform: () => ({ outcome: "done" as const, result: { now: ++clock } }) };
  const same = drive(
    loop,
    tools,
    forever(() => action("read", { q: "x" })),
    stamped,
  );
  assert.equal(endingOf(same.run), "repetition");
  assert.equal(same.performed.length, 2, "the third is not run");
  assert.equal(endText(same.run), "Repetition detected: the same action was repeated 3 times.\nLast result: read done");
  const two = drive(loop, tools, [
    action("read", { q: "x" }),
    action("read", { q: "x" }),
    { kind: "conversation", text: "ok" },
  ]);
  assert.equal(endingOf(two.run), "answered", "two in a row are a retry");
  const others = drive(loop, tools, [
    action("read", { q: "x" }),
    action("read", { q: "x" }),
    action("read", { q: "y" }),
    action("read", { q: "x" }),
  ]);
  assert.equal(endingOf(others.run), null, "other params break the row");
  const reordered = drive(loop, tools, [
    action("read", { a: 1, b: 2 }, ["e1", "e2"]),
    action("read", { b: 2, a: 1 }, ["e2", "e1"]),
    action("read", { a: 1, b: 2 }, ["e1", "e2"]),
  ]);
  assert.equal(endingOf(reordered.run), "repetition", "the order of keys and ids is nothing");
  const cited = drive(loop, tools, [
    action("read", {}, ["e1"]),
    action("read", {}, ["e2"]),
    action("read", {}, ["e3"]),
  ]);
  assert.equal(endingOf(cited.run), null, "other evidence is another proposal");
}

/** Denied proposals, one-step plans and unreadable replies count as well. */
export function repetitionOfEverything(loop: Loop): void {
  const denied = drive(
    loop,
    tools,
    forever(() => action("read", { q: "x" })),
    { perform: () => ({ outcome: "denied" }) },
  );
  assert.equal(endingOf(denied.run), "repetition");
  assert.equal(denied.events.filter((event) => event.kind === "decided").length, 2);
  const step = { actor: "read", description: "", params: { q: "x" }, evidence: [] };
  const mixed = drive(loop, tools, [
    action("read", { q: "x" }),
    { kind: "plan", steps: [step] },
    action("read", { q: "x" }),
  ]);
  assert.equal(endingOf(mixed.run), "repetition", "a one-step plan is the same proposal");
  const inPlan = drive(loop, tools, [{ kind: "plan", steps: [step, step, step, step] }]);
  assert.equal(endingOf(inPlan.run), "repetition", "a plan cannot hide a row of identical steps");
  assert.equal(inPlan.performed.length, 2);
  const a = { ...step, params: { q: "a" } };
  const b = { ...step, params: { q: "b" } };
  const plans: readonly Reply[] = [
    { kind: "plan", steps: [a, b] },
    { kind: "plan", steps: [b, a] },
    { kind: "plan", steps: [a, b] },
  ];
  assert.equal(endingOf(drive(loop, tools, plans).run), "repetition", "the same set of steps in another order");
}

/** Three turns in a row without a readable reply end the run; each turn asks twice. */
export function malformed(loop: Loop): void {
  const broken = drive(
    loop,
    tools,
    forever(() => null),
  );
  assert.equal(endingOf(broken.run), "malformed");
  assert.equal(broken.events.filter((event) => event.kind === "replied").length, 6);
  const mended = drive(loop, tools, [
    null,
    null,
    null,
    null,
    null,
    action("read", { q: 1 }),
    null,
    null,
    null,
    null,
    null,
  ]);
  assert.equal(endingOf(mended.run), null, "a readable reply in between starts the count again");
}

/** Polling is declared, and then it is legitimate. */
export function mayRepeat(loop: Loop): void {
  const polls = drive(
    loop,
    tools,
    [...Array(6).keys()].map(() => action("poll", { job: 7 })),
  );
  assert.equal(endingOf(polls.run), null);
  assert.equal(polls.performed.length, 6);
}

/** Period 2 ends after three rounds, periods 3 and 4 after two; work in between is no cycle. */
export function cycle(loop: Loop): void {
  const names = "abcd";
  for (const [period, rounds] of [
    [2, 3],
    [3, 2],
    [4, 2],
  ] as const) {
    const turn = (i: number): Reply => action("read", { q: names.charAt(i % period) });
    const before = drive(loop, tools, [...Array(period * rounds - 1).keys()].map(turn));
    assert.equal(endingOf(before.run), null, `period ${period}: not before the last turn of round ${rounds}`);
    const at = drive(loop, tools, [...Array(period * rounds).keys()].map(turn));
    assert.equal(endingOf(at.run), "cycle", `period ${period}`);
    assert.equal(at.performed.length, period * rounds - 1, "the turn that closes the circle is not run");
  }
  const work = ["t", "x", "t", "y", "t", "z", "t"].map((q) => action(q === "t" ? "read" : "edit", { q }));
  assert.equal(endingOf(drive(loop, tools, work).run), null, "test, edit, test with other edits is work");
  const polling = [...Array(8).keys()].map((i) => action("poll", { job: i % 2 }));
  assert.equal(endingOf(drive(loop, tools, polling).run), null, "a circle of polls is polling");
}

/** A pass is not done again; the third try ends the run; any other result in between clears it. */
export function shortCircuit(loop: Loop): void {
  const build = (n: number): Reply => action("builder", { path: "src/foo.rs", note: n });
  const four = drive(loop, tools, [build(1), build(2), build(3), build(4), build(5)]);
  assert.equal(endingOf(four.run), "short_circuit");
  assert.equal(four.performed.length, 1, "built once");
  assert.equal(four.events.filter((event) => event.kind === "replied").length, 4, "the third short-circuit ends it");
  const three = drive(loop, tools, [build(1), build(2), build(3), { kind: "conversation", text: "ok" }]);
  assert.equal(endingOf(three.run), "answered");
  const identical = drive(loop, tools, [build(1), build(1), build(1), build(1)]);
  assert.equal(endingOf(identical.run), "short_circuit", "such turns count here and not under repetition");
  const rebuilt = drive(loop, tools, [build(1), action("read", { test: 1 }), build(2)]);
  assert.equal(rebuilt.performed.length, 3, "build, test, rebuild is work");
  const failing = drive(loop, tools, [build(1), build(2)], { perform: () => ({ outcome: "done", pass: false }) });
  assert.equal(failing.performed.length, 2, "what did not pass may be built again");
}

/** The same payment proposed again returns the first receipt, whatever came in between. */
export function onceSettles(loop: Loop): void {
  const pay = action("pay", { order: 1, amount: 5 });
  const twice = drive(loop, tools, [pay, action("read", { q: 1 }), pay, action("read", { q: 2 }), pay]);
  assert.equal(twice.performed.filter((line) => line.startsWith("pay")).length, 1);
  const other = drive(loop, tools, [pay, action("pay", { order: 1, amount: 6 })]);
  assert.equal(other.performed.length, 2, "other params are another payment");
  const failedFirst = drive(loop, tools, [pay, pay], { perform: () => ({ outcome: "failed" }) });
  assert.equal(failedFirst.performed.length, 2, "what failed may be tried again");
}

/** One-step plans become actions: local actor, adapter tool, code work; what nobody can perform is a denial. */
export function autoCorrection(loop: Loop): void {
  const one = (actor: string, description = ""): Reply => ({
    kind: "plan",
    steps: [{ actor, description, params: { path: "a" }, evidence: ["e"] }],
  });
  const command = (reply: Reply) => {
    let seen: { tool: string; route: string } = { tool: "", route: "" };
    drive(loop, tools, [reply], {
      perform: ({ tool, route }) => {
        seen = { tool, route };
        return { outcome: "outcome_unknown" };
      },
    });
    return `${seen.tool} ${seen.route}`;
  };
  assert.equal(command(one("builder")), "builder local");
  assert.equal(command(one("search_web")), "search_web adapter");
  assert.equal(command(one("", "implement the parser in Rust")), "builder code_work");
  assert.equal(command(one("nobody", "write a TypeScript function")), "builder code_work");
  assert.equal(command(one("nobody", "water the plants")), "nobody unroutable");
  assert.equal(command(one("scribe", "write a note")), "scribe actor_not_in_allowlist");
  assert.equal(command(one("retrieve", "look it up")), "retrieve actor_not_in_allowlist");
  const two: Reply = {
    kind: "plan",
    steps: [
      { actor: "search_web", description: "", params: {}, evidence: [] },
      { actor: "nobody", description: "implement it", params: {}, evidence: [] },
    ],
  };
  const routes: string[] = [];
  drive(loop, tools, [two], {
    perform: ({ tool, route }) => {
      routes.push(`${tool} ${route}`);
      return { outcome: "done" };
    },
  });
  assert.deepEqual(
    routes,
    ["search_web adapter", "nobody unroutable"],
    "longer plans are routed by their actors alone",
  );
}

/** A plan runs step by step and stops at the first that is not done; earlier results stand. */
export function planStops(loop: Loop): void {
  const steps = ["a", "b", "c"].map((q) => ({ actor: "read", description: "", params: { q }, evidence: [] }));
  for (const outcome of ["failed", "denied"] as const) {
    const { run, performed } = drive(loop, tools, [{ kind: "plan", steps }], {
      perform: ({ params }) => ({ outcome: JSON.stringify(params).includes("b") ? outcome : "done" }),
    });
    assert.ok(!performed.some((line) => line.includes('"c"')), "nothing after the step that was not done");
    assert.equal(run.lastDone?.line, "read done");
    assert.equal(run.command?.kind, "ask_model");
  }
}

/** The prompt carries the newest result whole and older ones as lines, never over its bound; the newest is cut last. */
export function compression(loop: Loop): void {
  const big = (n: number) => ({ text: "x".repeat(n) });
  for (const bytes of [2_000, 42_000, 270_000]) {
    let run = drive(loop, tools, [action("read", { q: 0 })], {
      perform: () => ({ outcome: "done", result: big(bytes) }),
    }).run;
    for (let turn = 1; turn < 30; turn++) {
      const built = loop.buildPrompt(run, loop.systemText(tools), { kind: "turn" });
      assert.ok(built.ok);
      assert.ok(built.prompt.bytes <= built.prompt.bytesMax, "never over the bound");
      assert.equal(Buffer.byteLength(built.prompt.system) + Buffer.byteLength(built.prompt.user), built.prompt.bytes);
      if (bytes === 2_000) assert.ok(built.prompt.user.includes(JSON.stringify(big(bytes))), "the newest is whole");
      assert.equal(
        built.prompt.cut.some((cut) => cut.includes("newest")),
        bytes > 44_000,
      );
      run = drive(loop, tools, [action("read", { q: turn })], {
        from: { ...run, used: { ...run.used, turns: 0, modelCalls: 1, steps: 0, tokens: 0 } },
        perform: () => ({ outcome: "done", result: big(bytes) }),
      }).run;
    }
  }
}

/** A run that stopped at a budget in the middle of a plan goes on with the plan's next step and fresh budgets. */
export function continues(loop: Loop): void {
  const steps = ["a", "b", "c"].map((q) => ({ actor: "read", description: "", params: { q }, evidence: [] }));
  const budgets = { ...DEFAULT_BUDGETS, steps: 2 };
  const first = drive(loop, tools, [{ kind: "plan", steps }], { began: { budgets } });
  assert.equal(endingOf(first.run), "step_budget");
  const closed = loop.advance(first.run, { kind: "ended", at: 100, ending: "step_budget", detail: "", text: "" });
  assert.equal(closed.ended, "step_budget");
  const again = loop.advance(closed, { kind: "continued", at: 200, budgets });
  const second = drive(loop, tools, [{ kind: "conversation", text: "ok" }], { from: again });
  assert.deepEqual(second.performed, ['read {"q":"c"}'], "the step that was open, and only that");
  assert.equal(endingOf(second.run), "answered");
}

export const GUARDRAIL_CHECKS = {
  turnBudget,
  callAndStepBudgets,
  repetition,
  repetitionOfEverything,
  malformed,
  mayRepeat,
  cycle,
  shortCircuit,
  onceSettles,
  autoCorrection,
  planStops,
  compression,
  continues,
  ...TEACHING_CHECKS,
};
