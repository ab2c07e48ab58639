import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../src/domain/canonical.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/domain/json.ts";
import { jsonFrom } from "../../src/domain/json-text.ts";
import { parseReply, type Reply } from "../../src/domain/reply.ts";
import type { ModelCall, WireMode } from "../../src/domain/said.ts";
import { type KnownTools, type Read, readReply } from "../../src/domain/salvage.ts";
import { THINKING_TAGS } from "../../src/domain/thinking.ts";
import { utf8Length } from "../../src/domain/utf8.ts";
import { seed } from "../seed.ts";

const known: KnownTools = {
  has: (tool) => tool === "pay" || tool === "look",
  takesNothing: (tool) => tool === "look",
  evidenceField: (tool) => (tool === "pay" ? "evidence" : null),
};
const MODES: readonly WireMode[] = ["flat", "tools"];

function read(text: string, mode: WireMode = "flat", calls: readonly ModelCall[] = [], finish = "stop"): Read {
  return readReply({ text, calls, finish }, mode, known, 262_144);
}

// --- What models say, and what they wrap it in

const HARD = [
  "</think>\n",
  "<think>",
  "```json\n",
  "<tool_call>",
  "{",
  "}",
  '"',
  "'",
  "\\",
  ",}",
  ": None",
  "> ",
  "[",
  "\n",
];
const string = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.array(fc.constantFrom(...HARD, "a", "it's"), { maxLength: 6 }).map((parts) => parts.join("")),
);
const key = string.filter((name) => !["__proto__", "constructor", "prototype"].includes(name));
const number = fc.oneof(fc.integer(), fc.constantFrom(0.5, -1.25, 1e-7));
const { value: anyJson } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false),
    number,
    string,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3 }),
  ),
}));
const params = fc.dictionary(key, anyJson, { maxKeys: 4 });
const evidence = fc.array(string, { maxLength: 3 });
const seen = string.map((text) => `x${text}`);
const action = fc.record({
  kind: fc.constant("action"),
  tool: fc.constantFrom("pay", "look", "ghost"),
  params,
  evidence,
});
const flat: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 3, arbitrary: action },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("conversation"), text: seen }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("retrieve"), query: seen }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("plan"),
      steps: fc.array(fc.record({ actor: seen, description: string, params, evidence }), {
        minLength: 1,
        maxLength: 2,
      }),
    }),
  },
);

/** Writes JSON as Python prints it, with commas that JSON does not allow if `comma`. */
function written(value: Json, python: boolean, comma: boolean): string {
  const end = comma ? ", " : "";
  if (typeof value === "string") return python ? pythonString(value) : JSON.stringify(value);
  if (typeof value !== "object" || value === null) {
    const text = JSON.stringify(value);
    return python ? ({ null: "None", true: "True", false: "False" }[text] ?? text) : text;
  }
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => written(item, python, comma)).join(", ");
    return items === "" ? "[]" : `[${items}${end}]`;
  }
  const members = Object.entries(value)
    .map(([name, inner]) => `${written(name, python, comma)}: ${written(inner, python, comma)}`)
    .join(" , ");
  return members === "" ? "{}" : `{${members}${end}}`;
}

function pythonString(text: string): string {
  const inner = [...text].map((mark) => {
    if (mark === "'" || mark === "\\") return `\\${mark}`;
    return mark === '"' ? mark : JSON.stringify(mark).slice(1, -1);
  });
  return `'${inner.join("")}'`;
}

const outside = fc.constantFrom(
  "Sure, here it is:",
  "I think this is right (see [1]).",
  "Done; it's what you asked for.\n\n",
);

/** A wrapping: the text, and what has to be recorded of it. */
type Wrapped = { readonly text: string; readonly names: readonly string[] };
const wrapping = fc.record({
  python: fc.boolean(),
  comma: fc.boolean(),
  kindCase: fc.constantFrom(
    null,
    (kind: string) => kind.toUpperCase(),
    (kind: string) => ` ${kind}\n`,
  ),
  wrapper: fc.constantFrom(
    null,
    (text: string) => `[ ${text} ]`,
    (text: string) => `{ "reply" : ${text}}`,
  ),
  twice: fc.boolean(),
  fence: fc.constantFrom(null, "```json\n", "```\n", "```"),
  before: fc.option(outside),
  after: fc.option(outside),
  think: fc.constantFrom(
    "",
    '<think>\nmaybe {"kind": 1\n</think>\n\n',
    "<reasoning>so</reasoning>",
    'so {"a":1}.\n</think>\n',
  ),
});
type Wrapping = typeof wrapping extends fc.Arbitrary<infer W> ? W : never;

function wrap(reply: JsonObject, how: Wrapping): Wrapped {
  const names = new Set<string>();
  const spelt = how.kindCase === null ? reply : { ...reply, kind: how.kindCase(String(reply.kind)) };
  if (how.kindCase !== null) names.add("kind_case");
  let text = written(spelt, how.python, how.comma);
  if (how.python) names.add("single_quotes");
  if (how.comma) names.add("trailing_comma");
  if (how.wrapper !== null) {
    text = how.wrapper(text);
    names.add("wrapper");
  }
  if (how.fence !== null) {
    text = `${how.fence}${text}\n\`\`\``;
    names.add("fence");
  }
  if (how.twice) {
    text = `${text}\n\n${text}`;
    names.add("twice");
  }
  if (how.before !== null || how.after !== null) {
    text = `${how.before ?? ""}\n${text}\n${how.after ?? ""}`;
    names.add("prose");
  }
  if (how.think !== "") {
    text = how.think + text;
    names.add("think");
  }
  return { text, names: [...names].sort() };
}

/** A native call of the action as text, in the form of four families. */
const callForm = fc.constantFrom<(name: string, args: string) => string>(
  (name, args) => `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${args}}\n</tool_call>`,
  (name, args) => `{"name": ${JSON.stringify(name)}, "parameters": ${args}}`,
  (name, args) =>
    `<|python_tag|>{"type": "function", "name": ${JSON.stringify(name)}, "parameters": ${args}}<|eom_id|>`,
  (name, args) => `[TOOL_CALLS] [{"name": ${JSON.stringify(name)}, "arguments": ${args}, "id": "a1"}]`,
  (name, args) => `[TOOL_CALLS]${name}[ARGS]${args}`,
  (name, args) => `<function=${name}>${args}</function>`,
  (name, args) =>
    `{"tool_calls":[{"id":"1","type":"function","function":{"name":${JSON.stringify(name)},"arguments":${JSON.stringify(args)}}}]}`,
);

function strictly(reply: JsonObject): Reply | null {
  const strict = parseReply(JSON.stringify(reply));
  return strict.ok ? strict.value : null;
}

/** What it was read as, in canonical form; the code where it could not be read. */
function said({ reply }: Read): string {
  return reply.ok ? canonicalJson(reply.value) : reply.why.code;
}

function lawful(got: Read): void {
  expect(got.notRun.length).toBeLessThanOrEqual(64);
  if (!got.reply.ok) {
    expect(got.repair).toBeNull();
    expect(got.reply.why.code).toMatch(/^[a-z_]+$/);
    expect(utf8Length(got.reply.why.detail)).toBeLessThanOrEqual(300);
    return;
  }
  if (got.repair === null) return;
  const again = parseReply(got.repair.text);
  expect(again.ok && canonicalJson(again.value)).toBe(canonicalJson(got.reply.value));
  expect(canonicalJson(jsonFrom(got.repair.text))).toBe(got.repair.text);
  expect(got.repair.names.length).toBeGreaterThan(0);
}

describe("salvage: what has one reading only is read", () => {
  test("[oracle-salvage] same-reading: a reply in any of the wrappings is read as itself, and each is named", () => {
    fc.assert(
      fc.property(flat, wrapping, (reply, how) => {
        const { text, names } = wrap(reply, how);
        const got = read(text);
        lawful(got);
        expect(said(got)).toBe(canonicalJson(strictly(reply)));
        expect([...(got.repair?.names ?? [])].sort()).toEqual(names);
      }),
      { seed, numRuns: 2_000 },
    );
  });

  test("[oracle-salvage] same-reading: an action as a native call or as the text of one is read as itself in both modes", () => {
    fc.assert(
      fc.property(action, callForm, fc.boolean(), fc.constantFrom(...MODES), (reply, form, python, mode) => {
        const { evidence: _, ...rest } = reply.params;
        const cites = reply.tool === "pay";
        const args = cites ? { ...rest, evidence: reply.evidence } : reply.params;
        const meant = strictly({
          ...reply,
          params: cites ? rest : reply.params,
          evidence: cites ? reply.evidence : [],
        });
        const text = form(reply.tool, written(args, python, false));
        const got = read(text, mode);
        lawful(got);
        expect(said(got)).toBe(canonicalJson(meant));
        expect(got.repair?.names).toContain("tool_call_text");
        const native = read("", "tools", [{ name: reply.tool, args: JSON.stringify(args) }]);
        expect(said(native)).toBe(canonicalJson(meant));
        expect(native.repair).toBeNull();
      }),
      { seed, numRuns: 2_000 },
    );
  });

  test("[oracle-salvage] strict-first: a strict reply is never mended, whatever is in its strings", () => {
    fc.assert(
      fc.property(flat, fc.constantFrom("stop", "none", "length"), (reply, finish) => {
        const got = read(JSON.stringify(reply), "flat", [], finish);
        expect(said(got)).toBe(canonicalJson(strictly(reply)));
        expect(got.repair).toBeNull();
      }),
      { seed, numRuns: 1_000 },
    );
  });
});

describe("salvage: nothing is invented", () => {
  test("[oracle-no-guess] cut-is-no-action: an action that was cut at any character is never an action", () => {
    fc.assert(
      fc.property(action, wrapping, fc.boolean(), fc.nat(), fc.constantFrom(...MODES), (reply, how, call, at, mode) => {
        const bare = { ...how, fence: null, twice: false, after: null, wrapper: null };
        const asCall = `<tool_call>{"name":"pay","arguments":${written(reply.params, how.python, how.comma)}}`;
        const text = call ? asCall : wrap(reply, bare).text.trimEnd();
        const got = read(text.slice(0, at % text.length), mode);
        lawful(got);
        expect(got.reply.ok && got.reply.value.kind !== "conversation").toBe(false);
        const args = written(reply.params, how.python, how.comma);
        const native = read("", "tools", [{ name: "pay", args: args.slice(0, at % args.length) }]);
        expect(native.reply.ok).toBe(false);
      }),
      { seed, numRuns: 3_000 },
    );
  });

  test("[oracle-no-guess] outside-only: an action in thinking, or quoted, is never an action, in any form and in both modes", () => {
    const inThinking = fc
      .record({
        before: fc.constantFrom(
          "",
          "<think>x</think>",
          "<think>a</think>".repeat(4),
          "Okay. ",
          "Okay.\n",
          "<think>a</think>\nb",
        ),
        tag: fc.constantFrom(...THINKING_TAGS),
        upper: fc.boolean(),
        words: fc.tuple(fc.constantFrom("", "maybe ", "so\n"), fc.constantFrom("", " no, wait", "\nhm")),
        closed: fc.boolean(),
        after: fc.constantFrom("", "\n", "\nI will ask first.", " no</think>"),
      })
      .map(({ before, tag, upper, words, closed, after }) => {
        const [open, close] = tag.map((one) => (upper ? one.toUpperCase() : one));
        const [first, last] = words;
        return (text: string) => `${before}${open}${first}${text}${last}${closed ? `${close}${after}` : ""}`;
      });
    const quoted = fc.record({
      before: fc.constantFrom("", "The mail says: ", "I refuse.\nHere: "),
      around: fc.constantFrom(
        ['"', '"'],
        ["“", "”"],
        ["„", "“"],
        ["«", "»"],
        ["‘", "’"],
        ["'", "'"],
        ["`", "`"],
        ["``", "``"],
        ["<mail>", "</mail>"],
        ['<tool_response id="1">\n', "\n</tool_response>"],
        ["<!-- ", " -->"],
        ["\n> ", "\n"],
        ['"please send ', ' now"'],
      ),
      after: fc.constantFrom("", ".", " I will not.", "\nI ignore it."),
    });
    const inQuotes = quoted.map(
      ({ before, around, after }) =>
        (text: string) =>
          `${before}${around[0]}${text}${around[1]}${after}`,
    );
    const form = fc.oneof(
      fc.constant((_: string, __: string, flat: string) => flat),
      callForm.map((call) => (name: string, args: string) => call(name, args)),
    );
    let plain = 0;
    fc.assert(
      fc.property(
        action,
        form,
        fc.oneof(inThinking, inQuotes),
        fc.boolean(),
        fc.constantFrom(...MODES),
        (reply, form, around, python, mode) => {
          const text = form(reply.tool, written(reply.params, python, false), written(reply, python, false));
          // A reply that is all of one string of JSON is in no quotation.
          fc.pre(typeof jsonOrNull(around(text)) !== "string");
          const got = read(around(text), mode);
          lawful(got);
          // Behind thinking there may be words for the user.
          expect(got.reply.ok && (mode === "flat" || got.reply.value.kind !== "conversation"), around(text)).toBe(
            false,
          );
          // The same in plain sight is the action: what is refused is where it stands.
          if (read(text, mode).reply.ok) plain += 1;
        },
      ),
      { seed, numRuns: 5_000 },
    );
    expect(plain).toBeGreaterThan(4_000);
  });

  test("[oracle-no-guess] no prose behind: a marked call with words behind it is never an action", () => {
    const marked = fc.constantFrom<(args: string) => string>(
      (args) => `<tool_call>{"name":"pay","arguments":${args}}</tool_call>`,
      (args) => `[TOOL_CALLS]pay[ARGS]${args}`,
      (args) => `<function=pay>${args}</function>`,
      (args) => `<|python_tag|>{"name":"pay","parameters":${args}}<|eom_id|>`,
    );
    const words = fc.constantFrom(" is what they want.", "\nI ignore it.", "\n```\nno\n```", "</s> no", "\n> no");
    fc.assert(
      fc.property(
        params,
        marked,
        words,
        fc.option(outside),
        fc.constantFrom(...MODES),
        (args, call, after, before, mode) => {
          const text = `${before ?? ""}${call(JSON.stringify(args))}`;
          expect(read(text, mode).reply.ok).toBe(true);
          expect(said(read(text + after, mode))).toBe("mixed_reply");
        },
      ),
      { seed, numRuns: 1_000 },
    );
  });

  test("[oracle-no-guess] no-invention: whatever is changed in a reply, its params are an object that stands in it", () => {
    const marks = [..."{}[]\",':\\ \n`", "None", "```", "<think>", "</think>\n", "<tool_call>", "}\n{", ",}", "<!--"];
    const small = fc.record({
      kind: fc.constant("action"),
      tool: fc.constantFrom("pay", "look"),
      params: fc.constantFrom<JsonObject>({ a: 1, b: "x" }, { a: { b: [1, { c: "}" }] } }, { t: 'it\'s, {"a":2}' }, {}),
      evidence: fc.constantFrom([], ["e1"]),
    });
    const change = fc.record({ at: fc.nat(), drop: fc.nat({ max: 3 }), put: fc.constantFrom("", ...marks) });
    let performed = 0;
    fc.assert(
      fc.property(
        small,
        fc.array(change, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(...MODES),
        (reply, changes, mode) => {
          let text = JSON.stringify(reply);
          for (const { at, drop, put } of changes) {
            const place = at % (text.length + 1);
            text = text.slice(0, place) + put + text.slice(place + drop);
          }
          const got = read(text, mode);
          lawful(got);
          if (!got.reply.ok || got.reply.value.kind !== "action") return;
          // A tool without parameters has none, whether they were left out or null.
          if ((JSON.parse(got.repair?.text ?? text).params ?? null) === null) return;
          performed += 1;
          expect(objectsIn(text)).toContain(canonicalJson(got.reply.value.params));
        },
      ),
      { seed, numRuns: 3_000 },
    );
    expect(performed).toBeGreaterThan(50);
  });

  test("[oracle-no-guess] total: any text is read or refused with a code, in bounds, and what is read passes the strict parser", () => {
    const parts = fc.constantFrom(
      ...HARD,
      ..."{}[]:,'\"`;<>\\ ",
      '{"kind":"action","tool":"pay","params":{"a":1}}',
      '{"kind":"conversation","text":"x"}',
      '{"name":"pay","arguments":{"a":1}}',
      '"__proto__":{"kind":"action"},',
      '"constructor":1,',
      '"kind"',
      '"name"',
      '"arguments"',
      "</tool_call>",
      "<|python_tag|>",
      "[TOOL_CALLS]",
      "pay[ARGS]",
      "<function=pay>",
      "</function>",
      "<parameter=a>",
      "</thinking>",
      "pay(",
      "\ud800",
      "\u0000",
      "null",
      "1e999",
    );
    const text = fc.oneof(
      fc.array(parts, { maxLength: 12 }).map((list) => list.join("")),
      fc.string({ unit: "binary" }),
    );
    const call = fc.record({
      name: fc.constantFrom("pay", "look", "plan", "retrieve", "__proto__", "", "\udfff"),
      args: text,
    });
    fc.assert(
      fc.property(
        text,
        fc.array(call, { maxLength: 3 }),
        fc.constantFrom(...MODES),
        fc.constantFrom("stop", "length", "refusal", "none"),
        (content, calls, mode, finish) => {
          const got = read(content, mode, calls, finish);
          lawful(got);
          if (finish === "length" && got.reply.ok) expect(got.repair).toBeNull();
        },
      ),
      { seed, numRuns: 10_000 },
    );
  });
});

/** Every object that stands in a text, as JSON or with what is mended in JSON undone by hand; slow and plain. */
function objectsIn(text: string): readonly string[] {
  const spellings = [
    text,
    text.replace(/,(?=\s*[}\]])/g, ""),
    text.replaceAll("\\'", "'"),
    text.replaceAll("None", "null"),
  ];
  const found = new Set<string>();
  for (const spelling of [...spellings, ...spellings.map((one) => one.replaceAll("'", '"'))]) {
    for (let from = 0; from < spelling.length; from++) {
      if (spelling.charAt(from) !== "{") continue;
      for (let to = from + 1; to <= spelling.length; to++) {
        if (spelling.charAt(to - 1) !== "}") continue;
        const value = jsonOrNull(spelling.slice(from, to));
        if (isJsonObject(value)) found.add(canonicalJson(value));
      }
    }
  }
  return [...found];
}

function jsonOrNull(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Most pieces of a text are no JSON; that is what is being found out.
    return null;
  }
}
