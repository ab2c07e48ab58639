import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { completion, type Heard, modelAt, requestOf, SCHEMA, STRICT, serve } from "../../../test/loopback.ts";
import type { Probe } from "../../ports/model.ts";

const signal = new AbortController().signal;

type Chat = (response: ServerResponse, heard: Heard, n: number) => void;

function nonceOf(heard: Heard): string | undefined {
  const format = heard.json.response_format as
    | { readonly json_schema: { readonly schema: { readonly properties?: { readonly kind?: { enum: string[] } } } } }
    | undefined;
  return format?.json_schema.schema.properties?.kind?.enum[0];
}

const say = (response: ServerResponse, content: string | null, finish = "stop", more: object = {}): void =>
  void response.end(completion({ content, ...more }, { finish_reason: finish }));

const obey: Chat = (response, heard) => say(response, JSON.stringify({ kind: nonceOf(heard) ?? "pong" }));

/** Its chat is `chat`, and it has a tokeniser and a window. `n` counts the chats. */
async function serving(chat: Chat) {
  const chats: Heard[] = [];
  const { url } = await serve((response, heard) => {
    if (heard.url === "/tokenize") return response.end('{"count":1}');
    if (heard.url === "/v1/models") return response.end('{"data":[{"id":"m","max_model_len":4096}]}');
    if (heard.url !== "/v1/chat/completions") return response.writeHead(404).end();
    chats.push(heard);
    return chat(response, heard, chats.length);
  });
  return { url, chats };
}

const FACTS = { tokeniser: true, windowTokens: 4_096 };

async function probeOf(url: string, mode: "flat" | "tools" = "flat"): Promise<Probe | undefined> {
  return modelAt(url, { mode, retries: 0 }).probe?.(signal);
}

describe("a server in trouble is asked again later", () => {
  test.each([401, 403, 404, 429, 500, 502, 503, 504])("HTTP %i: unreachable, with its facts", async (status) => {
    const { url, chats } = await serving((response) => response.writeHead(status).end("loading"));
    for (const mode of ["flat", "tools"] as const) {
      const probe = await probeOf(url, mode);
      expect(probe).toMatchObject({ schema: "unreachable", ...FACTS });
      expect(probe?.detail).toContain(`HTTP ${status}: loading`);
    }
    // The canary and the bare request, and nothing of tools.
    expect(chats).toHaveLength(4);
    expect(chats.some(({ json }) => "tools" in json)).toBe(false);
  });

  test("what a canary came to in trouble is not kept", async () => {
    let up = false;
    const { url } = await serving((response, heard, n) =>
      up ? obey(response, heard, n) : response.writeHead(503).end("loading"),
    );
    const model = modelAt(url, { retries: 0 });
    expect(await model.probe?.(signal)).toMatchObject({ schema: "unreachable" });
    up = true;
    expect(await model.probe?.(signal)).toMatchObject({ schema: "honoured" });
    expect(await model.complete(requestOf())).toMatchObject({ sentAs: "params_object" });
  });

  test("trouble that passed between the canary and the bare request says nothing of schemas", async () => {
    const { url } = await serving((response, heard, n) =>
      n === 1 ? response.writeHead(503).end("loading") : obey(response, heard, n),
    );
    expect(await probeOf(url)).toMatchObject({ schema: "honoured", ...FACTS });
  });

  test("an answer that is none is trouble, too", async () => {
    const { url } = await serving((response) => response.end("<html>"));
    expect(await probeOf(url)).toMatchObject({ schema: "unreachable", ...FACTS });
  });

  test("where only native tools meet it, they are asked again, too", async () => {
    let broken = false;
    const { url } = await serving((response, heard, n) => {
      broken ||= "tools" in heard.json;
      if (broken) response.writeHead(503).end("loading");
      else obey(response, heard, n);
    });
    const probe = await probeOf(url, "tools");
    expect(probe).toMatchObject({ schema: "unreachable", ...FACTS });
    expect(probe?.detail).toContain("HTTP 503: loading");
  });

  test("an error is what only the form of a request meets", async () => {
    const refusing =
      (has: string, status: number): Chat =>
      (response, heard, n) =>
        has in heard.json ? response.writeHead(status).end("no") : obey(response, heard, n);
    for (const status of [400, 404, 422, 500, 501]) {
      const schema = await serving(refusing("response_format", status));
      expect(await probeOf(schema.url)).toMatchObject({ schema: "error", ...FACTS });
      const tools = await serving(refusing("tools", status));
      expect(await probeOf(tools.url, "tools")).toMatchObject({ schema: "honoured", tools: "error", ...FACTS });
    }
  });
});

describe("a canary that cannot be judged", () => {
  test.each<[string, string | null, string, object, RegExp]>([
    ["cut while it thinks", "", "length", { reasoning_content: "Let me" }, /cut/],
    ["cut in what it thinks", "<think>Let me", "length", {}, /cut.*<think>Let me/],
    ["cut in prose", "Sure, I will", "length", {}, /cut.*Sure, I will/],
    ["cut in what keeps to no schema", '{"kind":"po', "length", {}, /cut/],
    ["empty", null, "stop", { reasoning_content: "pong it is" }, /nothing/],
    ["only thinking", "<think>pong</think>", "stop", {}, /thinking/],
    ["refused", null, "stop", { refusal: "I cannot" }, /refused/],
    ["filtered", "po", "content_filter", {}, /refused/],
  ])("is unclear after it was given more room: %s", async (_what, content, finish, more, detail) => {
    const { url, chats } = await serving((response) => say(response, content, finish, more));
    const model = modelAt(url, { retries: 0 });
    const probe = await model.probe?.(signal);
    expect(probe).toMatchObject({ schema: "unclear", ...FACTS });
    expect(probe?.detail).toMatch(detail);
    const bounds = chats.map(({ json }) => Number(json.max_tokens));
    expect(bounds).toHaveLength(2);
    expect(bounds[1]).toBeGreaterThan(bounds[0] ?? 0);
    // Not as if it were ignored for good, and not as if it were honoured.
    expect(await model.complete(requestOf())).toMatchObject({ sentAs: "params_text" });
    expect(chats.at(-1)?.json.response_format).toMatchObject({ json_schema: { schema: SCHEMA } });
    const tools = await probeOf(url, "tools");
    expect(tools).toMatchObject({ schema: "unclear", tools: "unclear" });
    expect(tools?.detail.match(detail)?.length).toBeGreaterThan(0);
  });

  test("is judged where more room was enough", async () => {
    const { url } = await serving((response, heard, n) => {
      if (Number(heard.json.max_tokens) <= 512) say(response, "<think>Well", "length");
      else if ("tools" in heard.json) {
        say(response, null, "tool_calls", { tool_calls: [{ function: { name: "canary", arguments: "{}" } }] });
      } else obey(response, heard, n);
    });
    expect(await probeOf(url, "tools")).toMatchObject({ schema: "honoured", tools: "honoured" });
    const deaf = await serving((response, heard) =>
      Number(heard.json.max_tokens) <= 512 ? say(response, "", "length") : say(response, "pong"),
    );
    expect(await probeOf(deaf.url, "tools")).toMatchObject({ schema: "ignored", tools: "ignored" });
  });

  test("stays unclear where more room is refused", async () => {
    const { url } = await serving((response, heard) =>
      Number(heard.json.max_tokens) <= 512
        ? say(response, "", "length")
        : response.writeHead(400).end("max_tokens is too large for the window"),
    );
    expect(await probeOf(url, "tools")).toMatchObject({ schema: "unclear", tools: "unclear", ...FACTS });
  });

  test("is unclear where the server could not read the call of its model", async () => {
    const { url } = await serving((response, heard, n) =>
      "tools" in heard.json
        ? response.writeHead(500).end("error parsing tool call: raw='{'")
        : obey(response, heard, n),
    );
    expect(await probeOf(url, "tools")).toMatchObject({ schema: "honoured", tools: "unclear" });
  });

  test("is no more than what it keeps to: a whole reply behind its thinking was made to", async () => {
    const { url } = await serving((response, heard) =>
      say(response, `<think>\nThey want pong.\n</think>\n${JSON.stringify({ kind: nonceOf(heard) })}`),
    );
    expect(await probeOf(url)).toMatchObject({ schema: "honoured" });
    const deaf = await serving((response) => say(response, "<think>\nThey want pong.\n</think>\npong"));
    expect(await probeOf(deaf.url)).toMatchObject({ schema: "ignored" });
  });

  test("does not unlearn what was seen before", async () => {
    let say_: Chat = (response, heard, n) => obey(response, heard, n);
    const { url } = await serving((response, heard, n) => say_(response, heard, n));
    const model = modelAt(url, { retries: 0 });
    expect(await model.probe?.(signal)).toMatchObject({ schema: "honoured" });
    expect(await model.complete(requestOf({ schemaStrict: STRICT }))).toMatchObject({ sentAs: "params_object" });
    say_ = (response) => say(response, "", "length");
    expect(await model.probe?.(signal)).toMatchObject({ schema: "unclear" });
    expect(await model.complete(requestOf({ schemaStrict: STRICT }))).toMatchObject({ sentAs: "params_text" });
  });
});

describe("the detail says what was seen", () => {
  test("of a reply that ignored the schema, its start, without the key", async () => {
    const apiKey = "sk-canary-echo-0123456789";
    const { url } = await serving((response) => say(response, `${"p".repeat(70)} ${apiKey} ${"q".repeat(400)}`));
    const probe = await modelAt(url, { apiKey, retries: 0, mode: "tools" }).probe?.(signal);
    expect(probe).toMatchObject({ schema: "ignored", tools: "ignored" });
    expect(probe?.detail.match(/the reply began with "p{70} \[red/g)).toHaveLength(2);
    expect(probe?.detail).not.toContain("qqqq");
    expect(probe?.detail).not.toContain("sk-canary");
  });
});
