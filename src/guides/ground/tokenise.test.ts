import { describe, expect, test } from "vitest";
import { joinPhrases } from "./lexicon.ts";
import { fold, stemOf, tokenise, visible } from "./tokenise.ts";

const texts = (text: string): readonly string[] => tokenise(visible(text)).map(({ text }) => text);

describe("visible", () => {
  test("composes, and takes out what nobody sees", () => {
    expect(visible("Cafe\u0301")).toBe("Caf\u00e9");
    expect(visible("\u202eSet\u200btings\u202c \uf013\ud800")).toBe("Settings");
    expect(visible("\u0007 a\u2028b\u00a0\t c ")).toBe("a b c");
    expect(visible("ﬁle \uff26\uff35ll")).toBe("file FUll");
    expect(visible("Bob\u2019s")).toBe("Bob's");
  });
});

describe("tokenise", () => {
  test.each<[string, readonly string[]]>([
    ["Add to cart", ["add", "to", "cart"]],
    ["addToCartButton", ["add", "to", "cart", "button"]],
    ["HTTPServer GIFs", ["http", "server", "gifs"]],
    ["CNmXKD", ["cnm", "xkd"]],
    ["30min", ["30", "min"]],
    ["Bob's don't 'x'", ["bob", "dont", "'", "x", "'"]],
    ["+33 testID[0] $", ["+", "33", "test", "id", "[", "0", "]", "$"]],
    ["♥♥", ["♥", "♥"]],
    ["取消", ["取消"]],
    ["点击取消 ok", ["点击", "击取", "取消", "ok"]],
    ["一", ["一"]],
    ["İstanbul STRASSE straße", [fold("İstanbul"), "strasse", "strasse"]],
    ["", []],
  ])("%j", (text, tokens) => {
    expect(texts(text)).toEqual(tokens);
  });

  test("says where each token stands", () => {
    const text = visible("Set Wi-Fi 取消吧");
    for (const { from, to, text: token } of tokenise(text)) expect(fold(text.slice(from, to))).toBe(token);
  });
});

test.each([
  ["holidays", "holiday"],
  ["birthdays", "birthday"],
  ["anniversaries", "anniversary"],
  ["boxes", "box"],
  ["addresses", "address"],
  ["sorting", "sort"],
  ["downloaded", "download"],
  ["dropped", "drop"],
  ["settings", "setting"],
  ["string", "string"],
  ["need", "need"],
  ["news", "news"],
  ["message", "messag"],
  ["messages", "messag"],
  ["messaging", "messag"],
  ["größen", "größen"],
])("the stem of %s is %s", (word, stem) => {
  expect(stemOf(word)).toBe(stem);
});

test("two words that are one are one token, with a hyphen or without", () => {
  const joined = (text: string) => joinPhrases(tokenise(visible(text))).map(({ stem }) => stem);
  expect(joined("Sign up")).toEqual(["sign up"]);
  expect(joined("sign-in now")).toEqual(["sign in", "now"]);
  expect(joined("sign the form")).toEqual(["sign", "the", "form"]);
  expect(joined("More options")).toEqual(["more option"]);
});
