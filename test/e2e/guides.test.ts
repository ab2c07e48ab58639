/** The guides as their users use them: from other tools' rules to what a model is told, by the commands of docs/guides.md. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { misbehavingServer } from "signalbox/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { bin, cli, documentIn, folder, ROOT, type Said } from "./stage.ts";

const CONFIG = `import { defineConfig, defineTool, z } from "signalbox";
import { scriptedModel } from "signalbox/testing";
import { readFileSync } from "node:fs";
const setting = JSON.parse(readFileSync(new URL("setting.json", import.meta.url), "utf8"));
const look = defineTool({
  name: "look", description: "looks", placement: "internal", effect: "read", params: z.strictObject({}),
  execute: (_, { emit }) => { emit({ name: "screen", facts: { screen: "lock" } }); return "locked"; },
  summarise: () => "looked",
});
const enter = defineTool({
  name: "enter", description: "enters a code", placement: "internal", effect: "read", params: z.strictObject({}),
  execute: () => "entered", summarise: () => "entered",
});
export default defineConfig({
  model: scriptedModel({ replies: setting.replies ?? [{ kind: "conversation", text: "Done." }] }),
  tools: [look, enter],
  guides: "./guides",
  approvers: { "user:sue": { roles: ["guides"] }, "user:tom": { roles: ["teller"] } },
  ...setting.config,
});
`;

const TYPESCRIPT = `---
description: Error handling in TypeScript: what to throw
globs: **/*.ts, **/*.tsx
alwaysApply: false
---
# Errors

- Return a result for what can be expected. Größe 鍵
`;
const TONE = "---\nalwaysApply: true\n---\nWrite commit messages in the imperative.\n";

const LOCK = `---
id: lock-screen
when: { screen: lock }
breach: { tool: enter }
escalate: end
safety: true
---
If the screen is locked, stop.
`;

function place(setting: object = {}, files: Readonly<Record<string, string>> = {}): string {
  const cwd = folder({ "signalbox.config.ts": CONFIG, "setting.json": JSON.stringify(setting) });
  mkdirSync(join(cwd, "guides"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  return cwd;
}

const SUE = ["--as", "user:sue", "--why", "read with the team"];

function fine(said: Said): Said {
  expect(said).toMatchObject({ code: 0, stderr: "" });
  return said;
}

/** Verifies, approves what `verify` prints, and publishes. */
async function published(cwd: string): Promise<readonly string[]> {
  const verified = documentIn(fine(await cli(cwd, ["guides", "verify", "--json"]))) as {
    rule: string;
    revision: string;
  }[];
  const tokens = verified.map(({ rule, revision }) => `${rule}@${revision}`);
  fine(await cli(cwd, ["guides", "approve", ...tokens, ...SUE]));
  fine(await cli(cwd, ["guides", "publish", "--as", "user:sue"]));
  return tokens;
}

describe("an import", () => {
  test("of several files names each as the project does, and of one that is named twice each once", async () => {
    const cwd = place(
      {},
      { "AGENTS.md": "Be brief.\n", "CLAUDE.md": "Be kind.\n", "web/api/AGENTS.md": "Use the client.\n" },
    );
    const sources = ["AGENTS.md", "./AGENTS.md", "CLAUDE.md", "web", join(cwd, "web/api/AGENTS.md")];
    const report = documentIn(await cli(cwd, ["guides", "import", ...sources, "--json"]));
    expect(report).toMatchObject({
      files: [{ name: "AGENTS.md" }, { name: "CLAUDE.md" }, { name: "web/api/AGENTS.md" }],
      rules: [{ id: "agents" }, { id: "claude" }, { id: "web-api-agents" }],
    });
    expect(readFileSync(join(cwd, "guides/agents.md"), "utf8")).not.toContain("paths");
    expect(readFileSync(join(cwd, "guides/web-api-agents.md"), "utf8")).toContain('paths: "web/api/**"');
    const again = fine(await cli(cwd, ["guides", "import", "."]));
    expect(again.stdout).toContain("3 files seen");
    expect(again.stdout).toContain("0 written to guides, 3 there already");
  });

  test("of a link that is named and stands in a folder that is named too reads it, in either order", async () => {
    const cwd = place({}, { "CLAUDE.md": "Be kind.\n" });
    symlinkSync("CLAUDE.md", join(cwd, "AGENTS.md"));
    for (const sources of [
      [".", "AGENTS.md"],
      ["AGENTS.md", "."],
    ]) {
      const report = documentIn(await cli(cwd, ["guides", "import", ...sources, "--dry-run", "--json"]));
      expect(report, sources.join(" ")).toMatchObject({ seen: 2, refused: 0 });
    }
  });

  test("of files whose drafts cannot be written says all the same what it read", async () => {
    const cwd = place({}, { "AGENTS.md": "Be brief.\n", out: "no folder" });
    const said = await cli(cwd, ["guides", "import", "AGENTS.md", "--out", "out"]);
    expect(said).toMatchObject({ code: 1, stderr: "" });
    expect(said.stdout).toContain("1 file seen");
    expect(said.stdout).toContain("unwritable");
  });

  test("two files elsewhere that have one name are not mixed", async () => {
    const cwd = place({}, { "a/AGENTS.md": "Be brief.\n", "b/AGENTS.md": "Be kind.\n", "c/x": "" });
    const said = await cli(join(cwd, "c"), ["guides", "import", "../a", "../b"]);
    expect(said).toMatchObject({ code: 2, stdout: "" });
    expect(said.stderr).toContain("same_name");
    expect(existsSync(join(cwd, "c/guides"))).toBe(false);
  });

  test("an empty text is no source and no folder", async () => {
    const cwd = place({}, { "AGENTS.md": "Be brief.\n" });
    expect(await cli(cwd, ["guides", "import", ""])).toMatchObject({ code: 2 });
    expect(await cli(cwd, ["guides", "import", "AGENTS.md", "--out", ""])).toMatchObject({ code: 2 });
    expect(existsSync(join(cwd, "guides/agents.md"))).toBe(false);
  });

  test("names what an earlier one made and this one no longer does", async () => {
    const long = (title: string): string => `# ${title}\n\n${"x ".repeat(700)}\n\n`;
    const cwd = place({}, { "AGENTS.md": `${long("A")}${long("B")}` });
    fine(await cli(cwd, ["guides", "import", "AGENTS.md"]));
    writeFileSync(join(cwd, "AGENTS.md"), long("A"));
    const said = fine(await cli(cwd, ["guides", "import", "AGENTS.md"]));
    // Whoever wrote them: a name is all that is known.
    const words = "named like drafts of an earlier import, and not made by this one: agents--a.md, agents--b.md:";
    expect(said.stdout.replace(/\s+/g, " ")).toContain(words);
  });
});

describe("[guide-exact] five commands", () => {
  const cursor = { ".cursor/rules/typescript.mdc": TYPESCRIPT, ".cursor/rules/tone.mdc": TONE };

  test("from a folder of Cursor rules to what a model is told, each as the page has it", async () => {
    const cwd = place({}, cursor);
    const imported = fine(await cli(cwd, ["guides", "import", ".cursor/rules"]));
    expect(imported.stdout).toContain("in all · 2 files seen · 2 imported");
    expect(imported.stdout).toContain("2 written to guides: read them, then signalbox guides verify");
    const verified = fine(await cli(cwd, ["guides", "verify"]));
    const line = /signalbox (guides approve .*)$/m.exec(verified.stdout)?.[1] ?? "";
    const approve = line.replace("WHO", "user:sue").replace(' --why "…"', "").split(" ");
    expect(approve.slice(0, 2)).toEqual(["guides", "approve"]);
    fine(await cli(cwd, [...approve, "--why", "read with the team"]));
    const out = fine(await cli(cwd, ["guides", "publish", "--as", "user:sue"]));
    expect(out.stdout).toMatch(/^ {2}published · tone · [0-9a-f]{12}\n {2}published · typescript · [0-9a-f]{12}\n$/);
    const served = documentIn(await cli(cwd, ["guides", "serve", "--task", "fix web/api.ts", "--json"]));
    expect(served).toMatchObject({
      kind: "plan",
      served: {
        text: "Write commit messages in the imperative.\n\n# Errors\n\n- Return a result for what can be expected. Größe 鍵",
      },
    });
    const other = documentIn(await cli(cwd, ["guides", "serve", "--task", "fix web/api.rb", "--json"]));
    expect(other).toMatchObject({
      served: { text: "Write commit messages in the imperative." },
      unselected: [{ id: "typescript", because: "paths" }],
    });
    const page = readFileSync(join(ROOT, "docs/guides.md"), "utf8");
    for (const command of ["import .cursor/rules", "verify\n", "approve ", "publish --as user:sue", "serve --task"]) {
      expect(page).toContain(`signalbox guides ${command}`);
    }
  });

  test("what a run is told is what serve shows, and explain says it from the ledger", async () => {
    const cwd = place({}, cursor);
    fine(await cli(cwd, ["guides", "import", ".cursor/rules"]));
    await published(cwd);
    const ran = fine(await cli(cwd, ["run", "fix web/api.ts"]));
    expect(ran.stdout).toContain("guide  2 rules, 107 of 2,048 B");
    const shown = fine(await cli(cwd, ["show", "last"]));
    expect(shown.stdout).toContain("Größe 鍵");
    const explained = fine(await cli(cwd, ["guides", "explain", "last", "--text"]));
    expect(explained.stdout).toMatch(/kept +typescript +\d+ B/);
    expect(explained.stdout).toContain("│ - Return a result for what can be expected. Größe 鍵");
    expect(documentIn(await cli(cwd, ["replay", "last", "--json"]))).toMatchObject({ same: true, changed: [] });
    const verified = fine(await cli(cwd, ["ledger", "verify"]));
    expect(verified.stdout).toContain("· 6 rows of the guides · 2 revisions · ");
  });

  test("more files than are looked at: the rule is told, and named", async () => {
    const cwd = place({}, cursor);
    fine(await cli(cwd, ["guides", "import", ".cursor/rules"]));
    await published(cwd);
    const task = Array.from({ length: 1_001 }, (_, i) => `${i}.rb`).join(" ");
    const served = fine(await cli(cwd, ["guides", "serve", "--task", task]));
    expect(served.stdout).toContain("counted as matching, for more than 1,000 files: typescript");
    expect(documentIn(await cli(cwd, ["guides", "serve", "--task", task, "--json"]))).toMatchObject({
      report: { selected: 2, assumed: ["typescript"] },
    });
    const fewer = fine(await cli(cwd, ["guides", "serve", "--task", task.slice(6)]));
    expect(fewer.stdout).not.toContain("counted as matching");
  });

  test("on a terminal the exact bytes are shown and asked for; elsewhere the digest is named", async () => {
    const cwd = place({}, { "guides/lock-screen.md": LOCK });
    fine(await cli(cwd, ["guides", "verify"]));
    const unnamed = await cli(cwd, ["guides", "approve", "lock-screen", ...SUE]);
    expect(unnamed).toMatchObject({ code: 2, stdout: "" });
    expect(unnamed.stderr).toContain("signalbox guides show lock-screen");
    const asked: string[] = [];
    const terminal = (answer: string) => ({
      isTty: true,
      columns: 100,
      env: { NO_COLOR: "1" },
      ask: async (question: string) => {
        asked.push(question);
        return answer;
      },
    });
    const no = await cli(cwd, ["guides", "approve", "lock-screen", ...SUE], terminal("n"));
    expect(no.code).toBe(1);
    for (const text of LOCK.trimEnd().split("\n")) expect(no.stdout).toContain(`│ ${text}`);
    const yes = await cli(cwd, ["guides", "approve", "lock-screen", ...SUE], terminal("y"));
    expect(yes.code).toBe(0);
    expect(asked).toEqual(["Approve this? [y/N] ", "Approve this? [y/N] "]);
  });
});

describe("what is refused, and how it is said", () => {
  test("an unreadable header blocks everything until it is mended or excluded by name", async () => {
    const broken = "---\nid: [\n---\nNever.\n";
    const cwd = place({}, { "guides/tone.md": "---\nid: tone\n---\nBe short.\n" });
    await published(cwd);
    writeFileSync(join(cwd, "guides/broken.md"), broken);
    const lint = await cli(cwd, ["guides", "lint"]);
    expect(lint.code).toBe(1);
    expect(lint.stdout).toMatch(/error +unreadable_header +broken\.md:\d+:\d+:/);
    for (const command of [
      ["guides", "serve", "--task", "x"],
      ["run", "x"],
    ]) {
      const said = await cli(cwd, command);
      expect(said.code).toBe(1);
      expect(said.stdout + said.stderr).toMatch(/unreadable_header/);
      expect(said.stdout + said.stderr).toContain("broken.md");
    }
    expect((await cli(cwd, ["guides", "publish", "tone", "--as", "user:sue"])).stderr).toContain("unreadable_header");
    const config = { guides: { folder: "./guides", exclude: ["broken.md"] } };
    writeFileSync(join(cwd, "setting.json"), JSON.stringify({ config }));
    // In a process of its own: a config is loaded once.
    fine(await bin(cwd, ["guides", "serve", "--task", "x"]));
  });

  test.each([
    ["nobody", ["--as", "user:eve", "--why", "x"], "unknown_approver", 2],
    ["somebody without the role", ["--as", "user:tom", "--why", "x"], "approver_lacks_role", 3],
    ["without a reason", ["--as", "user:sue", "--why", " "], "no_reason", 2],
  ])("an approval by %s", async (_, word, code, exit) => {
    const cwd = place({}, { "guides/lock-screen.md": LOCK });
    const [one] = documentIn(await cli(cwd, ["guides", "verify", "--json"])) as { revision: string }[];
    const said = await cli(cwd, ["guides", "approve", `lock-screen@${one?.revision}`, ...word]);
    expect(said).toMatchObject({ code: exit, stdout: "" });
    expect(said.stderr).toMatch(new RegExp(`^signalbox: ${code}: `));
    expect((await cli(cwd, ["guides", "list"])).stdout).toMatch(/lock-screen +verified/);
  });

  test("bytes that were edited after their approval are not published, and the difference is shown", async () => {
    const cwd = place({}, { "guides/lock-screen.md": LOCK });
    await published(cwd);
    writeFileSync(join(cwd, "guides/lock-screen.md"), LOCK.replace("stop", "try 0000"));
    const said = await cli(cwd, ["guides", "publish", "lock-screen", "--as", "user:sue"]);
    expect(said).toMatchObject({ code: 3, stdout: "" });
    expect(said.stderr).toContain("not_approved");
    const diff = await cli(cwd, ["guides", "diff", "lock-screen"]);
    expect(diff.code).toBe(1);
    expect(diff.stdout).toContain("-If the screen is locked, stop.");
    expect(diff.stdout).toContain("+If the screen is locked, try 0000.");
    expect((await cli(cwd, ["guides", "serve", "--task", "x", "--json"])).stdout).not.toContain("0000");
  });

  test("a revoked safety rule serves nothing until it is withdrawn; the words say so", async () => {
    const cwd = place({}, { "guides/lock-screen.md": LOCK });
    const [token = ""] = await published(cwd);
    const revoked = fine(await cli(cwd, ["guides", "revoke", token, ...SUE]));
    expect(revoked.stdout).toContain("signalbox guides withdraw lock-screen");
    const ran = await cli(cwd, ["run", "unlock"]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/^signalbox: guide_refused: safety_withheld: .*lock-screen/);
    fine(await cli(cwd, ["guides", "withdraw", "lock-screen", ...SUE]));
    fine(await cli(cwd, ["run", "unlock"]));
  });

  test("published, taken back and approved anew, it is published without being named; and not once more", async () => {
    const cwd = place({}, { "guides/lock-screen.md": LOCK });
    const [token = ""] = await published(cwd);
    const publish = () => cli(cwd, ["guides", "publish", "--as", "user:sue"]);
    expect((await publish()).stderr).toMatch(/^signalbox: nothing_approved: /);
    fine(await cli(cwd, ["guides", "revoke", token, ...SUE]));
    expect((await publish()).stderr).toMatch(/^signalbox: nothing_approved: /);
    expect(await published(cwd)).toEqual([token]);
    expect((await publish()).stderr).toMatch(/^signalbox: nothing_approved: /);
    fine(await cli(cwd, ["guides", "withdraw", "lock-screen", ...SUE]));
    await published(cwd);
    fine(await cli(cwd, ["run", "unlock"]));
  });

  test.each([
    ["no folder", { guides: { folder: "./none" } }, "there is no such folder: ", "signalbox guides lint"],
    [
      "a profile that is too small",
      { profiles: { default: { budgetBytes: 9 } } },
      "stale_profile",
      "signalbox guides list",
    ],
  ])("a run that cannot be told its rules says what to do about it: %s", async (_, config, detail, hint) => {
    const cwd = place({}, { "guides/lock-screen.md": LOCK });
    await published(cwd);
    writeFileSync(join(cwd, "setting.json"), JSON.stringify({ config }));
    // In a process of its own: a config is loaded once.
    const said = await bin(cwd, ["run", "x"]);
    expect(said.code).toBe(1);
    expect(said.stderr).toContain("guide_refused");
    expect(said.stderr).toContain(detail);
    expect(said.stderr).toContain(hint);
    expect(said.stderr).not.toContain("larger window");
  });

  test("a config without guides, an unknown rule, a missing task", async () => {
    const cwd = place({ config: { guides: undefined } });
    writeFileSync(join(cwd, "signalbox.config.ts"), CONFIG.replace('  guides: "./guides",\n', ""));
    expect((await cli(cwd, ["guides", "list"])).stderr).toMatch(/^signalbox: no_guides: /);
    const other = place({}, { "guides/lock-screen.md": LOCK });
    expect((await cli(other, ["guides", "show", "lock-scren"])).stderr).toContain("there are lock-screen");
    expect(await cli(other, ["guides", "serve"])).toMatchObject({ code: 2 });
    expect(existsSync(join(other, "signalbox.db"))).toBe(false);
  });
});

describe("[guide-teaching] channel B at the screen", () => {
  test("the run shows the rule when it applies and the watchdog when it is broken", async () => {
    const replies = [
      { kind: "action", tool: "look", params: {} },
      { kind: "action", tool: "enter", params: {} },
    ];
    const cwd = place({ replies }, { "guides/lock-screen.md": LOCK });
    await published(cwd);
    const ran = await cli(cwd, ["run", "unlock it"]);
    expect(ran.code).toBe(3);
    expect(ran.stdout).toContain("no rule served, 0 of 2,048 B · 1 on channel B");
    expect(ran.stdout).toContain("rule lock-screen applies from here on");
    expect(ran.stdout).toContain("rule lock-screen was broken by enter");
    const explained = fine(await cli(cwd, ["guides", "explain", "last"]));
    expect(explained.stdout).toContain("lock-screen was injected by step 1, before turn 2");
    expect(explained.stdout).toContain("lock-screen was broken by enter in step 2 (end)");
    expect(explained.stdout).toContain('event screen in step 1: {"screen":"lock"}');
    expect(explained.stdout).toContain('when screen = "lock"');
    expect(explained.stdout).not.toContain("│");
    const exact =
      /channel B · lock-screen · when screen = "lock" · \d+ bytes · exactly this\n {2}│ If the screen is locked, stop\.\n/;
    expect(fine(await cli(cwd, ["guides", "explain", "last", "--text"])).stdout).toMatch(exact);
    expect(fine(await cli(cwd, ["guides", "serve", "--task", "unlock it"])).stdout).toMatch(exact);
    const document = documentIn(await cli(cwd, ["guides", "explain", "last", "--json"]));
    expect(document).toMatchObject({ events: [{ step: 1, name: "screen", facts: { screen: "lock" } }] });
    const counted = fine(await cli(cwd, ["denials", "--told", "lock-screen", "--since", "all"]));
    expect(counted.stdout).toContain("told lock-screen: no proposal in this time came after it was told");
  });
});

test("a number and a text that looks like one are shown apart", async () => {
  const rule =
    "---\nid: code\nbreach: { tool: enter, code: 1234, pin: '1234', ok: true }\nescalate: warn\n---\nDo not.\n";
  const cwd = place({}, { "guides/code.md": rule });
  await published(cwd);
  const said = fine(await cli(cwd, ["guides", "serve", "--task", "x"]));
  expect(said.stdout).toContain('warn at tool enter, code = 1234, ok = true, pin = "1234"');
});

describe("[guide-signature] signatures", () => {
  const keygen = existsSync("/usr/bin/ssh-keygen");

  test("made by a key file, or by ssh-keygen over the statement, as the page has it", async (context) => {
    if (!keygen) return context.skip("there is no ssh-keygen here");
    const cwd = place({}, { "guides/lock-screen.md": LOCK });
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "sue@desk", "-f", join(cwd, "key")]);
    const key = readFileSync(join(cwd, "key.pub"), "utf8").trim();
    const config = {
      ledgerKey: "sixteen characters",
      guides: { folder: "./guides", signatures: "required" },
      approvers: { "user:sue": { roles: ["guides"], keys: [key] } },
    };
    writeFileSync(join(cwd, "setting.json"), JSON.stringify({ config }));
    const verified = documentIn(await cli(cwd, ["guides", "verify", "--json"])) as { revision: string }[];
    const token = `lock-screen@${verified[0]?.revision.slice(0, 32)}`;
    const unsigned = await cli(cwd, ["guides", "approve", token, ...SUE]);
    expect(unsigned).toMatchObject({ code: 3 });
    expect(unsigned.stderr).toContain("signature_missing");
    const statement = fine(await cli(cwd, ["guides", "statement", token, ...SUE]));
    writeFileSync(join(cwd, "statement"), statement.stdout);
    execFileSync("ssh-keygen", ["-q", "-Y", "sign", "-n", "signalbox-guides", "-f", "key", "statement"], {
      cwd,
      stdio: "ignore",
    });
    const wrong = await cli(cwd, [
      "guides",
      "approve",
      token,
      "--as",
      "user:sue",
      "--why",
      "other words",
      "--signature",
      "statement.sig",
    ]);
    expect(wrong.stderr).toContain("signature_invalid");
    fine(await cli(cwd, ["guides", "approve", token, ...SUE, "--signature", "statement.sig"]));
    fine(await cli(cwd, ["guides", "publish", "--as", "user:sue"]));
    fine(await cli(cwd, ["guides", "serve", "--task", "x"]));
    fine(await cli(cwd, ["guides", "verify"]));
    const again = fine(await cli(cwd, ["guides", "approve", token, ...SUE, "--key", "key"]));
    expect(again.stdout).toContain("signed with SHA256:");
  });
});

describe("signalbox doctor", () => {
  const found = async (cwd: string) => {
    const { checks } = documentIn(await cli(cwd, ["doctor", "--json"])) as { checks: { name: string; code: string }[] };
    return checks.filter(({ name }) => name === "guides").map(({ code }) => code);
  };

  test("says whether the rules could be served", async () => {
    const cwd = place({}, { "guides/lock-screen.md": LOCK });
    expect(await found(cwd)).toEqual(["guides_none"]);
    const [token = ""] = await published(cwd);
    expect(await found(cwd)).toEqual(["guides_served"]);
    writeFileSync(join(cwd, "guides/other.md"), "---\nid: other\n---\n");
    expect(await found(cwd)).toEqual(["guides_lint"]);
    expect((await cli(cwd, ["doctor"])).stdout).toContain("1 error and 0 warnings in 2 files");
    fine(await cli(cwd, ["guides", "revoke", token, ...SUE]));
    expect(await found(cwd)).toEqual(["safety_withheld"]);
  });
});

test("doctor says once that bytes are not those that were approved", async () => {
  const cwd = place({}, { "guides/lock-screen.md": LOCK });
  await published(cwd);
  const db = new DatabaseSync(join(cwd, "signalbox.db"));
  for (const { name } of db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all()) {
    db.exec(`DROP TRIGGER "${String(name)}"`);
  }
  db.exec("UPDATE revisions SET bytes = x'00'");
  db.close();
  const said = await cli(cwd, ["doctor"]);
  expect(said.code).toBe(1);
  expect(said.stdout).toMatch(/failed +ledger +\d+ faults?: signalbox ledger verify lists them\n/);
  expect(said.stdout).toMatch(/failed +guides +nothing is served while the ledger does not hold\n/);
  expect(said.stdout).not.toContain("digest");
});

test("lint names what is excluded and is not there, and what is not read; doctor warns of it", async () => {
  const config = { guides: { folder: "./guides", exclude: ["gone.md", "note.md"] } };
  const files = { "guides/lock-screen.md": LOCK, "guides/note.md": "No rule.", "guides/tone.mdc": TONE };
  const cwd = place({ config }, files);
  const said = fine(await cli(cwd, ["guides", "lint"]));
  expect(said.stdout).toMatch(
    /warning +excludes_no_file +guides\.exclude: no file below the folder is called gone\.md: /,
  );
  expect(said.stdout).toMatch(/warning +file_not_read +guides: not read, since a rule file ends in \.md: tone\.mdc; /);
  expect(said.stdout).toContain("1 file · 1 rule · 0 errors · 2 warnings");
  expect((await cli(cwd, ["doctor"])).stdout).toContain("0 errors and 2 warnings in 1 file");
});

describe("pins", () => {
  test("a plan that changed fails with a readable difference, until it is pinned with a reason", async () => {
    const cwd = place(
      {},
      { "guides/a.md": "---\nid: a\n---\nBe short.\n", "guides/b.md": "---\nid: b\n---\nBe kind.\n" },
    );
    await published(cwd);
    fine(await cli(cwd, ["guides", "pin", "desk", "--task", "anything"]));
    expect(fine(await cli(cwd, ["guides", "check"])).stdout).toMatch(
      /^ {2}same · desk · [0-9a-f]{12}\n {4}task "anything" · profile default\n$/,
    );
    fine(await cli(cwd, ["guides", "withdraw", "b", ...SUE]));
    const changed = await cli(cwd, ["guides", "check"]);
    expect(changed.code).toBe(1);
    expect(changed.stdout).toContain("-| Be kind.");
    expect(changed.stdout).not.toContain("No newline");
    expect(documentIn(await cli(cwd, ["guides", "check", "--json"]))).toMatchObject([
      { name: "desk", ok: false, task: { text: "anything", app: null, paths: [] }, profile: "default" },
    ]);
    const again = await cli(cwd, ["guides", "pin", "desk", "--task", "anything"]);
    expect(again).toMatchObject({ code: 3 });
    expect(again.stderr).toContain("pin_without_reason");
    fine(await cli(cwd, ["guides", "pin", "desk", "--task", "anything", "--reason", "b is gone"]));
    fine(await cli(cwd, ["guides", "check"]));
    const same = fine(await cli(cwd, ["guides", "pin", "desk", "--task", "anything"]));
    expect(same.stdout).toMatch(/^ {2}unchanged · desk · plan [0-9a-f]{12}\n$/);
  });

  test("a pin of what is refused says so", async () => {
    const cwd = place({}, { "guides/lock-screen.md": LOCK });
    const [token = ""] = await published(cwd);
    fine(await cli(cwd, ["guides", "revoke", token, ...SUE]));
    const said = fine(await cli(cwd, ["guides", "pin", "desk", "--task", "anything", "--app", "x", "--path", "a.ts"]));
    expect(said.stdout).toContain("what is pinned is a refusal (safety_withheld)");
    const checked = fine(await cli(cwd, ["guides", "check"]));
    expect(checked.stdout).toContain('task "anything" · app x · a.ts · profile default');
  });
});

describe("signalbox profile measure", () => {
  test("counts with the server's tokeniser, and prints the line for the config", async () => {
    const server = await misbehavingServer({ replies: [] });
    onTestFinished(() => server.close());
    const rule = `---\nid: a\n---\n${"Be short and kind. ".repeat(10)}\n`;
    const model = { baseUrl: server.baseUrl, name: "m" };
    const cwd = place({ config: { model } }, { "guides/a.md": rule });
    const said = fine(await cli(cwd, ["profile", "measure"]));
    expect(said.stdout).toMatch(/measured · default · m · 1 text · 189 bytes · \d+ tokens/);
    const line =
      /^ {4}("default": \{ budgetBytes: 2048, slot: "system_end", .*, measured: "m, its own tokeniser, 1 text, .*\}),$/m;
    const pasted = line.exec(said.stdout)?.[1] ?? "";
    const { declaration, lowest } = documentIn(await cli(cwd, ["profile", "measure", "--json"])) as {
      declaration: object;
      lowest: number;
    };
    expect(declaration).toMatchObject({ budgetBytes: 2_048, contextTokens: 16_384, bytesPerToken: lowest });
    expect(JSON.parse(`{${pasted.replace(/(\w+): /g, '"$1": ').replace(/""/g, '"')}}`)).toEqual({
      default: declaration,
    });
    const none = place({}, { "guides/a.md": rule });
    const scripted = await cli(none, ["profile", "measure"]);
    expect(scripted).toMatchObject({ code: 5, stdout: "" });
    expect(scripted.stderr).toMatch(/^signalbox: no_tokeniser: /);
  });

  test("an unknown profile is refused, what is too short is named, and a server that is down is no lack of a tokeniser", async () => {
    const server = await misbehavingServer({ replies: [] });
    const model = { baseUrl: server.baseUrl, name: "m", retries: 0 };
    const rule = `---\nid: a\n---\n${"Be short and kind. ".repeat(10)}\n`;
    const files = { "guides/a.md": rule, "guides/b.md": "---\nid: b\n---\nBe kind.\n" };
    const cwd = place({ config: { model, profiles: { small: { budgetBytes: 300, slot: "first_user" } } } }, files);
    const unknown = await cli(cwd, ["profile", "measure", "smal"]);
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toContain('unknown_profile: there is no profile "smal": there is default, small');
    const said = fine(await cli(cwd, ["profile", "measure", "small"]));
    expect(said.stdout).toContain("1 text of less than 64 bytes not measured: b\n");
    expect(said.stdout).toContain('"small": { budgetBytes: 300, slot: "first_user", contextTokens: ');
    await server.close();
    const down = await cli(cwd, ["profile", "measure"]);
    expect(down).toMatchObject({ code: 5, stdout: "" });
    expect(down.stderr).toMatch(/^signalbox: model_unreachable: /);
  });
});
