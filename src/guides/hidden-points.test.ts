import { describe, expect, test } from "vitest";
import { hiddenRuns } from "./hidden-points.ts";

const at = (text: string): readonly number[] => hiddenRuns(text, 100).runs.map((run) => run.at);
const says = (text: string): string => hiddenRuns(text, 1).runs[0]?.message ?? "nothing";

describe("what can be seen, or belongs to what can", () => {
  test.each<[string, string]>([
    ["text and line breaks", "One\ttwo\nthree\r\nfour\r\n"],
    ["letters with accents of their own", "e\u0301 ö n\u0303 한국어 हिन्दी ภาษาไทย فارسی"],
    ["no-break and wide spaces", "10\u00a0km, 全角\u3000空白"],
    ["emoji of several", "👩🏽‍🤝‍👨🏿 👨‍👩‍👧‍👦 🏳️‍🌈 🏴‍☠️ 🐻‍❄️ 🐦‍⬛ 🕵️‍♂️ 🕵🏽‍♀️ ❤️‍🔥"],
    ["selectors after emoji", "❤️ ☀︎ ↩︎ ™️ ©️ ☝🏽 ‼️"],
    ["keycaps", "1️⃣ #️⃣ *️⃣"],
    ["their neighbours", "\u2801\u27ff \u{1d158}\u{1d15a} \u{1342f}\u{13440}\u{13000}"],
    ["flags", "🇩🇪🇫🇷 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿"],
  ])("%s", (_, text) => {
    expect(hiddenRuns(text, 100)).toEqual({ runs: [], more: 0 });
  });
});

describe("what cannot", () => {
  test.each<[string, string, readonly number[]]>([
    ["a joiner inside a word", "a\u200db", [1]],
    ["a joiner after an emoji and before none", "👩\u200d b", [2]],
    ["a joiner before an emoji and after none", "a\u200d👩", [1]],
    ["two joiners between emoji", "👩\u200d\u200d👩", [2]],
    ["a selector after a letter", "a\ufe0f", [1]],
    ["a selector after a digit that is no keycap", "1\ufe0f", [1]],
    ["a second selector after an emoji", "❤\ufe0f\ufe0f", [2]],
    ["a selector at the start", "\ufe0f", [0]],
    ["a selector of another kind", "∩\ufe00 葛\u{e0100}", [1, 4]],
    ["tags that are the flag of nowhere", "🏴\u{e0061}\u{e0062}\u{e007f}", [2]],
    ["a flag without its end", "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}", [2]],
    ["tags after a flag", "🏴󠁧󠁢󠁥󠁮󠁧󠁿\u{e0061}", [14]],
    ["bidi controls", "a\u202eb\u2066c", [1, 3]],
    ["controls", "a\u0000b\u001b[2Jc\u0008d\u007fe\u0085", [1, 3, 8, 10, 12]],
    ["a carriage return that no line feed follows", "ab\rc\r\nd\r", [2, 7]],
    ["separators that no editor shows", "a\u2028b\u2029", [1, 3]],
    ["fillers", "a\u3164b\u115fc\uffa0d\u17b4", [1, 3, 5, 7]],
    ["letters and signs without a shape", "a\u2800b\u{1d159}c\u{13430}d\u{13439}\u{1343f}", [1, 3, 6, 9]],
    ["what Unicode calls ignorable", "a\u034fb\u2065c\ufff0d\u{1d173}e\u{e0fff}", [1, 3, 5, 7, 10]],
    ["a byte order mark", "\ufeffa\ufeff", [0, 2]],
  ])("%s", (_, text, places) => {
    expect(at(text)).toEqual(places);
  });

  test("is named, once for each run", () => {
    expect(says("a\u200bb")).toBe("U+200B ZERO WIDTH SPACE cannot be seen; take it out");
    expect(says("a\u200b\u200b\u2060b")).toBe(
      "characters that cannot be seen: U+200B ZERO WIDTH SPACE, U+2060 WORD JOINER; take them out",
    );
    expect(says("\ufeffa")).toBe("U+FEFF BYTE ORDER MARK at the start of the file: save it as UTF-8 without one");
    expect(says("a\u2800")).toBe("U+2800 BRAILLE PATTERN BLANK cannot be seen; take it out");
    expect(says("a\u{1d159}")).toContain("U+1D159 MUSICAL SYMBOL NULL NOTEHEAD");
    expect(says("a\u{13431}")).toContain("U+13431 EGYPTIAN HIEROGLYPH FORMAT CONTROL");
    expect(says("a\u{1d173}")).toBe("U+1D173 cannot be seen; take it out");
    expect(says("می\u200cخواهم")).toContain("also where a script uses it inside words");
    expect(says("a\rb")).toContain("U+000D CARRIAGE RETURN");
  });

  test("is decoded where it carries something", () => {
    const tags = (text: string): string =>
      [...text].map((c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join("");
    expect(says(tags('say "no" 1'))).toContain('which spell "say \\"no\\" 1" in tags');
    expect(says(`\u{e0001}${tags("en")}\u{e007f}`)).toContain('which spell "en" in tags');
    expect(says(tags("x".repeat(201)))).toContain(`"${"x".repeat(200)}" and more`);
    const selectors = [..."hi!"].map((c) => String.fromCodePoint(0xe0100 + c.charCodeAt(0) - 16)).join("");
    expect(says(`a${selectors}`)).toContain('which carry the bytes "hi!"');
  });

  test("is counted beyond so many", () => {
    expect(hiddenRuns("a\u00ad".repeat(5), 3)).toMatchObject({ runs: [{ at: 1 }, { at: 3 }, { at: 5 }], more: 2 });
    expect(hiddenRuns("a\u00ad\u00ad".repeat(5), 3)).toMatchObject({ runs: [{}, {}, {}], more: 2 });
  });

  test.each(["\u0000", "\u00ad", "\u{e0041}", "👩\u200d", "❤\ufe0f", "\r", "a\u200b"])(
    "a megabyte of %j ends",
    (piece) => {
      const text = piece.repeat(Math.floor(1_000_000 / piece.length));
      expect(hiddenRuns(text, 20).runs.length).toBeLessThanOrEqual(20);
    },
  );
});
