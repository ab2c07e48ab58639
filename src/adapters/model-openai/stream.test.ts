import { describe, expect, test } from "vitest";
import { ask, chunk, completion, events, serve } from "../../../test/loopback.ts";

const END = chunk({}, { finish_reason: "stop" });
const USAGE = '{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}';
const HI = [chunk({ role: "assistant", content: "" }), chunk({ content: "h" }), chunk({ content: "i" })];

/** What one streamed call comes to, and what was heard of it. */
async function stream(body: string | readonly Buffer[], options = {}) {
  const server = await serve((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const pieces = typeof body === "string" ? [body] : [...body];
    const next = (): void => {
      const piece = pieces.shift();
      if (piece === undefined) response.end();
      else response.write(piece, () => setImmediate(next));
    };
    next();
  });
  const heard: (string | null)[] = [];
  const onDelta = (content: string | null): void => {
    heard.push(content);
  };
  const reply = await ask(server.url, { onDelta }, { retries: 0, ...options });
  return { reply, heard, requests: server.heard.length };
}

function piecesOf(text: string, bytes: number): readonly Buffer[] {
  const whole = Buffer.from(text);
  return Array.from({ length: Math.ceil(whole.length / bytes) }, (_, i) => whole.subarray(i * bytes, (i + 1) * bytes));
}

describe("a stream", () => {
  test("is heard as it comes, and its usage is in the last piece", async () => {
    const { reply, heard } = await stream(events(...HI, END, USAGE, "[DONE]"));
    expect(reply).toEqual({
      ok: true,
      text: "hi",
      finish: "stop",
      promptTokens: 3,
      completionTokens: 4,
      sentAs: "params_text",
      attempts: 1,
    });
    expect(heard).toEqual(["h", "i"]);
  });

  const whole = [chunk({ content: "é\u{1f600}\\u" }), END, "[DONE]"];
  test.each<[string, string]>([
    ["CRLF", events(...whole).replaceAll("\n", "\r\n")],
    ["CR", events(...whole).replaceAll("\n", "\r")],
    ["no space after the colon", events(...whole).replaceAll("data: ", "data:")],
    ["no empty lines", events(...whole).replaceAll("\n\n", "\n")],
    ["no line end at its end", events(...whole).trimEnd()],
    ["comments, names and ids", `: ping\n\nevent: message\nid: 7\nretry: 10\n${events(...whole)}`],
    ["a byte order mark", `\ufeff${events(...whole)}`],
    ["white space before it", `\n\n${events(...whole)}`],
    ["a document over lines that are documents", events(...whole).replace(/\[(.*?)\]\}/, "\ndata: [$1]\ndata: }")],
    [
      "a document over lines with CRLF",
      events(...whole)
        .replace(/\[(.*?)\]\}/, "\ndata: [$1]\ndata: }")
        .replaceAll("\n", "\r\n"),
    ],
    ["a document over two lines", events(...whole).replace('"choices"', '\ndata: "choices"')],
  ])("may have %s, whole or in pieces of any size", async (_what, text) => {
    for (const bytes of [1, 3, 7, 1_000]) {
      const { reply, heard } = await stream(piecesOf(text, bytes));
      expect(reply).toMatchObject({ ok: true, text: "é\u{1f600}\\u", finish: "stop" });
      expect(heard.join("")).toBe("é\u{1f600}\\u");
    }
  });

  test("joins the halves of a pair that its server cut apart, and replaces what stays half", async () => {
    const raw = (text: string): string => `{"choices":[{"delta":{"content":"${text}"}}]}`;
    const { reply, heard } = await stream(events(raw("a\\ud83d"), raw("\\ude00b"), raw("\\ud83d"), "[DONE]"));
    expect(reply).toMatchObject({ ok: true, text: "a\u{1f600}b\ufffd", finish: "none" });
    expect(heard).toEqual(["a", "\u{1f600}b", "\ufffd"]);
  });

  test.each<[string, string, object]>([
    ["only [DONE] at its end", events(...HI, "[DONE]"), { text: "hi", finish: "none" }],
    ["only a finish reason", events(...HI, END), { text: "hi", finish: "stop" }],
    [
      "a finish reason that is an object",
      events(...HI, chunk({}, { finish_reason: {} }), "[DONE]"),
      { finish: "none" },
    ],
    ["a refusal", events(chunk({ refusal: "n" }), chunk({ refusal: "o" }), END), { text: "", finish: "refusal" }],
    ["reasoning", events(chunk({ reasoning_content: "x", reasoning: "y" }), ...HI, END), { text: "hi" }],
    ["content in parts", events(chunk({ content: [{ type: "text", text: "hi" }] }), END), { text: "hi" }],
    ["more after [DONE]", events(...HI, "[DONE]", chunk({ content: "!" })), { text: "hi" }],
    ["a broken piece after it was whole", `${events(...HI, END)}data: {"usa`, { text: "hi" }],
  ])("may have %s", async (_what, text, expected) => {
    expect((await stream(text)).reply).toMatchObject({ ok: true, ...expected });
  });

  test("is read where it was not asked for, and a document where a stream was", async () => {
    const uncalled = await serve((response) => response.end(events(...HI, END, "[DONE]")));
    expect(await ask(uncalled.url)).toMatchObject({ ok: true, text: "hi", finish: "stop" });
    expect(uncalled.heard[0]?.json.stream).toBe(false);
    const { reply, heard } = await stream(completion({ content: "hi" }));
    expect(reply).toMatchObject({ ok: true, text: "hi" });
    expect(heard).toEqual(["hi"]);
  });
});

describe("a stream that is no reply", () => {
  test.each<[string, string, string, RegExp]>([
    ["that just ends", events(...HI), "unreachable", /ended in the middle/],
    ["that ends in the middle of a line", `${events(...HI)}data: {"choi`, "unreachable", /ended in the middle/],
    [
      "with an error",
      events(...HI, '{"error":{"message":"the engine died","code":500}}'),
      "http_error",
      /the engine died/,
    ],
    [
      "with an error beside choices",
      events(...HI, '{"error":{"message":"gone"},"choices":[{"delta":{},"finish_reason":"error"}]}'),
      "http_error",
      /gone/,
    ],
    ["with an error event", `${events(...HI)}event: error\ndata: {"message":"gone"}\n\n`, "http_error", /gone/],
    ["with an error field", `${events(...HI)}error: {"message":"gone"}\n\n`, "http_error", /gone/],
    [
      "with an error as vLLM has it",
      events(...HI, '{"object":"error","message":"gone","code":500}'),
      "http_error",
      /gone/,
    ],
    [
      "with an overflow",
      events(...HI, '{"error":{"message":"context size has been exceeded"}}'),
      "context_overflow",
      /context size/,
    ],
    [
      "with an unreadable call",
      events(...HI, '{"error parsing tool call":"invalid character"}'),
      "unreadable_call",
      /invalid character/,
    ],
    ["with a piece that is no JSON", events(...HI, "{nonsense", END), "bad_answer", /nonsense/],
    [
      "with a key twice",
      events(...HI, '{"choices":[{"delta":{"content":"a","content":"b"}}]}', END),
      "bad_answer",
      /duplicate_key/,
    ],
  ])("%s is void", async (_what, text, code, detail) => {
    const { reply, heard } = await stream(text);
    expect(reply).toMatchObject({ ok: false, code, detail: expect.stringMatching(detail) });
    expect(heard).toEqual(["h", "i", null]);
  });

  test.each<[string, string]>([
    ["nothing but [DONE]", events("[DONE]")],
    ["no choice at all", events(USAGE, "[DONE]")],
  ])("since it has %s", async (_what, text) => {
    expect((await stream(text)).reply).toMatchObject({ ok: false, code: "bad_answer" });
  });

  test("is asked for again, and what was heard of it is void", async () => {
    const heard: (string | null)[] = [];
    const { url } = await serve((response, _heard, n) => {
      if (n === 3) return response.end(events(...HI, END, "[DONE]"));
      response.write(events(...HI));
      if (n === 1) return response.end();
      // Once it was heard, the connection breaks.
      return setTimeout(() => response.destroy(), 20);
    });
    const onDelta = (content: string | null): void => {
      heard.push(content);
    };
    expect(await ask(url, { onDelta })).toMatchObject({ ok: true, text: "hi", attempts: 3 });
    expect(heard).toEqual(["h", "i", null, "h", "i", null, "h", "i"]);
  });

  test("of which nothing was heard is not called void", async () => {
    const heard: (string | null)[] = [];
    const { url } = await serve((response, _heard, n) =>
      n === 1 ? response.writeHead(503).end() : response.end(events(...HI, END, "[DONE]")),
    );
    const onDelta = (content: string | null): void => {
      heard.push(content);
    };
    expect(await ask(url, { onDelta })).toMatchObject({ ok: true, attempts: 2 });
    expect(heard).toEqual(["h", "i"]);
  });

  test("[json-bombs] a line without end and a reply without end are cut off", async () => {
    const endless = (first: string, again: string) =>
      serve((response) => {
        response.write(first);
        const pump = (): void => {
          while (!response.destroyed && response.write(again));
          if (!response.destroyed) response.once("drain", pump);
        };
        pump();
      });
    const line = await endless("data: {", "x".repeat(65_536));
    expect(await ask(line.url)).toMatchObject({
      ok: false,
      code: "bad_answer",
      detail: expect.stringMatching(/^a line/),
    });
    const reply = await endless("", events(chunk({ content: "x".repeat(65_536) })));
    expect(await ask(reply.url)).toMatchObject({
      ok: false,
      code: "bad_answer",
      detail: expect.stringMatching(/^the reply/),
    });
    const event = await endless("", `data: ${"x".repeat(65_536)}\n`);
    expect(await ask(event.url)).toMatchObject({
      ok: false,
      code: "bad_answer",
      detail: expect.stringMatching(/^an event/),
    });
    for (const one of [line, reply, event]) {
      expect(one.heard).toHaveLength(1);
      await one.quiet();
    }
  });

  test("an onDelta that throws ends the call with what it threw, and the connection", async () => {
    const { url, quiet } = await serve((response) => response.write(events(...HI)));
    const onDelta = (): void => {
      throw new Error("the screen is gone");
    };
    await expect(ask(url, { onDelta })).rejects.toThrow("the screen is gone");
    await quiet();
  });
});

describe("the pieces of a tool call", () => {
  const piece = (fields: object, name?: string, args?: unknown) => ({
    ...fields,
    function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) },
  });
  const A = { name: "a", args: '{"x":1}' };
  const B = { name: "b", args: '{"y":2}' };

  test.each<[string, readonly (readonly object[])[], readonly object[]]>([
    [
      "by their index",
      [
        [piece({ index: 0, id: "1" }, "a", "")],
        [piece({ index: 1, id: "2" }, "b", "")],
        [piece({ index: 0 }, undefined, '{"x"')],
        [piece({ index: 1 }, undefined, '{"y":2}'), piece({ index: 0 }, undefined, ":1}")],
      ],
      [A, B],
    ],
    [
      "by their index without ids",
      [[piece({ index: 0 }, "a")], [piece({ index: 0 }, undefined, '{"x":1}')], [piece({ index: 1 }, "b", '{"y":2}')]],
      [A, B],
    ],
    [
      "by their id without an index",
      [
        [piece({ id: "1" }, "a", '{"x"')],
        [piece({ id: "2" }, "b", '{"y"')],
        [piece({ id: "1" }, undefined, ":1}")],
        [piece({ id: "2" }, undefined, ":2}")],
      ],
      [A, B],
    ],
    [
      "with neither, to the last",
      [[piece({}, "a", '{"x"')], [piece({}, undefined, ":1}")], [piece({}, "b", '{"y":2}')]],
      [A, B],
    ],
    [
      "with the index 0 for each call",
      [[piece({ index: 0, id: "1" }, "a", '{"x":1}')], [piece({ index: 0, id: "2" }, "b", '{"y":2}')]],
      [A, B],
    ],
    [
      "with the index 0 for each call, and no arguments yet",
      [[piece({ index: 0, id: "1" }, "a", "")], [piece({ index: 0, id: "2" }, "b", '{"y":2}')]],
      [{ name: "a", args: "" }, B],
    ],
    [
      "with the same index and id for each call",
      [[piece({ index: 0, id: "1" }, "a", '{"x":1}')], [piece({ index: 0, id: "1" }, "b", '{"y":2}')]],
      [A, B],
    ],
    [
      "with the same id for each call",
      [[piece({ index: 0, id: "1" }, "a", '{"x":1}')], [piece({ index: 1, id: "1" }, "b", '{"y":2}')]],
      [A, B],
    ],
    [
      "with the name in each piece",
      [[piece({ index: 0, id: "1" }, "a", '{"x"')], [piece({ index: 0, id: "1" }, "a", ":1}")]],
      [A],
    ],
    [
      "with another id in each piece",
      [
        [piece({ index: 0, id: "1" }, "a", '{"x"')],
        [piece({ index: 0, id: "2" }, undefined, ":1}")],
        [piece({ id: "3" }, undefined, "")],
      ],
      [A],
    ],
    ["with arguments that are an object", [[piece({ index: 0 }, "a", { x: 1 })]], [A]],
    ["with no name at all", [[piece({ index: 0 }, undefined, "{}")]], [{ name: "", args: "{}" }]],
    ["with entries that are none", [[piece({ index: 0 }, "a", '{"x":1}')], []], [A]],
    ["with arguments that break off", [[piece({ index: 0 }, "a", '{"x":')]], [{ name: "a", args: '{"x":' }]],
  ])("are put together %s", async (_what, deltas, calls) => {
    const body = events(...deltas.map((tool_calls) => chunk({ tool_calls })), END, "[DONE]");
    const { reply, heard } = await stream(body);
    expect(reply).toMatchObject({ ok: true, text: "", calls });
    expect(heard).toEqual([]);
  });

  test("of the older form, too", async () => {
    const body = events(
      chunk({ function_call: { name: "a", arguments: '{"x"' } }),
      chunk({ function_call: { arguments: ":1}" } }),
      END,
    );
    expect((await stream(body)).reply).toMatchObject({ ok: true, calls: [A] });
  });
});
