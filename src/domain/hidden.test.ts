import { expect, test } from "vitest";
import { escapeHidden, isBlank } from "./hidden.ts";

test("what has no shape is written out, and a text of it alone is blank", () => {
  const shapeless = "\u2800\u{1d159}\u{13430}\u{1343f}\u200b\u{e0041}";
  expect(escapeHidden(`a${shapeless}b`)).toBe(
    String.raw`a\u2800\ud834\udd59\ud80d\udc30\ud80d\udc3f\u200b\udb40\udc41b`,
  );
  expect(isBlank(` ${shapeless}\n`)).toBe(true);
  expect(isBlank(` ${shapeless}\u2801`)).toBe(false);
  for (const seen of ["\u2801", "\u27ff", "\u{1d158}", "\u{1d15a}", "\u{1342f}", "\u{13440}"]) {
    expect(escapeHidden(seen)).toBe(seen);
  }
});
