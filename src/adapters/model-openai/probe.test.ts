import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { completion, type Heard, modelAt, requestOf, SCHEMA, STRICT, serve } from "../../../test/loopback.ts";

const signal = new AbortController().signal;

type Schema = { readonly properties?: { readonly kind?: { readonly enum: readonly string[] } } };
const schemaOf = (heard: Heard): Schema | undefined =>
  (heard.json.response_format as { json_schema: { schema: Schema } } | undefined)?.json_schema.schema;

/** What a server does that keeps to the canary's schema. */
function obey(response: ServerResponse, heard: Heard): void {
  const kind = schemaOf(heard)?.properties?.kind?.enum[0];
  response.end(
    completion({ content: kind === undefined ? "pong" : JSON.stringify({ kind, tool: null, params: null }) }),
  );
}

/** A server whose chat is `chat`; everything else is not found unless `others` knows its path. */
function serving(chat: (response: ServerResponse, heard: Heard) => void, others: { [path: string]: unknown } = {}) {
  return serve((response, heard) => {
    if (heard.url === "/v1/chat/completions") return chat(response, heard);
    const other = others[heard.url];
    if (other === undefined) response.writeHead(404).end();
    else response.end(JSON.stringify(other));
  });
}

const chats = (heard: readonly Heard[]): readonly Heard[] => heard.filter(({ url }) => url.endsWith("/completions"));

describe("the canary finds that a schema is", () => {
  test("honoured: requests then carry the params as a strict object", async () => {
    const { url, heard } = await serving(obey);
    const model = modelAt(url);
    expect(await model.probe?.(signal)).toEqual({
      schema: "honoured",
      tools: "unasked",
      tokeniser: false,
      windowTokens: null,
      detail: "replies are constrained to a JSON Schema; no tokeniser; the window is not told",
      seen: { schema: expect.stringMatching(/^the reply began with "\{/), tools: null },
    });
    const canary = chats(heard)[0];
    expect(JSON.stringify(canary?.json.messages)).not.toContain(
      schemaOf(canary as Heard)?.properties?.kind?.enum[0] ?? "?",
    );
    expect(schemaOf(canary as Heard)).toMatchObject({
      properties: {
        tool: { type: ["string", "null"], enum: ["canary", null] },
        params: { anyOf: [{ additionalProperties: false }, { type: "null" }] },
      },
      additionalProperties: false,
    });
  });

  test("honoured, ignored or refused, which the next requests know", async () => {
    const sent = async (
      chat: (response: ServerResponse, heard: Heard) => void,
      schemaStrict: typeof STRICT | null = STRICT,
    ) => {
      const { url, heard } = await serving((response, one) =>
        JSON.stringify(one.json).includes("pong") ? chat(response, one) : response.end(completion({ content: "x" })),
      );
      const model = modelAt(url);
      const probe = await model.probe?.(signal);
      const reply = await model.complete(requestOf({ schemaStrict }));
      return [probe?.schema, reply.ok ? reply.sentAs : null, schemaOf(chats(heard).at(-1) as Heard) ?? null];
    };
    expect(await sent(obey)).toEqual(["honoured", "params_object", STRICT]);
    expect(await sent(obey, null)).toEqual(["honoured", "params_text", SCHEMA]);
    expect(await sent((response) => response.end(completion({ content: "pong" })))).toEqual([
      "ignored",
      "params_text",
      SCHEMA,
    ]);
    expect(await sent((response) => response.end(completion({ content: '{"kind":"pong"}' })))).toEqual([
      "ignored",
      "params_text",
      SCHEMA,
    ]);
    const refuse = (status: number, words: string) => (response: ServerResponse, heard: Heard) =>
      schemaOf(heard) === undefined ? obey(response, heard) : response.writeHead(status).end(words);
    expect(await sent(refuse(400, "unknown field response_format"))).toEqual(["error", "no_schema", null]);
    expect(await sent(refuse(400, "bad request"))).toEqual(["error", "no_schema", null]);
    expect(await sent(refuse(500, "oh"))).toEqual(["error", "no_schema", null]);
  });

  test("neither, where the server fails either way or is not there", async () => {
    const { url, heard } = await serving((response) => response.writeHead(401).end("who?"));
    const model = modelAt(url);
    expect(await model.probe?.(signal)).toMatchObject({
      schema: "unreachable",
      detail: expect.stringContaining("HTTP 401: who?"),
      failure: { code: "http_error", detail: "HTTP 401: who?" },
    });
    expect(chats(heard)).toHaveLength(2);
    const nobody = await modelAt("http://127.0.0.1:1/v1", { mode: "tools" }).probe?.(signal);
    expect(nobody).toMatchObject({
      schema: "unreachable",
      tools: "unclear",
      detail: expect.stringContaining("ECONNREFUSED"),
      failure: { code: "unreachable", detail: expect.stringContaining("ECONNREFUSED") },
    });
    expect(await modelAt(url).probe?.(AbortSignal.abort())).toMatchObject({ schema: "unreachable" });
    expect(chats(heard)).toHaveLength(2);
  });

  test.each<[string, number, unknown, readonly string[] | undefined]>([
    ["what it has, five at the most", 404, { data: [..."abcdef"].map((id) => ({ id })) }, [..."abcde"]],
    ["the one that it was asked for first", 404, { data: [..."abcdem"].map((id) => ({ id })) }, [..."mabcd"]],
    ["what has a name", 400, { data: [{ id: "a" }, { id: 1 }, null, { name: "b" }] }, ["a"]],
    ["that it has none", 404, { data: [] }, []],
    ["no list", 404, { data: null }, undefined],
    ["no list of other failures", 401, { data: [{ id: "a" }] }, undefined],
  ])("neither, where the model is not found: it tells %s", async (_, status, list, models) => {
    const { url } = await serving((response) => response.writeHead(status).end("no"), { "/v1/models": list });
    const probe = await modelAt(url).probe?.(signal);
    expect(probe?.failure).toEqual({
      code: "http_error",
      detail: `HTTP ${status}: no`,
      ...(models === undefined ? {} : { models }),
    });
  });

  test("and what else was refused meanwhile stays left out", async () => {
    const { url, heard } = await serving((response, one) =>
      "max_tokens" in one.json ? response.writeHead(400).end("unsupported: max_tokens") : obey(response, one),
    );
    const model = modelAt(url);
    expect(await model.probe?.(signal)).toMatchObject({ schema: "honoured" });
    expect(chats(heard)).toHaveLength(2);
    await model.complete(requestOf());
    expect(chats(heard)).toHaveLength(3);
  });
});

describe("the canary finds that native tools are", () => {
  const call = (args: string, name = "canary") =>
    completion({ content: null, tool_calls: [{ function: { name, arguments: args } }] });
  test.each([
    ["honoured", 200, call('{"word":"pong"}')],
    ["ignored", 200, completion({ content: '<tool_call>{"name":"canary"}</tool_call>' })],
    ["ignored", 200, call("{")],
    ["ignored", 200, call("{}", "other")],
    ["error", 400, "m does not support tools"],
  ])("%s", async (tools, status, body) => {
    const { url, heard } = await serving((response, one) =>
      "tools" in one.json ? response.writeHead(status).end(body) : obey(response, one),
    );
    expect(await modelAt(url, { mode: "tools" }).probe?.(signal)).toMatchObject({
      schema: "honoured",
      tools,
      seen: { schema: expect.stringMatching(/^the reply began/), tools: expect.any(String) },
    });
    expect(modelAt(url, { mode: "tools" }).mode).toBe("tools");
    expect(chats(heard)[1]?.json).toMatchObject({ tool_choice: "auto", tools: [{ function: { name: "canary" } }] });
  });
});

describe("the window is what is said by", () => {
  test.each<[string, { [path: string]: unknown }, number | null]>([
    [
      "vLLM",
      {
        "/v1/models": {
          data: [
            { id: "o", max_model_len: 9 },
            { id: "m", max_model_len: 16_384 },
          ],
        },
      },
      16_384,
    ],
    ["vLLM with one model", { "/v1/models": { data: [{ id: "o", max_model_len: 8_192 }] } }, 8_192],
    ["another model, and nobody", { "/v1/models": { data: [{ id: "o", max_model_len: 8_192 }, { id: "p" }] } }, null],
    [
      "llama.cpp",
      { "/v1/models": { data: [{ id: "m" }] }, "/props": { default_generation_settings: { n_ctx: 4_096 } } },
      4_096,
    ],
    ["Ollama", { "/api/ps": { models: [{ name: "m", context_length: 2_048 }] } }, 2_048],
    ["a number that is none", { "/props": { default_generation_settings: { n_ctx: -1 } } }, null],
  ])("%s", async (_who, others, windowTokens) => {
    const { url } = await serving(obey, others);
    expect(await modelAt(url).probe?.(signal)).toMatchObject({ windowTokens });
  });
});

describe("tokens are counted", () => {
  const count = (url: string, text = "some text") => modelAt(url).countTokens?.(text, signal);

  test("as llama.cpp does, at the root", async () => {
    const { url, heard } = await serving(obey, { "/tokenize": { tokens: [1, 2, 3] } });
    const model = modelAt(url);
    expect(await model.countTokens?.("some text", signal)).toBe(3);
    expect(heard[0]).toMatchObject({ url: "/tokenize", json: { content: "some text" } });
    expect(await model.probe?.(signal)).toMatchObject({ tokeniser: true });
  });

  test("as vLLM does, and the form that works is remembered", async () => {
    const { url, heard } = await serve((response, { json }) => {
      if (!("prompt" in json)) response.writeHead(400).end("prompt is missing");
      else response.end('{"count":4,"max_model_len":16384,"tokens":[1,2,3,4]}');
    });
    const model = modelAt(url);
    expect(await model.countTokens?.("some text", signal)).toBe(4);
    expect(await model.countTokens?.("some text", signal)).toBe(4);
    expect(heard.map(({ json }) => Object.keys(json))).toEqual([["content"], ["model", "prompt"], ["model", "prompt"]]);
  });

  test.each([404, 405, 501])("never again after HTTP %i", async (status) => {
    const { url, heard } = await serve((response) => response.writeHead(status).end());
    const model = modelAt(url);
    expect(await model.countTokens?.("t", signal)).toBe(null);
    expect(await model.countTokens?.("t", signal)).toBe(null);
    expect(heard).toHaveLength(1);
  });

  test("never again after answers that are no count", async () => {
    const { url, heard } = await serve((response) => response.end("<html>"));
    const model = modelAt(url);
    expect(await model.countTokens?.("t", signal)).toBe(null);
    expect(await model.countTokens?.("t", signal)).toBe(null);
    expect(heard).toHaveLength(2);
  });

  test("another time after trouble", async () => {
    const { url } = await serve((response, _heard, n) => {
      if (n === 1) response.destroy();
      else if (n === 2) response.writeHead(503).end();
      else response.end('{"tokens":[1]}');
    });
    const model = modelAt(url);
    expect(await model.countTokens?.("t", signal)).toBe(null);
    expect(await model.countTokens?.("t", signal)).toBe(null);
    expect(await model.countTokens?.("t", signal)).toBe(1);
  });

  test.each([
    ["as many as bytes and 16", 9 + 16, 9 + 16],
    ["one more", 9 + 17, null],
    ["the largest that there is", Number.MAX_SAFE_INTEGER, null],
    ["a half", 2.5, null],
    ["below nothing", -1, null],
  ])("within what the text can have: %s", async (_what, told, counted) => {
    const { url } = await serve((response) => response.end(JSON.stringify({ count: told })));
    expect(await count(url)).toBe(counted);
  });

  test.each<[string, number, string, string]>([
    [
      "a model that there is not",
      404,
      '{"error":{"message":"The model `m` does not exist."}}',
      "HTTP 404: The model `m` does not exist.",
    ],
    ["trouble", 500, "out of memory", "HTTP 500: out of memory"],
    ["nothing said", 501, "", "HTTP 501"],
    ["a page", 200, "<html>", "HTTP 200 and no count of tokens: <html>"],
  ])("or why not is known: %s", async (_what, status, body, detail) => {
    const { url } = await serve((response) => response.writeHead(status).end(body));
    const model = modelAt(url);
    expect(model.countFailure?.()).toBe(null);
    expect(await model.countTokens?.("t", signal)).toBe(null);
    expect(model.countFailure?.()).toMatchObject({ detail });
  });

  test("why not is forgotten with the next count, has no key in it, and says what never answered", async () => {
    const key = "sk-canary-0123456789";
    const { url } = await serve((response, _heard, n) => {
      if (n === 1) response.writeHead(401).end(`wrong key ${key} ${"x".repeat(500)}`);
      else if (n === 2) response.end('{"tokens":[1]}');
    });
    const model = modelAt(url, { apiKey: key });
    await model.countTokens?.("t", signal);
    expect(model.countFailure?.()?.detail).toMatch(/^HTTP 401: wrong key \[redacted\] x{100,160}$/);
    expect(await model.countTokens?.("t", signal)).toBe(1);
    expect(model.countFailure?.()).toBe(null);
    expect(await model.countTokens?.("t", AbortSignal.timeout(50))).toBe(null);
    expect(model.countFailure?.()).toEqual({ code: "aborted", detail: "no answer came in time" });
  });

  test("by bytes and not by characters", async () => {
    const { url } = await serve((response) => response.end('{"count":20}'));
    expect(await count(url, "\u{1f600}")).toBe(20);
    expect(await count(url, "abc")).toBe(null);
  });

  test("none in no text", async () => {
    const { url } = await serve((response) => response.end('{"tokens":[]}'));
    expect(await count(url, "")).toBe(0);
  });

  test("not by an empty count, a lie, a body without end or an aborted call", async () => {
    const { url } = await serve((response, _heard, n) => response.end(n % 2 === 0 ? '{"count":-1}' : '{"tokens":[]}'));
    expect(await count(url)).toBe(null);
    const large = await serve((response) => response.end(`{"tokens":[${"1,".repeat(3_000_000)}1]}`));
    expect(await count(large.url)).toBe(null);
    expect(await modelAt(url).countTokens?.("t", AbortSignal.abort())).toBe(null);
  });
});
