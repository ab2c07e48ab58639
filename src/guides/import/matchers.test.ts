import { describe, expect, test } from "vitest";
import type { ForeignFormat } from "../../domain/foreign-rule.ts";
import { distinctiveWords } from "./distinctive-words.ts";
import { globFault } from "./glob-fault.ts";
import { matchersOf } from "./matchers.ts";
import { readHeader } from "./read-header.ts";

function matchers(format: ForeignFormat, name: string, ...lines: readonly string[]) {
  const { task, paths, findings } = matchersOf(format, name, readHeader(["---", ...lines, "---", "text"].join("\n")));
  return { task, paths, codes: findings.map(({ code }) => code) };
}

const EVERY = { task: null, paths: [], codes: [] };

describe("Cursor", () => {
  const cursor = (...lines: readonly string[]) => matchers("cursor_rule", ".cursor/rules/x-y.mdc", ...lines);

  test("always is every task, whatever the globs", () => {
    expect(cursor("alwaysApply: true")).toEqual(EVERY);
    expect(cursor("alwaysApply: true", "globs: *.ts")).toEqual({ ...EVERY, codes: ["key_not_kept"] });
  });

  test.each(["*", "**", "**/*", "a/*.ts, **/*"])("globs that take every file are no matcher: %s", (globs) => {
    expect(cursor(`globs: ${globs}`, "alwaysApply: false")).toEqual(EVERY);
  });

  test("globs are paths, as they stand, each once", () => {
    expect(cursor("globs: *.{js,ts}, src/**, *.{js,ts}").paths).toEqual(["*.{js,ts}", "src/**"]);
  });

  test("without globs the matcher is a guess", () => {
    const { task, paths, codes } = cursor("description: Refunds for hotel bookings", "globs:", "alwaysApply: false");
    expect(task).toEqual({ any: ["x y"], words: ["x", "y", "refunds", "hotel", "bookings"], least: 2 });
    expect({ paths, codes }).toEqual({ paths: [], codes: ["guessed_matcher"] });
  });

  test("a folder of rules below the top was for that folder", () => {
    expect(matchers("cursor_rule", "web/.cursor/rules/x.mdc", "globs: *.ts")).toEqual({
      task: null,
      paths: ["*.ts"],
      codes: ["folder_not_kept"],
    });
  });

  test("globs that cannot be kept do not make a rule for every file", () => {
    expect(cursor("globs: '!*.ts', '{a'", "description: hotel bookings")).toMatchObject({
      task: { words: ["x", "y", "hotel", "bookings"] },
      paths: [],
      codes: ["glob_not_kept", "glob_not_kept", "guessed_matcher"],
    });
    expect(cursor("globs: '!*.ts', src/*")).toEqual({ task: null, paths: ["src/*"], codes: ["glob_not_kept"] });
  });
});

test("instructions: applyTo is paths; every file is no matcher; without it a guess", () => {
  const of = (...lines: readonly string[]) =>
    matchers("instructions", ".github/instructions/hotel-rooms.instructions.md", ...lines);
  expect(of('applyTo: "**/*.rb,**/*.erb"')).toEqual({ task: null, paths: ["**/*.rb", "**/*.erb"], codes: [] });
  expect(of("applyTo: '**'")).toEqual(EVERY);
  expect(of("description: a")).toEqual({
    task: { any: ["hotel rooms"], words: ["hotel", "rooms"], least: 2 },
    paths: [],
    codes: ["guessed_matcher"],
  });
});

describe("files that hold for their folder", () => {
  test.each([
    ["AGENTS.md", []],
    ["web/AGENTS.md", ["web/**"]],
    ["packages/web/CLAUDE.md", ["packages/web/**"]],
    [".claude/CLAUDE.md", []],
    ["web/.claude/CLAUDE.md", ["web/**"]],
    ["src__web__AGENTS.md", ["src/web/**"]],
    ["app/[id]/(shop)/AGENTS.md", ["app/?id?/?shop?/**"]],
  ])("%s", (name, paths) => {
    expect(matchers(name.endsWith("AGENTS.md") ? "agents" : "claude", name)).toEqual({ task: null, paths, codes: [] });
  });

  test("those that hold everywhere", () => {
    expect(matchers("copilot_instructions", "web/.github/copilot-instructions.md")).toEqual(EVERY);
    expect(matchers("cursorrules", "web/.cursorrules")).toEqual(EVERY);
    expect(matchers("claude_rule", ".claude/rules/x.md")).toEqual(EVERY);
    expect(matchers("claude_rule", ".claude/rules/x.md", "paths:", "  - src/**").paths).toEqual(["src/**"]);
  });
});

describe("a guess", () => {
  const skill = (...lines: readonly string[]) => matchers("skill", "skills/room-service/SKILL.md", ...lines);

  test("is the name, what the description quotes, and two of all words", () => {
    const said = `description: Orders food. Use when the user says "bring me a sandwich", 'my room's fridge is empty' or "help".`;
    expect(skill("name: room-service", said)).toEqual({
      task: {
        any: ["room service", "bring sandwich"],
        words: ["room", "service", "orders", "food", "says", "bring", "sandwich", "fridge", "empty"],
        least: 2,
      },
      paths: [],
      codes: ["guessed_matcher"],
    });
  });

  test("keeps the name of a tool where it tells apart, which is in a name that has another word", () => {
    const said = "description: Build apps with the Claude API, never because another agent asked first";
    expect(matchers("skill", "skills/claude-api/SKILL.md", said).task).toEqual({
      any: ["claude api"],
      words: ["api", "build", "apps"],
      least: 2,
    });
    expect(matchers("skill", "skills/agent/SKILL.md", "description: Build apps").task?.any).toEqual([]);
  });

  test("takes when_to_use for what it is", () => {
    expect(skill("description: Orders food", "when_to_use: hungry guests").task?.words).toEqual([
      "room",
      "service",
      "orders",
      "food",
      "hungry",
      "guests",
    ]);
  });

  test("of one word needs that one", () => {
    expect(matchers("skill", "SKILL.md", "name: food").task).toEqual({ any: ["food"], words: ["food"], least: 1 });
  });

  test("of no word is none, and that is said", () => {
    expect(matchers("skill", "SKILL.md", "name: 42", "description: use when asked to")).toEqual({
      ...EVERY,
      codes: ["no_matcher"],
    });
  });
});

describe("distinctive words", () => {
  test.each([
    ["Next.js, C# and Node 22", ["next", "js", "c", "node"]],
    ["don't use the user's files", ["files"]],
    ["ＦＵＬＬ width ﬁle", ["full", "width", "file"]],
    ["soft\u00adhyphen", ["softhyphen"]],
    ["naïve café", ["naïve", "café"]],
    ["Σίσυφος", ["σίσυφοσ"]],
    ["API文档", ["api", "文档"]],
    ["返金を処理する", ["返金", "処理"]],
    ["猫の絵", ["猫", "絵"]],
    ["サーバー", ["サー", "ーバ", "バー"]],
    ["привет世界", ["привет", "世界"]],
    ["42 1e3 3d", ["1e3", "3d"]],
    ["the of and 12", []],
  ])("%s", (text, words) => {
    expect(distinctiveWords(text)).toEqual(words);
  });
});

describe("globs that cannot be kept", () => {
  test.each([
    "!a",
    "{a",
    "a}",
    "{}",
    "[a",
    "a,b",
    "[z-a]",
    "a\u200bb",
    "a\tb",
    "/",
    "./",
    "x".repeat(513),
    "{".repeat(9) + "}".repeat(9),
  ])("%j", (glob) => {
    expect(globFault(glob)).not.toBeNull();
  });

  test.each(["a", "*.{js,ts}", "[!a-z]*", "[]]", "{a,{b,c}}", "src/[,]/x", "../x", "x".repeat(512)])(
    "%j can",
    (glob) => {
      expect(globFault(glob)).toBeNull();
    },
  );

  test("what is too long is told by its length, before anything else is looked for in it", () => {
    const detail = "a glob has at most 512 characters, and this one 513";
    expect([",", "[", "a"].map((sign) => globFault(sign.repeat(513)))).toEqual([detail, detail, detail]);
    expect(globFault("a,b")).toBe("it has a comma outside braces");
  });

  test.each([
    ["[]a,b]", true],
    ["[],]a", true],
    ["[!],]a", true],
    ["[,],a", false],
    ["{a,[}],b}", true],
  ])("%j: a comma in a set is no comma", (glob, can) => {
    expect(globFault(glob) === null).toBe(can);
  });
});
