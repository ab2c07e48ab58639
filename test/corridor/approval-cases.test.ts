/** Faults that users of comparable systems reported about approvals, by the thread in which they did (cases). */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Config,
  createSignalbox,
  type ModelReply,
  type ModelRequest,
  type Signalbox,
  stage,
} from "../../src/index.ts";
import { countedIds, simulatedClock } from "../../src/testing/index.ts";
import { found, liveModel, payTool } from "./box.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-cases-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const call = (id: string, amountMinor: number) => ({
  id: `call_${id}`,
  name: "pay",
  args: JSON.stringify({ id, amountMinor, evidence: ["e1"] }),
});

function said(text: string, ...calls: ReturnType<typeof call>[]): ModelReply {
  return { ok: true, text, calls, finish: "stop", promptTokens: null, completionTokens: null } as ModelReply;
}

type Says = (request: ModelRequest, n: number) => ModelReply | string;

function openBox(says: Says, paid: unknown[], more: Partial<Config> = {}) {
  const model = liveModel(says, {
    mode: "tools",
    probe: async () => ({ ok: true as const, ...found, tools: "honoured" }),
  } as never);
  const tool = payTool(
    ({ params }) => {
      paid.push(params);
      return { receipt: paid.length };
    },
    { authorise: () => stage("supervisor") },
  );
  const box = createSignalbox({
    model,
    tools: [tool],
    store: "memory",
    clock: simulatedClock(1_000_000),
    ids: countedIds(),
    approvers: { "user:sue": { roles: ["supervisor"] } },
    ...more,
  });
  return { box, model };
}

const ADA = { customer: "customer:ada" };
const approved = async (box: Signalbox, run: string, step: number) => {
  await box.approvals.approve(`${run}-${step}`, { as: "user:sue" });
  return box.resume(run);
};

describe("approvals with native tool calls", () => {
  test("mastra 16468, deepagentsjs 150: of two gated calls in one reply one waits, the other was not run, and the next request is whole", async () => {
    const paid: unknown[] = [];
    const { box, model } = openBox(
      (_, n) =>
        n === 1 ? said("", call("1", 5), call("2", 6)) : n === 2 ? said("", call("2", 6)) : "both are settled",
      paid,
    );
    const { run, ending } = await box.run("pay both", ADA);
    expect(ending).toBe("awaiting_approval");
    expect((await box.approvals.list()).map(({ id, params }) => [id, params])).toEqual([
      [`${run}-1`, { id: "1", amountMinor: 5 }],
    ]);
    await box.approvals.reject(`${run}-1`, { as: "user:sue", why: "paid last week" });
    expect(await box.resume(run)).toMatchObject({ ending: "awaiting_approval" });
    const told = JSON.stringify(model.requests.at(-1)?.messages);
    expect(told).toContain("paid last week");
    expect(told).toContain("not run, since a turn takes one action: pay");
    // No message names a call that nobody answers.
    expect(
      model.requests.every(({ messages }) => messages.every(({ role }) => role === "user" || role === "assistant")),
    ).toBe(true);
    expect(told).not.toContain("call_1");
    expect(await approved(box, run, 2)).toMatchObject({ ending: "answered", text: "both are settled" });
    expect(paid).toEqual([{ id: "2", amountMinor: 6 }]);
  });

  test("openai-agents 1435: approve, work, a second gated call, approve: each request carries the newest result", async () => {
    const paid: unknown[] = [];
    const { box, model } = openBox(
      (_, n) => (n === 1 ? said("", call("1", 5)) : n === 2 ? said("", call("2", 6)) : "both are paid"),
      paid,
    );
    const { run } = await box.run("pay both", ADA);
    expect(await approved(box, run, 1)).toMatchObject({ ending: "awaiting_approval" });
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('{\\"receipt\\":1}');
    expect(await approved(box, run, 2)).toMatchObject({ ending: "answered" });
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('{\\"receipt\\":2}');
    expect(paid).toHaveLength(2);
  });
});

describe("approvals in another process", () => {
  test("[rails-approval-refused] mastra 20487, 20470: what was declined is not run by the process that resumes", async () => {
    const paid: unknown[] = [];
    const store = join(folder, "declined.db");
    const one = openBox(() => said("", call("1", 5)), paid, { store });
    const { run } = await one.box.run("pay", ADA);
    await one.box.close();
    const two = openBox(() => "then not", paid, { store });
    await two.box.approvals.reject(`${run}-1`, { as: "user:sue", why: "no" });
    await two.box.close();
    const three = openBox(() => "then not", paid, { store });
    expect(await three.box.resume(run)).toMatchObject({ ending: "answered", text: "then not" });
    expect(paid).toEqual([]);
    await expect(three.box.approvals.approve(`${run}-1`, { as: "user:sue" })).rejects.toMatchObject({
      code: "approval_rejected",
    });
    await three.box.close();
  });

  test("vercel/ai 15947: an approval of an id that was never issued is nothing", async () => {
    const { box } = openBox(() => "hello", []);
    const { run } = await box.run("hello", ADA);
    for (const id of [
      `${run}-1`,
      `${run}-99999999`,
      "01jx-1",
      "-1",
      "x",
      "",
      "__proto__-1",
      `${run}-01`,
      `${run}-1.5`,
    ]) {
      await expect(box.approvals.approve(id, { as: "user:sue" })).rejects.toMatchObject({ code: "unknown_approval" });
    }
  });
});

describe("steps of another loop", () => {
  const proposal = (params: object) => ({
    run: "theirs",
    step: 1,
    tool: "pay",
    params: params as never,
    evidence: ["e1"],
    context: ADA,
  });

  test("crewAI 5802: a retry whose model words the call anew is the same step, and does nothing a second time", async () => {
    const paid: unknown[] = [];
    const { box } = openBox(() => "", paid);
    await box.decide(proposal({ id: "1", amountMinor: 5 }));
    await box.approvals.approve("theirs-1", { as: "user:sue" });
    let calls = 0;
    const guard = (params: object) => box.guard(proposal(params), () => ++calls);
    expect(await guard({ id: "1", amountMinor: 5 })).toMatchObject({ kind: "done" });
    expect(await guard({ amountMinor: 5, id: "1" })).toMatchObject({
      kind: "done",
      receipt: { run: "theirs", step: 1 },
    });
    expect(await guard({ id: "one", amountMinor: 5 })).toMatchObject({ kind: "denied", code: "approval_mismatch" });
    expect(calls).toBe(1);
  });

  test("extra 139: what was approved is not matched by its place in a list", async () => {
    const { box } = openBox(() => "", []);
    await box.decide(proposal({ id: "1", amountMinor: 10 }));
    await box.approvals.approve("theirs-1", { as: "user:sue" });
    let calls = 0;
    const other = await box.guard(proposal({ id: "1", amountMinor: 999 }), () => ++calls);
    expect(other).toMatchObject({ kind: "denied", code: "approval_mismatch" });
    expect(calls).toBe(0);
  });
});
