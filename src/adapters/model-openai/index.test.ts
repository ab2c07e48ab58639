import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { ask, completion, modelAt, requestOf, SCHEMA, STRICT, serve } from "../../../test/loopback.ts";
import { type Config, checkConfig } from "../../runtime/index.ts";

const TOOL = {
  name: "look",
  description: "Looks.",
  parameters: { type: "object", properties: { id: { type: "string" } }, required: ["id"], additionalProperties: false },
};
const OPEN_TOOL = { name: "free", description: "Open.", parameters: { type: "object", properties: {} } };

const format = (schema: object) => ({
  type: "json_schema",
  json_schema: { name: "reply", strict: true, schema },
});

describe("a request", () => {
  test("is one, with the schema and without anything added to the prompt", async () => {
    const usage = { usage: { prompt_tokens: 3, completion_tokens: 4 } };
    const { url, heard } = await serve((response) => response.end(completion({ content: "hi" }, {}, usage)));
    expect(await ask(url, {}, { apiKey: "key-1", temperature: 0.5 })).toEqual({
      ok: true,
      text: "hi",
      finish: "stop",
      promptTokens: 3,
      completionTokens: 4,
      sentAs: "params_text",
      attempts: 1,
    });
    expect(heard).toHaveLength(1);
    expect(heard[0]?.url).toBe("/v1/chat/completions");
    expect(heard[0]?.headers.authorization).toBe("Bearer key-1");
    expect(heard[0]?.json).toEqual({
      model: "m",
      messages: [
        { role: "system", content: "s" },
        { role: "user", content: "u" },
      ],
      max_tokens: 7,
      temperature: 0.5,
      stream: false,
      response_format: format(SCHEMA),
    });
  });

  test("has a seed where one is wanted, and none where the server knows no such field", async () => {
    const { url, heard } = await serve((response, { json }, n) => {
      if (n !== 2) response.end(completion({ content: "hi" }));
      else response.writeHead(400).end(`{"error": {"message": "unknown field: seed", "seed": ${json.seed}}}`);
    });
    const model = modelAt(url);
    for (const seed of [7, 8, 9]) expect(await model.complete(requestOf({ seed }))).toMatchObject({ ok: true });
    expect(heard.map(({ json }) => json.seed)).toEqual([7, 8, undefined, undefined]);
  });

  test("says what shapes its replies, and no key", () => {
    const { settings } = modelAt("http://127.0.0.1:9/v1?key=abcdefghijkl", {
      apiKey: "key-12345678",
      temperature: 0.7,
    });
    expect(settings).toEqual({
      temperature: 0.7,
      seeded: true,
      stream: null,
      query: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(modelAt("http://127.0.0.1:9/v1", { stream: false }).settings).toMatchObject({
      temperature: 0,
      stream: false,
      query: null,
    });
  });

  test("says that its server's own temperature and chance hold where the server takes no other", async () => {
    const { url } = await serve((response, { json }) => {
      const refused = ["temperature", "seed"].find((field) => field in json);
      if (refused === undefined) response.end(completion({ content: "hi" }));
      else
        response.writeHead(400).end(`{"error": {"message": "Unsupported parameter: '${refused}' is not supported"}}`);
    });
    const called = modelAt(url);
    const { settings: before } = called;
    expect(before).toMatchObject({ temperature: 0, seeded: true });
    expect(await called.complete(requestOf({ seed: 7 }))).toMatchObject({ ok: true });
    expect(called.settings).toEqual({ ...before, temperature: null, seeded: false });
    // A probe is enough to know of the temperature.
    const probed = modelAt(url);
    await probed.probe?.(new AbortController().signal);
    expect(probed.settings).toMatchObject({ temperature: null });
  });

  test("in mode tools names the tools, and only a closed one is strict", async () => {
    const { url, heard } = await serve((response) => response.end(completion({ content: null })));
    const reply = await ask(url, { mode: "tools", tools: [TOOL, OPEN_TOOL] });
    expect(reply).toMatchObject({ ok: true, sentAs: "tools" });
    expect(heard[0]?.json).toMatchObject({ tool_choice: "auto", parallel_tool_calls: false });
    expect(heard[0]?.json.tools).toEqual([
      { type: "function", function: { ...TOOL, strict: true } },
      { type: "function", function: OPEN_TOOL },
    ]);
    expect(heard[0]?.json).not.toHaveProperty("response_format");
    expect(await ask(url, { mode: "tools" })).toMatchObject({ sentAs: "no_schema" });
    expect(heard[1]?.json).not.toHaveProperty("tools");
  });

  test("keeps the query of a URL, and streams only where somebody listens or it is told to", async () => {
    const { url, heard } = await serve((response) => response.end(completion({ content: "hi" })));
    const model = modelAt(`${url}/?api-version=1`);
    expect(model.where).toBe(url);
    await model.complete(requestOf());
    expect(heard[0]?.url).toBe("/v1/chat/completions?api-version=1");
    await ask(url, { onDelta: () => {} });
    await ask(url, {}, { stream: true });
    await ask(url, { onDelta: () => {} }, { stream: false });
    expect(heard.map(({ json }) => [json.stream, json.stream_options])).toEqual([
      [false, undefined],
      [true, { include_usage: true }],
      [true, { include_usage: true }],
      [false, undefined],
    ]);
  });
});

describe("a config says", () => {
  const found = (more: object): readonly string[] => {
    const model = { baseUrl: "http://127.0.0.1:8080/v1", name: "m", ...more };
    return checkConfig({ model, tools: [] } as Config).map(({ where }) => where);
  };
  test.each([
    [{ mode: "native" }, "config.model.mode"],
    [{ stream: "yes" }, "config.model.stream"],
    [{ retries: 11 }, "config.model.retries"],
    [{ retries: -1 }, "config.model.retries"],
    [{ retries: 0.5 }, "config.model.retries"],
    [{ apiKey: "key-1\n" }, "config.model.apiKey"],
    [{ baseUrl: "http://[x" }, "config.model.baseUrl"],
    [{ retry: 1 }, "config.model"],
  ])("what is wrong with %j", (more, where) => {
    expect(found(more)).toEqual([where]);
  });

  test("and nothing of what is right; an empty key is none", async () => {
    expect(found({ mode: "tools", stream: false, retries: 10, apiKey: "key-1" })).toEqual([]);
    expect(found({ mode: "flat", stream: true, retries: 0, apiKey: "" })).toEqual([]);
    const { url, heard } = await serve((response) => response.end(completion({ content: "hi" })));
    await ask(url, {}, { apiKey: "" });
    expect(heard[0]?.headers).not.toHaveProperty("authorization");
  });
});

describe("what a server refuses of a request's form is left out, and stays left out", () => {
  const refusing = (...answers: readonly (readonly [number, string])[]) =>
    serve((response, _heard, n) => {
      const [status, body] = answers[n - 1] ?? [200, completion({ content: "hi" })];
      response.writeHead(status).end(body);
    });

  test.each([
    [400, '{"error":{"message":"Invalid schema for response_format \'reply\': In context=(), x is not permitted."}}'],
    [400, '{"error":{"code":400,"message":"Failed to initialize samplers: failed to parse grammar"}}'],
    [500, '{"error":{"code":500,"message":"failed to parse grammar"}}'],
    [400, "{\"error\":\"'response_format.type' must be 'text'\"}"],
    [
      422,
      '{"detail":[{"type":"extra_forbidden","loc":["body","response_format"],"msg":"Extra inputs are not permitted"}]}',
    ],
  ])("the schema: HTTP %i %s", async (status, body) => {
    const { url, heard } = await refusing([status, body]);
    const model = modelAt(url);
    expect(await model.complete(requestOf())).toMatchObject({ ok: true, sentAs: "no_schema", attempts: 2 });
    expect(await model.complete(requestOf())).toMatchObject({ ok: true, sentAs: "no_schema", attempts: 1 });
    expect(heard.map(({ json }) => "response_format" in json)).toEqual([true, false, false]);
  });

  test.each([
    [
      "max_tokens",
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    ],
    ["temperature", "Unsupported value: 'temperature' does not support 0 with this model."],
    ["stream_options", "Extra inputs are not permitted, field: 'stream_options'"],
    ["stream", "Unsupported value: 'stream'. Your organization must be verified to stream this model."],
  ])("%s", async (field, message) => {
    const { url, heard } = await refusing([400, JSON.stringify({ error: { message } })]);
    const model = modelAt(url, { stream: true });
    expect(await model.complete(requestOf())).toMatchObject({ ok: true, sentAs: "params_text", attempts: 2 });
    await model.complete(requestOf());
    const [first, ...later] = heard.map(({ json }) => json);
    expect(first).toHaveProperty(field);
    for (const json of later) {
      if (field === "stream") expect(json.stream).toBe(false);
      else expect(json).not.toHaveProperty(field);
      expect(json).toHaveProperty("response_format");
    }
    if (field === "max_tokens") expect(later[1]).toMatchObject({ max_completion_tokens: 7 });
    expect(later).toHaveLength(2);
  });

  test("of tools: strict and parallel_tool_calls, once; then it is an error", async () => {
    const no = [400, '{"error":{"message":"parallel_tool_calls is not a known field"}}'] as const;
    const { url, heard } = await refusing(no);
    const model = modelAt(url);
    const request = requestOf({ mode: "tools", tools: [TOOL] });
    expect(await model.complete(request)).toMatchObject({ ok: true, sentAs: "tools", attempts: 2 });
    expect(heard[1]?.json).not.toHaveProperty("parallel_tool_calls");
    expect(heard[1]?.json.tools).toEqual([{ type: "function", function: TOOL }]);
    const never = await serve((response) => response.writeHead(400).end('{"error":"m does not support tools"}'));
    expect(await ask(never.url, { mode: "tools", tools: [TOOL] })).toEqual({
      ok: false,
      code: "http_error",
      detail: "HTTP 400: m does not support tools",
    });
    expect(never.heard).toHaveLength(2);
  });

  test("first the params as an object, then the schema", async () => {
    const { url, heard } = await serve((response, { json }) => {
      const text = JSON.stringify(json);
      const kind = /"enum":\["(k[^"]*)"\]/.exec(text)?.[1];
      if (kind !== undefined) response.end(completion({ content: JSON.stringify({ kind }) }));
      else if (text.includes("response_format")) response.writeHead(400).end("the schema is too complex");
      else response.end(completion({ content: "hi" }));
    });
    const model = modelAt(url);
    expect(await model.probe?.(new AbortController().signal)).toMatchObject({ schema: "honoured" });
    const before = heard.length;
    expect(await model.complete(requestOf())).toMatchObject({ sentAs: "no_schema", attempts: 3 });
    expect(heard.slice(before).map(({ json }) => json.response_format)).toEqual([
      format(STRICT),
      format(SCHEMA),
      undefined,
    ]);
  });

  test("but a server in trouble, or one that cannot read its own model, is asked the same again or not at all", async () => {
    const trouble = await refusing([500, "unsupported: max_tokens, temperature"]);
    expect(await ask(trouble.url)).toMatchObject({ ok: true, attempts: 2 });
    expect(trouble.heard[1]?.json).toEqual(trouble.heard[0]?.json);
    const call = await refusing([500, "error parsing tool call: no function"]);
    expect(await ask(call.url, { mode: "tools", tools: [TOOL] })).toMatchObject({ ok: false, code: "unreadable_call" });
    expect(call.heard).toHaveLength(1);
  });

  test("a server that refuses everything is asked a bounded number of times", async () => {
    const text = "unsupported: max_tokens temperature stream stream_options response_format schema tools strict";
    const { url, heard } = await serve((response) => response.writeHead(400).end(text));
    const model = modelAt(url, { stream: true });
    expect(await model.complete(requestOf())).toMatchObject({ ok: false, code: "http_error" });
    expect(heard).toHaveLength(6);
    await model.complete(requestOf());
    expect(heard).toHaveLength(7);
  });

  test("but not for what it repeats of the request, nor where it will not talk to us at all", async () => {
    const echo = { detail: [{ loc: ["body", "messages"], msg: "too short", input: { response_format: "schema" } }] };
    const { url, heard } = await refusing([422, JSON.stringify(echo)], [401, "no schema for you"]);
    expect(await ask(url)).toMatchObject({ ok: false, code: "http_error" });
    expect(await ask(url)).toMatchObject({ ok: false, code: "http_error" });
    expect(heard).toHaveLength(2);
  });
});

describe("an answer is read as", () => {
  const call = { name: "look", args: '{"id":"1"}' };
  const fn = { name: "look", arguments: '{"id":"1"}' };
  test.each<[string, string, object]>([
    ["a refusal", completion({ content: null, refusal: "no" }), { ok: true, text: "", finish: "refusal" }],
    ["a cut reply", completion({ content: "{" }, { finish_reason: "length" }), { text: "{", finish: "length" }],
    ["no finish reason", completion({ content: "x" }, { finish_reason: null }), { text: "x", finish: "none" }],
    ["a finish reason that is an object", completion({ content: "x" }, { finish_reason: {} }), { finish: "none" }],
    ["a finish reason that is wrong", completion({ content: "x" }, { finish_reason: "tool_calls" }), { text: "x" }],
    ["content that is no text", completion({ content: [1, { type: "image" }] }), { ok: true, text: "" }],
    [
      "content in parts",
      completion({ content: [{ type: "text", text: "a" }, { type: "thinking" }, { type: "text", text: "b" }] }),
      { text: "ab" },
    ],
    [
      "reasoning, which is no content",
      completion({ content: null, reasoning_content: "x", reasoning: "y" }),
      { text: "" },
    ],
    [
      "usage that is no number",
      completion({ content: "x" }, {}, { usage: { prompt_tokens: "3" } }),
      { promptTokens: null },
    ],
    [
      "usage beyond all numbers",
      '{"choices":[{"message":{"content":"x"}}],"usage":{"prompt_tokens":1e999}}',
      { ok: true, promptTokens: null },
    ],
    [
      "a large number that nobody reads",
      '{"created":99999999999999999999,"choices":[{"message":{"content":"{\\"n\\":99999999999999999999}"}}]}',
      { ok: true, text: '{"n":99999999999999999999}' },
    ],
    [
      "half a surrogate pair",
      '{"choices":[{"message":{"content":"a\\ud83d b\\\\ud83d \\ud83d\\ude00"}}]}',
      { text: "a\ufffd b\\ud83d \u{1f600}" },
    ],
    ["a byte order mark", `\ufeff${completion({ content: "x" })}`, { text: "x" }],
    ["white space before it", `\n\n   ${completion({ content: "x" })}`, { text: "x" }],
    [
      "tool calls",
      completion({ content: "", tool_calls: [{ id: "1", type: "function", function: fn }] }),
      { calls: [call] },
    ],
    [
      "calls with the same id",
      completion({
        tool_calls: [
          { id: "1", function: fn },
          { id: "1", function: fn },
        ],
      }),
      { calls: [call, call] },
    ],
    [
      "arguments as an object",
      completion({ tool_calls: [{ function: { name: "look", arguments: { id: "1" } } }] }),
      { calls: [call] },
    ],
    [
      "no arguments",
      completion({ tool_calls: [{ function: { name: "look" } }] }),
      { calls: [{ name: "look", args: "" }] },
    ],
    [
      "entries that name no tool",
      completion({ tool_calls: [{ function: { name: 7, arguments: "{}" } }, null, "x"] }),
      {
        calls: [
          { name: "", args: "{}" },
          { name: "", args: "" },
          { name: "", args: "" },
        ],
      },
    ],
    ["the older form of a call", completion({ content: null, function_call: fn }), { calls: [call] }],
    ["both forms of a call", completion({ tool_calls: [{ function: fn }], function_call: fn }), { calls: [call] }],
    ["no choices", "{}", { ok: false, code: "bad_answer", detail: "the answer holds no message (after 3 requests)" }],
    ["a message that is null", '{"choices":[{"message":null}]}', { ok: false, code: "bad_answer" }],
    ["HTML with 200", "<html>", { ok: false, code: "bad_answer" }],
    ["nothing at all", "", { ok: false, code: "bad_answer" }],
    ["a prototype name", '{"__proto__":{"choices":[{"message":{"content":"x"}}]}}', { ok: false, code: "bad_answer" }],
    [
      "a key that is there twice",
      '{"choices":[{"message":{"content":"x","content":"y"}}]}',
      { ok: false, code: "bad_answer", detail: expect.stringContaining("duplicate_key") },
    ],
    [
      "a key that is there twice behind a large number",
      '{"created":1e999,"choices":[{"message":{"content":"x","content":"y"}}]}',
      { ok: false, code: "bad_answer", detail: expect.stringContaining("duplicate_key") },
    ],
    [
      "arguments with a number that cannot be carried",
      '{"choices":[{"message":{"tool_calls":[{"function":{"name":"pay","arguments":{"minor":9007199254740993}}}]}}]}',
      { ok: false, code: "unreadable_call" },
    ],
    [
      "an error with 200",
      '{"error":{"message":"not loaded","code":404}}',
      { ok: false, code: "bad_answer", detail: "HTTP 200 with an error: not loaded" },
    ],
    ["an empty error beside a reply", completion({ content: "x" }, {}, { error: null, error_count: 0 }), { text: "x" }],
  ])("%s", async (_what, body, expected) => {
    const { url } = await serve((response) => response.end(body));
    expect(await ask(url)).toMatchObject(expected);
  });
});

describe("a failure has the code", () => {
  test.each([
    [500, "oops", "http_error"],
    [401, "who?", "http_error"],
    [400, "the request exceeds the available context size. try increasing the context size", "context_overflow"],
    [500, '{"error":{"message":"too large","type":"exceed_context_size_error","n_ctx":256}}', "context_overflow"],
    [400, '{"error":{"message":"Too long.","code":"context_length_exceeded"}}', "context_overflow"],
    [
      400,
      "This model's maximum context length is 16384 tokens. However, you requested 22946 tokens (12946 in the messages, 10000 in the completion).",
      "context_overflow",
    ],
    [
      400,
      "'max_tokens' is too large: 7. This model's maximum context length is 4096 tokens and your request has 4090 input tokens",
      "context_overflow",
    ],
    [
      400,
      "'max_tokens' is too large: 7. This model's maximum context length is 7 tokens and your request has 1 input tokens",
      "http_error",
    ],
    [400, "max_tokens is too large: 50000. This model supports at most 16384 completion tokens", "http_error"],
    [
      400,
      '{"message":"The input (61709 tokens) is longer than the model\'s context length (40960 tokens)."}',
      "context_overflow",
    ],
    [400, "Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).", "context_overflow"],
    [
      400,
      "Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
      "context_overflow",
    ],
    [500, "Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)", "context_overflow"],
    [
      422,
      '{"error":"Input validation error: `inputs` must have less than 1024 tokens. Given: 1168"}',
      "context_overflow",
    ],
    [
      422,
      "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 1512. Given: 1600 `inputs` tokens and 7 `max_new_tokens`",
      "context_overflow",
    ],
    [
      422,
      "`inputs` tokens + `max_new_tokens` must be <= 7. Given: 1 `inputs` tokens and 7 `max_new_tokens`",
      "http_error",
    ],
    [413, "<h1>Request Entity Too Large</h1>", "context_overflow"],
    [
      429,
      "the maximum context length is not the point: input length (9 tokens) exceeds the maximum rate",
      "http_error",
    ],
    [
      500,
      '{"error":{"message":"error parsing tool call: raw=\'{\', err=unexpected end of JSON input"}}',
      "unreadable_call",
    ],
    [500, '{"error":{"message":"Failed to parse tool call arguments as JSON"}}', "unreadable_call"],
    [500, '{"error":{"message":"Failed to parse input at pos 12: <tool_call>"}}', "unreadable_call"],
    [400, "invalid tool call arguments", "unreadable_call"],
    [400, '{"error":{"message":"Failed to call a function.","code":"tool_use_failed"}}', "unreadable_call"],
  ])("HTTP %i %s: %s", async (status, body, code) => {
    const { url, heard } = await serve((response) => response.writeHead(status).end(body));
    expect(await ask(url)).toMatchObject({ ok: false, code });
    expect(heard).toHaveLength(status === 429 || body === "oops" ? 3 : 1);
  });

  test("of the network: nobody there, a redirect, credentials in the URL, a key that is no header", async () => {
    const nobody = await ask("http://127.0.0.1:1/v1", {}, { retries: 0 });
    expect(nobody).toEqual({
      ok: false,
      code: "unreachable",
      detail: "http://127.0.0.1:1/v1: ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:1",
    });
    const { url, heard } = await serve((response) => response.writeHead(302, { location: "/v1/x" }).end());
    expect(await ask(url)).toMatchObject({ ok: false, code: "unreachable", detail: expect.stringContaining("302") });
    expect(heard).toHaveLength(1);
    const secret = await ask(url.replace("//", "//user:secret-1@"));
    expect(secret).toMatchObject({ ok: false, code: "unreachable" });
    expect(JSON.stringify(secret)).not.toContain("secret-1");
    expect(modelAt(url.replace("//", "//user:secret-1@")).where).toBe(url);
    const broken = await ask(url, {}, { apiKey: "secret-1\n" });
    expect(broken).toMatchObject({ ok: false, code: "unreachable" });
    expect(JSON.stringify(broken)).not.toContain("secret-1");
    expect(heard).toHaveLength(1);
  });

  test("and never the key, however it is echoed", async () => {
    const apiKey = 'key-"quoted"-1';
    const escaped = JSON.stringify({ error: { message: `${"x".repeat(290)}Bearer ${apiKey} is wrong` } });
    for (const body of [escaped, apiKey.repeat(9_000), `<html>${apiKey}`]) {
      const { url } = await serve((response, _heard, n) => response.writeHead(n % 2 === 0 ? 200 : 401).end(body));
      for (const _ of [1, 2]) {
        const told = JSON.stringify(await ask(url, {}, { apiKey, retries: 0 }));
        expect(told).not.toContain("quoted");
        expect(told).not.toContain("key-");
      }
    }
  });
});

describe("an aborted call", () => {
  test("makes no request where it was aborted before", async () => {
    const { url, heard } = await serve((response) => response.end(completion({ content: "hi" })));
    expect(await ask(url, { signal: AbortSignal.abort() })).toEqual({
      ok: false,
      code: "aborted",
      detail: "the call was aborted",
    });
    expect(heard).toHaveLength(0);
  });

  test.each([
    ["while connecting or waiting", () => {}],
    ["in a body", (response: import("node:http").ServerResponse) => response.write('{"choices":')],
    ["in a stream", (response: import("node:http").ServerResponse) => response.write(`data: {"choices":[]}\n\n`)],
    [
      "in a body of slow bytes",
      (response: import("node:http").ServerResponse) => {
        const drip = setInterval(() => response.write(" "), 5);
        response.on("close", () => clearInterval(drip));
      },
    ],
    ["in the body of an error", (response: import("node:http").ServerResponse) => response.writeHead(500).write("oh")],
  ])("settles %s, and closes the connection", async (_when, begin) => {
    const controller = new AbortController();
    const { url, heard, quiet } = await serve((response) => {
      begin(response);
      setTimeout(() => controller.abort(), 20);
    });
    const reply = await ask(url, { signal: controller.signal }, { retries: 0 });
    expect(reply).toMatchObject({ ok: false, code: "aborted" });
    expect(heard).toHaveLength(1);
    await quiet();
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  test("makes none either where it is aborted before there is a connection", async () => {
    const controller = new AbortController();
    const { url, heard } = await serve((response) => response.end(completion({ content: "hi" })));
    const reply = ask(url, { signal: controller.signal });
    controller.abort();
    expect(await reply).toMatchObject({ ok: false, code: "aborted" });
    expect(heard).toHaveLength(0);
  });

  test("settles in a pause, and sends nothing more", async () => {
    const controller = new AbortController();
    const { url, heard } = await serve((response) => response.writeHead(503).end());
    const clock = {
      now: () => 0,
      sleep: async (_ms: number, signal?: AbortSignal) => {
        controller.abort();
        expect(signal).toBe(controller.signal);
      },
    };
    expect(await ask(url, { signal: controller.signal }, { clock })).toMatchObject({ ok: false, code: "aborted" });
    expect(heard).toHaveLength(1);
  });

  test("leaves no listener and no connection after an answer either", async () => {
    const { url, quiet } = await serve((response) => response.end(completion({ content: "hi" })));
    const { signal } = new AbortController();
    expect(await ask(url, { signal })).toMatchObject({ ok: true });
    expect(getEventListeners(signal, "abort")).toEqual([]);
    await quiet();
  });
});
