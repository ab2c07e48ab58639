import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { Memory, ModelReply } from "signalbox";
import { scriptedModel } from "signalbox/testing";
import { expect, onTestFinished, test } from "vitest";
import { cli, desk, effects, openDesk, say } from "./stage.ts";

/** Where a text stands in the files of a ledger, its write-ahead log included, in any of the ways in which JSON writes it. */
function filesWith(cwd: string, secret: string): readonly string[] {
  const spellings = [secret, JSON.stringify(secret).slice(1, -1)].map((text) => Buffer.from(text, "utf8"));
  return readdirSync(cwd)
    .filter((name) => name.startsWith("signalbox.db"))
    .filter((name) => spellings.some((text) => readFileSync(join(cwd, name)).includes(text)));
}

const SECRETS = ["canary-4711-hunter2", 'quo"ted\\canary', "kanarienvögel-密码"];

test.each(SECRETS)(
  "[input-redaction] a declared value, %j, in everything that anybody says, stands nowhere",
  async (secret) => {
    const replies = [
      `prose with ${secret}`,
      say.look("leak"),
      say.look("throw"),
      say.look(secret),
      say.act(secret, { [secret]: secret }, [secret]),
      say.pay("ada", 5, [secret]),
      say.plan([secret, { id: secret }]),
      say.answer(`your password is ${secret}`),
    ];
    const cwd = desk({ replies, secret, config: { redact: { values: [secret] } } });
    const model = scriptedModel({ replies: [...replies, say.retrieve(secret), say.answer(`as I said, ${secret}`)] });
    const memory: Memory = { search: async (query) => [{ source: secret, text: `${query} is ${secret}` }] };
    const box = await openDesk(cwd, { model, memory });
    const thread = box.thread({ id: "t" });
    const heard: string[] = [];
    const onEvent = (event: object): void => void heard.push(JSON.stringify(event));
    heard.push(JSON.stringify(await thread.run(`my password is ${secret}`, { onEvent })));
    heard.push(JSON.stringify(await thread.run(`and once more ${secret}`, { onEvent })));

    const escaped = JSON.stringify(secret).slice(1, -1);
    const prompts = model.requests.flatMap((request) => [
      request.system,
      ...request.messages.map((one) => one.content),
    ]);
    expect(prompts.length).toBeGreaterThan(16);
    for (const text of [...prompts, ...heard]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(escaped);
    }
    expect(heard.join("")).toContain("[redacted]");
    // The log holds the newest rows until it is folded into the file, so both have to be looked at.
    expect(readdirSync(cwd)).toContain("signalbox.db-wal");
    expect(filesWith(cwd, secret)).toEqual([]);
    await box.close();
    expect(filesWith(cwd, secret)).toEqual([]);

    for (const argv of [["run", `say ${secret}`], ["run", `say ${secret}`, "--json"], ["runs"], ["runs", "--json"]]) {
      const said = await cli(cwd, argv);
      for (const text of [said.stdout, said.stderr]) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(escaped);
      }
    }
    expect(filesWith(cwd, secret)).toEqual([]);
  },
);

test("[input-redaction] the check finds a canary that nobody declared", async () => {
  const secret = "canary-4711-hunter2";
  const cwd = desk({ replies: [say.look("leak"), say.answer()], secret });
  const box = await openDesk(cwd);
  await box.run(`my password is ${secret}`);
  expect(filesWith(cwd, secret)).not.toEqual([]);
});

test("[input-redaction] a declared field, however it is written, in a result, a record and a proposal", async () => {
  const secret = "s3cret-in-a-field";
  const cwd = desk({ replies: [], secret, config: { redact: { fields: ["Token", "note"] } } });
  const model = scriptedModel({
    replies: [say.look("leak"), say.act("look", { id: "a", TOKEN: secret }), say.answer("fine")],
  });
  const box = await openDesk(cwd, { model });
  const outcome = await box.run("please");
  expect(JSON.stringify(outcome)).not.toContain(secret);
  const [, second = ""] = model.requests.map((request) => request.messages.map((one) => one.content).join());
  expect(second).toContain('"token":"[redacted]"');
  expect(second).not.toContain(secret);
  const events = await box.events(outcome.run);
  const result = events.find((event) => event.kind === "finished");
  expect(result).toMatchObject({ result: { id: "leak", token: "[redacted]", note: "[redacted]" } });
});

test("[input-redaction] the tool gets the secret that the operator has, and only what is recorded is redacted", async () => {
  const cwd = desk({ replies: [say.pay("ada", 5), say.answer()], config: { redact: { values: ["pay ada"] } } });
  expect((await cli(cwd, ["run", "please"])).code).toBe(0);
  expect(effects(cwd)).toEqual(["pay ada 5"]);
});

test("[input-redaction] a model's key is a secret without being declared: a server that repeats it does not get it recorded", async () => {
  const apiKey = "sk-canary-0123456789";
  const tenant = "tenant-canary-99";
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    // Once in the middle, and once where a message is cut off.
    const message = `Incorrect key provided: ${apiKey}, for tenant ${tenant} `;
    response.writeHead(401).end(message + "x".repeat(290 - message.length) + apiKey);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const cwd = desk({
    model: { baseUrl: `http://127.0.0.1:${port}/v1`, name: "m", apiKey },
    config: { redact: { values: [tenant] } },
  });
  for (const argv of [
    ["run", "please"],
    ["run", "please", "--json"],
    ["run", "please", "--debug"],
    ["doctor"],
    ["doctor", "--json"],
  ]) {
    const said = await cli(cwd, argv);
    expect(said.code).toBe(5);
    expect(said.stdout + said.stderr).not.toMatch(/sk-can|tenant-can/);
  }
  expect(seen).toContain(`Bearer ${apiKey}`);
  expect(filesWith(cwd, apiKey)).toEqual([]);
});

test.each([
  ["that throws it", 0],
  ["that says it in a reason", 0],
  ["that says it on the edge of what is cut", 230],
])("[input-redaction] a model of one's own %s", async (what, before) => {
  const secret = "canary-4711-hunter2";
  const cwd = desk({ replies: [], config: { redact: { values: [secret] } } });
  const complete = async (): Promise<ModelReply> => {
    const detail = `${"x".repeat(before)}${secret}${"y".repeat(90)}`;
    if (what === "that throws it") throw new Error(detail);
    return { ok: false, code: "http_error", detail };
  };
  const box = await openDesk(cwd, { model: { name: "m", kind: "live", where: "here", complete } });
  const outcome = await box.run("please");
  expect(outcome).toMatchObject({ ending: "model_unreachable" });
  expect(outcome.detail).toMatch(before === 0 ? /\[redacted\]/ : /x\[redac/);
  expect(JSON.stringify(outcome)).not.toContain("canar");
  expect(filesWith(cwd, "canar")).toEqual([]);
});

test.each([0, 1, 7, 12, 18])(
  "[input-redaction] a secret on the edge of what is cut, %i characters before it, leaves no part of itself",
  async (before) => {
    const secret = "canary-4711-hunter2";
    // A one-liner has 240 bytes, and `cannot look: ` stands before.
    const secretAtTheEdge = `${"x".repeat(237 - "cannot look: ".length - before)}${secret}${"y".repeat(90)}`;
    const cwd = desk({
      replies: [say.look("throw"), say.answer("fine")],
      secret: secretAtTheEdge,
      config: { redact: { values: [secret] } },
    });
    const said = await cli(cwd, ["run", "please"]);
    expect(said.stdout).not.toMatch(/x{5}c|canar/);
    expect(filesWith(cwd, "xcanar")).toEqual([]);
  },
);
