import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import type { ModelReply } from "../../ports/model.ts";
import { openAiModel } from "./index.ts";

type Heard = { readonly headers: IncomingMessage["headers"]; readonly body: string; readonly url: string };
const open: { close: () => void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

/** A server on loopback that answers as told and keeps what it heard. */
async function serve(answer: (response: ServerResponse) => void): Promise<{ url: string; heard: Heard[] }> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      heard.push({ headers: request.headers, body, url: request.url ?? "" });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, heard };
}

function ask(baseUrl: string, signal: AbortSignal = new AbortController().signal): Promise<ModelReply> {
  const request = {
    system: "s",
    messages: [{ role: "user" as const, content: "u" }],
    mode: "flat" as const,
    schema: {},
    schemaStrict: null,
    tools: [],
    outputTokensMax: 7,
    signal,
  };
  return openAiModel({ baseUrl, name: "m", apiKey: "key-1" }).complete(request);
}

const completion = (message: object, more: object = {}): string =>
  JSON.stringify({
    id: "x",
    choices: [{ message, finish_reason: "stop", ...more }],
    usage: { prompt_tokens: 3, completion_tokens: 4 },
  });

describe("an OpenAI-compatible server", () => {
  test("one request, with the schema and without anything added to the prompt", async () => {
    const { url, heard } = await serve((response) => response.end(completion({ content: "hi" })));
    expect(await ask(url)).toEqual({ ok: true, text: "hi", finish: "stop", promptTokens: 3, completionTokens: 4 });
    expect(heard).toHaveLength(1);
    expect(heard[0]?.url).toBe("/v1/chat/completions");
    expect(heard[0]?.headers.authorization).toBe("Bearer key-1");
    expect(JSON.parse(heard[0]?.body ?? "")).toMatchObject({
      model: "m",
      messages: [
        { role: "system", content: "s" },
        { role: "user", content: "u" },
      ],
      max_tokens: 7,
      temperature: 0,
      response_format: { type: "json_schema" },
    });
  });

  test.each([
    ["a refusal", completion({ content: null, refusal: "no" }), { ok: true, text: "", finish: "refusal" }],
    [
      "a cut reply",
      completion({ content: "{" }, { finish_reason: "length" }),
      { ok: true, text: "{", finish: "length" },
    ],
    ["no finish reason", completion({ content: "x" }, { finish_reason: null }), { ok: true, finish: "none" }],
    [
      "a finish reason that is an object",
      completion({ content: "x" }, { finish_reason: {} }),
      { ok: true, finish: "none" },
    ],
    ["content that is no text", completion({ content: [1] }), { ok: true, text: "" }],
    ["no choices", "{}", { ok: false, code: "bad_answer" }],
    ["HTML with 200", "<html>", { ok: false, code: "bad_answer" }],
    [
      "usage that is no number",
      JSON.stringify({ choices: [{ message: { content: "x" } }], usage: { prompt_tokens: "3" } }),
      { ok: true, promptTokens: null },
    ],
    ["a prototype name", '{"__proto__":{"choices":[{"message":{"content":"x"}}]}}', { ok: false, code: "bad_answer" }],
  ])("%s", async (_what, body, expected) => {
    const { url } = await serve((response) => response.end(body));
    expect(await ask(url)).toMatchObject(expected);
  });

  test.each([
    [500, "oops", "http_error"],
    [400, "the request exceeds the available context size", "context_overflow"],
    [400, "bad schema", "http_error"],
    [401, "who?", "http_error"],
  ])("HTTP %i %s is %s", async (status, body, code) => {
    const { url } = await serve((response) => response.writeHead(status).end(body));
    expect(await ask(url)).toMatchObject({ ok: false, code });
  });

  test("nobody there, an aborted call, a redirect and a broken connection are values, not throws", async () => {
    expect(await ask("http://127.0.0.1:1/v1")).toMatchObject({ ok: false, code: "unreachable" });
    expect(await ask("http://user:secret@127.0.0.1:1/v1")).not.toMatchObject({
      detail: expect.stringContaining("secret"),
    });
    const { url } = await serve((response) => response.end(completion({ content: "hi" })));
    expect(await ask(url, AbortSignal.abort())).toMatchObject({ ok: false });
    const elsewhere = await serve((response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end());
    expect(await ask(elsewhere.url)).toMatchObject({ ok: false, code: "unreachable" });
    const broken = await serve((response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("{");
      setImmediate(() => response.destroy());
    });
    expect(await ask(broken.url)).toMatchObject({ ok: false, code: "bad_answer" });
  });

  test("[json-bombs] a body without end is cut off", async () => {
    const { url } = await serve((response) => {
      const pump = (): void => {
        while (!response.destroyed && response.write(" ".repeat(65_536)));
        if (!response.destroyed) response.once("drain", pump);
      };
      pump();
    });
    expect(await ask(url)).toMatchObject({ ok: false, code: "bad_answer" });
  });
});
