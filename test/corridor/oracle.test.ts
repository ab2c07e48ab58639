import { describe, expect, test } from "vitest";
import { tokensAtLeast } from "../../src/domain/tokens.ts";
import type { Model, ModelReply, ModelRequest, RunEvent, Signalbox } from "../../src/index.ts";
import { act, found, liveModel, openBox, plainTool, say } from "./box.ts";

/** What the corridor makes of a model's server: its window, its counts, its pieces of text, its several calls. */

const WINDOW_TOKENS = 16_384;

const look = (n: number): string => JSON.stringify(act("look", { n }));
const done = JSON.stringify(say("done"));
const bytesOf = ({ system, messages }: ModelRequest): number =>
  Buffer.byteLength(system) + messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
const textOf = ({ system, messages }: ModelRequest): string => `${system}\n${messages[0]?.content}\n`;
const plenty = { turns: 100, modelCalls: 100, steps: 100, tokens: 100_000_000 };

async function eventsOf<Kind extends RunEvent["kind"]>(box: Signalbox, run: string, kind: Kind) {
  const events = await box.events(run);
  return events.filter((event): event is Extract<RunEvent, { kind: Kind }> => event.kind === kind);
}

describe("prompts fit the window", () => {
  /** A tokeniser under which a byte and a half is a token: base64 and digits do that. */
  const dense = (text: string): number => Math.ceil(Buffer.byteLength(text) / 1.5);

  test.each([2_000, 42_000, 270_000])(
    "[loop-compression] results of %i bytes over 30 turns, by bytes",
    async (bytes) => {
      const tool = plainTool("look", () => ({ text: "x".repeat(bytes) }));
      const model = liveModel((_request, call) => (call > 30 ? done : look(call)));
      const box = openBox([tool], [], { model, budgets: plenty });
      const outcome = await box.run("look thirty times");
      expect(outcome).toMatchObject({ ending: "answered", steps: 30 });
      expect(Math.max(...model.requests.map(bytesOf))).toBeLessThanOrEqual((WINDOW_TOKENS - 1_024) * 3);
      const last = model.requests.at(-1)?.messages[0]?.content ?? "";
      expect(last).toContain("NEWEST RESULT, of look");
      // The newest result is cut last: what it leaves is for the lines of the others, and what has no place is named.
      const lines = last.match(/look gave/g)?.length ?? 0;
      expect(lines).toBe({ 2000: 30, 42000: 9, 270000: 1 }[bytes]);
      expect(last.includes(`${30 - lines} older action line(s)`)).toBe(lines < 30);
      expect((await box.replay(outcome.run)).differences).toEqual([]);
    },
  );

  test("[oracle-fits] where the server has a tokeniser, what does not fit by its count is built again until it does", async () => {
    const tool = plainTool("look", () => ({ text: "1234567890".repeat(4_200) }));
    const model = liveModel((_request, call) => (call > 5 ? done : look(call)), {
      probe: async () => found,
      countTokens: async (text) => dense(text),
    });
    const box = openBox([tool], [], { model, budgets: plenty });
    const outcome = await box.run("look");
    expect(outcome.ending).toBe("answered");
    const counts = model.requests.map((request) => dense(textOf(request)));
    expect(Math.max(...counts)).toBeLessThanOrEqual(WINDOW_TOKENS - 1_024);
    // And no smaller than it has to be.
    expect(counts.at(-1)).toBeGreaterThan((WINDOW_TOKENS - 1_024) * 0.9);
    const [, second] = await eventsOf(box, outcome.run, "replied");
    expect(second?.prompt.cut.join()).toContain("the end of the newest result");
    expect(second?.usage).toMatchObject({ promptTokens: counts[1], estimated: true });
    expect((await box.replay(outcome.run)).differences).toEqual([]);
  });

  test("a tokeniser whose count no text can have is not believed", async () => {
    let asked = 0;
    const tool = plainTool("look", () => ({ text: "x".repeat(42_000) }));
    const model = liveModel((_request, call) => (call > 1 ? done : look(call)), {
      probe: async () => found,
      countTokens: async () => {
        asked += 1;
        return 10_000_000;
      },
    });
    const outcome = await openBox([tool], [], { model }).run("look");
    expect(outcome.ending).toBe("answered");
    expect(asked).toBe(1);
    expect(bytesOf(model.requests[1] as ModelRequest)).toBeGreaterThan(42_000);
  });

  test("a canary that nothing can be told from is recorded as that, and asked once", async () => {
    let asked = 0;
    const probe: Model["probe"] = async () => {
      asked += 1;
      return { ...found, schema: "unclear", tools: "unclear", tokeniser: false };
    };
    const box = openBox([plainTool("look", () => ({}))], [], { model: liveModel(() => done, { probe }) });
    const outcome = await box.run("look");
    await box.run("look again");
    expect(asked).toBe(1);
    expect(await eventsOf(box, outcome.run, "probed")).toMatchObject([{ schema: "unclear", tools: "unclear" }]);
  });

  test("a server whose own window is smaller is asked with prompts that fit that one", async () => {
    const tool = plainTool("look", () => ({ text: "x".repeat(42_000) }));
    const model = liveModel((_request, call) => (call > 3 ? done : look(call)), {
      probe: async () => ({ ...found, tokeniser: false, windowTokens: 4_096 }),
    });
    const box = openBox([tool], [], { model });
    const outcome = await box.run("look");
    expect(outcome.ending).toBe("answered");
    expect(Math.max(...model.requests.map(bytesOf))).toBeLessThanOrEqual((4_096 - 1_024) * 3);
    expect(await eventsOf(box, outcome.run, "probed")).toMatchObject([{ schema: "honoured", windowTokens: 4_096 }]);
    expect((await box.replay(outcome.run)).differences).toEqual([]);
  });
});

describe("a prompt that is too long for the server", () => {
  const overflow: ModelReply = { ok: false, code: "context_overflow", detail: "exceeds the available context size" };
  const tool = plainTool("look", () => ({ text: "word ".repeat(8_000) }));

  test("[oracle-fits] is made strictly smaller, once", async () => {
    const model = liveModel((_request, call) => (call === 1 ? look(1) : call === 2 ? overflow : done));
    const box = openBox([tool], [], { model });
    const outcome = await box.run("look");
    expect(outcome.ending).toBe("answered");
    const [, before, after] = model.requests.map(bytesOf);
    expect(after).toBeLessThanOrEqual((before ?? 0) / 2);
    expect((await box.replay(outcome.run)).differences).toEqual([]);
  });

  test("and again too long ends the run, which says what to do", async () => {
    const model = liveModel((_request, call) => (call === 1 ? look(1) : overflow));
    const outcome = await openBox([tool], [], { model }).run("look");
    expect(outcome).toMatchObject({ ending: "model_unreachable", exitCode: 5 });
    expect(outcome.lastResult?.tool).toBe("look");
    expect(model.requests).toHaveLength(3);
  });

  test("is not sent again as it was where there is nothing to leave out", async () => {
    const model = liveModel(() => overflow);
    const outcome = await openBox([tool], [], { model }).run("look");
    expect(outcome).toMatchObject({ ending: "model_unreachable", detail: expect.stringContaining("larger window") });
    expect(model.requests).toHaveLength(1);
  });
});

describe("a server that drops the front of the prompt in silence", () => {
  const tool = plainTool("look", () => ({ text: "word ".repeat(8_000) }));
  /** Ollama with its default window: it counts what it kept. */
  const keeps = (tokens: number) => (request: ModelRequest, call: number) => {
    const text = call === 1 ? look(1) : done;
    const honest = Math.ceil(tokensAtLeast(textOf(request)) * 1.4);
    return { ok: true as const, text, finish: "stop", promptTokens: Math.min(tokens, honest), completionTokens: 9 };
  };

  test("[oracle-truncation] is found out by its own count: nothing of the reply is used, and a smaller prompt is sent", async () => {
    const model = liveModel(keeps(4_096));
    const box = openBox([tool], [], { model });
    const outcome = await box.run("look");
    expect(outcome.ending).toBe("answered");
    const [failed] = await eventsOf(box, outcome.run, "model_failed");
    expect(failed).toMatchObject({ code: "prompt_truncated", fits: 4_096 });
    expect(failed?.detail).toContain("num_ctx");
    const [, before, after] = model.requests.map(bytesOf);
    expect(after).toBeLessThan((before ?? 0) / 2);
    const replies = await eventsOf(box, outcome.run, "replied");
    expect(replies.map(({ truncated }) => truncated)).toEqual([false, false]);
    expect(replies.at(-1)?.usage.estimated).toBe(false);
  });

  test("[oracle-truncation] where it goes on counting so, each row says it, and the run goes on", async () => {
    const model = liveModel(keeps(10));
    const box = openBox([tool], [], { model });
    const outcome = await box.run("look");
    expect(outcome.ending).toBe("answered");
    const replies = await eventsOf(box, outcome.run, "replied");
    expect(replies.map(({ truncated }) => truncated)).toEqual([true, true]);
    expect(replies.every(({ usage }) => usage.estimated && usage.promptTokens > 100)).toBe(true);
    expect(await eventsOf(box, outcome.run, "model_failed")).toHaveLength(1);
  });

  test("where it has a tokeniser, that one is asked", async () => {
    const count = async (text: string) => Math.ceil(Buffer.byteLength(text) / 4);
    const model = liveModel(
      (request, call) => {
        const honest = Math.ceil(bytesOf(request) / 4);
        const promptTokens = Math.min(honest, 8_000);
        return { ok: true, text: call === 1 ? look(1) : done, finish: "stop", promptTokens, completionTokens: 9 };
      },
      { probe: async () => found, countTokens: count },
    );
    const box = openBox([tool], [], { model });
    const outcome = await box.run("look");
    expect(await eventsOf(box, outcome.run, "model_failed")).toMatchObject([{ code: "prompt_truncated", fits: 8_000 }]);
  });
});

describe("several calls in one reply", () => {
  const calling = (...names: readonly string[]): ModelReply => ({
    ok: true,
    text: "",
    calls: names.map((name) => ({ name, args: "{}" })),
    finish: "tool_calls",
    promptTokens: null,
    completionTokens: null,
  });
  const tools = ["a", "b"].map((name) => plainTool(name, () => ({ name })));

  test("[oracle-one-action] the first is run, and the model is told of the others", async () => {
    const replies = [calling("a", "b"), done];
    const model = liveModel((_request, call) => replies[call - 1] ?? done, { mode: "tools" });
    const box = openBox(tools, [], { model });
    const outcome = await box.run("both");
    expect((await eventsOf(box, outcome.run, "started")).map(({ tool }) => tool)).toEqual(["a"]);
    expect(await eventsOf(box, outcome.run, "replied")).toMatchObject([{ notRun: ["b"] }, {}]);
    expect(model.requests[1]?.messages[0]?.content).toContain("not run, since a turn takes one action: b");
    expect((await box.replay(outcome.run)).differences).toEqual([]);
  });

  test("[loop-repetition] the same set in another order is the same", async () => {
    const replies = [calling("a", "b"), calling("b", "a"), calling("a", "b"), calling("a", "b")];
    const model = liveModel((_request, call) => replies[call - 1] ?? done, { mode: "tools" });
    const outcome = await openBox(tools, [], { model }).run("both");
    expect(outcome).toMatchObject({ ending: "repetition", turns: 3, steps: 2 });
  });
});

describe("text while it arrives", () => {
  const streaming = (pieces: readonly (string | null)[]): Model =>
    liveModel(() => "", {
      complete: async ({ onDelta }) => {
        for (const piece of pieces) onDelta?.(piece);
        const text = pieces.slice(pieces.lastIndexOf(null) + 1).join("");
        return { ok: true, text, finish: "stop", promptTokens: null, completionTokens: null };
      },
    });

  async function heard(model: Model, more = {}) {
    const pieces: string[] = [];
    const box = openBox([], [], { model, ...more });
    const outcome = await box.run("x", {
      onText: (piece) => pieces.push(piece.kind === "text" ? piece.text : "(discarded)"),
    });
    return { pieces, outcome };
  }

  test("[oracle-draft] a conversation is heard as it comes, and is what was answered", async () => {
    const { pieces, outcome } = await heard(streaming(['{"kind":"conversation",', '"text":"Hel', "lo", ' you"}']));
    expect(pieces.join("")).toBe("Hello you");
    expect(pieces.length).toBeGreaterThan(1);
    expect(outcome.text).toBe("Hello you");
  });

  test("what was voided is discarded, and what comes then is heard", async () => {
    const again = '{"kind":"conversation","text":"B"}';
    const { pieces } = await heard(streaming(['{"kind":"conversation","text":"A', null, again]));
    expect(pieces).toEqual(["A", "(discarded)", "B"]);
  });

  test("[oracle-draft] a declared secret is not heard, however it is cut", async () => {
    const said = '{"kind":"conversation","text":"the key is sk-canary-1 ok"}';
    const { pieces, outcome } = await heard(streaming([...said]), { redact: { values: ["sk-canary-1"] } });
    expect(pieces.join("")).toBe("the key is [redacted] ok");
    expect(outcome.text).toBe("the key is [redacted] ok");
  });

  test("a draft that cannot be read in the end is discarded", async () => {
    const cut = ['{"kind":"conversation","text":"half'];
    const { pieces, outcome } = await heard(streaming(cut));
    expect(outcome.ending).toBe("malformed");
    expect(pieces.slice(0, 2)).toEqual(["half", "(discarded)"]);
  });

  test("a listener that throws hears nothing more, and the outcome says so", async () => {
    const box = openBox([], [], { model: streaming(['{"kind":"conversation","text":"Hi', ' you"}']) });
    const outcome = await box.run("x", {
      onText: () => {
        throw new Error("broken pipe");
      },
    });
    expect(outcome).toMatchObject({ ending: "answered", text: "Hi you" });
    expect(outcome.detail).toContain("broken pipe");
  });
});

describe("what the server could not read", () => {
  test("counts as a malformed reply of the model, not as a failure of the server", async () => {
    const broken: ModelReply = { ok: false, code: "unreadable_call", detail: "error parsing tool call: raw='{'" };
    const model = liveModel((_request, call) => (call === 1 ? broken : done));
    const box = openBox([], [], { model });
    const outcome = await box.run("x");
    expect(outcome.ending).toBe("answered");
    expect(await eventsOf(box, outcome.run, "replied")).toMatchObject([{ why: { code: "unreadable_call" } }, {}]);
    expect(model.requests[1]?.messages[0]?.content).toContain("Your last reply could not be used");
    expect((await box.replay(outcome.run)).differences).toEqual([]);
  });
});
