import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { doctor } from "../../src/apps/cli/doctor.ts";
import { loadConfig } from "../../src/apps/cli/load-config.ts";
import { cli, desk, documentIn, folder } from "./stage.ts";

type Check = {
  readonly name: string;
  readonly state: "ok" | "warning" | "failed" | "skipped";
  readonly code: string;
  readonly detail: string;
  readonly hint?: string;
};
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

const refusesTools: Answer = (body, response) => {
  if (body.tools === undefined || body.tools.length === 0) return honours(body, response);
  response.writeHead(400).end(JSON.stringify({ error: { message: "no tools here" } }));
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
    expect(found.of("schema")).toEqual({
      name: "schema",
      state: "warning",
      code: "schema_ignored",
      detail:
        "ignored: the server accepted a JSON schema and did not enforce it, so every reply depends on the model alone. " +
        'What was seen: the reply began with "pong"',
      hint: [
        "vLLM: use a version that knows response_format (guided_* were removed)",
        "Ollama: use 0.5 or newer, and a model whose template supports format",
        "llama.cpp: start it with --jinja",
        'Or set model.mode: "tools"',
      ].join("\n"),
    });
    const said = await cli(desk({ model: { baseUrl, name: "m" } }), ["doctor"], {
      isTty: true,
      columns: 80,
      env: { NO_COLOR: "1" },
    });
    expect(said.stdout.slice(said.stdout.indexOf("warning  schema"))).toMatchInlineSnapshot(`
      "warning  schema      ignored: the server accepted a JSON schema and did not
                           enforce it, so every reply depends on the model alone. What
                           was seen: the reply began with "pong"
                           vLLM: use a version that knows response_format (guided_*
                           were removed)
                           Ollama: use 0.5 or newer, and a model whose template
                           supports format
                           llama.cpp: start it with --jinja
                           Or set model.mode: "tools"
      warning  window      the server does not say its window; 16,384 is the config's
                           word
                           Declare what the server holds: window: { tokens }
                           Ollama: set num_ctx or OLLAMA_CONTEXT_LENGTH to as many; it
                           drops the front of a longer prompt without a word
      ok       prompt      system text and tools of operator take 1,486 of 46,080
                           bytes
      ok       tokens      estimated: 3 bytes a token (unmeasured); the server has no
                           tokeniser to ask
      tool  placement     output  input  action     evidence  traced  caps
      look  internal      open    2      hint only  -         -       -
      seer  internal      open    1      hint only  -         -       -
      pay   irreversible  closed  2      own        1         -       2
      output: the type of its params; input: principals that may use it; evidence: ids
      to cite; traced: fields that must have been seen; caps: blast radius
      ready · 9 ok · 3 warnings · 0 failed
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
      code: "schema_refused",
      detail: "refused: Signalbox sends no schema to this server, so every reply depends on the model alone",
    });
  });

  test.each([
    ["honoured", calls, "ok", 0, /^honoured: /, /^$/],
    [
      "ignored",
      ignores,
      "warning",
      0,
      /^ignored: .*seen: the reply began with "pong"$/,
      /--enable-auto.*--jinja.*"flat"$/s,
    ],
    ["refused", refusesTools, "failed", 1, /^refused: .*seen: HTTP 400: no tools here$/, /^Set model\.mode: "flat"$/],
  ] as const)("native tools: %s", async (word, answer, state, code, detail, hint) => {
    const found = await checked({ baseUrl: await server({ "/chat/completions": answer }), mode: "tools" });
    const check = found.of("tool calls");
    expect(check).toMatchObject({ state, code: `tools_${word}`, detail: expect.stringMatching(detail) });
    expect(check?.hint ?? "").toMatch(hint);
    expect(found.code).toBe(code);
    expect(found.of("model")).toMatchObject({ state: "ok" });
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
      const { state, detail, hint = "" } = found.of(name) ?? { state: "ok", detail: "" };
      expect(state).toBe("warning");
      expect(detail).toMatch(/^unclear: /);
      expect(detail).not.toContain("ignored");
      expect(detail).toContain(seen);
      for (const words of ["/no_think", "chat_template_kwargs", "reasoning_effort", "another model", other]) {
        expect(hint).toContain(words);
      }
    }
  });
});

describe("a server that does not answer", () => {
  const status =
    (code: number, body: string): Answer =>
    (_body, response) =>
      void response.writeHead(code).end(body);
  const has =
    (...ids: readonly string[]): Answer =>
    (_body, response) =>
      void response.end(JSON.stringify({ data: ids.map((id) => ({ id, max_model_len: 32_768 })) }));

  test.each<[string, Readonly<Record<string, Answer>>, string, RegExp, RegExp]>([
    ["500", { "/completions": status(500, "out of memory") }, "model_http_error", /: HTTP 500: out of memory$/, /log/],
    ["401", { "/completions": status(401, "who?") }, "model_key_refused", /: HTTP 401: who\?$/, /^Set model\.apiKey$/],
    ["403", { "/completions": status(403, "no") }, "model_key_refused", /: HTTP 403: no$/, /^Set model\.apiKey$/],
    ["429", { "/completions": status(429, "") }, "model_busy", /busy or still loading: HTTP 429/, /^Try again/],
    [
      "503, though it tells its window",
      { "/completions": status(503, "Loading model"), "/models": has("m") },
      "model_busy",
      /busy or still loading: HTTP 503: Loading model$/,
      /^Try again/,
    ],
    [
      "404 to every path",
      {},
      "model_path_not_found",
      /nothing is served at this path: HTTP 404/,
      /usually ends in \/v1/,
    ],
    [
      "404 to a path beside the one of its models",
      { "/models": has("m", "o") },
      "model_path_not_found",
      /nothing is served at this path/,
      /usually ends in \/v1/,
    ],
    [
      "404 to a model that it has not",
      { "/completions": status(404, 'model "m" not found'), "/models": has("a", "b", "c", "d", "e", "f") },
      "model_not_found",
      /does not have the model "m"; the server has: a, b, c, d, e \(HTTP 404: model "m" not found\)$/,
      /^Set model\.name.*\nOllama: ollama pull/,
    ],
    [
      "404 to a model, and has none",
      { "/completions": status(404, "{}"), "/models": has() },
      "model_not_found",
      /the server has: none/,
      /^Set model\.name/,
    ],
    [
      "400 to a model, and no list of them",
      { "/completions": status(400, "the model m does not exist") },
      "model_not_found",
      /does not have the model "m" \(HTTP 400/,
      /^Set model\.name/,
    ],
    [
      "400 to everything",
      { "/completions": status(400, "bad request"), "/models": has("a") },
      "model_http_error",
      /answers with an error: HTTP 400: bad request$/,
      /log/,
    ],
    [
      "no reply of a model",
      { "/completions": (_, response) => void response.end("<html>") },
      "model_bad_answer",
      /the answer is no reply of a model: .*not_json/,
      /OpenAI-compatible/,
    ],
    [
      "nothing, and hangs up",
      { "/completions": (_, response) => void response.destroy() },
      "model_broke_off",
      /the connection brought no answer: /,
      /http or https/,
    ],
  ])("[cli-exit-codes] 5: it says %s", async (_, answers, code, detail, hint) => {
    const baseUrl = await server(answers);
    const found = await checked({ baseUrl, retries: 0 });
    expect(found.code).toBe(5);
    const model = found.of("model");
    expect(model).toMatchObject({ state: "failed", code, detail: expect.stringMatching(detail) });
    expect(model?.hint).toMatch(hint);
    expect(model?.detail.split(baseUrl)).toHaveLength(2);
    expect(model?.detail).not.toContain("unreachable");
    for (const name of ["schema", "window", "tokens"]) {
      expect(found.of(name)).toEqual({ name, state: "skipped", code: "skipped", detail: "the model did not answer" });
    }
    expect(found.of("prompt")).toMatchObject({ state: "ok" });
  });

  test("[cli-exit-codes] 5: there is none", async () => {
    const found = await checked({ baseUrl: "http://127.0.0.1:9/v1", retries: 0, mode: "tools" });
    expect(found.code).toBe(5);
    expect(found.of("model")).toMatchObject({
      state: "failed",
      code: "model_unreachable",
      detail: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9\/v1: unreachable: ECONNREFUSED[^/]*$/),
      hint: "Is the server running? For example: ollama serve",
    });
    for (const name of ["tool calls", "window", "tokens"]) expect(found.of(name)).toMatchObject({ state: "skipped" });
  });

  test("names of models that are secret, long or lead a terminal astray are harmless", async () => {
    const names = ["sk-canary-4711", `${"x".repeat(100)}y`, "\u001b]0;owned\u0007\nfailed  ledger"];
    const baseUrl = await server({ "/models": has(...names) });
    const model = { baseUrl, name: "m", apiKey: "sk-canary-4711", retries: 0 };
    const { stdout } = await cli(desk({ model }), ["doctor"]);
    expect(stdout).toContain(`the server has: [redacted], ${"x".repeat(80)}, \\u{1b}]0;owned\\u{7}⏎failed  ledger (`);
  });

  test("one that is silent: what needs no server is printed before, what is waited for is shown, and the wait ends", async () => {
    const written: string[] = [];
    let before = "";
    const baseUrl = await server({
      "/completions": () => {
        before ||= written.join("");
      },
    });
    const cwd = desk({ model: { baseUrl, name: "m" } });
    const io = {
      stdout: { write: (text: string) => void written.push(text) },
      stderr: { write: () => {} },
      env: { NO_COLOR: "1" },
      cwd,
      isTty: true,
      columns: 100,
    };
    expect(await doctor(io, await loadConfig(io, undefined), false, 1_000)).toBe(5);
    expect(before).toMatch(/^ok +node .*\nok +config .*\nok +ledger .*\nwaiting for the model at http:\S+ …$/s);
    const after = written.join("").slice(before.length);
    expect(after.startsWith("\r\u001b[Kfailed   model")).toBe(true);
    expect(after).toMatch(/ http:\S+: no answer within 1 s\n/);
    expect(after).toMatch(/\nskipped +schema .*\nskipped +window .*\nskipped +tokens /s);
    expect(after).toMatch(/\nnot ready · \d+ ok · \d+ warnings? · 1 failed · 3 skipped\n$/);
    expect(after).not.toContain("aborted");
    const piped = await cli(desk({ model: { baseUrl: await server({}), name: "m" } }), ["doctor"]);
    expect(piped.stdout).not.toContain("waiting");
  });
});

describe("how much fits", () => {
  const models =
    (windowTokens: number): Answer =>
    (_, response) =>
      void response.end(JSON.stringify({ data: [{ id: "m", max_model_len: windowTokens }] }));

  test.each([
    [
      16_383,
      "failed",
      "window_smaller",
      1,
      /holds 16,383 tokens and the config says 16,384, .* without a word$/,
      /^Set window: \{ tokens: 16383 \}.*\nOllama: num_ctx/,
    ],
    [16_384, "ok", "window_same", 0, /^16,384 tokens, 1,024 of them kept for the reply$/, /^$/],
    [16_385, "ok", "window_larger", 0, /; the server holds 16,385$/, /^window: \{ tokens: 16385 \} would use them$/],
  ] as const)("a server's window of %i tokens", async (windowTokens, state, word, code, detail, hint) => {
    const baseUrl = await server({ "/chat/completions": honours, "/models": models(windowTokens) });
    const found = await checked({ baseUrl });
    expect(found.of("window")).toMatchObject({ state, code: word, detail: expect.stringMatching(detail) });
    expect(found.of("window")?.hint ?? "").toMatch(hint);
    expect(found.code).toBe(code);
  });

  test("a server that does not say its window: a warning, and never ok", async () => {
    const found = await checked({ baseUrl: await server({ "/chat/completions": honours }) });
    expect(found.code).toBe(0);
    expect(found.of("window")).toEqual({
      name: "window",
      state: "warning",
      code: "window_untold",
      detail: "the server does not say its window; 16,384 is the config's word",
      hint:
        "Declare what the server holds: window: { tokens }\n" +
        "Ollama: set num_ctx or OLLAMA_CONTEXT_LENGTH to as many; it drops the front of a longer prompt without a word",
    });
  });

  test.each([
    [
      1,
      "warning",
      /^measured by .*, 1 bytes a token; window\.bytesPerToken is 3, so prompts are larger than they seem$/,
      /^Set window: \{ bytesPerToken: 1, measured: "m" \}$/,
    ],
    [
      4,
      "ok",
      /^measured by the server's tokeniser: [\d,]+ bytes of system text are [\d,]+ tokens, (?:4|3\.9) bytes a token$/,
      /^$/,
    ],
  ] as const)("a tokeniser that gives %i bytes to a token", async (each, state, detail, hint) => {
    const tokenize: Answer = (body, response) => {
      const count = Math.ceil((body.content ?? body.prompt ?? "").length / each);
      response.end(JSON.stringify({ count, tokens: Array(count).fill(1) }));
    };
    const baseUrl = await server({ "/chat/completions": honours, "/tokenize": tokenize });
    const found = await checked({ baseUrl });
    expect(found.of("tokens")).toMatchObject({ state, detail: expect.stringMatching(detail) });
    expect(found.of("tokens")?.hint ?? "").toMatch(hint);
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
    expect(checks).toContainEqual({
      name: "model",
      state: "ok",
      code: "model_answers",
      detail: "mine at here answers",
    });
    expect(checks.map((check) => check.name)).toEqual([
      "node",
      "config",
      "policy",
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
      "here: probe_failed: [redacted]",
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

  test("one that does not listen to its signal is not waited for", async () => {
    const cwd = folder({ "signalbox.config.ts": config("probe: () => new Promise(() => {})") });
    const written: string[] = [];
    const sink = { write: (text: string) => void written.push(text) };
    const io = { stdout: sink, stderr: sink, env: {}, cwd, isTty: false };
    expect(await doctor(io, await loadConfig(io, undefined), true, 10)).toBe(5);
    expect(written).toHaveLength(1);
    const { checks } = JSON.parse(written.join("")) as { checks: readonly Check[] };
    expect(checks.find((check) => check.name === "model")).toMatchObject({
      code: "model_silent",
      detail: "here: no answer within 1 s",
    });
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
