/** What the commands of the guides say to whoever uses them: what is refused and why, and which command comes next. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { cli, documentIn, folder, type Said } from "./stage.ts";

const CONFIG = `import { defineConfig } from "signalbox";
import { scriptedModel } from "signalbox/testing";
import { readFileSync } from "node:fs";
const setting = JSON.parse(readFileSync(new URL("setting.json", import.meta.url), "utf8"));
const silent = (signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(null)));
const mute = { name: "mute", kind: "live", where: "nowhere", complete: async () => ({ ok: false, code: "unreachable", detail: "" }),
  countTokens: (_, signal) => silent(signal), probe: (signal) => silent(signal).then(() => new Promise(() => {})) };
export default defineConfig({
  model: setting.mute ? mute : scriptedModel({ replies: [] }),
  tools: [],
  guides: "./guides",
  approvers: { "user:sue": { roles: ["guides"] } },
  ...setting.config,
});
`;

const SUE = ["--as", "user:sue", "--why", "read"];
const TONE = "---\nid: tone\n---\nBe polite.\n";

function place(files: Readonly<Record<string, string>>, setting: object = {}): string {
  const cwd = folder({ "signalbox.config.ts": CONFIG, "setting.json": JSON.stringify(setting) });
  for (const [name, text] of Object.entries(files)) put(cwd, name, text);
  return cwd;
}

function put(cwd: string, name: string, text: string): void {
  mkdirSync(dirname(join(cwd, name)), { recursive: true });
  writeFileSync(join(cwd, name), text);
}

function fine(said: Said): Said {
  expect(said).toMatchObject({ code: 0, stderr: "" });
  return said;
}

/** The command that is suggested last, as a person gives it. */
function suggested({ stdout }: Said): readonly string[] {
  const command = stdout.trimEnd().split("\n").at(-1)?.trim() ?? "";
  expect(command).toMatch(/^signalbox /);
  return command.replace("WHO", "user:sue").replace('"…"', "read").split(" ").slice(1);
}

async function published(cwd: string): Promise<void> {
  fine(await cli(cwd, suggested(fine(await cli(cwd, ["guides", "verify"])))));
  fine(await cli(cwd, ["guides", "publish", "--as", "user:sue"]));
}

describe("the next command works as it is printed", () => {
  test("of bytes that the file does not have any more", async () => {
    const cwd = place({ "guides/tone.md": TONE, "guides/other.md": "---\nid: other\n---\nBe brief.\n" });
    const approve = suggested(fine(await cli(cwd, ["guides", "verify"])));
    put(cwd, "guides/tone.md", TONE.replace("polite", "kind"));
    const approved = fine(await cli(cwd, approve));
    expect(approved.stdout).toMatch(/signalbox guides publish other tone@[0-9a-f]{32} --as user:sue\n$/);
    fine(await cli(cwd, suggested(approved)));
    expect((await cli(cwd, ["guides", "serve", "--task", "x", "--json"])).stdout).toContain("Be polite.");
  });

  test("of many rules, of which one was edited meanwhile", async () => {
    const ids = Array.from({ length: 10 }, (_, i) => `r${i}`);
    const file = (id: string) => `---\nid: ${id}\n---\nDo ${id}.\n`;
    const cwd = place(Object.fromEntries(ids.map((id) => [`guides/${id}.md`, file(id)])));
    const verified = documentIn(await cli(cwd, ["guides", "verify", "--json"])) as { rule: string; revision: string }[];
    put(cwd, "guides/r3.md", `${file("r3")}More.\n`);
    const tokens = verified.map(({ rule, revision }) => `${rule}@${revision}`);
    const approved = fine(await cli(cwd, ["guides", "approve", ...tokens, ...SUE]));
    expect(approved.stdout).toMatch(
      /\n {2}signalbox guides publish --as user:sue\n {2}signalbox guides publish r3@[0-9a-f]{32} --as user:sue\n$/,
    );
    fine(await cli(cwd, ["guides", "publish", "--as", "user:sue"]));
    fine(await cli(cwd, suggested(approved)));
  });

  test("verify names what awaits an approval, and nothing that is published as it is", async () => {
    const cwd = place({ "guides/tone.md": TONE });
    await published(cwd);
    const again = fine(await cli(cwd, ["guides", "verify"]));
    expect(again.stdout).toContain("approved already");
    expect(again.stdout).toContain("nothing awaits an approval");
    expect(again.stdout).not.toContain("guides approve");
    put(cwd, "guides/new.md", "---\nid: new\n---\nBe brief.\n");
    const more = fine(await cli(cwd, ["guides", "verify"]));
    expect(more.stdout).toContain("1 rule; 1 of the others need no approval");
    expect(suggested(more).slice(0, 3)).toEqual(["guides", "approve", expect.stringMatching(/^new@[0-9a-f]{32}$/)]);
  });

  test.each([60, 80, 120])("a command is never broken: %i columns", async (columns) => {
    const id = `a-rule-${"x".repeat(50)}`;
    const cwd = place({ "guides/a.md": `---\nid: ${id}\nsafety: true\n---\nBe polite.\n`, "guides/tone.md": TONE });
    const screen = { isTty: true, columns, env: { NO_COLOR: "1" } };
    const verified = fine(await cli(cwd, ["guides", "verify"], screen));
    const approve = suggested(verified);
    expect(approve).toHaveLength(8);
    const shown = fine(await cli(cwd, ["guides", "show", id], screen));
    expect(suggested(shown)[2]).toBe(approve[2]);
    const unapproved = await cli(cwd, ["guides", "publish", id, "--as", "user:sue"], screen);
    expect(unapproved.stderr.split("\n").at(-2)?.trim()).toBe(`signalbox guides approve ${approve[2]}`);
    fine(await cli(cwd, suggested(fine(await cli(cwd, approve, screen))), screen));
    const revoked = fine(await cli(cwd, ["guides", "revoke", approve[2] ?? "", ...SUE], screen));
    expect(suggested(revoked).slice(0, 3)).toEqual(["guides", "withdraw", id]);
  });
});

describe("what is missing is called what it is", () => {
  test("a folder: list says which, and ends as lint does; serve says what lint says", async () => {
    const cwd = place({ "guides/tone.md": TONE });
    await published(cwd);
    rmSync(join(cwd, "guides"), { recursive: true });
    const says = new RegExp(`there is no such folder: ${join(cwd, "guides")} \\(ENOENT\\)`);
    const listed = await cli(cwd, ["guides", "list"]);
    expect(listed.code).toBe((await cli(cwd, ["guides", "lint"])).code);
    expect(listed.stdout).toMatch(says);
    expect(listed.stdout).not.toMatch(/^\./m);
    expect(listed.stdout).toMatch(/^tone +published/m);
    const served = await cli(cwd, ["guides", "serve", "--task", "x"]);
    expect(served.stdout).toMatch(says);
    expect((await cli(cwd, ["guides", "list", "--json"])).code).toBe(1);
    expect((await cli(cwd, ["guides", "verify", "nope"])).stderr).toContain("no id can be read in the folder");
  });

  test("a header: list has its code, serve its place and what is wrong", async () => {
    const cwd = place({ "guides/a.md": "---\nid: a\nbreach: { tool: tap }\n---\nDo not.\n" });
    expect(fine(await cli(cwd, ["guides", "list"])).stdout).toMatch(
      /^a\.md +unreadable +[0-9a-f]{12} +breach_without_escalate$/m,
    );
    expect((await cli(cwd, ["guides", "serve", "--task", "x"])).stdout).toContain(
      "cannot be read: a.md:3:1: breach_without_escalate: `breach` without `escalate`: say",
    );
  });

  test("a rule, and a database", async () => {
    const cwd = place({ "guides/tone.md": TONE });
    for (const command of [["pin", "p", "--task", "x"], ["check"], ["publish", "--as", "user:sue"]]) {
      const said = await cli(cwd, ["guides", ...command]);
      expect(said.stderr).toMatch(/^signalbox: no_ledger: .*\(signalbox guides verify makes one; /);
    }
    expect((await cli(cwd, ["guides", "explain", "last"])).stderr).toContain("the first signalbox run makes one");
    const unknown = await cli(cwd, ["guides", "verify", "something-else"]);
    expect(unknown.stderr).toContain("(signalbox guides list says which there are)");
    fine(await cli(cwd, ["guides", "verify"]));
    const withdrawn = await cli(cwd, ["guides", "withdraw", "nope", ...SUE]);
    expect(withdrawn).toMatchObject({ code: 2, stdout: "" });
    expect(withdrawn.stderr).toMatch(/^signalbox: unknown_rule: /);
  });

  test("a rule that nobody was told is told apart from one that there is not", async () => {
    const cwd = place({ "guides/tone.md": TONE });
    fine(await cli(cwd, ["guides", "verify"]));
    const unknown = await cli(cwd, ["denials", "--told", "nope"]);
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toMatch(/^signalbox: unknown_rule: /);
    fine(await cli(cwd, ["denials", "--told", "tone"]));
    rmSync(join(cwd, "guides/tone.md"));
    fine(await cli(cwd, ["denials", "--told", "tone"]));
  });

  test("bytes that were damaged: verify says that it puts them back", async () => {
    const cwd = place({ "guides/tone.md": TONE });
    await published(cwd);
    const db = new DatabaseSync(join(cwd, "signalbox.db"));
    const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
    for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
    db.exec("UPDATE revisions SET bytes = x'00'");
    for (const { sql } of triggers) db.exec(String(sql));
    db.close();
    const says = "the bytes that are kept were gone or damaged: they are put back from the file";
    expect(fine(await cli(cwd, ["guides", "verify", "tone"])).stdout).toContain(says);
    expect(fine(await cli(cwd, ["guides", "verify", "tone"])).stdout).not.toContain(says);
  });
});

test("the bytes of a text that is not fit are those of the text, and a file's name is escaped in one way", async () => {
  const cwd = place({ "guides/a.md": "---\nid: a\n---\nBe po\u00adlite.\n", "guides/b\u001b\tc.md": TONE });
  expect(fine(await cli(cwd, ["guides", "show", "a"])).stdout).toContain("12 bytes of text");
  expect(fine(await cli(cwd, ["guides", "list"])).stdout).toMatch(/^a +draft +[0-9a-f]{12} +12 B$/m);
  for (const command of ["lint", "list", "verify"]) {
    const { stdout } = await cli(cwd, ["guides", command]);
    expect(stdout).toContain("b\\u001b\\u0009c.md");
    expect(stdout).not.toContain("\\u{1b}");
  }
});

describe("signalbox profile measure", () => {
  const rule = `---\nid: a\n---\n${"Be short and kind. ".repeat(10)}\n`;

  /** A server that says this to whoever asks for tokens. */
  async function saying(status: number, body: string): Promise<object> {
    const server = createServer((request, response) => {
      request.resume().on("end", () => response.writeHead(status).end(body));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    return { model: { baseUrl: `http://127.0.0.1:${port}/v1`, name: "wrong", apiKey: "sk-canary-4711", retries: 0 } };
  }

  test.each([
    [404, '{"error":{"message":"The model `wrong` does not exist."}}', "HTTP 404: The model `wrong` does not exist."],
    [500, "out of memory \u001b[2J for sk-canary-4711", "HTTP 500: out of memory \\u{1b}[2J for [redacted]"],
  ])("says what the server says instead of a count: %i", async (status, body, says) => {
    const cwd = place({ "guides/a.md": rule }, { config: await saying(status, body) });
    const said = await cli(cwd, ["profile", "measure"]);
    expect(said).toMatchObject({ code: 5, stdout: "" });
    expect(said.stderr).toContain(`has no tokeniser that answers: ${says}`);
    expect(said.stderr).toMatch(/^signalbox: no_tokeniser: /);
  });

  test("a server that never answers is waited for once", { timeout: 30_000 }, async () => {
    const cwd = place({ "guides/a.md": rule }, { mute: true });
    const began = performance.now();
    expect(await cli(cwd, ["profile", "measure"])).toMatchObject({ code: 5, stdout: "" });
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  test("a text that is none is refused by its name", async () => {
    const cwd = place({ "guides/a.md": rule });
    writeFileSync(join(cwd, "picture.png"), new Uint8Array([0x89, 0x50, 0x4e, 0x47, ...Array(80).fill(0xff)]));
    const said = await cli(cwd, ["profile", "measure", "--text", "picture.png"]);
    expect(said).toMatchObject({ code: 2, stdout: "" });
    expect(said.stderr).toMatch(/^signalbox: not_utf8: picture\.png: the file is not UTF-8 \(byte 0, /);
  });
});
