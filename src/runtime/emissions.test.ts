import { describe, expect, test } from "vitest";
import { EVENT_BYTES_MAX, type GuideEvent } from "../domain/guide-event.ts";
import { JSON_LIMITS } from "../domain/json-limits.ts";
import { frozenJson } from "../domain/plain.ts";
import { Emissions, EVENTS_MAX } from "./emissions.ts";

/** What is recorded where a tool says this, one after the other. */
function recorded(...said: readonly unknown[]): readonly GuideEvent[] {
  const emissions = new Emissions({ values: ["sk-canary-0123456789"], fields: ["pin"] });
  for (const one of said) emissions.emit(one);
  return emissions.taken();
}

const whyOf = (events: readonly GuideEvent[]): readonly unknown[] =>
  events.filter(({ name }) => name === "bad_event").map(({ facts }) => facts.why);

test("what is well said is recorded as it is, up to its bytes", () => {
  const event = { name: "screen", facts: { screen: "lock", n: 1.5, on: false, none: null, inner: { a: [1] } } };
  expect(recorded(event)).toEqual([event]);
  expect(recorded({ name: "tick" }, { name: "tick", facts: undefined })).toEqual([
    { name: "tick", facts: {} },
    { name: "tick", facts: {} },
  ]);
  const wide = (bytes: number) => ({ name: "x", facts: { a: "a".repeat(bytes - 29) } });
  expect(JSON.stringify(wide(EVENT_BYTES_MAX))).toHaveLength(EVENT_BYTES_MAX);
  expect(recorded(wide(EVENT_BYTES_MAX))).toHaveLength(1);
  expect(whyOf(recorded(wide(EVENT_BYTES_MAX + 1)))).toEqual([
    'of the event "x" was not kept: its fact "a" (too large)',
  ]);
});

describe("of what is badly said the sound part is kept, and the rest is named", () => {
  class Screen {
    readonly name = "screen";
    readonly facts = { screen: "lock" };
  }
  const cases: readonly (readonly [string, unknown, GuideEvent | null, string | null])[] = [
    [
      "facts that are no JSON",
      { name: "a", facts: { ok: "yes", n: Number.NaN, big: 2 ** 60, date: new Date(0), f: () => 1, s: "\ud83d" } },
      { name: "a", facts: { ok: "yes" } },
      'of the event "a" was not kept: its fact "n" (no finite number); its fact "big" (a whole number too large to be exact); its fact "date" (not a text, a number, true or false); its fact "f" (not a text, a number, true or false); and 1 more',
    ],
    [
      "a key that is a prototype's",
      { name: "a", facts: JSON.parse('{"__proto__": 1, "b": true}') },
      { name: "a", facts: { b: true } },
      'of the event "a" was not kept: its fact "__proto__" (a name that JavaScript keeps for itself)',
    ],
    [
      "another key",
      { name: "a", facts: { b: 1 }, at: 5 },
      { name: "a", facts: { b: 1 } },
      'of the event "a" was not kept: "at", which is no part of an event',
    ],
    ["an instance of a class", new Screen(), { name: "screen", facts: { screen: "lock" } }, null],
    [
      "a name that is none",
      { name: "Screen", facts: { screen: "lock" } },
      { name: "bad_event", facts: { screen: "lock" } },
      "of the event was not kept: its name (has to be 1 to 64 of a-z, 0-9, `_`, `.` and `-`, beginning with a letter)",
    ],
    [
      "facts that are none",
      { name: "a", facts: ["lock"] },
      { name: "a", facts: {} },
      'of the event "a" was not kept: its facts (have to be an object, without getters)',
    ],
    [
      "a getter, which is not called",
      {
        name: "a",
        facts: {
          b: 1,
          get c(): never {
            throw new Error("called");
          },
        },
      },
      { name: "a", facts: { b: 1 } },
      'of the event "a" was not kept: its fact "c" (a getter, which is not called)',
    ],
    ["nothing", null, null, "an event is {name, facts}"],
    [
      "what throws",
      new Proxy(
        {},
        {
          getOwnPropertyDescriptor() {
            throw new Error("no");
          },
        },
      ),
      null,
      "an event that throws where it is read",
    ],
  ];
  test.each(cases)("%s", (_, said, event, why) => {
    const events = recorded(said);
    const expected = [
      ...(event === null ? [] : [event]),
      ...(why === null ? [] : [{ name: "bad_event", facts: { why } }]),
    ];
    expect(events).toEqual(expected);
  });

  test("the shortest facts first, whatever their order, up to the bytes of an event", () => {
    const dumps = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`a${i}`, "x".repeat(900)]));
    const [event] = recorded({ name: "screen", facts: { ...dumps, screen: "lock" } });
    expect(event?.facts).toMatchObject({ screen: "lock", a0: dumps.a0, a3: dumps.a3 });
    expect(Object.keys(event?.facts ?? {})).toHaveLength(5);
    expect(frozenJson(event, { ...JSON_LIMITS, bytesMax: EVENT_BYTES_MAX }).ok).toBe(true);
  });

  test("one fact at its border", () => {
    const [kept, lost] = [1_016, 1_017].map((length) =>
      recorded({ name: "a", facts: { a: "x".repeat(length), n: Number.NaN } }),
    );
    expect(Object.keys(kept?.[0]?.facts ?? {})).toEqual(["a"]);
    expect(lost?.[0]?.facts).toEqual({});
  });

  test("many facts are looked at as far as their bound", () => {
    const facts = { n: Number.NaN, ...Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}`, i])) };
    const events = recorded({ name: "a", facts });
    expect(Object.keys(events[0]?.facts ?? {})).toHaveLength(255);
    expect(whyOf(events)).toEqual([
      'of the event "a" was not kept: its fact "n" (no finite number); 45 facts behind the first 256',
    ]);
  });

  test("declared secrets stand in no part of it", () => {
    const secret = "sk-canary-0123456789";
    const events = recorded({ name: "a", facts: { note: secret, pin: "1234", [secret]: Number.NaN } });
    expect(events[0]).toEqual({ name: "a", facts: { note: "[redacted]", pin: "[redacted]" } });
    expect(JSON.stringify(events)).not.toContain("canary");
  });
});

describe("how many", () => {
  const named = (many: number) => Array.from({ length: many }, (_, i) => ({ name: `e${i}` }));

  test("the last one that there is room for stands, and what is more is counted", () => {
    expect(recorded(...named(EVENTS_MAX))).toEqual(named(EVENTS_MAX).map(({ name }) => ({ name, facts: {} })));
    const more = recorded(...named(EVENTS_MAX + 2));
    expect(more).toHaveLength(EVENTS_MAX + 1);
    expect(more[EVENTS_MAX - 1]).toEqual({ name: "e31", facts: {} });
    expect(whyOf(more)).toEqual(["a step gives at most 32 events, and 2 more are not kept"]);
  });

  test("what is no event takes the place of none, and has a bound of its own", () => {
    const events = recorded(...Array.from({ length: 1_000 }, () => "junk"), ...named(EVENTS_MAX));
    expect(events.filter(({ name }) => name.startsWith("e"))).toHaveLength(EVENTS_MAX);
    expect(events).toHaveLength(2 * EVENTS_MAX + 1);
    expect(whyOf(events).at(-1)).toBe("a step gives at most 32 events, and 968 more are not kept");
  });

  test("what is said while an event is read, and after the step, changes nothing else", () => {
    const emissions = new Emissions({ values: [], fields: [] });
    const inside = new Proxy(
      { name: "outer" },
      {
        ownKeys: (target) => {
          emissions.emit({ name: "inner" });
          return Reflect.ownKeys(target);
        },
      },
    );
    emissions.emit(inside);
    expect(new Set(emissions.taken().map(({ name }) => name))).toEqual(new Set(["inner", "outer"]));
    emissions.emit({ name: "late" });
    expect(emissions.taken()).toEqual([]);
  });
});
