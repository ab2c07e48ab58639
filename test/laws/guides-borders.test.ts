/**
 * The borders of compile by name, since random rules seldom stand on one; and the cases in which others lost rules, each
 * with the issue that it is from.
 */
import { describe, expect, test } from "vitest";
import type { Profile } from "../../src/domain/profile.ts";
import type { Rule } from "../../src/domain/rule.ts";
import { planText } from "../../src/domain/served.ts";
import { compile, explainSelection, guideTask, parsePhrase, ruleSet, type ServePlan } from "../../src/guides/index.ts";
import { ON_LOCK, onWords, someProfile, someRule, someTask } from "../checks/guide-rules.ts";

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
const ids = (rules: readonly { readonly id: string }[]): readonly string[] => rules.map(({ id }) => id);

function served(rules: readonly Rule[], budget: number | Profile, task = someTask("")): ServePlan {
  const made = compile(ruleSet(rules), task, typeof budget === "number" ? someProfile(budget) : budget);
  if (made.kind === "refusal") throw new Error(made.detail);
  return made;
}

/** What is kept with a byte less than this, with just this, and with a byte more. */
function around(bytes: number, rules: readonly Rule[]): readonly string[] {
  return [bytes - 1, bytes, bytes + 1].map((budget) => ids(served(rules, budget).report.kept).join(" "));
}

describe("borders", () => {
  const widths: readonly (readonly [what: string, body: string])[] = [
    ["one byte a character", "abcd"],
    ["two", "éééé"],
    ["three", "漢字仮名"],
    ["four, as half a pair each", "🦊🦊"],
    ["several characters that are one sign", "👩‍🚀e\u0301"],
    ["line breaks of two", "a\r\nb\r\n"],
    ["what nobody sees", "\u202ea\ufeff\u0000"],
  ];
  test.each(widths)("[guides-budget] a text of %s: one byte less than it takes is not enough", (_, body) => {
    const bytes = bytesOf(body);
    expect(around(bytes, [someRule("a", { body })])).toEqual(["", "a", "a"]);
    const both = [someRule("a", { body: "x" }), someRule("b", { body })];
    expect(around(1 + 2 + bytes, both)).toEqual(["a", "a b", "a b"]);
    const pinned = [someRule("a", { body, order: 1, safety: true }), someRule("b", { body: "yy" })];
    expect(around(bytes + 2 + 2, pinned)).toEqual(["a", "b a", "b a"]);
    expect(served(pinned, bytes + 4).text).toBe(`yy\n\n${body}`);
  });

  test("[guides-safety] safety rules at the border of the budget: a plan with all of them, or none", () => {
    const rules = [
      someRule("a", { safety: true, body: "漢字" }),
      someRule("b", { safety: true, body: "🦊" }),
      someRule("c"),
    ];
    const made = [11, 12, 13].map((budget) => compile(ruleSet(rules), someTask(""), someProfile(budget)));
    expect(made.map((one) => (one.kind === "plan" ? ids(one.report.kept) : one.code))).toEqual([
      "safety_exceeds_budget",
      ["a", "b"],
      ["a", "b"],
    ]);
  });

  test("[guides-safety] channel B at the border of the window: a plan with all of it, or none", () => {
    const rules = [someRule("a", { body: "漢字" }), someRule("b", { body: "🦊", when: ON_LOCK, safety: true })];
    const bytes = 6 + 2 + 4;
    const made = [bytes - 1, bytes, bytes + 1].map((contextTokens) =>
      compile(ruleSet(rules), someTask(""), someProfile(6, { contextTokens, bytesPerToken: 1 })),
    );
    expect(made.map((one) => (one.kind === "plan" ? ids(one.report.routed) : one.code))).toEqual([
      "channel_b_exceeds_window",
      ["b"],
      ["b"],
    ]);
  });

  test("no budget and no rules are a plan, too", () => {
    expect(served([], 0)).toMatchObject({ text: "", report: { given: 0, bytes: 0 } });
    expect(served([someRule("a")], 0)).toMatchObject({
      text: "",
      report: { kept: [], dropped: [{ reason: "larger_than_budget" }] },
    });
  });
});

test("[guides-same-bytes] the bytes of a plan are these, on every machine", () => {
  const when = { event: "lock_screen", tool: null, facts: [{ name: "state", anyOf: ["locked", 1] }] };
  const rules = [
    someRule("b", { body: "Frag zuerst. ✓" }),
    someRule("B", { body: "確認する", safety: true, breach: { event: null, tool: "pay", facts: [] }, escalate: "end" }),
    someRule("𝒳", { body: "x".repeat(99) }),
    someRule("\uff5e", { body: "y" }),
    someRule("l", { body: "Unlock", when }),
  ];
  expect(planText(served(rules, 40))).toBe(
    '{"budgetBytes":40,"dropped":[{"bytes":99,"id":"𝒳","reason":"larger_than_budget","revision":"0000000000000000000000000000000000000000000000000000000000000000"},{"bytes":1,"id":"～","reason":"after_the_stop","revision":"0000000000000000000000000000000000000000000000000000000000000000"}],"kept":[{"breach":{"event":null,"facts":[],"tool":"pay"},"bytes":12,"escalate":"end","id":"B","revision":"0000000000000000000000000000000000000000000000000000000000000000","safety":true},{"breach":null,"bytes":16,"escalate":null,"id":"b","revision":"0000000000000000000000000000000000000000000000000000000000000000","safety":false}],"profile":"phone","routed":[{"breach":null,"bytes":6,"escalate":null,"id":"l","revision":"0000000000000000000000000000000000000000000000000000000000000000","safety":false,"text":"Unlock","when":{"event":"lock_screen","facts":[{"anyOf":["locked",1],"name":"state"}],"tool":null}}],"slot":"system_end","text":"確認する\\n\\nFrag zuerst. ✓"}',
  );
});

describe("rules that were lost elsewhere", () => {
  test("openai/codex#13386: the budget ends inside a character", () => {
    // The 3-byte character stands across byte 32,768 of what would be the text.
    const first = someRule("a", { body: "a".repeat(20_000) });
    const second = someRule("b", { body: `${"b".repeat(32_767 - 20_002)}漢${"c".repeat(2_000)}` });
    const rest = someRule("c", { body: "c".repeat(40_000 - 20_000 - bytesOf(second.body)) });
    const made = served([first, second, rest], 32_768);
    expect(made.text).toBe(first.body);
    expect(made.text).not.toContain("\ufffd");
    expect(made.report.dropped).toMatchObject([
      { id: "b", bytes: bytesOf(second.body), reason: "after_the_stop" },
      { id: "c", bytes: rest.body.length, reason: "after_the_stop" },
    ]);
  });

  test("openai/codex#7138: a rule of 40,960 bytes is named as what can never be served", () => {
    const made = served([someRule("a", { body: "x".repeat(40_960) })], 32_768);
    expect(made.report.dropped).toMatchObject([{ id: "a", bytes: 40_960, reason: "larger_than_budget" }]);
  });

  test("openai/codex#37956: the general rule first, the safety rule last", () => {
    const general = someRule("general", { body: "g".repeat(22_519) });
    const safety = someRule("safety", { body: "s".repeat(564), order: 9, safety: true });
    const made = served([general, safety], 23_000);
    expect(made.text).toBe(safety.body);
    expect(made.report.dropped).toMatchObject([{ id: "general", bytes: 22_519, reason: "after_the_stop" }]);
    // With two bytes for the separator both are there, each in its place.
    expect(around(22_519 + 2 + 564, [general, safety])).toEqual(["safety", "general safety", "general safety"]);
  });

  test("Mr-DooSun/fastapi-agent-blueprint#413: each section that did not arrive is named with its bytes", () => {
    const sections = Array.from({ length: 49 }, (_, i) =>
      someRule(`s${i}`, { order: i, body: "x".repeat(i === 48 ? 326 : 720) }),
    );
    expect(sections.reduce((bytes, { body }) => bytes + body.length, 0)).toBe(34_886);
    const { report } = served(sections, 32_768);
    expect(report.kept.length + report.dropped.length).toBe(49);
    expect(ids(report.dropped)).toEqual(["s45", "s46", "s47", "s48"]);
    expect(report.dropped.map(({ bytes }) => bytes)).toEqual([720, 720, 720, 326]);
  });

  test("[guides-matchers] anthropics/claude-code#64606: no matcher is shortened, whatever there are of them", () => {
    const phrases = Array.from({ length: 56 }, (_, rule) =>
      Array.from({ length: 6 }, (_, i) => `wort${rule}x${i} ${"lang".repeat(rule === 0 && i === 0 ? 5 : 2)} ende${i}`),
    );
    const characters = phrases.flat().join("").length;
    const padding = "z".repeat(8_311 - characters);
    // The last of all is the longest.
    phrases[55]?.push(`${phrases[55]?.pop()}${padding}`);
    expect(phrases.flat().join("").length).toBe(8_311);
    const rules = phrases.map((list, i) => {
      const words = list.map((phrase) => {
        const read = parsePhrase(phrase);
        return read.ok ? read.value : [];
      });
      return someRule(`r${i}`, { task: { phrases: words, words: [], least: 1 } });
    });
    const set = ruleSet(rules);
    for (const [i, list] of phrases.entries()) {
      for (const phrase of list) {
        const made = compile(set, someTask(phrase), someProfile(10_000));
        expect(made.kind === "plan" ? ids(made.report.kept) : made).toEqual([`r${i}`]);
      }
    }
  });

  test("[guides-report] anthropics/claude-code#13099: of 63 rules each is somewhere in the report", () => {
    const rules = Array.from({ length: 63 }, (_, i) =>
      someRule(`r${i}`, {
        body: "x".repeat(300),
        safety: i % 10 === 0,
        ...(i % 9 === 4 ? { when: ON_LOCK } : {}),
        ...(i % 7 === 3 ? { task: onWords("unsaid") } : {}),
      }),
    );
    const { report } = served(rules, 42 * 302, someTask("say nothing"));
    const unselected = explainSelection(ruleSet(rules), someTask("say nothing"), someProfile(0));
    const { kept, routed, dropped } = report;
    expect(report).toMatchObject({ given: 63, unselected: 9, selected: 54 });
    expect([kept, routed, dropped].map((list) => list.length)).toEqual([42, 6, 6]);
    expect([...ids(kept), ...ids(routed), ...ids(dropped), ...ids(unselected)].sort()).toEqual(ids(rules).toSorted());
  });

  test("anthropics/claude-code#34648: 40 rules that do not match, and the one that does", () => {
    const others = Array.from({ length: 40 }, (_, i) => someRule(`r${i}`, { task: onWords(`other${i}`, "order") }));
    const one = someRule("one", { task: onWords("refund*", "order") });
    const made = served(
      [...others.slice(0, 20), one, ...others.slice(20)],
      2_048,
      someTask("Please refund this order."),
    );
    expect(made.text).toBe(one.body);
    expect(made.report).toMatchObject({ given: 41, unselected: 40, selected: 1 });
  });

  test("anthropics/claude-code#16299, #22170: a rule with paths is there on a match and not off it, and the report says so", () => {
    const rule = someRule("rb", { paths: ["app/models/**/*.rb"] });
    const set = ruleSet([rule, someRule("always")]);
    const read = (text: string) => {
      const task = guideTask(text);
      if (!task.ok) throw new Error(task.why.detail);
      const made = compile(set, task.value, someProfile(2_048));
      return [
        made.kind === "plan" ? ids(made.report.kept) : made.code,
        explainSelection(set, task.value, someProfile(2_048)),
      ];
    };
    expect(read("rename the field in app/models/shop/order.rb")).toEqual([["always", "rb"], []]);
    expect(read("fix web/x.ts")).toEqual([["always"], [{ id: "rb", because: "paths" }]]);
    expect(read("say hello")).toEqual([["always"], [{ id: "rb", because: "paths" }]]);
  });

  test("microsoft/vscode#258378: a list of globs matches its files and no others", () => {
    const rule = someRule("rails", { paths: ["app/models/**/*.rb", "db/**/*.rb"] });
    const kept = (path: string): number => served([rule], 99, someTask("", { paths: [path] })).report.kept.length;
    expect(["app/models/a.rb", "app/models/x/a.rb", "db/migrate/1.rb"].map(kept)).toEqual([1, 1, 1]);
    expect(["web/x.ts", "app/models/a.ts", "lib/a.rb", "mydb/a.rb"].map(kept)).toEqual([0, 0, 0, 0]);
  });

  test("bmadcode/cursor-custom-agents-rules-generator#26: a glob with braces matches each of its ends", () => {
    const rule = someRule("js", { paths: ["src/**/*.{js,ts}"] });
    const kept = (path: string): number => served([rule], 99, someTask("", { paths: [path] })).report.kept.length;
    expect(["src/a.js", "src/x/a.ts", "src/a.jsx", "a.js"].map(kept)).toEqual([1, 1, 0, 0]);
  });

  test("anthropics/claude-code#93435: two rules of the same bytes are both there", () => {
    const body = "The same bytes.";
    const rules = [
      someRule("copy", { body, revision: "a".repeat(64) }),
      someRule("original", { body, revision: "a".repeat(64) }),
    ];
    expect(served(rules, 99).text).toBe(`${body}\n\n${body}`);
  });
});
