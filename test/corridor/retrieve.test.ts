import { describe, expect, test } from "vitest";
import type { Memory } from "../../src/index.ts";
import { scriptedModel } from "../../src/testing/index.ts";
import { openBox, say } from "./box.ts";

const retrieve = { kind: "retrieve" as const, query: "refunds" };
/** A memory that a stranger wrote. */
const giving = (value: unknown): Memory => ({ search: async () => value as never });

describe("a memory that gives no answer", () => {
  test.each<[string, Memory, string]>([
    ["throws", { search: () => Promise.reject(new Error("index secret-canary is down")) }, "index [redacted] is down"],
    ["gives no list", giving("passages"), "it gave no list of passages"],
    ["gives nothing", giving(undefined), "it gave no list of passages"],
    ["gives what is no passage", giving([{ text: 5, source: "a" }, null, "x"]), "it gave no passage with"],
    [
      "gives what throws when it is read",
      giving([
        {
          get source(): string {
            throw new Error("boo");
          },
        },
      ]),
      "boo",
    ],
  ])("%s: the model is told, and nothing is claimed", async (_name, memory, why) => {
    const model = scriptedModel({ replies: [retrieve, say("I could not look it up")] });
    const box = openBox([], [], { model, memory, redact: { values: ["secret-canary"] } });
    const outcome = await box.run("how long?");
    expect(outcome).toMatchObject({ ending: "answered", text: "I could not look it up", turns: 2 });
    expect(model.requests[1]?.messages[0]?.content).toContain(`> memory failed: ${why}`);
    const found = (await box.events(outcome.run)).find((event) => event.kind === "retrieved");
    expect(found).toMatchObject({ passages: [], failed: expect.stringContaining(why) });
    expect((await box.replay(outcome.run)).same).toBe(true);
  });

  test("a model that asks it again and again is stopped, and exits with no 0", async () => {
    const box = openBox([], [retrieve, retrieve, retrieve, retrieve], { memory: giving(null) });
    expect(await box.run("how long?")).toMatchObject({ ending: "repetition", exitCode: 3 });
  });
});

describe("passages", () => {
  test("those that are none are left out", async () => {
    const memory = giving([{ source: "a", text: 5 }, { source: "manual", text: "5 days", more: 1 }, 7]);
    const box = openBox([], [retrieve, { kind: "action", tool: "x" }], { memory });
    const outcome = await box.run("how long?");
    expect(outcome).toMatchObject({ ending: "retrieved", text: "manual: 5 days" });
    const found = (await box.events(outcome.run)).find((event) => event.kind === "retrieved");
    expect(found).toMatchObject({ passages: [{ source: "manual", text: "5 days" }], failed: null });
  });

  test("[loop-prompt-bound] as many line breaks as fit never cost the run its prompt, and the cut is named", async () => {
    const memory = giving(Array(8).fill({ source: "s", text: "\n".repeat(4_000) }));
    for (const tokens of [2_200, 3_000, 8_000]) {
      const model = scriptedModel({ replies: [retrieve, say("done")] });
      const box = openBox([], [], { model, memory, window: { tokens } });
      const outcome = await box.run("how long?");
      expect(outcome).toMatchObject({ ending: "retrieved", text: "done" });
      expect(model.requests[1]?.messages[0]?.content).toMatch(/LEFT OUT to fit the window: .*passages/);
      expect((await box.replay(outcome.run)).same).toBe(true);
    }
  });

  test("[input-delimiter] hidden characters are written out, in passages, in earlier exchanges and in one-liners", async () => {
    const hidden = "a\u202eb\u{e0041}c\u200bd";
    const memory = giving([{ source: "s", text: hidden }]);
    const replies = [retrieve, say(hidden), { kind: "action" as const, tool: hidden }, say("x")];
    const model = scriptedModel({ replies });
    const box = openBox([], [], { model, memory });
    const thread = box.thread({ id: "t" });
    await thread.run("how long?");
    await thread.run("again");
    const shown = String.raw`a\u202eb\udb40\udc41c\u200bd`;
    const [, closing = "", past = "", line = ""] = model.requests.map((one) => one.messages[0]?.content ?? "");
    expect(closing).toContain(`> s: ${shown}`);
    expect(past).toContain(`> you: ${shown}`);
    expect(line).toContain(`> ${shown} denied`);
    for (const prompt of [closing, past, line]) expect(prompt).not.toMatch(/[\u200b\u202e\u{e0041}]/u);
  });
});
