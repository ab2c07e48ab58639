import { describe, expect, test } from "vitest";
import { piecesOf } from "./pieces.ts";

function seen(text: string): readonly [objects: readonly string[], prose: readonly string[]] {
  const { objects, prose } = piecesOf(text);
  return [objects.map(({ start, end }) => text.slice(start, end)), prose];
}

describe("the objects of a text and what stands around them", () => {
  test.each([
    ["", [], [""]],
    ["hello", [], ["hello"]],
    ['a {"b":1} c', ['{"b":1}'], ["a ", " c"]],
    ["{}{ }", ["{}", "{ }"], ["", "", ""]],
    ['x [ {"a":[1]} ] y', ['[ {"a":[1]} ]'], ["x ", " y"]],
    ['{"a":"} {"}', ['{"a":"} {"}'], ["", ""]],
    ["if (a) { b } [1] {{x}} $(y)", [], ["if (a) { b } [1] {{x}} $(y)"]],
  ])("%s", (text, objects, prose) => {
    expect(seen(text)).toEqual([objects, prose]);
    expect(piecesOf(text).stray).toBe(false);
  });

  test.each([
    ['{a: {"b":1}}', true],
    ['{{"b":1}}', true],
    ['[x, {"b":1}]', true],
    ['["x", {"b":1}]', true],
    ['{"b":1}}', true],
    ['{"b":1}, 2', true],
    ['{"b":1} : 2', true],
    ['"{"b":1}"', true],
    ['a\n  > {"b":1}', true],
    ['a > b:\n{"b":1}', false],
    ['f({"b":1})', false],
    ['`{"b":1}`', true],
    ['say "{"b":1}', true],
    ['say "so": {"b":1}', false],
    ['<a>{"b":1}</a>', true],
    ['<tool_call>{"b":1}', false],
    ['"<tool_call>{"b":1}', true],
    ['[1] {"b":1} [2]', false],
  ])("%s is part of something else: %s", (text, stray) => {
    expect(piecesOf(text).stray).toBe(stray);
  });

  test("of an object that is not closed the beginning is told, and what came before it", () => {
    const { objects, prose, cutAt } = piecesOf('a {} b {"c":');
    expect([objects.length, prose, cutAt]).toEqual([1, ["a ", " b "], 7]);
    expect(piecesOf("a {").cutAt).toBe(2);
    expect(piecesOf("a [").cutAt).toBeNull();
  });

  test("what each object says is the strict scanner's word", () => {
    const [piece] = piecesOf('{"a":1,"a":2}').objects;
    expect(piece?.value.ok === false && piece.value.why.code).toBe("duplicate_key");
  });
});
