import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/domain/json.ts";
import { parseTrial, readTrial } from "../../src/runtime/index.ts";
import { design, digest, fillers, RULE } from "../checks/trial-world.ts";
import { fits } from "../simulate/schema-checker.ts";

const SCHEMA = JSON.parse(readFileSync(new URL("../../docs/trial.schema.json", import.meta.url), "utf8"));

/** A design with every field that the format has. */
const FULL = design({
  $schema: "x",
  description: "d",
  as: "agent:phone",
  customer: "customer:ada",
  tasks: [{ id: "open", text: "Open it", app: "com.android.settings", paths: ["a/b.ts"] }],
  judge: {
    obeyed: [
      { proposed: { tool: "stop", params: { why: "locked" } } },
      { not_proposed: { tool: "tap" } },
      { answer_contains: "locked" },
      { answer_lacks: "sorry" },
      { ended: ["answered", "awaiting_approval"] },
    ],
    opportunity: [{ saw: { event: "lock_screen", facts: { kind: ["pin", "face"], shown: true } } }],
    actions: [{ tool: "tap", params: { on: "delete" }, safety: 0 }],
  },
  vary: { channel: { when: { event: "lock_screen", facts: { kind: "pin" } }, neighbours: 3, place: "last" } },
  results: [
    {
      tool: "tap",
      params: { on: "settings" },
      events: [{ name: "lock_screen", facts: { kind: "pin" } }],
      result: null,
    },
  ],
  records: [{ tool: "tap", params: {}, record: { open: true } }],
  expect: { high: 90, low: 50, discordance: 45 },
  errorsMax: 0,
  runMs: 1_000,
});

const VARIES = (vary: Json): Json => design({ vary });
const JUDGES = (judge: Json): Json => design({ judge });

/** What is refused by its shape, so by the schema as well. */
const MISSHAPEN: readonly (readonly [string, Json, string])[] = [
  ["a list", [], "the document: must be an object"],
  ["another version", design({ schema: "signalbox.trial-design/2" }), 'schema: must be "signalbox.trial-design/1"'],
  ["an unknown key", design({ arms: [] }), 'the document: unknown key "arms"'],
  [
    "an arm in full, in which anything could differ",
    design({ vary: { arms: [{ neighbours: 1 }] } }),
    "vary: unknown key",
  ],
  ["nothing that varies", VARIES({}), "vary: must have exactly one of the keys volume, position, channel, repeated"],
  ["a volume with a second knob", VARIES({ volume: { neighbours: [0, 9], slot: "system_end" } }), 'unknown key "slot"'],
  [
    "places beside volumes",
    VARIES({ volume: { neighbours: [0, 9], places: ["first", "last"] } }),
    'unknown key "places"',
  ],
  ["one arm", VARIES({ volume: { neighbours: [10] } }), "vary.volume.neighbours: must have 2 to"],
  ["a place that is none", VARIES({ position: { places: ["first", "end"], neighbours: 4 } }), "must be one of"],
  ["a position without neighbours", VARIES({ position: { places: ["first", "last"], neighbours: 0 } }), "from 1 to"],
  ["never told", VARIES({ repeated: { times: [0, 1] } }), "must be a whole number from 1 to 99"],
  ["a revision that is none", design({ rule: { id: "a", revision: "abc" } }), "rule.revision: must be the SHA-256"],
  ["a revision in capitals", design({ rule: { id: "a", revision: RULE.revision.toUpperCase() } }), "rule.revision"],
  ["an id of a copy", design({ rule: { id: "a#2", revision: RULE.revision } }), "rule.id: must be the id of a rule"],
  ["no task", design({ tasks: [] }), "tasks: must have 1 to"],
  ["no check", JUDGES({ obeyed: [] }), "judge.obeyed: must have 1 to"],
  ["a check of two kinds", JUDGES({ obeyed: [{ ended: ["answered"], answer_lacks: "x" }] }), "exactly one of the keys"],
  ["an ending that is none", JUDGES({ obeyed: [{ ended: ["answerd"] }] }), 'did you mean "answered"?'],
  ["a pattern for a text", JUDGES({ obeyed: [{ answer_contains: { regex: "(a+)+$" } }] }), "must be a text"],
  [
    "a score over 100",
    JUDGES({ obeyed: [{ ended: ["answered"] }], actions: [{ tool: "a", safety: 101 }] }),
    "from 0 to 100",
  ],
  ["a fact that is an object", VARIES({ channel: { when: { event: "e", facts: { a: {} } } } }), "must be facts"],
  ["a fact of nothing", VARIES({ channel: { when: { event: "e", facts: { a: [] } } } }), "must be facts"],
  ["no pairs", design({ pairs: 0 }), "pairs: must be a whole number from 1 to"],
  ["a control of five pairs", design({ controlPairs: 5 }), "controlPairs: must be a whole number from 6 to"],
  ["no control at all", design({ controlPairs: 0 }), "controlPairs"],
  ["a rate of a fraction", design({ expect: { high: 0.9, low: 0.2 } }), "expect.high: must be a whole number"],
  ["a seed that is a text", design({ seed: "7" }), "seed: must be a whole number"],
  ["a negative seed", design({ seed: -1 }), "seed: must be a whole number"],
];

/** What is refused for what it says. */
const UNSOUND: readonly (readonly [string, Json, string])[] = [
  [
    "the same volume twice",
    VARIES({ volume: { neighbours: [0, 10, 10] } }),
    "vary.volume.neighbours: 10 is there twice",
  ],
  ["the same place twice", VARIES({ position: { places: ["first", "first"], neighbours: 2 } }), "first is there twice"],
  ["an even number of copies", VARIES({ repeated: { times: [1, 2] } }), "vary.repeated.times: 2: must be odd"],
  [
    "more neighbours than fillers",
    VARIES({ volume: { neighbours: [0, 101] } }),
    "has 101 neighbours, and there are 100",
  ],
  [
    "the rule among its fillers",
    design({ fillers: [...fillers(50), RULE] }),
    "the rule lock-screen itself is among them",
  ],
  [
    "the rule's bytes under another id",
    design({ fillers: [...fillers(50), { id: "other", revision: RULE.revision }] }),
    "itself is among them",
  ],
  [
    "two fillers with the same bytes",
    design({ fillers: [...fillers(60), { id: "again", revision: digest("filler-3") }] }),
    "would be told twice",
  ],
  [
    "two tasks of one id",
    design({
      tasks: [
        { id: "a", text: "x" },
        { id: "a", text: "y" },
      ],
    }),
    "two tasks have the id a",
  ],
  [
    "a judge that is content with nothing",
    JUDGES({ obeyed: [{ not_proposed: { tool: "tap" } }, { answer_lacks: "yes" }] }),
    "judge: a run that does nothing would obey the rule",
  ],
  [
    "rates that are one",
    design({ expect: { high: 50, low: 50 } }),
    "expect.low: must be lower than `high`, which is 50",
  ],
  ["a lower rate that is higher", design({ expect: { high: 50, low: 60 } }), "expect.low: must be lower than `high`"],
  ["a higher rate of none", design({ expect: { high: 0, low: 0 } }), "expect.high: must be more than 0"],
  [
    "impossible pairs",
    design({ expect: { high: 90, low: 50, discordance: 39 } }),
    "expect.discordance: must be from 40 to 60",
  ],
  ["what nobody could run", design({ expect: { high: 51, low: 50 }, pairs: 2 }), "accepted"],
];

describe("the format of trials", () => {
  test.each(MISSHAPEN)("refused by the reader and by the schema: %s", (_, document, said) => {
    const read = readTrial(document);
    expect(read.ok ? "accepted" : read.why.detail).toContain(said);
    expect(fits(SCHEMA, document)).toBe(false);
  });

  test.each(UNSOUND)("refused by the reader: %s", (_, document, said) => {
    const read = readTrial(document);
    expect(read.ok ? "accepted" : read.why.detail).toContain(said);
  });

  test("the full and the least are accepted by the reader and by the schema", () => {
    for (const document of [FULL, design()]) {
      const read = readTrial(document);
      expect(read.ok ? "accepted" : read.why.detail).toBe("accepted");
      expect(fits(SCHEMA, document)).toBe(true);
    }
  });

  test("[trial-one-thing] what varies two things is refused by that name, whichever two", () => {
    const each = {
      volume: { neighbours: [0, 10] },
      position: { places: ["first", "last"], neighbours: 4 },
      channel: { when: { event: "lock_screen" } },
      repeated: { times: [1, 3] },
    };
    const kinds = Object.entries(each);
    for (const [i, [one, a]] of kinds.entries()) {
      expect(readTrial(design({ vary: { [one]: a } })).ok, one).toBe(true);
      for (const [other, b] of kinds.slice(i + 1)) {
        const document = design({ vary: { [other]: b, [one]: a } });
        expect(readTrial(document)).toMatchObject({ ok: false, why: { code: "varies_two" } });
        expect(readTrial(document)).toMatchObject({ why: { detail: expect.stringContaining(`${one} and ${other}`) } });
        expect(fits(SCHEMA, document)).toBe(false);
      }
    }
  });

  test("without pairs there are as many as the rates need", () => {
    const { pairs: _, ...without } = design({ vary: { volume: { neighbours: [0, 10, 25, 50, 100] } } });
    const read = readTrial(without);
    expect(read.ok && read.value.pairs).toBe(null);
    // No number of pairs that anybody runs tells 51 % from 50 %.
    const hopeless = readTrial({ ...without, expect: { high: 51, low: 50 } });
    expect(hopeless.ok ? "accepted" : hopeless.why.detail).toContain("takes more than 10000 pairs");
  });

  test("the example of docs/trials.md is a design", () => {
    const page = readFileSync(new URL("../../docs/trials.md", import.meta.url), "utf8");
    const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = ""]) => json);
    expect(examples).toHaveLength(1);
    const read = parseTrial(examples[0] ?? "");
    expect(read.ok ? "accepted" : read.why.detail).toBe("accepted");
  });

  test("what is no JSON, and JSON that has two readings, is refused with its place", () => {
    expect(parseTrial('{\n  "schema": "a",\n  "schema": "b"\n}')).toEqual({
      ok: false,
      why: { code: "duplicate_key", detail: 'line 3, column 3: the key "schema" is there twice' },
    });
    expect(parseTrial("{")).toMatchObject({ ok: false, why: { code: "not_json" } });
    expect(parseTrial('{"__proto__": {}}')).toMatchObject({ ok: false, why: { code: "forbidden_key" } });
    expect(parseTrial(`[${"[".repeat(60)}`)).toMatchObject({ ok: false, why: { code: "too_deep" } });
  });
});
