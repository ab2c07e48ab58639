import { describe, expect, test } from "vitest";
import { readLoose } from "./loose-json.ts";

describe("JSON as small models write it", () => {
  test.each([
    ['{"a":1}', '{"a":1}', ""],
    ['{"a":"}\\"]"} tail', '{"a":"}\\"]"}', ""],
    ["{'a':'b'}", '{"a":"b"}', "single_quotes"],
    [`{'a':'it\\'s "so"\\n'}`, '{"a":"it\'s \\"so\\"\\n"}', "single_quotes"],
    [`{'a':"it's"}`, '{"a":"it\'s"}', "single_quotes"],
    ["{'a':'}'}", '{"a":"}"}', "single_quotes"],
    ["[None,True , False]", "[null,true , false]", "single_quotes"],
    ['{"a":"None","b":Nonesuch}', '{"a":"None","b":Nonesuch}', ""],
    ["[1,]", "[1]", "trailing_comma"],
    ['{"a":[1 ,\n] , }', '{"a":[1 \n]  }', "trailing_comma"],
    ['{"a":",}"}', '{"a":",}"}', ""],
    ["[1,,]", "[1,,]", ""],
    ["{,}", "{,}", ""],
    ["[,]", "[,]", ""],
    ['{"a":,}', '{"a":,}', ""],
    ["{a'b':1}", "{a'b':1}", ""],
    ["{'\\x41':1}", '{"\\x41":1}', "single_quotes"],
  ])("%s is read as %s", (text, json, names) => {
    const loose = readLoose(text, 0);
    expect([loose?.json, loose?.names.join()]).toEqual([json, names]);
  });

  test.each(["{", '{"a":1', '{"a":"}', "{'a':'}", "[[]", '{"a":"\\'])("%s is not closed", (text) => {
    expect(readLoose(text, 0)).toBeNull();
  });

  test("it begins where it is told and ends behind the bracket that closes", () => {
    expect(readLoose("x [{}] y", 2)).toEqual({ end: 6, json: "[{}]", names: [], twofold: false });
  });
});

test.each([
  ["{'p':'a\\/b'}", true],
  ["{'p':'\\ud83d\\ude00'}", true],
  ["{'p':\"a\\/b\",'q':1}", true],
  ['{"p":"a\\/b","q":None}', true],
  ['{"p":"a\\/b","q":1,}', false],
  ['{"p":"\\ud83d\\ude00"}', false],
  [`{'p':'a\\n\\t\\b\\f\\r\\\\\\"\\'\\u00e9'}`, false],
  ["{'p':'a/b'}", false],
  ["{'p':'\\\\/'}", false],
])("%s means one thing to Python and another to JSON: %s", (text, twofold) => {
  expect(readLoose(text, 0)?.twofold).toBe(twofold);
});
