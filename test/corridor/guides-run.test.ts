/** Approved rules in runs: what the prompt carries, what the rows keep, and what a resume, a replay and a count make of it. */
import { describe, expect, test } from "vitest";
import type { Served } from "../../src/domain/served.ts";
import { type Config, type RunEvent, type Signalbox, stage } from "../../src/index.ts";
import { explain } from "../../src/runtime/guides/explain.ts";
import type { Serving } from "../../src/runtime/guides/serving.ts";
import { openSignalbox } from "../../src/runtime/index.ts";
import { countedIds, simulatedClock } from "../../src/testing/index.ts";
import { condition, kept, routed, served } from "../checks/teaching.ts";
import { act, liveModel, openBox, pay, payTool, plainTool, say } from "./box.ts";

const TEXT = "Stay on the desk's side.\n\nNever promise a date. Größe 鍵";

/** A box whose runs are served what the test says. */
function servedBox(box: Signalbox, serve: Serving["serve"], lost: Serving["lost"] = async () => null): Signalbox {
  return openSignalbox({ ...box.parts, serving: { serve, lost } });
}

function always(receipt: Served): Serving["serve"] {
  return async () => ({ kind: "served", served: receipt });
}

const reply = (value: object): string => JSON.stringify(value);
const done = reply({ kind: "conversation", text: "done" });

describe("[guide-exact] what the model is told", () => {
  test.each([
    ["system_start", (system: string, _user: string) => system.startsWith(`RULES\n${TEXT}\n\nYou propose`)],
    ["system_end", (system: string, _user: string) => system.endsWith(`\n\nRULES\n${TEXT}`)],
    ["first_user", (_system: string, user: string) => user.startsWith(`RULES\n${TEXT}\n\nREQUEST`)],
    ["last_user", (_system: string, user: string) => user.endsWith(`\n\nRULES\n${TEXT}`)],
  ] as const)("byte for byte, in its slot: %s", async (slot, stands) => {
    const model = liveModel(() => done);
    const receipt = served({ kept: [kept()] }, { slot, text: TEXT });
    const box = servedBox(openBox([], [], { model }), always(receipt));
    const outcome = await box.run("hello");
    expect(outcome.ending).toBe("answered");
    const asked = model.requests[0];
    const user = asked?.messages[0]?.content ?? "";
    expect(stands(asked?.system ?? "", user)).toBe(true);
    expect(`${asked?.system}${user}`.split(TEXT)).toHaveLength(2);
    expect((await box.replay(outcome.run)).same).toBe(true);
  });

  test("an empty serve is a plan, and adds nothing to the prompt", async () => {
    const plain = liveModel(() => done);
    const empty = liveModel(() => done);
    await openBox([], [], { model: plain }).run("hello");
    await servedBox(openBox([], [], { model: empty }), always(served({}))).run("hello");
    expect(empty.requests[0]?.system).toBe(plain.requests[0]?.system);
    expect(empty.requests[0]?.messages).toEqual(plain.requests[0]?.messages);
  });

  test("the prompt version covers what was served, and the receipt is in the first row", async () => {
    const receipt = served({ kept: [kept()] }, { text: TEXT });
    const versions: string[] = [];
    for (const plan of ["1".repeat(64), "1".repeat(64), "2".repeat(64)]) {
      const box = servedBox(
        openBox([plainTool("read", () => 1)], [act("read"), say("x")]),
        always({ ...receipt, plan }),
      );
      const { run } = await box.run("hello");
      const events = await box.events(run);
      const began = events[0];
      if (began?.kind !== "began") throw new Error("no beginning");
      expect(began.guides).toEqual({ ...receipt, plan });
      const decided = events.find((event) => event.kind === "decided");
      expect(decided).toMatchObject({ promptVersion: began.promptVersion });
      expect((await box.replay(run)).changed).toEqual([]);
      versions.push(began.promptVersion);
    }
    expect(versions[0]).toBe(versions[1]);
    expect(versions[0]).not.toBe(versions[2]);
  });

  test("what the rules' matchers get: the request, the app and the paths; a nested run has those of its outer run", async () => {
    const asked: unknown[] = [];
    const nest = plainTool("nest", async (_, call) => (await call.nested("inner")).ending);
    const serve: Serving["serve"] = async (task) => {
      asked.push(task);
      return { kind: "served", served: served({}, { app: task.app, paths: task.paths }) };
    };
    const box = servedBox(openBox([nest], [act("nest"), say("inner done"), say("done")]), serve);
    await box.run("outer", { app: "shop.desk", paths: ["a.ts"] });
    expect(asked).toEqual([
      { text: "outer", app: "shop.desk", paths: ["a.ts"] },
      { text: "inner", app: "shop.desk", paths: ["a.ts"] },
    ]);
    await expect(box.run("x", { paths: "a.ts" as never })).rejects.toMatchObject({ code: "bad_about" });
    await expect(box.run("x", { app: "" })).rejects.toMatchObject({ code: "bad_about" });
  });
});

describe("a refusal", () => {
  const refusal = {
    kind: "refusal",
    code: "safety_exceeds_budget",
    detail: "2 rules take 3,000 of 2,048 bytes",
  } as const;

  test("ends the run before the first model call, and says which rules", async () => {
    const model = liveModel(() => done);
    // A clock that goes on between the two rows: the run begins when its first one says.
    let ticks = 1_000_000;
    const clock = { ...simulatedClock(0), now: () => ++ticks };
    const box = servedBox(openBox([], [], { model, clock }), async () => ({
      ...refusal,
      rules: ["a", "b"],
      withheld: [],
    }));
    const outcome = await box.run("hello");
    expect(outcome).toMatchObject({ ending: "guide_refused", exitCode: 1 });
    expect(outcome.detail).toBe("safety_exceeds_budget: 2 rules take 3,000 of 2,048 bytes (a, b)");
    expect(model.requests).toEqual([]);
    expect((await box.replay(outcome.run)).same).toBe(true);
    expect(await explain(box.parts, outcome.run)).toMatchObject({ served: null, refused: outcome.detail });
  });

  test("rules that leave no room for the request refuse the run", async () => {
    const receipt = served({ routed: [routed({ text: "x".repeat(60_000) })] });
    const box = servedBox(openBox([], [say("x")]), always(receipt));
    const outcome = await box.run("hello");
    expect(outcome.ending).toBe("guide_refused");
    expect(outcome.detail).toMatch(/^system text, tools, rules and request take 6\d{4} bytes; the window holds 46080$/);
  });
});

describe("[guide-teaching] channel B in a run", () => {
  const receipt = served({ routed: [routed({ breach: condition({}, { tool: "enter" }), escalate: "end" })] });
  const tools = [
    plainTool("look", (_, { emit }) => {
      emit({ name: "screen", facts: { screen: "lock" } });
      return "locked";
    }),
    plainTool("enter", () => "entered"),
  ];

  test("an event teaches the rule, the next turn has it, and what breaks it is not done", async () => {
    const said = [
      reply({ kind: "action", tool: "look", params: {} }),
      reply({ kind: "action", tool: "enter", params: {} }),
    ];
    const model = liveModel((_, call) => said[call - 1] ?? done);
    const box = servedBox(openBox(tools, [], { model }), always(receipt));
    const outcome = await box.run("unlock it");
    expect(outcome).toMatchObject({ ending: "watchdog", exitCode: 3, performed: 1 });
    expect(outcome.detail).toBe("rule lock-screen was broken by enter");
    const users = model.requests.map(({ messages }) => messages[0]?.content ?? "");
    expect(users.map((user) => user.includes("RULES THAT APPLY NOW\nIf the device shows"))).toEqual([false, true]);
    const events = await box.events(outcome.run);
    expect(events.map(({ kind }) => kind)).toEqual([
      "began",
      "replied",
      "decided",
      "started",
      "finished",
      "injected",
      "replied",
      "ended",
    ]);
    expect(events.find(({ kind }) => kind === "finished")).toMatchObject({
      events: [{ name: "screen", facts: { screen: "lock" } }],
    });
    expect((await box.replay(outcome.run)).same).toBe(true);
    expect((await box.verifyLedger()).ok).toBe(true);
    expect(await explain(box.parts, outcome.run)).toMatchObject({
      injected: [{ rule: "lock-screen", step: 1, turn: 2 }],
      waiting: [],
      breaches: [{ rule: "lock-screen", step: 2, by: "enter", escalate: "end" }],
      ending: "watchdog",
    });
  });

  test("it survives a cut after any row: the resumed run has the same rows", async () => {
    const said = [act("look"), say("stopped")];
    const whole = servedBox(openBox(tools, said), always(receipt));
    const first = await whole.run("unlock it");
    const rows = await whole.parts.store.readRows(first.run);
    const kinds = rows.map(({ kind }) => kind);
    expect(kinds).toContain("injected");
    for (let cut = 1; cut < rows.length; cut++) {
      // With an open effect it is the crash tests' business, and these rows are written past the store's books.
      if (["decided", "started"].includes(kinds[cut - 1] ?? "")) continue;
      const replies = rows.slice(0, cut).filter(({ kind }) => kind === "replied").length;
      const config: Partial<Config> = { clock: simulatedClock(1_000_000), ids: countedIds() };
      const box = servedBox(openBox(tools, said.slice(replies), config), always(receipt));
      const [one, ...rest] = rows.slice(0, cut);
      if (one === undefined) throw new Error("no row");
      const began = (await whole.events(first.run))[0];
      if (began?.kind !== "began") throw new Error("no beginning");
      const header = {
        run: first.run,
        thread: began.thread,
        principal: "operator",
        startedAt: one.at,
        request: began.request,
      };
      await box.parts.store.begin(header, [one]);
      if (rest.length > 0) await box.parts.store.append(rest, null);
      const again = await box.resume(first.run);
      expect([cut, again.ending]).toEqual([cut, "answered"]);
      const events: readonly RunEvent[] = await box.events(first.run);
      expect(events.filter(({ kind }) => kind === "injected")).toHaveLength(1);
      expect((await explain(box.parts, first.run)).injected).toHaveLength(1);
    }
  });

  test("events of a failed step are kept; what is badly said says why, and costs the step nothing", async () => {
    const noisy = plainTool("noisy", (_, { emit }) => {
      emit({ name: "Bad Name" });
      emit({ name: "fine", facts: { n: 1, key: "sk-canary-0123456789" } });
      emit({ name: "big", facts: { text: "x".repeat(5_000) } });
      emit(null as never);
      for (let i = 0; i < 100; i++) emit({ name: "more" });
      throw new Error("broke");
    });
    const redact = { values: ["sk-canary-0123456789"] };
    const box = openBox([noisy], [act("noisy"), say("x")], { redact });
    const { run } = await box.run("go");
    const finished = (await box.events(run)).find((event) => event.kind === "finished");
    if (finished?.kind !== "finished") throw new Error("no outcome");
    expect(finished.outcome).toBe("failed");
    expect(finished.events.slice(0, 6).map(({ name, facts }) => [name, Object.keys(facts)])).toEqual([
      ["bad_event", ["why"]],
      ["fine", ["key", "n"]],
      ["big", []],
      ["bad_event", ["why"]],
      ["bad_event", ["why"]],
      ["more", []],
    ]);
    expect(JSON.stringify(finished.events[1])).not.toContain("canary");
    expect(finished.events.filter(({ name }) => name !== "bad_event")).toHaveLength(32);
    expect(finished.events.at(-1)).toEqual({
      name: "bad_event",
      facts: { why: "a step gives at most 32 events, and 70 more are not kept" },
    });
  });

  const lock = { name: "screen", facts: { screen: "lock" } };
  const seen: readonly (readonly [string, readonly unknown[]])[] = [
    ["the 32nd event", [...Array.from({ length: 31 }, () => ({ name: "tick" })), lock]],
    ["an event behind many that are none", [...Array.from({ length: 99 }, () => null), lock]],
    ["beside the dump of a screen", [{ name: "screen", facts: { screen: "lock", xml: "x".repeat(5_000) } }]],
    ["beside a number that is none", [{ name: "screen", facts: { screen: "lock", dx: Number.NaN } }]],
    ["beside something that is no fact", [{ name: "screen", facts: { screen: "lock", at: new Date(0), f: () => 1 } }]],
    ["with more than a name and facts", [{ ...lock, at: 1 }]],
    ["under a name that is none", [{ name: "Screen", facts: { screen: "lock" } }]],
  ];
  test.each(seen)("a rule hears its event: %s", async (_, said) => {
    const dim = plainTool("dim", (_params, { emit }) => {
      for (const one of said) emit(one as never);
      return 1;
    });
    const waiting = served({ routed: [routed({ when: condition({ screen: "lock" }) })] });
    const box = servedBox(openBox([dim], [act("dim"), say("stopped")]), always(waiting));
    const { run } = await box.run("unlock it");
    expect(await explain(box.parts, run)).toMatchObject({ injected: [{ rule: "lock-screen", step: 1 }], waiting: [] });
    expect((await box.replay(run)).same).toBe(true);
  });

  test("nothing is heard from a step that is over", async () => {
    let late: (() => void) | null = null;
    const leaky = plainTool("leaky", (_, { emit }) => {
      late = () => emit({ name: "late" });
      return 1;
    });
    const box = openBox([leaky], [act("leaky"), say("x")]);
    const { run } = await box.run("go");
    (late as (() => void) | null)?.();
    expect((await box.events(run)).find(({ kind }) => kind === "finished")).toMatchObject({ events: [] });
  });
});

test("what a step broke ends the run also where a person had to find out how the step came out", async () => {
  const breach = condition({ screen: "lock" });
  const receipt = served({ kept: [kept({ breach, escalate: "end" })] }, { text: TEXT });
  const tool = payTool((_, { emit }) => {
    emit({ name: "screen", facts: { screen: "lock" } });
    throw new Error("the line went dead");
  });
  const approvers = { "user:sue": { roles: ["desk"] } };
  const box = servedBox(openBox([tool], [pay("a", 5), say("done")], { approvers }), always(receipt));
  const first = await box.run("pay", { customer: "customer:ada" });
  expect(first.ending).toBe("outcome_unknown");
  const [open] = await box.outcomes.list();
  await box.outcomes.resolve(open?.id ?? "", { as: "user:sue", outcome: "failed", why: "looked" });
  expect(await box.resume(first.run)).toMatchObject({ ending: "watchdog", exitCode: 3 });
});

test("an approval is stale where other rules are published by the time of its commit", async () => {
  const stagedTool = payTool(() => ({}), { authorise: () => stage("desk") });
  const approvers = { "user:sue": { roles: ["desk"] } };
  const rules = { now: served({ kept: [kept()] }, { text: TEXT }) };
  const config = { approvers, store: "memory" } as const;
  const opened = openBox([stagedTool], [pay("a", 5), say("done")], config);
  const box = servedBox(opened, async () => ({ kind: "served", served: rules.now }));
  const ran = await box.run("pay", { customer: "customer:ada" });
  expect(ran.ending).toBe("awaiting_approval");
  const [entry] = await box.approvals.list();
  expect(entry?.changed).toEqual([]);
  rules.now = { ...rules.now, plan: "0".repeat(64) };
  const [changed] = await box.approvals.list();
  expect(changed?.changed).toEqual(["prompt"]);
  await box.approvals.approve(entry?.id ?? "", { as: "user:sue", digest: entry?.digest ?? "" });
  const after = await box.resume(ran.run);
  expect(after.performed).toBe(0);
  const denied = (await box.events(ran.run)).filter((event) => event.kind === "decided").at(-1);
  expect(denied).toMatchObject({
    outcome: "deny",
    denial: { code: "approval_stale", detail: expect.stringContaining("prompt") },
  });
  expect((await box.replay(ran.run)).same).toBe(true);
});

test("a run whose rules were taken back does not go on with them", async () => {
  const receipt = served({ kept: [kept()] }, { text: TEXT });
  const opened = openBox([plainTool("read", () => 1)], [act("read", { n: 1 }), act("read", { n: 2 }), say("x")]);
  let lost: string | null = null;
  const box = servedBox(opened, always(receipt), async () => lost);
  const outcome = await box.run("hello", { budgets: { turns: 1 } });
  expect(outcome.ending).toBe("turn_budget");
  lost = "approval_revoked: no-codes";
  const again = await box.continue(outcome.run);
  expect(again).toMatchObject({ ending: "guide_refused", detail: "approval_revoked: no-codes" });
  expect(again.performed).toBe(1);
});

test("denials are told apart by what was served", async () => {
  const rule = served({ kept: [kept()] }, { text: TEXT });
  const never = plainTool("pay", () => 1, {
    authorise: () => ({ kind: "deny", code: "no" }) as never,
    denials: ["no"],
  });
  const opened = openBox(
    [never, plainTool("read", () => 1)],
    [act("pay"), say("x"), act("read"), say("x"), act("read"), say("x")],
  );
  let receipt: Served | null = null;
  const box = servedBox(opened, async () => ({
    kind: "served",
    served: receipt ?? served({}, { plan: "0".repeat(64) }),
  }));
  await box.run("one");
  receipt = rule;
  await box.run("two");
  await box.run("three");
  const seen = await box.denials({ since: 0, by: ["plan", "code"], told: "no-codes" });
  expect(seen.groups.map(({ key, n, of }) => [key, n, of])).toEqual([
    [{ told: "no", plan: "0".repeat(64), code: seen.groups[0]?.key.code }, 1, 1],
  ]);
  expect(seen.told).toMatchObject({
    rule: "no-codes",
    with: { denials: 0, proposals: 2 },
    without: { denials: 1, proposals: 1 },
  });
  await expect(box.denials({ by: ["told"] })).rejects.toMatchObject({ code: "bad_query" });
});
