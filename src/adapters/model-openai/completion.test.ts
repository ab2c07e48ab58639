import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { ask, chunk, completion, events, serve } from "../../../test/loopback.ts";
import type { ModelReply, ModelRequest } from "../../ports/model.ts";

const KEY = "sk-proj-AbCdEfGhIjKlMnOpQrStUvWxYz";

async function answered(
  body: string,
  then: (response: ServerResponse) => void = (response) => void response.end(),
  more: Partial<ModelRequest> = {},
): Promise<ModelReply> {
  const { url } = await serve((response) => void response.write(body, () => then(response)));
  return ask(url, more, { retries: 0, apiKey: KEY });
}

/** Once what was written has been read, the connection breaks. */
const breaks = (response: ServerResponse): void => void setTimeout(() => response.destroy(), 20);

describe("half a reply is no reply", () => {
  test.each<[string, unknown]>([
    ["empty", ""],
    ["blank", " \n"],
    ["false", false],
    ["an object", { reason: "stop" }],
    ["a number", 0],
    ["a list", ["stop"]],
  ])("where the finish reason of each chunk is %s", async (_what, finish) => {
    const half = events(chunk({ content: "The refund " }, { finish_reason: finish }), chunk({ content: "was " }));
    const failed = { ok: false, code: "unreachable" };
    expect(await answered(half, breaks)).toMatchObject(failed);
    expect(await answered(half)).toMatchObject(failed);
    // With its end it is whole, whatever stood in its chunks.
    const whole = { ok: true, text: "The refund was ", finish: "none" };
    expect(await answered(half + events("[DONE]"), breaks)).toMatchObject(whole);
    expect(await answered(half + events(chunk({}, { finish_reason: "stop" })), breaks)).toMatchObject({
      ...whole,
      finish: "stop",
    });
  });
});

describe("the finish is", () => {
  const finishOf = async (finish: unknown): Promise<string | null> => {
    const plain = await answered(completion({ content: "hi" }, { finish_reason: finish }));
    const streamed = await answered(events(chunk({ content: "hi" }), chunk({}, { finish_reason: finish }), "[DONE]"));
    expect(streamed).toMatchObject({ ok: true, finish: plain.ok ? plain.finish : "" });
    return plain.ok ? plain.finish : null;
  };

  test.each([
    ["of 64 characters", "a".repeat(64), "a".repeat(64)],
    ["of 65 characters", "a".repeat(65), "none"],
    ["in either case, with signs", "MAX_TOKENS-reached", "MAX_TOKENS-reached"],
    ["with a digit", "stop1", "none"],
    ["with a space", "end of turn", "none"],
    ["with a line end", "stop\n", "none"],
    ["the start of a key", `${KEY}${"x".repeat(64)}`, "none"],
    ["a key", KEY, "none"],
    ["a key in a word", `got_${KEY}`, "none"],
    ["empty", "", "none"],
  ])("a word, or none: %s", async (_what, finish, recorded) => {
    expect(await finishOf(finish)).toBe(recorded);
  });

  test.each(["length", "content_filter"])("%s whatever is said after it", async (first) => {
    const reply = await answered(
      events(
        chunk({ content: "half" }, { finish_reason: first }),
        chunk({}, { finish_reason: "stop" }),
        chunk({}, { finish_reason: "tool_calls" }),
        "[DONE]",
      ),
    );
    expect(reply).toMatchObject({ ok: true, text: "half", finish: first });
  });

  test("the last word where neither was said", async () => {
    const reply = await answered(
      events(chunk({ content: "x" }, { finish_reason: "stop" }), chunk({}, { finish_reason: "tool_calls" }), "[DONE]"),
    );
    expect(reply).toMatchObject({ finish: "tool_calls" });
  });
});

describe("of several choices only the first is read", () => {
  const at = (index: unknown, delta: object, more: object = {}): string => chunk(delta, { index, ...more });
  const END = at(0, {}, { finish_reason: "stop" });

  test("its content, not theirs", async () => {
    const body = events(
      at(0, { content: "a" }),
      at(1, { content: "X" }, { finish_reason: "length" }),
      JSON.stringify({
        choices: [
          { index: 1, delta: { content: "Y" } },
          { index: 0, delta: { content: "b" } },
        ],
      }),
      at(1.5, { content: "Z" }),
      at(-1, { refusal: "no" }),
      at(undefined, { content: "c" }),
      at("0", { content: "d" }),
      at(null, { content: "e" }),
      END,
      "[DONE]",
    );
    expect(await answered(body)).toMatchObject({ ok: true, text: "abcde", finish: "stop" });
  });

  test("its calls, not theirs", async () => {
    const piece = (args: string, name?: string): object => ({
      tool_calls: [{ index: 0, function: { ...(name === undefined ? {} : { name }), arguments: args } }],
    });
    const body = events(at(0, piece('{"to":"ada",', "refund")), at(1, piece('"amount":900,')), at(0, piece('"x":1}')));
    const reply = await answered(body + events(END, "[DONE]"), undefined, { mode: "tools" });
    expect(reply).toMatchObject({ ok: true, calls: [{ name: "refund", args: '{"to":"ada","x":1}' }] });
  });

  test("of a whole document, too; one without a first choice holds no message", async () => {
    const choice = (index: number, content: string): object => ({ index, message: { content }, finish_reason: "stop" });
    const both = JSON.stringify({ choices: [choice(1, "second"), choice(0, "first")] });
    expect(await answered(both)).toMatchObject({ ok: true, text: "first" });
    const other = JSON.stringify({ choices: [choice(1, "second")] });
    expect(await answered(other)).toMatchObject({ ok: false, code: "bad_answer" });
  });

  test("a finish of another choice ends nothing", async () => {
    const body = events(at(0, { content: "half" }), at(1, {}, { finish_reason: "stop" }));
    expect(await answered(body, breaks)).toMatchObject({ ok: false, code: "unreachable" });
  });
});

describe("a whole message in a stream", () => {
  const message = (content: string): string =>
    JSON.stringify({ choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }] });

  test("is not added to what its pieces said", async () => {
    const body = events(chunk({ content: "hi " }), chunk({ content: "you" }), message("hi you"), "[DONE]");
    expect(await answered(body)).toMatchObject({ ok: true, text: "hi you", finish: "stop" });
    const refused = events(chunk({ refusal: "no" }), message("no"), "[DONE]");
    expect(await answered(refused)).toMatchObject({ ok: true, text: "", finish: "refusal" });
  });

  test("is read where nothing was said before it", async () => {
    const body = events(chunk({ role: "assistant", content: "" }), message("hi you"), "[DONE]");
    expect(await answered(body)).toMatchObject({ ok: true, text: "hi you" });
  });
});
