import { execFile } from "node:child_process";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { CANARY } from "../domain/canary.ts";
import { MISBEHAVIOURS, type MisbehavingServer, type MisbehavingServerOptions, misbehavingServer } from "./index.ts";

const open: MisbehavingServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function serve(options: MisbehavingServerOptions): Promise<MisbehavingServer> {
  const server = await misbehavingServer(options);
  open.push(server);
  return server;
}

const hello = { kind: "conversation", text: "hellö" } as const;
const canary = (content: string): object => ({
  messages: [
    { role: "system", content: CANARY.system },
    { role: "user", content },
  ],
});
const call = { calls: [{ name: "note", args: { text: "ä" } }] };

function ask(server: MisbehavingServer, more: object = {}, signal?: AbortSignal): Promise<Response> {
  return fetch(`${server.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer sk-secret" },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "x".repeat(2_000) }], ...more }),
    signal: signal ?? null,
  });
}

type Completed = {
  readonly id: string;
  readonly choices: readonly {
    readonly message: { readonly content: string; readonly tool_calls?: readonly object[] };
  }[];
  readonly usage: { readonly prompt_tokens: number };
};

async function completed(response: Response): Promise<Completed> {
  return (await response.json()) as Completed;
}

async function choice(response: Response): Promise<Completed["choices"][number] | undefined> {
  return (await completed(response)).choices[0];
}

/** The deltas of a stream, put together as a client would. */
async function streamed(response: Response): Promise<{ content: string; args: string[]; done: boolean }> {
  const events = (await response.text()).split("\n\n").filter((event) => event !== "");
  let content = "";
  const args: string[] = [];
  for (const event of events) {
    if (event === "data: [DONE]") continue;
    const delta = JSON.parse(event.slice("data: ".length)).choices[0]?.delta ?? {};
    content += delta.content ?? "";
    for (const {
      index,
      function: { arguments: piece },
    } of delta.tool_calls ?? []) {
      args[index] = (args[index] ?? "") + piece;
    }
  }
  return { content, args, done: events.at(-1) === "data: [DONE]" };
}

describe("an honest server", () => {
  test("says its lines in order, and keeps what it heard", async () => {
    const server = await serve({ replies: ["plain text", hello, (heard) => `you sent ${heard.method} ${heard.path}`] });
    expect(await choice(await ask(server))).toMatchObject({
      message: { content: "plain text" },
      finish_reason: "stop",
    });
    expect(await choice(await ask(server))).toMatchObject({ message: { content: JSON.stringify(hello) } });
    expect(await choice(await ask(server))).toMatchObject({
      message: { content: "you sent POST /v1/chat/completions" },
    });
    expect(server.requests).toHaveLength(3);
    expect(server.requests[0]).toMatchObject({
      headers: { authorization: "Bearer sk-secret" },
      body: { model: "m", messages: [{ role: "user" }] },
    });
    expect(JSON.parse(server.requests[0]?.text ?? "")).toEqual(server.requests[0]?.body);
  });

  test("makes tool calls, and counts the tokens of the prompt", async () => {
    const server = await serve({ replies: [call] });
    const body = await completed(await ask(server));
    expect(body.choices[0]).toEqual({
      index: 0,
      message: {
        role: "assistant",
        content: null,
        tool_calls: [
          { index: 0, id: "call_1_0", type: "function", function: { name: "note", arguments: '{"text":"ä"}' } },
        ],
      },
      finish_reason: "tool_calls",
    });
    expect(body.usage.prompt_tokens).toBe(500);
  });

  test("streams where it is asked to, content and calls in pieces", async () => {
    const long = { kind: "conversation", text: "ünd".repeat(40) };
    const server = await serve({ replies: [long, call] });
    const first = await ask(server, { stream: true });
    expect(first.headers.get("content-type")).toBe("text/event-stream");
    expect(await streamed(first)).toEqual({ content: JSON.stringify(long), args: [], done: true });
    expect(await streamed(await ask(server, { stream: true }))).toEqual({
      content: "",
      args: ['{"text":"ä"}'],
      done: true,
    });
  });

  test("answers canaries of both sorts without using up its script", async () => {
    const server = await serve({ replies: [hello] });
    const schema = {
      type: "object",
      properties: { canary: { type: "string", enum: ["b7"] }, n: { type: "integer" }, list: { type: "array" } },
      required: ["canary"],
    };
    const format = { type: "json_schema", json_schema: { name: "c", schema } };
    const honoured = await choice(await ask(server, { ...canary(CANARY.word), response_format: format }));
    expect(JSON.parse(honoured?.message.content ?? "")).toEqual({ canary: "b7", n: 0, list: [] });
    const tools = [{ type: "function", function: { name: "sing", parameters: schema } }];
    expect(await choice(await ask(server, { ...canary(CANARY.call), tools }))).toMatchObject({
      message: { tool_calls: [{ function: { name: "sing", arguments: '{"canary":"b7","n":0,"list":[]}' } }] },
    });
    expect([server.probes.length, server.requests.length]).toEqual([2, 0]);
    expect(await choice(await ask(server, canary(CANARY.word)))).toMatchObject({ message: { content: "pong" } });
    expect([server.probes.length, server.requests.length]).toEqual([3, 0]);
  });

  test("takes nothing else for a canary, however short it is and whatever schema comes with it", async () => {
    const system = { role: "system", content: CANARY.system };
    const user = { role: "user", content: CANARY.word };
    const format = { type: "json_schema", json_schema: { name: "c", schema: { type: "object" } } };
    const own: readonly object[] = [
      { messages: [{ role: "user", content: "hello" }] },
      { messages: [{ role: "user", content: "hello" }], response_format: format },
      { messages: [] },
      {},
      { messages: [user] },
      { messages: [system] },
      { messages: [user, system] },
      { messages: [system, user, user] },
      { messages: [system, { ...user, content: `${CANARY.word} ` }] },
      { messages: [system, { ...user, content: [{ type: "text", text: CANARY.word }] }] },
      { messages: [system, { ...user, role: "assistant" }] },
      { messages: [{ ...system, content: "You answer." }, user] },
    ];
    const server = await serve({ replies: own.map((_, n) => `reply ${n}`) });
    for (const [n, body] of own.entries()) {
      expect(await choice(await ask(server, body))).toMatchObject({ message: { content: `reply ${n}` } });
    }
    expect([server.probes.length, server.requests.length]).toEqual([0, own.length]);
  });

  test("has models and a tokeniser, and nothing else", async () => {
    const server = await serve({ replies: [], model: "small", windowTokens: 512 });
    const root = server.baseUrl.slice(0, -"/v1".length);
    expect(await (await fetch(`${server.baseUrl}/models`)).json()).toMatchObject({
      data: [{ id: "small", max_model_len: 512 }],
    });
    for (const body of [{ prompt: "12345" }, { content: "12345" }]) {
      const response = await fetch(`${root}/tokenize`, { method: "POST", body: JSON.stringify(body) });
      expect(await response.json()).toEqual({ count: 2, max_model_len: 512, tokens: [0, 1] });
    }
    expect((await fetch(`${root}/elsewhere`)).status).toBe(404);
    expect(server.others.map((heard) => heard.path)).toEqual(["/v1/models", "/tokenize", "/tokenize", "/elsewhere"]);
    const without = await serve({ replies: [], tokeniser: false });
    const gone = await fetch(`${without.baseUrl}/tokenize`, { method: "POST", body: '{"prompt":"x"}' });
    expect(gone.status).toBe(404);
  });

  test("refuses what it cannot read, and says when its script is used up", async () => {
    const server = await serve({ replies: [] });
    const url = `${server.baseUrl}/chat/completions`;
    for (const body of ["{", '{"a":1,"a":2}', "", '"\\ud800"']) {
      expect((await fetch(url, { method: "POST", body })).status).toBe(400);
    }
    expect(server.requests).toHaveLength(0);
    const tooLong = await fetch(url, { method: "POST", body: " ".repeat(9 * 1024 * 1024) });
    expect(tooLong.status).toBe(413);
    expect(await (await ask(server)).json()).toMatchObject({ error: { message: "the script has no further reply" } });
  });

  test("keeps no more than the newest thousand requests", async () => {
    const server = await serve({
      replies: (function* () {
        for (;;) yield "x";
      })(),
    });
    for (let n = 0; n < 1_002; n++) await (await ask(server, { n })).arrayBuffer();
    expect(server.requests).toHaveLength(1_000);
    expect(server.requests[0]?.body).toMatchObject({ n: 2 });
    expect(server.requests.at(-1)?.body).toMatchObject({ n: 1_001 });
  });

  test("a raw line is sent as it is, and what a function of the script throws is told by close", async () => {
    const raw = { status: 418, headers: { "x-kettle": "on" }, body: "short" };
    const server = await misbehavingServer({
      replies: [
        raw,
        () => {
          throw new RangeError("not what I expected");
        },
      ],
    });
    const response = await ask(server);
    expect([response.status, response.headers.get("x-kettle"), await response.text()]).toEqual([418, "on", "short"]);
    expect((await ask(server)).status).toBe(400);
    await expect(server.close()).rejects.toThrow("not what I expected");
  });
});

describe("a misbehaving server", () => {
  test("`always` bends each line, and a line may bend itself", async () => {
    const server = await serve({ replies: [hello, { misbehaviour: "html" }, hello], always: "finish_object" });
    expect(await choice(await ask(server))).toMatchObject({ finish_reason: { reason: "stop" } });
    expect((await ask(server)).headers.get("content-type")).toBe("text/html");
    expect(await choice(await ask(server))).toMatchObject({ finish_reason: { reason: "stop" } });
  });

  test("what is wrong with schemas and tools the canary meets too, and a refusal uses up no line", async () => {
    const schema = { type: "object", properties: { canary: { enum: ["b7"] } } };
    const forms = {
      schema: { response_format: { type: "json_schema", json_schema: { name: "c", schema } } },
      tools: { tools: [{ type: "function", function: { name: "note", parameters: { type: "object" } } }] },
    };
    const tiny = canary(CANARY.word);
    for (const form of ["schema", "tools"] as const) {
      const other = form === "schema" ? "tools" : "schema";
      const deaf = await serve({ replies: [hello], always: `${form}_ignored` });
      expect(await choice(await ask(deaf, { ...tiny, ...forms[form] }))).toMatchObject({
        message: { content: "pong" },
      });
      const refusing = await serve({ replies: [hello], always: `${form}_refused` });
      expect((await ask(refusing, { ...tiny, ...forms[form] })).status).toBe(400);
      expect((await ask(refusing, forms[form])).status).toBe(400);
      expect((await ask(refusing, { ...tiny, ...forms[other] })).status).toBe(200);
      expect(await choice(await ask(refusing))).toMatchObject({ message: { content: JSON.stringify(hello) } });
    }
  });

  test("ids repeat, and calls come without one", async () => {
    const server = await serve({
      replies: [
        call,
        { misbehaviour: "repeated_response_id", reply: call },
        { misbehaviour: "repeated_call_id", reply: call },
        { misbehaviour: "call_id_missing", reply: call },
      ],
    });
    const bodies: Completed[] = [];
    for (let n = 0; n < 4; n++) bodies.push(await completed(await ask(server)));
    const [first, second, third, fourth] = bodies;
    expect(second?.id).toBe(first?.id);
    expect(third?.choices[0]?.message.tool_calls).toMatchObject([{ id: "call_0_0" }]);
    expect(fourth?.choices[0]?.message.tool_calls?.[0]).not.toHaveProperty("id");
  });

  test("the texts are what they say", async () => {
    const action = { kind: "action", tool: "note", params: { text: "a" } };
    const bends = ["duplicate_keys", "cut_by_length", "call_as_text", "think_unclosed", "schema_ignored"] as const;
    const server = await serve({ replies: bends.map((misbehaviour) => ({ misbehaviour, reply: action })) });
    const said = [];
    for (const _ of bends) said.push(await choice(await ask(server)));
    expect(said).toMatchObject([
      { message: { content: '{"kind":"action","tool":"note","params":{"text":"another","text":"a"}}' } },
      { message: { content: '{"kind":"action","tool":"note","params":{"t' }, finish_reason: "length" },
      { message: { content: '<tool_call>\n{"name":"note","arguments":{"text":"a"}}\n</tool_call>' } },
      { message: { content: `<think>\nThe operator wants this done. ${JSON.stringify(action)}` } },
      { message: { content: expect.stringContaining(`\`\`\`json\n${JSON.stringify(action)}\n\`\`\``) } },
    ]);
  });

  test("a gigabyte is made as it is taken, and never held", async () => {
    for (const misbehaviour of ["white_space", "gzip_bomb", "endless_stream"] as const) {
      const server = await serve({ replies: [{ misbehaviour, reply: hello }] });
      const before = process.memoryUsage().rss;
      const response = await ask(server, { stream: true });
      const reader = response.body?.getReader();
      let bytes = 0;
      while (bytes < 32 * 1_048_576) bytes += (await reader?.read())?.value?.byteLength ?? Number.POSITIVE_INFINITY;
      expect(bytes).toBeLessThan(Number.POSITIVE_INFINITY);
      await reader?.cancel();
      expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1_048_576);
    }
  });

  test("Latin-1 is not UTF-8, and pieces cut characters in half without changing them", async () => {
    const server = await serve({
      replies: [
        { misbehaviour: "not_utf8", reply: hello },
        { misbehaviour: "split_bytes", reply: hello },
      ],
    });
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const bytes = new Uint8Array(await (await ask(server)).arrayBuffer());
    expect(() => decoder.decode(bytes)).toThrow();
    expect(await choice(await ask(server))).toMatchObject({ message: { content: JSON.stringify(hello) } });
  });

  test("closing ends every answer that hangs, at once and for both sides", async () => {
    const bends = ["never_answers", "endless_body", "endless_stream", "slow_bytes", "white_space"] as const;
    const server = await misbehavingServer({ replies: bends.map((misbehaviour) => ({ misbehaviour })) });
    const asked = bends.map(async () => (await ask(server)).arrayBuffer());
    const settled = Promise.allSettled(asked);
    while (server.requests.length < bends.length) await new Promise((resolve) => setImmediate(resolve));
    await server.close();
    await server.close();
    expect((await settled).map(({ status }) => status)).toEqual(bends.map(() => "rejected"));
    const { port } = new URL(server.baseUrl);
    const refused = await new Promise((resolve) => {
      connect(Number(port), "127.0.0.1")
        .on("error", resolve)
        .on("connect", () => resolve("connected"));
    });
    expect(refused).toMatchObject({ code: "ECONNREFUSED" });
  });

  test("a closed server keeps no process alive, even with answers under way", async () => {
    const door = fileURLToPath(new URL("./index.ts", import.meta.url));
    const program = `
      import { misbehavingServer } from ${JSON.stringify(door)};
      const bends = ["never_answers", "endless_body", "endless_stream", "slow_bytes", "white_space"];
      const server = await misbehavingServer({ replies: bends.map((misbehaviour) => ({ misbehaviour })) });
      const url = server.baseUrl + "/chat/completions";
      const asked = bends.map(() => fetch(url, { method: "POST", body: JSON.stringify({ messages: [{ content: "x".repeat(300) }] }) }).then((answer) => answer.arrayBuffer()));
      while (server.requests.length < bends.length) await new Promise((resolve) => setImmediate(resolve));
      await server.close();
      console.log((await Promise.allSettled(asked)).map(({ status }) => status).join());`;
    const args = ["--conditions=signalbox-source", "--no-warnings", "--input-type=module", "--eval", program];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toBe("rejected,rejected,rejected,rejected,rejected\n");
  });

  test("the names of the table are each of their own", () => {
    const names = MISBEHAVIOURS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, does, answer } of MISBEHAVIOURS) {
      expect(name).toMatch(/^[a-z][a-z0-9_]+$/);
      expect([does, answer].every((sentence) => /^[A-Z`].*\.$/.test(sentence))).toBe(true);
    }
  });
});
