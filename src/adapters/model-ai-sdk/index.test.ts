import { getEventListeners } from "node:events";
import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import type { ModelReply, ModelRequest } from "../../ports/model.ts";
import type { Clock } from "../../ports/world.ts";
import { type AiSdkLanguageModel, AiSdkModelError, type AiSdkOptions, aiSdkModel } from "./index.ts";

/** What a language model is asked, as these tests look at it. */
type Asked = { readonly [key: string]: unknown };
type Outcome = object | (() => unknown);

/** A language model of plain objects that gives one outcome after the other, and keeps what it was asked. */
function plainModel(outcomes: readonly Outcome[], version = "v3") {
  const asked: Asked[] = [];
  const next = async (options: object): Promise<unknown> => {
    asked.push({ ...options });
    const outcome = outcomes[asked.length - 1];
    if (outcome === undefined) throw new Error("asked once too often");
    return typeof outcome === "function" ? outcome() : outcome;
  };
  return {
    asked,
    specificationVersion: version,
    provider: "plain.chat",
    modelId: "plain-1",
    doGenerate: next,
    doStream: next,
  };
}

/** A clock that never lets anybody wait, and keeps how long they wanted to. */
function hurriedClock(): Clock & { readonly waits: number[] } {
  const waits: number[] = [];
  const sleep = async (ms: number): Promise<void> => {
    waits.push(ms);
  };
  return { waits, now: () => Date.parse("2026-03-01T12:00:00Z"), sleep };
}

const tool = { name: "refund", description: "refunds", parameters: { type: "object", properties: {} } };

function requestWith(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: "s",
    messages: [
      { role: "user", content: "u" },
      { role: "assistant", content: "a" },
    ],
    mode: "flat",
    schema: { type: "object" },
    schemaStrict: null,
    tools: [],
    outputTokensMax: 7,
    signal: new AbortController().signal,
    ...more,
  };
}

function ask(
  model: AiSdkLanguageModel,
  more: Partial<ModelRequest> = {},
  options: AiSdkOptions = {},
): Promise<ModelReply> {
  return aiSdkModel(model, { clock: hurriedClock(), chance: () => 0, ...options }).complete(requestWith(more));
}

const text = (said: string): object => ({ type: "text", text: said });
const usageV3 = { inputTokens: { total: 11, noCache: 11 }, outputTokens: { total: 5, text: 5 } };
const whole = (content: readonly unknown[], more: object = {}): object => ({
  content,
  finishReason: { unified: "stop", raw: "stop" },
  usage: usageV3,
  warnings: [],
  ...more,
});
const call = (input: unknown, more: object = {}): object => ({
  type: "tool-call",
  toolCallId: "c",
  toolName: "refund",
  input,
  ...more,
});

/** An error as the SDK throws it: known by its fields. */
const apiError =
  (fields: object): Outcome =>
  () => {
    throw Object.assign(new Error("the provider's words"), { name: "AI_APICallError" }, fields);
  };

/** A stream of these parts; an Error among them breaks it. */
function streamOf(parts: readonly unknown[]): { stream: ReadableStream<unknown>; cancelled: () => boolean } {
  let at = 0;
  let cancelled = false;
  const stream = new ReadableStream<unknown>({
    pull(controller) {
      const part = parts[at++];
      if (part instanceof Error) controller.error(part);
      else if (at > parts.length) controller.close();
      else controller.enqueue(part);
    },
    cancel() {
      cancelled = true;
    },
  });
  return { stream, cancelled: () => cancelled };
}

const delta = (said: string): object => ({ type: "text-delta", id: "1", delta: said });
const finish = { type: "finish", finishReason: { unified: "stop" }, usage: usageV3 };

describe("the three versions of the specification", () => {
  test("the types of all three are taken as they are", () => {
    const taken = (v2: LanguageModelV2, v3: LanguageModelV3, v4: LanguageModelV4): readonly AiSdkLanguageModel[] => [
      v2,
      v3,
      v4,
    ];
    expect(taken).toBeTypeOf("function");
  });

  test.each([
    [
      "v2",
      {
        content: [text("a"), { type: "reasoning", text: "x" }, text("b")],
        finishReason: "length",
        usage: { inputTokens: 11, outputTokens: 5 },
      },
      "length",
    ],
    [
      "v3",
      whole([text("a"), text("b")], { finishReason: { unified: "content-filter", raw: "safety" } }),
      "content_filter",
    ],
    [
      "v4",
      whole([text("a"), { type: "source" }, { type: "custom" }, text("b")], {
        finishReason: { unified: "tool-calls" },
      }),
      "stop",
    ],
  ])("%s is read", async (version, answer, word) => {
    const model = plainModel([answer], version);
    expect(await ask(model)).toEqual({
      ok: true,
      text: "ab",
      calls: [],
      finish: word,
      promptTokens: 11,
      completionTokens: 5,
      sentAs: "params_text",
      attempts: 1,
    });
    expect(model.asked).toEqual([
      {
        prompt: [
          { role: "system", content: "s" },
          { role: "user", content: [{ type: "text", text: "u" }] },
          { role: "assistant", content: [{ type: "text", text: "a" }] },
        ],
        maxOutputTokens: 7,
        temperature: 0,
        abortSignal: expect.any(AbortSignal),
        responseFormat: { type: "json", name: "reply", schema: { type: "object" } },
      },
    ]);
  });

  test("the strict schema is sent where there is one; no temperature where none is wanted", async () => {
    const model = plainModel([whole([text("a")])]);
    const reply = await ask(model, { schemaStrict: { strict: true } }, { temperature: null });
    expect(reply).toMatchObject({ sentAs: "params_object" });
    expect(model.asked[0]).toMatchObject({ responseFormat: { schema: { strict: true } } });
    expect(model.asked[0]).not.toHaveProperty("temperature");
  });

  test("a seed is sent where one is wanted; what shapes the replies is said", async () => {
    const model = plainModel([whole([text("a")]), whole([text("b")])]);
    await ask(model, { seed: 7 });
    await ask(model, {});
    expect(model.asked.map((asked) => (asked as { readonly seed?: number }).seed)).toEqual([7, undefined]);
    expect(aiSdkModel(model, { temperature: null, name: "other" }).settings).toEqual({
      temperature: null,
      seeded: true,
      model: model.modelId,
    });
  });

  test("in mode tools the tools are sent and no schema", async () => {
    const model = plainModel([whole([text("so"), call('{"id":"1"}'), call({ b: 1, a: [null] })])]);
    expect(await ask(model, { mode: "tools", tools: [tool] })).toMatchObject({
      text: "so",
      calls: [
        { name: "refund", args: '{"id":"1"}' },
        { name: "refund", args: '{"a":[null],"b":1}' },
      ],
      sentAs: "tools",
    });
    expect(model.asked[0]).toMatchObject({
      tools: [{ type: "function", name: "refund", description: "refunds", inputSchema: tool.parameters }],
      toolChoice: { type: "auto" },
    });
    expect(model.asked[0]).not.toHaveProperty("responseFormat");
  });

  test("without tools, mode tools sends neither a list nor a choice", async () => {
    const model = plainModel([whole([text("so")])]);
    expect(await ask(model, { mode: "tools" })).toMatchObject({ sentAs: "no_schema" });
    expect(model.asked[0]).not.toHaveProperty("tools");
    expect(model.asked[0]).not.toHaveProperty("toolChoice");
  });

  test.each([
    ["flat", { type: "unsupported", feature: "responseFormat" }, "no_schema"],
    ["flat", { type: "unsupported-setting", setting: "responseFormat" }, "no_schema"],
    ["flat", { type: "unsupported", feature: "topK" }, "params_text"],
    ["flat", { type: "other", message: "responseFormat" }, "params_text"],
    ["tools", { type: "unsupported", feature: "tools" }, "no_schema"],
    ["tools", { type: "unsupported-tool", tool: {} }, "no_schema"],
    ["tools", { type: "unsupported", feature: "responseFormat" }, "tools"],
  ] as const)("in mode %s a warning %j means %s", async (mode, warning, sentAs) => {
    const model = plainModel([whole([text("a")], { warnings: [null, warning] })]);
    expect(await ask(model, { mode, tools: [tool] })).toMatchObject({ sentAs });
    const streamed = plainModel([streamOf([{ type: "stream-start", warnings: [warning] }, delta("a"), finish])]);
    expect(await ask(streamed, { mode, tools: [tool], onDelta: () => {} })).toMatchObject({ sentAs });
  });

  test("the text that V4 says is meant is taken, also an empty one, and only in mode flat", async () => {
    const answer = whole([text("draft"), text("final")], { structuredOutputText: "final" });
    expect(await ask(plainModel([answer]))).toMatchObject({ text: "final" });
    expect(await ask(plainModel([answer]), { mode: "tools", tools: [tool] })).toMatchObject({ text: "draftfinal" });
    const empty = whole([text("draft")], { structuredOutputText: "" });
    expect(await ask(plainModel([empty]))).toMatchObject({ text: "" });
  });
});

describe("what cannot be trusted in an answer", () => {
  test.each([
    ["no answer", undefined, "bad_answer"],
    ["no content", {}, "bad_answer"],
    ["content that is no list", whole([], { content: "text" }), "bad_answer"],
    ["a text that is none", whole([{ type: "text", text: 1 }]), "bad_answer"],
    ["a call without a name", whole([call("{}", { toolName: null })]), "bad_answer"],
    ["arguments that JSON has no word for", whole([call({ f: () => 1 })]), "unreadable_call"],
    ["arguments with a prototype's name", whole([call(JSON.parse('{"__proto__":1}'))]), "unreadable_call"],
    ["more calls than anybody makes", whole(Array(257).fill(call("{}"))), "bad_answer"],
    ["a text beyond the bound", whole([text("x".repeat(4 * 1024 * 1024 + 1))]), "bad_answer"],
    ["arguments beyond the bound", whole([call("x".repeat(4 * 1024 * 1024))]), "bad_answer"],
    ["a call that the provider ran", whole([call("{}", { providerExecuted: true })]), "provider_executed"],
    ["the result of one", whole([text("a"), { type: "tool-result", toolName: "web" }]), "provider_executed"],
    ["one that waits for an approval", whole([{ type: "tool-approval-request" }]), "provider_executed"],
  ])("%s", async (_what, answer, code) => {
    const model = plainModel([() => answer]);
    expect(await ask(model, { mode: "tools", tools: [tool] })).toMatchObject({ ok: false, code });
    expect(model.asked).toHaveLength(1);
  });

  test("a meant text beyond the bound", async () => {
    const long = whole([], { structuredOutputText: "x".repeat(4 * 1024 * 1024 + 1) });
    expect(await ask(plainModel([long]))).toMatchObject({ ok: false, code: "bad_answer" });
  });

  test("at the bounds it is read", async () => {
    const long = "x".repeat(4 * 1024 * 1024);
    expect(await ask(plainModel([whole([text(long)])]))).toMatchObject({ ok: true, text: long });
    const many = plainModel([whole(Array(256).fill(call("{}")))]);
    expect(await ask(many, { mode: "tools", tools: [tool] })).toMatchObject({ ok: true });
  });

  test.each([
    [
      "none",
      { finishReason: undefined, usage: undefined },
      { finish: "none", promptTokens: null, completionTokens: null },
    ],
    [
      "of a wrong kind",
      { finishReason: 3, usage: { inputTokens: "11", outputTokens: { total: Number.NaN } } },
      { finish: "none", promptTokens: null, completionTokens: null },
    ],
    ["an unknown word", { finishReason: "bored" }, { finish: "none" }],
    ["an error", { finishReason: { unified: "error" } }, { finish: "none" }],
  ])("finish and usage: %s", async (_what, more, expected) => {
    expect(await ask(plainModel([whole([text("a")], more)]))).toMatchObject({ ok: true, text: "a", ...expected });
  });

  test("arguments that are missing are empty and never {}", async () => {
    const model = plainModel([whole([call(undefined)])]);
    expect(await ask(model, { mode: "tools", tools: [tool] })).toMatchObject({ calls: [{ name: "refund", args: "" }] });
  });

  test("a getter that throws tells nothing", async () => {
    const trap = Object.defineProperty({}, "content", {
      get: () => {
        throw new Error("no");
      },
    });
    expect(await ask(plainModel([trap]))).toMatchObject({ ok: false, code: "bad_answer" });
  });
});

describe("errors", () => {
  test.each([
    ["HTTP 401", { statusCode: 401, isRetryable: false, responseBody: "who?" }, "http_error", "HTTP 401: who?"],
    ["no body", { statusCode: 404, responseBody: "" }, "http_error", "HTTP 404: the provider's words"],
    [
      "an overflow in the body",
      { statusCode: 400, responseBody: "prompt is too long" },
      "context_overflow",
      "HTTP 400: prompt is too long",
    ],
    [
      "an overflow in the message",
      { statusCode: 500, isRetryable: true, message: "context size exceeded" },
      "context_overflow",
      "HTTP 500: context size exceeded",
    ],
    [
      "a call that the server could not read",
      { statusCode: 500, isRetryable: true, responseBody: "error parsing tool call: x" },
      "unreadable_call",
      "the server could not read its model's reply: error parsing tool call: x",
    ],
    [
      "HTML with 200",
      { statusCode: 200, responseBody: "<html>", message: "Invalid JSON response" },
      "bad_answer",
      "HTTP 200: Invalid JSON response",
    ],
    ["an answer that has no shape", { name: "AI_TypeValidationError" }, "bad_answer", "the provider's words"],
    ["a key that is missing", { name: "AI_LoadAPIKeyError" }, "unreachable", "the provider's words"],
    ["a status that is none", { statusCode: "400", responseBody: "x" }, "unreachable", "x"],
    [
      "a password in an address",
      { message: "cannot reach http://ada:secret@127.0.0.1:1/v1" },
      "unreachable",
      "cannot reach http://[redacted]@127.0.0.1:1/v1",
    ],
  ])("%s", async (_what, fields, code, detail) => {
    const model = plainModel([apiError(fields)]);
    expect(await ask(model)).toEqual({ ok: false, code, detail });
    expect(model.asked).toHaveLength(1);
  });

  test.each([["a text"], [null], [undefined], [{}], [Object.create(null)]])(
    "whatever is thrown: %j",
    async (thrown) => {
      const throwing = (): never => {
        throw thrown;
      };
      expect(await ask(plainModel([throwing]))).toMatchObject({ ok: false, code: "unreachable" });
      expect(await ask(plainModel([throwing]), { onDelta: () => {} })).toMatchObject({
        ok: false,
        code: "unreachable",
      });
    },
  );

  test("a long detail is cut between words, so that no half of a key is left in it", async () => {
    const key = `sk-${"k".repeat(40)}`;
    const error = (before: number): Outcome =>
      apiError({ statusCode: 401, responseBody: `${"x ".repeat(before)}${key} ${"y ".repeat(2_000)}` });
    for (let before = 110; before < 150; before++) {
      const reply = await ask(plainModel([error(before)]));
      const { detail } = reply.ok ? { detail: "" } : reply;
      expect(detail.length).toBeLessThanOrEqual(301);
      expect(detail.replace(key, "")).not.toContain("sk-");
    }
    const endless = await ask(plainModel([apiError({ statusCode: 401, responseBody: "k".repeat(10_000) })]));
    expect(endless).toMatchObject({ detail: "HTTP 401: …" });
  });
});

describe("retries", () => {
  test("an answer that tears after its status is tried again", async () => {
    const torn = apiError({ statusCode: 200, isRetryable: true });
    const model = plainModel([torn, whole([text("a")])]);
    expect(await ask(model)).toMatchObject({ ok: true, attempts: 2 });
    expect(await ask(plainModel([torn]), {}, { retries: 0 })).toMatchObject({ ok: false, code: "unreachable" });
  });

  const busy = (headers: object = {}): Outcome =>
    apiError({ statusCode: 429, isRetryable: true, responseBody: "busy", responseHeaders: headers });

  test("what the provider calls retryable is tried again, twice, with pauses that grow", async () => {
    const clock = hurriedClock();
    const model = plainModel([busy(), busy(), whole([text("a")])]);
    expect(await ask(model, {}, { clock, chance: () => 0.5 })).toMatchObject({ ok: true, text: "a", attempts: 3 });
    expect(clock.waits).toEqual([125, 250]);
    const late = hurriedClock();
    const never = plainModel([busy(), busy(), busy()]);
    expect(await ask(never, {}, { clock: late, chance: () => 1 })).toMatchObject({ ok: false, code: "http_error" });
    expect(late.waits).toEqual([250, 500]);
  });

  test("and as often as is wanted, but by itself never more than eight seconds apart", async () => {
    expect((await ask(plainModel([busy()]), {}, { retries: 0 })).ok).toBe(false);
    const clock = hurriedClock();
    await ask(plainModel(Array(11).fill(busy())), {}, { clock, retries: 10, chance: () => 1 });
    expect(clock.waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000, 8_000]);
  });

  test.each([
    [{ "retry-after": "2" }, 2_000],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "Sun, 01 Mar 2026 12:00:09 GMT" }, 9_000],
    [{ "retry-after": "Sun, 01 Mar 2026 11:00:00 GMT" }, 0],
    [{ "retry-after-ms": "1500", "retry-after": "20" }, 1_500],
    [{ "retry-after": "30" }, 30_000],
    [{ "retry-after": "soon" }, 0],
    [{ "retry-after": "2026" }, null],
    [{ "retry-after-ms": "30001" }, null],
    [{ "retry-after": -1 }, 0],
  ])("a server that says %j is asked after %s ms", async (headers, wait) => {
    const clock = hurriedClock();
    const reply = await ask(plainModel([busy(headers), whole([text("a")])]), {}, { clock });
    expect(clock.waits).toEqual(wait === null ? [] : [wait]);
    expect(reply).toMatchObject(wait === null ? { ok: false, code: "http_error" } : { ok: true, attempts: 2 });
  });

  test("a chance that is none leaves the pause within its bounds", async () => {
    const clock = hurriedClock();
    await ask(plainModel([busy(), whole([])]), {}, { clock, chance: () => 99 });
    await ask(plainModel([busy(), whole([])]), {}, { clock, chance: () => -99 });
    expect(clock.waits).toEqual([250, 0]);
  });
});

describe("abort", () => {
  test("an aborted call asks nobody", async () => {
    const model = plainModel([whole([text("a")])]);
    expect(await ask(model, { signal: AbortSignal.abort() })).toMatchObject({ ok: false, code: "aborted" });
    expect(model.asked).toEqual([]);
  });

  test.each([false, true])("a provider that never heeds its signal is left, streaming %s", async (streaming) => {
    const controller = new AbortController();
    const model = plainModel([() => new Promise(() => setImmediate(() => controller.abort()))]);
    const more = { signal: controller.signal, ...(streaming ? { onDelta: () => {} } : {}) };
    expect(await ask(model, more)).toMatchObject({ ok: false, code: "aborted" });
  });

  test("in the middle of a stream, which is let go", async () => {
    const controller = new AbortController();
    let cancelled = false;
    const stream = new ReadableStream<unknown>({
      start: (parts) => parts.enqueue(delta("a")),
      cancel: () => {
        cancelled = true;
      },
    });
    const onDelta = (): void => {
      setImmediate(() => controller.abort());
    };
    const reply = await ask(plainModel([{ stream }]), { signal: controller.signal, onDelta });
    expect(reply).toMatchObject({ ok: false, code: "aborted" });
    expect(cancelled).toBe(true);
  });

  test("a call that is over leaves nothing on its signal", async () => {
    const { signal } = new AbortController();
    await ask(plainModel([whole([text("a")])]), { signal });
    await ask(plainModel([streamOf([delta("a"), finish])]), { signal, onDelta: () => {} });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("during the pause before another attempt", async () => {
    const controller = new AbortController();
    const model = plainModel([apiError({ statusCode: 503, isRetryable: true }), whole([text("a")])]);
    const clock = { now: () => 0, sleep: async () => controller.abort() };
    expect(await ask(model, { signal: controller.signal }, { clock })).toMatchObject({ ok: false, code: "aborted" });
    expect(model.asked).toHaveLength(1);
  });

  test("an error that an abort caused is an abort", async () => {
    const controller = new AbortController();
    const model = plainModel([
      () => {
        controller.abort();
        throw Object.assign(new Error("reset"), { isRetryable: true });
      },
    ]);
    expect(await ask(model, { signal: controller.signal })).toMatchObject({ ok: false, code: "aborted" });
  });
});

describe("streaming", () => {
  test("text is heard as it arrives, tool calls when they are whole, reasoning never", async () => {
    const parts = [
      { type: "stream-start", warnings: [] },
      { type: "response-metadata", id: "x" },
      { type: "reasoning-delta", id: "0", delta: "hm" },
      { type: "text-start", id: "1" },
      delta("a"),
      delta(""),
      delta("b"),
      { type: "tool-input-start", id: "c", toolName: "refund" },
      { type: "tool-input-delta", id: "c", delta: "{" },
      call("{}"),
      { type: "ping" },
      { ...finish, finishReason: "tool-calls", usage: { inputTokens: 1, outputTokens: 2 } },
    ];
    const heard: (string | null)[] = [];
    const onDelta = (said: string | null): void => void heard.push(said);
    expect(await ask(plainModel([streamOf(parts)]), { mode: "tools", tools: [tool], onDelta })).toEqual({
      ok: true,
      text: "ab",
      calls: [{ name: "refund", args: "{}" }],
      finish: "stop",
      promptTokens: 1,
      completionTokens: 2,
      sentAs: "tools",
      attempts: 1,
    });
    expect(heard).toEqual(["a", "b"]);
  });

  test.each([
    ["that breaks off", [delta("a")], "unreachable"],
    ["that is torn", [delta("a"), new TypeError("terminated")], "unreachable"],
    ["that was interrupted", [delta("a"), { ...finish, finishReason: { unified: "interrupted" } }], "unreachable"],
    [
      "that the SDK calls unfinished",
      [
        delta("a"),
        {
          type: "error",
          error: { name: "AI_InvalidResponseDataError", message: "Response stream ended without a finish reason." },
        },
      ],
      "unreachable",
    ],
    [
      "with the server's own error",
      [delta("a"), { type: "error", error: { message: "the engine died" } }],
      "http_error",
    ],
    [
      "with a retryable error",
      [delta("a"), { type: "error", error: { statusCode: 503, isRetryable: true } }],
      "http_error",
    ],
  ])("a stream %s is asked for again, and what was heard is void", async (_what, parts, code) => {
    const heard: (string | null)[] = [];
    const onDelta = (said: string | null): void => void heard.push(said);
    const model = plainModel([streamOf(parts), streamOf([delta("b"), finish])]);
    expect(await ask(model, { onDelta })).toMatchObject({ ok: true, text: "b", attempts: 2 });
    expect(heard).toEqual(["a", null, "b"]);
    const never = plainModel([1, 2, 3].map(() => () => streamOf(parts)));
    expect(await ask(never, { onDelta: () => {} })).toMatchObject({ ok: false, code });
    expect(never.asked).toHaveLength(3);
  });

  test("nothing is void where nothing was heard", async () => {
    const heard: (string | null)[] = [];
    const onDelta = (said: string | null): void => void heard.push(said);
    await ask(plainModel([streamOf([]), streamOf([delta("b"), finish])]), { onDelta });
    expect(heard).toEqual(["b"]);
  });

  test.each([
    ["no stream", {}, "bad_answer"],
    ["a reader that cannot read", { stream: { getReader: () => ({}) } }, "unreachable"],
    ["a garbled part", streamOf([{ type: "error", error: { name: "AI_TypeValidationError" } }]), "bad_answer"],
    ["an overflow", streamOf([{ type: "error", error: "maximum context length is 5" }]), "context_overflow"],
    ["a text that is none", streamOf([{ type: "text-delta", delta: null }]), "bad_answer"],
    ["a call that the provider ran", streamOf([call("{}", { providerExecuted: true }), finish]), "provider_executed"],
    [
      "one that it begins to run",
      streamOf([{ type: "tool-input-start", providerExecuted: true }]),
      "provider_executed",
    ],
  ])("%s", async (_what, outcome, code) => {
    const model = plainModel([outcome]);
    expect(await ask(model, { onDelta: () => {} }, { retries: 0 })).toMatchObject({ ok: false, code });
  });

  test("a stream without end is cut off and let go, and its text is bounded", async () => {
    const endless = (part: object) => {
      let cancelled = false;
      const reader = {
        read: async () => ({ done: false, value: part }),
        cancel: () => {
          cancelled = true;
        },
      };
      return { stream: { getReader: () => reader }, cancelled: () => cancelled };
    };
    for (const part of [{ type: "ping" }, delta("x".repeat(100_000))]) {
      const stream = endless(part);
      expect(await ask(plainModel([stream]), { onDelta: () => {} })).toMatchObject({ ok: false, code: "bad_answer" });
      expect(stream.cancelled()).toBe(true);
    }
  });
});

describe("what the door takes", () => {
  test("a model has the name, the place and the price that it is given", () => {
    const price = { promptMicro: 1, completionMicro: 2 };
    expect(aiSdkModel(plainModel([]))).toMatchObject({
      name: "plain-1",
      kind: "live",
      where: "plain.chat, through the AI SDK",
    });
    expect(aiSdkModel(plainModel([]), { name: "mine", mode: "tools", price })).toMatchObject({
      name: "mine",
      mode: "tools",
      price,
    });
  });

  test.each([
    ["some/model", /is a model's name/],
    [undefined, /no language model/],
    [{ ...plainModel([]), specificationVersion: "v1" }, /"v1" cannot be used/],
    [{ ...plainModel([]), doGenerate: 1 }, /doGenerate/],
    [{ ...plainModel([]), doStream: undefined }, /doStream/],
    [{ ...plainModel([]), modelId: "" }, /modelId/],
    [{ ...plainModel([]), provider: null }, /provider/],
  ])("%j is no language model", (model, why) => {
    const made = (): unknown => Reflect.apply(aiSdkModel, undefined, [model]);
    expect(made).toThrow(AiSdkModelError);
    expect(made).toThrow(why);
    expect(made).toThrow(expect.objectContaining({ code: "bad_model" }));
  });

  test.each([
    [{ nmae: "x" }, /unknown option "nmae"/],
    [{ name: " " }, /name/],
    [{ name: "x".repeat(201) }, /name/],
    [{ mode: "json" }, /mode/],
    [{ retries: 11 }, /retries/],
    [{ retries: 0.5 }, /retries/],
    [{ retries: -1 }, /retries/],
    [{ temperature: 2.1 }, /temperature/],
    [{ temperature: Number.NaN }, /temperature/],
    [{ price: { promptMicro: 1 } }, /price/],
    [{ price: null }, /price/],
    [{ clock: { now: () => 0 } }, /clock/],
    [{ chance: 0.5 }, /chance/],
    [null, /options/],
  ])("%j are no options", (options, why) => {
    const made = (): unknown => Reflect.apply(aiSdkModel, undefined, [plainModel([]), options]);
    expect(made).toThrow(why);
    expect(made).toThrow(expect.objectContaining({ code: "bad_options" }));
  });
});
