import { describe, expect, test } from "vitest";
import { tokensAtLeast } from "./tokens.ts";

describe("the fewest tokens that a text can have", () => {
  test.each([
    ["", 0],
    ["   \n\t  ", 0],
    ["one", 1],
    ["one two", 2],
    ["don't", 2],
    ["{}[],;", 0],
    [`{"item": 12, "name": "item 12"}`, 5],
    ["x".repeat(32), 1],
    ["x".repeat(33), 2],
    ["1".repeat(16), 1],
    ["1".repeat(17), 2],
    ["a1a1", 4],
    ["größe", 1],
    ["日本語のテキスト", 1],
  ])("of %j are %i", (text, tokens) => {
    expect(tokensAtLeast(text)).toBe(tokens);
  });
});
