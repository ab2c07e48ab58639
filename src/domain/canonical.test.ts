import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seed } from "../../test/seed.ts";
import { canonicalJson, canonicalStringBytes } from "./canonical.ts";
import type { Json } from "./json.ts";
import { parseJson } from "./scan.ts";

/** What an untyped caller can do: hand over a value that is not JSON at all. */
const canonicalOf = canonicalJson as (value: unknown) => string;

function double(hex: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${hex}`));
  return view.getFloat64(0);
}

const textOf = (text: string): string => {
  const read = parseJson(text);
  if (!read.ok) throw new Error(read.why.detail);
  return canonicalJson(read.value);
};

describe("the vectors of RFC 8785", () => {
  // Appendix B: the bits of a double, and how it is written.
  test.each([
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["ffefffffffffffff", "-1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["c340000000000000", "-9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["44b52d02c7e14af7", "1.0000000000000001e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef4f", "999999999999999900000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"],
    ["41b3de4355555554", "333333333.33333325"],
    ["41b3de4355555555", "333333333.3333333"],
    ["41b3de4355555556", "333333333.3333334"],
    ["41b3de4355555557", "333333333.33333343"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
  ])("the double %s is written %s", (hex, written) => {
    expect(canonicalJson(double(hex))).toBe(written);
  });

  test.each(["7fffffffffffffff", "7ff0000000000000", "fff0000000000000"])("the double %s is refused", (hex) => {
    expect(() => canonicalJson(double(hex))).toThrow(TypeError);
  });

  test("the sample of 3.2.2", () => {
    const value = {
      // biome-ignore lint/correctness/noPrecisionLoss: the RFC writes this number with more digits than it keeps.
      numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"/",
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test("the sorting sample of 3.2.3: by UTF-16 code units, so the emoji comes before the Hebrew letter", () => {
    const value = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis",
    };
    expect(canonicalJson(value)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis",' +
        '"€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
  });

  test("the French sample: no locale decides the order", () => {
    const value = { péché: "is wrong according to French", sin: "ignore locale", pêche: "but", peach: "This" };
    expect(Object.keys(JSON.parse(canonicalJson(value)))).toEqual(["peach", "péché", "pêche", "sin"]);
  });

  test("names that look like numbers are sorted as text", () => {
    expect(canonicalJson({ 9: 0, 10: 0, "": 0 })).toBe('{"":0,"10":0,"9":0}');
  });

  test.each([
    ["\b\t\n\f\r", '"\\b\\t\\n\\f\\r"'],
    ["\u0000\u001f", '"\\u0000\\u001f"'],
    ['a"b', '"a\\"b"'],
    ["a\\b", '"a\\\\b"'],
    ['"\\/', '"\\"\\\\/"'],
    ["\u007f\u0080\u2028\u2029", '"\u007f\u0080\u2028\u2029"'],
  ])("%j has one spelling", (text, written) => {
    expect(canonicalJson(text)).toBe(written);
  });
});

describe("[json-canonical] laws", () => {
  const json = fc.jsonValue({ stringUnit: "binary", maxDepth: 4 });

  test("two-libraries: the same text as the canonicalize package", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(value as Json)).toBe(canonicalize(value));
      }),
      { seed, numRuns: 1000 },
    );
  });

  test("same-value: the text reads back as the value it was written from", () => {
    fc.assert(
      fc.property(json, (value) => {
        // JSON has one zero: this is the only thing that the text forgets.
        expect(JSON.parse(canonicalJson(value as Json))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { seed },
    );
  });

  test("same-length: canonicalStringBytes measures what canonicalJson writes", () => {
    const unit = fc.oneof(
      fc.nat({ max: 0xffff }),
      fc.nat({ max: 0xff }),
      fc.constantFrom(0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000),
    );
    const text = fc.array(unit, { maxLength: 12 }).map((units) => String.fromCharCode(...units));
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: "binary" })), (value) => {
        const bytes = canonicalStringBytes(value);
        if (bytes < 0) expect(() => canonicalJson(value)).toThrow(TypeError);
        else expect(bytes).toBe(Buffer.byteLength(canonicalJson(value)));
      }),
      { seed, numRuns: 2000, examples: [[String.fromCharCode(...Array.from({ length: 256 }, (_, i) => i))]] },
    );
  });

  test("order-is-nothing: shuffled keys give the same text", () => {
    const entries = fc.uniqueArray(fc.tuple(fc.string({ unit: "binary" }), json), { selector: ([key]) => key });
    const shuffled = entries.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        expect(canonicalOf(Object.fromEntries(other))).toBe(canonicalOf(Object.fromEntries(one)));
      }),
      { seed },
    );
  });
});

describe("[json-canonical] one value, many texts", () => {
  test.each(["1", "1.0", "1e0", "10e-1", " 1 "])("%j is 1", (text) => {
    expect(textOf(text)).toBe("1");
  });

  test.each(["0", "-0", "0.0", "-0e5"])("%j is 0", (text) => {
    expect(textOf(text)).toBe("0");
  });

  test("white space, order and escapes are forgotten", () => {
    expect(textOf('{ "b" : 1 , "\\u0061":"\\u00e9" }')).toBe('{"a":"é","b":1}');
  });

  test("NFC and NFD are different values", () => {
    expect("\u00e9".normalize("NFD")).toBe("e\u0301");
    expect(canonicalJson("\u00e9")).not.toBe(canonicalJson("e\u0301"));
    expect(canonicalJson({ "\u00e9": 1, "e\u0301": 2 })).toBe('{"e\u0301":2,"\u00e9":1}');
  });
});

describe("what is not JSON is a TypeError", () => {
  class Money {
    readonly cents = 1;
    toJSON(): string {
      return "never asked";
    }
  }
  test.each<[string, unknown]>([
    ["undefined", undefined],
    ["an undefined property", { a: undefined }],
    ["an undefined element", [undefined]],
    ["a hole", new Array(1)],
    ["NaN", NaN],
    ["a bigint", 1n],
    ["a function", () => 1],
    ["a symbol", Symbol("s")],
    ["a Date", new Date(0)],
    ["a Map", new Map([["a", 1]])],
    ["a class instance with toJSON", new Money()],
    ["a lone high surrogate", "a\ud800"],
    ["a lone low surrogate", "\udc00a"],
    ["a pair the wrong way round", "\udc00\ud800"],
    ["a lone surrogate after a pair", "😀\ud83d"],
    ["a lone surrogate in a key", { "\ud800": 1 }],
  ])("%s", (_name, value) => {
    expect(() => canonicalOf(value)).toThrow(TypeError);
    expect(() => canonicalOf({ deep: [value] })).toThrow(TypeError);
  });

  test("an object without a prototype is JSON", () => {
    expect(canonicalOf(Object.assign(Object.create(null), { b: 1, a: [] }))).toBe('{"a":[],"b":1}');
  });
});
