import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openMemoryStore } from "../../src/adapters/store-memory/index.ts";
import {
  type Config,
  createSignalbox,
  deny,
  EffectFailed,
  type OutsideProposal,
  permit,
  type Signalbox,
  stage,
  type Tool,
} from "../../src/index.ts";
import { countedIds, faultyStore, scriptedModel, simulatedClock } from "../../src/testing/index.ts";
import { payTool, plainTool } from "./box.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-guard-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function openBox(tools: readonly Tool[], more: Partial<Config> = {}): Signalbox {
  return createSignalbox({
    model: scriptedModel({ replies: [] }),
    tools,
    store: "memory",
    clock: simulatedClock(1_000_000),
    ids: countedIds(),
    approvers: { "user:sue": { roles: ["supervisor"] } },
    ...more,
  });
}

function never(): never {
  throw new Error("the tool's own execute is not what guard calls");
}

function payment(step: number, amountMinor: number, more: Partial<OutsideProposal> = {}): OutsideProposal {
  const context = { customer: "customer:ada", requests: ["pay the bill"], model: "their-model", promptVersion: "v7" };
  const params = { id: "1", amountMinor };
  return { run: "their-run", step, tool: "pay", params, evidence: ["e1"], context, ...more };
}

const used = async (box: Signalbox): Promise<number> => {
  const [use] = await box.parts.store.capUse([{ cap: "paid", key: "all", window: "day:1970-01-01@UTC" }], null);
  return use?.used ?? Number.NaN;
};

describe("[rails-guard] decide and settle", () => {
  test("an allowed step holds its cap until it is settled, and is never allowed twice", async () => {
    const box = openBox([payTool(never)]);
    const allowed = await box.decide(payment(1, 400));
    expect(allowed).toEqual({
      outcome: "allow",
      rule: "pay.authorise",
      params: { id: "1", amountMinor: 400 },
      idempotencyKey: "their-run-1",
      reservations: [{ cap: "paid", key: "all", window: "day:1970-01-01@UTC", amount: 400, limit: 1_000 }],
      approvedBy: null,
      attempt: 1,
      message: "permitted by pay.authorise",
    });
    expect(await used(box)).toBe(400);
    expect(await box.decide(payment(1, 400))).toMatchObject({ outcome: "deny", code: "outcome_open" });
    await box.settle({ run: "their-run", step: 1, outcome: "done", result: { receipt: 7 } });
    expect(await used(box)).toBe(400);
    // The same word again is the same word; another is refused.
    await box.settle({ run: "their-run", step: 1, outcome: "done", result: { receipt: 7 } });
    const other = box.settle({ run: "their-run", step: 1, outcome: "done", result: { receipt: 8 } });
    await expect(other).rejects.toMatchObject({ code: "already_settled" });
    await expect(box.settle({ run: "their-run", step: 1, outcome: "failed" })).rejects.toMatchObject({
      code: "already_settled",
    });
    const again = await box.decide(payment(1, 400));
    expect(again).toMatchObject({
      outcome: "deny",
      code: "already_done",
      receipt: { run: "their-run", step: 1, result: { receipt: 7 } },
    });
    // A `once` effect settles the whole thread: another step that proposes it hears of the first.
    const thread = { thread: "their-run" };
    expect(await box.decide(payment(2, 400, thread))).toMatchObject({ code: "already_done", receipt: { step: 1 } });
    expect((await box.replay("their-run")).differences).toEqual([]);
    expect((await box.verifyLedger()).ok).toBe(true);
    const began = (await box.events("their-run"))[0];
    expect(began).toMatchObject({ outside: true, model: "their-model", promptVersion: "v7", request: "pay the bill" });
  });

  test("failed gives back, unknown keeps until a person has looked", async () => {
    const box = openBox([payTool(never)]);
    await box.decide(payment(1, 400));
    await box.settle({ run: "their-run", step: 1, outcome: "failed", error: "declined" });
    expect(await used(box)).toBe(0);
    await box.decide(payment(2, 500));
    await box.settle({ run: "their-run", step: 2, outcome: "outcome_unknown", error: "timeout" });
    expect(await used(box)).toBe(500);
    expect(await box.decide(payment(2, 500))).toMatchObject({ code: "outcome_open" });
    const settling = box.settle({ run: "their-run", step: 2, outcome: "done", result: 1 });
    await expect(settling).rejects.toMatchObject({ code: "already_settled" });
    expect((await box.outcomes.list()).map(({ id, state }) => [id, state])).toEqual([
      ["their-run-2", "outcome_unknown"],
    ]);
    await box.outcomes.resolve("their-run-2", { as: "user:sue", outcome: "failed", why: "not in the statement" });
    expect(await used(box)).toBe(0);
    // Failed is as if it had not been: the same step may be tried again, under the same key.
    expect(await box.decide(payment(2, 500))).toMatchObject({ outcome: "allow", idempotencyKey: "their-run-2" });
    expect((await box.replay("their-run")).differences).toEqual([]);
  });

  test("each denial is a row, with the code of its rail; what is no data is denied as well", async () => {
    const bomb = JSON.parse(`${"[".repeat(40)}${"]".repeat(40)}`);
    const box = openBox([payTool(never)], { principals: { operator: { tools: "all" }, reader: { tools: [] } } });
    const cases: readonly (readonly [Partial<OutsideProposal>, string])[] = [
      [{ tool: "constructor" }, "unknown_tool"],
      [{ tool: "__proto__" }, "unknown_tool"],
      [{ tool: undefined as never }, "unknown_tool"],
      [{ evidence: [] }, "evidence_missing"],
      [{ evidence: ["e2"] }, "evidence_foreign"],
      [{ evidence: ["nope"] }, "evidence_unknown"],
      [{ evidence: Array(65).fill("e1") }, "too_much_evidence"],
      [{ evidence: ["\ud800"] }, "lone_surrogate"],
      [{ evidence: 1 as never }, "wrong_type"],
      [{ params: { id: "1", amountMinor: 1.5 } }, "fraction"],
      [{ params: { id: "1", amountMinor: Number.NaN } }, "number_out_of_range"],
      [{ params: { id: "1", amountMinor: 5n } }, "not_plain"],
      [{ params: JSON.parse('{"__proto__": {"amountMinor": 5}}') }, "forbidden_key"],
      [{ params: { id: "1", amountMinor: 5, approved: true } }, "unknown_key"],
      [{ params: bomb }, "too_deep"],
      [{ params: undefined }, "wrong_type"],
      [{ params: { id: "\udc00", amountMinor: 5 } }, "lone_surrogate"],
      [{ params: { id: "1", amountMinor: 1_001 }, evidence: ["e1"] }, "cap_exceeded"],
    ];
    for (const [n, [more, code]] of cases.entries()) {
      expect(await box.decide(payment(n + 1, 5, more))).toMatchObject({ outcome: "deny", code });
    }
    const decided = (await box.events("their-run")).filter((event) => event.kind === "decided");
    expect(decided.map((event) => event.kind === "decided" && event.denial?.code)).toEqual(
      cases.map(([, code]) => code),
    );
    const reader = payment(1, 5, { run: "another", principal: "reader" });
    expect(await box.decide(reader)).toMatchObject({ code: "permission" });
    expect((await box.replay("their-run")).differences).toEqual([]);
  });

  test.each<[string, object, string]>([
    ["no run", { run: "" }, "bad_id"],
    ["a path for a run", { run: "../x" }, "bad_id"],
    ["no step", { step: 0 }, "bad_step"],
    ["half a step", { step: 1.5 }, "bad_step"],
    ["too high a step", { step: 2 ** 24 }, "bad_step"],
    ["a misspelt key", { evidences: [] }, "bad_proposal"],
    ["an unknown context", { context: { approved: true } }, "bad_proposal"],
    ["requests that are none", { context: { requests: "x" } }, "bad_request"],
    ["a principal that is not there", { principal: "agent:nobody" }, "unknown_principal"],
  ])("a mistake of the caller is an error with a code: %s", async (_, more, code) => {
    const box = openBox([payTool(never)], { principals: { operator: { tools: "all" } } });
    await expect(box.decide({ ...payment(1, 5), ...more } as OutsideProposal)).rejects.toMatchObject({ code });
    expect(await box.runs()).toEqual([]);
  });

  test("a run keeps its principal, thread, customer and words; a run of ours is not theirs", async () => {
    const box = openBox([payTool(never)], {
      principals: { operator: { tools: "all" }, "agent:desk": { tools: "all" } },
    });
    await box.decide(payment(1, 5));
    for (const more of [
      { principal: "agent:desk" },
      { thread: "another" },
      { context: { customer: "customer:bob" } },
      { context: { customer: "customer:ada", requests: ["pay the other bill"] } },
    ]) {
      await expect(box.decide(payment(2, 6, more))).rejects.toMatchObject({ code: "run_of_another" });
    }
    await expect(box.resume("their-run")).rejects.toMatchObject({ code: "outside_run" });
    const { run } = await box.run("hello").catch(() => ({ run: "id000000000000000000000001" }));
    await expect(box.decide({ ...payment(1, 5), run })).rejects.toMatchObject({ code: "run_of_signalbox" });
    await expect(box.settle({ run: "nobody", step: 1, outcome: "done" })).rejects.toMatchObject({
      code: "unknown_run",
    });
    const unheard = box.settle({ run: "their-run", step: 9, outcome: "done" });
    await expect(unheard).rejects.toMatchObject({ code: "unknown_step" });
  });
});

describe("[rails-guard] guard", () => {
  test("performs what is allowed with the checked params, and settles it whatever the call does", async () => {
    const box = openBox([payTool(never)]);
    const calls: unknown[] = [];
    const done = await box.guard(payment(1, 400), (call) => {
      calls.push([call.params, call.idempotencyKey, call.customer, call.step]);
      return { receipt: 1 };
    });
    expect(done).toEqual({ kind: "done", result: { receipt: 1 }, line: "paid", receipt: null });
    expect(calls).toEqual([[{ id: "1", amountMinor: 400 }, "their-run-1", "customer:ada", 1]]);
    const failed = await box.guard(payment(2, 100), () => {
      throw new EffectFailed("declined");
    });
    expect(failed).toEqual({ kind: "failed", error: "declined" });
    const unknown = await box.guard(payment(3, 100), async () => {
      throw new Error("socket hang up");
    });
    expect(unknown).toEqual({ kind: "outcome_unknown", error: "socket hang up" });
    const denied = await box.guard(payment(4, 900), never);
    expect(denied).toMatchObject({ kind: "denied", code: "cap_exceeded" });
    expect(await used(box)).toBe(500);
    // The same step again is told what came of it, and calls nothing.
    const again = { kind: "done", result: { receipt: 1 }, line: "paid", receipt: { run: "their-run", step: 1 } };
    expect(await box.guard(payment(1, 400), never)).toEqual(again);
  });

  test("two calls for one step at once are one", async () => {
    const box = openBox([payTool(never)]);
    let calls = 0;
    const call = async () => ({ receipt: ++calls });
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => box.guard(payment(1, 10), call)));
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(calls).toBe(1);
  });

  test("steps of one run at once are each decided and settled", async () => {
    const box = openBox([payTool(never)]);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        box.guard({ ...payment(n + 1, 100), params: { id: String(n), amountMinor: 100 } }, async () => {
          await new Promise((resolve) => setImmediate(resolve));
          return { n };
        }),
      ),
    );
    // The cap has room for ten.
    expect(outcomes.filter(({ kind }) => kind === "done")).toHaveLength(10);
    expect(outcomes.filter(({ kind }) => kind === "denied")).toHaveLength(10);
    expect(await used(box)).toBe(1_000);
    expect((await box.replay("their-run")).differences).toEqual([]);
    expect((await box.verifyLedger()).ok).toBe(true);
  });

  test("a read that fails has failed; one that is begun twice is begun again", async () => {
    const look = plainTool("look", never);
    const box = openBox([look]);
    const proposal = { run: "r", step: 1, tool: "look", params: { n: 1 } };
    expect(await box.guard(proposal, () => Promise.reject(new Error("no route")))).toMatchObject({ kind: "failed" });
    expect(await box.guard(proposal, () => 5)).toMatchObject({ kind: "done", result: 5 });
    const open = { run: "r", step: 2, tool: "look", params: { n: 2 } };
    expect(await box.decide(open)).toMatchObject({ outcome: "allow" });
    // The caller died, and asks again: only it knows whether the attempt before is over.
    expect(await box.decide(open)).toMatchObject({ outcome: "deny", code: "outcome_open" });
    const retried = await box.decide({ ...open, retry: true });
    expect(retried).toMatchObject({ outcome: "allow", idempotencyKey: "r-2", attempt: 2 });
    // What the first attempt says late is not taken for the second's.
    const late = box.settle({ run: "r", step: 2, attempt: 1, outcome: "failed" });
    await expect(late).rejects.toMatchObject({ code: "already_settled" });
    await box.settle({ run: "r", step: 2, attempt: 2, outcome: "done", result: 1 });
    expect((await box.replay("r")).differences).toEqual([]);
  });

  test("what was begun keeps its outcome, also where it may not be begun again today", async () => {
    let says: ReturnType<NonNullable<Extract<Tool["authorise"], object>>> = permit();
    const tool = payTool(never, { effect: "idempotent", denials: ["shut"], authorise: () => says });
    const box = openBox([tool]);
    expect(await box.decide(payment(1, 400))).toMatchObject({ outcome: "allow" });
    says = deny("shut");
    expect(await box.decide(payment(1, 400, { retry: true }))).toMatchObject({ outcome: "deny", code: "shut" });
    expect(await used(box)).toBe(400);
    const [open] = await box.outcomes.list();
    expect(open).toMatchObject({ id: "their-run-1", reservations: [{ amount: 400 }] });
    // What has begun is not another action all of a sudden.
    expect(await box.decide(payment(1, 300))).toMatchObject({ outcome: "deny", code: "approval_mismatch" });
    says = stage("supervisor");
    const again = await box.decide(payment(1, 400, { retry: true }));
    expect(again).toMatchObject({ outcome: "deny", code: "outcome_open" });
    await box.settle({ run: "their-run", step: 1, outcome: "failed" });
    expect(await used(box)).toBe(0);
    expect((await box.replay("their-run")).rows).toBe(7);
  });

  test("what another step did is told of that action only, and no longer where it turned out not to be so", async () => {
    const box = openBox([payTool(never)]);
    await box.decide(payment(1, 400));
    await box.settle({ run: "their-run", step: 1, outcome: "done", result: 7 });
    expect(await box.decide(payment(2, 400))).toMatchObject({ code: "already_done", receipt: { step: 1, result: 7 } });
    expect(await box.decide(payment(2, 400))).toMatchObject({ code: "already_done", receipt: { step: 1, result: 7 } });
    expect(await box.decide(payment(2, 300))).toMatchObject({ outcome: "allow", params: { amountMinor: 300 } });
    expect((await box.replay("their-run")).differences).toEqual([]);
  });

  test("two who settle a step at once are one after the other", async () => {
    const box = openBox([payTool(never)]);
    await box.decide(payment(1, 400));
    const settle = (result: number) => box.settle({ run: "their-run", step: 1, outcome: "done", result });
    const [first, same, other] = await Promise.allSettled([settle(7), settle(7), settle(8)]);
    expect([first?.status, same?.status]).toEqual(["fulfilled", "fulfilled"]);
    expect(other).toMatchObject({ status: "rejected", reason: { code: "already_settled" } });
  });

  test.each([7, undefined, null, ["r"], {}, Object.create(null), Symbol("r")])("%o is no id of a run", async (run) => {
    const box = openBox([payTool(never)]);
    const odd = run as string;
    await expect(box.decide({ ...payment(1, 400), run: odd })).rejects.toMatchObject({ code: "bad_id" });
    await expect(box.settle({ run: odd, step: 1, outcome: "done" })).rejects.toMatchObject({ code: "bad_id" });
    await expect(box.resume(odd)).rejects.toMatchObject({ code: "unknown_run" });
    await expect(box.approvals.show(odd)).rejects.toMatchObject({ code: "unknown_approval" });
  });

  test("[ledger-unwritable-denies] a ledger that cannot be written allows nothing", async () => {
    for (let failAt = 1; failAt <= 3; failAt++) {
      const box = openBox([payTool(never)], { store: faultyStore(openMemoryStore(), { failAt }) });
      let calls = 0;
      const guarded = box.guard(payment(1, 10), () => ++calls);
      await expect(guarded).rejects.toMatchObject({ code: "ledger_unavailable" });
      expect(calls).toBe(failAt === 3 ? 1 : 0);
      // The third is the outcome: it happened, and nobody knows. It is never begun again.
      if (failAt === 3) expect(await box.guard(payment(1, 10), never)).toMatchObject({ code: "outcome_open" });
    }
  });
});

describe("[rails-approval-once] what is staged in somebody else's loop", () => {
  const tool = () => payTool(never, { authorise: () => stage("supervisor") });

  test("waits under its run and step; approved, it is allowed once", async () => {
    const box = openBox([tool()]);
    const first = await box.decide(payment(1, 400));
    expect(first).toMatchObject({ outcome: "stage", role: "supervisor", approval: "their-run-1" });
    expect(await box.decide(payment(1, 400))).toEqual(first);
    expect(await used(box)).toBe(0);
    const entry = await box.approvals.approve("their-run-1", { as: "user:sue" });
    expect(entry).toMatchObject({ outside: true, state: "approved" });
    // Other params under the approved step are another proposal, and nobody approved that.
    expect(await box.decide(payment(1, 900))).toMatchObject({ outcome: "deny", code: "approval_mismatch" });
    expect(await box.decide(payment(2, 900))).toMatchObject({ outcome: "stage", approval: "their-run-2" });
    const allowed = await box.decide(payment(1, 400));
    expect(allowed).toMatchObject({ outcome: "allow", approvedBy: "user:sue" });
    expect(await box.decide(payment(1, 400))).toMatchObject({ outcome: "deny", code: "outcome_open" });
    await box.settle({ run: "their-run", step: 1, outcome: "done", result: 1 });
    expect(await box.decide(payment(1, 400))).toMatchObject({ outcome: "deny", code: "already_done" });
    expect(await box.approvals.show("their-run-1")).toMatchObject({ state: "used", outcome: "done" });
    expect((await box.replay("their-run")).differences).toEqual([]);
  });

  test("what failed was tried once: proposed again it needs another approval", async () => {
    const box = openBox([tool()]);
    await box.decide(payment(1, 400));
    await box.approvals.approve("their-run-1", { as: "user:sue" });
    expect(await box.guard(payment(1, 400), () => Promise.reject(new EffectFailed("declined")))).toMatchObject({
      kind: "failed",
    });
    expect(await box.guard(payment(1, 400), never)).toMatchObject({ kind: "staged" });
    await box.approvals.approve("their-run-1", { as: "user:sue" });
    expect(await box.guard(payment(1, 400), () => 7)).toMatchObject({ kind: "done" });
    expect((await box.replay("their-run")).differences).toEqual([]);
  });

  test("[rails-approval-refused] refused stays refused, and says why", async () => {
    const box = openBox([tool()]);
    await box.decide(payment(1, 400));
    await box.approvals.reject("their-run-1", { as: "user:sue", why: "not ours" });
    expect(await box.decide(payment(1, 400))).toMatchObject({ code: "approval_rejected", message: "not ours" });
    expect(await box.guard(payment(1, 400), never)).toMatchObject({ kind: "denied", code: "approval_rejected" });
  });

  test("ends with its time", async () => {
    const clock = simulatedClock(1_000_000);
    const box = openBox([tool()], { clock, approvalMs: 1_000 });
    await box.decide(payment(1, 400));
    clock.advance(1_000);
    expect(await box.decide(payment(1, 400))).toMatchObject({ code: "approval_expired" });
    expect(await box.decide(payment(1, 400))).toMatchObject({ code: "approval_expired" });
    await expect(box.approvals.approve("their-run-1", { as: "user:sue" })).rejects.toMatchObject({
      code: "approval_expired",
    });
  });

  test("[rails-approval-binds] a policy that changed makes it stale, and says so", async () => {
    const store = join(folder, "stale.db");
    const one = openBox([tool()], { store });
    await one.decide(payment(1, 400));
    await one.approvals.approve("their-run-1", { as: "user:sue" });
    await one.close();
    const two = openBox([tool()], { store, policyVersion: "next" });
    expect(await two.decide(payment(1, 400))).toMatchObject({ code: "approval_stale", message: "policy" });
    expect(await two.guard(payment(1, 400), never)).toMatchObject({ kind: "staged" });
    await two.close();
  });

  test("a hundred of a run may wait, and no more", async () => {
    const box = openBox([tool()]);
    for (let step = 1; step <= 100; step++) {
      expect(await box.decide({ ...payment(step, 5), params: { id: String(step), amountMinor: 5 } })).toMatchObject({
        outcome: "stage",
      });
    }
    const last = { ...payment(101, 5), params: { id: "101", amountMinor: 5 } };
    expect(await box.decide(last)).toMatchObject({ outcome: "deny", code: "too_many_waiting" });
    await box.approvals.reject("their-run-7", { as: "user:sue", why: "no" });
    expect(await box.decide(last)).toMatchObject({ outcome: "stage" });
  });
});

describe("[rails-guard] what was begun stays begun until it has its outcome", () => {
  /** An effect that may happen twice, with a cap and a record that can be down. */
  function mending(state: { down: boolean }): Tool {
    const record = () => {
      if (state.down) throw new Error("connection refused");
      return { events: [{ id: "e1", owner: "customer:ada" }] };
    };
    return payTool(never, { effect: "idempotent", record });
  }

  test("a retry that is denied undoes nothing, changes no params and gives nothing back", async () => {
    const state = { down: false };
    const box = openBox([mending(state)]);
    expect(await box.decide(payment(1, 900))).toMatchObject({ outcome: "allow" });
    state.down = true;
    expect(await box.decide({ ...payment(1, 900), retry: true })).toMatchObject({ code: "record_failed" });
    state.down = false;
    const other = await box.decide({ ...payment(1, 800), params: { id: "2", amountMinor: 800 }, retry: true });
    expect(other).toMatchObject({ outcome: "deny", code: "approval_mismatch" });
    expect(await used(box)).toBe(900);
    await box.settle({ run: "their-run", step: 1, outcome: "done", result: 1 });
    expect(await used(box)).toBe(900);
    expect((await box.verifyLedger()).faults).toEqual([]);
  });

  test("a policy that no longer allows it, or now wants a person, leaves it begun", async () => {
    for (const authorise of [() => stage("supervisor"), () => ({ effect: "deny", code: "too_much" }) as const]) {
      const store = openMemoryStore();
      const one = openBox([mending({ down: false })], { store });
      await one.decide(payment(1, 900));
      const two = openBox([{ ...mending({ down: false }), authorise }], { store });
      expect(await two.decide({ ...payment(1, 900), retry: true })).toMatchObject({ outcome: "deny" });
      expect((await two.outcomes.list()).map(({ id, state }) => [id, state])).toEqual([["their-run-1", "running"]]);
      await two.settle({ run: "their-run", step: 1, outcome: "done", result: 1 });
      expect(await used(two)).toBe(900);
    }
  });

  test("its outcome can be said although the authority or the tool is gone", async () => {
    const store = openMemoryStore();
    const one = openBox([payTool(never)], { store, principals: { operator: { tools: "all" } } });
    await one.decide(payment(1, 900));
    const two = openBox([plainTool("look", never)], { store, principals: { operator: { tools: [] } } });
    await expect(two.decide(payment(2, 5))).rejects.toMatchObject({ code: "authority_changed" });
    await two.settle({ run: "their-run", step: 1, outcome: "failed", error: "declined" });
    expect(await used(two)).toBe(0);
  });

  test("said twice at once it is said once; another word is refused, and never as a bug", async () => {
    const box = openBox([payTool(never)]);
    await box.decide(payment(1, 400));
    const done = { run: "their-run", step: 1, outcome: "done", result: 1 } as const;
    const settlings = [
      box.settle(done),
      box.settle(done),
      box.settle({ ...done, outcome: "failed", result: undefined }),
    ];
    const came = await Promise.allSettled(settlings);
    expect(came.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    expect(came[2]).toMatchObject({ reason: { code: "already_settled" } });
  });

  test("the attempt that another process began is settled by its number, whatever this process knew", async () => {
    const store = openMemoryStore();
    const box = () => openBox([payTool(never, { effect: "idempotent" })], { store });
    const [one, two] = [box(), box()];
    await one.decide(payment(1, 900));
    expect(await two.decide({ ...payment(1, 900), retry: true })).toMatchObject({ outcome: "allow", attempt: 2 });
    const done = { run: "their-run", step: 1, outcome: "done", result: 1 } as const;
    await expect(two.settle({ ...done, attempt: 1 })).rejects.toMatchObject({ code: "already_settled" });
    await one.settle({ ...done, attempt: 2 });
    expect(await one.decide(payment(1, 900))).toMatchObject({ code: "already_done" });
  });

  test("what names no step or outcome at all is refused with a code, and never as a bug", async () => {
    const box = openBox([payTool(never)]);
    await box.decide(payment(1, 400));
    const odd = [Symbol("step"), JSON.parse('{"toString":1,"valueOf":2}')] as never[];
    for (const what of odd) {
      const settled = box.settle({ run: "their-run", step: what, outcome: "done" });
      await expect(settled).rejects.toMatchObject({ code: "bad_step" });
      const resolved = box.outcomes.resolve(what, { as: "user:sue", outcome: "done", why: "seen" });
      await expect(resolved).rejects.toMatchObject({ code: "unknown_outcome" });
    }
  });

  test("nobody resolves what is being worked on; where its loop is gone somebody says so", async () => {
    const box = openBox([payTool(never)]);
    const word = { as: "user:sue", outcome: "failed", why: "no trace of it" } as const;
    const outcome = await box.guard(payment(1, 400), async () => {
      await expect(box.outcomes.resolve("their-run-1", word)).rejects.toMatchObject({ code: "still_open" });
      await expect(box.outcomes.resolve("their-run-1", { ...word, gone: true })).rejects.toMatchObject({
        code: "still_open",
      });
      return 1;
    });
    expect(outcome).toMatchObject({ kind: "done" });
    await box.decide(payment(2, 300));
    await expect(box.outcomes.resolve("their-run-2", word)).rejects.toMatchObject({ code: "still_open" });
    await box.outcomes.resolve("their-run-2", { ...word, gone: true });
    expect(await used(box)).toBe(400);
  });

  test("where somebody said otherwise meanwhile, guard says what happened", async () => {
    const store = openMemoryStore();
    const [one, two] = [openBox([payTool(never)], { store }), openBox([payTool(never)], { store })];
    const outcome = await one.guard(payment(1, 400), async () => {
      await two.outcomes.resolve("their-run-1", { as: "user:sue", outcome: "failed", why: "gone", gone: true });
      return 1;
    });
    expect(outcome).toEqual({
      kind: "outcome_unknown",
      error: "it was done, and meanwhile step 1 of run their-run is failed: look which is true",
    });
  });

  test("only one and the same proposal at once is one: another is decided for itself", async () => {
    const box = openBox([payTool(never)], {
      principals: { operator: { tools: "all" }, reader: { tools: [] } },
    });
    const slow = async () => new Promise((resolve) => setTimeout(() => resolve({ secret: 7 }), 20));
    const [first, other, stranger] = await Promise.allSettled([
      box.guard(payment(1, 400), slow),
      box.guard(payment(1, 900), slow),
      box.guard(payment(1, 400, { principal: "reader" }), slow),
    ]);
    expect(first).toMatchObject({ value: { kind: "done", result: { secret: 7 } } });
    expect(other).toMatchObject({ value: { kind: "denied", code: "approval_mismatch" } });
    expect(stranger).toMatchObject({ reason: { code: "run_of_another" } });
  });
});

describe("[rails-approval-once] an approval and an effect that failed", () => {
  test("it was used: the step is staged anew, and nothing is called", async () => {
    const box = openBox([payTool(never, { authorise: () => stage("supervisor") })]);
    let calls = 0;
    const failing = () => {
      calls += 1;
      throw new EffectFailed("declined");
    };
    await box.guard(payment(1, 400), failing);
    await box.approvals.approve("their-run-1", { as: "user:sue" });
    expect(await box.guard(payment(1, 400), failing)).toMatchObject({ kind: "failed" });
    expect(await box.guard(payment(1, 400), failing)).toMatchObject({ kind: "staged" });
    expect(calls).toBe(1);
    expect(await box.approvals.show("their-run-1")).toMatchObject({ state: "waiting" });
    await box.approvals.approve("their-run-1", { as: "user:sue" });
    expect(await box.guard(payment(1, 400), () => 7)).toMatchObject({ kind: "done" });
    expect((await box.replay("their-run")).differences).toEqual([]);
  });

  test("an attempt that needed nobody is not told as what came of the approval before", async () => {
    const store = openMemoryStore();
    const one = openBox([payTool(never, { authorise: () => stage("supervisor") })], { store });
    await one.decide(payment(1, 400));
    await one.approvals.approve("their-run-1", { as: "user:sue" });
    await one.guard(payment(1, 400), () => {
      throw new EffectFailed("declined");
    });
    const two = openBox([payTool(never)], { store });
    expect(await two.guard(payment(1, 400), () => 7)).toMatchObject({ kind: "done" });
    expect(await two.approvals.show("their-run-1")).toMatchObject({ state: "used", outcome: "failed" });
  });

  test("what was done elsewhere uses it up: another proposal of the step is judged for itself", async () => {
    const box = openBox([payTool(never, { authorise: () => stage("supervisor") })]);
    for (const step of [1, 2]) {
      await box.decide(payment(step, 400));
      await box.approvals.approve(`their-run-${step}`, { as: "user:sue" });
    }
    await box.guard(payment(1, 400), () => 7);
    expect(await box.decide(payment(2, 400))).toMatchObject({ code: "already_done", receipt: { step: 1 } });
    expect(await box.decide(payment(2, 300))).toMatchObject({ outcome: "stage", approval: "their-run-2" });
  });

  test("what is cited and is no list of ids is another proposal, and costs nobody the approval", async () => {
    const label = plainTool("label", never, { effect: "once", authorise: () => stage("supervisor") });
    const box = openBox([label]);
    const proposal = { run: "their-run", step: 1, tool: "label", params: { n: 1 } };
    await box.decide(proposal);
    await box.approvals.approve("their-run-1", { as: "user:sue" });
    const odd = await box.decide({ ...proposal, evidence: "e1" as never });
    expect(odd).toMatchObject({ code: "approval_mismatch" });
    expect(await box.decide(proposal)).toMatchObject({ outcome: "allow", approvedBy: "user:sue" });
  });

  test("the limit of a hundred is not passed by asking twice", async () => {
    const box = openBox([payTool(never, { authorise: () => stage("supervisor") })]);
    const ask = (step: number) => box.decide({ ...payment(step, 5), params: { id: String(step), amountMinor: 5 } });
    for (let step = 1; step <= 100; step++) await ask(step);
    for (const step of [101, 101, 102, 101]) expect(await ask(step)).toMatchObject({ code: "too_many_waiting" });
    expect(await ask(100)).toMatchObject({ outcome: "stage" });
    expect(await box.approvals.list({ limit: 1_000 })).toHaveLength(100);
  });
});

test("what is proposed is redacted by value and not by the name of a field, and no secret is echoed", async () => {
  const secret = "sk-live-0123456789";
  const box = openBox([payTool(never)], { redact: { values: [secret], fields: ["amountMinor"] } });
  expect(await box.decide(payment(1, 5))).toMatchObject({ outcome: "allow", params: { id: "1", amountMinor: 5 } });
  const long = `${"x".repeat(190)}${secret}`;
  await box.decide(payment(2, 5, { tool: long, params: { id: secret, amountMinor: 5 } }));
  expect(JSON.stringify(await box.events("their-run"))).not.toContain("0123456789");
  for (const more of [
    { run: `${secret}/` },
    { step: secret as never },
    { [secret]: 1 },
    { context: { model: secret } },
  ]) {
    const refused = await box.decide({ ...payment(3, 5), ...more } as OutsideProposal).catch((error: unknown) => error);
    expect(String(refused)).not.toContain("0123456789");
    expect(refused).toMatchObject({ code: expect.stringMatching(/^bad_/) });
  }
});

test("[rails-guard] two processes that propose steps of one run each have their own", async () => {
  const path = join(folder, "shared.db");
  const boxes = [openBox([payTool(never)], { store: path }), openBox([payTool(never)], { store: path })];
  const outcomes = await Promise.all(
    Array.from({ length: 16 }, (_, n) => {
      const proposal = { ...payment(n + 1, 100), params: { id: String(n), amountMinor: 100 } };
      return boxes[n % 2]?.guard(proposal, () => ({ n }));
    }),
  );
  expect(outcomes.filter((outcome) => outcome?.kind === "done")).toHaveLength(10);
  expect(await used(boxes[0] as Signalbox)).toBe(1_000);
  expect((await boxes[1]?.verifyLedger())?.faults).toEqual([]);
  for (const box of boxes) await box.close();
});
