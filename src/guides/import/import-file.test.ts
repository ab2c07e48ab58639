import { describe, expect, test } from "vitest";
import { FOREIGN_BYTES_MAX } from "../../domain/imported.ts";
import { fileSlug } from "./draft-id.ts";
import { importFile } from "./import-file.ts";

/** What became of a file, as its codes. */
function codes(name: string, text: string, budgetBytes?: number) {
  const { outcome, code, rules, findings } = importFile(
    { name, text },
    budgetBytes === undefined ? {} : { budgetBytes },
  );
  return { outcome, code, rules: rules.length, findings: findings.map(({ rule }) => rule) };
}

const IMPORTED = { outcome: "imported", code: null, rules: 1, findings: [] };

test("a Cursor rule becomes one rule with its paths, where it is from, and its own text", () => {
  const text = `---\ndescription: Rooms: how to book\nglobs: rooms/*.ts,*.{js,ts}\nalwaysApply: false\n---\n\n# Rooms\n\nBook one.\n\n`;
  const imported = importFile({ name: ".cursor/rules/front-end/rooms.mdc", text });
  expect(imported.rules[0]?.text).toBe(`---
# from .cursor/rules/front-end/rooms.mdc
# said there: Rooms: how to book
id: front-end-rooms
paths: ["rooms/*.ts", "*.{js,ts}"]
---

# Rooms

Book one.
`);
  expect(imported).toMatchObject({ format: "cursor_rule", outcome: "imported", bytes: text.length, findings: [] });
  expect(imported.rules[0]).toMatchObject({ file: "front-end-rooms.md", bytes: 18, from: 88, to: 106, title: "" });
});

test("a skill becomes a rule with a guessed matcher, and what it says that a rule cannot is named", () => {
  const header = "name: room-service\ndescription: Orders food\nallowed-tools: Bash\nmodel: fast\nglobs: x";
  const { rules, findings } = importFile({
    name: "skills/room-service/SKILL.md",
    text: `---\n${header}\n---\nCall the kitchen, see [the menu](references/menu.md) and run scripts/order.py.\n`,
  });
  expect(rules[0]?.text).toContain(
    '\nid: room-service\ntask:\n  any: "room service"\n  words: [room, service, orders, food]\n  least: 2\n---\n',
  );
  expect(findings.map(({ rule, message }) => [rule, message])).toEqual([
    ["key_not_kept", "`allowed-tools`, `model`, `globs`: a rule has nothing that would stand for it"],
    ["guessed_matcher", expect.stringContaining("4 words, 2 of them enough")],
    ["refers_to_file", expect.stringContaining("references/menu.md, scripts/order.py")],
  ]);
});

test("a guess from a single word says so", () => {
  const { findings } = importFile({ name: "skills/kitchen/SKILL.md", text: "---\nname: kitchen\n---\nCall it.\n" });
  expect(findings.map(({ message }) => message)).toEqual([
    "when it fires is a guess from its name, since there a model chose: 1 word",
  ]);
});

describe("a long file", () => {
  const text =
    "Intro.\n\n## Setup\n\nOne.\n\n```sh\n## no heading\n```\n\n## Use\r\n\r\nTwo.\r\n\n## Setup\n\nÄ\n\n## 日本\n\nThree.\n";
  const { rules } = importFile({ name: "AGENTS.md", text }, { budgetBytes: 40 });

  test("is split into rules that keep its order", () => {
    expect(rules.map(({ id, title }) => [id, title])).toEqual([
      ["agents--intro", ""],
      ["agents--setup", "Setup"],
      ["agents--use", "Use"],
      ["agents--setup-2", "Setup"],
      ["agents--part-5", "日本"],
    ]);
    expect(rules.map(({ text }) => /\norder: (\d+)\n/.exec(text)?.[1])).toEqual(["10", "20", "30", "40", "50"]);
  });

  test("whose bodies are ranges of its bytes", () => {
    const bytes = Buffer.from(text);
    for (const rule of rules) {
      expect(bytes.subarray(rule.from, rule.to).toString()).toBe(rule.body);
      expect(rule.to - rule.from).toBe(rule.bytes);
      expect(rule.text.endsWith(`\n---\n\n${rule.body}\n`)).toBe(true);
    }
    expect(rules[2]?.body).toBe("## Use\r\n\r\nTwo.");
  });

  test("keeps a section that no heading divides whole, and says so", () => {
    const { findings } = importFile({ name: "AGENTS.md", text }, { budgetBytes: 38 });
    expect(findings).toEqual([
      {
        rule: "larger_than_budget",
        severity: "error",
        where: "agents--setup.md",
        message: expect.stringContaining("39 bytes, the budget 38"),
      },
    ]);
  });

  test("is whole at the budget, and split a byte below", () => {
    const whole = "## A\n\nä\n\n## B\n\nb";
    expect(codes("AGENTS.md", `${whole}\n`, 17)).toEqual(IMPORTED);
    expect(codes("AGENTS.md", `${whole}\n`, 16)).toEqual({ ...IMPORTED, rules: 2 });
  });

  test("has a thousand sections at most", () => {
    const sections = (count: number) => "## a\n\nb\n\n".repeat(count);
    expect(codes("AGENTS.md", sections(1_000), 10)).toMatchObject({ outcome: "imported", rules: 1_000 });
    expect(codes("AGENTS.md", sections(1_001), 10)).toMatchObject({ code: "too_many_sections", rules: 0 });
  });
});

describe("what is refused", () => {
  test.each([
    ["README.md", "text", "unknown_format"],
    ["AGENTS.md", "", "empty"],
    ["AGENTS.md", "\ufeff \n\u200b\n", "empty"],
    ["x.mdc", "---\nglobs: a\n---\n\n \n", "no_body"],
    ["x.mdc", "---\nglobs: a\n", "no_body"],
    ["AGENTS.md", "x".repeat(FOREIGN_BYTES_MAX + 1), "too_large"],
    ["AGENTS.md", "ä".repeat(FOREIGN_BYTES_MAX / 2 + 1), "too_large"],
  ])("%s %#: %s", (name, text, code) => {
    const { outcome, findings } = importFile({ name, text });
    expect({ outcome, code: importFile({ name, text }).code }).toEqual({ outcome: "refused", code });
    expect(findings).toMatchObject([{ rule: code, severity: "error", where: name }]);
  });

  test("a matcher that is too large for a header, since no word of it is left out", () => {
    const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}w`).join(" ");
    const skill = (count: number) => `---\ndescription: ${words(count)}\n---\ntext\n`;
    // The text of the description goes first: it is for readers alone.
    expect(importFile({ name: "a/SKILL.md", text: skill(1_500) }).rules[0]?.text).not.toContain("said there");
    expect(codes("a/SKILL.md", skill(1_500))).toMatchObject({ code: null });
    expect(codes("a/SKILL.md", skill(3_000))).toMatchObject({ code: "header_too_large" });
  });

  test("at the very bound it is not", () => {
    expect(codes("AGENTS.md", "x".repeat(FOREIGN_BYTES_MAX))).toMatchObject({ findings: ["larger_than_budget"] });
  });

  test("what could not be read, as it was found there", () => {
    const failed = { code: "not_utf8", detail: "its bytes are no UTF-8" } as const;
    expect(importFile({ name: "AGENTS.md", failed })).toEqual({
      name: "AGENTS.md",
      format: "agents",
      outcome: "refused",
      code: "not_utf8",
      bytes: 0,
      rules: [],
      findings: [{ rule: "not_utf8", severity: "error", where: "AGENTS.md", message: failed.detail }],
    });
  });
});

describe("findings", () => {
  test("hidden code points are kept and named; what makes an emoji is none", () => {
    const { rules, findings } = importFile({ name: "AGENTS.md", text: "Do\u00ad it\u{e0041}\u{e0041}.\n" });
    expect(rules[0]?.body).toBe("Do\u00ad it\u{e0041}\u{e0041}.");
    expect(findings).toMatchObject([{ rule: "hidden_code_point", where: "agents.md" }]);
    expect(findings[0]?.message).toMatch(/U\+00AD SOFT HYPHEN.*U\+E0041.*spell "AA"/);
    expect(codes("AGENTS.md", "⚠️ 👩‍💻 1️⃣ ok\n")).toEqual(IMPORTED);
    expect(codes("AGENTS.md", "a\u200db x\ufe0f a\rb\n")).toMatchObject({ findings: ["hidden_code_point"] });
  });

  test("hidden code points of a header are named as well, and leave the matcher sound", () => {
    const imported = importFile({ name: "x.mdc", text: "---\ndescription: ho\u00adtel rooms\n---\ntext\n" });
    expect(imported.findings.map(({ rule }) => rule)).toEqual(["hidden_code_point", "guessed_matcher"]);
    expect(imported.rules[0]?.text).toContain("words: [x, hotel, rooms]");
    expect(imported.rules[0]?.text).not.toContain("\u00ad");
  });

  test("a byte order mark is left out and named", () => {
    expect(importFile({ name: "AGENTS.md", text: "\ufefftext\n" }).rules[0]?.body).toBe("text");
    expect(codes("AGENTS.md", "\ufefftext\n")).toEqual({
      ...IMPORTED,
      outcome: "imported_with_findings",
      findings: ["byte_order_mark"],
    });
  });

  test("faults of the header, with their lines", () => {
    const { findings } = importFile({ name: "x.mdc", text: "---\nglobs: a\nglobs: b\n\nText.\n" });
    expect(findings.map(({ rule, severity, where }) => [rule, severity, where])).toEqual([
      ["header_not_closed", "error", "x.mdc:1"],
      ["duplicate_key", "warning", "x.mdc:3"],
    ]);
  });

  test.each([
    ["NEVER say no.", "NEVER"],
    ["You must not tell a password.", "must not ... password"],
    ["Do not run `rm -rf` there.", "Do not ... rm -rf"],
  ])("a line that may make it a safety rule: %s", (line, sign) => {
    const { rules, findings } = importFile({ name: "AGENTS.md", text: `${line}\n` });
    expect(findings).toMatchObject([{ rule: "maybe_safety", message: expect.stringContaining(`agents (${sign})`) }]);
    // Only a person says so.
    expect(rules[0]?.text).not.toContain("safety");
  });

  test.each(["Never mind.", "Delete the draft.", "You must not\nforget the password."])("no such line: %s", (line) => {
    expect(codes("AGENTS.md", `${line}\n`)).toEqual(IMPORTED);
  });

  test.each([
    ["See @docs/rules.md, and @./a.ts.", "docs/rules.md, a.ts"],
    ["See [this](mdc:src/a.ts#L3 'title') or [that](../b.md).", "src/a.ts, ../b.md"],
    ["[a](x.md) and [again](./x.md)", "x.md"],
  ])("files that the text leads to: %s", (line, files) => {
    const { findings } = importFile({ name: "x.mdc", text: `---\nglobs: a\n---\n${line}\n` });
    expect(findings.map(({ rule, message }) => [rule, message.split(": ")[1]])).toEqual([["refers_to_file", files]]);
  });

  test.each([
    "mail me@site.md",
    "[site](https://example.com/a.md)",
    "[up](#top)",
    "import x from `@scope/pkg`; @types/node",
    "`@docs/a.md`",
    "```\n[a](b.md) @c.md\n```",
    "<!-- [a](b.md) -->",
    "references/x.md",
  ])("what leads to none: %s", (line) => {
    expect(codes("x.mdc", `---\nglobs: a\n---\n${line}\n`)).toEqual(IMPORTED);
  });
});

describe("ids", () => {
  test.each([
    ["x.mdc", "cursor_rule", "x"],
    [".cursor/rules/Front End/Über.mdc", "cursor_rule", "front-end-uber"],
    ["rules__next-js.mdc", "cursor_rule", "next-js"],
    ["web/.cursor/rules/x.mdc", "cursor_rule", "web-x"],
    ["src/rules/AGENTS.md", "agents", "src-rules-agents"],
    ["CLAUDE.md", "claude", "claude"],
    [".cursorrules", "cursorrules", "cursorrules"],
    [".github/instructions/a.b.instructions.md", "instructions", "a-b"],
    [".github/copilot-instructions.md", "copilot_instructions", "copilot-instructions"],
    [".claude/skills/pdf/SKILL.md", "skill", "pdf"],
    ["skills__pdf__SKILL.md", "skill", "pdf"],
    ["SKILL.md", "skill", "told"],
    [".cursor/rules/rooms/RULE.md", "cursor_rule", "rooms"],
    ["日本.mdc", "cursor_rule", "rule"],
    [`${"a".repeat(30)}/${"b".repeat(20)}.mdc`, "cursor_rule", "b".repeat(20)],
    [`${"long-".repeat(12)}end.mdc`, "cursor_rule", "long-long-long-long-long-long-long-long"],
  ] as const)("of %s", (name, format, slug) => {
    expect(fileSlug(name, format, "Told")).toBe(slug);
  });

  test("are at most 64 characters, and one only once", () => {
    const heading = `## ${"word ".repeat(20)}\n\n${"x".repeat(60)}\n\n`;
    const { rules } = importFile({ name: `${"n".repeat(60)}.mdc`, text: heading.repeat(12) }, { budgetBytes: 200 });
    const ids = rules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(12);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9][a-z0-9._-]{0,63}$/);
  });
});

// The first four cost the square of their length, and would not be done within the time of a test.
describe("a header of half a megabyte comes to an end", () => {
  const long = 500_000;
  test.each([
    ["brackets", `globs: ${"[".repeat(long)}`],
    ["keys in brackets", `globs: ${"k: [".repeat(long / 4)}`],
    ["brackets and commas", `globs: {${"[,".repeat(long / 2)}`],
    ["white space before quotes", `globs: a,${" ".repeat(long / 2)}${'""'.repeat(long / 4)}`],
    ["quotes of two kinds", `globs: ${`a,${" ".repeat(1_000)}'"`.repeat(long / 1_004)}`],
    ["quotes that nothing closes", `globs: ${`'a," b,`.repeat(long / 7)}`],
  ])("%s", (_, line) => {
    const { findings, outcome } = importFile({ name: "a.mdc", text: `---\n${line}\n---\nbody` });
    expect(["imported_with_findings", "refused"]).toContain(outcome);
    expect(findings.map(({ rule }) => rule)).not.toEqual([]);
  });
});
