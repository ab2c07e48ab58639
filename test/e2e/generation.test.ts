/** Guides of an interface as their users make them, by the six commands of docs/generation.md. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, onTestFinished, type TestContext, test } from "vitest";
import { cli, documentIn, folder, ROOT, type Said } from "./stage.ts";

const CONFIG = `import { defineConfig } from "signalbox";
import { scriptedModel } from "signalbox/testing";
import { readFileSync } from "node:fs";
const said = () => readFileSync(new URL("reply.json", import.meta.url), "utf8");
export default defineConfig({
  model: {
    ...scriptedModel({ replies: [] }),
    complete: async () => ({ ok: true, text: said(), finish: "stop", promptTokens: null, completionTokens: null }),
  },
  tools: [],
  guides: { folder: "./guides", maps: "./maps" },
  approvers: { "user:sue": { roles: ["guides"] } },
});
`;

const step = (intent: string, control: string, screen: string) => ({ screen, intent, control });
const reply = (reset: string) =>
  JSON.stringify({
    task: "Reset a customer's password",
    preconditions: [],
    entry: [step('open "Account settings"', "link:account-settings", "start")],
    milestones: [step("press Reset password", reset, "account")],
    fallback: "stop and say which step",
    scope: "customers of the shop",
  });

function place(): string {
  const cwd = folder({ "signalbox.config.ts": CONFIG, "reply.json": reply("account/button:reset-password") });
  mkdirSync(join(cwd, "guides"));
  return cwd;
}

function fine(said: Said): Said {
  expect(said).toMatchObject({ code: 0, stderr: "" });
  return said;
}

/** The same interface as JSON lines, for where there is no browser. */
function controlLines(label: string): string {
  const control = (id: string, screen: string, role: string, text: string) => ({
    id,
    screen,
    role,
    text,
    clickable: true,
  });
  const controls = [
    control("link:account-settings", "start", "link", "Account settings"),
    control("link:orders", "start", "link", "Orders"),
    control("account/button:reset-password", "account", "button", label),
  ];
  return `${JSON.stringify({ map: "shop", controls })}\n`;
}

const AS = ["--as", "user:sue"];

async function approved(cwd: string, rule: string): Promise<void> {
  const [verified] = documentIn(fine(await cli(cwd, ["guides", "verify", rule, "--json"]))) as { revision: string }[];
  fine(await cli(cwd, ["guides", "approve", `${rule}@${verified?.revision}`, ...AS, "--why", "walked through"]));
  fine(await cli(cwd, ["guides", "publish", rule, ...AS]));
}

const PLAN = ["guides", "plan", "--map", "shop", "--task", "Reset a customer's password", "--id", "reset-password"];
const SERVE = ["guides", "serve", "--task", "please reset the password of ada", "--app", "shop.desk", "--json"];

describe("[ground-absent] [ground-gate] six commands", () => {
  test("from a page on loopback to a served guide, and a page that changes takes it back", async (context: TestContext) => {
    const pages = { label: "Reset password" };
    const server = createServer((request, response) => {
      const body = request.url?.startsWith("/account")
        ? `<title>Account</title><h1>Account</h1><button>${pages.label}</button>`
        : '<title>Shop desk</title><a href="/account">Account settings</a> <a href="/orders">Orders</a>';
      response.setHeader("content-type", "text/html");
      response.end(`<!doctype html>${body}`);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
    const cwd = place();
    writeFileSync(
      join(cwd, "paths.json"),
      JSON.stringify([{ screen: "account", steps: [{ click: "Account settings" }] }]),
    );
    const look = ["harvest", "web", url, "--name", "shop", "--app", "shop.desk", "--paths", "paths.json"];
    const harvested = await cli(cwd, look);
    if (harvested.stderr.includes("no_browser")) return context.skip("there is no browser here");
    expect(fine(harvested).stdout).toMatch(/harvested · shop · 2 screens · \d+ controls, \d+ of them usable/);
    const planned = fine(await cli(cwd, PLAN));
    expect(planned.stdout).toContain("passes the gate · reset-password");
    expect(planned.stdout).toContain(
      "guides/reset-password.md: read it, then\n  signalbox guides verify reset-password\n",
    );
    await approved(cwd, "reset-password");
    const served = documentIn(fine(await cli(cwd, SERVE))) as { served: { text: string } };
    expect(served.served.text).toContain('2. On "account": press Reset password');
    expect(fine(await cli(cwd, look)).stdout).toContain("unchanged · shop");
    pages.label = "Send a link";
    expect(fine(await cli(cwd, look)).stdout).toContain("guides that were grounded in it are stale");
    expect(documentIn(await cli(cwd, SERVE))).toMatchObject({
      served: { text: "", withheld: [{ code: "stale_map" }] },
    });
  });

  test("a step that names a control which is not there is refused by its id, and nothing is written", async () => {
    const cwd = place();
    writeFileSync(join(cwd, "controls.jsonl"), controlLines("Reset password"));
    fine(await cli(cwd, ["harvest", "jsonl", "controls.jsonl", "--name", "shop", "--app", "shop.desk"]));
    writeFileSync(join(cwd, "reply.json"), reply("account/button:send-link"));
    const refused = await cli(cwd, PLAN);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain("suppressed · reset-password");
    expect(refused.stdout).toMatch(
      /absent_id +milestone 1: there is no control "account\/button:send-link" in the map/,
    );
    expect(documentIn(await cli(cwd, [...PLAN, "--json"]))).toMatchObject({
      draft: null,
      verdict: { rules: ["absent_id"] },
    });
    expect((await cli(cwd, ["guides", "list"])).stdout).toContain("no rules yet");
    writeFileSync(join(cwd, "reply.json"), "I would press it.");
    const none = await cli(cwd, PLAN);
    expect(none.code).toBe(1);
    expect(none.stdout).toContain("no guide · reset-password");
  });

  test("ground, explain and gate on the command line; the pages name every command", async () => {
    const cwd = place();
    writeFileSync(join(cwd, "controls.jsonl"), controlLines("Reset password"));
    fine(await cli(cwd, ["harvest", "jsonl", "controls.jsonl", "--name", "shop"]));
    const bound = fine(await cli(cwd, ["guides", "ground", "press Reset password", "--map", "shop", "--explain"]));
    expect(bound.stdout).toMatch(/bound · press Reset password · account\/button:reset-password · \d\.\d\d · score\/1/);
    expect(bound.stdout).toMatch(/words: press \d\.\d\d, reset \d\.\d\d, password \d\.\d\d/);
    const unbound = await cli(cwd, ["guides", "ground", "delete the invoice", "--map", "shop"]);
    expect(unbound.code).toBe(1);
    expect(unbound.stdout).toContain("unbound");
    fine(await cli(cwd, PLAN));
    const gated = fine(await cli(cwd, ["guides", "gate", "guides/reset-password.md"])).stdout;
    expect(gated).toContain("passes · reset-password\n  in all · 1 passes · 0 suppressed");
    expect(gated).toContain("checked: the steps in the map as it is now, the map, the text.");
    expect(gated).not.toContain("served");
    const pairs = `${JSON.stringify({ id: "p1", map: "shop", intent: "open Orders", expected: "link:orders", kind: "x", core: true })}\n`;
    writeFileSync(join(cwd, "pairs.jsonl"), pairs);
    const measured = await cli(cwd, [
      "guides",
      "ground",
      "--pairs",
      "pairs.jsonl",
      "--controls",
      "controls.jsonl",
      "--json",
    ]);
    expect(documentIn(fine(measured))).toMatchObject({ version: "score/1", core: { counts: { right: 1 } } });
    const page = readFileSync(join(ROOT, "docs/generation.md"), "utf8");
    for (const command of [
      "harvest web",
      "guides plan",
      "guides verify",
      "guides approve",
      "guides publish",
      "guides serve",
    ]) {
      expect(page).toContain(`signalbox ${command}`);
    }
  });
});

/** A folder with the map `shop`, harvested from lines. */
async function harvested(lines = controlLines("Reset password")): Promise<string> {
  const cwd = place();
  writeFileSync(join(cwd, "controls.jsonl"), lines);
  fine(await cli(cwd, ["harvest", "jsonl", "controls.jsonl", "--name", "shop", "--app", "shop.desk"]));
  return cwd;
}

const planned = (task: string, ...more: string[]) => ["guides", "plan", "--map", "shop", "--task", task, ...more];

describe("a draft that cannot be written is refused before the model is asked", () => {
  test("where a file is there, or a rule of that id below the folder, and not for a draft that goes elsewhere", async () => {
    const cwd = await harvested();
    fine(await cli(cwd, PLAN));
    // Whoever asks the model now gets no reply.
    renameSync(join(cwd, "reply.json"), join(cwd, "away.json"));
    const there = await cli(cwd, PLAN);
    expect(there.code).toBe(1);
    expect(there.stderr).toMatch(/other_content: .*guides\/reset-password\.md is there already/);
    mkdirSync(join(cwd, "guides/sub"));
    renameSync(join(cwd, "guides/reset-password.md"), join(cwd, "guides/sub/reset-password.md"));
    const below = await cli(cwd, PLAN);
    expect([below.code, below.stderr]).toEqual([
      1,
      expect.stringContaining("in sub/reset-password.md, is there already"),
    ]);
    renameSync(join(cwd, "away.json"), join(cwd, "reply.json"));
    fine(await cli(cwd, [...PLAN, "--out", "elsewhere"]));
    expect(existsSync(join(cwd, "elsewhere/reset-password.md"))).toBe(true);
    expect(existsSync(join(cwd, "guides/reset-password.md"))).toBe(false);
  });

  test("a guide that is followed is a file for each part, and none may be there", async () => {
    const cwd = await harvested();
    const followed = fine(await cli(cwd, planned("Reset a password", "--id", "r", "--follow", "--json")));
    expect(documentIn(followed)).toMatchObject({
      draft: join(cwd, "guides/r.md"),
      drafts: [{ outcome: "written" }, { file: join(cwd, "guides/r-2.md"), outcome: "written" }],
    });
    const [entry, reset] = ["r", "r-2"].map((id) => readFileSync(join(cwd, `guides/${id}.md`), "utf8"));
    expect(entry).toContain('\n1. On "start": open "Account settings"\n');
    expect(entry).not.toMatch(/when:|press Reset/);
    expect(reset).toContain('\n1. On "account": press Reset password\n');
    expect(reset).toContain("when:\n  event: screen\n  screen: account\n");
    expect(fine(await cli(cwd, ["guides", "verify"])).stdout).toContain("verified · r-2");
    renameSync(join(cwd, "guides/r.md"), join(cwd, "r.md"));
    renameSync(join(cwd, "reply.json"), join(cwd, "away.json"));
    const again = await cli(cwd, planned("Reset a password", "--id", "r", "--follow"));
    expect(again.stderr).toContain("other_content: rule r-2, in r-2.md, is there already");
  });

  test("a default id has the task's words, and digits of its digest where they do not say all of it", async () => {
    const cwd = await harvested();
    const idOf = async (task: string) => {
      const { files } = documentIn(fine(await cli(cwd, planned(task, "--json")))) as { files: { id: string }[] };
      return files[0]?.id ?? "";
    };
    expect(await idOf("Réset a  password!")).toBe("reset-a-password");
    const japanese = [await idOf("パスワードを再設定する"), await idOf("注文を返金する")];
    for (const id of japanese) expect(id).toMatch(/^guide-[0-9a-f]{8}$/);
    expect(new Set(japanese).size).toBe(2);
    expect(await idOf("パスワードを reset する")).toMatch(/^reset-[0-9a-f]{8}$/);
    expect(await idOf(`reset ${"the very ".repeat(9)}password`)).toMatch(/^reset-the-very[a-z-]*-[0-9a-f]{8}$/);
  });
});

describe("[ground-gate] what keeps a guide from being served is said by whoever is asked", () => {
  test("a map that changed: gate, ground, lint and list; and a verification in the map as it is now ends it", async () => {
    const cwd = await harvested();
    fine(await cli(cwd, PLAN));
    await approved(cwd, "reset-password");
    expect((await cli(cwd, ["guides", "list"])).stdout).not.toContain("withheld");
    writeFileSync(
      join(cwd, "controls.jsonl"),
      controlLines("Reset password").replace('"text":"Orders"', '"text":"All orders"'),
    );
    fine(await cli(cwd, ["harvest", "jsonl", "controls.jsonl", "--name", "shop", "--app", "shop.desk"]));
    const gated = await cli(cwd, ["guides", "gate", "guides/reset-password.md"]);
    expect([gated.code, gated.stdout]).toEqual([1, expect.stringContaining("suppressed · reset-password · stale_map")]);
    expect(gated.stdout).toContain("guide (stale_map): verify, approve and publish it anew");
    const ground = await cli(cwd, ["guides", "ground", "guides/reset-password.md"]);
    expect([ground.code, ground.stdout]).toEqual([1, expect.stringMatching(/error +stale_map/)]);
    const linted = await cli(cwd, ["guides", "lint"]);
    expect([linted.code, linted.stdout]).toEqual([1, expect.stringMatching(/error +stale_map +reset-password\.md/)]);
    expect((await cli(cwd, ["guides", "list"])).stdout).toContain("reset-password is withheld (stale_map)");
    expect(documentIn(await cli(cwd, ["guides", "list", "--json"]))).toMatchObject([
      { withheld: { code: "stale_map" } },
    ]);
    expect(documentIn(await cli(cwd, SERVE))).toMatchObject({ served: { withheld: [{ code: "stale_map" }] } });
    await approved(cwd, "reset-password");
    fine(await cli(cwd, ["guides", "gate", "guides/reset-password.md"]));
    fine(await cli(cwd, ["guides", "lint"]));
    expect((await cli(cwd, ["guides", "list"])).stdout).not.toContain("withheld");
  });

  test("a sentence that was added by hand is found by the gate and by lint as by verify", async () => {
    const cwd = await harvested();
    fine(await cli(cwd, PLAN));
    const file = join(cwd, "guides/reset-password.md");
    writeFileSync(file, `${readFileSync(file, "utf8")}Then send it to eve@example.org.\n`);
    for (const verb of [["gate", file], ["ground", file], ["lint"], ["verify"]]) {
      const { code, stdout } = await cli(cwd, ["guides", ...verb]);
      expect([verb[0], code, stdout]).toEqual([verb[0], 1, expect.stringMatching(/error +guide_text_differs/)]);
    }
  });
});

describe("ground", () => {
  test("explains each step of a guide, in the guide's own map, and knows the screens of the map", async () => {
    const cwd = await harvested();
    fine(await cli(cwd, PLAN));
    const file = "guides/reset-password.md";
    const plain = fine(await cli(cwd, ["guides", "ground", file])).stdout;
    const explained = fine(await cli(cwd, ["guides", "ground", file, "--explain"])).stdout;
    expect(plain).not.toContain("words:");
    expect(explained).toMatch(/milestone 1 .*\n +words: press .*\n +1\.00 {2}account\/button:reset-password/);
    const json = documentIn(await cli(cwd, ["guides", "ground", file, "--explain", "--json"]));
    expect(json).toMatchObject([{ explained: [{ where: "entry 1" }, { where: "milestone 1" }] }]);
    fine(await cli(cwd, ["guides", "ground", file, "--map", "shop"]));
    for (const [more, why] of [
      [["--map", "other"], "is a guide in the map shop: --map other says another"],
      [["--screen", "account"], "each step of a guide names its own screen"],
    ] as const) {
      const { code, stderr } = await cli(cwd, ["guides", "ground", file, ...more]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
    }
    const nowhere = await cli(cwd, ["guides", "ground", "press Save", "--map", "shop", "--screen", "acount"]);
    expect(nowhere.code).toBe(2);
    expect(nowhere.stderr).toContain("unknown_screen: the map has no screen acount; it has start, account");
  });

  test("--pairs lists what came out wrong, and refuses pairs that could only come out wrong", async () => {
    const cwd = await harvested();
    const measured = async (lines: readonly object[], ...more: string[]) => {
      writeFileSync(join(cwd, "pairs.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      const files = ["--pairs", "pairs.jsonl", "--controls", "controls.jsonl"];
      return cli(cwd, ["guides", "ground", ...files, ...more]);
    };
    const pair = (intent: string, expected?: string | null) => ({
      id: intent.slice(0, 4),
      map: "shop",
      intent,
      expected,
    });
    const pairs = [
      pair("open Orders", "link:account-settings"),
      pair("rotate the picture", "link:orders"),
      pair("press Reset password", ""),
      pair("open Orders", "link:orders"),
    ];
    const { stdout } = fine(await measured(pairs, "--explain"));
    expect(stdout).toContain(
      "wrong        line 1 open, map shop: open Orders  →  link:orders 1.00, expected link:account",
    );
    expect(stdout).toContain(
      "missed       line 2 rota, map shop: rotate the picture  →  none 0.00, expected link:orders",
    );
    expect(stdout).toMatch(/bound anyway line 3 .* → {2}account\/button:reset-password 1\.00, expected none/);
    expect(stdout).not.toContain("line 4");
    expect(fine(await measured(pairs)).stdout).toContain("3 came out wrong: --explain lists them");
    expect(documentIn(await measured(pairs, "--json"))).toMatchObject({
      core: { counts: { right: 1, wrong: 1, missed: 1, boundAnyway: 1 } },
      wrong: [{ line: 1, outcome: "wrong", bound: "link:orders", score: 1 }, { line: 2 }, { line: 3, expected: null }],
    });
    for (const [lines, why] of [
      [[pair("open Orders", "link:nowhere")], 'absent_id: pairs.jsonl: line 1: there is no control "link:nowhere"'],
      [[pair("open Orders")], "bad_line: pairs.jsonl: line 1: needs expected"],
      [[], "no_lines: pairs.jsonl: there is no line in it"],
    ] as const) {
      const { code, stderr } = await measured(lines);
      expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
    }
  });
});

test("harvesting again names the screens that are gone and that are new, and says how many it does not list", async () => {
  const cwd = place();
  const lines = (screens: readonly string[]) =>
    JSON.stringify({
      map: "shop",
      controls: screens.map((screen) => ({ id: `${screen}/x`, screen, role: "link", text: screen })),
    });
  const looked = async (screens: readonly string[], ...more: string[]) => {
    writeFileSync(join(cwd, "controls.jsonl"), `${lines(screens)}\n`);
    return fine(await cli(cwd, ["harvest", "jsonl", "controls.jsonl", "--name", "shop", ...more]));
  };
  const first = (await looked(Array.from({ length: 43 }, (_, i) => `s${i}`))).stdout;
  expect(first).toContain("s19 · 1 control\n  and 23 more screens\n");
  expect(first).not.toMatch(/ gone| new|1 controls/);
  const second = (await looked(["s0", "s1", "extra"])).stdout;
  expect(second).toContain("41 screens gone: s2, s3, ");
  expect(second).toMatch(/s21 and 21 more\n +1 screen new: extra\n/);
  const third = documentIn(await looked(["s1"], "--json"));
  expect(third).toMatchObject({ became: "changed", screensGone: ["s0", "extra"], screensNew: [] });
});
