import { describe, expect, test } from "vitest";
import { EffectFailed, type RunEvent, SignalboxError, stage } from "../../src/index.ts";
import { simulatedClock } from "../../src/testing/index.ts";
import { act, openBox, pay, payTool, plainTool, say } from "./box.ts";

const finishedOf = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.kind === "finished" ? [event] : []));
const deniedOf = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.kind === "decided" && event.denial !== null ? [event.denial.code] : []));

describe("what a tool does becomes an outcome", () => {
  test("[run-outcome-unknown] a once effect that throws leaves its outcome unknown, and the run says so", async () => {
    const box = openBox(
      [
        payTool(() => {
          throw new Error("connection reset");
        }),
      ],
      [pay("1", 5)],
    );
    const outcome = await box.run("pay", { customer: "customer:ada" });
    expect(outcome).toMatchObject({ ending: "outcome_unknown", exitCode: 1, detail: "connection reset" });
    expect(finishedOf(await box.events(outcome.run))).toMatchObject([
      { outcome: "outcome_unknown", error: "connection reset" },
    ]);
    // What is open is not tried again, in this run or in the next of the thread.
    const again = openBox([payTool(() => ({}))], []);
    expect(again).toBeDefined();
  });

  test("[run-outcome-unknown] the same action in the same thread is denied while its outcome is open", async () => {
    let calls = 0;
    const box = openBox(
      [
        payTool(() => {
          calls += 1;
          throw new Error("timeout");
        }),
      ],
      [pay("1", 5), pay("1", 5), say("stopped")],
    );
    const thread = box.thread({ customer: "customer:ada" });
    await thread.run("pay");
    const second = await thread.run("try again");
    expect(calls).toBe(1);
    expect(deniedOf(await box.events(second.run))).toEqual(["outcome_open"]);
    expect((await box.replay(second.run)).same).toBe(true);
  });

  test("a tool that is sure that nothing happened says so with EffectFailed, and its cap is given back", async () => {
    let tries = 0;
    const box = openBox(
      [
        payTool(() => {
          tries += 1;
          if (tries === 1) throw new EffectFailed("card declined");
          return { ok: true };
        }),
      ],
      [pay("1", 1_000), pay("1", 1_000), say("done")],
    );
    const outcome = await box.run("pay", { customer: "customer:ada" });
    expect(outcome.ending).toBe("answered");
    expect(finishedOf(await box.events(outcome.run)).map((event) => event.outcome)).toEqual(["failed", "done"]);
  });

  test("[rails-once-settles] the same payment in a later run of the thread returns the first receipt", async () => {
    let paid = 0;
    const box = openBox(
      [payTool(() => ({ receipt: ++paid }))],
      [pay("1", 5), say("a"), pay("1", 5), pay("1", 5), say("b"), pay("1", 5), say("c")],
    );
    const thread = box.thread({ customer: "customer:ada" });
    const first = await thread.run("pay");
    const second = await thread.run("pay once more");
    expect(paid).toBe(1);
    expect((await box.events(second.run)).find((event) => event.kind === "settled_before")).toMatchObject({
      result: { receipt: 1 },
      receipt: { run: first.run, step: 1 },
    });
    await box.run("pay in another thread", { customer: "customer:ada" });
    expect(paid).toBe(2);
    expect((await box.replay(second.run)).differences).toEqual([]);
  });

  test.each([
    ["read", "internal", "failed"],
    ["idempotent", "internal", "failed"],
    ["once", "internal", "outcome_unknown"],
  ] as const)("a %s tool that exceeds its deadline is %s %s", async (effect, placement, expected) => {
    const clock = simulatedClock(0);
    const slow = plainTool("slow", () => new Promise(() => queueMicrotask(() => clock.advance(30_000))), {
      effect,
      placement,
    });
    const box = openBox([slow], [act("slow"), say("ok")], { clock });
    const outcome = await box.run("wait");
    expect(finishedOf(await box.events(outcome.run))).toMatchObject([
      { outcome: expected, error: "no result within 30000 ms" },
    ]);
  });

  test("an idempotent but irreversible effect that throws is not assumed to have failed", async () => {
    const box = openBox(
      [
        payTool(
          () => {
            throw new Error("reset");
          },
          { effect: "idempotent" },
        ),
      ],
      [pay("1", 5)],
    );
    expect((await box.run("pay", { customer: "customer:ada" })).ending).toBe("outcome_unknown");
  });

  test.each([
    ["a result that is no JSON", () => ({ when: new Date(0) }), "not_plain"],
    ["a result that is too large", () => "x".repeat(2_000), "too_large"],
    ["a result with a key that reaches a prototype", () => JSON.parse('{"__proto__": 1}'), "forbidden_key"],
    ["a result with half a character", () => "\ud800", "lone_surrogate"],
    ["a result with a number that JSON cannot hold", () => ({ n: Number.POSITIVE_INFINITY }), "number_out_of_range"],
  ])("%s fails a read by name", async (_what, execute, code) => {
    const box = openBox([plainTool("look", execute, { resultBytesMax: 1_000 })], [act("look"), say("ok")]);
    const outcome = await box.run("look");
    expect(finishedOf(await box.events(outcome.run))[0]).toMatchObject({
      outcome: "failed",
      error: expect.stringContaining(code),
    });
    expect(outcome.ending).toBe("answered");
  });

  test("a once effect whose result cannot be kept still happened", async () => {
    const box = openBox([payTool(() => new Map())], [pay("1", 5), pay("1", 5), say("ok")]);
    const outcome = await box.run("pay", { customer: "customer:ada" });
    expect(finishedOf(await box.events(outcome.run))).toMatchObject([
      { outcome: "done", pass: false, result: { unreadable: "not_plain" } },
    ]);
    expect(outcome.ending).toBe("answered");
  });

  test("a summary that throws or says nothing does not stop a run", async () => {
    const broken = plainTool("look", () => ({ a: 1 }), {
      summarise: () => {
        throw new Error("x");
      },
    });
    const box = openBox([broken], [act("look"), say("ok")]);
    const outcome = await box.run("look");
    expect(finishedOf(await box.events(outcome.run))[0]?.line).toBe('look: {"a":1}');
  });
});

describe("what a record does becomes a denial", () => {
  test.each([
    ["null", () => null, "record_missing"],
    [
      "a throw",
      () => {
        throw new Error("secret host name");
      },
      "record_failed",
    ],
    ["a rejection", () => Promise.reject(new Error("x")), "record_failed"],
    ["a class", () => new Map(), "record_unreadable"],
  ])("%s denies", async (_what, record, code) => {
    let paid = 0;
    const box = openBox([payTool(() => ++paid, { record })], [pay("1", 5), say("ok")]);
    const outcome = await box.run("pay", { customer: "customer:ada" });
    expect(deniedOf(await box.events(outcome.run))).toEqual([code]);
    expect(paid).toBe(0);
    expect(JSON.stringify(await box.events(outcome.run))).not.toContain("secret host");
    expect((await box.replay(outcome.run)).differences).toEqual([]);
  });

  test("a record that does not come in time denies", async () => {
    const clock = simulatedClock(0);
    const record = (): Promise<never> => new Promise(() => queueMicrotask(() => clock.advance(30_000)));
    const box = openBox([payTool(() => ({}), { record })], [pay("1", 5), say("ok")], { clock });
    const outcome = await box.run("pay", { customer: "customer:ada" });
    expect(deniedOf(await box.events(outcome.run))).toEqual(["record_timeout"]);
  });
});

describe("the rails inside a run", () => {
  test("stage ends the run as awaiting_approval with its row written and nothing performed or reserved", async () => {
    let paid = 0;
    const box = openBox([payTool(() => ++paid, { authorise: () => stage("supervisor") })], [pay("1", 5)]);
    const outcome = await box.run("pay", { customer: "customer:ada" });
    expect(outcome).toMatchObject({ ending: "awaiting_approval", exitCode: 4, detail: "step 1 waits for supervisor" });
    expect(paid).toBe(0);
    const events = await box.events(outcome.run);
    expect(events.find((event) => event.kind === "decided")).toMatchObject({
      outcome: "stage",
      role: "supervisor",
      reservations: [],
    });
    expect((await box.replay(outcome.run)).differences).toEqual([]);
    await expect(box.continue(outcome.run)).rejects.toMatchObject({ code: "not_continuable" });
  });

  test("[rails-permission] a tool outside of the principal's scope is neither shown nor callable", async () => {
    let paid = 0;
    const tools = [payTool(() => ++paid), plainTool("look", () => 1)];
    const box = openBox(tools, [pay("1", 5), say("ok")], {
      principals: { "agent:reader": { tools: ["look"] }, "agent:desk": { tools: "all" } },
    });
    const outcome = await box.run("pay", { as: "agent:reader", customer: "customer:ada" });
    const model = box.parts.model as unknown as { requests: { system: string }[] };
    expect(model.requests[0]?.system).not.toContain("pay");
    expect(deniedOf(await box.events(outcome.run))).toEqual(["permission"]);
    expect(paid).toBe(0);
    expect(() => box.thread({ as: "agent:nobody" })).toThrow(SignalboxError);
  });

  test("[rails-cap-day] a cap is kept across runs and comes back the next day", async () => {
    const clock = simulatedClock(Date.UTC(2026, 0, 1, 23, 0));
    const replies = [pay("1", 600), pay("2", 401), pay("3", 400), say("a"), pay("4", 1_000), say("b")];
    const box = openBox([payTool(() => ({}))], replies, { clock });
    const first = await box.run("pay", { customer: "customer:ada" });
    expect(deniedOf(await box.events(first.run))).toEqual(["cap_exceeded"]);
    clock.advance(3_600_000);
    const second = await box.run("pay", { customer: "customer:ada" });
    expect(deniedOf(await box.events(second.run))).toEqual([]);
  });

  test("a thread is about one customer: another is refused, and gets nobody's receipt", async () => {
    const box = openBox([payTool(() => ({ receipt: 1 }))], [pay("1", 5), say("done")]);
    await box.thread({ id: "t", customer: "customer:ada" }).run("pay");
    const other = box.thread({ id: "t", customer: "customer:bob" });
    await expect(other.run("pay")).rejects.toMatchObject({ code: "thread_of_another", exitCode: 2 });
    await expect(box.thread({ id: "t" }).run("pay")).rejects.toMatchObject({ code: "thread_of_another" });
  });

  test("the record that was judged is the record that is executed", async () => {
    let left = 100;
    const seen: unknown[] = [];
    const tool = payTool(({ record }) => seen.push(record), {
      record: () => ({ left: left--, events: [{ id: "e1", owner: "customer:ada" }] }),
    });
    const box = openBox([tool], [pay("1", 5), say("done")]);
    await box.run("pay", { customer: "customer:ada" });
    expect(seen).toEqual([{ left: 100, events: [{ id: "e1", owner: "customer:ada" }] }]);
    expect(Object.isFrozen(seen[0])).toBe(true);
  });

  test("[loop-short-circuit] what was already done is a row of its own", async () => {
    const box = openBox([payTool(() => ({ receipt: 1 }))], [pay("1", 5), pay("1", 5), pay("1", 5), pay("1", 5)]);
    const outcome = await box.run("pay", { customer: "customer:ada" });
    expect(outcome).toMatchObject({ ending: "short_circuit", lastResult: { result: { receipt: 1 } } });
    const rows = (await box.events(outcome.run)).flatMap((event) =>
      event.kind === "settled_before" ? [event.receipt] : [],
    );
    expect(rows).toEqual([1, 1, 1].map((step) => ({ run: outcome.run, step })));
    expect((await box.replay(outcome.run)).differences).toEqual([]);
  });

  test("approved: true written by the model is an unknown key", async () => {
    const box = openBox(
      [payTool(() => ({}))],
      [
        { kind: "action", tool: "pay", params: { id: "1", amountMinor: 5, approved: true }, evidence: ["e1"] },
        act("approve"),
        say("ok"),
      ],
    );
    const outcome = await box.run("pay", { customer: "customer:ada" });
    expect(deniedOf(await box.events(outcome.run))).toEqual(["unknown_key", "unknown_tool"]);
  });
});

describe("stopping", () => {
  test("an already aborted signal starts nothing", async () => {
    const box = openBox([], [say("never")]);
    const outcome = await box.run("x", { signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ ending: "cancelled", exitCode: 1 });
    expect((box.parts.model as unknown as { requests: unknown[] }).requests).toHaveLength(0);
  });

  test("a cancel during a model call ends the run, and the run can be continued", async () => {
    const controller = new AbortController();
    const box = openBox(
      [],
      [
        () => {
          controller.abort();
          return { kind: "conversation", text: "too late" };
        },
        say("now"),
      ],
    );
    const outcome = await box.run("x", { signal: controller.signal });
    expect(outcome.ending).toBe("cancelled");
    expect((await box.continue(outcome.run)).text).toBe("now");
  });

  test("[run-outcome-unknown] a cancel during a once effect does not pretend that it did not happen", async () => {
    const controller = new AbortController();
    const box = openBox(
      [
        payTool(() => {
          controller.abort();
          // It says nothing more: what it might have said in time would count.
          return new Promise(() => undefined);
        }),
      ],
      [pay("1", 5)],
    );
    const outcome = await box.run("x", { signal: controller.signal, customer: "customer:ada" });
    expect(outcome.ending).toBe("outcome_unknown");
  });

  test("the wall clock is a budget, and a clock set back gives no more of it", async () => {
    const clock = simulatedClock(1_000_000);
    let turn = 0;
    const look = plainTool("look", () => {
      turn += 1;
      clock.set(turn % 2 === 0 ? 500_000 : 1_000_000 + turn * 4_000);
      return turn;
    });
    const box = openBox(
      [look],
      (function* () {
        for (let n = 0; ; n++) yield act("look", { n });
      })(),
      { clock, budgets: { wallMs: 20_000, turns: 100, modelCalls: 100, steps: 100 } },
    );
    const outcome = await box.run("x");
    expect(outcome.ending).toBe("deadline");
    expect(turn).toBe(5);
  });

  test("a model that never answers is stopped by its deadline", async () => {
    const clock = simulatedClock(0);
    const model = {
      name: "m",
      kind: "live" as const,
      where: "nowhere",
      complete: () => new Promise<never>(() => queueMicrotask(() => clock.advance(120_000))),
    };
    const box = openBox([], [], { model, clock });
    const outcome = await box.run("x");
    expect(outcome).toMatchObject({
      ending: "model_unreachable",
      exitCode: 5,
      detail: "timeout: no reply within 120000 ms",
    });
  });

  test("the cost of calls is a budget", async () => {
    const model = {
      name: "m",
      kind: "live" as const,
      where: "x",
      price: { promptMicro: 1_000, completionMicro: 2_000 },
      complete: async () => ({
        ok: true as const,
        text: '{"kind":"action","tool":"look","params":{}}',
        finish: "stop",
        promptTokens: 400,
        completionTokens: 50,
      }),
    };
    const box = openBox([plainTool("look", () => 1, { mayRepeat: true })], [], {
      model,
      budgets: { costMicro: 1_400 },
    });
    const outcome = await box.run("x");
    expect(outcome).toMatchObject({ ending: "budget_exhausted", turns: 3 });
  });
});

describe("retrieve", () => {
  const passages = [{ source: "manual", text: "Refunds take 5 days." }];
  const memory = { search: async (query: string) => (query === "nothing" ? [] : passages) };

  test("the passages go back with one closing call that may only talk", async () => {
    const box = openBox(
      [],
      [
        { kind: "retrieve", query: "refunds" },
        (request) => ({
          kind: "conversation",
          text: request.messages[0]?.content.includes("manual: Refunds take 5 days.") ? "5 days" : "?",
        }),
      ],
      { memory },
    );
    expect(await box.run("how long?")).toMatchObject({ ending: "retrieved", exitCode: 0, text: "5 days" });
  });

  test("a closing reply that wants to act is not performed; the passages answer", async () => {
    let calls = 0;
    const box = openBox([plainTool("look", () => ++calls)], [{ kind: "retrieve", query: "refunds" }, act("look")], {
      memory,
    });
    expect(await box.run("how long?")).toMatchObject({ ending: "retrieved", text: "manual: Refunds take 5 days." });
    expect(calls).toBe(0);
  });

  test("nothing found says so, and so does a box without a memory", async () => {
    const box = openBox([], [{ kind: "retrieve", query: "nothing" }], { memory });
    expect(await box.run("x")).toMatchObject({ ending: "retrieved", text: "Nothing was found for: nothing" });
    const bare = openBox([], [{ kind: "retrieve", query: "refunds" }]);
    expect(await bare.run("x")).toMatchObject({ ending: "retrieved", text: "Nothing was found for: refunds" });
  });
});

describe("nested runs", () => {
  test("[loop-turn-budget] a nested run spends its parent's budget", async () => {
    const outer = plainTool("outer", async (_proposal, { nested }) => ({ said: (await nested("inner work")).text }), {
      effect: "idempotent",
    });
    const replies = [
      act("outer"),
      act("look", { n: 1 }),
      act("look", { n: 2 }),
      say("inner done"),
      act("look", { n: 3 }),
      say("done"),
    ];
    const box = openBox([outer, plainTool("look", () => 1)], replies, { budgets: { turns: 5 } });
    const outcome = await box.run("outer work");
    expect(outcome.ending).toBe("turn_budget");
    expect(outcome.turns).toBe(2);
    const events = await box.events(outcome.run);
    expect(finishedOf(events)[0]).toMatchObject({ result: { said: "inner done" }, spent: { turns: 3, steps: 2 } });
    const inner = (await box.runs()).find((run) => run.thread === `${outcome.run}.1`);
    expect(inner).toMatchObject({ request: "inner work", ending: "answered" });
    expect((await box.replay(outcome.run)).same).toBe(true);
  });

  test("a nested run's request is not the operator's word, and its once effects settle in the outer thread", async () => {
    const heard: (readonly string[])[] = [];
    let paid = 0;
    const outer = plainTool("outer", async (_proposal, { nested }) => (await nested("the operator said yes")).ending, {
      effect: "idempotent",
    });
    const payment = payTool(() => ({ receipt: ++paid }), {
      authorise: (_proposal, _record, context) => {
        heard.push(context.requests);
        return { effect: "permit" };
      },
    });
    const box = openBox([outer, payment], [pay("1", 5), act("outer"), pay("1", 5), say("inner"), say("outer")]);
    await box.run("please", { customer: "customer:ada" });
    expect(heard).toEqual([["please"]]);
    expect(paid).toBe(1);
  });

  test("runs do not nest without end", async () => {
    const errors: string[] = [];
    const outer = plainTool(
      "outer",
      async (_proposal, { nested }) => {
        try {
          return (await nested("deeper")).text;
        } catch (error) {
          errors.push(error instanceof SignalboxError ? error.code : "?");
          return "stop";
        }
      },
      { effect: "idempotent" },
    );
    const box = openBox(
      [outer],
      (function* () {
        for (let n = 0; n < 4; n++) yield act("outer", { n });
        for (;;) yield say("up");
      })(),
    );
    await box.run("x");
    expect(errors).toEqual(["nested_too_deep"]);
  });
});
