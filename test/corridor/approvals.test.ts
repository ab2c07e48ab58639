import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openMemoryStore } from "../../src/adapters/store-memory/index.ts";
import {
  type Config,
  createSignalbox,
  EffectFailed,
  type ModelRequest,
  permit,
  type RunEvent,
  type Signalbox,
  stage,
  type Tool,
} from "../../src/index.ts";
import { countedIds, faultyStore, scriptedModel, simulatedClock } from "../../src/testing/index.ts";
import { openBox, pay, payTool, plainTool, say } from "./box.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-approvals-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const APPROVERS = {
  "user:sue": { roles: ["supervisor"] },
  "user:sam": { roles: ["supervisor"] },
  "user:tom": { roles: ["teller"] },
  "agent:desk": { roles: ["supervisor"] },
};
const ADA = { customer: "customer:ada", as: "agent:desk" };

function staged(execute: Tool["execute"], more: Partial<Tool> = {}): Tool {
  return payTool(execute, { authorise: () => stage("supervisor"), ...more });
}

function deskBox(tool: Tool, replies: Parameters<typeof openBox>[1], more: Partial<Config> = {}): Signalbox {
  return openBox([tool], replies, { approvers: APPROVERS, ...more });
}

function deniedOf(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.kind === "decided" && event.denial !== null ? [`${event.denial.code}: ${event.denial.detail}`] : [],
  );
}

/** The newest prompt's text: what the model was told. */
function toldTo(box: Signalbox): string {
  const { requests } = box.parts.model as unknown as { readonly requests: readonly ModelRequest[] };
  return JSON.stringify(requests.at(-1)?.messages ?? []);
}

describe("a staged proposal", () => {
  test("waits with everything that a person has to see, and nothing is done or held", async () => {
    let paid = 0;
    const box = deskBox(
      staged(() => ++paid),
      [pay("1", 5)],
    );
    const { run, ending } = await box.run("pay ada", ADA);
    expect(ending).toBe("awaiting_approval");
    const [entry, ...others] = await box.approvals.list();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      id: `${run}-1`,
      run,
      step: 1,
      customer: "customer:ada",
      principal: "agent:desk",
      proposer: "agent:desk",
      request: "pay ada",
      tool: "pay",
      params: { id: "1", amountMinor: 5 },
      evidence: ["e1"],
      rule: "pay.authorise",
      role: "supervisor",
      state: "waiting",
      stagedAt: 1_000_000,
      expiresAt: 1_000_000 + 7 * 86_400_000,
      by: null,
    });
    // What is approved is the digest of exactly this text, which anybody can work out.
    expect(box.parts.hash(entry?.text ?? "")).toBe(entry?.digest);
    expect(JSON.parse(entry?.text ?? "")).toMatchObject({ run, step: 1, params: { id: "1", amountMinor: 5 } });
    expect(paid).toBe(0);
    expect(await box.approvals.show(`${run}-1`)).toEqual(entry);
    expect((await box.replay(run)).differences).toEqual([]);
  });

  test("[rails-approval-once] is performed once when it was approved, and the run goes on to its answer", async () => {
    const paid: unknown[] = [];
    const box = deskBox(
      staged(({ params }, call) => {
        paid.push([params, call.idempotencyKey]);
        return { receipt: 7 };
      }),
      [pay("1", 5), say("paid")],
    );
    const { run } = await box.run("pay", ADA);
    const word = { as: "user:sue", why: "known supplier" };
    expect(await box.approvals.approve(`${run}-1`, word)).toMatchObject({
      state: "approved",
      by: "user:sue",
      ...{ why: word.why },
    });
    expect(paid).toEqual([]);
    expect(await box.resume(run)).toMatchObject({ ending: "answered", text: "paid", performed: 1 });
    expect(paid).toEqual([[{ id: "1", amountMinor: 5 }, `${run}-1`]]);
    expect(await box.approvals.show(`${run}-1`)).toMatchObject({ state: "used", decided: "permit", outcome: "done" });
    expect(await box.approvals.list()).toEqual([]);
    // Neither the run nor the approval can be used again.
    expect(await box.resume(run)).toMatchObject({ ending: "answered" });
    await expect(box.approvals.approve(`${run}-1`, word)).rejects.toMatchObject({ code: "approval_used" });
    expect(paid).toHaveLength(1);
    expect((await box.replay(run)).differences).toEqual([]);
    expect((await box.verifyLedger()).ok).toBe(true);
    const decided = (await box.events(run)).filter((event) => event.kind === "decided");
    expect(decided.map((event) => event.kind === "decided" && [event.outcome, event.approvedBy])).toEqual([
      ["stage", null],
      ["permit", "user:sue"],
    ]);
  });

  test("reserves in the window of its commit", async () => {
    const clock = simulatedClock(Date.UTC(2026, 0, 1, 23, 0));
    const box = deskBox(
      staged(() => 1),
      [pay("1", 900), say("ok")],
      { clock },
    );
    const { run } = await box.run("pay", ADA);
    clock.advance(2 * 3_600_000);
    await box.approvals.approve(`${run}-1`, { as: "user:sue" });
    expect(await box.resume(run)).toMatchObject({ ending: "answered" });
    const used = (day: string) => box.parts.store.capUse([{ cap: "paid", key: "all", window: `day:${day}@UTC` }], null);
    expect(await used("2026-01-01")).toMatchObject([{ used: 0 }]);
    expect(await used("2026-01-02")).toMatchObject([{ used: 900 }]);
  });
});

describe("who may say what", () => {
  test("[rails-approval-once] the proposer, a stranger and a person without the role cannot approve", async () => {
    let paid = 0;
    const box = deskBox(
      staged(() => ++paid),
      [pay("1", 5)],
    );
    const { run } = await box.run("pay", ADA);
    const id = `${run}-1`;
    const refused = async (as: string, code: string) =>
      expect(box.approvals.approve(id, { as })).rejects.toMatchObject({ code });
    await refused("agent:desk", "approver_is_proposer");
    await refused("user:tom", "approver_lacks_role");
    await refused("user:nobody", "unknown_approver");
    await refused("__proto__", "unknown_approver");
    expect((await box.approvals.show(id)).state).toBe("waiting");
    await expect(box.approvals.approve("nothing-1", { as: "user:sue" })).rejects.toMatchObject({
      code: "unknown_approval",
    });
    await expect(box.approvals.approve(`${run}-2`, { as: "user:sue" })).rejects.toMatchObject({
      code: "unknown_approval",
    });
    await expect(box.approvals.approve(id, { as: "user:sue", digest: "0".repeat(64) })).rejects.toMatchObject({
      code: "approval_mismatch",
    });
    await expect(box.approvals.reject(id, { as: "user:sue" })).rejects.toMatchObject({ code: "no_reason" });
    await box.resume(run);
    expect(paid).toBe(0);
  });

  test("a model that says it was approved has said something, and nothing more", async () => {
    let paid = 0;
    const box = deskBox(
      staged(() => ++paid),
      [
        { kind: "action", tool: "approve", params: { id: "x-1", approved: true } },
        { kind: "action", tool: "pay", params: { id: "1", amountMinor: 5, approved: true }, evidence: ["e1"] },
        pay("1", 5),
      ],
    );
    const { run, ending } = await box.run("pay", ADA);
    expect(ending).toBe("awaiting_approval");
    expect(deniedOf(await box.events(run)).map((line) => line.split(":")[0])).toEqual(["unknown_tool", "unknown_key"]);
    expect(paid).toBe(0);
  });

  test("[rails-approval-refused] a refusal performs nothing, and its reason goes back to the model", async () => {
    let paid = 0;
    const box = deskBox(
      staged(() => ++paid),
      [pay("1", 5), say("then not")],
    );
    const { run } = await box.run("pay", ADA);
    const why = "the invoice is of another customer";
    expect(await box.approvals.reject(`${run}-1`, { as: "user:sue", why })).toMatchObject({ state: "rejected", why });
    await expect(box.approvals.approve(`${run}-1`, { as: "user:sam" })).rejects.toMatchObject({
      code: "approval_rejected",
    });
    const outcome = await box.resume(run);
    expect(outcome).toMatchObject({ ending: "answered", text: "then not", denied: 1 });
    expect(toldTo(box)).toContain(`approval_rejected`);
    expect(toldTo(box)).toContain(why);
    expect(paid).toBe(0);
    expect((await box.replay(run)).differences).toEqual([]);
  });

  test("an approval can be taken back until it was used", async () => {
    let paid = 0;
    const box = deskBox(
      staged(() => ++paid),
      [pay("1", 5), say("ok")],
    );
    const { run } = await box.run("pay", ADA);
    await box.approvals.approve(`${run}-1`, { as: "user:sue" });
    await expect(box.approvals.approve(`${run}-1`, { as: "user:sam" })).rejects.toMatchObject({
      code: "already_approved",
    });
    await box.approvals.reject(`${run}-1`, { as: "user:sam", why: "on second thoughts" });
    expect(await box.resume(run)).toMatchObject({ ending: "answered" });
    expect(paid).toBe(0);
  });

  test("an edit is a proposal of the person's: judged anew, and approved by somebody else", async () => {
    const paid: unknown[] = [];
    const tool = staged(({ params }) => {
      paid.push(params);
      return 1;
    });
    const box = deskBox(tool, [pay("1", 900), say("ok")]);
    const { run } = await box.run("pay", ADA);
    const why = "half of it";
    const edited = { as: "user:sue", why, params: { id: "1", amountMinor: 450 } };
    expect(await box.approvals.edit(`${run}-1`, edited)).toMatchObject({ state: "edited", by: "user:sue", why });
    expect(await box.resume(run)).toMatchObject({ ending: "awaiting_approval" });
    const [entry] = await box.approvals.list();
    expect(entry).toMatchObject({ id: `${run}-2`, proposer: "user:sue", params: { id: "1", amountMinor: 450 } });
    await expect(box.approvals.approve(`${run}-1`, { as: "user:sam" })).rejects.toMatchObject({
      code: "approval_used",
    });
    await expect(box.approvals.approve(`${run}-2`, { as: "user:sue" })).rejects.toMatchObject({
      code: "approver_is_proposer",
    });
    await box.approvals.approve(`${run}-2`, { as: "user:sam" });
    expect(await box.resume(run)).toMatchObject({ ending: "answered", performed: 1 });
    expect(paid).toEqual([{ id: "1", amountMinor: 450 }]);
    expect((await box.replay(run)).differences).toEqual([]);
    for (const params of [null, [], "x", { a: () => 1 }, JSON.parse('{"__proto__": 1}')]) {
      const refused = box.approvals.edit(`${run}-2`, { as: "user:sue", params });
      await expect(refused).rejects.toMatchObject({ code: "bad_params" });
    }
  });

  test("a slip of the pen in an edit costs nobody the proposal that waits", async () => {
    const box = deskBox(
      staged(() => 1),
      [pay("1", 900), say("ok")],
    );
    const { run } = await box.run("pay", ADA);
    for (const params of [{ id: "1", amountMinor: 0.5 }, { amountMinor: 5 }, { id: "1", amountMinor: 5, x: 1 }]) {
      const edited = box.approvals.edit(`${run}-1`, { as: "user:sue", params });
      await expect(edited).rejects.toMatchObject({ code: "bad_params" });
    }
    expect((await box.approvals.show(`${run}-1`)).state).toBe("waiting");
  });

  test("of what an edit proposes, the rails deny what they would deny anybody", async () => {
    let paid = 0;
    const box = deskBox(
      staged(() => ++paid),
      [pay("1", 900), say("ok")],
    );
    const { run } = await box.run("pay", ADA);
    const params = { id: "1", amountMinor: 5 };
    await box.approvals.edit(`${run}-1`, { as: "user:sue", params, evidence: ["e2"] });
    await box.resume(run);
    expect(deniedOf(await box.events(run))).toMatchObject([expect.stringMatching(/^evidence_foreign/)]);
    expect(paid).toBe(0);
  });
});

describe("what a person is told", () => {
  test("why it needs one, that it changed since, and that the same was refused before", async () => {
    const store = openMemoryStore();
    const why = "above the desk's ceiling";
    const tool = staged(() => 1, { authorise: () => stage("supervisor", why) });
    const one = deskBox(tool, [pay("1", 900), pay("1", 900)], { store });
    const { run } = await one.run("pay", ADA);
    expect(await one.approvals.show(`${run}-1`)).toMatchObject({ reason: why, changed: [], refusedBefore: null });
    await one.approvals.reject(`${run}-1`, { as: "user:sue", why: "no invoice" });
    expect(await one.resume(run)).toMatchObject({ ending: "awaiting_approval" });
    const two = deskBox(tool, [], { store, policyVersion: "next" });
    expect(await two.approvals.show(`${run}-2`)).toMatchObject({
      changed: ["policy"],
      refusedBefore: { by: "user:sue", why: "no invoice" },
    });
  });

  test("[rails-approval-binds] several rules that each ask for somebody ask for one who is all of them", async () => {
    let paid = 0;
    const rule = { id: "large", tools: ["pay"], effect: "stage", when: () => true, code: "director" } as const;
    const approvers = { ...APPROVERS, "user:ann": { roles: ["director", "supervisor"] } };
    const box = deskBox(
      staged(() => ++paid),
      [pay("1", 5), say("ok")],
      { policies: [rule], approvers },
    );
    const { run } = await box.run("pay", ADA);
    expect(await box.approvals.show(`${run}-1`)).toMatchObject({ role: "director + supervisor" });
    await expect(box.approvals.approve(`${run}-1`, { as: "user:sue" })).rejects.toMatchObject({
      code: "approver_lacks_role",
    });
    await box.approvals.approve(`${run}-1`, { as: "user:ann" });
    await box.resume(run);
    expect(paid).toBe(1);
  });

  test("check says what approve would say, and writes nothing", async () => {
    const box = deskBox(
      staged(() => 1),
      [pay("1", 5), say("ok")],
    );
    const { run } = await box.run("pay", ADA);
    const rows = (await box.events(run)).length;
    for (const [as, code] of [
      ["agent:desk", "approver_is_proposer"],
      ["user:tom", "approver_lacks_role"],
      ["user:nobody", "unknown_approver"],
    ] as const) {
      await expect(box.approvals.check(`${run}-1`, as)).rejects.toMatchObject({ code });
    }
    expect(await box.approvals.check(`${run}-1`, "user:sue")).toMatchObject({ state: "waiting" });
    expect((await box.events(run)).length).toBe(rows);
  });
});

describe("[rails-approval-binds] decided again at the commit", () => {
  /** Stages with one box, approves, and commits with another over the same ledger. */
  async function committed(then: Partial<Tool>, config: Partial<Config> = {}, first: Partial<Tool> = {}) {
    let paid = 0;
    const path = join(folder, `${Math.random()}.db`);
    const clock = simulatedClock(1_000_000);
    const open = (tool: Tool, more: Partial<Config>) =>
      createSignalbox({
        model: scriptedModel({ replies: [pay("1", 5), say("so be it")] }),
        tools: [tool],
        store: path,
        clock,
        ids: countedIds(),
        approvers: APPROVERS,
        ...more,
      });
    const execute = () => ++paid;
    const one = open(staged(execute, first), {});
    const { run } = await one.run("pay", ADA);
    await one.approvals.approve(`${run}-1`, { as: "user:sue" });
    await one.close();
    // A process of its own would see no more than this: the file and its own config.
    const two = open(staged(execute, { ...first, ...then }), {
      model: scriptedModel({ replies: [say("so be it")] }),
      ...config,
    });
    const outcome = await two.resume(run);
    const denied = deniedOf(await two.events(run));
    const { state, decided } = await two.approvals.show(`${run}-1`);
    await two.close();
    return { outcome, denied, paid, state, decided };
  }

  test("unchanged it commits, from another process and a config of its own", async () => {
    expect(await committed({})).toMatchObject({ paid: 1, denied: [], state: "used", decided: "permit" });
  });

  const record = (more: object) => () => ({ events: [{ id: "e1", owner: "customer:ada" }], ...more });
  test.each<[string, Partial<Tool>, Partial<Config>, string]>([
    ["the record", { record: record({ note: "new" }) }, {}, "approval_stale: record, definition"],
    ["the definition", { description: "pays at once" }, {}, "approval_stale: definition, prompt"],
    ["the policy", {}, { policyVersion: "next" }, "approval_stale: policy"],
    ["the role", { authorise: () => stage("director") }, {}, "approval_stale: definition, policy, role"],
    ["the policy denies it now", { authorise: () => ({ effect: "deny", code: "too_much" }) }, {}, "too_much: too_much"],
    ["a person is no longer needed", { authorise: () => permit() }, {}, "approval_stale: definition, policy"],
    ["the evidence is gone", { record: () => ({ events: [] }) }, {}, 'evidence_unknown: "e1" is not in the record'],
    [
      "a cap is spent",
      { caps: [{ name: "paid", limit: 4, window: "per_run", amount: () => 5 }] },
      {},
      "approval_stale: definition, policy",
    ],
  ])("%s", async (_, then, config, denied) => {
    const came = await committed(then, config);
    const [code] = denied.split(":");
    const state = code === "approval_stale" ? "stale" : "denied";
    expect(came).toMatchObject({ paid: 0, denied: [denied], state, decided: code });
    // The run goes on, and the model knows why.
    expect(came.outcome).toMatchObject({ ending: "answered", text: "so be it" });
  });

  test("of a record that always moves, what the tool says is its version counts", async () => {
    let reads = 0;
    const moving = {
      record: () => ({ events: [{ id: "e1", owner: "customer:ada" }], readAt: ++reads, paidMinor: 5 }),
      recordVersion: (loaded: unknown) => (loaded as { paidMinor: number }).paidMinor,
    };
    expect(await committed({}, {}, moving)).toMatchObject({ paid: 1, denied: [] });
    let again = 0;
    const whole = { record: () => ({ events: [{ id: "e1", owner: "customer:ada" }], readAt: ++again }) };
    expect(await committed({}, {}, whole)).toMatchObject({ paid: 0, denied: ["approval_stale: record"] });
  });

  test("a record that cannot be loaded now uses nothing up: the next resume commits", async () => {
    let paid = 0;
    let down = false;
    const load = () => {
      if (down) throw new Error("connection refused");
      return { events: [{ id: "e1", owner: "customer:ada" }] };
    };
    const box = deskBox(
      staged(() => ++paid, { record: load }),
      [pay("1", 5), say("ok")],
    );
    const { run } = await box.run("pay", ADA);
    await box.approvals.approve(`${run}-1`, { as: "user:sue" });
    down = true;
    expect(await box.resume(run)).toMatchObject({
      ending: "awaiting_approval",
      exitCode: 4,
      detail: "step 1 is approved and was not begun: the record for pay could not be loaded; resume again",
    });
    expect((await box.approvals.list({ state: "approved" })).map(({ id }) => id)).toEqual([`${run}-1`]);
    down = false;
    expect(await box.resume(run)).toMatchObject({ ending: "answered" });
    expect(paid).toBe(1);
  });

  test("the authority is gone: nothing is done, and the approval stays", async () => {
    const came = committed({}, { principals: { "agent:desk": { tools: [] } } });
    await expect(came).rejects.toMatchObject({ code: "authority_changed" });
  });
});

describe("[rails-approval-once] time", () => {
  test.each([
    [6 * 86_400_000, "used"],
    [7 * 86_400_000, "expired"],
    [400 * 86_400_000, "expired"],
  ])("after %d ms it is %s", async (ms, state) => {
    let paid = 0;
    const clock = simulatedClock(1_000_000);
    const box = deskBox(
      staged(() => ++paid),
      [pay("1", 5), say("ok")],
      { clock },
    );
    const { run } = await box.run("pay", ADA);
    clock.advance(ms);
    const approved = box.approvals.approve(`${run}-1`, { as: "user:sue" });
    if (state === "expired") await expect(approved).rejects.toMatchObject({ code: "approval_expired" });
    else await approved;
    // Whichever it was, the run goes on: what waited does not count against its wall clock.
    expect(await box.resume(run)).toMatchObject({ ending: "answered" });
    expect((await box.approvals.show(`${run}-1`)).state).toBe(state);
    expect(paid).toBe(state === "used" ? 1 : 0);
    if (state === "expired") expect(toldTo(box)).toContain("approval_expired");
    expect((await box.replay(run)).differences).toEqual([]);
  });

  test("an approval that is not used in time is none", async () => {
    let paid = 0;
    const clock = simulatedClock(1_000_000);
    const box = deskBox(
      staged(() => ++paid),
      [pay("1", 5), say("ok")],
      { clock, approvalMs: 1_000 },
    );
    const { run } = await box.run("pay", ADA);
    clock.advance(999);
    await box.approvals.approve(`${run}-1`, { as: "user:sue" });
    clock.advance(1);
    await box.resume(run);
    expect(deniedOf(await box.events(run))).toEqual(["approval_expired: the approval was not used in time"]);
    expect(paid).toBe(0);
  });

  test("a run of 5 MB of results is approved and committed like any other", async () => {
    let paid = 0;
    const large = plainTool("look", () => "x".repeat(1_000_000), { mayRepeat: true });
    const looks = Array.from({ length: 5 }, (_, n) => ({ kind: "action" as const, tool: "look", params: { n } }));
    const box = openBox([staged(() => ++paid), large], [...looks, pay("1", 5), say("ok")], { approvers: APPROVERS });
    const { run } = await box.run("pay", ADA);
    await box.approvals.approve(`${run}-1`.replace("-1", "-6"), { as: "user:sue" });
    expect(await box.resume(run)).toMatchObject({ ending: "answered" });
    expect(paid).toBe(1);
  });
});

describe("what came of it", () => {
  test("an effect that failed was tried once: proposed again it needs another approval", async () => {
    let tries = 0;
    const tool = staged(() => {
      tries += 1;
      if (tries === 1) throw new EffectFailed("the bank is closed");
      return 1;
    });
    const box = deskBox(tool, [pay("1", 5), pay("1", 5), say("ok")]);
    const { run } = await box.run("pay", ADA);
    await box.approvals.approve(`${run}-1`, { as: "user:sue" });
    expect(await box.resume(run)).toMatchObject({ ending: "awaiting_approval" });
    expect(await box.approvals.show(`${run}-1`)).toMatchObject({ state: "used", outcome: "failed" });
    await box.approvals.approve(`${run}-2`, { as: "user:sue" });
    expect(await box.resume(run)).toMatchObject({ ending: "answered" });
    expect(tries).toBe(2);
  });

  test("approve, work, a second gated call, approve: each once, and each answered", async () => {
    const paid: unknown[] = [];
    const tool = staged(({ params }) => {
      paid.push(params);
      return 1;
    });
    const box = deskBox(tool, [pay("1", 5), pay("2", 6), say("both")]);
    const { run } = await box.run("pay both", ADA);
    await box.approvals.approve(`${run}-1`, { as: "user:sue" });
    expect(await box.resume(run)).toMatchObject({ ending: "awaiting_approval" });
    await box.approvals.approve(`${run}-2`, { as: "user:sam" });
    expect(await box.resume(run)).toMatchObject({ ending: "answered", text: "both" });
    expect(paid).toEqual([
      { id: "1", amountMinor: 5 },
      { id: "2", amountMinor: 6 },
    ]);
  });

  test("[rails-once-settles] a later run of the thread that proposes the same gets the receipt, and asks nobody", async () => {
    let paid = 0;
    const box = deskBox(
      staged(() => ({ receipt: ++paid })),
      [pay("1", 5), say("ok"), pay("1", 5), say("was done")],
    );
    const thread = box.thread(ADA);
    const { run } = await thread.run("pay");
    await box.approvals.approve(`${run}-1`, { as: "user:sue" });
    await box.resume(run);
    expect(await thread.run("pay again")).toMatchObject({ ending: "answered", text: "was done" });
    expect(paid).toBe(1);
  });

  test("[rails-unknown-person] what nobody knows is a person's work, holds its cap, and lets the run go on after", async () => {
    for (const outcome of ["done", "failed"] as const) {
      const box = deskBox(
        payTool(() => {
          throw new Error("connection reset");
        }),
        [pay("1", 900), say("ok")],
      );
      const { run, ending } = await box.run("pay", ADA);
      expect(ending).toBe("outcome_unknown");
      const [open] = await box.outcomes.list();
      expect(open).toMatchObject({
        id: `${run}-1`,
        state: "outcome_unknown",
        tool: "pay",
        idempotencyKey: `${run}-1`,
        why: "connection reset",
        reservations: [{ cap: "paid", amount: 900 }],
      });
      const used = () => box.parts.store.capUse([{ cap: "paid", key: "all", window: "day:1970-01-01@UTC" }], null);
      expect(await used()).toMatchObject([{ used: 900 }]);
      const looked = { as: "user:sue", why: "asked the bank", outcome };
      const refused = async (more: object, code: string) =>
        expect(box.outcomes.resolve(`${run}-1`, { ...looked, ...more })).rejects.toMatchObject({ code });
      await refused({ as: "user:nobody" }, "unknown_approver");
      await refused({ why: " " }, "no_reason");
      await refused({ outcome: "outcome_unknown" }, "bad_outcome");
      await expect(box.outcomes.resolve("x-1", looked)).rejects.toMatchObject({ code: "unknown_outcome" });
      await box.outcomes.resolve(`${run}-1`, looked);
      expect(await used()).toMatchObject([{ used: outcome === "done" ? 900 : 0 }]);
      expect(await box.outcomes.list()).toEqual([]);
      await refused({}, "already_settled");
      const after = await box.resume(run);
      expect(after).toMatchObject({ ending: "answered", text: "ok", performed: outcome === "done" ? 1 : 0 });
      expect((await box.events(run)).findLast((event) => event.kind === "finished")).toMatchObject({
        outcome,
        resolved: { by: "user:sue", why: "asked the bank" },
      });
      expect((await box.replay(run)).differences).toEqual([]);
      expect((await box.verifyLedger()).ok).toBe(true);
    }
  });
});

describe("what lies between a word and its run", () => {
  test("the time until somebody takes the run up does not count against its wall clock", async () => {
    for (const speak of ["approve", "reject", "revoke"] as const) {
      const clock = simulatedClock(1_000_000);
      let paid = 0;
      const box = deskBox(
        staged(() => ++paid),
        [pay("1", 5), say("ok")],
        { clock },
      );
      const { run } = await box.run("pay", ADA);
      clock.advance(3_600_000);
      if (speak !== "reject") await box.approvals.approve(`${run}-1`, { as: "user:sue" });
      if (speak === "revoke") clock.advance(3_600_000);
      if (speak !== "approve") await box.approvals.reject(`${run}-1`, { as: "user:sue", why: "no" });
      clock.advance(3_600_000);
      expect([speak, (await box.resume(run)).ending, paid]).toEqual([speak, "answered", speak === "approve" ? 1 : 0]);
      expect((await box.replay(run)).differences).toEqual([]);
    }
  });

  test("[rails-approval-binds] an approver who may not any more does not carry the commit", async () => {
    let paid = 0;
    const store = openMemoryStore();
    const tool = staged(() => ++paid);
    const one = deskBox(tool, [pay("1", 5)], { store });
    const { run } = await one.run("pay", ADA);
    await one.approvals.approve(`${run}-1`, { as: "user:sue" });
    const approvers = { "user:sue": { roles: ["teller"] }, "user:sam": { roles: ["supervisor"] } };
    const two = deskBox(tool, [say("ok")], { store, approvers });
    await two.resume(run);
    expect(deniedOf(await two.events(run))).toEqual(["approval_stale: approver"]);
    expect(paid).toBe(0);
  });

  test("where the declarations lead elsewhere a word is refused, and so is a resume: nothing is written", async () => {
    const store = openMemoryStore();
    const tool = staged(() => 1);
    const look = plainTool("look", () => 1);
    const replies = [{ kind: "action" as const, tool: "look", params: { n: 1 } }, pay("1", 5)];
    const one = openBox([look, tool], replies, { store, approvers: APPROVERS });
    const { run } = await one.run("pay", ADA);
    const rows = (await one.events(run)).length;
    // By today's declaration the pay step is settled by the look before it.
    const same = { settles: () => "one" };
    const two = openBox(
      [
        { ...look, name: "pay", ...same },
        { ...tool, name: "look" },
      ],
      [say("ok")],
      {
        store,
        approvers: APPROVERS,
      },
    );
    for (const word of [() => two.approvals.approve(`${run}-2`, { as: "user:sue" }), () => two.resume(run)]) {
      const came = await word().then(
        () => "taken",
        (error: { readonly code: string }) => error.code,
      );
      expect(["declaration_changed", "taken"]).toContain(came);
    }
    expect((await one.events(run)).length).toBeGreaterThanOrEqual(rows);
  });

  test("a cancel before the commit keeps the approval", async () => {
    let paid = 0;
    const box = deskBox(
      staged(() => ++paid),
      [pay("1", 5), say("ok")],
    );
    const { run } = await box.run("pay", ADA);
    await box.approvals.approve(`${run}-1`, { as: "user:sue" });
    const cancelled = await box.resume(run, { signal: AbortSignal.abort() });
    expect(cancelled).toMatchObject({ ending: "awaiting_approval", exitCode: 4 });
    expect(cancelled.detail).toMatch(/approved and was not begun/);
    expect(await box.resume(run)).toMatchObject({ ending: "answered" });
    expect(paid).toBe(1);
  });

  test("what a nested run cannot wait for is denied there", async () => {
    let paid = 0;
    const actor = plainTool("worker", (_proposal, call) => call.nested("pay it"), { local: true });
    const replies = [{ kind: "action" as const, tool: "worker", params: {} }, pay("1", 5), say("inner"), say("outer")];
    const box = openBox([actor, staged(() => ++paid)], replies, { approvers: APPROVERS });
    const outcome = await box.run("pay", ADA);
    expect(outcome).toMatchObject({ ending: "answered", text: "outer" });
    const inner = (await box.runs()).find(({ run }) => run !== outcome.run);
    expect(deniedOf(await box.events(String(inner?.run))).map((line) => line.split(":")[0])).toEqual(["cannot_wait"]);
    expect(await box.approvals.list()).toEqual([]);
    expect((await box.replay(String(inner?.run))).differences).toEqual([]);
    expect(paid).toBe(0);
  });

  test("[rails-unknown-person] a process that died before it wrote the end leaves work for a person all the same", async () => {
    for (let failAt = 1; failAt < 10; failAt++) {
      const inner = openMemoryStore();
      const tool = payTool(() => {
        throw new Error("connection reset");
      });
      const first = deskBox(tool, [pay("1", 5)], { store: faultyStore(inner, { failAt }) });
      const run = await first.run("pay", ADA).catch(() => null);
      const entries = await deskBox(tool, [], { store: inner }).outcomes.list();
      const [open] = entries;
      if (run === null || open?.state !== "outcome_unknown") continue;
      const second = deskBox(tool, [say("so be it")], { store: inner });
      await second.outcomes.resolve(open.id, { as: "user:sue", outcome: "failed", why: "asked the bank" });
      expect(await second.resume(open.run)).toMatchObject({ ending: "answered", text: "so be it" });
      expect((await second.replay(open.run)).differences).toEqual([]);
    }
  });
});

test("[ledger-unwritable-denies] [rails-approval-once] whichever write fails, nothing is done without its row or twice, and it can be taken up", async () => {
  const seen = new Set<string>();
  for (let failAt = 1; ; failAt++) {
    let [paid, calls] = [0, 0];
    const inner = openMemoryStore();
    const onCall = (_name: string, n: number) => {
      calls = n;
    };
    const tool = staged(() => ({ receipt: ++paid }));
    const replies = [pay("1", 5), say("paid"), say("paid")];
    const ids = countedIds();
    const first = deskBox(tool, replies, { store: faultyStore(inner, { failAt, onCall }), ids });
    const fallen = await (async () => {
      const { run } = await first.run("pay", ADA);
      await first.approvals.approve(`${run}-1`, { as: "user:sue" });
      return (await first.resume(run)).ending;
    })().catch((error: { readonly code?: string }) => String(error.code));
    seen.add(fallen);
    if (calls < failAt) break;
    // The disk has room again, and somebody takes it up from what is there.
    const kinds = new Set<string>();
    await inner.scan(["replied"], ({ kind }) => kinds.add(kind));
    const left = kinds.size === 0 ? [pay("1", 5), say("paid"), say("paid")] : [say("paid"), say("paid")];
    const second = deskBox(tool, left, { store: inner, ids });
    const [entry] = await second.runs();
    if (entry !== undefined) {
      await second.resume(entry.run);
      for (const { id } of await second.approvals.list()) await second.approvals.approve(id, { as: "user:sue" });
      const { ending } = await second.resume(entry.run);
      // What was begun and has no outcome may have happened: it is never tried again.
      expect([ending, paid]).toEqual(ending === "outcome_unknown" ? [ending, 1] : ["answered", 1]);
    } else expect(paid).toBe(0);
    expect((await second.verifyLedger()).faults).toEqual([]);
  }
  expect(seen).toContain("answered");
  expect(seen.size).toBeGreaterThan(2);
});
