import { describe, expect, test } from "vitest";
import { parsePhrase, parseWord, runsOf } from "./words.ts";

const texts = (text: string): readonly string[] => runsOf(text).map((run) => run.text);

describe("the words of a text", () => {
  test.each([
    ["Refund order #12-34!", ["refund", "order", "12", "34"]],
    ["don't snake_case x2", ["don", "t", "snake", "case", "x2"]],
    // Compatibility forms are one: fullwidth, ligatures, circled digits, composed and decomposed.
    ["ＲＥＦＵＮＤ ﬁx ①", ["refund", "fix", "1"]],
    ["Cafe\u0301", ["café"]],
    // Lower-casing takes this letter apart; the dot stays on it.
    ["İptal", ["i\u0307ptal"]],
    // Greek has two small sigmas, and one of them only at the end of a word.
    ["ΟΔΟΣ οδος οδοσ", ["οδοσ", "οδοσ", "οδοσ"]],
    ["नमस्ते दुनिया", ["नमस्ते", "दुनिया"]],
    ["", []],
    ["!? — … 🦊", []],
  ])("%j", (text, words) => {
    expect(texts(text)).toEqual(words);
  });

  test("scripts without spaces are runs of their own", () => {
    expect(runsOf("请用iPhone退款2次")).toMatchObject([
      { text: "请用", spaced: false },
      { text: "iphone", spaced: true },
      { text: "退款", spaced: false },
      { text: "2", spaced: true },
      { text: "次", spaced: false },
    ]);
    // The mark that lengthens a vowel belongs to two scripts, and halfwidth forms are the same letters.
    expect(texts("ｺｰﾋｰを コーヒー")).toEqual(["コーヒーを", "コーヒー"]);
    expect(texts("คืนเงินให้ลูกค้า ប្រាក់ ငွေ ເງິນ")).toEqual(
      ["คืนเงินให้ลูกค้า", "ប្រាក់", "ငွေ", "ເງິນ"].map((t) => t.normalize("NFKC")),
    );
    expect(texts("二〇二四 𠮷野家")).toEqual(["二〇二四", "𠮷野家"]);
  });

  test("half a surrogate pair is no letter", () => {
    expect(texts("a\ud83db \udc00c")).toEqual(["a", "b", "c"]);
  });

  test("what is folded twice is what is folded once, for every character there is", () => {
    const unstable: string[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      if (point >= 0xd800 && point < 0xe000) continue;
      const once = texts(String.fromCodePoint(point));
      if (once.join(" ") !== texts(once.join(" ")).join(" ")) unstable.push(point.toString(16));
    }
    expect(unstable).toEqual([]);
  });
});

describe("a phrase of a matcher", () => {
  test.each([
    ["Cancel an Order", ["cancel", "an", "order"]],
    ["refund* order", ["refund*", "order"]],
    ["refund＊", ["refund*"]],
    ["order ORDER order*", ["order", "order*"]],
    ["退款* 订单", ["退款", "订单"]],
    ["iPhone退款", ["iphone", "退款"]],
    // A capital sigma before the star is no end of a word.
    ["ΟΔΟΣ*", ["οδοσ*"]],
  ])("%j", (phrase, words) => {
    expect(parsePhrase(phrase)).toEqual({ ok: true, value: words });
    // Words are what they are read as, so that a matcher can be prepared from them again.
    expect(parsePhrase(words.join(" "))).toEqual({ ok: true, value: words });
  });

  test.each([
    ["", "no_word"],
    [" — 🦊", "no_word"],
    ["*", "star_without_word"],
    ["* order", "star_without_word"],
    ["*order", "star_without_word"],
    ["re*fund", "star_without_word"],
    ["refund**", "star_without_word"],
    ["refund *", "star_without_word"],
  ])("%j is refused: %s", (phrase, code) => {
    expect(parsePhrase(phrase)).toMatchObject({ ok: false, why: { code } });
  });

  test("one word is one word", () => {
    expect(parseWord("Refund*")).toEqual({ ok: true, value: "refund*" });
    expect(parseWord("e-mail")).toMatchObject({
      ok: false,
      why: { code: "several_words", detail: expect.stringContaining("e, mail") },
    });
    expect(parseWord("?")).toMatchObject({ ok: false, why: { code: "no_word" } });
  });
});
