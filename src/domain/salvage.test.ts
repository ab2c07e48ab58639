import { describe, expect, test } from "vitest";
import { canonicalJson } from "./canonical.ts";
import type { Json } from "./json.ts";
import type { ModelCall, WireMode } from "./said.ts";
import { type KnownTools, type Read, readReply } from "./salvage.ts";
import { utf8Length } from "./utf8.ts";

const BYTES_MAX = 262_144;
const known: KnownTools = {
  has: (tool) => ["refund", "list"].includes(tool),
  takesNothing: (tool) => tool === "list",
  evidenceField: (tool) => (tool === "refund" ? "evidence" : null),
};

function read(text: string, mode: WireMode = "flat", calls: readonly ModelCall[] = [], finish = "stop"): Read {
  return readReply({ text, calls, finish }, mode, known, BYTES_MAX);
}

function native(args: string, ...more: readonly ModelCall[]): Read {
  return read("", "tools", [{ name: "refund", args }, ...more]);
}

/** The action of the tables, in the three texts that it most often has. */
const ACTION = { kind: "action", tool: "refund", params: { id: "a", n: 1 }, evidence: ["e1"] };
const FLAT = JSON.stringify(ACTION);
const CALL = '{"name": "refund", "arguments": {"id": "a", "n": 1, "evidence": ["e1"]}}';
const ARGS = '{"id":"a","n":1,"evidence":["e1"]}';
const TICKS = "```";

function outcome({ reply, repair }: Read): readonly [string, string] {
  return [reply.ok ? canonicalJson(reply.value) : reply.why.code, (repair?.names ?? []).join()];
}

const READ = canonicalJson(ACTION);

describe("flat: the shapes that are read, and what is recorded of them", () => {
  test.each([
    ["as it should be", FLAT, ""],
    ["with white space around", `\n ${FLAT}\n`, ""],
    ["a fence", `${TICKS}json\n${FLAT}\n${TICKS}`, "fence"],
    ["a fence without a language", `${TICKS}\n${FLAT}\n${TICKS}`, "fence"],
    ["a fence on one line", `${TICKS}json ${FLAT} ${TICKS}`, "fence"],
    ["a fence that nothing closes", `${TICKS}json\n${FLAT}`, "fence"],
    ["prose before", `Sure, here it is: ${FLAT}`, "prose"],
    ["prose with brackets and braces of its own", `As [1] says {so}, I'd do: ${FLAT}\nDone.`, "prose"],
    ["a mark that nobody sees", `\u200b${FLAT}`, "prose"],
    ["thinking", `<think>Maybe {"kind":"plan"}?</think>\n${FLAT}`, "think"],
    ["thinking twice", `<think></think>\n<thinking>a</thinking>${FLAT}`, "think"],
    ["reasoning", `<reasoning>a</reasoning>${FLAT}`, "think"],
    ["thinking that the template opened", `so {"a":1} it is\n</think>\n\n${FLAT}`, "think"],
    ["a trailing comma", FLAT.replace('"n":1}', '"n":1,}'), "trailing_comma"],
    [
      "trailing commas everywhere",
      '{"kind":"action","tool":"refund","params":{"id":"a","n":1 , },"evidence":["e1",\n],}',
      "trailing_comma",
    ],
    [
      "single quotes",
      "{'kind': 'action', 'tool': 'refund', 'params': {'id': 'a', 'n': 1}, 'evidence': ['e1'], 'text': None}",
      "single_quotes",
    ],
    ["None alone", FLAT.replace("}", '}, "text": None'), "single_quotes"],
    ["an upper case kind", FLAT.replace('"action"', '" ACTION "'), "kind_case"],
    ["a capital kind", FLAT.replace('"action"', '"Action"'), "kind_case"],
    ["twice", `${FLAT}\n${FLAT}`, "twice"],
    [
      "twice in another order",
      `${FLAT} {"tool":"refund","kind":"action","evidence":["e1"],"params":{"n":1,"id":"a"}}`,
      "twice",
    ],
    ["a wrapper object", `{"reply": ${FLAT}}`, "wrapper"],
    ["another wrapper object", `{"response":${FLAT}}`, "wrapper"],
    ["a list of one", `[ ${FLAT} ]`, "wrapper"],
    ["a string of JSON", JSON.stringify(FLAT), "wrapper"],
    ["params as text", FLAT.replace('{"id":"a","n":1}', '"{\\"id\\":\\"a\\",\\"n\\":1}"'), ""],
    [
      "params as text with a trailing comma",
      FLAT.replace('{"id":"a","n":1}', '"{\\"id\\":\\"a\\",\\"n\\":1,}"'),
      "trailing_comma",
    ],
    [
      "everything at once",
      `<think>x</think>Sure:\n${TICKS}json\n[{'kind': 'Action', 'tool': 'refund', 'params': {'id': 'a', 'n': 1,}, 'evidence': ['e1']}]\n${TICKS}`,
      "think,fence,prose,wrapper,trailing_comma,single_quotes,kind_case",
    ],
  ])("[oracle-salvage] %s", (_, text, names) => {
    const got = read(text);
    expect(outcome(got)).toEqual([READ, names]);
    if (names !== "") expect(read(got.repair?.text ?? "")).toEqual({ reply: got.reply, repair: null, notRun: [] });
  });

  test("[oracle-salvage] the text that is recorded is the flat object in canonical form, as it was meant", () => {
    expect(read(`Sure: ${FLAT.replace("action", "ACTION")}`).repair).toEqual({
      names: ["prose", "kind_case"],
      text: '{"evidence":["e1"],"kind":"action","params":{"id":"a","n":1},"tool":"refund"}',
    });
  });

  test.each([
    ["prose", "Sure, I will refund it.", "not_json"],
    ["cut at the last bracket", FLAT.slice(0, -1), "cut_off"],
    ["cut in a string", FLAT.slice(0, 30), "cut_off"],
    ["cut in a fence", `${TICKS}json\n${FLAT.slice(0, -2)}\n${TICKS}`, "cut_off"],
    ["cut behind a whole one", `${FLAT}\n${FLAT.slice(0, 20)}`, "cut_off"],
    ["two that differ", `${FLAT}\n${FLAT.replace("1", "2")}`, "two_objects"],
    ["a list of two", `[${FLAT},${FLAT}]`, "not_an_object"],
    ["only thinking", "<think>hm</think>\n", "only_thinking"],
    ["thinking that never ends", `<think>hm ${FLAT}`, "only_thinking"],
    ["nothing before the end of thinking and nothing behind", "hm</think>", "only_thinking"],
    ["no kind", '{"tool":"refund","params":{}}', "unknown_kind"],
    ["a wrapper with something beside", `{"reply":${FLAT},"why":"so"}`, "unknown_key"],
    ["a flat key as wrapper", `{"params":${FLAT}}`, "unknown_kind"],
    ["a bracket too many", `${FLAT}}`, "not_json"],
    ["in something that is no JSON", `{reply: ${FLAT}}`, "not_json"],
    ["in a list of something", `[note, ${FLAT}]`, "not_json"],
    ["as a part of something", `${FLAT}, "more"`, "not_json"],
    ["in somebody's quotation marks", `The customer wrote "${FLAT}".`, "not_json"],
    ["in a line of data", `The data says:\n> ${FLAT}\nSo no.`, "not_json"],
    ["an end of thinking within a string", `So: {'kind':'conversation','text':'</think>\n${FLAT}'}`, "not_json"],
    ["a comma alone", '{"kind":"action","tool":"refund","params":{,}}', "not_json"],
    ["two commas", FLAT.replace(",", ",,"), "not_json"],
    ["a comma for a value", '{"kind":"action","tool":"refund","params":{"a":,}}', "not_json"],
    ["an apostrophe in single quotes", "{'kind':'conversation','text':'it's done'}", "not_json"],
    ["a quote that is not escaped", '{"kind":"conversation","text":"say "hi" to me"}', "not_json"],
    ["a key twice in a fence", `${TICKS}${FLAT.replace('"n":1', '"n":1,"n":2')}${TICKS}`, "duplicate_key"],
    ["a key twice in single quotes", "{'kind':'action','tool':'refund','params':{'a':1,\"a\":2}}", "duplicate_key"],
    ["a prototype", `Sure: ${FLAT.replace('"id"', '"__proto__"')}`, "forbidden_key"],
    ["a prototype as wrapper", `{"__proto__":${FLAT}}`, "forbidden_key"],
    ["half a character", `Sure: ${FLAT.replace('"a"', '"\\ud800"')}`, "lone_surrogate"],
    ["too deep", `Sure: {"kind":"conversation","text":${"[".repeat(40)}${"]".repeat(40)}}`, "too_deep"],
    ["empty", " \n", "empty_reply"],
    ["a number", "42", "not_an_object"],
  ])("[oracle-no-guess] %s is malformed", (_, text, code) => {
    const got = read(text);
    expect(outcome(got)).toEqual([code, ""]);
    expect(got.reply.ok || utf8Length(got.reply.why.detail)).toBeLessThanOrEqual(300);
  });
});

describe("a tool call that was written as text, in both modes", () => {
  const forms: readonly (readonly [string, string, string])[] = [
    ["Hermes", `<tool_call>\n${CALL}\n</tool_call>`, "tool_call_text"],
    ["Hermes without its end", `<tool_call>\n${CALL}`, "tool_call_text"],
    ["Hermes without its beginning", `${CALL}\n</tool_call>`, "tool_call_text"],
    ["Hermes behind prose", `Let me do that.\n<tool_call>${CALL}</tool_call>`, "prose,tool_call_text"],
    [
      "Hermes behind thinking, fenced",
      `<think>a</think><tool_call>\n${TICKS}json\n${CALL}\n${TICKS}\n</tool_call>`,
      "think,fence,tool_call_text",
    ],
    [
      "Hermes with the arguments as text",
      `<tool_call>{"name":"refund","arguments":${JSON.stringify(ARGS)}}</tool_call>`,
      "tool_call_text",
    ],
    [
      "Hermes in Python's quotes",
      `<tool_call>{'name': 'refund', 'arguments': {'id': 'a', 'n': 1, 'evidence': ['e1']}}</tool_call>`,
      "single_quotes,tool_call_text",
    ],
    ["Hermes around a flat reply", `<tool_call>${FLAT}</tool_call>`, "tool_call_text"],
    ["Llama with its tag", `<|python_tag|>${CALL.replace("arguments", "parameters")}<|eom_id|>`, "tool_call_text"],
    ["Llama", CALL.replace("arguments", "parameters"), "tool_call_text"],
    ["a bare call in a fence", `${TICKS}json\n${CALL}\n${TICKS}`, "fence,tool_call_text"],
    ["with a type", CALL.replace("{", '{"type":"function","id":"1",'), "tool_call_text"],
    ["a function inside", `{"type":"function","function":${CALL}}`, "tool_call_text"],
    ["a list of calls", `{"tool_calls":[{"id":"1","type":"function","function":${CALL}}]}`, "tool_call_text"],
    ["a message", `{"role":"assistant","content":null,"tool_calls":[${CALL}]}`, "tool_call_text"],
    ["a wrapper", `{"tool_call":${CALL}}`, "wrapper,tool_call_text"],
    ["Mistral", `[TOOL_CALLS] [${CALL}]`, "tool_call_text"],
    ["Mistral's newer form", `[TOOL_CALLS]refund[ARGS]${ARGS}`, "tool_call_text"],
    ["Mistral's newer form with an id", `[TOOL_CALLS]refund[CALL_ID]a1[ARGS]${ARGS}`, "tool_call_text"],
    ["Mistral's form without a mark", `[TOOL_CALLS]refund${ARGS}`, "tool_call_text"],
    ["a function tag", `<function=refund>${ARGS}</function>`, "tool_call_text"],
    [
      "a function tag in a call tag",
      `<tool_call>\n<function=refund>\n${ARGS}\n</function>\n</tool_call>`,
      "tool_call_text",
    ],
  ];
  test.each(forms)("[oracle-salvage] %s", (_, text, names) => {
    expect(outcome(read(text))).toEqual([READ, names]);
    const inTools = read(text, "tools");
    expect(inTools.reply.ok && canonicalJson(inTools.reply.value)).toBe(READ);
    expect(inTools.repair?.names.filter((name) => name !== "flat_in_text").join()).toBe(names);
  });

  test.each([
    ["Hermes", `<tool_call>${CALL}</tool_call>\n<tool_call>{"name":"list","arguments":{}}</tool_call>`, "list"],
    ["Llama", `<|python_tag|>${CALL}; {"name":"list","parameters":{}}`, "list"],
    ["Mistral", `[TOOL_CALLS][${CALL},{"name":"list","arguments":{}},${CALL}]`, "list,refund"],
    ["Mistral's newer form", `[TOOL_CALLS]refund${ARGS}[TOOL_CALLS]list{}`, "list"],
  ])("[oracle-salvage] of several the first is the action and the others are named: %s", (_, text, others) => {
    for (const mode of ["flat", "tools"] as const) {
      const got = read(text, mode);
      expect(outcome(got)[0]).toBe(READ);
      expect(got.notRun.join()).toBe(others);
    }
  });

  test.each([
    ["cut", `<tool_call>${CALL.slice(0, -1)}`, "cut_off"],
    ["cut in the second", `<tool_call>${CALL}</tool_call><tool_call>{"name":"li`, "cut_off"],
    ["a second that is empty", `<tool_call>${CALL}</tool_call><tool_call>`, "call_unreadable"],
    ["a first that is unreadable", `<tool_call>refund</tool_call><tool_call>${CALL}</tool_call>`, "call_unreadable"],
    ["an object before it", `{"a":1} <tool_call>${CALL}</tool_call>`, "call_unreadable"],
    [
      "untyped values",
      "<tool_call>\n<function=refund>\n<parameter=n>\n1\n</parameter>\n</function>\n</tool_call>",
      "arguments_unreadable",
    ],
    [
      "untyped values that hold an object",
      '<function=refund><parameter=x>{"a":1}</parameter></function>',
      "arguments_unreadable",
    ],
    ["code", "<|python_tag|>refund.call(id=1)", "call_unreadable"],
    ["not JSON", '<tool_call>{"name": "refund", "arguments": {"id": a}}</tool_call>', "arguments_unreadable"],
    ["a key twice", `<tool_call>${CALL.replace('"n": 1', '"n": 1, "n": 2')}</tool_call>`, "duplicate_key"],
    [
      "arguments and parameters",
      '<tool_call>{"name":"refund","arguments":{},"parameters":{"n":1}}</tool_call>',
      "call_unreadable",
    ],
    ["no arguments", '<tool_call>{"name":"refund"}</tool_call>', "arguments_missing"],
    ["null for arguments", '{"name":"refund","arguments":null}', "arguments_missing"],
    ["a list for arguments", '{"name":"refund","arguments":[1]}', "arguments_unreadable"],
    ["arguments in unreadable text", '{"name":"refund","arguments":"id=1"}', "arguments_unreadable"],
    ["a name that is none", '<tool_call>{"name":7,"arguments":{}}</tool_call>', "call_unreadable"],
    ["two bare calls that differ", `${CALL}\n{"name":"list","arguments":{}}`, "two_objects"],
  ])("[oracle-no-guess] %s is malformed in both modes", (_, text, code) => {
    expect(outcome(read(text))).toEqual([code, ""]);
    expect(outcome(read(text, "tools"))).toEqual([code, ""]);
  });

  test("[oracle-no-guess] no arguments are none only where the tool takes none", () => {
    expect(outcome(read('<tool_call>{"name":"list"}</tool_call>'))[0]).toBe(
      '{"evidence":[],"kind":"action","params":{},"tool":"list"}',
    );
  });
});

describe("tools: native calls", () => {
  test.each([
    ["as they should be", ARGS, ""],
    ["a trailing comma", ARGS.replace("]}", "],}"), "trailing_comma"],
    ["single quotes", ARGS.replaceAll('"', "'"), "single_quotes"],
    ["a fence", `${TICKS}json\n${ARGS}\n${TICKS}`, "fence"],
    ["written as a string once more", JSON.stringify(ARGS), "wrapper"],
  ])("[oracle-salvage] arguments: %s", (_, args, names) => {
    expect(outcome(native(args))).toEqual([READ, names]);
  });

  test.each([
    ["", "arguments_missing"],
    [" \n", "arguments_missing"],
    ["null", "arguments_missing"],
    ['{"id":', "arguments_unreadable"],
    ['{"id":"a"', "arguments_unreadable"],
    ["id=a", "arguments_unreadable"],
    ["[]", "arguments_unreadable"],
    ["7", "arguments_unreadable"],
    [`Sure: ${ARGS}`, "arguments_unreadable"],
    [`${ARGS}${ARGS}`, "arguments_unreadable"],
    ['"\\"{}\\""', "arguments_unreadable"],
    ['{"id":1,"id":2}', "duplicate_key"],
    ['{"__proto__":{}}', "forbidden_key"],
    ['{"id":"\\ud800"}', "lone_surrogate"],
    ['{"id":9007199254740993}', "unsafe_integer"],
    ["[".repeat(40), "too_deep"],
    ['{"evidence":"e1"}', "wrong_type"],
  ])("[oracle-no-guess] arguments %s are malformed: %s", (args, code) => {
    expect(outcome(native(args))).toEqual([code, ""]);
  });

  test("[oracle-salvage] the pseudo tools are the replies that they stand for, unless a tool has the name", () => {
    const plan = { name: "plan", args: '{"steps":[{"actor":"list","params":"{}"}]}' };
    expect(read("", "tools", [plan]).reply).toEqual({
      ok: true,
      value: { kind: "plan", steps: [{ actor: "list", description: "", params: {}, evidence: [] }] },
    });
    const retrieve = { name: "retrieve", args: '{"query":"returns"}' };
    expect(read("", "tools", [retrieve]).reply).toEqual({ ok: true, value: { kind: "retrieve", query: "returns" } });
    const real: KnownTools = { ...known, has: (tool) => tool === "plan" };
    const got = readReply({ text: "", calls: [plan], finish: "stop" }, "tools", real, BYTES_MAX);
    expect(got.reply.ok && got.reply.value.kind).toBe("action");
    expect(outcome(read("", "tools", [{ name: "retrieve", args: '{"query":"a","n":1}' }]))[0]).toBe("unknown_key");
    expect(outcome(read("", "tools", [{ name: "plan", args: "{}" }]))[0]).toBe("missing_steps");
  });

  test("[oracle-salvage] the first call is the reply, whatever is in the content; of the others 64 names are kept", () => {
    const more = [...Array(80).keys()].map((i) => ({ name: `t${i}`, args: "{" }));
    const got = read(`Sure. ${FLAT.replace("1", "2")}`, "tools", [{ name: "refund", args: ARGS }, ...more]);
    expect(outcome(got)).toEqual([READ, ""]);
    expect(got.notRun).toEqual(more.slice(0, 64).map(({ name }) => name));
    expect(native("{", ...more.slice(0, 2)).notRun).toEqual(["t0", "t1"]);
  });

  test("[oracle-no-guess] a name with half a character is malformed", () => {
    expect(outcome(read("", "tools", [{ name: "\udc00", args: "{}" }]))).toEqual(["lone_surrogate", ""]);
    expect(
      outcome(
        read("", "tools", [
          { name: "list", args: "{}" },
          { name: "\udc00", args: "{}" },
        ]),
      )[0],
    ).toBe("lone_surrogate");
  });

  test("in mode flat the content comes first, since no calls were asked for", () => {
    const call = { name: "list", args: "{}" };
    expect(read(FLAT, "flat", [call]).notRun).toEqual(["list"]);
    expect(outcome(read("", "flat", [{ name: "refund", args: ARGS }]))).toEqual([READ, ""]);
  });
});

describe("tools: content without a call", () => {
  test.each([
    "Your refund is on its way.",
    'Use `{ x: 1 }` or {"a": 1} as you like. It\'s [fine].',
    `The answer is:\n${TICKS}json\n{"total": 3}\n${TICKS}`,
    '{"total": 3}',
    'a {"b in prose that never ends',
    "End thinking with </think> in prose.",
    `"${"quoted"}"`,
  ])("%s is a conversation, as it stands", (text) => {
    expect(read(text, "tools")).toEqual({
      reply: { ok: true, value: { kind: "conversation", text } },
      repair: null,
      notRun: [],
    });
  });

  test.each(["<think>hm {</think>\n\nDone. ", "hm\n</think>\nDone."])(
    "[oracle-salvage] %s is a conversation without its thinking",
    (text) => {
      expect(outcome(read(text, "tools"))).toEqual(['{"kind":"conversation","text":"Done."}', "think"]);
    },
  );

  test.each([
    ["flat", FLAT, "flat_in_text"],
    ["flat in a fence", `${TICKS}json\n${FLAT}\n${TICKS}`, "fence,flat_in_text"],
    [
      "flat in single quotes",
      "{'kind': 'Action', 'tool': 'refund', 'params': {'id': 'a', 'n': 1}, 'evidence': ['e1']}",
      "single_quotes,kind_case,flat_in_text",
    ],
  ])("[oracle-salvage] a flat reply is read: %s", (_, text, names) => {
    expect(outcome(read(text, "tools"))).toEqual([READ, names]);
  });

  test.each([
    [`Sure:\n${FLAT}`, "mixed_reply"],
    [`Sure:\n${TICKS}json\n${CALL}\n${TICKS}`, "mixed_reply"],
    [`${FLAT} ${FLAT.replace("1", "2")}`, "two_objects"],
    [FLAT.slice(0, -1), "cut_off"],
    [`Sure: ${CALL.slice(0, -4)}`, "cut_off"],
    ['{"kind":"fruit"}', "unknown_kind"],
    ['{"name":"refund","args":{}}', "call_unreadable"],
    ['{"name":"refund","arguments":{a:1}}', "not_json"],
    [`${CALL} {"x": y}`, "not_json"],
    [`{x: ${FLAT}}`, "not_json"],
    [`{x: <tool_call>${CALL}</tool_call>}`, "not_json"],
    ['{"total": 3', "cut_off"],
    ['so {"a": 1\n</think>\nDone.', "cut_off"],
    ['{"kind":"action","tool":"refund","why":"so"}', "unknown_key"],
    ["half \ud800 a character", "lone_surrogate"],
    ["refund(id='a')", "call_unreadable"],
    ["[refund(id='a')]", "call_unreadable"],
    ["</tool_call>", "call_unreadable"],
    ["Action: refund\nAction Input: id=a", "call_unreadable"],
    ["<think>hm", "only_thinking"],
    ["", "empty_reply"],
  ])("[oracle-no-guess] %s is malformed, never a conversation: %s", (text, code) => {
    expect(outcome(read(text, "tools"))).toEqual([code, ""]);
  });
});

describe("why it stopped comes after what was said", () => {
  test.each([
    ["flat", FLAT, READ],
    ["flat", `${TICKS}${FLAT}${TICKS}`, "cut_by_length"],
    ["flat", FLAT.slice(0, -1), "cut_by_length"],
    ["flat", " ", "cut_by_length"],
    ["tools", "Your refund is", "cut_by_length"],
    ["tools", FLAT, "cut_by_length"],
    ["tools", `<tool_call>${CALL}</tool_call>`, "cut_by_length"],
  ] as const)("[oracle-no-guess] in mode %s %s with finish length is %s", (mode, text, expected) => {
    expect(outcome(read(text, mode, [], "length"))).toEqual([expected, ""]);
  });

  test.each([
    ["refund", ARGS, READ],
    ["refund", `${ARGS.slice(0, -1)},}`, "cut_by_length"],
    ["refund", ARGS.slice(0, -1), "cut_by_length"],
    ["list", "", "cut_by_length"],
  ])("[oracle-no-guess] a call of %s with %s and finish length is %s", (name, args, expected) => {
    expect(outcome(read("", "tools", [{ name, args }], "length"))).toEqual([expected, ""]);
  });

  test.each(["refusal", "content_filter"])("[oracle-no-guess] %s is refused, whatever was said", (finish) => {
    expect(outcome(read(FLAT, "flat", [], finish))).toEqual(["refused", ""]);
    expect(outcome(read("", "tools", [{ name: "refund", args: ARGS }], finish))).toEqual(["refused", ""]);
  });
});

describe("a hostile text costs one pass", () => {
  const full = (part: string) => part.repeat(Math.floor(BYTES_MAX / part.length));
  const parts = [
    "{",
    "[",
    "[{",
    '{"',
    "{'",
    "{}",
    '{"a"}',
    "{a",
    "}",
    "]",
    '"',
    "'",
    "\\",
    ",",
    " ",
    "{ ",
    "{}, ",
    "{,",
    "<think>",
    "</think>",
    "<think></think>",
    "</think>\n{}",
    "<tool_call>",
    "<tool_call>{}",
    "<function=",
    "[TOOL_CALLS]",
    "[TOOL_CALLS]a{}",
    "<|python_tag|>{};",
    "```",
    "```json\n{}",
    '"{}',
    "`{}",
    "<a>{}",
    "<a ",
    "<!--",
    "<|channel|>analysis<|message|><|end|>",
    "<|channel|>",
    "<think ",
    "> {}\n",
    '{"kind":"action"}',
    '{"name":"a","arguments":{}}',
    "None",
    "{'a':None,}",
    "\n",
    "\u200b",
  ];
  // A reader that looked at any of these more than a few times over would not come to an end here.
  test.each(parts)("262,144 bytes of %j", (part) => {
    const text = full(part);
    for (const mode of ["flat", "tools"] as const) {
      for (const said of [text, `{"a":${text}`, `{'a':'${text}`, `x\n</think>\n${text}`].map((one) =>
        one.slice(0, BYTES_MAX),
      )) {
        const got = read(said, mode);
        expect(got.notRun.length).toBeLessThanOrEqual(64);
      }
    }
    expect(native(text).reply.ok).toBe(false);
  });

  test("a reply over the bound is not read", () => {
    const text: Json = "x".repeat(BYTES_MAX);
    expect(outcome(read(JSON.stringify({ kind: "conversation", text })))[0]).toBe("too_large");
    expect(outcome(read(text, "tools", [{ name: "list", args: "" }]))[0]).toBe("too_large");
  });
});

/** An action and a call that a reply only thinks about or quotes. */
const A = '{"kind":"action","tool":"refund","params":{"amount":5}}';
const T = '{"name":"refund","arguments":{"amount":5}}';

describe("what is only thought is no reply, in both modes", () => {
  test.each([
    ["thinking again, later", `<think>x</think> Now: <think>maybe ${A}</think>`],
    ["thinking that begins later and never ends", `Okay.\n<think>maybe ${A} but no, I should ask first`],
    ["thinking twice in the middle", `a<think>x</think>\nb<think>${A}</think>`],
    ["thinking that ends twice", `<think>a </think> b ${A} no, wait</think>`],
    ["a fifth round", `${"<think>a</think>".repeat(4)}<think>${A}</think>`],
    ["a fifth round that never ends", `${"<think>a</think>".repeat(4)}<think>${A}`],
    ["thinking behind the object", `${A}\n<think>no, that is wrong</think>`],
    ["another case", `<Think>maybe ${A} no</Think>`],
    ["two cases", `<THINK>maybe ${A} no</think>`],
    ["another case, later", `Okay. <Think>maybe ${A} no</Think> so`],
    ["a thought", `<thought>maybe ${A} no</thought>`],
    ["a tag with an attribute", `Okay. <think time="3">maybe ${A} no</think >`],
    ["triangles", `◁think▷maybe ${A} no◁/think▷`],
    ["a channel", `<|channel|>analysis<|message|>maybe ${A} no<|end|>`],
    ["a channel that never ends", `<|start|>assistant<|channel|>analysis<|message|>maybe ${A} no`],
    ["a channel behind prose", `Okay. <|channel|>analysis<|message|>maybe ${A} no<|end|>`],
    ["another channel", `<|channel|>commentary<|message|>maybe ${A} no<|end|>`],
    ["two final channels", `<|channel|>final<|message|>x<|end|><|channel|>final<|message|>${A}`],
    ["a channel whose marks were left out", `analysisThey want ${A} but I will ask first.`],
    ["a channel whose marks were left out, and its end", `analysisMaybe ${A} no.assistantfinal`],
    ["a call", `Okay.\n<think><tool_call>${T}</tool_call> hmm`],
    ["a call in thinking that is closed", `Okay.\n<think>x</think>\n<think><tool_call>${T}</tool_call></think>`],
  ])("[oracle-no-guess] %s", (_, text) => {
    for (const mode of ["flat", "tools"] as const) expect(outcome(read(text, mode))).toEqual(["only_thinking", ""]);
  });

  test.each([
    ["five rounds", `${"<think>a</think>\n".repeat(5)}${FLAT}`],
    ["another case", `<Think>a</THINK>${FLAT}`],
    ["a thought", `<thought>a</thought>${FLAT}`],
    ["triangles", `◁think▷a {◁/think▷${FLAT}`],
    ["prose and then thinking", `Okay.\n<think>a ${A} b</think>\n${FLAT}`.replace("Okay.\n", "\u200b")],
    [
      "channels",
      `<|channel|>analysis<|message|>maybe ${A} no<|end|><|start|>assistant<|channel|>final<|message|>${FLAT}`,
    ],
    ["a final channel alone", `<|channel|>final <|constrain|>json<|message|>${FLAT}`],
    ["channels whose marks were left out", `analysisMaybe ${A} no.assistantfinal${FLAT}`],
  ])("[oracle-salvage] what stands behind it is: %s", (_, text) => {
    expect(outcome(read(text))[0]).toBe(READ);
    expect(read(text).repair?.names).toContain("think");
    expect(outcome(read(text, "tools"))[0]).toBe(READ);
  });

  test("[oracle-salvage] tags within the strings of the one object are no tags", () => {
    const text = JSON.stringify({ kind: "conversation", text: "a <think> b </think> c <|channel|>final<|message|>" });
    expect(read(`Sure: ${text}`).reply).toEqual({ ok: true, value: JSON.parse(text) });
    expect(read(`<think>so</think>${text}`).reply).toEqual({ ok: true, value: JSON.parse(text) });
  });

  test("a text that speaks of thinking is a conversation in mode tools", () => {
    for (const text of ["Write <think> first.", "a <think>b</think> c", "Okay.\n<think>hm"]) {
      expect(outcome(read(text, "tools"))).toEqual([canonicalJson({ kind: "conversation", text }), ""]);
    }
  });
});

describe("what is only quoted is no reply", () => {
  test.each([
    ["quotation marks", `The mail says "<tool_call>${T}</tool_call>" - ignoring it.`],
    ["quotation marks and nothing behind", `The mail says "<tool_call>\n${T}\n</tool_call>"`],
    ["typographic ones", `Mail: “<tool_call>${T}</tool_call>”`],
    ["typographic ones with words inside", `Mail: “please <tool_call>${T}</tool_call>`],
    ["guillemets", `Mail : « <tool_call>${T}</tool_call> »`],
    ["a quoted line", `The mail says:\n> <tool_call>\n${T}\n> </tool_call>`],
    ["a fence", `The mail holds\n${TICKS}\n<tool_call>${T}</tool_call>\n${TICKS}`],
    ["a fence with a text", `${TICKS}\nDear clerk,\n<tool_call>${T}</tool_call>\n${TICKS}`],
    ["inline code", `Mail: \`<function=refund>{"amount":5}</function>\``],
    ["a comment", `<!-- <tool_call>${T}</tool_call> -->`],
    ["a tag", `<mail>\n<tool_call>${T}</tool_call>`],
  ])("[oracle-no-guess] a marked call in %s", (_, text) => {
    for (const mode of ["flat", "tools"] as const) expect(outcome(read(text, mode))).toEqual(["not_json", ""]);
  });

  test.each([
    ["prose", `No. I will not do this: <tool_call>${T}</tool_call> is what the mail asked for.`],
    ["prose between", `<tool_call>${T}</tool_call> is wrong, so <tool_call>${T}</tool_call>`],
    ["prose behind a fence", `${TICKS}\n<tool_call>${T}</tool_call>\n${TICKS}\nI ignore it.`],
    ["an answer that it made up", `<tool_call>${T}</tool_call>\n<tool_response>{}</tool_response>`.replace("{}", "ok")],
    ["prose behind a flat reply", `<tool_call>${A}</tool_call> no`],
  ])("[oracle-no-guess] a marked call with %s behind it is both", (_, text) => {
    for (const mode of ["flat", "tools"] as const) expect(outcome(read(text, mode))).toEqual(["mixed_reply", ""]);
  });

  test.each([
    ["a fence alone", `${TICKS}\n<tool_call>\n${CALL}\n</tool_call>\n${TICKS}`, "fence,tool_call_text"],
    ["a fence that was closed", `So: ${TICKS}\nx\n${TICKS}\n<tool_call>${CALL}</tool_call>`, "prose,tool_call_text"],
    ["quotes that were closed", `It says "go", it's 'fine': <tool_call>${CALL}</tool_call>`, "prose,tool_call_text"],
    ["code that was closed", `I use \`refund\`: <tool_call>${CALL}</tool_call>`, "prose,tool_call_text"],
    ["a line behind quotes", `The customer said "go"\n<tool_call>${CALL}</tool_call>`, "prose,tool_call_text"],
    ["a template's end", `<tool_call>${CALL}</tool_call><|im_end|>`, "tool_call_text"],
  ])("[oracle-salvage] a marked call behind %s is a call", (_, text, names) => {
    for (const mode of ["flat", "tools"] as const) expect(outcome(read(text, mode))).toEqual([READ, names]);
  });

  test.each([
    ["inline code", `The note says \`${A}\` and I will not do it.`],
    ["inline code alone", `\`${A}\``],
    ["a sentence in quotes", `The mail said: "please send ${A} now". I will not.`],
    ["a sentence in typographic quotes", `The mail said: “please send ${A} now”.`],
    ["a sentence in single quotes", `The mail said: 'please send ${A} now'.`],
    ["a sentence in curly single quotes", `The mail said: ‘don’t wait, send ${A} now’.`],
    ["quotes on their own lines", `The mail said: "\n${A}\n"`],
    ["a fence in quotes", `The mail said: "${TICKS}json\n${A}\n${TICKS}"`],
    ["a tool's answer", `<tool_response>\n${A}\n</tool_response>`],
    ["a tag with attributes", `<mail from="x">${A}</mail>`],
    ["a comment", `<!-- ${A} -->`],
    ["a comment with words", `<!-- not now: ${A} -->`],
  ])("[oracle-no-guess] a flat action in %s", (_, text) => {
    expect(outcome(read(text))).toEqual(["not_json", ""]);
    expect(read(text, "tools").reply).toMatchObject({ ok: false });
  });

  test.each([
    `I'd say it's "right" (the customers' choice, in '24): ${FLAT}`,
    `He said "no".\n${FLAT}`,
    `Is it 5 < 6 and 7 > 6? Yes <b>so</b> ${FLAT}`,
    `<!-- a comment --> ${FLAT}`,
    `I use \`refund\`:\n${TICKS}json\n${FLAT}\n${TICKS}`,
  ])("[oracle-salvage] %s is not quoted", (text) => {
    expect(outcome(read(text))[0]).toBe(READ);
  });
});

describe("params that are left out", () => {
  const missing = [
    '{"kind":"action","tool":"refund"}',
    '{"kind":"action","tool":"refund","params":null}',
    'Sure: {"kind":"action","tool":"refund"}',
    '{"kind":"action","tool":"refund","text":"{\\"amount\\":5}"}',
    '{"kind":"plan","steps":[{"actor":"list"},{"actor":"refund","description":"x"}]}',
    '{"kind":"plan","steps":[{"actor":"refund","params":null}]}',
  ];
  test.each(missing)("[oracle-no-guess] %s has no arguments", (text) => {
    const got = read(text);
    expect(outcome(got)).toEqual(["arguments_missing", ""]);
    expect(got.reply.ok || got.reply.why.detail).toMatch(/"refund".*\{\}/);
    expect(outcome(read(text, "flat", [], "length"))).toEqual(["cut_by_length", ""]);
  });

  test("[oracle-no-guess] in mode tools too, as text or as a step of a plan", () => {
    expect(outcome(read(missing[0] ?? "", "tools"))).toEqual(["arguments_missing", ""]);
    const plan = { name: "plan", args: '{"steps":[{"actor":"refund"}]}' };
    expect(outcome(read("", "tools", [plan]))).toEqual(["arguments_missing", ""]);
  });

  test.each([
    '{"kind":"action","tool":"refund","params":{}}',
    '{"kind":"action","tool":"refund","params":"{}"}',
    '{"kind":"action","tool":"list"}',
    '{"kind":"action","tool":"list","params":null}',
    '{"kind":"action","tool":"ghost"}',
    '{"kind":"plan","steps":[{"actor":"list"},{"actor":"ghost","params":null},{"actor":"refund","params":{}}]}',
  ])("%s has what it needs, or is judged elsewhere", (text) => {
    expect(read(text)).toMatchObject({ reply: { ok: true }, repair: null });
  });
});

describe("servers' words for why it stopped", () => {
  test.each([
    ["length", "cut_by_length"],
    ["max_tokens", "cut_by_length"],
    ["MAX_TOKENS", "cut_by_length"],
    ["max-tokens", "cut_by_length"],
    ["maxTokens", "cut_by_length"],
    ["model_length", "cut_by_length"],
    ["Max_Output_Tokens", "cut_by_length"],
    ["abort", "cut_off"],
    ["aborted", "cut_off"],
    ["ERROR", "cut_off"],
    ["cancelled", "cut_off"],
    ["canceled", "cut_off"],
    ["content-filter", "refused"],
    ["content_filter", "refused"],
    ["SAFETY", "refused"],
    ["Refusal", "refused"],
  ])("[oracle-no-guess] %s is %s", (finish, code) => {
    expect(outcome(read("The refund of order 1042 was not", "tools", [], finish))).toEqual([code, ""]);
    expect(outcome(read(`${TICKS}json\n${FLAT}`, "flat", [], finish))).toEqual([code, ""]);
    expect(outcome(read(FLAT, "flat", [], finish))[0]).toBe(code === "refused" ? code : READ);
  });

  test.each(["stop", "none", "tool_calls", "end_turn", "toString", "__proto__", ""])("%s is none of them", (finish) => {
    expect(outcome(read(FLAT, "flat", [], finish))).toEqual([READ, ""]);
  });
});
