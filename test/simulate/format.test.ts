import { readdirSync, readFileSync } from "node:fs";
import { type Json, parseScenario, readScenario } from "signalbox";
import { describe, expect, test } from "vitest";
import { fits } from "./schema-checker.ts";

const SCHEMA = JSON.parse(readFileSync(new URL("../../docs/scenario.schema.json", import.meta.url), "utf8"));
const EXAMPLES = new URL("../../examples/refund-desk/scenarios/", import.meta.url);

type Document = { readonly [key: string]: Json };

/** A document with every field that the format has. */
const FULL: Document = {
  $schema: "x",
  schema: "signalbox.scenario/1",
  name: "n",
  description: "d",
  principal: { id: "agent:desk", tools: ["pay"], attributes: { ceiling: 1 } },
  customer: "customer:ada",
  now: "2026-11-30T10:00:00+01:00",
  zone: "Europe/Zurich",
  requests: ["one", "two"],
  results: [{ tool: "mail", params: {}, result: [{ from: "x" }], untrusted: ["[].from"] }],
  records: [{ tool: "pay", params: { account: "ada" }, record: null }],
  caps: [{ cap: "paid", key: "ada", used: 0 }],
  steps: [
    { request: "three" },
    { now: 1_780_000_000_000 },
    { record: { tool: "pay", record: {} } },
    { result: { tool: "pay", result: 1, outcome: "failed", untrusted: "all" } },
    {
      proposal: {
        tool: "pay",
        params: [],
        evidence: ["a"],
        expect: { outcome: "deny", code: "c", rule: "r", role: "s" },
      },
    },
  ],
};

const STEP = { proposal: { tool: "pay", params: {} } };
const LEAST: Document = {
  schema: "signalbox.scenario/1",
  principal: "operator",
  now: 0,
  requests: ["pay"],
  steps: [STEP],
};

function without(document: Document, key: string): Document {
  return Object.fromEntries(Object.entries(document).filter(([name]) => name !== key));
}

function outcome(of: string): Document {
  return { ...LEAST, steps: [{ proposal: { tool: "pay", params: {}, expect: { outcome: of } } }] };
}

/** What is refused, and what is said of it. */
const REFUSED: readonly (readonly [string, Json, string])[] = [
  ["a list", [], "the document: must be an object"],
  ["another version", { ...LEAST, schema: "signalbox.scenario/2" }, 'schema: must be "signalbox.scenario/1"'],
  ["a version in another case", { ...LEAST, schema: "Signalbox.scenario/1" }, "in this case and without spaces"],
  ["an outcome with a space", outcome("deny "), 'outcome: must be "deny" as it stands here'],
  ["an outcome that is nearly one", outcome("stages"), 'did you mean "stage"?'],
  ["a time beyond all calendars", { ...LEAST, now: Number.MAX_SAFE_INTEGER }, "now: must be a whole number from 0 to"],
  ["no version", without(LEAST, "schema"), "schema: is missing"],
  ["no principal", without(LEAST, "principal"), "principal: is missing"],
  ["no time", without(LEAST, "now"), "now: is missing"],
  ["no request", { ...LEAST, requests: [] }, "requests: must have 1 to"],
  ["no step", { ...LEAST, steps: [] }, "steps: must have 1 to"],
  ["an unknown key", { ...LEAST, step: [] }, 'the document: unknown key "step"; did you mean "steps"?'],
  [
    "an unknown key of a proposal",
    { ...LEAST, steps: [{ proposal: { tool: "pay", param: {} } }] },
    'steps[0].proposal: unknown key "param"; did you mean "params"?',
  ],
  ["an unknown step", { ...LEAST, steps: [{ propose: {} }] }, 'steps[0]: unknown key "propose"'],
  ["a step of two kinds", { ...LEAST, steps: [{ ...STEP, now: 1 }] }, "steps[0]: must have exactly one of the keys"],
  ["a step of no kind", { ...LEAST, steps: [{}] }, "steps[0]: must have exactly one of the keys"],
  ["a time without a zone", { ...LEAST, now: "2026-11-30T10:00:00" }, "now: must be an instant"],
  ["a negative time", { ...LEAST, now: -1 }, "now: must be a whole number"],
  ["a fraction of a unit", { ...LEAST, caps: [{ cap: "paid", used: 1.5 }] }, "caps[0].used: must be a whole number"],
  ["an id with a space", { ...LEAST, customer: "ada b" }, "customer: must be an id"],
  ["a principal that is a number", { ...LEAST, principal: 1 }, "principal: must be a text or an object"],
  ["tools that are a word", { ...LEAST, principal: { id: "a", tools: "al" } }, 'must be "all"'],
  [
    "an expectation without outcome",
    { ...LEAST, steps: [{ proposal: { tool: "pay", params: {}, expect: {} } }] },
    "steps[0].proposal.expect.outcome: is missing",
  ],
  [
    "an outcome that is none",
    { ...LEAST, steps: [{ proposal: { tool: "pay", params: {}, expect: { outcome: "permit" } } }] },
    "steps[0].proposal.expect.outcome: must be one of",
  ],
  ["a result without its value", { ...LEAST, results: [{ tool: "mail" }] }, "results[0].result: is missing"],
  ["an empty text", { ...LEAST, requests: [""] }, "requests[0]: must have 1 to"],
];

describe("the format of scenarios", () => {
  test.each(REFUSED)("[simulate-format] refused by the reader and by the schema: %s", (_, document, said) => {
    const read = readScenario(document);
    expect(read.ok ? "accepted" : read.why.detail).toContain(said);
    expect(fits(SCHEMA, document)).toBe(false);
  });

  test("[simulate-format] the full, the least and every example are accepted by the reader and by the schema", () => {
    const examples = readdirSync(EXAMPLES).map((name) => JSON.parse(readFileSync(new URL(name, EXAMPLES), "utf8")));
    expect(examples.length).toBeGreaterThan(1);
    for (const document of [FULL, LEAST, ...examples]) {
      const read = readScenario(document);
      expect(read.ok ? "accepted" : read.why.detail).toBe("accepted");
      expect(fits(SCHEMA, document)).toBe(true);
    }
  });

  test("[simulate-format] each key of the full document may not be written otherwise, at any depth", () => {
    let changed = 0;
    for (const document of misspelt(FULL)) {
      changed += 1;
      expect(readScenario(document).ok).toBe(false);
      expect(fits(SCHEMA, document)).toBe(false);
    }
    // Every key of FULL outside of what is anybody's JSON.
    expect(changed).toBe(45);
  });

  test("what is no JSON is refused with its line and column", () => {
    const parsed = parseScenario('{\n  "schema": "signalbox.scenario/1",\n  "schema": "x"\n}');
    expect(parsed).toEqual({
      ok: false,
      why: { code: "duplicate_key", detail: 'line 3, column 3: the key "schema" is there twice' },
    });
  });

  test("a zone or an instant that no calendar has is refused by the reader", () => {
    for (const [document, said] of [
      [{ ...LEAST, zone: "Europe/Nowhere" }, "zone: is not an IANA time zone"],
      [{ ...LEAST, now: "2026-13-41T10:00:00Z" }, "now: is no instant of the calendar"],
      [{ ...LEAST, now: "2026-02-30T10:00:00Z" }, "now: is no instant of the calendar"],
      [{ ...LEAST, now: "2026-02-28T25:00:00Z" }, "now: is no instant of the calendar"],
      [{ ...LEAST, now: "1969-12-31T10:00:00Z" }, "now: is no instant of the calendar"],
    ] as const) {
      const read = readScenario(document);
      expect(read.ok ? "accepted" : read.why.detail).toContain(said);
    }
  });

  test("every fault is told, and of very many the first twenty", () => {
    const read = readScenario({ ...LEAST, requests: Array.from({ length: 25 }, () => 1) });
    const lines = read.ok ? [] : read.why.detail.split("\n");
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe("and 5 more");
  });

  test("a text has as many characters as the schema counts", () => {
    const name = "😀".repeat(256);
    expect(readScenario({ ...LEAST, name }).ok).toBe(true);
    expect(readScenario({ ...LEAST, name: `${name}x` }).ok).toBe(false);
  });
});

/** Keys whose value is anybody's JSON. */
const FREE: readonly string[] = ["params", "result", "record", "attributes"];

/** The document with one key written otherwise, for each of its keys. */
function* misspelt(value: Json): Generator<Json> {
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      for (const other of misspelt(item)) yield value.map((same, j) => (i === j ? other : same));
    }
  } else if (typeof value === "object" && value !== null) {
    const object = value as Document;
    for (const [name, inner] of Object.entries(object)) {
      yield Object.fromEntries(Object.entries(object).map(([k, v]) => [k === name ? `${k}X` : k, v]));
      const isFree = FREE.includes(name) && !isStep(object, name);
      if (!isFree) for (const other of misspelt(inner)) yield { ...object, [name]: other };
    }
  }
}

/** `{ result: … }` and `{ record: … }` are steps where they stand alone. */
function isStep(object: Document, name: string): boolean {
  return Object.keys(object).length === 1 && ["result", "record"].includes(name);
}
