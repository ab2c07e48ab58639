/** Guides of an interface as their users make them, by the six commands of docs/generation.md. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
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
    expect(planned.stdout).toContain("guides/reset-password.md: read it, then signalbox guides verify reset-password");
    await approved(cwd, "reset-password");
    const served = documentIn(fine(await cli(cwd, SERVE))) as { served: { text: string } };
    expect(served.served.text).toContain('2. On "account": press Reset password');
    expect(fine(await cli(cwd, look)).stdout).toContain("unchanged · shop");
    pages.label = "Send a link";
    expect(fine(await cli(cwd, look)).stdout).toContain("guides that were grounded in it are stale");
    expect(documentIn(await cli(cwd, SERVE))).toMatchObject({
      served: { text: "", withheld: [{ code: "stale_map" }] },
    });
  }, 60_000);

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
    expect(fine(await cli(cwd, ["guides", "gate", "guides/reset-password.md"])).stdout).toContain(
      "1 served · 0 suppressed",
    );
    const again = await cli(cwd, PLAN);
    expect(again.code).toBe(0);
    writeFileSync(join(cwd, "guides/reset-password.md"), "mine\n");
    expect(await cli(cwd, PLAN)).toMatchObject({ code: 1 });
    expect(readFileSync(join(cwd, "guides/reset-password.md"), "utf8")).toBe("mine\n");
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
