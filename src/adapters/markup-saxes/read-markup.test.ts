import { describe, expect, test } from "vitest";
import { readMarkup } from "./index.ts";

const LIMITS = { depthMax: 4, elementsMax: 6 };
const codeOf = (text: string): string => {
  const read = readMarkup(text, LIMITS);
  return read.ok ? "read" : read.why.code;
};

describe("a document", () => {
  test("its elements, their attributes and their order; texts and comments are passed over", () => {
    const text = `\ufeff<?xml version='1.0'?><a x='1 &amp; "2" &#x53d6;'>text<b/><!-- c --><c __proto__="p"><d/></c></a>`;
    const read = readMarkup(text, LIMITS);
    if (!read.ok) throw new Error(read.why.detail);
    const { name, attributes, children } = read.value;
    expect([name, attributes.x, children.map((child) => child.name)]).toEqual(["a", '1 & "2" 取', ["b", "c"]]);
    expect(Object.entries(children[1]?.attributes ?? {})).toEqual([["__proto__", "p"]]);
    expect(children[1]?.attributes.constructor).toBeUndefined();
  });

  test("a large one is read in pieces, with characters across their borders", () => {
    const text = `<a>${`<b x="${"👩".repeat(9_000)}"/>`.repeat(4)}</a>`;
    const read = readMarkup(text, LIMITS);
    expect(read.ok && read.value.children.map(({ attributes }) => attributes.x)).toEqual(
      Array(4).fill("👩".repeat(9_000)),
    );
  });

  test("bounds: elements inside one another, and elements", () => {
    const deep = (count: number): string => `${"<a>".repeat(count)}${"</a>".repeat(count)}`;
    expect([3, 4, 5].map((count) => codeOf(deep(count)))).toEqual(["read", "read", "too_deep"]);
    const many = (count: number): string => `<a>${"<b/>".repeat(count - 1)}</a>`;
    expect([5, 6, 7].map((count) => codeOf(many(count)))).toEqual(["read", "read", "too_large"]);
  });

  test.each([
    ["", "not_xml"],
    ["words", "not_xml"],
    ["<a>", "not_xml"],
    ["<a></b>", "not_xml"],
    ["<a/><b/>", "not_xml"],
    ['<a x="1" x="2"/>', "not_xml"],
    ["<a x=1/>", "not_xml"],
    ["<a>&nbsp;</a>", "not_xml"],
    ["<a>&constructor;</a>", "not_xml"],
    ["<a>&#0;</a>", "not_xml"],
    ["<a>\u0000</a>", "not_xml"],
    ["<!DOCTYPE a><a/>", "doctype"],
    ['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "doctype"],
    ['<!DOCTYPE a SYSTEM "http://127.0.0.1:9/a.dtd"><a/>', "doctype"],
  ])("%j: %s", (text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  test("a refusal says the line, in one line", () => {
    const read = readMarkup("<a>\n\n<b>\n</a>", LIMITS);
    expect(read.ok ? "" : read.why.detail).toMatch(/^line 4: not XML: [ -~]+$/);
  });
});
