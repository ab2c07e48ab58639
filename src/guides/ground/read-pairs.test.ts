import { expect, test } from "vitest";
import { readControlMaps, readPairs } from "./read-pairs.ts";

test("pairs, with what they leave out", () => {
  const text = `{"map":"m","intent":"click next","expected":"n1","accept":["n2"],"kind":"k","core":false,"id":"p","note":"more"}

{"map":"m","intent":"rotate","expected":null}\n`;
  expect(readPairs(text)).toEqual({
    ok: true,
    value: [
      { id: "p", map: "m", intent: "click next", expected: "n1", accept: ["n2"], kind: "k", core: false, line: 1 },
      { id: "", map: "m", intent: "rotate", expected: null, accept: [], kind: "", core: true, line: 3 },
    ],
  });
});

test("an expected that is empty says that none is right, as null does", () => {
  const read = readPairs('{"map":"m","intent":"rotate","expected":""}');
  expect(read.ok && read.value[0]?.expected).toBe(null);
});

test("controls become a map of one screen", () => {
  const read = readControlMaps(
    '{"map":"m","controls":[{"id":"a","text":"OK","clickable":false,"cls":"x"},{"id":"b"}]}',
  );
  expect(read).toMatchObject({
    ok: true,
    value: [
      {
        source: { kind: "jsonl", where: "m" },
        screens: [{ id: "m", title: "", entry: [] }],
        controls: [
          { id: "a", screen: "m", text: "OK", clickable: false, disabled: false },
          { id: "b", screen: "m", text: "", childText: [], clickable: true },
        ],
      },
    ],
  });
});

test.each([
  ["{", "line 1: "],
  ["[]", "line 1: is no object"],
  ['{"map":"m"}', "line 1: needs the texts map and intent"],
  ['{"map":"m","intent":"x","expected":3}', "line 1: expected is the id of a control, or null"],
  ['{"map":"m","intent":"x"}', "line 1: needs expected"],
  [
    '{"map":"m","intent":"x","expected":""}\n{"map":"m","intent":"x","expected":null,"accept":[1]}',
    "line 2: accept is a list of ids",
  ],
  ['{"map":"m","intent":"x","expected":null,"core":"yes"}', "line 1: core is true or false"],
  ["", "there is no line in it"],
  [" \n\n", "there is no line in it"],
])("pairs that are none: %s", (text, detail) => {
  const read = readPairs(text);
  expect(read.ok ? "" : read.why.detail).toContain(detail);
});

test.each([
  ['{"map":"m"}', "line 1: needs the text map and the list controls"],
  ["\n", "there is no line in it"],
  ['{"map":"m","controls":[{"id":1}]}', "line 1: control 1 has no text id, or a field of another type"],
  ['{"map":"m","controls":[{"id":"a"},{"id":"b","childText":"x"}]}', "line 1: control 2 has no text id"],
  ['{"map":"m","controls":[{"id":"a"},{"id":"a"}]}', 'line 1: two controls have the id "a"'],
])("controls that are none: %s", (text, detail) => {
  const read = readControlMaps(text);
  expect(read.ok ? "" : read.why.detail).toContain(detail);
});
