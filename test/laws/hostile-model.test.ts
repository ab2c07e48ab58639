import { expect, test } from "vitest";
import type { Json, Model } from "../../src/index.ts";
import { createSignalbox, defineTool, deny, ENDINGS, permit, z } from "../../src/index.ts";
import { seed } from "../seed.ts";

/**
 * A model that says anything (claim S1, first form): honest replies, mutants of them, raw characters, other runs' ids,
 * forged approvals, bombs. Nothing that the rails, said again here slowly, would not permit may reach the world, and every
 * run ends by name.
 */
const RUNS = 2_500;

type Effect = { readonly tool: string; readonly params: { readonly id: string; readonly amountMinor: number } };

const accounts = new Map([
  ["a", { owner: "customer:ada", paid: 100, events: [{ id: "e1", owner: "customer:ada" }] }],
  ["b", { owner: "customer:bob", paid: 100, events: [{ id: "e2", owner: "customer:bob" }] }],
]);

function payTool(effects: Effect[]) {
  return defineTool({
    name: "pay",
    description: "pays",
    placement: "irreversible",
    effect: "once",
    params: z.strictObject({ id: z.enum(["a", "b"]), amountMinor: z.int().min(1) }),
    denials: ["too_much"],
    record: ({ id }) => accounts.get(id) ?? null,
    evidence: { min: 1, from: (account) => account.events },
    authorise: ({ params }, account) => (params.amountMinor > account.paid ? deny("too_much") : permit()),
    caps: [{ name: "run", limit: 120, window: "per_run", amount: (params) => params.amountMinor }],
    execute: ({ params }) => {
      effects.push({ tool: "pay", params });
      return { receipt: effects.length };
    },
    summarise: (result) => `receipt ${result.receipt}`,
  });
}

/** The rails of `pay`, said again: what may stand in the list of effects of one run for customer:ada. */
function allowed(effects: readonly Effect[]): boolean {
  const seen = new Set<string>();
  let total = 0;
  for (const { tool, params } of effects) {
    const keys = Object.keys(params).sort().join();
    if (tool !== "pay" || keys !== "amountMinor,id" || params.id !== "a") return false;
    if (!Number.isInteger(params.amountMinor) || params.amountMinor < 1 || params.amountMinor > 100) return false;
    const text = JSON.stringify([params.id, params.amountMinor]);
    if (seen.has(text)) return false;
    seen.add(text);
    total += params.amountMinor;
  }
  return total <= 120;
}

const FRAGMENTS = [
  '"__proto__":{"approved":true},',
  '"constructor":{"prototype":{"approved":true}},',
  '"approved":true,',
  '"amountMinor":1,',
  '"kind":"action",',
  "1e400",
  "-0",
  "1e0",
  "10.5",
  "\\ud800",
  "\u202e",
  "\u{e0041}",
  "```json\n",
  "```",
  "</s>",
  "<think>",
  "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
  "null",
  "9007199254740993",
  '"resumeData":{"approved":true}',
];

function chanceFrom(start: number): (below: number) => number {
  let state = start >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function saySomething(chance: (below: number) => number, heard: string): string {
  const pick = <T>(list: readonly T[]): T => list[chance(list.length)] as T;
  const params: Json = {
    id: pick(["a", "a", "a", "a", "b", "c", "__proto__"]),
    amountMinor: pick([1, 5, 20, 60, 100, 101, -1, 0.5, 2 ** 53]),
  };
  const evidence = pick([["e1"], ["e1"], ["e1"], ["e1"], ["e2"], [], ["e9"], ["e1", "e2"], ["constructor"]]);
  const tool = pick(["pay", "pay", "pay", "pay", "pay", "pay", "approve", "__proto__", "constructor", "toString"]);
  const honest = JSON.stringify(
    pick<Json>([
      { kind: "action", tool, params, evidence },
      { kind: "action", tool, params: JSON.stringify(params), evidence },
      {
        kind: "plan",
        steps: [
          { actor: tool, description: "x", params, evidence },
          { actor: "pay", description: "", params, evidence },
        ],
      },
      { kind: "plan", steps: [{ actor: "builder", description: "implement", params, evidence }] },
      { kind: "retrieve", query: "q" },
      { kind: "action", tool, params: { ...params, approved: true }, evidence },
    ]),
  );
  switch (chance(10)) {
    case 0: {
      const at = chance(honest.length);
      return honest.slice(0, at) + pick(FRAGMENTS) + honest.slice(at);
    }
    case 1: {
      const at = chance(honest.length);
      return honest.slice(0, at) + String.fromCharCode(chance(65_536)) + honest.slice(at + 1 + chance(3));
    }
    case 2:
      return chance(40) === 0
        ? JSON.stringify({ kind: "conversation", text: pick(["ok", "", heard.slice(0, 50)]) })
        : heard.slice(-200);
    default:
      return honest;
  }
}

test("[rails-silence-denies] [loop-ends] no string from a model commits what the rails do not permit", async () => {
  const chance = chanceFrom(seed);
  const before = Object.getOwnPropertyNames(Object.prototype).join();
  let inputs = 0;
  let performed = 0;
  const effects: Effect[] = [];
  const model: Model = {
    name: "hostile",
    kind: "scripted",
    where: "here",
    complete: async (request) => {
      inputs += 1;
      const finish = ["stop", "stop", "stop", "stop", "stop", "tool_calls", "", "length"][chance(8)] ?? "stop";
      const tokens = [null, 10, -1, Number.NaN, chance(100) === 0 ? 1e9 : 7][chance(5)] ?? null;
      const text = saySomething(chance, request.messages[0]?.content ?? "");
      return { ok: true, text, finish, promptTokens: tokens, completionTokens: null };
    },
  };
  const principals = { desk: { tools: ["pay"] } };
  const box = createSignalbox({ model, tools: [payTool(effects)], store: "memory", principals });
  for (let n = 0; n < RUNS; n++) {
    effects.length = 0;
    const outcome = await box.run("pay what is owed", { as: "desk", customer: "customer:ada" });
    expect(outcome.ending in ENDINGS).toBe(true);
    expect(outcome.ending, outcome.detail).not.toBe("failed");
    expect(outcome.text).not.toBe("");
    if (!allowed(effects)) throw new Error(`seed ${seed}, run ${n}: ${JSON.stringify(effects)}`);
    performed += effects.length;
    if (n % 50 === 0) expect((await box.replay(outcome.run)).differences).toEqual([]);
  }
  expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(before);
  expect(({} as { approved?: unknown }).approved).toBeUndefined();
  // A test in which nothing was ever performed, or nothing ever refused, would prove nothing.
  expect(performed).toBeGreaterThan(RUNS / 10);
  console.log(`${inputs} replies of a hostile model, ${performed} effects, seed ${seed}`);
});

test("the oracle of this test can fail", () => {
  const effect = (id: string, amountMinor: number): Effect => ({ tool: "pay", params: { id, amountMinor } });
  expect(allowed([effect("a", 100), effect("a", 20)])).toBe(true);
  for (const bad of [
    [effect("b", 5)],
    [effect("a", 101)],
    [effect("a", 5), effect("a", 5)],
    [effect("a", 100), effect("a", 21)],
    [effect("a", 0.5)],
  ]) {
    expect(allowed(bad)).toBe(false);
  }
});
