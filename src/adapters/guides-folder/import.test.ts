import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FOREIGN_BYTES_MAX } from "../../domain/imported.ts";
import { readForeign, staleDrafts, writeDrafts } from "./index.ts";
import { aboveTools } from "./read-foreign.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "signalbox-import-"));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

function put(name: string, content: string | Uint8Array = "text\n"): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), content);
}

/** What was read, as name and text or code. */
async function read(path = root, bounds = {}) {
  const found = await readForeign(path, bounds);
  if (!found.ok) return found.why.code;
  const { files, others } = found.value;
  return { others, files: files.map((file) => [file.name, "text" in file ? file.text : file.failed.code]) };
}

describe("reading", () => {
  test("takes the rule files of every tool, hidden folders among them, and counts the rest", async () => {
    const names = [
      ".claude/rules/a.md",
      ".claude/skills/pdf/SKILL.md",
      ".cursor/rules/c.md",
      ".cursor/rules/deep/b.mdc",
      ".cursorrules",
      ".github/copilot-instructions.md",
      ".github/instructions/d.instructions.md",
      ".github/instructions/e.md",
      "AGENTS.md",
      "web/CLAUDE.md",
    ];
    for (const name of names) put(name, `of ${name}`);
    for (const name of ["README.md", "src/x.ts", ".claude/skills/pdf/reference.md", "guides/agents.md"]) put(name);
    for (const name of [".git/AGENTS.md", "node_modules/x/AGENTS.md"]) put(name);
    expect(await read()).toEqual({ others: 4, files: names.map((name) => [name, `of ${name}`]) });
  });

  test("one file is taken whatever it is called, by its own name", async () => {
    put("docs/rules.txt", "x");
    expect(await read(join(root, "docs/rules.txt"))).toEqual({ others: 0, files: [["rules.txt", "x"]] });
  });

  test("a file has the same name whichever part of the project is asked for", async () => {
    const names = [".claude/rules/a.md", ".cursor/rules/b.md", ".cursor/rules/c/RULE.md", "web/api/AGENTS.md"];
    for (const name of names) put(name, name);
    const cwd = root;
    expect(await read(root, { cwd })).toEqual({ others: 0, files: names.map((name) => [name, name]) });
    for (const [source, ...found] of [
      [".claude/rules", ".claude/rules/a.md"],
      [".claude/rules/a.md", ".claude/rules/a.md"],
      [".cursor", ".cursor/rules/b.md", ".cursor/rules/c/RULE.md"],
      ["web/api/AGENTS.md", "web/api/AGENTS.md"],
      ["web", "web/api/AGENTS.md"],
    ] as const) {
      const files = found.map((name) => [name, name]);
      expect(await read(join(root, source), { cwd }), source).toEqual({ others: 0, files });
    }
    // From inside a folder of tools as well, and from elsewhere.
    const inside = join(root, ".cursor/rules");
    for (const from of [{ cwd: inside }, { cwd: join(root, "web") }, {}]) {
      expect(await read(inside, from)).toMatchObject({ files: names.slice(1, 3).map((name) => [name, name]) });
      expect(await read(join(inside, "b.md"), from)).toMatchObject({ files: [[names[1], names[1]]] });
    }
    // A working copy that a tool keeps in its folder is a project of its own.
    put(".claude/worktrees/one/AGENTS.md", "x");
    const copy = join(root, ".claude/worktrees/one");
    expect(await read(copy, { cwd: copy })).toEqual({ others: 0, files: [["AGENTS.md", "x"]] });
  });

  test.each([
    ["/.claude", "/"],
    ["/a/.claude/rules/b", "/a"],
    ["/a/rules", "/a/rules"],
    ["C:\\.claude", "C:\\"],
    ["C:\\.cursor\\rules\\a", "C:\\"],
    ["c:/.github", "c:/"],
    ["C:\\a\\.claude", "C:\\a"],
    ["C:\\", "C:\\"],
  ])("names in %s begin at %s", (folder, base) => {
    expect(aboveTools(folder)).toBe(base);
  });

  test("the folder that drafts go to is not looked into, unless it is what is asked for", async () => {
    put("guides/copilot-instructions.md", "made");
    put("AGENTS.md", "mine");
    const except = join(root, "guides");
    expect(await read(root, { except })).toEqual({ others: 0, files: [["AGENTS.md", "mine"]] });
    expect(await read(except, { except })).toEqual({ others: 0, files: [["copilot-instructions.md", "made"]] });
    expect(await read(root, { except: join(root, "none") })).toMatchObject({ files: [{}, {}] });
    // One that leads nowhere is none, and nothing is wrong with what is asked for.
    symlinkSync("loop", join(root, "loop"));
    expect(await read(root, { except: join(root, "loop/x") })).toMatchObject({ files: [{}, {}] });
  });

  test("a folder of rules that is a link is named; a link elsewhere is one of the rest", async () => {
    put("shared/a.mdc");
    mkdirSync(join(root, "project/.cursor/rules"), { recursive: true });
    symlinkSync("../../../shared", join(root, "project/.cursor/rules/shared"));
    symlinkSync("../shared", join(root, "project/build"));
    symlinkSync("nowhere", join(root, "project/.cursor/rules/gone"));
    const project = join(root, "project");
    expect(await read(project)).toEqual({ others: 2, files: [[".cursor/rules/shared", "symbolic_link"]] });
    expect(await read(join(project, ".cursor/rules/shared"))).toEqual({
      others: 0,
      files: [[".cursor/rules/shared/a.mdc", "text\n"]],
    });
  });

  test("a file has the same name when a link elsewhere leads to it, and a link inside keeps the name that it has", async () => {
    put("shared/a.mdc", "a");
    put("project/web/AGENTS.md", "web");
    put("project/.cursor/rules/b.mdc", "b");
    symlinkSync("../../../shared", join(root, "project/.cursor/rules/shared"));
    symlinkSync("project", join(root, "link"));
    symlinkSync("project/web", join(root, "web"));
    symlinkSync("project/web/AGENTS.md", join(root, "AGENTS.md"));
    const [project, link] = [join(root, "project"), join(root, "link")];
    for (const [cwd, from] of [
      [project, link],
      [link, project],
      [link, link],
    ] as const) {
      for (const [source, ...found] of [
        [join(from, "web"), ["web/AGENTS.md", "web"]],
        [join(from, "web/AGENTS.md"), ["web/AGENTS.md", "web"]],
        [join(root, "web"), ["web/AGENTS.md", "web"]],
        [join(root, "AGENTS.md"), ["web/AGENTS.md", "web"]],
        [join(from, ".cursor/rules/shared"), [".cursor/rules/shared/a.mdc", "a"]],
        [from, [".cursor/rules/b.mdc", "b"], [".cursor/rules/shared", "symbolic_link"], ["web/AGENTS.md", "web"]],
      ] as const) {
        expect(await read(source, { cwd }), source).toEqual({ others: 0, files: found });
        expect(await readForeign(source, { cwd }), source).toMatchObject({ value: { base: cwd } });
      }
    }
    // What is elsewhere has the name that it has there.
    expect(await read(join(root, "shared"), { cwd: project })).toMatchObject({ files: [["a.mdc", "a"]] });
    expect(await read(project, { cwd: join(root, "none") })).toMatchObject({
      files: [{}, {}, ["web/AGENTS.md", "web"]],
    });
  });

  test("what is refused has its size, where it was seen", async () => {
    put("a.mdc", Buffer.from([0x61, 0xff]));
    put("b.mdc", "x".repeat(FOREIGN_BYTES_MAX + 5));
    const found = await readForeign(root);
    const sizes = found.ok ? found.value.files.map((file) => ("failed" in file ? file.bytes : null)) : [];
    expect(sizes).toEqual([2, FOREIGN_BYTES_MAX + 5]);
  });

  test("text is decoded strictly, and the byte order mark stays", async () => {
    put("a.mdc", Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a]));
    put("b.mdc", Buffer.from([0x61, 0xff]));
    put("c.mdc", Buffer.from("a\0b", "utf16le"));
    put("d.mdc", "");
    put("e.mdc", Buffer.from([0xed, 0xa0, 0x80]));
    expect(await read()).toEqual({
      others: 0,
      files: [
        ["a.mdc", "\ufeffa\r\n"],
        ["b.mdc", "not_utf8"],
        ["c.mdc", "a\0\0\0b\0"],
        ["d.mdc", ""],
        ["e.mdc", "not_utf8"],
      ],
    });
  });

  test("what is too large is not read, a byte below it is", async () => {
    put("a.mdc", "x".repeat(FOREIGN_BYTES_MAX));
    put("b.mdc", "x".repeat(FOREIGN_BYTES_MAX + 1));
    const found = await read();
    expect(found).toMatchObject({
      files: [
        ["a.mdc", expect.any(String)],
        ["b.mdc", "too_large"],
      ],
    });
  });

  test("links are not followed, and named; one that is asked for by name is", async () => {
    put("outside/AGENTS.md", "secret");
    put("project/CLAUDE.md", "mine");
    symlinkSync("CLAUDE.md", join(root, "project/AGENTS.md"));
    symlinkSync("../outside", join(root, "project/linked"));
    symlinkSync("loop", join(root, "project/loop"));
    const project = join(root, "project");
    expect(await read(project)).toEqual({
      others: 2,
      files: [
        ["AGENTS.md", "symbolic_link"],
        ["CLAUDE.md", "mine"],
      ],
    });
    expect(await read(join(project, "AGENTS.md"))).toEqual({ others: 0, files: [["AGENTS.md", "mine"]] });
    expect(await read(join(project, "linked"))).toEqual({ others: 0, files: [["AGENTS.md", "secret"]] });
    expect(await read(join(project, "loop"))).toBe("unreadable");
  });

  test.skipIf(process.platform === "win32")("what is no file is named and never waited for", async () => {
    execFileSync("mkfifo", [join(root, "AGENTS.md"), join(root, "other")]);
    expect(await read()).toEqual({ others: 1, files: [["AGENTS.md", "not_a_file"]] });
    expect(await read(join(root, "AGENTS.md"))).toBe("not_a_file");
  });

  test("what is not there or cannot be read has a code", async () => {
    expect(await read(join(root, "none"))).toBe("not_found");
    put("file");
    expect(await read(join(root, "file/none"))).toBe("not_found");
  });

  // Root reads everything.
  test.skipIf(process.getuid?.() === 0)("a folder and a file without permission are named", async () => {
    put("shut/AGENTS.md");
    put("CLAUDE.md");
    chmodSync(join(root, "shut"), 0);
    chmodSync(join(root, "CLAUDE.md"), 0);
    const found = await read();
    chmodSync(join(root, "shut"), 0o700);
    expect(found).toEqual({
      others: 0,
      files: [
        ["CLAUDE.md", "unreadable"],
        ["shut/", "unreadable"],
      ],
    });
  });

  test("bounds are borders: at one it is read, over it nothing is", async () => {
    for (const name of ["a.mdc", "b.mdc", "x/y/c.mdc"]) put(name);
    const bounds = { filesMax: 3, entriesMax: 5, depthMax: 2 };
    expect(await read(root, bounds)).toMatchObject({ files: [["a.mdc", "text\n"], {}, {}] });
    expect(await read(root, { ...bounds, filesMax: 2 })).toBe("too_many_files");
    expect(await read(root, { ...bounds, entriesMax: 4 })).toBe("too_many_files");
    expect(await read(root, { ...bounds, depthMax: 1 })).toBe("too_deep");
  });
});

describe("writing", () => {
  test("drafts of an earlier import that are made no longer are named", async () => {
    for (const name of ["a--one.md", "a--two.md", "b.md", "b--x.md", "c.md", "ab.md", "A--one.md"])
      put(`guides/${name}`);
    const folder = join(root, "guides");
    const drafts = ["a--one.md", "b--x.md", "d.md"].map((file) => ({ file }));
    expect(await staleDrafts(folder, drafts)).toEqual(["a--two.md", "b.md"]);
    expect(await staleDrafts(join(root, "none"), drafts)).toEqual([]);
    // What cannot be read has none, so that the report of the import is not lost.
    put("file");
    for (const name of ["file", "file/guides"]) expect(await staleDrafts(join(root, name), drafts)).toEqual([]);
  });

  const draft = (file: string, text = "new\n") => ({ file, text });
  const guides = () => join(root, "guides/imported");

  test("makes the folder and the files, and nothing else", async () => {
    expect(await writeDrafts(guides(), [draft("a.md"), draft("b--c.md", "Ä\r\n")])).toEqual([
      { file: "a.md", outcome: "written" },
      { file: "b--c.md", outcome: "written" },
    ]);
    expect(readdirSync(guides()).sort()).toEqual(["a.md", "b--c.md"]);
    expect(readFileSync(join(guides(), "b--c.md"), "utf8")).toBe("Ä\r\n");
  });

  test("again changes nothing", async () => {
    await writeDrafts(guides(), [draft("a.md")]);
    expect(await writeDrafts(guides(), [draft("a.md")])).toEqual([{ file: "a.md", outcome: "unchanged" }]);
  });

  test("never touches other content, and goes on with the rest", async () => {
    put("guides/imported/a.md", "mine\n");
    put("guides/imported/b.md", "new");
    expect(await writeDrafts(guides(), [draft("a.md"), draft("b.md"), draft("c.md")])).toMatchObject([
      { file: "a.md", outcome: "refused", code: "other_content" },
      { file: "b.md", outcome: "refused", code: "other_content" },
      { file: "c.md", outcome: "written" },
    ]);
    expect(readFileSync(join(guides(), "a.md"), "utf8")).toBe("mine\n");
    expect(readFileSync(join(guides(), "b.md"), "utf8")).toBe("new");
    expect(readdirSync(guides()).sort()).toEqual(["a.md", "b.md", "c.md"]);
  });

  test("writes through no link, and over no folder", async () => {
    put("target.md", "new\n");
    mkdirSync(join(guides(), "b.md"), { recursive: true });
    symlinkSync(join(root, "target.md"), join(guides(), "a.md"));
    symlinkSync(join(root, "none.md"), join(guides(), "c.md"));
    expect(await writeDrafts(guides(), [draft("a.md"), draft("b.md"), draft("c.md")])).toMatchObject([
      { code: "not_a_file" },
      { code: "not_a_file" },
      { code: "not_a_file" },
    ]);
    expect(readdirSync(root).sort()).toEqual(["guides", "target.md"]);
  });

  test.each(["../a.md", "/a.md", "a/b.md", "a.txt", ".a.md", "A.md", "a\0.md", `${"a".repeat(65)}.md`, "a.md\n"])(
    "a name that no import gives is refused: %j",
    async (file) => {
      expect(await writeDrafts(guides(), [draft(file)])).toMatchObject([{ outcome: "refused", code: "bad_name" }]);
      expect(readdirSync(guides())).toEqual([]);
    },
  );

  test("a folder that cannot be made refuses every file", async () => {
    put("guides", "a file");
    expect(await writeDrafts(guides(), [draft("a.md"), draft("b.md")])).toMatchObject([
      { file: "a.md", outcome: "refused", code: "unwritable" },
      { file: "b.md", outcome: "refused", code: "unwritable" },
    ]);
  });

  test("two imports at once write each file once", async () => {
    const drafts = Array.from({ length: 20 }, (_, i) => draft(`r${i}.md`, `text ${i}\n`));
    const all = await Promise.all([1, 2, 3].map(() => writeDrafts(guides(), drafts)));
    for (const [i] of drafts.entries()) {
      const outcomes = all.map((written) => written[i]?.outcome);
      expect(outcomes.filter((outcome) => outcome === "written").length).toBe(1);
      expect(outcomes.filter((outcome) => outcome === "unchanged").length).toBe(2);
    }
    expect(readdirSync(guides()).length).toBe(20);
  });
});
