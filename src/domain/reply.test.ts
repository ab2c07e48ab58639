import { describe, expect, test } from "vitest";
import { parseReply } from "./reply.ts";

const code = (text: string): string => {
  const reply = parseReply(text);
  return reply.ok ? reply.value.kind : reply.why.code;
};

describe("one flat reply object, read strictly", () => {
  test.each([
    ['{"kind":"conversation","text":"hi"}', "conversation"],
    [
      ' {"kind":"conversation","text":"hi","tool":null,"params":null,"steps":null,"query":null,"evidence":null}\n',
      "conversation",
    ],
    ['{"kind":"action","tool":"t","params":{"a":1},"evidence":["e"]}', "action"],
    ['{"kind":"action","tool":"t","params":"{\\"a\\":1}"}', "action"],
    ['{"kind":"plan","steps":[{"actor":"a"}]}', "plan"],
    ['{"kind":"retrieve","query":"q"}', "retrieve"],
    ["Sure! Here it is.", "not_json"],
    ["[]", "not_an_object"],
    ['{"kind":"Action","tool":"t"}', "unknown_kind"],
    ['{"kind":"toString"}', "unknown_kind"],
    ['{"kind":"action","tool":"t","approved":true}', "unknown_key"],
    ['{"kind":"action","tool":""}', "missing_tool"],
    ['{"kind":"action","tool":"t","params":"{broken"}', "not_json"],
    ['{"kind":"action","tool":"t","params":[1]}', "wrong_type"],
    ['{"kind":"action","tool":"t","evidence":"e1"}', "wrong_type"],
    ['{"kind":"conversation","text":"  "}', "empty_text"],
    ['{"kind":"conversation","text":"\\u200b\\u202e"}', "empty_text"],
    ['{"kind":"conversation","text":7}', "wrong_type"],
    ['{"kind":"plan","steps":[]}', "missing_steps"],
    ['{"kind":"plan","steps":[{"actor":"a","approved":true}]}', "unknown_key"],
    ['{"kind":"retrieve","query":""}', "missing_query"],
    ['{"kind":"conversation","kind":"action","text":"x"}', "duplicate_key"],
    ['{"kind":"conversation","text":"x"} {"kind":"conversation","text":"y"}', "not_json"],
  ])("[json-strict] %s is %s", (text, expected) => {
    expect(code(text)).toBe(expected);
  });

  test.each([
    [19, "plan"],
    [20, "plan"],
    [21, "too_many_steps"],
  ])("a plan of %i steps is %s", (steps, expected) => {
    expect(code(JSON.stringify({ kind: "plan", steps: Array.from({ length: steps }, () => ({ actor: "a" })) }))).toBe(
      expected,
    );
  });

  test.each([
    [63, "action"],
    [64, "action"],
    [65, "too_much_evidence"],
  ])("%i cited ids are %s", (ids, expected) => {
    expect(
      code(JSON.stringify({ kind: "action", tool: "t", evidence: Array.from({ length: ids }, (_, i) => `e${i}`) })),
    ).toBe(expected);
  });

  test("unreadable params are never taken for none", () => {
    const reply = parseReply('{"kind":"action","tool":"t"}');
    expect(reply).toMatchObject({ ok: true, value: { params: {}, evidence: [] } });
    expect(parseReply('{"kind":"action","tool":"t","params":"{\\"a\\":1e400}"}')).toMatchObject({
      ok: false,
      why: { code: "number_out_of_range" },
    });
  });
});
