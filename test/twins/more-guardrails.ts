import assert from "node:assert/strict";
import { DEFAULT_BUDGETS } from "../../src/domain/budgets.ts";
import { action, drive, type Loop, loopTool, rulesOf } from "../checks/drive.ts";

/** What test/checks/guardrails.ts leaves open of guardrail 5: what gives way first, and what is left of an older result. */

/** A long history is cut before the newest result is, however much of it there is. */
export function newestIsCutLast(loop: Loop): void {
  // A result's line begins with its tool's name, so forty of them are 8 KB.
  const tool = `read_${"l".repeat(190)}`;
  const tools = rulesOf(loopTool(tool));
  let done = 0;
  const { run } = drive(
    loop,
    tools,
    [...Array(40).keys()].map((q) => action(tool, { q })),
    {
      began: { budgets: { ...DEFAULT_BUDGETS, turns: 100, modelCalls: 100, steps: 100 } },
      perform: () => ({ outcome: "done", result: { text: "x".repeat(++done === 40 ? 42_000 : 10) } }),
    },
  );
  const built = loop.buildPrompt(run, loop.systemText(tools), { kind: "turn" });
  assert.ok(built.ok);
  assert.ok(built.prompt.user.includes("x".repeat(42_000)), "the newest result is whole");
  assert.match(built.prompt.cut.join(), /older action line/, "what gave way is the history");
}

/** Of an older result its line is left, and nothing of what it held. */
export function olderAreLines(loop: Loop): void {
  const tools = rulesOf(loopTool("read"));
  let done = 0;
  const { run } = drive(loop, tools, [action("read", { q: 1 }), action("read", { q: 2 })], {
    perform: () => ({ outcome: "done", result: { held: `content ${++done}` } }),
  });
  const built = loop.buildPrompt(run, loop.systemText(tools), { kind: "turn" });
  assert.ok(built.ok);
  assert.ok(built.prompt.user.includes("content 2"));
  assert.ok(!built.prompt.user.includes("content 1"), "the older result is a line");
  assert.equal(built.prompt.user.split("read done").length - 1, 2, "and each of the two has one");
}

/** The bound is one of bytes: text of which a character takes up to four is cut by what it takes. */
export function boundIsInBytes(loop: Loop): void {
  const tools = rulesOf(loopTool("read"));
  const { run } = drive(loop, tools, [action("read", { q: 1 })], {
    perform: () => ({ outcome: "done", result: { text: "é€𝄞".repeat(8_000) } }),
  });
  const built = loop.buildPrompt(run, loop.systemText(tools), { kind: "turn" });
  assert.ok(built.ok);
  const { bytes, bytesMax, cut, system, user } = built.prompt;
  assert.equal(Buffer.byteLength(system) + Buffer.byteLength(user), bytes);
  assert.ok(bytes <= bytesMax, "never over the bound");
  assert.match(cut.join(), /newest/);
  assert.ok(!user.includes("\ufffd"), "nothing is cut inside of a character");
}

export const MORE_CHECKS = { newestIsCutLast, olderAreLines, boundIsInBytes };
