import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { cli, desk, documentIn, folder } from "./stage.ts";

type Check = { readonly name: string; readonly state: "ok" | "warning" | "failed"; readonly detail: string };
type Answer = (body: Body, response: ServerResponse) => void;
type Body = {
  readonly model?: string;
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly response_format?: { readonly json_schema?: { readonly schema?: Schema } };
  readonly content?: string;
  readonly prompt?: string;
};
type Schema = { readonly properties?: Readonly<Record<string, { readonly enum?: readonly (string | null)[] }>> };

/** A server on loopback, by path; what it has no answer for is not found. */
async function server(answers: Readonly<Record<string, Answer>>): Promise<string> {
  const made = createServer((request, response) => {
    void bodyOf(request).then((text) => {
      const path = Object.keys(answers).find((end) => request.url?.endsWith(end));
      response.setHeader("content-type", "application/json");
      const answer = path === undefined ? undefined : answers[path];
      if (answer === undefined) response.writeHead(404).end("{}");
      else answer(text === "" ? {} : JSON.parse(text), response);
    });
  });
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void made.close());
  const address = made.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/v1`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function say(response: ServerResponse, content: string, calls: readonly object[] = []): void {
  const message = { role: "assistant", content, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
  response.end(JSON.stringify({ choices: [{ index: 0, finish_reason: "stop", message }] }));
}

/** Says what it was asked for, whatever the schema. */
const ignores: Answer = (_, response) => say(response, "pong");

/** Keeps to a schema: the first of each list, null for the rest. */
const honours: Answer = (body, response) => {
  const schema = body.response_format?.json_schema?.schema;
  if (schema === undefined) return say(response, "pong");
  const fields = Object.entries(schema.properties ?? {}).map(([key, field]) => [key, field.enum?.[0] ?? null]);
  say(response, JSON.stringify(Object.fromEntries(fields)));
};

const calls: Answer = (body, response) => {
  const name = body.tools?.[0]?.function.name;
  if (name === undefined) return say(response, "pong");
  say(response, "", [{ id: "1", type: "function", function: { name, arguments: '{"word":"pong"}' } }]);
};

async function checked(
  model: object,
  config: object = {},
  description = "Look something up.",
): Promise<{ readonly code: number; readonly of: (name: string) => Check | undefined }> {
  const cwd = desk({ model: { name: "m", ...model }, config, description });
  const said = await cli(cwd, ["doctor", "--json"]);
  const { checks } = documentIn(said) as { checks: readonly Check[] };
  return { code: said.code, of: (name) => checks.find((check) => check.name === name) };
}

describe("what the server does with a schema", () => {
  test("honoured", async () => {
    const found = await checked({ baseUrl: await server({ "/chat/completions": honours }) });
    expect(found.code).toBe(0);
    expect(found.of("model")).toMatchObject({ state: "ok", detail: expect.stringMatching(/^m at http.* answers$/) });
    expect(found.of("schema")).toMatchObject({ state: "ok", detail: expect.stringMatching(/^honoured: /) });
  });

  test("ignored: a warning with what to do, for each server that is known for it", async () => {
    const baseUrl = await server({ "/chat/completions": ignores });
    const found = await checked({ baseUrl });
    expect(found.code).toBe(0);
    const { state, detail } = found.of("schema") ?? { state: "ok", detail: "" };
    expect(state).toBe("warning");
    expect(detail).toMatch(/^ignored: the server accepted a JSON schema and did not enforce it/);
    expect(detail).toContain('What was seen: a JSON Schema is accepted and ignored: the reply began with "pong";');
    for (const word of ["vLLM", "response_format", "Ollama: use 0.5", "llama.cpp", "--jinja", 'model.mode: "tools"']) {
      expect(detail).toContain(word);
    }
    const said = await cli(desk({ model: { baseUrl, name: "m" } }), ["doctor"], {
      isTty: true,
      columns: 80,
      env: { NO_COLOR: "1" },
    });
    expect(said.stdout.slice(said.stdout.indexOf("warning"))).toMatchInlineSnapshot(`
      "warning  schema     ignored: the server accepted a JSON schema and did not
                          enforce it, so every reply depends on the model alone. What
                          was seen: a JSON Schema is accepted and ignored: the reply
                          began with "pong"; no tokeniser; the window is not told.
                          vLLM: use a version that knows response_format (guided_*
                          were removed). Ollama: use 0.5 or newer, and a model whose
                          template supports format. llama.cpp: start it with --jinja.
                          Or set model.mode: "tools"
      ok       window     16,384 tokens, 1,024 of them kept for the reply
      ok       prompt     system text and tools of operator take 1,486 of 46,080 bytes
      ok       tokens     estimated: 3 bytes a token (unmeasured); the server has no
                          tokeniser to ask
      ready · 10 ok · 1 warning · 0 failed
      "
    `);
  });

  test("refused: no schema is sent, and the server answers", async () => {
    const refuses: Answer = (body, response) => {
      if (body.response_format === undefined) return say(response, "pong");
      response.writeHead(400).end(JSON.stringify({ error: { message: "response_format is not supported" } }));
    };
    const found = await checked({ baseUrl: await server({ "/chat/completions": refuses }) });
    expect(found.code).toBe(0);
    expect(found.of("model")).toMatchObject({ state: "ok" });
    expect(found.of("schema")).toMatchObject({
      state: "warning",
      detail: expect.stringMatching(/^refused: Signalbox sends no schema to this server.*What was seen: /),
    });
  });

  test.each([
    ["honoured", calls, "ok", /^honoured: /],
    [
      "ignored",
      ignores,
      "warning",
      /^ignored: .*What was seen: .*not called .*began with "pong".*--enable-auto-tool-choice.*--jinja.*"flat"$/,
    ],
  ] as const)("native tools: %s", async (_, answer, state, detail) => {
    const found = await checked({ baseUrl: await server({ "/chat/completions": answer }), mode: "tools" });
    expect(found.of("tool calls")).toMatchObject({ state, detail: expect.stringMatching(detail) });
    expect(found.of("schema")).toBeUndefined();
  });
});

describe("a canary that says nothing of the server", () => {
  const says = (content: string, finish: string, more: object = {}): Answer => {
    const message = { role: "assistant", content, ...more };
    return (_, response) =>
      void response.end(JSON.stringify({ choices: [{ index: 0, finish_reason: finish, message }] }));
  };

  test.each<[string, Answer, string]>([
    ["cut while it thinks", says("", "length"), "was cut at 2048 tokens"],
    ["cut in what it thinks", says("<think>Let me think", "length"), 'the reply began with "<think>Let me think"'],
    ["empty", says("", "stop", { reasoning_content: "pong" }), "nothing but what it thought"],
    ["refused", says("", "stop", { refusal: "no" }), "refused to answer"],
  ])("%s: a warning with what was seen and what to do", async (_, answer, seen) => {
    const baseUrl = await server({ "/chat/completions": answer });
    for (const [mode, name, other] of [
      ["flat", "schema", 'model.mode: "tools"'],
      ["tools", "tool calls", 'model.mode: "flat"'],
    ] as const) {
      const found = await checked({ baseUrl, mode });
      expect(found.code).toBe(0);
      expect(found.of("model")).toMatchObject({ state: "ok" });
      const { state, detail } = found.of(name) ?? { state: "ok", detail: "" };
      expect(state).toBe("warning");
      expect(detail).toMatch(/^unclear: /);
      expect(detail).not.toContain("ignored");
      for (const words of [seen, "/no_think", "chat_template_kwargs", "reasoning_effort", "another model", other]) {
        expect(detail).toContain(words);
      }
    }
  });
});

describe("a server that does not answer", () => {
  test("one in trouble with its model: it is not called deaf to schemas, and its window is told", async () => {
    const loading: Answer = (_body, response) => void response.writeHead(503).end("Loading model");
    const models: Answer = (_body, response) =>
      void response.end(JSON.stringify({ data: [{ id: "m", max_model_len: 32_768 }] }));
    const baseUrl = await server({ "/chat/completions": loading, "/models": models });
    const found = await checked({ baseUrl, retries: 0 });
    expect(found.code).toBe(5);
    expect(found.of("model")).toMatchObject({
      state: "failed",
      detail: expect.stringContaining("HTTP 503: Loading model"),
    });
    expect(found.of("schema")).toBeUndefined();
    expect(found.of("window")).toMatchObject({ state: "ok", detail: expect.stringContaining("server holds 32,768") });
  });

  test.each([
    ["500", 500, "out of memory"],
    ["401", 401, '{"error":{"message":"no such key"}}'],
  ])("[cli-exit-codes] 5: it says %s to everything", async (_, status, body) => {
    const broken: Answer = (_body, response) => void response.writeHead(status).end(body);
    const found = await checked({ baseUrl: await server({ "/chat/completions": broken }), retries: 0 });
    expect(found.code).toBe(5);
    expect(found.of("model")).toMatchObject({ state: "failed", detail: expect.stringContaining(`HTTP ${status}`) });
    expect(found.of("schema")).toBeUndefined();
  });

  test("[cli-exit-codes] 5: there is none", async () => {
    const found = await checked({ baseUrl: "http://127.0.0.1:9/v1", retries: 0 });
    expect(found.code).toBe(5);
    expect(found.of("model")).toMatchObject({ state: "failed", detail: expect.stringContaining("unreachable: ") });
    expect(found.of("window")).toMatchObject({ state: "ok" });
  });
});

describe("how much fits", () => {
  const models =
    (windowTokens: number): Answer =>
    (_, response) =>
      void response.end(JSON.stringify({ data: [{ id: "m", max_model_len: windowTokens }] }));

  test.each([
    [16_383, "failed", 1, /holds 16,383 tokens and the config says 16,384.*Set window: \{ tokens: 16383 \}.*num_ctx/],
    [16_384, "ok", 0, /^16,384 tokens, 1,024 of them kept for the reply$/],
    [16_385, "ok", 0, /; the server holds 16,385: window: \{ tokens: 16385 \} would use them$/],
  ] as const)("a server's window of %i tokens", async (windowTokens, state, code, detail) => {
    const baseUrl = await server({ "/chat/completions": honours, "/models": models(windowTokens) });
    const found = await checked({ baseUrl });
    expect(found.of("window")).toMatchObject({ state, detail: expect.stringMatching(detail) });
    expect(found.code).toBe(code);
  });

  test.each([
    [
      1,
      "warning",
      /^measured by .*, 1 bytes a token; window\.bytesPerToken is 3.*\{ bytesPerToken: 1, measured: "m" \}$/,
    ],
    [
      4,
      "ok",
      /^measured by the server's tokeniser: [\d,]+ bytes of system text are [\d,]+ tokens, (?:4|3\.9) bytes a token$/,
    ],
  ] as const)("a tokeniser that gives %i bytes to a token", async (each, state, detail) => {
    const tokenize: Answer = (body, response) => {
      const count = Math.ceil((body.content ?? body.prompt ?? "").length / each);
      response.end(JSON.stringify({ count, tokens: Array(count).fill(1) }));
    };
    const baseUrl = await server({ "/chat/completions": honours, "/tokenize": tokenize });
    const found = await checked({ baseUrl });
    expect(found.of("tokens")).toMatchObject({ state, detail: expect.stringMatching(detail) });
  });

  test("without a tokeniser the tokens are estimated, and that is said", async () => {
    const found = await checked({ baseUrl: await server({ "/chat/completions": honours }) });
    expect(found.of("tokens")).toMatchObject({
      state: "ok",
      detail: "estimated: 3 bytes a token (unmeasured); the server has no tokeniser to ask",
    });
  });

  test("the largest principal's system text, and what it leaves", async () => {
    const baseUrl = await server({ "/chat/completions": honours });
    const roomy = await checked({ baseUrl });
    expect(roomy.of("prompt")).toMatchObject({
      state: "ok",
      detail: expect.stringMatching(/^system text and tools of operator take [\d,]+ of 46,080 bytes$/),
    });
    // The same bytes in a window that holds twice as much, and in one that holds a little less.
    const bytes = Number(/take ([\d,]+) of/.exec(roomy.of("prompt")?.detail ?? "")?.[1]?.replaceAll(",", ""));
    const description = "x".repeat(2_000);
    const all = bytes + description.length - "Look something up.".length;
    for (const [bytesMax, state] of [
      [2 * all, "ok"],
      [2 * all - 1, "warning"],
    ] as const) {
      const window = { tokens: bytesMax + 100, outputTokens: 100, bytesPerToken: 1 };
      const found = await checked({ baseUrl }, { window }, description);
      expect(found.of("prompt")).toMatchObject({ state });
    }
  });
});

describe("a model of one's own", () => {
  const config = (model: string): string => `
    import { defineConfig } from "signalbox";
    const complete = async () => ({ ok: true, text: "x", finish: "stop", promptTokens: null, completionTokens: null });
    const probe = { schema: "honoured", tools: "honoured", tokeniser: true, windowTokens: null, detail: "" };
    const model = { name: "mine", kind: "live", where: "here", complete, ${model} };
    export default defineConfig({ model, tools: [], store: "memory", redact: { values: ["canary-4711"] } });
  `;

  async function checkedOwn(model: string): Promise<{ readonly code: number; readonly checks: readonly Check[] }> {
    const said = await cli(folder({ "signalbox.config.ts": config(model) }), ["doctor", "--json"]);
    return { code: said.code, checks: (documentIn(said) as { checks: readonly Check[] }).checks };
  }

  test("without a probe: whether it answers", async () => {
    const { code, checks } = await checkedOwn("");
    expect(code).toBe(0);
    expect(checks).toContainEqual({ name: "model", state: "ok", detail: "mine at here answers" });
    expect(checks.map((check) => check.name)).toEqual([
      "node",
      "config",
      "principals",
      "ledger",
      "model",
      "window",
      "prompt",
      "tokens",
    ]);
  });

  test.each([
    [
      "a probe that throws",
      'probe: async () => { throw new Error("boom canary-4711"); }',
      5,
      "here: adapter_threw: boom [redacted]",
    ],
    ["a probe that rejects nothing", "probe: () => Promise.reject(null)", 5, "here: adapter_threw: null"],
    [
      "a probe that reaches nobody",
      'probe: async () => ({ ...probe, schema: "unreachable", detail: "canary-4711" })',
      5,
      "here: unreachable: [redacted]",
    ],
    [
      "an error, and no answer either",
      'probe: async () => ({ ...probe, schema: "error" }), complete: async () => { throw new Error("boom"); }',
      5,
      "here: adapter_threw: boom",
    ],
    ["an error, and an answer", 'probe: async () => ({ ...probe, schema: "error" })', 0, "mine at here answers"],
  ])("%s", async (_, model, code, detail) => {
    const found = await checkedOwn(model);
    expect(found.code).toBe(code);
    expect(found.checks.find((check) => check.name === "model")).toMatchObject({ detail });
  });

  test.each([
    ["countTokens: async () => { throw new Error(); }", "the server's tokeniser did not answer"],
    ["countTokens: async () => NaN", "the server's tokeniser did not answer"],
    ["countTokens: async () => 0", "the server's tokeniser did not answer"],
  ])("a count that is none: %s", async (model, why) => {
    const found = await checkedOwn(`probe: async () => probe, ${model}`);
    expect(found.code).toBe(0);
    expect(found.checks.find((check) => check.name === "tokens")?.detail).toBe(
      `estimated: 3 bytes a token (unmeasured); ${why}`,
    );
  });
});
