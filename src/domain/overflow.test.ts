import { describe, expect, test } from "vitest";
import { saysOverflow } from "./overflow.ts";

describe("what servers say of a prompt that is too long", () => {
  test.each([
    [400, "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens."],
    [400, '{"error":{"code":"context_length_exceeded","message":"too long"}}'],
    [400, "the request exceeds the available context size, try increasing it"],
    [400, '{"error":{"type":"exceed_context_size_error"}}'],
    [500, "Context size has been exceeded."],
    [400, "The decoder prompt (length 9001) is longer than the maximum model length of 8192."],
    [400, "This model's maximum prompt length is 131072 but the request contains 140000 tokens."],
    [400, "prompt is too long: 210000 tokens > 200000 maximum"],
    [400, "Input is too long for requested model."],
    [400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."],
    [400, "too many tokens: the total is 5000"],
    [422, "Please reduce the length of the messages or completion."],
    [400, "Trying to keep the first 15857 tokens when context the overflows"],
    [400, "n_keep (15028) >= n_ctx (7424)"],
    [422, "`inputs` must have less than 1024 tokens. Given: 2000"],
    [422, "`inputs` tokens + `max_new_tokens` must be <= 2048"],
    [400, "Input length (160062 tokens) exceeds the maximum allowed length"],
    [400, "Requested token count exceeds what the model takes"],
    [413, ""],
    [null, "your input exceeds the context window of this model"],
  ])("%s %s", (status, text) => {
    expect(saysOverflow(status, text)).toBe(true);
  });

  test.each([
    [429, "too many tokens per minute: maximum context length is beside the point"],
    [401, "maximum context length"],
    [503, "maximum context length"],
    [400, "the schema is not supported"],
    [400, "the context is missing"],
    [500, "oops"],
    [null, "connection reset"],
    [400, `${" ".repeat(16_384)}prompt is too long`],
  ])("and of something else: %s %s", (status, text) => {
    expect(saysOverflow(status, text)).toBe(false);
  });
});
