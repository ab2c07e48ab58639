import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seed } from "../../../test/seed.ts";
import { BODY_BYTES_MAX } from "./body.ts";
import { readCompletion } from "./completion.ts";
import { readDocument } from "./document.ts";
import { StreamReader } from "./stream.ts";

const OPTIONS = { seed, numRuns: 2_000 };

/** Texts with all that makes reading strings hard. */
const hard = fc.array(fc.constantFrom("\\", '"', "\ud83d", "\ude00", "u", "d83d", "1", "-", "e", "é", "\n", "{", "["), {
  maxLength: 12,
});
const text = hard.map((parts) => parts.join(""));
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true, 2 ** 53, -1e300, 5e-324, 0.1),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(
      text.map((key) => `k${key.replace(/[\ud800-\udfff]/g, "")}`),
      tie("value"),
      { maxKeys: 4, noNullPrototype: true },
    ),
  ),
}));

describe("a document of a server", () => {
  test("is what JSON.parse reads, but for numbers that cannot be carried, which are null", () => {
    fc.assert(
      fc.property(json, (value) => {
        let lost = false;
        const carried = JSON.stringify(value, (_key, inner) => {
          if (typeof inner !== "number" || !Number.isInteger(inner) || Number.isSafeInteger(inner)) return inner;
          lost = true;
          return null;
        });
        const document = readDocument(JSON.stringify(value));
        expect(document).toEqual({ ok: true, value: { value: JSON.parse(carried), inexact: lost } });
      }),
      OPTIONS,
    );
  });

  test.each([
    ['{"a":1,"a":1}', "duplicate_key"],
    ['{"n":1e999,"a":1,"\\u0061":1}', "duplicate_key"],
    ['{"n":"\\ud800","__proto__":1}', "forbidden_key"],
    ['{"n":1e999,"a":01}', "not_json"],
    ['{"n":99999999999999999999.}', "not_json"],
    ['{"n":-}', "not_json"],
    ['{"n":1e999} {"n":1}', "not_json"],
    ['{"n":NaN}', "not_json"],
    [`${"[".repeat(129)}1e999${"]".repeat(129)}`, "too_deep"],
  ])("%s is refused as %s", (body, code) => {
    expect(readDocument(body)).toMatchObject({ ok: false, why: { code } });
  });

  test("a number of any length costs no more than its length", () => {
    const digits = "9".repeat(BODY_BYTES_MAX - 100);
    expect(readDocument(`{"created":${digits},"a":1}`)).toEqual({
      ok: true,
      value: { value: { created: null, a: 1 }, inexact: true },
    });
    const slashes = "\\\\".repeat(BODY_BYTES_MAX / 2 - 50);
    expect(readDocument(`{"n":1e999,"a":"${slashes}"}`)).toMatchObject({ ok: true, value: { inexact: true } });
  });
});

describe("whatever a server sends", () => {
  const clean = (said: string): string => said;
  const GOOD =
    'data: {"choices":[{"delta":{"content":"é","tool_calls":[{"index":0,"function":{"name":"a"}}]}}]}\r\n\r\n';
  const mutant = fc
    .array(
      fc.record({
        at: fc.nat(400),
        cut: fc.nat(6),
        put: fc.constantFrom("", '"', "{}", "[", "null", "\n", "\r", ":", "data:", "error"),
      }),
      {
        maxLength: 6,
      },
    )
    .map((changes) =>
      changes.reduce(
        (body, { at, cut, put }) => body.slice(0, at) + put + body.slice(at + cut),
        `${GOOD}${GOOD}data: [DONE]\n\n`,
      ),
    );

  test("a stream comes to an outcome, and to the same in pieces of any size", () => {
    const outcomeOf = (body: string, size: number): unknown => {
      const heard: string[] = [];
      const reader = new StreamReader((content) => heard.push(content), clean);
      for (let at = 0; at < body.length && reader.take(body.slice(at, at + size)); at += size);
      return [reader.end(null), heard];
    };
    fc.assert(
      fc.property(mutant, fc.integer({ min: 1, max: 9 }), (body, size) => {
        const whole = outcomeOf(body, body.length + 1);
        expect(outcomeOf(body, size)).toEqual(whole);
        expect(whole).toMatchObject([{ kind: expect.stringMatching(/^(?:said|fault|refused)$/) }, expect.anything()]);
      }),
      OPTIONS,
    );
  });

  test("so does a document: of messages and calls of any type", () => {
    const plain = fc.jsonValue({ maxDepth: 2 });
    const body = fc.record({
      choices: fc.oneof(
        plain,
        fc.array(
          fc.record({
            message: fc.oneof(
              plain,
              fc.record({ content: plain, tool_calls: plain, function_call: plain, refusal: plain }),
            ),
            finish_reason: plain,
          }),
        ),
      ),
      usage: plain,
      error: fc.oneof(fc.constant(null), plain),
    });
    fc.assert(
      fc.property(body, (value) => {
        const outcome = readCompletion(JSON.stringify(value), clean);
        if (outcome.kind !== "said") return;
        expect(typeof outcome.text).toBe("string");
        expect(typeof outcome.finish).toBe("string");
        for (const { name, args } of outcome.calls) expect([typeof name, typeof args]).toEqual(["string", "string"]);
      }),
      OPTIONS,
    );
  });
});
