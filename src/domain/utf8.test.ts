import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seed } from "../../test/seed.ts";
import { utf8Length, utf8Prefix } from "./utf8.ts";

/** UTF-16 units with the borders of every UTF-8 length and both kinds of half a pair, in any order. */
const unit = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }),
  fc.constantFrom(0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff),
);
const anyText = fc.array(unit, { maxLength: 24 }).map((units) => String.fromCharCode(...units));
const wellFormed = fc.string({ unit: "binary", maxLength: 24 });

describe("utf8Length", () => {
  test.each([
    ["", 0],
    ["\u007f", 1],
    ["\u0080", 2],
    ["\u07ff", 2],
    ["\u0800", 3],
    ["\uffff", 3],
    ["\u{10000}", 4],
    ["\u{10ffff}", 4],
    ["\ud800", 3],
    ["\udc00", 3],
    ["\udc00\ud800", 6],
    ["\ud800\ud800\udc00", 7],
  ])("%j takes %i bytes", (text, bytes) => {
    expect(utf8Length(text)).toBe(bytes);
  });

  test("agrees with Node's encoder on every text, lone surrogates included", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, wellFormed), (text) => {
        expect(utf8Length(text)).toBe(Buffer.byteLength(text, "utf8"));
      }),
      { seed, numRuns: 2000 },
    );
  });
});

describe("utf8Prefix", () => {
  test.each([
    ["a€b", 0, ""],
    ["a€b", 3, "a"],
    ["a€b", 4, "a€"],
    ["a€b", 5, "a€b"],
    ["a€b", 6, "a€b"],
    ["😀", 3, ""],
    ["😀", 4, "😀"],
  ])("%j within %i bytes is %j", (text, bytesMax, prefix) => {
    expect(utf8Prefix(text, bytesMax)).toBe(prefix);
  });

  test("fits, is a prefix, cuts no pair, and would not fit with one more code point", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, wellFormed), fc.nat({ max: 80 }), (text, bytesMax) => {
        const prefix = utf8Prefix(text, bytesMax);
        expect(text.startsWith(prefix)).toBe(true);
        expect(Buffer.byteLength(prefix)).toBeLessThanOrEqual(bytesMax);
        if (prefix === text) return;
        const next = String.fromCodePoint(text.codePointAt(prefix.length) ?? 0);
        expect([...prefix, next].join("")).toBe([...text].slice(0, [...prefix].length + 1).join(""));
        expect(Buffer.byteLength(prefix) + Buffer.byteLength(next)).toBeGreaterThan(bytesMax);
      }),
      { seed, numRuns: 2000 },
    );
  });
});
