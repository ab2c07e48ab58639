import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { HeadEntry } from "../domain/head.ts";
import { ChainedRow } from "../domain/row.ts";
import { chainRow, chainStart, headEntry, headOf } from "./index.ts";

const SHA = (text: string) => createHash("sha256").update(text).digest("hex");

test("an index and a run of any length can be asked for its newest hash first", () => {
  const LONG = 20_000;
  let [row, plain] = [chainRow(chainStart("r"), 1, "note", {}, SHA), chainRow(chainStart("r"), 1, "note", {}, SHA)];
  let head: HeadEntry | null = null;
  let expected: HeadEntry | null = null;
  for (let n = 1; n <= LONG; n++) {
    row = new ChainedRow(row, { at: n, kind: "note" }, () => ({ n }), SHA);
    plain = chainRow(plain, n, "note", { n }, SHA);
    head = headOf(head, n, row, SHA);
    expected = headEntry(expected, n, "r", plain.seq, plain.hash, SHA);
  }
  expect(head?.hash).toBe(expected?.hash);
  expect(JSON.stringify(head)).toBe(JSON.stringify({ n: LONG, at: LONG, run: "r", ...rest(expected) }));
  expect(row.hash).toBe(plain.hash);
});

function rest(entry: HeadEntry | null) {
  if (entry === null) throw new Error("an index has an entry");
  const { seq, head, prev, hash } = entry;
  return { seq, head, prev, hash };
}

test("a row that is worked out later is written down as a plain one, and lets go of what it was made from", () => {
  let asked = 0;
  const body = { b: 1, a: [null] };
  const row = new ChainedRow(
    chainStart("r"),
    { at: 1, kind: "note" },
    () => {
      asked += 1;
      return body;
    },
    SHA,
  );
  expect(row.said).toEqual(body);
  expect(asked).toBe(1);
  expect(JSON.parse(JSON.stringify(row))).toEqual(chainRow(chainStart("r"), 1, "note", body, SHA));
  expect(asked).toBe(2);
  for (const again of [row.said, row.body, JSON.parse(row.text)]) expect(again).toEqual(body);
  expect(asked).toBe(2);
});
