import { describe, expect, test } from "vitest";
import { hasCallMark, withoutMarks } from "./call-marks.ts";
import type { Json } from "./json.ts";
import { piecesOf } from "./pieces.ts";
import { callsIn, markedCalls } from "./tool-call-text.ts";

describe("calls that were written as text", () => {
  test.each<[Json, boolean, string | null]>([
    [{ name: "a", arguments: {} }, false, "a"],
    [{ name: "a", parameters: "{}" }, false, "a"],
    [{ name: "a" }, false, null],
    [{ name: "a" }, true, "a"],
    [{ name: "a", arguments: {}, parameters: {} }, false, null],
    [{ name: "a", arguments: {}, why: "b" }, false, null],
    [{ name: 1, arguments: {} }, false, null],
    [{ type: "function", name: "a", arguments: {} }, false, "a"],
    [{ type: "other", name: "a", arguments: {} }, false, null],
    [{ type: "function", function: { name: "a", arguments: "{}" }, id: "1", index: 0 }, false, "a"],
    [{ function: { name: "a", arguments: {} }, name: "b" }, false, null],
    [{ function: "a", arguments: {} }, false, null],
    [
      [
        { name: "a", arguments: {} },
        { name: "b", arguments: {} },
      ],
      false,
      "a,b",
    ],
    [[{ name: "a", arguments: {} }, { x: 1 }], false, null],
    [[], true, null],
    [{ tool_calls: [{ name: "a", arguments: {} }] }, false, "a"],
    [{ tool_calls: [{ name: "a", arguments: {} }], content: " ", role: "assistant" }, false, "a"],
    [{ tool_calls: [{ name: "a", arguments: {} }], content: "b" }, false, null],
    [{ tool_calls: [] }, false, null],
    ["a", true, null],
    [null, true, null],
  ])("%j, marked: %s, calls %s", (value, marked, names) => {
    expect(
      callsIn(value, marked)
        ?.map(({ name }) => name)
        .join() ?? null,
    ).toBe(names);
  });

  test("a text without a mark has no marked calls; one with a mark has them or a reason", () => {
    expect(markedCalls(piecesOf('{"name":"a","arguments":{}}'))).toBeNull();
    expect(markedCalls(piecesOf('<function=a>{"b":1}</function> so'))).toEqual({
      ok: true,
      value: { calls: [{ name: "a", args: { b: 1 } }], flat: null, before: false, behind: true, fenced: false },
    });
    expect(markedCalls(piecesOf("<tool_call>"))?.ok).toBe(false);
    expect(markedCalls(piecesOf(`[TOOL_CALLS]${"a".repeat(65)}{}`))?.ok).toBe(false);
  });

  test("marks are told from prose", () => {
    expect(hasCallMark("a </tool_call>")).toBe(true);
    expect(hasCallMark("a call of a tool")).toBe(false);
    expect(withoutMarks("a</tool_call></function><|im_end|>b")).toBe("ab");
  });
});
