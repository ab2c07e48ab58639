import { describe, expect, test } from "vitest";
import { openMemoryStore } from "../../src/adapters/store-memory/index.ts";
import type { ModelReply, ModelRequest } from "../../src/index.ts";
import { simulatedClock } from "../../src/testing/index.ts";
import { act, found, liveModel, openBox, payTool, plainTool, say } from "./box.ts";

/** What a server's window, tokeniser and canary may do to a run, and what they may not. */

const overflow: ModelReply = { ok: false, code: "context_overflow", detail: "exceeds the available context size" };
const look = (n: number): string => JSON.stringify(act("look", { n }));
const done = JSON.stringify(say("done"));
const userOf = (request: ModelRequest | undefined): string => request?.messages[0]?.content ?? "";
const plenty = { turns: 100, modelCalls: 100, steps: 100, tokens: 100_000_000 };

describe("after an overflow", () => {
  test("in mode tools, where the tools take most of the window, results are still shown", async () => {
    const tools = Array.from({ length: 15 }, (_, i) =>
      plainTool(i === 0 ? "look" : `tool_${i}`, () => ({ text: "word ".repeat(4_000) }), {
        description: "d".repeat(900),
      }),
    );
    const calls = (n: number): ModelReply => ({
      ok: true,
      text: "",
      calls: [{ name: "look", args: JSON.stringify({ n }) }],
      finish: "tool_calls",
      promptTokens: null,
      completionTokens: null,
    });
    const model = liveModel((_request, call) => (call === 2 ? overflow : call > 4 ? "done" : calls(call)), {
      mode: "tools",
    });
    const outcome = await openBox(tools, [], { model, budgets: plenty }).run("look");
    expect(outcome.ending).toBe("answered");
    for (const request of model.requests.slice(2)) expect(userOf(request)).toContain("NEWEST RESULT, of look");
  });

  test("a resume that probes again does not send again what was too long", async () => {
    const store = openMemoryStore();
    const tool = plainTool("look", () => ({ text: "word ".repeat(8_000) }));
    const cut = new AbortController();
    const model = liveModel(
      (_request, call) => {
        if (call === 2) return overflow;
        if (call === 4) cut.abort();
        return look(call);
      },
      { probe: async () => ({ ...found, tokeniser: false }) },
    );
    const first = openBox([tool], [], { store, model, budgets: plenty });
    const { run, ending } = await first.run("look", { signal: cut.signal });
    expect(ending).toBe("cancelled");
    const bytes = model.requests.map((request) => userOf(request).length);
    const again = liveModel(() => done, { probe: async () => ({ ...found, tokeniser: false }) });
    const second = openBox([tool], [], { store, model: again, budgets: plenty });
    await second.continue(run);
    // An operator who lets it go on has done something about it; a resume has not, and is covered by the fold.
    expect(bytes[2]).toBeLessThan((bytes[1] ?? 0) / 2);
    const kinds = (await second.events(run)).filter(({ kind }) => kind === "probed");
    expect(kinds).toHaveLength(1);
  });
});

describe("a tokeniser", () => {
  const tool = plainTool("look", () => ({ text: "word ".repeat(8_000) }));

  test("that does not answer costs no reply that has come", async () => {
    const clock = simulatedClock(0);
    const model = liveModel(
      (_request, call) => ({
        ok: true,
        text: call === 1 ? look(1) : done,
        finish: "stop",
        promptTokens: 300,
        completionTokens: 5,
      }),
      {
        probe: async () => found,
        countTokens: (_text, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(new Error("aborted")));
            setImmediate(() => setImmediate(() => clock.advance(2_000)));
          }),
      },
    );
    const outcome = await openBox([tool], [], { model, clock }).run("look");
    expect(outcome).toMatchObject({ ending: "answered", text: "done" });
  });

  test("that throws costs nothing either", async () => {
    const model = liveModel((_request, call) => (call === 1 ? look(1) : done), {
      probe: async () => found,
      countTokens: async () => {
        throw new Error("no tokeniser after all");
      },
    });
    expect((await openBox([tool], [], { model }).run("look")).ending).toBe("answered");
  });

  test("by whose count even the least that must be said fits: that is sent", async () => {
    // Digits are a token each, and eight bytes of anything else are one.
    const count = async (text: string) => {
      const digits = text.replace(/[^0-9]/g, "").length;
      return digits + Math.ceil((text.length - digits) / 8);
    };
    const digits = plainTool("look", () => ({ text: "7".repeat(30_000) }));
    const model = liveModel((_request, call) => (call === 1 ? look(1) : done), {
      probe: async () => found,
      countTokens: count,
    });
    const outcome = await openBox([digits], [], { model }).run(`look ${"word ".repeat(3_000)}`);
    expect(outcome.ending).toBe("answered");
    expect(await count(`${model.requests[1]?.system}${userOf(model.requests[1])}`)).toBeLessThanOrEqual(15_360);
  });
});

describe("a canary that nobody answers", () => {
  test("takes no more time than the run has", async () => {
    const clock = simulatedClock(0);
    const model = liveModel(() => done, {
      probe: () => {
        setImmediate(() => setImmediate(() => clock.advance(200)));
        return new Promise(() => {});
      },
    });
    const outcome = await openBox([], [], { model, clock, budgets: { wallMs: 200 } }).run("x");
    expect(outcome.ending).toBe("deadline");
  });

  test("is nobody's to wait for who has cancelled", async () => {
    const model = liveModel(() => done, { probe: () => new Promise(() => {}) });
    const box = openBox([], [], { model, budgets: { modelCallMs: 100_000 } });
    const cancel = new AbortController();
    const waiting = box.run("a", { signal: cancel.signal });
    setTimeout(() => cancel.abort(), 5);
    expect((await waiting).ending).toBe("cancelled");
  });
});

describe("at the start", () => {
  test("native tools that leave no room are refused", () => {
    const tools = Array.from({ length: 60 }, (_, i) =>
      plainTool(`tool_${i}`, () => null, { description: "d".repeat(900) }),
    );
    const model = liveModel(() => done, { mode: "tools" });
    expect(() => openBox(tools, [], { model })).toThrow(/window holds/);
  });

  test("[input-redaction] a tool that says a declared secret is refused", () => {
    const tool = plainTool("look", () => null, { description: "ask with sk-canary-1" });
    expect(() => openBox([tool], [], { redact: { values: ["sk-canary-1"] } })).toThrow(/declared secret/);
  });
});

describe("what a reply that is not used has cost", () => {
  test("is charged", async () => {
    const tool = plainTool("look", () => ({ text: "word ".repeat(8_000) }));
    const model = liveModel((_request, call) => ({
      ok: true,
      text: call === 1 ? look(1) : done,
      finish: "stop",
      promptTokens: call === 2 ? 50 : null,
      completionTokens: call === 2 ? 50_000 : 1,
    }));
    const box = openBox([tool], [], { model });
    const { run } = await box.run("look");
    const failed = (await box.events(run)).find((event) => event.kind === "model_failed");
    expect(failed).toMatchObject({ code: "prompt_truncated", usage: { completionTokens: 50_000 } });
  });
});

describe("what cannot be recorded does not happen", () => {
  test("a cap whose key is half of a character denies the effect, and the store can still be read", async () => {
    const effects: unknown[] = [];
    const pay = payTool(({ params }) => effects.push(params), {
      caps: [
        { name: "paid", limit: 10, window: "per_run", amount: () => 1, key: (params) => String(params.id).slice(0, 1) },
      ],
    });
    const box = openBox(
      [pay],
      [{ kind: "action", tool: "pay", params: { id: "😀a", amountMinor: 5 }, evidence: ["e1"] }],
    );
    const outcome = await box.run("pay", { customer: "customer:ada" });
    expect(outcome.ending).not.toBe("answered");
    expect(effects).toEqual([]);
    expect(await box.runs()).toHaveLength(1);
    expect((await box.verifyLedger()).ok).toBe(true);
  });

  test("what a config's owner changes after a decision does not change its row", async () => {
    const inner = { limit: 5 };
    const principals = { operator: { tools: "all" as const, attributes: Object.freeze({ inner }) } };
    const box = openBox([], [say("done")], { principals });
    const { run } = await box.run("x");
    inner.limit = 999;
    expect((await box.events(run))[0]).toMatchObject({ principal: { attributes: { inner: { limit: 5 } } } });
  });
});
