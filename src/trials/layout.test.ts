import { expect, test } from "vitest";
import type { Rule } from "../domain/rule.ts";
import type { Served } from "../domain/served.ts";
import type { TrialPlace, Vary } from "../domain/trial.ts";
import { type Arm, armsOf } from "./arms.ts";
import { checkTold, toldFacts } from "./check-told.ts";
import { copyId, laidRules, layoutOf } from "./layout.ts";

const ref = (id: string) => ({ id, revision: `${id}-bytes` });
const DESIGN = { seed: 3, rule: ref("rule"), fillers: [..."abcdefghijklmnopqrst"].map(ref) };
const arm = (over: Partial<Arm>): Arm => ({
  name: "",
  neighbours: 4,
  copies: 1,
  place: "middle",
  around: "middle",
  when: null,
  ...over,
});
const ids = (over: Partial<Arm>, pair = 0): readonly string[] =>
  layoutOf(DESIGN, arm(over), pair).map(({ id, copy }) => copyId(id, copy));

test("the rule stands where the arm says, and its neighbours in the same order from there outwards", () => {
  const row = (place: TrialPlace, neighbours: number) => ids({ place, around: place, neighbours });
  const at = (place: TrialPlace): number => row(place, 4).indexOf("rule");
  expect([at("first"), at("middle"), at("last")]).toEqual([0, 2, 4]);
  // Of a larger arm the outermost are left off, wherever the rule stands.
  expect(row("first", 4).slice(0, 3)).toEqual(row("first", 2));
  expect(row("middle", 4).slice(1, 4)).toEqual(row("middle", 2));
  expect(row("last", 4).slice(2)).toEqual(row("last", 2));
});

test("where its place is what differs, the rule moves along one row", () => {
  const rows = (["first", "middle", "last"] as const).map((place) => ids({ place }));
  expect(rows.map((row) => row.indexOf("rule"))).toEqual([0, 2, 4]);
  const [first, ...others] = rows.map((row) => row.filter((id) => id !== "rule"));
  for (const other of others) expect(other).toEqual(first);
});

test("copies stand evenly, and the one in the middle is the one that is told once", () => {
  const stops = (copies: number, neighbours: number): readonly number[] =>
    ids({ copies, neighbours }).flatMap((id, i) => (id.startsWith("rule") ? [i] : []));
  expect(stops(1, 8)).toEqual([4]);
  expect(stops(3, 8)).toEqual([0, 5, 10]);
  expect(stops(5, 8)).toEqual([0, 3, 6, 9, 12]);
  expect(ids({ copies: 3, neighbours: 0 })).toEqual(["rule", "rule#2", "rule#3"]);
  const without = (copies: number) => ids({ copies, neighbours: 8 }).filter((id) => !id.startsWith("rule"));
  expect(without(3)).toEqual(without(1));
  // The middle copy has the same neighbours on either side as the single one.
  const row = ids({ copies: 3, neighbours: 8 });
  const single = ids({ copies: 1, neighbours: 8 });
  expect([row[4], row[6]]).toEqual([single[3], single[5]]);
});

test("nothing is told where the rule is absent, and every draw is the seed's", () => {
  expect(ids({ copies: 0, neighbours: 0 })).toEqual([]);
  expect(ids({ neighbours: 5 }, 1)).toEqual(ids({ neighbours: 5 }, 1));
  expect(ids({ neighbours: 5 }, 1)).not.toEqual(ids({ neighbours: 5 }, 2));
  const other = layoutOf({ ...DESIGN, seed: 4 }, arm({ neighbours: 5 }), 1).map(({ id }) => id);
  expect(other).not.toEqual(ids({ neighbours: 5 }, 1));
});

test("of every kind the arms differ in the one thing alone", () => {
  const when = { event: "lock_screen", tool: null, facts: [] };
  const kinds: readonly (readonly [Vary, keyof Arm])[] = [
    [{ kind: "volume", value: { neighbours: [0, 10, 25, 50, 100], place: "last" } }, "neighbours"],
    [{ kind: "position", value: { places: ["first", "middle", "last"], neighbours: 6 } }, "place"],
    [{ kind: "channel", value: { when, neighbours: 6, place: "first" } }, "when"],
    [{ kind: "repeated", value: { times: [1, 3], neighbours: 6 } }, "copies"],
  ];
  for (const [vary, part] of kinds) {
    const arms = armsOf(vary);
    const rest = arms.map(({ name: _, [part]: __, ...still }) => still);
    expect(new Set(rest.map((still) => JSON.stringify(still))).size, vary.kind).toBe(1);
    expect(new Set(arms.map((one) => JSON.stringify(one[part]))).size, vary.kind).toBe(arms.length);
    expect(new Set(arms.map(({ name }) => name)).size).toBe(arms.length);
  }
});

const RULE: Rule = {
  id: "rule",
  file: "rule.md",
  revision: "rule-bytes",
  app: ["com.x"],
  task: { phrases: [["other"]], words: [], least: 0 },
  paths: ["a/**"],
  profile: ["p"],
  when: { event: "other", tool: null, facts: [] },
  breach: null,
  escalate: null,
  safety: true,
  order: 99,
  expires: "2020-01-01",
  guide: null,
  body: "Stop at a lock screen.",
  from: 10,
  to: 32,
};

test("as rules: the bytes as they are, an order of their own, ids of their own, and matchers that always fire", () => {
  const layout = layoutOf(DESIGN, arm({ copies: 3, neighbours: 1 }), 0);
  const filler = layout.find(({ id }) => id !== "rule")?.revision ?? "";
  const rules = laidRules(
    layout,
    new Map([
      ["rule-bytes", RULE],
      [filler, { ...RULE, id: "a", revision: filler }],
    ]),
  );
  expect(rules.map(({ id, order }) => [id, order])).toEqual(layout.map(({ id, copy }, i) => [copyId(id, copy), i]));
  for (const { body, from, to, revision, file, ...rest } of rules) {
    expect([body, from, to, file]).toEqual([RULE.body, RULE.from, RULE.to, RULE.file]);
    expect(["rule-bytes", filler]).toContain(revision);
    expect(rest).toMatchObject({
      app: [],
      task: null,
      paths: [],
      profile: [],
      when: null,
      safety: false,
      expires: null,
    });
  }
  expect(() => laidRules(layout, new Map())).toThrow("was not read");
});

function served(over: Partial<Served["report"]> = {}, more: Partial<Served> = {}): Served {
  const kept = (id: string) => ({ ...ref(id), bytes: 10, safety: false, breach: null, escalate: null });
  const report = {
    given: 3,
    unselected: 0,
    selected: 3,
    kept: layoutOf(DESIGN, arm({ neighbours: 2 }), 0).map(({ id }) => kept(id)),
    routed: [],
    dropped: [],
    assumed: [],
    bytes: 34,
    budgetBytes: 100,
    profile: "p",
    measured: "unmeasured",
    ...over,
  };
  return {
    plan: "plan",
    profileDigest: "d",
    chain: null,
    app: null,
    paths: [],
    slot: "system_end",
    text: "",
    report,
    withheld: [],
    ...more,
  };
}

test("what is told is what the arm says, or the trial is not run", () => {
  const layout = layoutOf(DESIGN, arm({ neighbours: 2 }), 0);
  const why = (told: Served, laid = layout) => checkTold({ profile: "p" }, laid, told);
  const good = served();
  const { kept } = good.report;
  expect(why(good)).toBe(null);
  expect(why(served({ profile: "q" }))).toContain("for the profile q, not p");
  expect(why(served({ kept: [...kept].reverse() }))).toContain("at dispatch");
  expect(why(served({ kept: kept.slice(1) }))).toContain("at dispatch");
  expect(why(served({ kept: [...kept, ...kept.slice(0, 1)] }))).toContain("at dispatch");
  expect(why(served({ kept: kept.map((rule) => ({ ...rule, revision: "other" })) }))).toContain("at dispatch");
  const dropped = [{ ...ref("z"), bytes: 900, reason: "after_the_stop" as const }];
  expect(why(served({ dropped }))).toBe(
    "1 of its 3 rules do not fit: they take 900 bytes more, and 34 of 100 are taken",
  );
  const withheld = [{ ...ref("rule"), safety: false, code: "expired" as const, detail: "" }];
  expect(why(served({}, { withheld }))).toContain("rule is withheld: expired");
  const onB = layout.map((rule) => ({ ...rule, when: { event: "e", tool: null, facts: [] } }));
  expect(why(good, onB)).toContain("at dispatch");
  const routed = kept.map((rule) => ({ ...rule, when: { event: "e", tool: null, facts: [] }, text: "" }));
  expect(why(served({ kept: [], routed }), onB)).toBe(null);
  expect(why(served({ kept: [], routed: routed.slice(1) }), onB)).toContain("on channel B");
  expect(toldFacts(layout, DESIGN.rule, good)).toEqual({ plan: "plan", bytes: 34, neighbours: 2, copies: 1 });
  expect(toldFacts(onB, DESIGN.rule, served({ kept: [], routed, bytes: 0 }))).toMatchObject({ bytes: 30, copies: 1 });
});
