import { describe, expect, test } from "vitest";
import { withoutThinking } from "./thinking.ts";

describe("thinking before a reply", () => {
  test.each([
    ["<think>a</think>b", "b"],
    [" \n<thinking>a</thinking>b", "b"],
    ["<reasoning>a</reasoning>\nb", "\nb"],
    ["[THINK]a[/THINK]b", "b"],
    ["<think>a</think><think>b</think>c", "c"],
    ["<think>a <think> b</think>c", "c"],
    ["a <think>b</think>\nc", "a \nc"],
    ["a\n</think>\n\nb", "\n\nb"],
    ["a</think>{}", "{}"],
    ["a</think>  <tool_call>", "  <tool_call>"],
    ['a {"b":"c"} d</think>\ne', "\ne"],
  ])("%j leaves %j", (text, rest) => {
    expect(withoutThinking(text)).toEqual({ text: rest, removed: true, only: false });
  });

  test.each([
    "a",
    "a <think>b</think> c",
    "write </think> to end it",
    'x {"text":"a</think>\n{}"}',
    "x {'text':'a</think>\n{}'}",
    'x {"never closed </think>\n{}',
  ])("%j is left alone", (text) => {
    expect(withoutThinking(text)).toEqual({ text, removed: false, only: false });
  });

  test.each(["<think>", "<think>a", "<think>a</thinking>b", "<think>a</think> \n\u200b", "a</think>"])(
    "%j is only thinking",
    (text) => {
      expect(withoutThinking(text).only).toBe(true);
    },
  );
});
