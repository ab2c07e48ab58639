/** The door with a real provider of the AI SDK, against a server on loopback. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { afterEach, describe, expect, test } from "vitest";
import { createSignalbox, defineTool, type Model, z } from "../../index.ts";
import type { ModelReply, ModelRequest } from "../../ports/model.ts";
import { aiSdkModel } from "./index.ts";

type Body = { readonly [key: string]: unknown };
type Answer = (response: ServerResponse, body: Body) => void;

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A server that gives one answer after the other, the last one again and again, and keeps what it heard. */
async function serve(...answers: readonly Answer[]): Promise<{ baseURL: string; heard: Body[] }> {
  const heard: Body[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      text += chunk;
    });
    request.on("end", () => {
      const body: Body = JSON.parse(text);
      heard.push(body);
      answers[Math.min(heard.length, answers.length) - 1]?.(response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, heard };
}

type Said = { readonly content?: string; readonly tool_calls?: readonly object[] };

const USAGE = { prompt_tokens: 300, completion_tokens: 20, total_tokens: 320 };

/** What a model says, whole or in pieces as the request wants it. */
function says(said: Said, finish = said.tool_calls === undefined ? "stop" : "tool_calls"): Answer {
  return (response, body) => {
    if (body.stream !== true) {
      response.setHeader("content-type", "application/json");
      const message = { role: "assistant", content: null, ...said };
      response.end(JSON.stringify({ id: "x", choices: [{ message, finish_reason: finish }], usage: USAGE }));
      return;
    }
    response.setHeader("content-type", "text/event-stream");
    const send = (delta: object, more: object = {}): boolean =>
      response.write(`data: ${JSON.stringify({ id: "x", choices: [{ delta, finish_reason: null, ...more }] })}\n\n`);
    for (const piece of (said.content ?? "").match(/.{1,7}/gs) ?? []) send({ content: piece });
    for (const one of said.tool_calls ?? []) send({ tool_calls: [{ index: 0, ...one }] });
    send({}, { finish_reason: finish });
    response.end(`data: ${JSON.stringify({ id: "x", choices: [], usage: USAGE })}\n\ndata: [DONE]\n\n`);
  };
}

function refuses(status: number, message: string, headers: { [name: string]: string } = {}): Answer {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ error: { message, type: "error" } }));
  };
}

const clock = { now: () => 0, sleep: async () => {} };

function modelAt(baseURL: string, mode: "flat" | "tools", supportsStructuredOutputs = true): Model {
  const provider = createOpenAICompatible({
    name: "loopback",
    baseURL,
    apiKey: "key-1234567",
    supportsStructuredOutputs,
  });
  return aiSdkModel(provider("small-1"), { mode, clock });
}

/** A model whose every call is heard as it arrives, whether the corridor listens or not. */
function listened(model: Model, heard: (string | null)[]): Model {
  return { ...model, complete: (request) => model.complete({ ...withDelta(request, heard) }) };
}

function withDelta(request: ModelRequest, heard: (string | null)[]): ModelRequest {
  const { system, messages, mode, schema, schemaStrict, tools, outputTokensMax, signal } = request;
  const onDelta = (said: string | null): void => void heard.push(said);
  return { system, messages, mode, schema, schemaStrict, tools, outputTokensMax, signal, onDelta };
}

const lookUp = defineTool({
  name: "look_up",
  description: "Looks up an order.",
  placement: "internal",
  effect: "read",
  params: z.strictObject({ order: z.string().max(12) }),
  execute: ({ params }) => ({ order: params.order, paidMinor: 8_990 }),
  summarise: (order) => `order ${order.order}`,
});

const FLAT = { kind: null, text: null, tool: null, params: null, steps: null, query: null, evidence: null };
const action = says({
  content: JSON.stringify({ ...FLAT, kind: "action", tool: "look_up", params: '{"order":"1042"}' }),
});
const answer = says({ content: JSON.stringify({ ...FLAT, kind: "conversation", text: "It was paid." }) });

function request(mode: "flat" | "tools", more: Partial<ModelRequest> = {}): ModelRequest {
  const parameters = { type: "object", properties: { order: { type: "string" } }, required: ["order"] };
  return {
    system: "s",
    messages: [{ role: "user", content: "u" }],
    mode,
    schema: { type: "object" },
    schemaStrict: null,
    tools: mode === "tools" ? [{ name: "look_up", description: "Looks up an order.", parameters }] : [],
    outputTokensMax: 64,
    signal: new AbortController().signal,
    ...more,
  };
}

const nativeCall = {
  id: "call_1",
  type: "function",
  function: { name: "look_up", arguments: '{"order":"1042"}' },
};

describe("a run over the AI SDK", () => {
  test.each([false, true])("an action and a conversation, streaming %s", async (streaming) => {
    const { baseURL, heard } = await serve(action, answer);
    const deltas: (string | null)[] = [];
    const model = modelAt(baseURL, "flat");
    const box = createSignalbox({
      model: streaming ? listened(model, deltas) : model,
      tools: [lookUp],
      store: "memory",
    });
    const outcome = await box.run("Was order 1042 paid?");
    expect(outcome).toMatchObject({ ending: "answered", text: "It was paid.", steps: 1 });
    const replied = (await box.events(outcome.run)).filter((event) => event.kind === "replied");
    expect(replied).toMatchObject(
      [
        { model: "small-1", finish: "stop", attempts: 1, usage: { promptTokens: 300, estimated: false } },
        { reply: { kind: "conversation" } },
      ].map((one) => (streaming ? { ...one, usage: expect.anything() } : one)),
    );
    await box.close();
    expect(heard).toHaveLength(2);
    expect(heard[0]).toMatchObject({
      model: "small-1",
      temperature: 0,
      messages: [{ role: "system" }, { role: "user" }],
      response_format: { type: "json_schema", json_schema: { name: "reply", strict: true } },
    });
    expect(heard.every((body) => (body.stream === true) === streaming)).toBe(true);
    if (streaming) expect(deltas.join("")).toContain("It was paid.");
  });

  test("a run that is refused for good, and what it leaves in the ledger", async () => {
    const { baseURL } = await serve(refuses(401, "no such key: key-1234567"));
    const redact = { values: ["key-1234567"] };
    const box = createSignalbox({ model: modelAt(baseURL, "flat"), tools: [lookUp], store: "memory", redact });
    const outcome = await box.run("Was order 1042 paid?");
    expect(outcome).toMatchObject({ ending: "model_unreachable" });
    expect(outcome.detail).toMatch(/^http_error: HTTP 401: .*no such key: \[redacted\]/);
    await box.close();
  });

  test("an overflow is asked again, with a smaller prompt", async () => {
    const { baseURL, heard } = await serve(
      action,
      refuses(400, "This model's maximum context length is 16 tokens."),
      answer,
    );
    const box = createSignalbox({ model: modelAt(baseURL, "flat"), tools: [lookUp], store: "memory" });
    const outcome = await box.run("Was order 1042 paid?");
    expect(outcome).toMatchObject({ ending: "answered" });
    const failed = (await box.events(outcome.run)).filter((event) => event.kind === "model_failed");
    expect(failed).toMatchObject([{ code: "context_overflow" }]);
    expect(heard).toHaveLength(3);
    expect(JSON.stringify(heard[2]).length).toBeLessThan(JSON.stringify(heard[1]).length);
    await box.close();
  });
});

describe.each([false, true])("a call over the AI SDK, streaming %s", (streaming) => {
  const ask = (model: Model, one: ModelRequest, heard: (string | null)[] = []): Promise<ModelReply> =>
    model.complete(streaming ? withDelta(one, heard) : one);

  test("native tools", async () => {
    const { baseURL, heard } = await serve(says({ content: "So.", tool_calls: [nativeCall] }));
    expect(await ask(modelAt(baseURL, "tools"), request("tools"))).toMatchObject({
      ok: true,
      text: "So.",
      calls: [{ name: "look_up", args: '{"order":"1042"}' }],
      finish: "stop",
      promptTokens: 300,
      completionTokens: 20,
      sentAs: "tools",
    });
    expect(heard[0]).toMatchObject({
      tools: [{ type: "function", function: { name: "look_up", parameters: { required: ["order"] } } }],
      tool_choice: "auto",
    });
    expect(heard[0]).not.toHaveProperty("response_format");
  });

  test("a provider that cannot send a schema is recorded as one", async () => {
    const { baseURL, heard } = await serve(answer);
    expect(await ask(modelAt(baseURL, "flat", false), request("flat"))).toMatchObject({
      ok: true,
      sentAs: "no_schema",
    });
    expect(heard[0]).toMatchObject({ response_format: { type: "json_object" } });
  });

  test("a busy server is asked again", async () => {
    const { baseURL, heard } = await serve(refuses(429, "busy", { "retry-after": "1" }), answer);
    expect(await ask(modelAt(baseURL, "flat"), request("flat"))).toMatchObject({ ok: true, attempts: 2 });
    expect(heard).toHaveLength(2);
  });

  test.each([
    ["an overflow", refuses(400, "the request exceeds the available context size"), "context_overflow", 1],
    ["a call that the server cannot read", refuses(500, "error parsing tool call: raw='{'"), "unreadable_call", 1],
    ["a bad request", refuses(400, "no such model"), "http_error", 1],
    ["a server that is down", refuses(503, "down"), "http_error", 3],
    ["a reset connection", (response: ServerResponse) => void response.destroy(), "unreachable", 3],
  ] as const)("%s", async (_what, refused, code, requests) => {
    const { baseURL, heard } = await serve(refused);
    expect(await ask(modelAt(baseURL, "flat"), request("flat"))).toMatchObject({ ok: false, code });
    expect(heard).toHaveLength(requests);
  });

  test("an answer that tears is asked for again", async () => {
    const torn = (response: ServerResponse): void => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write("{");
      setImmediate(() => response.destroy());
    };
    const { baseURL } = await serve(torn, answer);
    expect(await ask(modelAt(baseURL, "flat"), request("flat"))).toMatchObject({ ok: true, attempts: 2 });
  });

  test("HTML with 200 is no answer", async () => {
    const { baseURL } = await serve((response) => response.end("<html>"));
    const reply = await ask(modelAt(baseURL, "flat"), request("flat"));
    // As a stream it is one that holds nothing.
    expect(reply).toMatchObject({ ok: false, code: streaming ? "unreachable" : "bad_answer" });
  });

  test("a reply that was cut by length, and one that was refused", async () => {
    const cut = await serve(says({ content: "{" }, "length"));
    expect(await ask(modelAt(cut.baseURL, "flat"), request("flat"))).toMatchObject({ text: "{", finish: "length" });
    const filtered = await serve(says({ content: "" }, "content_filter"));
    const reply = await ask(modelAt(filtered.baseURL, "flat"), request("flat"));
    expect(reply).toMatchObject({ ok: true, text: "", finish: "content_filter" });
  });

  test("a server that never answers is left when the call is aborted", async () => {
    const controller = new AbortController();
    const { baseURL } = await serve(() => controller.abort());
    const one = request("flat", { signal: controller.signal });
    expect(await ask(modelAt(baseURL, "flat"), one)).toMatchObject({ ok: false, code: "aborted" });
  });

  test("nobody there", async () => {
    const reply = await ask(modelAt("http://127.0.0.1:1/v1", "flat"), request("flat"));
    expect(reply).toMatchObject({ ok: false, code: "unreachable" });
  });
});

describe("a stream over the AI SDK", () => {
  const chunk = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({ id: "x", choices: [{ delta, finish_reason: finish }] })}\n\n`;
  const begins = (response: ServerResponse, ...chunks: readonly string[]): void => {
    response.setHeader("content-type", "text/event-stream");
    for (const one of chunks) response.write(one);
  };

  const half = chunk({ content: "half" });
  const error = `data: ${JSON.stringify({ error: { message: "the engine died" } })}\n\n`;

  test.each<[string, readonly string[], "torn" | "ended"]>([
    ["that the connection tears", [half], "torn"],
    ["that ends without a finish", [half], "ended"],
    ["with an error in it", [half, error], "ended"],
  ])("%s is asked for again, and what was heard is void", async (_what, chunks, how) => {
    let tear = (): void => {};
    const broken = (response: ServerResponse): void => {
      begins(response, ...chunks);
      // Torn once the client has heard what was sent, so that it has.
      if (how === "torn") tear = () => void response.destroy();
      else response.end();
    };
    const { baseURL } = await serve(broken, says({ content: "whole" }));
    const heard: (string | null)[] = [];
    const onDelta = (said: string | null): void => {
      heard.push(said);
      tear();
    };
    const reply = await modelAt(baseURL, "flat").complete(request("flat", { onDelta }));
    expect(reply).toMatchObject({ ok: true, text: "whole", attempts: 2 });
    expect(heard).toEqual(["half", null, "whole"]);
  });

  test("tool calls in pieces are put together by the SDK", async () => {
    const pieces = (response: ServerResponse): void => {
      const part = (one: object): string => chunk({ tool_calls: [{ index: 0, ...one }] });
      begins(
        response,
        part({ id: "c", type: "function", function: { name: "look_up", arguments: "" } }),
        part({ function: { arguments: '{"order":' } }),
        part({ function: { arguments: '"1042"}' } }),
        chunk({}, "tool_calls"),
      );
      response.end("data: [DONE]\n\n");
    };
    const { baseURL } = await serve(pieces);
    const reply = await modelAt(baseURL, "tools").complete(withDelta(request("tools"), []));
    expect(reply).toMatchObject({
      ok: true,
      calls: [{ name: "look_up", args: '{"order":"1042"}' }],
      promptTokens: null,
    });
  });
});

describe("what is said of the door", () => {
  const root = fileURLToPath(new URL("../../..", import.meta.url));

  test("the guide's code compiles", () => {
    const guide = readFileSync(`${root}docs/guide.md`, "utf8");
    const section = /\n## Other providers through the AI SDK\n([\s\S]*?)\n## /.exec(guide)?.[1] ?? "";
    const code = /```ts\n([\s\S]*?)```/.exec(section)?.[1] ?? "";
    expect(code).toContain("signalbox/ai-sdk");
    const folder = `${root}.twins/guide-ai-sdk`;
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/guide.ts`, code);
    writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ extends: "../../tsconfig.json", include: ["guide.ts"] }));
    const compiler = `${root}node_modules/typescript/bin/tsc`;
    const checked = spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
    expect(checked).toMatchObject({ stdout: "", status: 0 });
  });

  test("it loads no package", () => {
    const door = new URL("./index.ts", import.meta.url).href;
    const program = `import { registerHooks } from "node:module";
const loaded = [];
registerHooks({ resolve: (name, context, next) => { loaded.push(name); return next(name, context); } });
await import(${JSON.stringify(door)});
console.log(JSON.stringify(loaded.filter((name) => !/^(\\.|file:|node:)/.test(name))));`;
    const printed = execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
    expect(JSON.parse(printed)).toEqual([]);
  });
});
