import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seed } from "../../test/seed.ts";
import { canonicalJson } from "./canonical.ts";
import type { Json } from "./json.ts";
import { jsonFrom } from "./json-text.ts";

describe("jsonFrom", () => {
  test("names with escapes are read as they are written, whatever was read before", () => {
    for (const [before, text, name] of [
      ['{"":1,"\\\\":2}', '{"":1,"\\n":2}', "\n"],
      ['{"x":1,"amount\\\\":2}', '{"x":1,"amount\\u0031":2}', "amount1"],
      ['{"a":1,"b\\\\nc":2}', '{"a":1,"b\\ncd":2}', "b\ncd"],
      ['[{"":1,"\\\\":2}]', '[{"":1,"\\"":2}]', '"'],
    ] as const) {
      for (let i = 0; i < 4; i++) jsonFrom(before);
      const value = [jsonFrom(text)].flat()[0] as { [name: string]: Json };
      expect(Object.keys(value)[1]).toBe(name);
    }
  });

  test("what it gives is what was written, for every value and with white space anywhere", () => {
    const name = fc.oneof(fc.string(), fc.constantFrom("\\", "\n", '"', "\\n", "a\\", "__proto__", ""));
    const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
      tree: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom<Json>(null, true, false, 0, -1.5, 1e21),
        fc.string(),
        fc.array(tie("tree"), { maxLength: 4 }),
        fc.dictionary(name, tie("tree"), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(tree, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(JSON.stringify(jsonFrom(text), null, indent)).toBe(text);
        expect(canonicalJson(jsonFrom(canonicalJson(value)))).toBe(canonicalJson(value));
      }),
      { seed, numRuns: 3_000 },
    );
  });

  test.each(["", "{", '{"a"}', '{"\\n":}', "[1,]", '"\\x"', "nul", '{"a":1}}'])("%s is refused", (text) => {
    expect(() => jsonFrom(text)).toThrow(SyntaxError);
  });

  test("of a name that stands twice the last counts, and none is more than a name", () => {
    expect(jsonFrom('{"\\u0061":1,"a":2,"\\u005f_proto__":{"x":1}}')).toEqual(
      JSON.parse('{"a":2,"__proto__":{"x":1}}'),
    );
    expect(Object.hasOwn(jsonFrom('{"\\u005f_proto__":1}') as object, "__proto__")).toBe(true);
  });
});
