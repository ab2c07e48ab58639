import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seed } from "../../test/seed.ts";
import { canonicalJson } from "./canonical.ts";
import { JSON_CODES, JSON_LIMITS, type JsonCode, type JsonLimits } from "./json-limits.ts";
import { plainJson } from "./plain.ts";
import { parseJson } from "./scan.ts";

const limits = (changed: Partial<JsonLimits>): JsonLimits => ({ ...JSON_LIMITS, ...changed });
const ROOMY = limits({ bytesMax: 1e9 });

/** The code of a refusal, or "accepted". */
const outcome = (read: ReturnType<typeof parseJson>): string => (read.ok ? "accepted" : read.why.code);
const textOutcome = (text: string, bounds?: JsonLimits): string => outcome(parseJson(text, bounds));
const valueOutcome = (value: unknown, bounds?: JsonLimits): string => outcome(plainJson(value, bounds));
const detailOf = (read: ReturnType<typeof parseJson>): string => (read.ok ? "" : read.why.detail);

/** Text in one flat block of memory, so that a test of memory does not count how its own input was put together. */
const flat = (text: string): string => Buffer.from(text).toString("latin1");

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
const nestedValue = (depth: number): unknown => JSON.parse(nested(depth));

/** Integers, fractions and zero as JSON can carry them; whole numbers only where they are safe. */
const number = fc.oneof(
  fc.maxSafeInteger(),
  fc.double({ noDefaultInfinity: true, noNaN: true }).filter((n) => !Number.isInteger(n) || Number.isSafeInteger(n)),
);
const string = fc.string({ unit: "binary", maxLength: 12 });
const key = fc
  .oneof(string, fc.constantFrom("toString", "valueOf", "hasOwnProperty", "a", "b", "1", ""))
  .filter((k) => !["__proto__", "constructor", "prototype"].includes(k));
/** Values with nothing in them that either door refuses under the default limits. */
const { good } = fc.letrec((tie) => ({
  good: fc.oneof({ maxDepth: 5, withCrossShrink: true }, tie("leaf"), tie("array"), tie("object")),
  leaf: fc.oneof(number, string, fc.boolean(), fc.constant(null)),
  array: fc.array(tie("good"), { maxLength: 6 }),
  object: fc.dictionary(key, tie("good"), { maxKeys: 6, noNullPrototype: false }),
}));

describe("[json-strict] parseJson reads what JSON.parse reads", () => {
  test("same-reading: every JSON.stringify text of a good value is accepted, as the same value", () => {
    fc.assert(
      fc.property(good, fc.constantFrom(undefined, 1, "\t"), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
      { seed, numRuns: 1000 },
    );
  });

  test("on damaged texts: accepted means the same value, not_json means JSON.parse throws", () => {
    const piece = fc.constantFrom(
      ...'{}[],:"\\0159-+.eEtu \n\t\u0000\ud83d\ude00é\ufeff',
      ...["true", "null", "\\u00", "\\ud83d", "\\ude00", '"a"', '"a":', "1e9", "__proto__"],
    );
    const damage = fc.tuple(fc.nat(), fc.nat({ max: 3 }), fc.array(piece, { maxLength: 3 }));
    const base = fc.oneof(
      good.map((value) => JSON.stringify(value)),
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
    );
    const counts = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(base, damage, (text, [where, cut, pieces]) => {
        const at = where % (text.length + 1);
        const damaged = text.slice(0, at) + pieces.join("") + text.slice(at + cut);
        const read = parseJson(damaged);
        if (read.ok) {
          counts.accepted += 1;
          expect(read.value).toEqual(JSON.parse(damaged));
        } else if (read.why.code === "not_json") {
          counts.refused += 1;
          expect(() => JSON.parse(damaged)).toThrow(SyntaxError);
        }
      }),
      { seed, numRuns: 5000 },
    );
    expect(counts.accepted).toBeGreaterThan(100);
    expect(counts.refused).toBeGreaterThan(100);
  });

  test.each([
    ...'[ [[[[ { ] } [1,] [,1] [1} {"a":1] {"a":1,} {,} {a:1} {"a"} {"a":} {1:1} {}{} []] [1;2]'.split(" "),
    ...'\'a\' "a "\\ "\\" "\\u12 "\\u12" "\\u12g4" "\\x41" "\n" "\u0000" "\u001f" tru True nul truefalse undefined \ud83d'.split(
      " ",
    ),
    ..."01 -01 +1 - .5 5. 1.e3 1e 1e+ 0x10 1-2 1_0 NaN -Infinity 1n --1 \ufeff1 1\u00a0 \v1 /**/1".split(" "),
    ...["", " ", "1 1", "[1 2]", '{"a" 1}', "- 1", "tr ue"],
  ])("%j is not_json", (text) => {
    expect(textOutcome(text)).toBe("not_json");
  });

  test.each<[string, unknown]>([
    [" \t\r\n1 \t\r\n", 1],
    ["-0", -0],
    ["1E-400", 0],
    ["[ ]", []],
    ["{ }", {}],
    ['[[],{},[{"a":[]}]]', [[], {}, [{ a: [] }]]],
    ['"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00E9\\uD83d\\uDe00\u007f\u2028"', '"\\/\b\f\n\r\té😀\u007f\u2028'],
    ['{"a":{"a":1},"b":[{"a":1},{"a":2}]}', { a: { a: 1 }, b: [{ a: 1 }, { a: 2 }] }],
  ])("%j is read", (text, value) => {
    expect(parseJson(text)).toEqual({ ok: true, value });
  });
});

describe("[json-strict] every code has an example", () => {
  // A record by code, so that a code without an example does not compile.
  const examples: Record<Exclude<JsonCode, "not_plain">, readonly string[]> = {
    too_large: ["1".padStart(JSON_LIMITS.bytesMax + 1), `"${"é".repeat(JSON_LIMITS.bytesMax / 2)}"`],
    too_deep: [nested(JSON_LIMITS.depthMax + 1), '{"a":'.repeat(JSON_LIMITS.depthMax + 1)],
    too_many_keys: [`[${"1,".repeat(JSON_LIMITS.keysMax)}1]`],
    duplicate_key: ['{"a":1,"a":1}', '{"a":1,"\\u0061":2}', '{"\\n":1,"\\u000A":2}', '[{"b":{"c":1,"d":2,"c":3}}]'],
    forbidden_key: [
      '{"__proto__":1}',
      '{"constructor":{"prototype":1}}',
      '{"a":{"prototype":1}}',
      '{"\\u005f_proto__":1}',
      '{"\\u0063onstructor":1}',
      '{"prototyp\\u0065":1}',
    ],
    lone_surrogate: [
      '"\ud800"',
      '"\udc00"',
      '"\udc00\udc00"',
      '"\\ud800"',
      '"\\uDC00"',
      '"\\udc00\\ud800"',
      '"\\ud800\\u0041"',
      '"\\ud800\\ud800\\udc00"',
      '"\ud83d\\ude00"',
      '"\\ud83d\ude00"',
      '{"\ud800":1}',
      '{"\\udfff":1}',
      '"😀\ud83d"',
    ],
    unsafe_integer: ["9007199254740992", "9007199254740993", "-9007199254740993", "1e21", "1e16", "123456789012345678"],
    number_out_of_range: ["1e400", "-1e400", `[${"9".repeat(65)}]`, `0.${"0".repeat(100_000)}1`],
    not_json: ["[1,]"],
  };
  const rows = Object.entries(examples).flatMap(([code, texts]) => texts.map((text) => [code, text] as const));
  test.each(rows)("%s: %.40j", (code, text) => {
    expect(textOutcome(text)).toBe(code);
    if (code !== "too_deep" && code !== "too_large") expect(textOutcome(`{"x":[${text}]}`)).toBe(code);
  });

  test.each([...["9007199254740991", "-9007199254740991", "9007199254740991.0", "9.007199254740991e15", "1e15"]])(
    "%s is a safe integer",
    (text) => {
      expect(parseJson(text)).toEqual({ ok: true, value: Number(text) });
    },
  );

  test("the codes are what outsiders were told", () => {
    expect(JSON_CODES).toEqual([
      "too_large",
      "too_deep",
      "too_many_keys",
      "duplicate_key",
      "forbidden_key",
      "lone_surrogate",
      "unsafe_integer",
      "number_out_of_range",
      "not_json",
      "not_plain",
    ]);
    expect(JSON_LIMITS).toEqual({ bytesMax: 262_144, depthMax: 32, keysMax: 10_000, digitsMax: 64 });
  });
});

describe("borders", () => {
  const borders: readonly (readonly [keyof JsonLimits, number, JsonCode, string, unknown])[] = [
    ["bytesMax", 7, "too_large", '"abcde"', "abcde"],
    ["bytesMax", 8, "too_large", '"aé€"', "aé€"],
    ["bytesMax", 6, "too_large", '"😀"', "😀"],
    ["bytesMax", 4, "too_large", "true", true],
    ["bytesMax", 5, "too_large", "false", false],
    ["bytesMax", 4, "too_large", "null", null],
    ["bytesMax", 5, "too_large", "-12.5", -12.5],
    ["bytesMax", 2, "too_large", "-5", -5],
    ["bytesMax", 9, "too_large", "[1,2,[3]]", [1, 2, [3]]],
    ["bytesMax", 16, "too_large", '{"a":[],"bc":{}}', { a: [], bc: {} }],
    ["bytesMax", 14, "too_large", '"\\n\\u0001\\"\\\\"', '\n\u0001"\\'],
    ["depthMax", 3, "too_deep", "[[[]]]", [[[]]]],
    ["depthMax", 3, "too_deep", '{"a":{"b":[1]}}', { a: { b: [1] } }],
    ["depthMax", 1, "too_deep", "[]", []],
    ["keysMax", 3, "too_many_keys", "[1,2,3]", [1, 2, 3]],
    ["keysMax", 3, "too_many_keys", '{"a":1,"b":2,"c":3}', { a: 1, b: 2, c: 3 }],
    ["keysMax", 4, "too_many_keys", '{"a":[1,{"b":2}]}', { a: [1, { b: 2 }] }],
    ["digitsMax", 4, "number_out_of_range", "-1.5", -1.5],
    ["digitsMax", 1, "number_out_of_range", "7", 7],
    ["digitsMax", 2, "number_out_of_range", "10", 10],
  ];
  test.each(borders)("%s %i: %s %j", (name, border, code, text, value) => {
    for (const [bound, expected] of [
      [border + 1, "accepted"],
      [border, "accepted"],
      [border - 1, code],
    ] as const) {
      expect(textOutcome(text, limits({ [name]: bound }))).toBe(expected);
      expect(valueOutcome(value, limits({ [name]: bound }))).toBe(expected);
    }
  });

  test.each<[string, number, JsonCode, (size: number) => string, (size: number) => unknown]>([
    ["bytesMax", 262_144, "too_large", (n) => `"${"a".repeat(n - 2)}"`, (n) => "a".repeat(n - 2)],
    ["depthMax", 32, "too_deep", nested, nestedValue],
    ["keysMax", 10_000, "too_many_keys", (n) => `[${"1,".repeat(n - 1)}1]`, (n) => new Array(n).fill(1)],
  ])("default %s is %i", (_name, border, code, text, value) => {
    expect([-1, 0, 1].map((d) => textOutcome(text(border + d)))).toEqual(["accepted", "accepted", code]);
    expect([-1, 0, 1].map((d) => valueOutcome(value(border + d)))).toEqual(["accepted", "accepted", code]);
  });

  test("default digitsMax is 64", () => {
    const digits = (n: number) => textOutcome(`[0.${"1".repeat(n - 2)}]`);
    expect([63, 64, 65].map(digits)).toEqual(["accepted", "accepted", "number_out_of_range"]);
  });

  test("a bound of nothing accepts nothing that has any", () => {
    const nothing = { bytesMax: 2, depthMax: 0, keysMax: 0, digitsMax: 0 };
    expect(["1", "[]", '""', "123"].map((text) => textOutcome(text, nothing))).toEqual([
      "number_out_of_range",
      "too_deep",
      "accepted",
      "too_large",
    ]);
  });
});

describe("bombs are refused before work (S3)", () => {
  const million = 1_000_000;
  const bombs: readonly (readonly [string, string, JsonCode, JsonCode])[] = [
    ["10 million deep", flat("[".repeat(10 * million)), "too_large", "too_deep"],
    ["a million objects deep", flat('{"a":'.repeat(million)), "too_large", "too_deep"],
    [
      "a million keys",
      flat(`{${Array.from({ length: million }, (_, i) => `"k${i}":1`)}}`),
      "too_large",
      "too_many_keys",
    ],
    ["a million times one key", flat(`{${'"a":1,'.repeat(million)}"a":1}`), "too_large", "duplicate_key"],
    ["a million elements", flat(`[${"1,".repeat(million)}1]`), "too_large", "too_many_keys"],
    ["100,000 digits", flat("1".repeat(100_000)), "number_out_of_range", "number_out_of_range"],
    ["100,000 digits of a fraction", flat(`0.${"1".repeat(100_000)}`), "number_out_of_range", "number_out_of_range"],
    ["[[[[", "[[[[", "not_json", "not_json"],
  ];
  test.each(bombs)("%s", (_name, text, code, codeIfRoomy) => {
    expect(memoryRise(() => expect(textOutcome(text)).toBe(code))).toBeLessThan(20e6);
    // And where a caller allows such lengths, what is inside is refused without being kept.
    expect(memoryRise(() => expect(textOutcome(text, ROOMY)).toBe(codeIfRoomy))).toBeLessThan(20e6);
  });

  test("a string of 50 MB", () => {
    // A repeated string takes its 50 MB only once somebody reads it, so this also shows that nobody does.
    const text = `"${"a".repeat(50 * million)}"`;
    const value = { a: ["a".repeat(50 * million)] };
    expect(memoryRise(() => expect(textOutcome(text)).toBe("too_large"))).toBeLessThan(20e6);
    expect(memoryRise(() => expect(valueOutcome(value)).toBe("too_large"))).toBeLessThan(20e6);
    const named = { ["a".repeat(50 * million)]: 1 };
    expect(memoryRise(() => expect(valueOutcome(named)).toBe("too_large"))).toBeLessThan(20e6);
  });

  test("a text that is too large is never looked at", () => {
    // A text that cannot be read at all, only measured.
    const unreadable = { length: JSON_LIMITS.bytesMax + 1 } as string;
    expect(textOutcome(unreadable)).toBe("too_large");
  });

  test("as values", () => {
    const laughs = Array.from({ length: 20 }).reduce<unknown>((inner) => new Array(10).fill(inner), "ha");
    const cycle: unknown[] = [];
    cycle.push(cycle);
    const wide: unknown[] = [];
    wide.push(...new Array(100).fill(wide));
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    expect([laughs, cycle, wide, loop, nestedValue(5000)].map((value) => valueOutcome(value))).toEqual([
      "too_many_keys",
      "too_deep",
      "too_deep",
      "too_deep",
      "too_deep",
    ]);
    expect(memoryRise(() => expect(valueOutcome(new Array(4_000_000_000))).toBe("too_many_keys"))).toBeLessThan(20e6);
    expect(valueOutcome(cycle, limits({ depthMax: 1e9, keysMax: 1e9, bytesMax: 1e12 }))).toBe("not_plain");
  });

  function memoryRise(work: () => void): number {
    const used = () => {
      const { heapUsed, external, arrayBuffers } = process.memoryUsage();
      return heapUsed + external + arrayBuffers;
    };
    const before = used();
    work();
    return used() - before;
  }
});

describe("details", () => {
  test.each([
    ['{"a": x}', 'character 6: expected a value, found "x"'],
    ['{"a":1,"a":2}', 'character 7: the key "a" is there twice'],
    ["[1", 'character 2: expected "," or "]", found the end'],
    ['["\ud800"]', "character 2: half a surrogate pair"],
    ["[1e400]", 'character 1: "1e400" is not a finite number'],
    ['"\u202e', 'character 2: expected a closing ", found the end'],
    ["\u202e", 'character 0: expected a value, found "\\u{202E}"'],
    ["\n\u001b[2J", 'character 1: expected a value, found "\\u{1B}"'],
    ["😀", 'character 0: expected a value, found "😀"'],
    ['{"\u200b\\"\u3164 é":1,"\u200b\\"\u3164 é":1}', 'character 12: the key "\\u{200B}\\"\\u{3164} é" is there twice'],
  ])("%j", (text, detail) => {
    expect(detailOf(parseJson(text))).toBe(detail);
  });

  test("where in a value", () => {
    expect(detailOf(plainJson({ a: [1, { "b\n": 1n }] }))).toBe('at ".a[1].b\\u{A}": a bigint');
    expect(detailOf(plainJson(undefined))).toBe("the value: undefined");
    expect(detailOf(plainJson({ n: 2 ** 60 }))).toContain("beyond 2^53 - 1");
  });

  test("one line of visible text, with at most 40 characters of the input", () => {
    const loud = fc.string({ unit: fc.constantFrom("Z", "\n", "\u202e", "\u0000", '"', "\\", "😀"), minLength: 30 });
    fc.assert(
      fc.property(loud, (text) => {
        const name = JSON.stringify(text);
        for (const read of [
          parseJson(`{${name}:1,${name}:2}`),
          parseJson(text),
          plainJson({ [text]: 1n }),
          plainJson([[{ [text]: { [text]: () => 1 } }]]),
        ]) {
          const detail = detailOf(read);
          expect(detail).not.toBe("");
          expect(detail).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
          expect(detail.length).toBeLessThan(500);
          expect([...detail.matchAll(/Z|\\u|\\"|\\\\|😀/gu)].length).toBeLessThanOrEqual(40);
        }
      }),
      { seed, examples: [["Z".repeat(100)], ["\ud83d".repeat(50)]] },
    );
  });
});

describe("plainJson copies", () => {
  test("two-doors: a good value is copied, and its canonical text is accepted as the same value", () => {
    fc.assert(
      fc.property(good, (value) => {
        const copied = plainJson(value);
        if (!copied.ok) throw new Error(copied.why.detail);
        expect(copied.value).toEqual(value);
        expect(canonicalJson(copied.value)).toBe(canonicalJson(value as never));
        expect(parseJson(canonicalJson(copied.value)).ok).toBe(true);
        // What was written and read again is walked in the order of the first copy.
        expect(JSON.stringify(copied.value)).toBe(JSON.stringify(JSON.parse(canonicalJson(copied.value))));
      }),
      { seed, numRuns: 1000 },
    );
  });

  test("two-doors: under any limits, a value is accepted exactly if its canonical text is", () => {
    const anyLimits = fc.record({
      bytesMax: fc.nat({ max: 60 }),
      depthMax: fc.nat({ max: 4 }),
      keysMax: fc.nat({ max: 8 }),
      digitsMax: fc.nat({ max: 24 }),
    });
    const counts = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary", maxDepth: 4 }), anyLimits, (value, bounds) => {
        const accepted = plainJson(value, bounds).ok;
        counts[accepted ? "accepted" : "refused"] += 1;
        expect(accepted).toBe(parseJson(canonicalJson(value as never), bounds).ok);
      }),
      { seed, numRuns: 3000 },
    );
    expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(100);
  });

  test("the copy shares nothing with the value", () => {
    const value = { list: [{ a: 1 }], inner: { b: "x" } };
    const copied = plainJson(value);
    value.list.push({ a: 2 });
    value.inner.b = "y";
    expect(copied).toEqual({ ok: true, value: { list: [{ a: 1 }], inner: { b: "x" } } });
  });

  test("an undefined property is left out, as JSON.stringify does", () => {
    const copied = plainJson({ a: undefined, b: { c: undefined, d: null } }, limits({ keysMax: 2 }));
    expect(copied.ok && Object.keys(Object(copied.value))).toEqual(["b"]);
    expect(copied).toEqual({ ok: true, value: { b: { d: null } } });
  });

  test("an object without a prototype is accepted, and its copy has the ordinary one", () => {
    const copied = plainJson(Object.assign(Object.create(null), { a: 1 }));
    expect(copied).toStrictEqual({ ok: true, value: { a: 1 } });
  });

  test("names that Object.prototype has become own properties, even where it is armed with a setter", () => {
    const names = ["toString", "valueOf", "hasOwnProperty", "armed"];
    let called = false;
    Object.defineProperty(Object.prototype, "armed", { configurable: true, set: () => (called = true) });
    try {
      const value = Object.defineProperty({ toString: 1, valueOf: 2, hasOwnProperty: 3 }, "armed", {
        value: 4,
        enumerable: true,
      });
      const copied = plainJson(value);
      expect(copied.ok && Object.keys(Object(copied.value))).toEqual([...names].sort());
    } finally {
      Reflect.deleteProperty(Object.prototype, "armed");
    }
    expect(called).toBe(false);
  });
});

describe("plainJson refuses", () => {
  let asked = 0;
  const ask = (): number => {
    asked += 1;
    return asked;
  };
  class Money {
    cents = 1;
    toJSON(): number {
      return ask();
    }
  }
  class List extends Array<number> {}
  function calledWith(..._numbers: number[]): unknown {
    // biome-ignore lint/complexity/noArguments: this object, which looks like an array, is what the test is about.
    return arguments;
  }
  const holed = [1, 2, 3];
  Reflect.deleteProperty(holed, 1);
  const hidden = Object.defineProperty({ a: 1 }, "b", { value: 2, enumerable: false });
  const accessorElement = Object.defineProperty([1, 2], 1, { get: ask, enumerable: true });
  const thrower = (trap: keyof ProxyHandler<object>) =>
    new Proxy(
      { a: 1 },
      {
        [trap]: () => {
          throw new Error("trap");
        },
      },
    );
  const revoked = Proxy.revocable([], {});
  revoked.revoke();

  test.each<[string, unknown]>([
    ["undefined", undefined],
    ["an undefined element", [undefined]],
    ["a function", ask],
    ["a toJSON function", { toJSON: ask }],
    ["a symbol", Symbol("s")],
    ["a bigint", 1n],
    ["a class instance with toJSON", new Money()],
    ["an array of a class of its own", List.from([1])],
    ["a Date", new Date(0)],
    ["a Map", new Map([["a", 1]])],
    ["a Set", new Set([1])],
    ["an Error", new Error("x")],
    ["a regular expression", /x/],
    ["a promise", Promise.resolve(1)],
    ["a typed array", new Uint8Array(2)],
    ["a boxed string", Object("x")],
    ["an object that inherits from a plain one", Object.create({ a: 1 })],
    [
      "a getter",
      {
        get a() {
          return ask();
        },
      },
    ],
    [
      "a setter",
      {
        set a(_: number) {
          ask();
        },
      },
    ],
    ["a hidden property", hidden],
    ["an element with a getter", accessorElement],
    ["a symbol as a key", { [Symbol("s")]: 1 }],
    ["a symbol as a key of an array", Object.assign([1], { [Symbol("s")]: 1 })],
    ["an array with a hole", holed],
    ["an array of holes", new Array(3)],
    ["an array with a property", Object.assign([1], { extra: 1 })],
    ["an array with a hole and a property", Object.assign(holed.slice(), { extra: 1 })],
    ["the arguments of a call", calledWith(1, 2)],
    ["a proxy whose getPrototypeOf throws", thrower("getPrototypeOf")],
    ["a proxy whose ownKeys throws", thrower("ownKeys")],
    ["a proxy whose getOwnPropertyDescriptor throws", thrower("getOwnPropertyDescriptor")],
    ["a revoked proxy", revoked.proxy],
  ])("%s", (_name, value) => {
    expect(valueOutcome(value)).toBe("not_plain");
    expect(valueOutcome([{ deep: [value] }])).toBe("not_plain");
    expect(asked).toBe(0);
  });

  test.each<[JsonCode, unknown]>([
    ["number_out_of_range", NaN],
    ["number_out_of_range", Infinity],
    ["number_out_of_range", -Infinity],
    ["unsafe_integer", 2 ** 53],
    ["unsafe_integer", -(2 ** 53)],
    ["unsafe_integer", 1e21],
    ["lone_surrogate", "\ud800"],
    ["lone_surrogate", "😀\ude00"],
    ["lone_surrogate", { "\udc00": 1 }],
    ["forbidden_key", JSON.parse('{"__proto__":1}')],
    ["forbidden_key", { constructor: 1 }],
    ["forbidden_key", { prototype: undefined }],
  ])("%s: %j", (code, value) => {
    expect(valueOutcome(value)).toBe(code);
    expect(valueOutcome([{ deep: [value] }])).toBe(code);
  });

  test("not the whole numbers that are safe", () => {
    expect([2 ** 53 - 1, -(2 ** 53) + 1, 0.1, 5e-324].map((n) => valueOutcome(n))).toEqual(
      new Array(4).fill("accepted"),
    );
  });
});

test("Object.prototype is untouched (S2)", () => {
  const snapshot = () => Object.getOwnPropertyDescriptors(Object.prototype);
  const before = snapshot();
  for (const name of ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"]) {
    for (const text of [`{"${name}":{"polluted":true}}`, `{"constructor":{"prototype":{"${name}":1}}}`]) {
      parseJson(text);
      plainJson(JSON.parse(text));
    }
    expect(textOutcome(`{"${name}":1}`)).toBe(
      name.startsWith("__") || /^(con|prototype)/.test(name) ? "forbidden_key" : "accepted",
    );
  }
  expect(snapshot()).toEqual(before);
  expect("polluted" in {}).toBe(false);
});
