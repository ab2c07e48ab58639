import { describe, expect, test } from "vitest";
import { saysUnreadableCall } from "./unreadable-call.ts";

describe("what servers say of a call that they could not read", () => {
  test.each([
    [500, "error parsing tool call: raw='{', err=unexpected end of JSON input"],
    [500, "Failed to parse tool call arguments as JSON"],
    [500, "Failed to parse input at pos 12: <tool_call>"],
    [400, "tool call parsing failed"],
    [400, '{"error":{"code":"tool_use_failed"}}'],
    [400, '{"error":{"code":"json_validate_failed"}}'],
    [422, "Invalid function call arguments"],
    [null, "could not parse the function call"],
  ])("%s %s", (status, text) => {
    expect(saysUnreadableCall(status, text)).toBe(true);
  });

  test.each([
    [429, "error parsing tool call"],
    [503, "error parsing tool call"],
    [400, "error parsing the request body"],
    [400, "tool_choice is not supported"],
    [500, "oops"],
    [500, `${" ".repeat(16_384)}error parsing tool call`],
  ])("and of something else: %s %s", (status, text) => {
    expect(saysUnreadableCall(status, text)).toBe(false);
  });
});
