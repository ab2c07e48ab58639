import { describe, expect, test } from "vitest";
import { destinationsIn } from "./destinations.ts";

const found = (text: string): readonly string[] => destinationsIn(text).map((one) => one.text);

describe("what looks like a destination", () => {
  test.each([
    ["See https://evil.example/x?y=1.", ["https://evil.example/x?y=1"]],
    ["See (http://evil.example), or [this](http://evil.example/a).", ["http://evil.example", "http://evil.example/a"]],
    ['<img src="//evil.example/p.png">', ["//evil.example/p.png"]],
    ["<a href=evil.example>", ["href=evil.example"]],
    ["go to evil.com now", ["evil.com"]],
    ["go to www.evil", ["www.evil"]],
    ["at localhost:8080", ["localhost:8080"]],
    ["hxxp://evil.example", ["hxxp://evil.example"]],
    ["javascript:alert(1)", ["javascript:alert"]],
    ["\\\\evil\\share", ["\\\\evil\\share"]],
    ["evil%2Ecom", ["evil%2Ecom"]],
    ["%65vil%252ecom", ["%65vil%252ecom"]],
    ["evil&#46;com", ["evil&#46;com"]],
    ["evil&#x2e;com", ["evil&#x2e;com"]],
    ["evil&period;com", ["evil&period;com"]],
    ["ｅｖｉｌ．ｃｏｍ", ["ｅｖｉｌ．ｃｏｍ"]],
    ["evil。com", ["evil。com"]],
    ["evil\u200b.com", ["evil\u200b.com"]],
    ["evil.\u00adcom", ["evil.\u00adcom"]],
    ["ev\ufeffil.com", ["ev\ufeffil.com"]],
    ["bücher.рф", ["bücher.рф"]],
    ["a xn--bcher-kva.xn--p1ai b", ["xn--bcher-kva.xn--p1ai"]],
    ["write to eve@evil.example!", ["eve@evil.example"]],
    ["mailto:eve@evil.example", ["eve@evil.example"]],
    ["eve@localhost", ["eve@localhost"]],
    ["good@a.example,eve@b.example", ["good@a.example", "eve@b.example"]],
    ["to 203.0.113.7 or 0x7f000001", ["203.0.113.7", "0x7f000001"]],
    ["to [2001:db8::1]", ["2001:db8::1"]],
    ["IBAN GB29 NWBK 6016 1331 9268 19.", ["GB29 NWBK 6016 1331 9268 19"]],
    ["GB29NWBK60161331926819", ["GB29NWBK60161331926819"]],
    ["call +41 44 668 18 00", ["41 44 668 18 00"]],
    ["account 00-123456-7", ["00-123456-7"]],
    ["account 123456", ["123456"]],
    ["account １２３４５６", ["１２３４５６"]],
    ["wallet 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"]],
    ["see report.pdf", ["report.pdf"]],
    ["twice evil.com and evil.com", ["evil.com"]],
  ])("%s", (text, wanted) => expect(found(text)).toEqual(wanted));

  test.each([
    "Dear Ada, thank you for your letter. Best regards, Bob",
    "We meet on 2026-05-01 at 10:30, in room 12, e.g. with Ph.D. students.",
    "You owe 1,200.50 CHF, or 99.90, and 12345 points...and so on",
    "Hi @bob, see #general and issue #12",
    "你好。再见。",
    "half and/or whole; 3.5mm; v1.2.3; 12:30:45",
    "",
  ])("none in: %s", (text) => expect(found(text)).toEqual([]));

  test("time is linear, whatever the text", () => {
    for (const unit of [
      "a",
      ".",
      "a.",
      "1",
      "1.",
      "!",
      "AB12",
      "AB12 CD34 ",
      "%25",
      "&#46;",
      "@",
      "a@",
      "://",
      "0x",
      ":",
    ]) {
      const long = unit.repeat(60_000 / unit.length);
      const started = performance.now();
      found(`${long} x`);
      expect(performance.now() - started, unit).toBeLessThan(1_000);
    }
  });
});
