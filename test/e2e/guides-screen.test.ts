/** The tables of the guides on terminals of several widths, and where nobody looks. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { columnsOf } from "../../src/apps/cli/text.ts";
import { cli, folder, type Said } from "./stage.ts";

const CONFIG = `import { defineConfig, defineTool, z } from "signalbox";
import { scriptedModel } from "signalbox/testing";
import { readFileSync } from "node:fs";
const setting = JSON.parse(readFileSync(new URL("setting.json", import.meta.url), "utf8"));
const enter = defineTool({
  name: "enter", description: "enters a code", placement: "internal", effect: "read", params: z.strictObject({}),
  execute: () => "entered", summarise: () => "entered",
});
export default defineConfig({
  model: scriptedModel({ replies: [{ kind: "conversation", text: "Done." }] }),
  tools: [enter],
  guides: "./guides",
  approvers: { "user:sue": { roles: ["guides"] } },
  ...setting,
});
`;

const PARTS = ["errors-part-a", "errors-part-b"].map((end) => `a-rule-with-a-rather-long-name-about-typescript-${end}`);
const WATCHED = `when: { screen: lock }
breach: { tool: enter, code: 1234, where: "a rather long place where it happens" }
escalate: end
safety: true
`;

function rule(id: string, body: string, header = ""): readonly [string, string] {
  return [`${id}.md`, `---\nid: ${id}\n${header}---\n${body}\n`];
}

function place(rules: readonly (readonly [string, string])[], setting: object = {}): string {
  const cwd = folder({ "signalbox.config.ts": CONFIG, "setting.json": JSON.stringify(setting) });
  mkdirSync(join(cwd, "guides"));
  for (const [name, text] of rules) writeFileSync(join(cwd, "guides", name), text);
  return cwd;
}

const LONG = [
  ...PARTS.map((id) => rule(id, "Return a result for what can be expected.")),
  rule("lock-screen", "Stop.", WATCHED),
  ...[1, 2, 3, 4].map((n) => rule(`z-filler-${n}`, `${n}${"x".repeat(700)}`)),
];

async function published(cwd: string): Promise<void> {
  const verified = JSON.parse((await cli(cwd, ["guides", "verify", "--json"])).stdout) as {
    rule: string;
    revision: string;
  }[];
  const tokens = verified.map((one) => `${one.rule}@${one.revision}`);
  expect((await cli(cwd, ["guides", "approve", ...tokens, "--as", "user:sue", "--why", "read"])).code).toBe(0);
  expect((await cli(cwd, ["guides", "publish", "--as", "user:sue"])).code).toBe(0);
}

const at = (columns: number) => ({ isTty: true, columns, env: { NO_COLOR: "1" } });
const linesOf = ({ stdout }: Said): readonly string[] => stdout.trimEnd().split("\n");

describe.each([40, 60, 80, 120])("%i columns", (columns) => {
  test("no table is wider, no digest is broken, and names stay apart", async () => {
    const cwd = place(LONG, { profiles: { default: {}, [`a-profile-${"x".repeat(60)}`]: { budgetBytes: 9_000 } } });
    await published(cwd);
    const [, digest = ""] =
      /lock-screen +published +([0-9a-f]{12}) /.exec((await cli(cwd, ["guides", "list"])).stdout) ?? [];
    await cli(cwd, ["run", "fix web/a.ts"]);
    for (const command of [["list"], ["serve", "--task", "x"], ["explain", "last"], ["lint"]]) {
      const lines = linesOf(await cli(cwd, ["guides", ...command], at(columns)));
      expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(columns);
      if (command[0] === "lint") continue;
      expect(lines.join("\n")).toMatch(new RegExp(`(^|\\s)${digest}(\\s|$)`, "m"));
      const named = lines.filter((line) => /\ba-rule.*part-[ab]\b/.test(line)).map((line) => line.trim());
      expect(new Set(named).size).toBe(2);
    }
  });

  test("a bar is whole, and stands where the others do", async () => {
    const cwd = place(LONG, {
      profiles: { default: {}, "a-profile-of-a-model": { budgetBytes: 9_000 } },
    });
    const bars = linesOf(await cli(cwd, ["guides", "lint"], at(columns))).filter((line) => line.includes("▕"));
    expect(bars).toHaveLength(2);
    expect(new Set(bars.map((line) => line.indexOf("▕"))).size).toBe(1);
    for (const bar of bars) expect(bar).toMatch(/▕[█░]{24}▏/);
  });
});

test("a digest that is shown whole is in one line", async () => {
  const cwd = place(LONG);
  const { digest } = JSON.parse((await cli(cwd, ["guides", "show", "lock-screen", "--json"])).stdout) as {
    digest: string;
  };
  for (const columns of [40, 60, 80]) {
    expect((await cli(cwd, ["guides", "show", "lock-screen"], at(columns))).stdout).toContain(digest);
  }
});

test("what nobody looks at is not cut", async () => {
  const cwd = place(LONG);
  await published(cwd);
  for (const command of [["list"], ["serve", "--task", "x"]]) {
    const { stdout } = await cli(cwd, ["guides", ...command]);
    for (const id of PARTS) expect(stdout).toContain(id);
    expect(stdout).not.toContain("…");
  }
  const small = place(LONG.slice(0, 2), { profiles: { default: { budgetBytes: 60 } } });
  await published(small);
  expect((await cli(small, ["run", "x"])).stdout).toContain(`1 dropped (after_the_stop: ${PARTS[1]})`);
});

describe("what is found in many rules in the same words", () => {
  test("is said once, with the places below it; the summary is last, and --json has each", async () => {
    const cwd = place(Array.from({ length: 40 }, (_, n) => rule(`r${n}`, `${n}${"x".repeat(300)}`)));
    const says = "comes before it";
    for (const terminal of [{}, at(80), at(60)]) {
      const said = await cli(cwd, ["guides", "lint"], terminal);
      const text = said.stdout.replace(/\s+/g, " ");
      expect(text.split(says)).toHaveLength(2);
      for (let n = 14; n < 40; n += 1) expect(said.stdout).toContain(`r${n}.md:4:1`);
      expect(linesOf(said).at(-1)).toBe("fine · 40 files · 40 rules · 0 errors · 35 warnings");
    }
    const { findings } = JSON.parse((await cli(cwd, ["guides", "lint", "--json"])).stdout) as { findings: object[] };
    expect(findings).toHaveLength(35);
    expect((await cli(cwd, ["guides", "verify"])).stdout.split(says)).toHaveLength(2);
  });
});

test("a refusal names a rule once", async () => {
  const cwd = place([rule("lock-screen", "Stop.", WATCHED)]);
  await published(cwd);
  const [, revision = ""] =
    /lock-screen +published +([0-9a-f]{12})/.exec((await cli(cwd, ["guides", "list"])).stdout) ?? [];
  await cli(cwd, ["guides", "revoke", `lock-screen@${revision}`, "--as", "user:sue", "--why", "wrong"]);
  const refused = await cli(cwd, ["guides", "serve", "--task", "x"]);
  expect(refused.code).toBe(1);
  expect(refused.stdout.split("lock-screen")).toHaveLength(2);
  expect(refused.stdout).toContain("approval_revoked");
});
