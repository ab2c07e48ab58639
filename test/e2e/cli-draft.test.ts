import { createServer } from "node:http";
import fc from "fast-check";
import type { Model, RunOptions } from "signalbox";
import { scriptedModel } from "signalbox/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { Draft } from "../../src/apps/cli/draft.ts";
import type { Io } from "../../src/apps/cli/io.ts";
import { headOf, printSaid } from "../../src/apps/cli/print-row.ts";
import { RunScreen } from "../../src/apps/cli/render-run.ts";
import { visibleLines } from "../../src/apps/cli/text.ts";
import { seed } from "../seed.ts";
import { cli, desk, openDesk, say } from "./stage.ts";

/** Back to the start of the line, and erase it. */
const BACK = "\r\u001b[K";

type Screen = { readonly io: Io; readonly written: () => string; readonly lines: () => readonly string[] };

function screen(columns: number): Screen {
  const written: string[] = [];
  const sink = { write: (text: string) => void written.push(text) };
  const io: Io = { stdout: sink, stderr: sink, env: { NO_COLOR: "1" }, cwd: "/", isTty: true, columns };
  return {
    io,
    written: () => written.join(""),
    lines: () => {
      const lines = written.join("").split("\n");
      return lines.map((line) => (line.split(BACK).at(-1) ?? "").trimEnd());
    },
  };
}

const HARMFUL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u;

/** Cuts between UTF-16 units, as a careless sender would. */
function split(text: string, cuts: readonly number[]): readonly string[] {
  const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, i) => text.slice(from, at[i] ?? text.length));
}

const text = fc
  .array(
    fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom(
        " ",
        "  ",
        "\n",
        "\r\n",
        "\r",
        "\t",
        "\u001b[2J",
        "\u202e",
        "你好",
        "😀",
        "e\u0301",
        "x".repeat(70),
      ),
      fc.string({ unit: "binary", maxLength: 6 }),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => parts.join("").trim())
  .filter((all) => all !== "");

describe("a text while it arrives", () => {
  test("stands in the end as it would if it had come at once, for any text, split and width, and harms no terminal", () => {
    fc.assert(
      fc.property(
        text,
        fc.array(fc.nat(400), { maxLength: 20 }),
        fc.integer({ min: 40, max: 120 }),
        (all, cuts, columns) => {
          const arriving = screen(columns);
          const draft = new Draft(arriving.io);
          for (const piece of split(all, cuts)) draft.push(piece, () => headOf(3, "answer"));
          expect(draft.close(all)).toBe(true);
          const atOnce = screen(columns);
          printSaid(atOnce.io, 3, "answer", visibleLines(`"${all}"`), "bold");
          expect(arriving.lines()).toEqual(atOnce.lines());
          expect(arriving.written().replaceAll(BACK, "")).not.toMatch(HARMFUL);
        },
      ),
      { seed, numRuns: 3000 },
    );
  });

  test("is on the screen before it is complete, and only what grows is written", () => {
    const { io, written } = screen(80);
    const draft = new Draft(io);
    for (const piece of ["It ", "is ", "do", "ne"]) draft.push(piece, () => headOf(1, "answer"));
    expect(written()).toBe(`${headOf(1, "answer")}"It is done`);
  });

  test("what differs from the reply, or has none, is void, and that is said", () => {
    for (const reply of ["It is paid", null]) {
      const { io, lines } = screen(80);
      const draft = new Draft(io);
      draft.push("It is", () => headOf(1, "answer"));
      expect(draft.close(reply)).toBe(false);
      expect(lines()).toEqual(['  1  answer    "It is', "  this draft was discarded", ""]);
    }
  });
});

/** A run whose model says its lines piece by piece to whoever listens, as the corridor would hand them on. */
async function played(
  lines: readonly { readonly pieces: readonly string[]; readonly reply: unknown; readonly finish?: string }[],
): Promise<readonly string[]> {
  const { io, lines: shown } = screen(80);
  let hear: NonNullable<RunOptions["onText"]> = () => {};
  let asked = 0;
  const model: Model = {
    name: "m",
    kind: "live",
    where: "here",
    complete: async () => {
      const line = lines[asked] ?? { pieces: [], reply: say.answer("no more"), finish: "stop" };
      asked += 1;
      for (const piece of line.pieces) hear(piece === "VOID" ? { kind: "discarded" } : { kind: "text", text: piece });
      const { finish = "stop", reply } = line;
      return {
        ok: true,
        text: typeof reply === "string" ? reply : JSON.stringify(reply),
        finish,
        promptTokens: null,
        completionTokens: null,
      };
    },
  };
  const box = await openDesk(desk({}), { model });
  const onScreen = new RunScreen(io, { model, thread: "t", again: "" });
  hear = (piece) => onScreen.say(piece);
  const outcome = await box.run("please", { id: "t", onEvent: (event, run) => onScreen.hear(event, run) });
  onScreen.clear();
  onScreen.finish(outcome, 0);
  return shown().slice(0, -3);
}

describe("a run whose answer is seen while it arrives", () => {
  test("the answer is printed once", async () => {
    expect(await played([{ pieces: ["It is", " done."], reply: say.answer("It is done.") }])).toEqual([
      '  1  answer    "It is done."',
    ]);
  });

  test("an answer that came out otherwise is printed in full after its draft", async () => {
    expect(await played([{ pieces: ["It is d"], reply: say.answer("It is paid.") }])).toEqual([
      '  1  answer    "It is d',
      "  this draft was discarded",
      '  1  answer    "It is paid."',
    ]);
  });

  test("a draft that is void because the call is made again, and one whose reply could not be read", async () => {
    expect(await played([{ pieces: ["It", "VOID", "It is done."], reply: say.answer("It is done.") }])).toEqual([
      '  1  answer    "It',
      "  this draft was discarded",
      '  1  answer    "It is done."',
    ]);
    const cut = { pieces: ["It is"], reply: '{"kind":"conversation","text":"It is', finish: "length" };
    const shown = await played([
      { pieces: [], reply: say.look("a") },
      cut,
      { pieces: ["It is", " done."], reply: say.answer("It is done.") },
    ]);
    expect(shown.filter((line) => !line.includes("look"))).toEqual([
      '  2  answer    "It is',
      "  this draft was discarded",
      expect.stringMatching(/^ {2}2 {2}malformed /),
      expect.stringMatching(/^ {15}re-asked {3}cut_by_length/),
      expect.stringMatching(/^ {26}/),
      '     answer    "It is done."',
    ]);
  });

  test("a canary's row in between voids nothing", async () => {
    const { io, lines } = screen(80);
    const onScreen = new RunScreen(io, { model: { name: "m", kind: "live" }, thread: "t", again: "" });
    const facts = { schema: "honoured", tools: "unasked", tokeniser: false, windowTokens: null, detail: "" } as const;
    const model = scriptedModel({ replies: [say.answer("It is done.")] });
    const box = await openDesk(desk({}), { model });
    await box.run("please", {
      onEvent: (event, run) => {
        if (event.kind === "replied") {
          onScreen.say({ kind: "text", text: "It is done." });
          onScreen.hear({ kind: "probed", at: 0, model: "m", ...facts }, run);
        }
        onScreen.hear(event, run);
      },
    });
    onScreen.clear();
    expect(lines()).toEqual(['  1  answer    "It is done."', ""]);
  });

  test("the line that says what is being waited for gives way to the first piece", async () => {
    const { io, written } = screen(80);
    const onScreen = new RunScreen(io, { model: { name: "m", kind: "live" }, thread: "t", again: "" });
    io.stdout.write("  1  asking m …");
    onScreen.say({ kind: "text", text: " \n" });
    expect(written()).toBe("  1  asking m …");
    onScreen.say({ kind: "text", text: "It" });
    onScreen.clear();
    expect(written()).toContain('answer    "It\n  this draft was discarded\n');
  });
});

/** A server that streams the first half of its answer, and the rest only when `seen` is there. */
async function halting(seen: Promise<void>): Promise<{ readonly baseUrl: string; readonly streamed: boolean[] }> {
  const streamed: boolean[] = [];
  const text = JSON.stringify(say.answer("It is done and dusted."));
  const made = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on("data", (chunk: Buffer) => void chunks.push(chunk))
      .on("end", () => {
        if (!request.url?.endsWith("/chat/completions")) return void response.writeHead(404).end("{}");
        const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
        const isCanary = body.messages[1].content.includes("pong");
        if (!isCanary) streamed.push(body.stream === true);
        if (body.stream !== true) {
          response.setHeader("content-type", "application/json");
          const message = { role: "assistant", content: isCanary ? "pong" : text };
          return void response.end(JSON.stringify({ choices: [{ index: 0, finish_reason: "stop", message }] }));
        }
        const send = (delta: object, finish: string | null): void => {
          response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
        };
        response.writeHead(200, { "content-type": "text/event-stream" });
        send({ role: "assistant", content: text.slice(0, 42) }, null);
        void seen.then(() => {
          send({ content: text.slice(42) }, null);
          send({}, "stop");
          response.end("data: [DONE]\n\n");
        });
      });
  });
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void made.close());
  const address = made.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, streamed };
}

test("from a server that streams: the text is on the terminal while the rest is still to come, and once in the end", async () => {
  let see = (): void => {};
  const seen = new Promise<void>((resolve) => {
    see = resolve;
  });
  const { baseUrl, streamed } = await halting(seen);
  const cwd = desk({ model: { baseUrl, name: "m" } });
  let screen = "";
  const onWrite = (text: string): void => {
    screen += text;
    // Only what is seen now lets the server go on: without it the run would end at its deadline.
    if (screen.includes('answer    "It is')) see();
  };
  const said = await cli(cwd, ["run", "please"], { isTty: true, columns: 80, env: { NO_COLOR: "1" }, onWrite });
  expect(said.code).toBe(0);
  const lines = said.stdout.split("\n").map((line) => line.split(BACK).at(-1));
  expect(lines[0]).toBe('  1  answer    "It is done and dusted."');
  expect(lines[1]).toMatch(/^answered · /);
  expect(streamed).toEqual([true]);
  const piped = await cli(cwd, ["run", "please"]);
  expect(piped.stdout).toMatch(/^ {2}1 {2}answer {4}"It is done and dusted\."\nanswered/);
  expect(streamed).toEqual([true, false]);
});

test("on a pipe, and with --json, nobody listens", async () => {
  for (const [argv, terminal] of [
    [["run", "please"], {}],
    [["run", "please", "--json"], { isTty: true, columns: 80 }],
    [["run", "please"], { isTty: true, columns: 80, env: { TERM: "dumb" } }],
  ] as const) {
    const said = await cli(desk({ replies: [say.answer("It is done.")] }), argv, terminal);
    expect(said.stdout).not.toContain(BACK);
    expect(said.stdout.match(/It is done\./g)).toHaveLength(1);
  }
});
