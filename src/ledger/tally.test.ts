import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bucketMs, bucketStart } from "./bucket.ts";
import {
  beginTally,
  countDecision,
  type DecisionFact,
  DIMENSIONS,
  type Dimension,
  finishTally,
  type Tallied,
  type TallyQuery,
} from "./tally.ts";

const QUERY: TallyQuery = {
  since: 1_000,
  until: 2_000,
  by: ["tool", "code", "rule"],
  outcomes: ["deny", "stage"],
  bucket: null,
  groupsMax: 1_000,
};

const permitted: DecisionFact = {
  at: 1_500,
  tool: "refund",
  outcome: "permit",
  rail: null,
  code: null,
  rule: "refund.authorise",
  plan: null,
  told: null,
  promptVersion: "p1",
  policyVersion: "v1",
  model: "m1",
};
const denied = (code: string, more: Partial<DecisionFact> = {}): DecisionFact => ({
  ...permitted,
  outcome: "deny",
  rail: "action",
  code,
  ...more,
});
const times = <T>(n: number, value: T): readonly T[] => Array.from({ length: n }, () => value);

function tallied(facts: readonly DecisionFact[], more: Partial<TallyQuery> = {}): Tallied {
  const tally = beginTally({ ...QUERY, ...more });
  for (const fact of facts) countDecision(tally, fact);
  return finishTally(tally);
}

describe("what is counted", () => {
  test("permits, denials and staged proposals apart, and a staged one is no denial", () => {
    const staged: DecisionFact = { ...permitted, outcome: "stage" };
    const { totals, groups } = tallied([...times(5, permitted), ...times(3, denied("exceeds_paid")), staged]);
    expect(totals).toEqual({ proposals: 9, permits: 5, staged: 1, denials: 3 });
    expect(groups.map(({ outcome, key, n, of }) => [outcome, key, n, of])).toEqual([
      ["deny", { tool: "refund", code: "exceeds_paid", rule: "refund.authorise" }, 3, 9],
      ["stage", { tool: "refund", code: null, rule: "refund.authorise" }, 1, 9],
    ]);
  });

  test("a share is of the proposals of the same tool, not of all, and not of the same code", () => {
    const other = { ...permitted, tool: "look" };
    const facts = [...times(6, permitted), denied("a"), denied("a"), denied("b", { rule: "r2" }), ...times(90, other)];
    const { groups } = tallied(facts);
    expect(groups.map(({ key, n, of, share }) => [key.code, n, of, share])).toEqual([
      ["a", 2, 9, 2 / 9],
      ["b", 1, 9, 1 / 9],
    ]);
  });

  test("a proposal that names no tool there is could have been of any: its share is of all", () => {
    const unknown = denied("unknown_tool", { tool: null, model: "m2" });
    const facts = [...times(3, permitted), unknown, ...times(2, { ...permitted, model: "m2" })];
    expect(tallied(facts).groups).toMatchObject([{ key: { tool: null, code: "unknown_tool" }, n: 1, of: 6 }]);
    const byModel = tallied(facts, { by: ["tool", "model"] }).groups;
    expect(byModel).toMatchObject([{ key: { tool: null, model: "m2" }, n: 1, of: 3 }]);
  });

  test.each<[Dimension, Partial<DecisionFact>]>([
    ["tool", { tool: "other" }],
    ["rail", { rail: "output" }],
    ["code", { code: "other" }],
    ["rule", { rule: "other" }],
    ["prompt", { promptVersion: "other" }],
    ["policy", { policyVersion: "other" }],
    ["model", { model: "other" }],
  ])("counted by %s alone, decisions that differ in it are told apart and no others", (dimension, more) => {
    const facts = [denied("a"), denied("a"), denied("a", more)];
    expect(tallied(facts, { by: [dimension] }).groups.map(({ n }) => n)).toEqual([2, 1]);
    const rest = DIMENSIONS.filter((name) => name !== dimension);
    expect(tallied(facts, { by: rest }).groups.map(({ n }) => n)).toEqual([3]);
  });

  test("counted by nothing there is one group of denials", () => {
    expect(tallied([denied("a"), denied("b"), permitted], { by: [] }).groups).toMatchObject([{ key: {}, n: 2, of: 3 }]);
  });

  test("names that look alike once they are joined stay apart", () => {
    const facts = [denied('x","y', { rule: "z" }), denied("x", { rule: 'y","z' })];
    expect(tallied(facts).groups).toHaveLength(2);
  });

  test("outcomes that are not asked for make no groups and count all the same", () => {
    const { groups, totals } = tallied([permitted, denied("a")], { outcomes: ["permit"] });
    expect(groups).toMatchObject([{ outcome: "permit", n: 1, of: 2 }]);
    expect(totals.denials).toBe(1);
  });
});

describe("windows", () => {
  test("`since` is in, `until` is not, and the window before is as long", () => {
    const at = (instant: number) => denied("a", { at: instant });
    const { totals, totalsBefore } = tallied([-1, 0, 999, 1_000, 1_999, 2_000].map(at));
    expect([totals.denials, totalsBefore.denials]).toEqual([2, 2]);
    expect(tallied([at(-1)]).totalsBefore.denials).toBe(0);
  });

  test("an empty window is refused", () => {
    expect(() => beginTally({ ...QUERY, until: 1_000 })).toThrow(RangeError);
    expect(() => beginTally({ ...QUERY, until: Number.NaN })).toThrow(RangeError);
  });

  test("a share that moved is flagged, one that did not is not, and a code that is gone has moved too", () => {
    const now = [...times(60, denied("a")), ...times(20, denied("b")), ...times(20, permitted)];
    const earlier = [
      ...times(30, denied("a")),
      ...times(20, denied("b")),
      ...times(30, denied("c")),
      ...times(20, permitted),
    ];
    const { groups } = tallied([...now, ...earlier.map((fact) => ({ ...fact, at: 500 }))]);
    expect(groups.map(({ key, n, before, shift }) => [key.code, n, before?.n, shift?.moved])).toEqual([
      ["a", 60, 30, true],
      ["b", 20, 20, false],
      ["c", 0, 30, true],
    ]);
  });

  test("the staged share is compared apart from that of denials", () => {
    const stage: DecisionFact = { ...permitted, outcome: "stage" };
    const facts = [...times(50, stage), ...times(50, permitted), ...times(100, { ...permitted, at: 500 })];
    const { denialShift, stagedShift } = tallied(facts);
    expect([denialShift?.moved, stagedShift?.moved, stagedShift?.change]).toEqual([false, true, 0.5]);
  });

  test("where the window before has no proposals nothing is compared", () => {
    const { groups, denialShift } = tallied(times(50, denied("a")));
    expect([groups[0]?.shift, groups[0]?.before, denialShift]).toEqual([null, { n: 0, of: 0 }, null]);
  });
});

describe("bounds", () => {
  const codes = (n: number) => Array.from({ length: n }, (_, i) => denied(`c${i}`));

  test("so many groups, at one less than the most, at it, and at one more", () => {
    expect(tallied(codes(2), { groupsMax: 3 }).other).toBeNull();
    expect(tallied(codes(3), { groupsMax: 3 }).other).toBeNull();
    const over = tallied([...codes(4), denied("c0")], { groupsMax: 3 });
    expect(over.other).toEqual({ permit: 0, stage: 0, deny: 1 });
    expect(over.groups.map(({ n }) => n)).toEqual([2, 1, 1]);
    expect(over.totals.denials).toBe(5);
  });

  test("tools are bounded as well, and a group whose proposals are not counted is none", () => {
    const facts = Array.from({ length: 5 }, (_, i) => ({ ...permitted, tool: `t${i}` }));
    const { groups, other } = tallied([...facts, denied("a", { tool: "t4" })], { groupsMax: 3 });
    expect([groups, other?.deny]).toEqual([[], 1]);
  });

  test("where the window before dropped groups, what is not among the rest has no past", () => {
    const earlier = codes(4).map((fact) => ({ ...fact, at: 500 }));
    const { groups } = tallied([...earlier, denied("c3"), denied("c0")], { groupsMax: 3 });
    const pasts = groups.map(({ key, before }) => [key.code, before]);
    expect(pasts).toContainEqual(["c0", { n: 1, of: 4 }]);
    expect(pasts).toContainEqual(["c3", null]);
  });

  test("a long name is cut at 128 units", () => {
    const lengths = [127, 128, 129].map((n) => tallied([denied("x".repeat(n))]).groups[0]?.key.code?.length);
    expect(lengths).toEqual([127, 128, 128]);
  });

  test("[metric-denials] in any order the report is the same, and nothing is lost", () => {
    const fact = fc.record<DecisionFact>({
      at: fc.integer({ min: -200, max: 2_200 }),
      tool: fc.constantFrom("refund", "look", null),
      outcome: fc.constantFrom("permit", "stage", "deny"),
      rail: fc.constantFrom(null, "action"),
      code: fc.constantFrom(null, "a", "b"),
      rule: fc.constantFrom("r1", "r2"),
      plan: fc.constantFrom(null, "a", "b"),
      told: fc.constantFrom(null, "yes" as const, "no" as const),
      promptVersion: fc.constantFrom("p1", "p2"),
      policyVersion: fc.constant("v1"),
      model: fc.constantFrom("m1", "m2"),
    });
    const by = fc.uniqueArray(fc.constantFrom(...DIMENSIONS));
    const groupsMax = fc.constantFrom(2, 5, 1_000);
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 60 }), by, groupsMax, (facts, by, groupsMax) => {
        const query = { by, groupsMax, bucket: { minutes: 1 }, outcomes: ["deny", "stage", "permit"] } as const;
        const report = tallied(facts, query);
        const { totals, groups, other, buckets } = report;
        const inWindow = facts.filter(({ at }) => at >= QUERY.since && at < QUERY.until).length;
        const grouped = groups.reduce((sum, { n }) => sum + n, 0);
        const rest = other === null ? 0 : other.permit + other.stage + other.deny;
        expect([totals.proposals, grouped + rest]).toEqual([inWindow, inWindow]);
        expect(totals.permits + totals.staged + totals.denials).toBe(inWindow);
        expect(buckets.reduce((sum, { proposals }) => sum + proposals, 0)).toBe(inWindow);
        expect(groups.every(({ n, series }) => n === series.reduce((sum, one) => sum + one, 0))).toBe(true);
        if (groupsMax === 1_000) expect(tallied(facts.toReversed(), query)).toEqual(report);
      }),
    );
  });
});

describe("buckets", () => {
  const at = (text: string) => Date.parse(text);

  test.each([
    ["hour", "2026-03-29T01:59:59.999Z", "2026-03-29T01:00:00.000Z"],
    ["hour", "2026-03-29T02:00:00.000Z", "2026-03-29T02:00:00.000Z"],
    ["day", "2024-02-29T23:59:59.999Z", "2024-02-29T00:00:00.000Z"],
    ["week", "2026-11-30T00:00:00.000Z", "2026-11-30T00:00:00.000Z"],
    ["week", "2026-11-29T23:59:59.999Z", "2026-11-23T00:00:00.000Z"],
    ["week", "1970-01-01T00:00:00.000Z", "1969-12-29T00:00:00.000Z"],
    ["day", "1969-12-31T23:00:00.000Z", "1969-12-31T00:00:00.000Z"],
  ] as const)("a %s that %s lies in begins at %s", (bucket, instant, start) => {
    expect(new Date(bucketStart(at(instant), bucket)).toISOString()).toBe(start);
  });

  test("minutes are counted from the hour where they divide it", () => {
    expect(bucketStart(at("2026-11-30T10:44:59Z"), { minutes: 15 })).toBe(at("2026-11-30T10:30:00Z"));
    for (const minutes of [0, -5, 1.5, Number.NaN, Number.MAX_SAFE_INTEGER]) {
      expect(() => bucketMs({ minutes }), String(minutes)).toThrow(RangeError);
    }
  });

  test("empty ones are there, and the first and the last count only what is in the window", () => {
    const [since, until] = [at("2026-11-28T12:00:00Z"), at("2026-11-30T12:00:00Z")];
    const on = (instant: string) => denied("a", { at: at(instant) });
    const facts = [
      on("2026-11-28T11:59:59Z"),
      on("2026-11-28T12:00:00Z"),
      on("2026-11-30T11:59:59Z"),
      on("2026-11-30T12:00:00Z"),
    ];
    const { buckets, groups } = tallied(facts, { since, until, bucket: "day" });
    expect(buckets.map(({ start, denials }) => [new Date(start).toISOString().slice(0, 10), denials])).toEqual([
      ["2026-11-28", 1],
      ["2026-11-29", 0],
      ["2026-11-30", 1],
    ]);
    expect(groups[0]?.series).toEqual([1, 0, 1]);
  });
});
