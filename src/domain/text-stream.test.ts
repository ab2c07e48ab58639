import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seed } from "../../test/seed.ts";
import { CLOSINGS, OPENINGS } from "./call-marks.ts";
import { REDACTED, redactText } from "./redact.ts";
import type { WireMode } from "./said.ts";
import { readReply } from "./salvage.ts";
import { wellFormed } from "./text.ts";
import { textStream } from "./text-stream.ts";
import { THINKING_TAGS } from "./thinking.ts";

const NOTHING = { values: [], fields: [] };

/** What was given for the pieces, and at the end. */
function givenFor(mode: WireMode, pieces: readonly string[], values: readonly string[] = []): string {
  const stream = textStream(mode, { values, fields: [] });
  return pieces.map((piece) => stream.push(piece)).join("") + stream.end();
}

/** A text in pieces, cut at UTF-16 units as a careless server would. */
function split(text: string, cuts: readonly number[]): readonly string[] {
  const at = [...new Set(cuts.map((cut) => (text.length === 0 ? 0 : cut % (text.length + 1))))].sort((a, b) => a - b);
  return [0, ...at].map((from, i) => text.slice(from, at[i] ?? text.length));
}

const cuts = fc.array(fc.nat(2_000), { maxLength: 30 });
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom("a", "b", '"', "\\", "/", "\n", "u", "😀", "é", "\u2028", "<", "{"),
    maxLength: 60,
  }),
);

/** JSON as a server may write it: any key order, white space, and some characters escaped that need not be. */
function written(text: string, spelling: readonly boolean[]): string {
  return text
    .split("")
    .map((unit, i) => {
      const hex = unit.charCodeAt(0).toString(16).padStart(4, "0");
      // A half of a pair is escaped only with its other half.
      if (spelling[i % spelling.length] === true && !/[\ud800-\udfff]/.test(unit)) return `\\u${hex}`;
      return /[\ud800-\udfff]/.test(unit) ? unit : JSON.stringify(unit).slice(1, -1);
    })
    .join("");
}

const LEADS = ["", "\n ", "```json\n", "```\n", '<think>a { b } "kind"</think>\n\n'];

const reply = fc.record({
  kind: fc.constantFrom("conversation", "conversation", "action", "plan", "retrieve", "Conversation", ""),
  text,
  spelling: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
  textFirst: fc.boolean(),
  others: fc.array(
    fc.constantFrom('"tool": null', '"params":{"a":[1,"}",{"text":"no"}]}', '"query" :-1.5e3', '"steps":[]'),
    {
      maxLength: 3,
    },
  ),
  lead: fc.constantFrom(...LEADS),
  space: fc.constantFrom("", " ", "\n\t"),
});

function contentOf(one: typeof reply extends fc.Arbitrary<infer T> ? T : never): string {
  const kind = `"kind":${one.space}"${one.kind}"`;
  const said = `"te\\u0078t"${one.space}:"${written(one.text, one.spelling)}"`;
  const others = [...new Set(one.others)];
  const members = one.textFirst ? [said, ...others, kind] : [kind, ...others, said];
  return `${one.lead}{${one.space}${members.join(`${one.space},`)}${one.space}}`;
}

describe("mode flat", () => {
  test("joined and only-text: for any reply and any split, the conversation's text, and nothing of another kind", () => {
    fc.assert(
      fc.property(reply, cuts, (one, cut) => {
        const expected = one.kind === "conversation" ? one.text : "";
        expect(givenFor("flat", split(contentOf(one), cut))).toBe(expected);
      }),
      { seed, numRuns: 3000 },
    );
  });

  test("one unit a piece, an escaped pair and escapes of escapes among them", () => {
    const content = '```json\n{"kind":"conversation","text":"a\\ud83d\\ude00\\\\u0041\\"\\n\\u00e9"}\n```';
    expect(givenFor("flat", content.split(""))).toBe('a😀\\u0041"\né');
  });

  test("the text is given while it arrives, and with what was held once its kind is known", () => {
    const stream = textStream("flat", NOTHING);
    expect(stream.push('{"kind":"conversation","text":"one ')).toBe("one ");
    expect(stream.push("two")).toBe("two");
    const late = textStream("flat", NOTHING);
    expect(late.push('{"text":"one","kind":"conversat')).toBe("");
    expect(late.push('ion"')).toBe("one");
  });

  test.each([
    ["prose", "Sure: {"],
    ["a list", "["],
    ["another key", '{"kind":"conversation","reason":"x","text":"no"}'],
    ["a key twice", '{"kind":"conversation","kind":"conversation","text":"no"}'],
    ["half an escaped pair", '{"text":"\\ud83dno","kind":"conversation"}'],
    ["the second half alone", '{"text":"\\ude00no","kind":"conversation"}'],
    ["an escape that is none", '{"text":"\\xno","kind":"conversation"}'],
    ["a bare line break", '{"text":"a\nno","kind":"conversation"}'],
    ["a kind that goes on", '{"text":"no","kind":"conversation2"}'],
    ["a text that is no string", '{"text":["no"],"kind":"conversation"}'],
    ["brackets that do not fit", '{"tool":{"a":[}],"kind":"conversation","text":"no"}'],
    ["a missing comma", '{"tool":null "kind":"conversation","text":"no"}'],
    ["a thought without an end", '<think>{"kind":"conversation","text":"no"}'],
  ])("nothing of %s", (_, content) => {
    expect(givenFor("flat", [content])).toBe("");
    expect(givenFor("flat", content.split(""))).toBe("");
  });

  test("a text is held up to 65,536 units before its kind, and no content is read beyond 262,144", () => {
    const held = (units: number): string =>
      givenFor("flat", [`{"text":"${"x".repeat(units)}`, '","kind":"conversation"}']);
    expect(held(65_536)).toHaveLength(65_536);
    expect(held(65_537)).toBe("");
    const stream = textStream("flat", NOTHING);
    let given = stream.push('{"kind":"conversation","text":"').length;
    for (let i = 0; i < 1_000; i += 1) given += stream.push("x".repeat(1_000)).length;
    expect(given).toBe(262_000);
  });
});

describe("mode tools", () => {
  const MARKS = [...OPENINGS, ...CLOSINGS];

  test("content as it is, without thinking, for any split", () => {
    const piece = fc.oneof(text, fc.constantFrom("<tool", "[TOOL", "<th", "</think>", "```", "<|", "<function"));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.nat(6), cuts, (pieces, where, cut) => {
        const plain = pieces.join("");
        fc.pre(![...MARKS, "<think>", "<thinking>"].some((mark) => plain.includes(mark)));
        fc.pre(!/^[\s\u2028]*(?:```[\w+-]{0,20}\s*)?(?:\[\s*)?[{\u2028]/.test(plain));
        const before = pieces.slice(0, where).join("");
        const thinking = `${before}<think>a <tool_call> b</think>${plain.slice(before.length)}`;
        expect(givenFor("tools", split(plain, cut))).toBe(plain.trimStart());
        if (before.trim() !== "" && !before.trimStart().startsWith("```")) {
          expect(givenFor("tools", split(thinking, cut))).toBe(plain.trimStart());
        }
      }),
      { seed, numRuns: 3000 },
    );
  });

  test.each(MARKS)("nothing from %s on", (mark) => {
    const content = `Let me look.${mark}{"name":"look"}`;
    expect(givenFor("tools", [content])).toBe("Let me look.");
    expect(givenFor("tools", content.split(""))).toBe("Let me look.");
  });

  test.each(
    THINKING_TAGS.flatMap(([open, close]) => [
      [open, close],
      [open.toUpperCase(), close.toUpperCase()],
    ]),
  )("nothing between %s and %s, in both modes", (open = "", close = "") => {
    const thought = `${open}a {"kind":1} <tool_call> b${close}`;
    for (const pieces of [[`${thought}Hi ${thought}you`], [..."x"].concat(`${thought}`.split(""))]) {
      expect(givenFor("tools", pieces)).toBe(pieces[0] === "x" ? "x" : "Hi you");
    }
    const flat = `${thought}\n${thought}{"kind":"conversation","text":"Hi"}`;
    expect(givenFor("flat", [flat])).toBe("Hi");
    expect(givenFor("flat", flat.split(""))).toBe("Hi");
  });

  test("marks of channels are not given, and what is thought without them is not", () => {
    const channels = "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>";
    expect(givenFor("tools", `${channels}Hi`.split(""))).toBe("Hi");
    expect(givenFor("flat", `${channels}{"kind":"conversation","text":"Hi"}`.split(""))).toBe("Hi");
    expect(givenFor("tools", "analysisWe could ask.assistantfinalHi".split(""))).toBe("");
    expect(givenFor("tools", "analysis of it".split(""))).toBe("analysis of it");
  });

  test("only-text: what is read as an action was not given, in any form and for any split", () => {
    const call = '{"name":"look","arguments":{"secret":1}}';
    const flat = '{"kind":"action","tool":"look","params":{"secret":1}}';
    const known = { has: () => true, takesNothing: () => false, evidenceField: () => null };
    const parts = fc.constantFrom(
      ...MARKS,
      ...["```", "```json\n", "```c++\n", "\n```", "[", "]", " ", "\n", "\u200b", "<|im_end|>", "</s>", "Sure:\n"],
      ...["<think>hm</think>", "<|channel|>final<|message|>", "look[ARGS]", "look>"],
      ...[call, flat, call, flat, call, `[${call}]`, `[ ${flat}]`, '{"secret":1}'],
    );
    let actions = 0;
    fc.assert(
      fc.property(fc.array(parts, { minLength: 1, maxLength: 5 }), cuts, (list, cut) => {
        const content = list.join("");
        const read = readReply({ text: content, calls: [], finish: "stop" }, "tools", known, 100_000);
        if (!read.reply.ok || read.reply.value.kind !== "action") return;
        actions += 1;
        expect(givenFor("tools", split(content, cut))).not.toMatch(/secret|\{/);
      }),
      { seed, numRuns: 20_000 },
    );
    expect(actions).toBeGreaterThan(500);
  });

  test.each(["<think></think>", "<|start|>assistant", "<", "[", "```", "<tool", "</think>", "analysis", " ", "\u200b"])(
    "as much of %j as there may be is read in one pass",
    (part) => {
      const content = part.repeat(262_144 / part.length);
      for (const mode of ["flat", "tools"] as const) {
        expect(givenFor(mode, [content]).length).toBeLessThanOrEqual(content.length);
        expect(givenFor(mode, content.split("")).length).toBeLessThanOrEqual(content.length);
      }
    },
  );

  test.each([
    '[{"name":"look"}]',
    '```\n[ {"name":1}]',
    '\u200b{"name":1}',
    '</s>{"name":1}',
    `[${" ".repeat(99)}{`,
    '{"name":"look"}',
    '\n {"name":1}',
    '```json\n{"name":1}',
    "<think>x</think>\n{}",
    "```<think>",
    '```<think>x</think>\n{"name":1}',
    '[<think>x</think>{"name":1}]',
  ])("nothing of %j", (content) => {
    expect(givenFor("tools", [content])).toBe("");
    expect(givenFor("tools", content.split(""))).toBe("");
  });

  test("what is code and no call is given", () => {
    expect(givenFor("tools", "```ts\nconst a = {};\n```".split(""))).toBe("```ts\nconst a = {};\n```");
  });
});

describe("redaction", () => {
  const secret = fc.oneof(
    fc.string({ minLength: 6, maxLength: 12, unit: "grapheme" }),
    fc.string({ minLength: 6, maxLength: 10, unit: fc.constantFrom("a", "b", "\\", '"', "/", "\n", "u") }),
  );

  test("[input-redaction] joined: what redactText makes of the whole text, for any values, any spelling and any split", () => {
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 3 }),
        fc.array(fc.oneof(text, fc.nat(8)), { maxLength: 6 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
        cuts,
        (values, parts, spelling, cut) => {
          // A number stands for a value: whole, cut short, or written as JSON within JSON would.
          const said = parts
            .map((part) => {
              if (typeof part === "string") return part;
              const value = values[part % values.length] ?? "";
              if (part < 3) return value;
              return part < 5 ? value.slice(0, -1) : written(part < 7 ? value : written(value, spelling), spelling);
            })
            .join("");
          const whole = wellFormed(said);
          const expected = redactText(whole, { values, fields: [] });
          const content = JSON.stringify({ kind: "conversation", text: whole });
          expect(givenFor("flat", split(content, cut), values)).toBe(expected);
          fc.pre(!/[<[{`]/.test(whole) && whole === whole.trimStart());
          expect(givenFor("tools", split(whole, cut), values)).toBe(expected);
        },
      ),
      { seed, numRuns: 5000 },
    );
  });

  test("[input-redaction] canary: one unit a piece, no piece and no two of them hold it", () => {
    const canary = 'canary-4711\\"\n-é';
    for (const spelt of [canary, JSON.stringify(canary).slice(1, -1), written(canary, [true])]) {
      const content = JSON.stringify({ kind: "conversation", text: `is ${spelt} ok` });
      expect(givenFor("flat", content.split(""), [canary])).toBe(`is ${REDACTED} ok`);
      expect(givenFor("tools", `is ${spelt} ok`.split(""), [canary])).toBe(`is ${REDACTED} ok`);
    }
  });

  test("[input-redaction] an apostrophe that is escaped is one, wherever the text is cut", () => {
    for (const said of ["it\\'s a canary", "it\\\\\\'s a canary", "it's a canary"]) {
      expect(redactText(said, { values: ["it's a canary"], fields: [] })).toBe(REDACTED);
      for (let at = 0; at < said.length; at++) {
        expect(givenFor("tools", [said.slice(0, at), said.slice(at)], ["it's a canary"]), said).toBe(REDACTED);
      }
    }
  });

  test.each([8, 9])(
    "[input-redaction] an escape of %i backslashes, and a quote of twice as many but one",
    (slashes) => {
      const values = ['ca"na/ry\n1'];
      const run = "\\".repeat(slashes);
      const spelt = `c${run}u0061${"\\".repeat(2 * slashes - 1)}"na${run}u002fry${run}n1`;
      const expected = redactText(`is ${spelt} ok`, { values, fields: [] });
      expect(expected === `is ${REDACTED} ok`).toBe(slashes === 8);
      expect(givenFor("tools", `is ${spelt} ok`.split(""), values)).toBe(expected);
    },
  );

  test("only what could become a value is held back, so that text is seen while it arrives", () => {
    const stream = textStream("tools", { values: [`sk-${"x".repeat(4_000)}`], fields: [] });
    expect(stream.push("the task is s")).toBe("the task is ");
    expect(stream.push("ky-blue, \\frac")).toBe("sky-blue, \\frac");
  });

  test("a long text with a value that nearly stands everywhere takes no longer than its length allows", () => {
    const values = [`${"a".repeat(200)}b`, `${"\\".repeat(20)}x`];
    const stream = textStream("tools", { values, fields: [] });
    let given = "";
    for (let i = 0; i < 20_000; i += 1) given += stream.push(i % 2_000 < 1_900 ? "aaaaa" : "\\\\\\");
    given += stream.end();
    let joined = "";
    for (let i = 0; i < 20_000; i += 1) joined += i % 2_000 < 1_900 ? "aaaaa" : "\\\\\\";
    expect(given).toBe(redactText(joined, { values, fields: [] }));
  });
});
