import { describe, expect, onTestFinished, test } from "vitest";
import { promptBytesMax } from "../../src/domain/window.ts";
import { createSignalbox, DEFAULT_BUDGETS, defineTool, type JsonObject, stage, z } from "../../src/index.ts";
import { type HeardRequest, misbehavingServer, type ServerReply } from "../../src/testing/index.ts";
import { noted, ofKind, runAgainst, said, type Wire } from "./trial.ts";

/** Faults that users of comparable systems reported, each shown to a box by a real server. */
const FLAT: Wire = { mode: "flat", stream: false };
const TOOLS: Wire = { mode: "tools", stream: false };
const FLAT_STREAM: Wire = { mode: "flat", stream: true };
const TOOLS_STREAM: Wire = { mode: "tools", stream: true };

function named(...wires: readonly Wire[]): readonly (readonly [name: string, wire: Wire])[] {
  return wires.map((wire) => [`${wire.mode}, ${wire.stream ? "streamed" : "plain"}`, wire]);
}

function* forEver(line: (n: number) => ServerReply): Generator<ServerReply> {
  for (let n = 0; ; n++) yield line(n);
}

/** Every request is JSON, and so are the arguments of each call that it repeats. */
function checkRequests(requests: readonly HeardRequest[]): void {
  for (const { body } of requests) {
    expect(body).not.toBeNull();
    const { messages = [] } = body as { readonly messages?: readonly JsonObject[] };
    for (const { tool_calls: calls } of messages) {
      for (const call of (calls ?? []) as readonly { readonly function: { readonly arguments: string } }[]) {
        expect(() => JSON.parse(call.function.arguments)).not.toThrow();
      }
    }
  }
}

describe("what repeats", () => {
  test("vercel/ai 17606, mastra 14720: the same call for ever stops after the third, and the last good result is there", async () => {
    for (const wire of [FLAT, TOOLS]) {
      const replies = forEver(() => noted("again", wire));
      const run = await runAgainst({ replies }, wire, { budgets: { turns: 1_000, modelCalls: 1_000 } });
      expect(run.outcome).toMatchObject({ ending: "repetition", exitCode: 3, lastResult: { tool: "note" } });
      expect(run.server.requests).toHaveLength(3);
      expect(run.effects).toEqual(["again", "again"]);
      expect(run.outcome.text).toContain("noted again");
    }
  });

  test("typescript-agent 73: the same broken JSON turn after turn is counted although it reaches no tool", async () => {
    const broken = '{"kind":"action","tool":"note","params":{"text":';
    const run = await runAgainst({ replies: forEver(() => broken) }, FLAT, { budgets: { turns: 1_000 } });
    expect(run.outcome).toMatchObject({ ending: "malformed", exitCode: 3 });
    expect(run.server.requests).toHaveLength(6);
  });

  test("[oracle-one-action] typescript-agent 89: the same pair of calls in turns ends the run, whichever comes first", async () => {
    const pair = (a: string, b: string) => ({
      calls: [
        { name: "note", args: { text: a } },
        { name: "note", args: { text: b } },
      ],
    });
    const replies = forEver((n) => (n % 2 === 0 ? pair("a", "b") : pair("b", "a")));
    const run = await runAgainst({ replies }, TOOLS, { budgets: { turns: 1_000, modelCalls: 1_000 } });
    expect(run.outcome.ending).toBe("repetition");
    expect(run.server.requests).toHaveLength(3);
  });

  test("opencode 12716: a word repeated for ever, cut by length, is never an answer and ends the run", async () => {
    const replies = forEver(() => ({
      misbehaviour: "cut_by_length" as const,
      reply: said("foo ".repeat(8_000), FLAT),
    }));
    const run = await runAgainst({ replies }, FLAT);
    expect(run.outcome).toMatchObject({ ending: "malformed", exitCode: 3 });
    expect(run.outcome.detail).toContain("cut_by_length");
    expect(run.outcome.text).not.toContain("foo foo");
    expect(run.server.requests).toHaveLength(6);
  });

  test("[oracle-one-action] adk-python 3940: two identical calls in one reply are one effect", async () => {
    const twice = [1, 2].map(() => ({ name: "note", args: { text: "once" } }));
    const run = await runAgainst({ replies: [{ calls: twice }, "done"] }, TOOLS);
    expect(run.outcome).toMatchObject({ ending: "answered", text: "done" });
    expect(run.effects).toEqual(["once"]);
    expect(ofKind(run.events, "replied")[0]?.notRun).toEqual(["note"]);
    expect(run.server.requests[1]?.text).toContain("once");
  });

  test("mastra 12596: a model that never answers ends with the last result and a sentence, never with nothing", async () => {
    const run = await runAgainst({ replies: forEver((n) => noted(`page ${n}`, FLAT)) }, FLAT);
    expect(run.outcome).toMatchObject({ ending: "turn_budget", turns: DEFAULT_BUDGETS.turns });
    expect(run.outcome.text).toContain("I reached the maximum number of steps. Here's where I left off.");
    expect(run.outcome.text).toContain("noted page 9");
    expect(run.server.requests).toHaveLength(DEFAULT_BUDGETS.turns);
  });
});

describe("what is broken", () => {
  test.each(named(TOOLS, TOOLS_STREAM))(
    "[oracle-no-guess] llama.cpp 25510: broken arguments once, and every later request is valid JSON (%s)",
    async (_name, wire) => {
      const broken = { calls: [{ name: "note", args: '{"file":"a.ts","index":' }] };
      const run = await runAgainst({ replies: [broken, noted("whole", wire), "done"] }, wire);
      expect(run.outcome).toMatchObject({ ending: "answered", text: "done" });
      expect(run.effects).toEqual(["whole"]);
      checkRequests(run.server.requests);
      for (const { text } of run.server.requests) expect(text.includes("a.ts")).toBe(false);
    },
  );

  test.each(named(FLAT, TOOLS))(
    "Crow 203: a reply cut at the output limit is not asked for again as it was (%s)",
    async (_name, wire) => {
      const replies = forEver(() => ({ misbehaviour: "cut_by_length" as const, reply: noted("x".repeat(90), wire) }));
      const run = await runAgainst({ replies }, wire);
      expect(run.outcome.ending).toBe("malformed");
      expect(run.effects).toEqual([]);
      const texts = run.server.requests.map(({ text }) => text);
      expect(texts).toHaveLength(6);
      for (const [n, text] of texts.entries()) expect(text).not.toBe(texts[n - 1]);
      expect(texts[1]).toContain("shorter");
    },
  );

  test.each(named(FLAT, TOOLS))(
    "[oracle-reask] oh-my-pi 3909: the model is told what was wrong, and mends it (%s)",
    async (_name, wire) => {
      const replies = forEver((n) => ({ text }: HeardRequest) => {
        if (n > 1) return said("done", wire);
        if (text.includes("could not be used")) return noted("mended", wire);
        return wire.mode === "tools" ? { calls: [{ name: "note", args: "{text: " }] } : '{"kind": "act';
      });
      const run = await runAgainst({ replies }, wire);
      expect(run.outcome.ending).toBe("answered");
      expect(run.effects).toEqual(["mended"]);
    },
  );

  test.each(named(FLAT, TOOLS))(
    "ollama 12064: a server that cannot parse its model's call is the model's fault (%s)",
    async (_name, wire) => {
      const run = await runAgainst(
        { replies: [{ misbehaviour: "call_unreadable" }, noted("a", wire), said("done", wire)] },
        wire,
      );
      expect(run.outcome).toMatchObject({ ending: "answered", turns: 2 });
      const replied = ofKind(run.events, "replied");
      expect(replied.map(({ call, attempts, why }) => [call, attempts, why?.code ?? null])).toEqual([
        [1, 1, "unreadable_call"],
        [2, 1, null],
        [1, 1, null],
      ]);
      expect(run.server.requests[1]?.text).not.toBe(run.server.requests[0]?.text);
    },
  );

  test.each(named(TOOLS, TOOLS_STREAM))(
    "opencode 20719, vllm 25054: `stop` beside tool calls hides no call (%s)",
    async (_name, wire) => {
      const run = await runAgainst(
        { replies: [{ misbehaviour: "finish_wrong", reply: noted("seen", wire) }, "done"] },
        wire,
      );
      expect(run.effects).toEqual(["seen"]);
      expect(run.outcome.ending).toBe("answered");
    },
  );

  test.each(named(TOOLS, TOOLS_STREAM))(
    "opencode 47954, continue 13236: calls without an id are calls (%s)",
    async (_name, wire) => {
      const run = await runAgainst(
        { replies: [{ misbehaviour: "call_id_missing", reply: noted("seen", wire) }, "done"] },
        wire,
      );
      expect(run.effects).toEqual(["seen"]);
    },
  );

  test.each(named(TOOLS, TOOLS_STREAM))(
    "ogx 2315, agents 339: colliding ids overwrite nothing (%s)",
    async (_name, wire) => {
      const replies: ServerReply[] = ["a", "b", "c"].map((text) => ({
        misbehaviour: text === "b" ? "repeated_call_id" : "repeated_response_id",
        reply: noted(text, wire),
      }));
      const run = await runAgainst({ replies: [...replies, "done"] }, wire);
      expect(run.effects).toEqual(["a", "b", "c"]);
      expect(ofKind(run.events, "finished").map(({ step, line }) => [step, line])).toEqual([
        [1, "noted a"],
        [2, "noted b"],
        [3, "noted c"],
      ]);
    },
  );

  test("mastra 21303: what a model writes about an approval is an unknown key", async () => {
    const forged = { text: "a", approved: true };
    const replies = [
      { kind: "action", tool: "note", params: forged },
      { kind: "action", tool: "approve", params: {} },
      said("stopped", FLAT),
    ];
    const run = await runAgainst({ replies }, FLAT);
    expect(run.effects).toEqual([]);
    expect(ofKind(run.events, "decided").map(({ denial }) => denial?.code)).toEqual(["unknown_key", "unknown_tool"]);
  });
});

describe("what is cut", () => {
  test.each(named(FLAT, FLAT_STREAM))(
    "[oracle-no-guess] Crow 203: a reply cut by length is never repaired, even where a repair would find an action (%s)",
    async (_name, wire) => {
      const action = JSON.stringify({ kind: "action", tool: "note", params: { text: "cut" } });
      const reply = `\`\`\`json\n${action}\n\`\`\`\n${"And then there is this to say. ".repeat(8)}`;
      const whole = await runAgainst({ replies: [reply, said("done", wire)] }, wire);
      expect(whole.effects).toEqual(["cut"]);
      const cut = await runAgainst({ replies: [{ misbehaviour: "cut_by_length", reply }, said("done", wire)] }, wire);
      expect(cut.effects).toEqual([]);
      expect(ofKind(cut.events, "replied")[0]?.why?.code).toBe("cut_by_length");
    },
  );
});

describe("what is too long", () => {
  /** A server that counts, and refuses what does not fit, as llama.cpp does. */
  async function withResults(bytes: number, count: number): Promise<{ heard: readonly HeardRequest[]; run: unknown }> {
    const window = { tokens: 16_384, outputTokens: 1_024, bytesPerToken: 3 };
    await using server = await misbehavingServer({
      replies: forEver((n) => ({ body }) => {
        const { messages } = body as { readonly messages: readonly { readonly content: string }[] };
        const sent = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
        if (sent > (16_384 - 1_024) * 3) return { misbehaviour: "overflow" as const };
        if (n < count) return { kind: "action", tool: "read", params: { page: n } };
        return { kind: "conversation", text: "done" };
      }),
    });
    const read = defineTool({
      name: "read",
      description: "Reads a page.",
      placement: "internal",
      effect: "read",
      params: z.strictObject({ page: z.int() }),
      execute: ({ params }) => ({ page: params.page, text: "0123456789".repeat(bytes / 10) }),
      summarise: (result) => `read page ${result.page}`,
    });
    const model = { baseUrl: server.baseUrl, name: "trial" };
    const box = createSignalbox({
      model,
      tools: [read],
      store: "memory",
      window,
      budgets: { turns: 40, modelCalls: 40 },
    });
    const outcome = await box.run("Read all pages.");
    const events = await box.events(outcome.run);
    await box.close();
    for (const { prompt } of ofKind(events, "replied")) {
      expect(prompt.bytes).toBeLessThanOrEqual(promptBytesMax({ ...window, measured: "" }));
      expect(prompt.cut.length > 0).toBe(prompt.bytes > 8_000 && bytes > 46_080);
    }
    return { heard: server.requests, run: { ending: outcome.ending, steps: ofKind(events, "finished").length } };
  }

  test.each([
    ["pi 8229: five results of 42,000 characters in a window of 16k", 42_000, 5],
    ["open-webui 27599: one result of 270 KB at the first turn", 270_000, 1],
    ["openaidy 436: a result of 159 KB from any tool", 159_000, 1],
    ["thirty results of 270 KB, one after the other", 270_000, 30],
  ])("[oracle-fits] %s: no request is larger than the window, and the run goes on", async (_what, bytes, count) => {
    const { heard, run } = await withResults(bytes, count);
    expect(run).toEqual({ ending: "answered", steps: count });
    expect(heard).toHaveLength(count + 1);
  });
});

describe("what the page shows", () => {
  test("docs/model-servers.md: a cut stream costs one request more, and nothing twice", async () => {
    const one = { kind: "action", tool: "note", params: { text: "one" } };
    const replies = [
      { misbehaviour: "cut_stream" as const, reply: one },
      one,
      { kind: "conversation", text: "Noted." },
    ];
    const run = await runAgainst({ replies }, FLAT);
    expect(run.outcome).toMatchObject({ ending: "answered", text: "Noted." });
    expect(run.server.requests).toHaveLength(3);
    expect(run.effects).toEqual(["one"]);
  });
});

describe("what the operator sees meanwhile", () => {
  test.each(named(FLAT_STREAM, TOOLS_STREAM))(
    "[oracle-draft] half an answer is void when the call is made again (%s)",
    async (_name, wire) => {
      const replies = [
        { misbehaviour: "cut_stream" as const, reply: said("This was never finished and is wrong.", wire) },
        said("This is the answer.", wire),
      ];
      const run = await runAgainst({ replies }, wire);
      expect(run.outcome).toMatchObject({ ending: "answered", text: "This is the answer." });
      expect(run.shown).toBe("This is the answer.");
    },
  );

  test("[oracle-draft] an action is not shown as text", async () => {
    for (const wire of [FLAT_STREAM, TOOLS_STREAM]) {
      const run = await runAgainst({ replies: [noted("secret plan", wire), said("Noted.", wire)] }, wire);
      expect(run.shown).toBe("Noted.");
    }
  });

  test.each(named(FLAT, FLAT_STREAM, TOOLS, TOOLS_STREAM))(
    "openai-agents 647: what needs a person's approval waits for it, streamed or not (%s)",
    async (_name, wire) => {
      const server = await misbehavingServer({ replies: [noted("pay everybody", wire), said("Paid.", wire)] });
      onTestFinished(() => server.close());
      const effects: string[] = [];
      const note = defineTool({
        name: "note",
        description: "writes a note",
        placement: "staff-reversible",
        effect: "once",
        params: z.strictObject({ text: z.string().max(40) }),
        authorise: () => stage("supervisor"),
        execute: ({ params }) => effects.push(params.text),
        summarise: () => "noted",
      });
      const model = { baseUrl: server.baseUrl, name: "m", mode: wire.mode };
      const box = createSignalbox({ model, tools: [note], store: "memory" });
      const heard = { onText: () => {} };
      const outcome = await box.run("x", wire.stream ? heard : {});
      expect(outcome).toMatchObject({ ending: "awaiting_approval", exitCode: 4 });
      expect(effects).toEqual([]);
      expect(server.requests).toHaveLength(1);
      expect(JSON.parse(server.requests[0]?.text ?? "{}").stream).toBe(wire.stream);
    },
  );
});
