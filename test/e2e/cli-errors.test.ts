import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  bin,
  COMMAND,
  cli,
  contents,
  desk,
  documentIn,
  effects,
  folder,
  heard,
  ROOT,
  type Said,
  say,
} from "./stage.ts";

const run = ["run", "please"];
const NOBODY = 65_534;
const ROOTED = process.getuid?.() === 0;

/** One line on stderr that names its code and says what is wrong, with the exit code, and nothing on stdout. */
function expectOneLine(said: Said, code: number, name: string, text: string | RegExp): void {
  expect(said.stderr).toMatch(/^[^\n]+\n$/);
  expect(said.stderr.startsWith(`signalbox: ${name}: `)).toBe(true);
  expect(said.stderr).toMatch(text);
  expect(said.stderr).not.toMatch(/\n {4}at |node:internal| at [^\n]*\.ts:\d+:\d+/);
  expect(said.code).toBe(code);
  expect(said.stdout).toBe("");
}

/** The same fault with --debug shows where it was, and still begins with the line. */
async function expectStackOnlyIfAsked(cwd: string, argv: readonly string[]): Promise<void> {
  const said = await cli(cwd, [...argv, "--debug"]);
  expect(said.stderr).toMatch(/^signalbox: [^\n]+\n[\s\S]*\n {4}at /);
}

describe("a config that is wrong", () => {
  const TOOL = `const tool = (rails) => ({ name: "t", description: "d", effect: "read", params: z.strictObject({}), execute: () => 1, summarise: () => "s", ...rails });`;
  const HEAD = `import { defineConfig, defineTool, permit, z } from "signalbox";\n${TOOL}\nconst model = { baseUrl: "http://127.0.0.1:9/v1", name: "m" };\n`;
  const wrong: readonly (readonly [what: string, text: string, code: string, says: string | RegExp])[] = [
    [
      "an unknown key",
      `export default { model, tols: [], tools: [] };`,
      "bad_config",
      `unknown key "tols"; did you mean "tools"?`,
    ],
    [
      "an unknown budget",
      `export default { model, tools: [], budgets: { turn: 3 } };`,
      "bad_config",
      `did you mean "turns"?`,
    ],
    [
      "an unknown key of a tool",
      `export default { model, tools: [defineTool(tool({ placement: "internal", exeute: 1 }))] };`,
      "bad_config",
      `tool "t": unknown key "exeute"`,
    ],
    [
      "a tool without its action rail",
      `export default { model, tools: [defineTool(tool({ placement: "staff-reversible" }))] };`,
      "bad_config",
      /tool t: .*needs the action rail/,
    ],
    [
      "a policy that names no tool",
      `export default { model, tools: [], policies: [{ id: "r", tools: ["nix"], effect: "deny", when: () => true }] };`,
      "bad_config",
      "names no tool that there is",
    ],
    ["no model", `export default { tools: [] };`, "bad_config", "config.model: is missing"],
    [
      "a throw",
      `throw new Error("the vault is shut\\nsecond line");`,
      "bad_config",
      /signalbox\.config\.ts: the vault is shut \(/,
    ],
    ["a throw of something else", `throw "just words";`, "bad_config", "just words"],
    ["a syntax error", `export default {{;`, "bad_config", "signalbox.config.ts: "],
    ["an import of what is not there", `import "./nix.ts"; export default {};`, "bad_config", "nix.ts"],
    ["no default export", `export const config = {};`, "bad_config", "has no default export"],
    ["a function as its default export", `export default () => ({});`, "bad_config", "exports a function"],
    ["null as its default export", `export default null;`, "bad_config", "exports null"],
    [
      "a secret that is too short",
      `export default { model, tools: [], redact: { values: ["abc"] } };`,
      "bad_config",
      "at least 6 characters",
    ],
    [
      "a window that is too small",
      `export default { model, tools: [], window: { tokens: 600, outputTokens: 500 } };`,
      "prompt_too_large",
      /give the principal fewer tools|larger window/,
    ],
  ];

  test.each(wrong)("[cli-one-line-errors] %s", async (_, text, code, says) => {
    const cwd = folder({ "signalbox.config.ts": HEAD + text });
    expectOneLine(await cli(cwd, run), 2, code, says);
    expect(documentIn(await cli(cwd, [...run, "--json"]))).toMatchObject({ error: { code } });
    await expectStackOnlyIfAsked(cwd, run);
    expect(existsSync(join(cwd, "signalbox.db"))).toBe(code === "prompt_too_large");
  });

  test.each(["module", "commonjs"])(
    "[cli-one-line-errors] in a %s package a config that stumbles over its own input runs once",
    async (type) => {
      const text = `import { appendFileSync } from "node:fs";
appendFileSync(new URL("ran.log", import.meta.url), "ran ");
export default JSON.parse("{ not JSON");`;
      const cwd = folder({ "signalbox.config.mts": text, "package.json": JSON.stringify({ type }) });
      expectOneLine(await bin(cwd, run), 2, "bad_config", "signalbox.config.mts: Expected property name");
      expect(readFileSync(join(cwd, "ran.log"), "utf8")).toBe("ran ");
    },
  );

  const BAD = "const a = 1;\nexport default { a: ;\n";
  const at = "2:21: Unexpected token";
  test.each([
    ["signalbox.config.ts", { "signalbox.config.ts": BAD }, `signalbox.config.ts:${at}`],
    ["signalbox.config.mts", { "signalbox.config.mts": BAD }, `signalbox.config.mts:${at}`],
    ["signalbox.config.mjs", { "signalbox.config.mjs": BAD }, `signalbox.config.mjs:${at}`],
    ["a file that the config imports", { "signalbox.config.ts": 'import "./a.ts";', "a.ts": BAD }, `a.ts:${at}`],
  ])("[cli-one-line-errors] a syntax error is told with file, line and column: %s", async (_, files, says) => {
    const cwd = folder({ ...files, "package.json": '{"type":"module"}' });
    const said = await bin(cwd, run);
    expectOneLine(said, 2, "bad_config", says);
    expect(said.stderr.startsWith(`signalbox: bad_config: ${says}`)).toBe(true);
    expect(said.stderr).not.toContain("--debug");
  });

  test("[cli-one-line-errors] several faults are counted on the line and named below it, one a line", async () => {
    const cwd = folder({ "signalbox.config.ts": `${HEAD}export default { model, tools: [], a: 1, b: 2 };` });
    const said = await cli(cwd, run);
    expect(said.stderr).toBe(
      'signalbox: bad_config: 2 faults (signalbox doctor checks a config without running it)\n  config: unknown key "a"\n  config: unknown key "b"\n',
    );
    const checked = await cli(cwd, ["doctor"]);
    expect(checked).toMatchObject({ code: 1, stderr: "" });
    expect(checked.stdout).toMatch(
      /failed +config +config: unknown key "a"\nfailed +config +config: unknown key "b"\n/,
    );
  });

  test("[cli-one-line-errors] no config, and a named one that is missing or a folder", async () => {
    const cwd = folder();
    expectOneLine(await cli(cwd, run), 2, "no_config", "signalbox init writes one");
    expectOneLine(await cli(cwd, [...run, "--config", "nix.ts"]), 2, "no_config", "there is no file nix.ts");
    expectOneLine(
      await cli(cwd, [...run, "--config", "node_modules"]),
      2,
      "no_config",
      "there is no file node_modules",
    );
  });
});

describe("a database that cannot be used", () => {
  const answer = { replies: [say.answer()] };

  test("[cli-one-line-errors] a folder, and a path through what is not there", async () => {
    const cwd = desk({ ...answer, config: { store: "./node_modules" } });
    expectOneLine(await cli(cwd, run), 1, "store_unavailable", "it is a directory, give the path of a file in it");
    const nowhere = desk({ ...answer, config: { store: "./nix/signalbox.db" } });
    expectOneLine(await cli(nowhere, run), 1, "store_unavailable", /the directory .*nix does not exist, create it/);
    expect(existsSync(join(nowhere, "nix"))).toBe(false);
    await expectStackOnlyIfAsked(cwd, run);
  });

  const foreign: readonly (readonly [what: string, make: (path: string) => void, code: string, says: string])[] = [
    ["a text file", (path) => writeFileSync(path, "dear diary, ".repeat(500)), "damaged", "is not a database"],
    [
      "somebody else's database",
      (path) => withDatabase(path, "CREATE TABLE theirs (x)"),
      "damaged",
      "is not a signalbox database",
    ],
  ];
  test.each(foreign)(
    "[cli-one-line-errors] %s is refused and not a byte of it is changed",
    async (_, make, code, says) => {
      const cwd = desk(answer);
      make(join(cwd, "signalbox.db"));
      const before = contents(cwd);
      for (const argv of [run, ["runs"], ["ledger", "verify"], ["resume", "x"]]) {
        expectOneLine(await cli(cwd, argv), 1, code, says);
      }
      expect(contents(cwd)).toEqual(before);
    },
  );

  test("[ledger-newer-version] [cli-one-line-errors] a newer database is refused with one line, and not a byte of it is changed", async () => {
    const cwd = desk(answer);
    await cli(cwd, run);
    withDatabase(
      join(cwd, "signalbox.db"),
      "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE; PRAGMA user_version = 99",
    );
    const before = contents(cwd);
    for (const argv of [run, ["runs"], ["ledger", "verify"], ["replay", "x"]]) {
      expectOneLine(
        await cli(cwd, argv),
        1,
        "newer_version",
        /written by a newer signalbox \(schema 99.*upgrade signalbox/,
      );
    }
    expect(contents(cwd)).toEqual(before);
  });

  const without = (mode: number) => async (): Promise<void> => {
    const cwd = desk({ ...answer, config: { store: "./kept/signalbox.db" } });
    const kept = join(cwd, "kept");
    mkdirSync(kept);
    await cli(cwd, run);
    withDatabase(join(kept, "signalbox.db"), "PRAGMA wal_checkpoint(TRUNCATE)");
    chmodSync(join(kept, "signalbox.db"), mode);
    chmodSync(kept, 0o555);
    chmodSync(cwd, 0o755);
    onTestFinished(() => chmodSync(kept, 0o755));
    const before = contents(kept);
    const said = await bin(cwd, run, ROOTED ? { as: NOBODY } : {});
    expectOneLine(said, 1, "store_unavailable", mode === 0 ? /check (its|their) permissions/ : /read-only|permissions/);
    expect(contents(kept)).toEqual(before);
  };
  test("[cli-one-line-errors] a database that may not be read", without(0));
  test("[cli-one-line-errors] a database that may not be written", without(0o444));

  test("[cli-one-line-errors] a disk that is full at any moment: one line, nothing half written, and it goes on when there is room", async () => {
    const replies = [
      say.pay("ada", 5),
      ...Array.from({ length: 6 }, (_, i) => say.look("x".repeat(900 + i))),
      say.answer(),
    ];
    const failures = new Set<string>();
    for (let pages = 6; ; pages += 6) {
      const cwd = desk({ replies });
      const path = join(cwd, "signalbox.config.ts");
      const open = `openSqliteStore({ path: new URL("./signalbox.db", import.meta.url).pathname, pagesMax: ${pages} })`;
      const imported = `import { openSqliteStore } from "${ROOT}src/adapters/store-sqlite/index.ts";\n`;
      const roomy = readFileSync(path, "utf8");
      writeFileSync(path, imported + roomy.replace('store: "./signalbox.db"', `store: ${open}`));
      const said = await cli(cwd, run);
      if (said.code === 0) break;
      // This desk opens its store itself, so where that fails it is the config that throws.
      expect(said.stderr).toMatch(/^signalbox: (ledger_unavailable|bad_config): [^\n]*(full|size limit)[^\n]*\n$/);
      expect(said.code).toBe(said.stderr.includes("bad_config") ? 2 : 1);
      failures.add(said.stdout === "" ? "at start" : "in the middle");
      if (!existsSync(join(cwd, "signalbox.db"))) continue;
      writeFileSync(join(cwd, "roomy.config.ts"), roomy);
      expect((await cli(cwd, ["ledger", "verify", "--config", "roomy.config.ts"])).code).toBe(0);
      const id = /signalbox resume (\S+)\)/.exec(said.stderr)?.[1];
      if (id === undefined) continue;
      await cli(cwd, ["resume", id, "--config", "roomy.config.ts"]);
      expect(effects(cwd).length).toBeLessThanOrEqual(1);
      expect((await cli(cwd, ["ledger", "verify", "--config", "roomy.config.ts"])).code).toBe(0);
    }
    expect([...failures].sort()).toEqual(["at start", "in the middle"]);
  });

  test("[cli-one-line-errors] a disk that really is full", async (context) => {
    const cwd = desk({ ...answer, config: { store: "./kept/signalbox.db" } });
    mkdirSync(join(cwd, "kept"));
    // In a mount namespace of its own, so that the small disk is gone with the process, however that ends.
    const script = `mount -t tmpfs -o size=256k tmpfs kept || exit 90
      cat /dev/zero > kept/ballast 2>/dev/null
      ${COMMAND} run please; echo "full: $?"
      rm kept/ballast
      ${COMMAND} run please > /dev/null; echo "roomy: $?"
      ${COMMAND} ledger verify > /dev/null; echo "verified: $?"`;
    const child = spawn("unshare", ["-m", "sh", "-c", script], { cwd, stdio: ["ignore", "pipe", "pipe"] });
    const said = await heard(child).catch(() => null);
    if (said === null || said.code === 90 || said.stderr.includes("unshare")) {
      return context.skip("no small disk can be mounted here");
    }
    expect(said.stdout).toBe("full: 1\nroomy: 0\nverified: 0\n");
    expect(said.stderr).toMatch(/^signalbox: store_unavailable: [^\n]*full[^\n]*\n$/);
  });

  function withDatabase(path: string, sql: string): void {
    const db = new DatabaseSync(path);
    db.exec(sql);
    db.close();
  }
});

describe("a model's server that is no such thing", () => {
  const completion = (text: string): string =>
    JSON.stringify({ choices: [{ message: { content: text }, finish_reason: "stop" }] });
  const send =
    (status: number, body: string, type = "application/json"): RequestListener =>
    (_, response) =>
      void response.writeHead(status, { "content-type": type }).end(body);

  const servers: readonly (readonly [what: string, serve: RequestListener, says: string])[] = [
    ["answers HTML", send(200, "<html><h1>Welcome to nginx!</h1></html>", "text/html"), "bad_answer"],
    ["answers 500", send(500, "\u001b[31mout of memory\nTraceback\u202e"), "http_error: HTTP 500"],
    ["answers 401", send(401, '{"error":"bad key"}'), "http_error: HTTP 401"],
    ["answers JSON of another kind", send(200, '{"object":"list"}'), "bad_answer"],
    ["hangs beyond the deadline", () => {}, "timeout: no reply within 150 ms"],
    ["hangs up", (request) => void request.socket.destroy(), "unreachable"],
    ["breaks off", (_, response) => void response.writeHead(200, { "content-length": "999" }).write("{"), "timeout"],
    ["sends it elsewhere", (_, response) => void response.writeHead(307, { location: "/v1" }).end(), "unreachable"],
    ["sends without an end", endless, "bad_answer|timeout"],
  ];

  test.each(servers)("[cli-one-line-errors] it %s", async (_, serve, says) => {
    let broken = true;
    const server = await listening((request, response) =>
      broken
        ? serve(request, response)
        : send(200, completion('{"kind":"conversation","text":"back again"}'))(request, response),
    );
    const model = { baseUrl: `http://127.0.0.1:${portOf(server)}/v1`, name: "m", retries: 0 };
    const cwd = desk({ model, config: { budgets: { modelCallMs: 150 } } });
    const said = await cli(cwd, run);
    expect(said.code).toBe(5);
    expect(said.stderr).toMatch(/^signalbox: model_unreachable: [ -~…]+\n$/);
    expect(said.stderr).toMatch(new RegExp(says));
    expect(said.stdout).toMatch(/^model_unreachable · 1 turn · .*\n.*\n$/);
    expect((await cli(cwd, ["ledger", "verify"])).code).toBe(0);
    broken = false;
    const id = /signalbox continue (\S+)\)/.exec(said.stderr)?.[1] ?? "";
    const continued = await cli(cwd, ["continue", id]);
    expect(continued).toMatchObject({ code: 0, stderr: "" });
    expect(continued.stdout).toContain('"back again"');
  });

  function endless(_: unknown, response: Parameters<RequestListener>[1]): void {
    const more = (): void => {
      while (!response.destroyed && response.write("x".repeat(65_536)));
    };
    response.on("drain", more).writeHead(200);
    more();
  }
});

async function listening(serve: RequestListener): Promise<Server> {
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
