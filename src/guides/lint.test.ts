import { describe, expect, test } from "vitest";
import { DEFAULT_PROFILE, type Profile } from "../domain/profile.ts";
import { lint } from "./lint.ts";
import type { LintFile } from "./lint-file.ts";
import { parseRule, unreadableFile } from "./parse-rule.ts";

/** A file of that name, whose id is its name unless the header says another. */
function file(name: string, body: string, ...header: readonly string[]): LintFile {
  const id = header.some((line) => line.startsWith("id:")) ? [] : [`id: ${name}`];
  const text = `---\n${[...id, ...header].join("\n")}\n---\n${body}\n`;
  return { name: `${name}.md`, parsed: parseRule({ name: `${name}.md`, text, digest: name.padEnd(64, "0") }) };
}

function profile(name: string, budgetBytes: number): Profile {
  return { ...DEFAULT_PROFILE, name, budgetBytes };
}

const ONE = [profile("one", 100)];

function found(files: readonly LintFile[], profiles: readonly Profile[] = ONE, today: string | null = null) {
  return lint(files, profiles, today).findings.map((one) => [`${one.rule} ${one.severity} ${one.where}`, one.message]);
}

describe("a set", () => {
  test("with nothing wrong in it, or nothing at all", () => {
    expect(lint([], ONE)).toEqual({
      rules: [],
      findings: [],
      ofFiles: new Map(),
      ofProfiles: [],
      unreadable: [],
      safety: [{ profile: "one", bytes: 0, budgetBytes: 100 }],
    });
    const { rules, findings } = lint([file("b", "B"), file("a", "A", "order: 2"), file("c", "C", "order: -1")], ONE);
    expect(rules.map(({ id }) => id)).toEqual(["c", "b", "a"]);
    expect(findings).toEqual([]);
  });

  test("names the files whose header cannot be read, and no others", () => {
    const files = [
      { name: "z.md", parsed: unreadableFile("z.md", "cannot be read (EACCES)") },
      file("ok", "Fine."),
      file("empty", ""),
      file("bad", "Text", "safty: true"),
    ];
    const { rules, unreadable, findings } = lint(files, ONE);
    expect(rules.map(({ id }) => id)).toEqual(["ok"]);
    expect(unreadable).toEqual(["bad.md", "z.md"]);
    expect(findings.map(({ rule, where }) => `${rule} ${where}`)).toEqual([
      "unknown_key bad.md:3:1",
      "empty_body empty.md:5:1",
      "unreadable_file z.md:1:1",
    ]);
  });
});

describe("duplicate ids", () => {
  test("are an error in every file that has one, a body that is no good included", () => {
    const files = [file("a", "A", "id: x"), file("c", "", "safety: true", "id: x"), file("b", "B", "id: x")];
    expect(found(files).filter(([place]) => place?.startsWith("duplicate_id"))).toEqual([
      ["duplicate_id error a.md:2:1", 'the id "x" is also that of b.md, c.md: give each rule its own'],
      ["duplicate_id error b.md:2:1", 'the id "x" is also that of a.md, c.md: give each rule its own'],
      ["duplicate_id error c.md:3:1", 'the id "x" is also that of a.md, b.md: give each rule its own'],
    ]);
  });

  test("in many files name some, and count the rest", () => {
    const files = Array.from({ length: 100 }, (_, i) => file(`f${i}`, `Body ${i}`, "id: x"));
    const findings = lint(files, [profile("one", 10_000)]).findings;
    expect(findings).toHaveLength(100);
    expect(findings[0]?.message).toMatch(/ and 79 more: give each rule its own$/);
  });
});

describe("duplicate rules", () => {
  // anthropics/claude-code#93435
  test("two files with the same bytes under different names: both are named", () => {
    const text = "---\nid: lock\n---\nNever unlock it.\n";
    const files = ["one.md", "two.md"].map((name) => ({ name, parsed: parseRule({ name, text, digest: "d" }) }));
    expect(found(files)).toEqual([
      ["duplicate_id error one.md:2:1", 'the id "lock" is also that of two.md: give each rule its own'],
      ["duplicate_rule warning one.md:4:1", "says the same as two.md, byte for byte: keep one"],
      ["duplicate_id error two.md:2:1", 'the id "lock" is also that of one.md: give each rule its own'],
    ]);
  });

  // anthropics/claude-code#15443
  test("three copies of a rule: one finding names all of them", () => {
    const files = [file("c", "Run the tests."), file("a", "Run the tests."), file("b", "Run the tests.")];
    expect(found(files)).toEqual([
      ["duplicate_rule warning a.md:4:1", "says the same as b.md, c.md, byte for byte: keep one"],
    ]);
  });

  test("white space makes no other rule, and anything else does", () => {
    const files = [file("a", "Run  the\ntests."), file("b", "Run the tests."), file("c", "Run the tests!")];
    expect(found(files)).toEqual([
      ["duplicate_rule warning a.md:4:1", "says the same as b.md, but for white space: keep one"],
    ]);
  });
});

describe("a rule larger than a budget", () => {
  test("at the border", () => {
    expect(found([file("a", "x".repeat(100))])).toEqual([]);
    expect(found([file("a", "x".repeat(101))])).toEqual([
      [
        "larger_than_budget error a.md:4:1",
        "101 bytes of text are more than the whole budget (100 of profile one): it is never served there and stops those " +
          "after it; split it, or name the profiles that it is for in `profile`",
      ],
    ]);
  });

  test("is measured in bytes", () => {
    expect(found([file("a", "ロ".repeat(33))])).toEqual([]);
    expect(found([file("a", "ロ".repeat(34))])[0]?.[1]).toContain("102 bytes");
  });

  // openai/codex#7138
  test("one of 40,960 bytes is an error for the author, never a quiet skip", () => {
    const [one, ...more] = found([file("a", "Do this.\n".repeat(5_000).slice(0, 40_960))], [profile("codex", 32_768)]);
    expect(more).toEqual([]);
    expect(one?.[0]).toBe("larger_than_budget error a.md:4:1");
    expect(one?.[1]).toContain("40960 bytes of text are more than the whole budget (32768 of profile codex)");
  });

  test("names each profile that it is for, and only these; on channel B it spends none", () => {
    const profiles = [profile("small", 10), profile("tiny", 5), profile("large", 1_000)];
    const long = "x".repeat(20);
    expect(found([file("a", long)], profiles)[0]?.[1]).toContain("(10 of profile small, 5 of profile tiny)");
    expect(found([file("a", long, "profile: [large, t*]")], profiles)[0]?.[1]).toContain("(5 of profile tiny)");
    expect(found([file("a", long, "profile: large")], profiles)).toEqual([]);
    expect(found([file("a", long, "when: {event: locked}")], profiles)).toEqual([]);
  });

  test("may be a safety rule, which no plan can be made with", () => {
    const findings = found([file("a", "x".repeat(101), "safety: true")]);
    expect(findings[0]?.[1]).toContain("no plan can be made with it");
    expect(findings[1]?.[0]).toBe("safety_exceeds_budget error profile one");
  });
});

describe("what safety rules take of a budget", () => {
  const safe = (name: string, bytes: number, ...header: readonly string[]): LintFile =>
    file(name, name.repeat(bytes), "safety: true", ...header);
  const share = (...files: readonly LintFile[]): number | undefined => lint(files, ONE).safety[0]?.bytes;

  test("at the borders of half and of all, separators included", () => {
    expect(found([safe("a", 24), safe("b", 24)])).toEqual([]);
    expect(found([safe("a", 24), safe("b", 25)])).toEqual([
      [
        "safety_crowds_budget warning profile one",
        "2 safety rules: 51 of 100 bytes (51 %), so little is left for every other rule",
      ],
    ]);
    expect(found([safe("a", 49), safe("b", 49)])).toEqual([
      ["safety_crowds_budget warning profile one", expect.stringContaining("100 of 100 bytes (100 %)")],
    ]);
    expect(found([safe("a", 49), safe("b", 50)])).toEqual([
      [
        "safety_exceeds_budget error profile one",
        "2 safety rules: 101 of 100 bytes, so a task that needs all of it is refused: shorten them, or give some a `when`",
      ],
    ]);
  });

  test("is that of the rules that a task can have together", () => {
    const everywhere = safe("e", 10);
    expect(share(everywhere, safe("a", 20, "app: one"), safe("b", 25, "app: two"))).toBe(37);
    expect(share(everywhere, safe("a", 20, "app: one"), safe("b", 25, "app: [one, two]"))).toBe(59);
    expect(share(everywhere, safe("a", 20, "task: lock"), safe("b", 25, "task: unlock"))).toBe(59);
    expect(share(everywhere, safe("a", 20, "when: {event: locked}"))).toBe(10);
    expect(share(everywhere, safe("a", 20, "profile: two"))).toBe(10);
    expect(share(everywhere, file("a", "x".repeat(20)))).toBe(10);
    expect(found([safe("a", 60, "app: one"), safe("b", 60, "app: two")])).toEqual([
      [
        "safety_crowds_budget warning profile one",
        expect.stringContaining('1 safety rule together (app "one"): 60 of 100'),
      ],
    ]);
  });

  test("is told for each profile by name, whatever the order of the profiles", () => {
    const profiles = [profile("b", 100), profile("a", 50)];
    const files = [safe("x", 60, "profile: b"), safe("y", 10)];
    const expected = [
      { profile: "a", bytes: 10, budgetBytes: 50 },
      { profile: "b", bytes: 72, budgetBytes: 100 },
    ];
    expect(lint(files, profiles).safety).toEqual(expected);
    expect(lint(files, profiles.toReversed()).safety).toEqual(expected);
  });
});

describe("rules for every task", () => {
  const CROWDED = [profile("one", 100)];

  test("that fill the budget to its border leave nothing to say", () => {
    expect(found([file("a", "a".repeat(49)), file("b", "b".repeat(49))], CROWDED)).toEqual([]);
  });

  test("that exceed it: figures, and which of them are served for no task whatever", () => {
    const findings = found([file("a", "a".repeat(49)), file("b", "b".repeat(50)), file("c", "c")], CROWDED);
    expect(findings.map(([place]) => place)).toEqual([
      "never_served warning b.md:4:1",
      "never_served warning c.md:4:1",
      "always_on_crowds_budget warning profile one",
    ]);
    expect(findings[0]?.[1]).toMatch(
      /^never served under profile one \(rules for every task take 49 of its 100 bytes before it\): /,
    );
    expect(findings[1]?.[1]).toMatch(
      /^never served under profile one \(rules for every task have filled it at "b", which comes/,
    );
    expect(findings[2]?.[1]).toMatch(
      /^3 rules for every task: 104 of 100 bytes, so at most 1 of them can be served, and never b, c: /,
    );
  });

  test("leave no room for one with a matcher, behind them and not before them", () => {
    const all = [
      file("b", "b".repeat(90)),
      file("c", "c".repeat(20), "task: open"),
      file("a", "a".repeat(20), "task: x"),
    ];
    expect(found(all, CROWDED).map(([place]) => place)).toEqual(["never_served warning c.md:5:1"]);
    const fits = [file("b", "b".repeat(90)), file("c", "c".repeat(8), "task: open")];
    expect(found(fits, CROWDED)).toEqual([]);
  });

  test("pinned ones count first, wherever they stand; channel B, other profiles and what is past do not count", () => {
    const late = file("z", "z".repeat(45), "safety: true");
    expect(found([file("a", "a".repeat(54)), late], CROWDED).map(([place]) => place)).toEqual([
      "never_served warning a.md:4:1",
      "always_on_crowds_budget warning profile one",
    ]);
    const others = ["when: {event: locked}", "profile: two", "expires: 2020-01-01", "app: x", "paths: x"];
    const files = others.map((header, i) => file(`a${i}`, `${i}`.repeat(60), header));
    const codes = found([...files, file("z", "z".repeat(90))], [...CROWDED, profile("two", 1_000)], "2021-01-01");
    expect(codes.map(([place]) => place?.split(" ")[0])).toEqual(["past_expiry"]);
  });

  test("a rule names each profile that it is never served under, and many are counted", () => {
    const profiles = [profile("one", 100), profile("two", 110), profile("wide", 9_000)];
    const files = Array.from({ length: 30 }, (_, i) =>
      file(`f${String(i).padStart(2, "0")}`, `${i}`.repeat(40).slice(0, 60)),
    );
    const findings = found(files, profiles);
    expect(findings.at(-1)?.[0]).toBe("always_on_crowds_budget warning profile two");
    expect(findings.at(-1)?.[1]).toContain("f11 and 18 more: ");
    expect(findings[0]?.[1]).toContain("under profile one (");
    expect(findings[0]?.[1]).toContain(", nor under profile two (");
  });
});

describe("what is never served", () => {
  test("a rule for no profile that there is", () => {
    const profiles = [profile("pixel-8", 100), profile("default", 100)];
    expect(found([file("a", "A", "profile: pixel-9")], profiles)).toEqual([
      [
        "never_selected warning a.md:3:1",
        'no profile is called "pixel-9", so the rule is never served: there is default, pixel-8',
      ],
    ]);
    expect(found([file("a", "A", "profile: [pixel-*, iphone-*]")], profiles)).toEqual([
      ["never_selected warning a.md:3:1", 'no profile is called "iphone-*": there is default, pixel-8'],
    ]);
    expect(found([file("a", "A", "profile: [pixel-*, '*']")], profiles)).toEqual([]);
    expect(found([file("a", "A", "profile: pixel-9")], [])).toEqual([]);
  });

  test("a rule on the day that it expires, and not the day before", () => {
    const rule = file("a", "A", "expires: 2027-03-01");
    expect(found([rule], ONE, "2027-02-28")).toEqual([]);
    expect(found([rule], ONE, null)).toEqual([]);
    for (const today of ["2027-03-01", "2030-01-01"]) {
      expect(found([rule], ONE, today)).toEqual([
        ["past_expiry warning a.md:3:1", "not served since 2027-03-01: take it out, or give it another day"],
      ]);
    }
  });
});

describe("a breach by a tool that there is not", () => {
  const rule = file("a", "Never wipe.", "breach: {tool: wipe_al, all: true}", "escalate: end");
  const other = file("b", "Or so.", "breach: {event: wiped}", "escalate: end");
  const said = (tools: readonly string[] | null) =>
    lint([rule, other], ONE, null, tools).findings.map((one) => [
      `${one.rule} ${one.severity} ${one.where}`,
      one.message,
    ]);

  test("is a warning, where the tools are known", () => {
    expect(said(null)).toEqual([]);
    expect(said(["look", "wipe_al"])).toEqual([]);
    const says = 'no tool is called "wipe_al", so nothing can break the rule';
    expect(said([])).toEqual([["unknown_tool warning a.md:3:1", says]]);
    expect(said(["look", "wipe_all"])).toEqual([
      ["unknown_tool warning a.md:3:1", `${says}: did you mean "wipe_all"?`],
    ]);
  });
});

test("the order of the files is nothing, and ten thousand of them are no more than that", () => {
  const files = Array.from({ length: 10_000 }, (_, i) =>
    file(
      `f${i}`,
      `Rule ${i % 9_000}`,
      ...(i % 50 === 0 ? ["id: same", "safety: true"] : []),
      ...(i % 7 ? [] : ["app: [a, b]"]),
    ),
  );
  const profiles = [profile("one", 10_000), profile("two", 8)];
  const straight = lint(files, profiles, "2027-01-01");
  const shuffled = files.toSorted((a, b) => (a.name.at(-1) ?? "").localeCompare(b.name.at(-1) ?? "")).toReversed();
  expect(lint(shuffled, profiles.toReversed(), "2027-01-01")).toEqual(straight);
  expect(new Set(straight.findings.map(({ rule }) => rule))).toEqual(
    new Set([
      ...["always_on_crowds_budget", "duplicate_id", "duplicate_rule"],
      ...["larger_than_budget", "never_served", "safety_exceeds_budget"],
    ]),
  );
});
