import { copyFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { defineTool, type Model, type ModelReply, type RunEvent, SignalboxError, z } from "signalbox";
import { scriptedModel } from "signalbox/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Io } from "../../src/apps/cli/io.ts";
import { runIdOf } from "../../src/apps/cli/run-id.ts";
import { Trace } from "../../src/apps/cli/trace.ts";
import { bin, cli, type DeskSetting, desk, documentIn, openDesk, type Said, say } from "./stage.ts";

type Sent = { readonly system: string; readonly user: string };
type Document = {
  readonly turn: number;
  readonly turns: readonly number[];
  readonly calls: readonly {
    readonly call: number;
    readonly mode: string;
    readonly sent: Sent & { readonly exact: boolean | null; readonly why: string; readonly cut: readonly string[] };
    readonly came: { readonly kind: string; readonly code?: string; readonly reply?: { readonly raw: string } };
  }[];
  readonly followed: readonly { readonly kind: string; readonly ending?: string }[];
};

function completion(content: string, usage?: object): string {
  const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }];
  return JSON.stringify({ choices, usage });
}

/** A server on loopback that says its lines in turn; what it was sent is kept. */
async function server(
  lines: readonly string[],
  usage?: object,
): Promise<{ readonly setting: DeskSetting; readonly sent: Sent[] }> {
  const sent: Sent[] = [];
  const made = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on("data", (chunk: Buffer) => void chunks.push(chunk))
      .on("end", () => {
        response.setHeader("content-type", "application/json");
        if (!request.url?.endsWith("/chat/completions")) return void response.writeHead(404).end("{}");
        const { messages } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
        // A canary is none of the run's calls.
        if (messages[1].content.includes("pong")) return void response.end(completion("pong"));
        const content = lines[sent.length] ?? JSON.stringify(say.answer());
        sent.push({ system: messages[0].content, user: messages[1].content });
        response.end(completion(content, usage));
      });
  });
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void made.close());
  const address = made.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { setting: { model: { baseUrl: `http://127.0.0.1:${port}/v1`, name: "m", stream: false } }, sent };
}

async function aRun(cwd: string, request = "please"): Promise<string> {
  return (documentIn(await cli(cwd, ["run", request, "--json"])) as { run: string }).run;
}

async function shown(cwd: string, ...argv: readonly string[]): Promise<Document> {
  const said = await cli(cwd, ["show", ...argv, "--json"]);
  expect(said).toMatchObject({ code: 0, stderr: "" });
  return documentIn(said) as Document;
}

/** The texts that stand in frames, each whole again. */
function framed(said: Said): readonly string[] {
  const texts: string[][] = [];
  let before = "";
  for (const line of said.stdout.split("\n")) {
    if (/^ {2}│/.test(line)) {
      if (!/^ {2}│/.test(before)) texts.push([]);
      texts.at(-1)?.push(line.slice(4));
    }
    before = line;
  }
  return texts.map((lines) => lines.join("\n"));
}

const HARMFUL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u;

describe("what was sent and what came back", () => {
  test("[oracle-inspectable] byte for byte what the server got, for every call of every turn, re-asks among them", async () => {
    const { setting, sent } = await server([
      "Of course, let me look.",
      JSON.stringify(say.look("größe 📏")),
      JSON.stringify(say.pay("ada", 7)),
    ]);
    const cwd = desk(setting);
    const run = await aRun(cwd, "pay “Ada”,\n  and\ttell me");
    const calls: Document["calls"][number][] = [];
    for (const turn of (await shown(cwd, run)).turns) calls.push(...(await shown(cwd, run, String(turn))).calls);
    expect(calls.map(({ sent: { system, user } }) => ({ system, user }))).toEqual(sent);
    expect(calls.map((call) => call.sent.exact)).toEqual(calls.map(() => true));
    expect(calls.map((call) => [call.call, call.mode])).toContainEqual([2, "reask"]);

    const said = await cli(cwd, ["show", run, "1"]);
    const texts = framed(said);
    for (const one of calls.slice(0, 2)) expect(texts).toContain(one.sent.user.replaceAll("\t", "\\u{9}"));
    expect(texts).toContain(calls[0]?.sent.system);
    expect(texts).toContain("Of course, let me look.");
    expect(said.stdout).toContain("  exact · system and user are the bytes that were sent · digest ");
  });

  test("the screen at 80 columns", async () => {
    const cwd = desk({ replies: [`<think>hm \u001b[2J</think>\n${JSON.stringify(say.pay("ada", 7))}`, say.answer()] });
    const run = await aRun(
      cwd,
      "Please pay Ada, who has been waiting for it since the beginning of the month, 5 francs",
    );
    const said = await cli(cwd, ["show", run, "1"], { isTty: true, columns: 80, env: { NO_COLOR: "1" } });
    for (const line of said.stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    const still = said.stdout.replaceAll(run, "RUN").replace(/digest \w+/, "digest D");
    expect(`\n${still.slice(still.indexOf("  sent: user"))}`).toMatchInlineSnapshot(`
      "
        sent: user · 96 bytes
        │ REQUEST
        │ > Please pay Ada, who has been waiting for it since the beginning of the
        ┊ month, 5 francs
        sent: limits · 1,582 of 46,080 bytes · 1,024 tokens for the reply
        exact · system and user are the bytes that were sent · digest D
        sent: schema · none was sent
        came back · 119 bytes · finish stop · 1 request · 528 + 40 tokens, estimated
        │ <think>hm \\u{1b}[2J</think>
        │ {"kind":"action","tool":"pay","params":{"account":"ada","amountMinor":7},"ev
        ┊ idence":["inv_ada"]}
        mended · think · read instead
        │ {"evidence":["inv_ada"],"kind":"action","params":{"account":"ada","amountMin
        ┊ or":7},"tool":"pay"}
        read as · action · pay {account: ada, amountMinor: 7} cites inv_ada

      what followed
        step 1 denied · pay {account: ada, amountMinor: 7} cites inv_ada
          by pay.authorise · unlucky: seven is never paid
      "
    `);
    expect(still.slice(0, still.indexOf("  │"))).toMatchInlineSnapshot(`
      "turn 1 of 2 · run RUN · scripted · operator

      call 1
        sent: system · 1,486 bytes
      "
    `);
  });

  test("nothing is cut, however long: a prompt of 40 KB and a reply of 100 KB", async () => {
    const long = `${"0123456789 ".repeat(9_000)}end`;
    const cwd = desk({ replies: [say.look("y".repeat(40_000)), say.answer(long)] });
    const run = await aRun(cwd);
    for (const terminal of [{}, { isTty: true, columns: 60, env: { NO_COLOR: "1" } }]) {
      const said = await cli(cwd, ["show", run], terminal);
      const bare = said.stdout.replace(/\n {2}[│┊] ?/g, "").replaceAll(" ", "");
      expect(bare).toContain(`"${"y".repeat(40_000)}"`);
      expect(bare).toContain(`"text":"${long.replaceAll(" ", "")}"`);
    }
  });

  test("[oracle-inspectable] what was left out of the prompt is named", async () => {
    const looks = Array.from({ length: 6 }, (_, i) => say.look(`${i}${"z".repeat(2_000)}`));
    const cwd = desk({
      replies: [...looks, say.answer()],
      config: { window: { tokens: 1_400, outputTokens: 100, bytesPerToken: 3 } },
    });
    const run = await aRun(cwd);
    const last = await shown(cwd, run);
    expect(last.calls[0]?.sent).toMatchObject({ exact: true });
    expect(last.calls[0]?.sent.cut).not.toEqual([]);
    const said = await cli(cwd, ["show", run]);
    expect(said.stdout).toContain(`  left out · ${last.calls[0]?.sent.cut.join(" · ")}\n`);
  });

  test("[oracle-inspectable] what was mended is there as it came and as it was read", async () => {
    const fence = `\`\`\`json\n${JSON.stringify(say.answer("fine"))}\n\`\`\``;
    const cwd = desk({ replies: [fence] });
    const run = await aRun(cwd);
    const said = await cli(cwd, ["show", run]);
    expect(said.stdout).toContain("  mended · fence · read instead\n");
    expect(framed(said)).toContain(fence);
    expect(framed(said)).toContain("fine");
  });

  test("a call that failed, a smaller prompt after it, and a call that was cancelled", async () => {
    const cwd = desk({ replies: [] });
    const controller = new AbortController();
    const look = (id: string): ModelReply => {
      return {
        ok: true,
        text: JSON.stringify(say.look(id)),
        finish: "stop",
        promptTokens: null,
        completionTokens: null,
      };
    };
    const answers: readonly ModelReply[] = [
      look("x".repeat(30_000)),
      { ok: false, code: "context_overflow", detail: "too many tokens" },
      look("a"),
    ];
    let asked = 0;
    const model: Model = {
      name: "m",
      kind: "live",
      where: "here",
      complete: async () => {
        const answer = answers[asked];
        asked += 1;
        if (answer !== undefined) return answer;
        controller.abort();
        return new Promise(() => {});
      },
    };
    const box = await openDesk(cwd, { model });
    const { run } = await box.run("please", { signal: controller.signal });
    const second = await box.show(run, 2);
    expect(second.calls.map(({ call, came, sent }) => [call, came.kind, sent.exact])).toEqual([
      [1, "failed", null],
      [1, "replied", true],
    ]);
    expect(second.calls[0]?.sent.bytes).toBeGreaterThan(30_000);
    expect(second.calls[1]?.sent.bytes).toBeLessThan(second.calls[0]?.sent.bytes ?? 0);
    expect(second.calls[1]?.sent.cut).toHaveLength(1);
    const last = await box.show(run);
    expect(last).toMatchObject({
      turn: 3,
      turns: [1, 2, 3],
      calls: [{ came: { kind: "interrupted", ending: "cancelled" } }],
    });
    await box.close();
    expect((await cli(cwd, ["show", run, "2"])).stdout).toContain(
      "  came back: nothing · context_overflow: too many tokens\n",
    );
  });

  test("decisions and the ending follow", async () => {
    const cwd = desk({ replies: [say.pay("ada", 7), say.pay("ada", 5), say.pay("bob", 1_001)] });
    const run = await aRun(cwd);
    const followed = async (turn: string): Promise<string> =>
      (await cli(cwd, ["show", run, turn])).stdout.split("what followed\n")[1] ?? "";
    expect(await followed("1")).toBe(
      "  step 1 denied · pay {account: ada, amountMinor: 7} cites inv_ada · by pay.authorise · unlucky: seven is never paid\n",
    );
    expect(await followed("2")).toBe(
      "  step 2 permitted · pay {account: ada, amountMinor: 5} cites inv_ada · by pay.authorise\n  step 2 done · pay · paid ada (receipt 1)\n",
    );
    expect(await followed("3")).toBe(
      "  step 3 staged · pay {account: bob, amountMinor: 1001} cites inv_bob · by pay.authorise · waits for supervisor\n  ended: awaiting_approval · step 3 waits for supervisor\n",
    );
  });

  test("where the tools have changed since, it says so and shows what would be sent now", async () => {
    const setting: DeskSetting = { replies: [say.look("a"), say.answer()] };
    const cwd = desk(setting);
    const run = await aRun(cwd);
    expect((await shown(cwd, run, "1")).calls[0]?.sent).toMatchObject({ exact: true, why: "" });
    writeFileSync(join(cwd, "desk.json"), JSON.stringify({ ...setting, description: "Look elsewhere." }));
    copyFileSync(join(cwd, "signalbox.config.ts"), join(cwd, "next.config.ts"));
    const next = ["--config", "next.config.ts"];
    const [call] = (await shown(cwd, run, "1", ...next)).calls;
    expect(call?.sent).toMatchObject({ exact: false });
    expect(call?.sent.why).toMatch(
      /^the tools, their descriptions or the system text have changed since: these are not /,
    );
    expect(call?.sent.system).toContain("Look elsewhere.");
    expect((await cli(cwd, ["show", run, "1", ...next])).stdout).toContain(
      "  not exact · the tools, their descriptions or ",
    );
  });

  test("the schema that went along, in full", async () => {
    const { setting } = await server([]);
    const cwd = desk(setting);
    const run = await aRun(cwd);
    const short = await cli(cwd, ["show", run]);
    const full = await cli(cwd, ["show", run, "--full"]);
    expect(short.stdout).toMatch(/ {2}sent: schema · .* · [\d,]+ bytes · --full prints it\n/);
    expect(framed(full).some((text) => text.includes('"additionalProperties": false'))).toBe(true);
  });
});

describe("nobody attacks the terminal", () => {
  const EVIL = "\u001b]0;owned\u0007\u001b[2J\u009b1A\u202e\u200b\u{e0041}\r\b\u0000\ufeff\u2028\tx";

  test("by what a model says, and nothing that it says can pass for a line of ours", async () => {
    const forged = "exact · forged\n  exact · forged\n\nwhat followed\n  ended: answered · forged";
    const replies = [
      `${EVIL} ${forged}`,
      say.act(EVIL, { [EVIL]: EVIL }, [EVIL]),
      say.plan([EVIL, { id: EVIL }]),
      say.answer(forged),
    ];
    const cwd = desk({ replies });
    const run = await aRun(cwd, `say ${EVIL} ${forged}`);
    for (const turn of ["1", "2", "3"]) {
      for (const terminal of [{}, { isTty: true, columns: 60, env: { NO_COLOR: "1" } }]) {
        const said = await cli(cwd, ["show", run, turn, "--full"], terminal);
        expect(said.stdout).not.toMatch(HARMFUL);
        const lines = said.stdout.split("\n").filter((line) => line.includes("forged"));
        for (const line of lines) expect(line).toMatch(/^ {2}[│┊] |^ {2}(?:not read|read as) · /);
      }
      expect((await cli(cwd, ["show", run, turn, "--json"])).stdout).not.toMatch(HARMFUL);
    }
  });

  test("through a pipe, from the real executable: no colour, one frame a line", async () => {
    const cwd = desk({ replies: [say.answer("fine")] });
    const run = await aRun(cwd);
    const said = await bin(cwd, ["show", run]);
    expect(said).toMatchObject({ code: 0, stderr: "" });
    expect(said.stdout).not.toMatch(HARMFUL);
    expect(framed(said)).toContain("fine");
    const coloured = await cli(cwd, ["show", run], { isTty: true, columns: 80 });
    expect(coloured.stdout).toContain("\u001b[");
  });
});

describe("what is not there", () => {
  test.each([["0"], ["-1"], ["x"], ["1e3"], ["9007199254740993"]])(
    "[cli-one-line-errors] turn %s is none",
    async (turn) => {
      const cwd = desk({ replies: [say.answer()] });
      const run = await aRun(cwd);
      const said = await cli(cwd, ["show", run, "--", turn]);
      expect(said).toMatchObject({ code: 2, stdout: "" });
      expect(said.stderr).toMatch(/^signalbox: usage: /);
    },
  );

  test("[cli-one-line-errors] a turn that the run has not: the turns there are", async () => {
    const cwd = desk({ replies: [say.look("a"), say.answer()] });
    const run = await aRun(cwd);
    const said = await cli(cwd, ["show", run, "3"]);
    expect(said).toMatchObject({ code: 2, stdout: "" });
    expect(said.stderr).toBe(`signalbox: unknown_turn: run ${run} has no turn 3 (its turns are 1 to 2)\n`);
    const box = await openDesk(cwd);
    await expect(box.show(run, 3)).rejects.toThrow(SignalboxError);
    await expect(box.show("01none")).rejects.toMatchObject({ code: "unknown_run" });
  });

  test("[cli-one-line-errors] a run is named by its beginning where no other begins or ends so", async () => {
    const cwd = desk({ replies: [] });
    let id = 0;
    const ids = {
      next: () => ["aaaaaa-thread", "aaaaaa-run", "aaaaaa-t", "aaaaaa-run2", "t3", "bbbbbb-run"][id++] ?? `x${id}`,
    };
    const box = await openDesk(cwd, { ids, model: scriptedModel({ replies: Array(3).fill(say.answer()) }) });
    const runs: string[] = [];
    for (let i = 0; i < 3; i += 1) runs.push((await box.run("please")).run);
    await box.close();
    const b = runs.find((run) => run.startsWith("b"));
    const [first, second] = runs.filter((run) => run.startsWith("aaaaaa"));
    if (b === undefined || first === undefined || second === undefined) throw new Error(`ids: ${runs.join()}`);
    expect((await cli(cwd, ["show", "bbbbbb"])).stdout).toContain(`run ${b}`);
    for (const verb of ["replay", "resume"]) expect(await cli(cwd, [verb, "bbbbbb"])).toMatchObject({ code: 0 });
    for (const verb of ["show", "replay", "resume", "continue"]) {
      const said = await cli(cwd, [verb, "aaaaaa"]);
      expect(said).toMatchObject({ code: 2, stdout: "" });
      expect(said.stderr).toBe(`signalbox: ambiguous_run: 2 runs begin or end with aaaaaa (${second}, ${first})\n`);
    }
    // What is a whole id is that run, although another one begins with it.
    expect((await cli(cwd, ["replay", "aaaaaa-run"])).code).toBe(runs.includes("aaaaaa-run") ? 0 : 2);
    expect((await cli(cwd, ["show", "bbbbbx"])).stderr).toContain("unknown_run");
  });
});

describe("a run is named", () => {
  async function runs(...ids: readonly string[]): Promise<string> {
    const cwd = desk({ replies: [] });
    const given = ids[Symbol.iterator]();
    let other = 0;
    let isRun = false;
    // Ids are asked for in pairs: a thread's, and its run's.
    const next = (): string => {
      isRun = !isRun;
      other += 1;
      return isRun ? `thread${other}` : String(given.next().value);
    };
    const box = await openDesk(cwd, { ids: { next }, model: scriptedModel({ replies: ids.map(() => say.answer()) }) });
    for (const id of ids) expect((await box.run("please")).run).toBe(id);
    await box.close();
    return cwd;
  }
  const shows = async (cwd: string, name: string): Promise<string> => {
    const said = await cli(cwd, ["show", name, "--json"]);
    return said.code === 0 ? (documentIn(said) as { run: string }).run : said.stderr;
  };

  test("by four characters of its beginning or its end, in either case, or as the last", async () => {
    const cwd = await runs("01abcdefgh", "01abcdwxyz", "01abyyyyef");
    expect(await shows(cwd, "efgh")).toBe("01abcdefgh");
    expect(await shows(cwd, "WXYZ")).toBe("01abcdwxyz");
    expect(await shows(cwd, "01ABy")).toBe("01abyyyyef");
    expect(await shows(cwd, "last")).toBe("01abyyyyef");
    expect(await shows(cwd, "01ab")).toContain("ambiguous_run: 3 runs begin or end with 01ab (01abyyyyef, 01abcdwxyz,");
    // Not by what stands in its middle.
    expect(await shows(cwd, "cdef")).toContain("unknown_run");
  });

  test("[cli-one-line-errors] less than four characters are told to be too few, for all that take a run", async () => {
    const cwd = await runs("01abcdefgh");
    for (const verb of ["show", "replay", "resume", "continue"]) {
      expect(await cli(cwd, [verb, "fgh"])).toEqual({
        code: 2,
        stdout: "",
        stderr:
          'signalbox: usage: "fgh" is too short to name a run (give its id, at least 4 characters of its beginning or end, or last)\n',
      });
    }
    const short = await runs("fgh");
    expect(await shows(short, "fgh")).toBe("fgh");
  });

  test("as the last, where that holds a nested run: the whole one", async () => {
    const cwd = desk({ replies: [] });
    const outer = defineTool({
      name: "outer",
      description: "Work with a run of its own.",
      placement: "internal",
      effect: "read",
      params: z.strictObject({}),
      execute: async (_proposal, { nested }) => (await nested("inner")).text,
      summarise: (text) => text,
    });
    const replies = [say.act("outer", {}), say.answer("inner"), say.answer("outer")];
    const config = {
      tools: [outer],
      principals: { operator: { tools: "all" as const } },
      model: scriptedModel({ replies }),
    };
    const box = await openDesk(cwd, config);
    const { run } = await box.run("please");
    expect(await box.runs()).toHaveLength(2);
    await box.close();
    const name = async (): Promise<string> => runIdOf(await openDesk(cwd, config), "last");
    expect(await name()).toBe(run);
  });

  test("[cli-one-line-errors] as the last, where there is none", async () => {
    const cwd = desk({ replies: [] });
    await (await openDesk(cwd)).close();
    const said = await cli(cwd, ["show", "last"]);
    expect(said).toMatchObject({ code: 2, stdout: "" });
    expect(said.stderr).toMatch(/^signalbox: (?:unknown_run: there is no run yet|no_ledger: .*)\n$/);
  });
});

describe("--trace", () => {
  test("[oracle-inspectable] the same sections as they happen, between the rows of the run", async () => {
    const cwd = desk({ replies: ["prose", say.look("a"), say.answer("It is done.")] });
    const said = await cli(cwd, ["run", "please", "--trace"]);
    const heads = said.stdout
      .split("\n")
      .filter((line) => /^(?:turn| {2}(?:sent|came|not read|read)| {2}\d| {5}\w)/.test(line));
    expect(
      heads.map((head) =>
        head
          .split(" · ")[0]
          ?.trimEnd()
          .replace(/ {2,}(?:permitted|re-asked).*$/, ""),
      ),
    ).toEqual([
      "turn 1, call 1",
      "  sent: system",
      "  sent: user",
      "  sent: limits",
      "  sent: schema",
      "  came back",
      "  not read",
      '  1  malformed "prose"',
      "turn 1, call 2, re-asked: the reply before could not be read",
      "  sent: system",
      "  sent: user",
      "  sent: limits",
      "  sent: schema",
      "  came back",
      "  read as",
      "     action    look {id: a}",
      "turn 2, call 1",
      "  sent: system",
      "  sent: user",
      "  sent: limits",
      "  sent: schema",
      "  came back",
      "  read as",
      '  2  answer    "It is done."',
    ]);
    const run = /run (\S+) \(/.exec(said.stdout)?.[1] ?? "";
    const user = (await shown(cwd, run, "2")).calls[0]?.sent.user;
    expect(framed(said)).toContain(user);
    // A system text that is the same is printed once.
    expect(framed(said).filter((text) => text.startsWith("You propose"))).toHaveLength(1);
    expect(said.stdout.match(/ · as in turn 1\n/g)).toHaveLength(2);
  });

  test("[cli-json-one-document] with --json on stderr", async () => {
    const cwd = desk({ replies: [say.answer("It is done.")] });
    const said = await cli(cwd, ["run", "please", "--trace", "--json"]);
    expect(documentIn(said)).toMatchObject({ ending: "answered" });
    expect(framed({ ...said, stdout: said.stderr })).toContain("REQUEST\n> please");
    expect(framed({ ...said, stdout: said.stderr })).toContain("It is done.");
  });

  test("what a canary found out is told, and the call that it was before is printed once", async () => {
    const cwd = desk({});
    const written: string[] = [];
    const sink = { write: (text: string) => void written.push(text) };
    const io: Io = { stdout: sink, stderr: sink, env: {}, cwd, isTty: false };
    const box = await openDesk(cwd, { model: scriptedModel({ replies: [say.answer("fine")] }) });
    const trace = new Trace(io, box, false);
    const probed: RunEvent = {
      kind: "probed",
      at: 0,
      model: "m",
      schema: "ignored",
      tools: "unasked",
      tokeniser: false,
      windowTokens: 4_096,
      detail: "seen",
    };
    await box.run("please", {
      onEvent: (event, run) => {
        for (const one of event.kind === "began" ? [event, probed] : [event]) {
          trace.came(one);
          trace.sent(one, run);
        }
      },
    });
    const said = written.join("");
    expect(said).toContain("  server · schema ignored · no tokeniser · window of 4,096 tokens · seen\n");
    expect(said.match(/sent: user/g)).toHaveLength(1);
    expect(said).toContain("came back · 37 bytes");
  });

  test("a prompt that the server cut is told once for each reply", async () => {
    const { setting } = await server([], { prompt_tokens: 3, completion_tokens: 9 });
    const cut = /it counts fewer tokens than the prompt has/g;
    for (const trace of [[], ["--trace"]]) {
      const said = await cli(desk(setting), ["run", "please", ...trace]);
      expect(said.code).toBe(0);
      expect(said.stdout.match(cut)).toHaveLength(1);
    }
  });

  test("of a run that is continued: from its first call on", async () => {
    const cwd = desk({ replies: [say.look("a"), say.look("b")], config: { budgets: { turns: 1 } } });
    const run = await aRun(cwd);
    const said = await cli(cwd, ["continue", run, "--trace"]);
    expect(said.stdout).toContain("turn 2, call 1\n  sent: system");
  });
});
