import { statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { RunEvent } from "signalbox";
import { scriptedModel } from "signalbox/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { cli, desk, effects, openDesk, say } from "./stage.ts";

const MEGABYTE = 1_048_576;
/** The longest answer for which a reply has room. */
const FITS = "x".repeat(262_144 - JSON.stringify(say.answer("")).length);
const action = (params: string): string => `{"kind":"action","tool":"pay","evidence":["inv_ada"],"params":${params}}`;
const wide = (keys: number): string => `{${Array.from({ length: keys }, (_, i) => `"k${i}":0`).join(",")}}`;
const deep = (depth: number, inner = "0"): string => "[".repeat(depth) + inner + "]".repeat(depth);

/** A reply that is a bomb, and the code with which it is refused. */
const BOMBS: readonly (readonly [what: string, code: string, make: () => string])[] = [
  ["100,000 brackets", "too_deep", () => deep(100_000)],
  ["40,000 objects inside each other", "too_deep", () => '{"a":'.repeat(40_000)],
  ["params one level too deep", "too_deep", () => action(deep(32))],
  ["20,000 keys", "too_many_keys", () => action(wide(20_000))],
  ["a key twice", "duplicate_key", () => action('{"account":"ada","amountMinor":5,"amountMinor":500}')],
  [
    "a key twice, spelt differently",
    "duplicate_key",
    () => action('{"account":"ada","amountMinor":5,"\\u0061mountMinor":500}'),
  ],
  ["the kind twice", "duplicate_key", () => '{"kind":"conversation","kind":"action","text":"x","tool":"pay"}'],
  [
    "a number of 100,000 digits",
    "number_out_of_range",
    () => action(`{"account":"ada","amountMinor":${"9".repeat(100_000)}}`),
  ],
  ["an exponent of 400", "number_out_of_range", () => action('{"account":"ada","amountMinor":1e400}')],
  ["an integer that is not exact", "unsafe_integer", () => action('{"account":"ada","amountMinor":9007199254740993}')],
  [
    "the prototype as a key",
    "forbidden_key",
    () => action('{"account":"ada","amountMinor":5,"__proto__":{"amountMinor":1}}'),
  ],
  ["half a character pair", "lone_surrogate", () => action('{"account":"\\ud800","amountMinor":5}')],
  ["a bomb inside the string that params may be", "too_deep", () => action(JSON.stringify(deep(40)))],
  ["a text one byte over the limit", "too_large", () => JSON.stringify(say.answer(`${FITS}x`))],
  ["50 MB of text", "too_large", () => JSON.stringify(say.answer("x".repeat(50 * MEGABYTE)))],
  ["50 MB of brackets", "too_large", () => "[".repeat(50 * MEGABYTE)],
];

function repliesIn(events: readonly RunEvent[]) {
  return events.filter((event) => event.kind === "replied");
}

describe("a reply that is a bomb", () => {
  test.each(BOMBS)(
    "[json-bombs] %s is refused as %s, the run goes on, and the refusal is on the ledger",
    async (_, code, make) => {
      const cwd = desk({});
      const box = await openDesk(cwd, { model: scriptedModel({ replies: [make(), say.pay("ada", 5), say.answer()] }) });
      const outcome = await box.run("please");
      expect(outcome).toMatchObject({ ending: "answered", turns: 2 });
      expect(effects(cwd)).toEqual(["pay ada 5"]);
      const [refused] = repliesIn(await box.events(outcome.run));
      expect(refused).toMatchObject({ reply: null, why: { code } });
      // What is kept of it is bounded, and so is what the model is told.
      expect(refused?.raw.length).toBeLessThanOrEqual(262_144);
      expect(refused?.why?.detail.length).toBeLessThan(300);
      expect(statSync(join(cwd, "signalbox.db")).size).toBeLessThan(2 * MEGABYTE);
      expect((await box.verifyLedger()).ok).toBe(true);
      expect((await box.replay(outcome.run)).differences).toEqual([]);
    },
  );

  test("[json-bombs] nothing but bombs ends the run by name", async () => {
    const replies = [...BOMBS, ...BOMBS].slice(0, 6).map(([, , make]) => make());
    const box = await openDesk(desk({}), { model: scriptedModel({ replies }) });
    const outcome = await box.run("please");
    expect(outcome).toMatchObject({ ending: "malformed", turns: 3, steps: 0 });
    expect(repliesIn(await box.events(outcome.run))).toHaveLength(6);
  });

  test("[json-bombs] the largest reply that is taken is taken, and each limit is reached without being passed", async () => {
    const fits = JSON.stringify(say.answer(FITS));
    expect(Buffer.byteLength(fits)).toBe(262_144);
    const replies = [action(`{"a":${deep(29)}}`), action(wide(9_990)), fits];
    const box = await openDesk(desk({}), { model: scriptedModel({ replies }) });
    const outcome = await box.run("please");
    expect(outcome).toMatchObject({ ending: "answered", text: FITS });
    // These two are proposals: it is the tool's own type that does not have them.
    const denied = (await box.events(outcome.run)).filter((event) => event.kind === "decided");
    expect(denied.map((event) => event.denial?.rail)).toEqual(["output", "output"]);
  });

  test("[json-bombs] [json-prototype] no reply reaches a prototype", async () => {
    const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"];
    const replies = [
      ...names.map((name) => `{"kind":"action","tool":"${name}","params":{}}`),
      ...names.map((name) => action(`{"${name}":{"polluted":true}}`)),
      ...names.map((name) => `{"kind":"${name}"}`),
      JSON.stringify(say.answer()),
    ];
    const box = await openDesk(desk({}), { model: scriptedModel({ replies }), budgets: { turns: 40, modelCalls: 80 } });
    const outcome = await box.run("please");
    expect(["answered", "malformed"]).toContain(outcome.ending);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(outcome.lastResult).toBeNull();
  });
});

describe("a server that sends one", () => {
  test.each([
    ["50 MB of content", () => `{"choices":[{"message":{"content":"${"x".repeat(50 * MEGABYTE)}"}}]}`],
    ["1 MB of brackets", () => "[".repeat(MEGABYTE)],
    ["a message that is nothing", () => '{"choices":[{"message":null}]}'],
    ["choices as an object", () => '{"choices":{"0":{"message":{"content":"hi"}}}}'],
  ])("[json-bombs] %s ends the run by name, in one line", async (_, body) => {
    const server = createServer((_, response) => void response.end(body()));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const cwd = desk({ model: { baseUrl: `http://127.0.0.1:${port}/v1`, name: "m" } });
    const said = await cli(cwd, ["run", "please"]);
    expect(said.code).toBe(5);
    expect(said.stderr).toMatch(/^signalbox: model_unreachable: bad_answer: [^\n]{1,400}\n$/);
    expect(statSync(join(cwd, "signalbox.db")).size).toBeLessThan(MEGABYTE);
    expect((await cli(cwd, ["ledger", "verify"])).code).toBe(0);
  });
});
