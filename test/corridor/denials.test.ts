import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, deny, METRIC_DIMENSIONS, prometheusText, type Store, stage } from "signalbox";
import { describe, expect, onTestFinished, test } from "vitest";
import { openMemoryStore } from "../../src/adapters/store-memory/index.ts";
import { openSqliteStore } from "../../src/adapters/store-sqlite/index.ts";
import { countedIds, scriptedModel, simulatedClock } from "../../src/testing/index.ts";
import { act, openBox, pay, payTool, plainTool, say } from "./box.ts";

function onDisk(): Store {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-denials-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return openSqliteStore({ path: join(folder, "ledger.db") });
}

/** Denies 7 and stages 500. */
const authorise: ReturnType<typeof payTool>["authorise"] = ({ params }) =>
  params.amountMinor === 7 ? deny("too_much") : params.amountMinor === 500 ? stage("boss") : { effect: "permit" };
const tools = [payTool(() => ({}), { authorise }), plainTool("look", () => 1)];
const DAY_MS = 86_400_000;

/** Boxes over one store, each with a script of its own, at the day that is asked for. */
function ledger(store: Store) {
  const ids = countedIds();
  return (day: number, replies: Parameters<typeof openBox>[1], more: Partial<Config> = {}) =>
    openBox(tools, replies, { store, ids, clock: simulatedClock(day * DAY_MS), ...more });
}

describe.each([
  ["in memory", openMemoryStore],
  ["on disk", onDisk],
])("[metric-denials] a ledger %s", (_, open) => {
  test("each decision is counted once, by tool, code and rule; a receipt is none, a staged proposal is no denial", async () => {
    const boxAt = ledger(open());
    const plan = {
      kind: "plan",
      steps: [
        { actor: "nobody", description: "x", params: {} },
        { actor: "look", description: "y", params: {} },
      ],
    };
    const first = boxAt(10, [pay("a", 7), pay("b", 20), pay("b", 20), act("made_up"), act("look"), plan, say("done")]);
    expect((await first.run("pay", { customer: "customer:ada" })).ending).toBe("answered");
    const second = boxAt(10, [pay("c", 1, []), pay("d", 500)]);
    expect((await second.run("pay", { customer: "customer:ada" })).ending).toBe("awaiting_approval");
    const { totals, totalsBefore, groups, newest, unreadable, other } = await second.denials();
    expect(totals).toEqual({ proposals: 7, permits: 2, staged: 1, denials: 4 });
    expect(totalsBefore.proposals).toBe(0);
    expect([newest, unreadable, other]).toEqual([10 * DAY_MS, 0, null]);
    expect(groups.map(({ outcome, key, n, of }) => [outcome, key.tool, key.code, key.rule, n, of])).toEqual([
      ["deny", "pay", "evidence_missing", "evidence", 1, 4],
      ["deny", "pay", "too_much", "pay.authorise", 1, 4],
      ["deny", null, "unknown_tool", "output", 1, 7],
      ["deny", null, "unroutable", "loop", 1, 7],
      ["stage", "pay", null, "pay.authorise", 1, 4],
    ]);
  });

  test("what a row leaves out is its run's: the model and the versions, of each run its own", async () => {
    const boxAt = ledger(open());
    let box = boxAt(10, []);
    for (const name of ["one", "two", "one"]) {
      box = boxAt(10, [], { model: scriptedModel({ name, replies: [act("look"), act("made_up"), say("done")] }) });
      await box.run("look");
    }
    const { groups } = await box.denials({ by: ["model", "prompt", "policy"] });
    expect(groups.map(({ key, n, of }) => [key.model, n, of])).toEqual([
      ["one", 2, 4],
      ["two", 1, 2],
    ]);
    expect(groups.every(({ key }) => /^[0-9a-f]{64}$/.test(key.prompt ?? ""))).toBe(true);
    expect(groups.every(({ key }) => key.policy === box.parts.policyVersion)).toBe(true);
  });

  test("the window ends now and begins a week before, and is compared with the week before that", async () => {
    const boxAt = ledger(open());
    for (const day of [1, 2, 8, 9, 15, 16]) await boxAt(day, [pay("a", 7), say("no")]).run("pay");
    const seen = await boxAt(15, []).denials({ bucket: "day" });
    expect([seen.totals.denials, seen.totalsBefore.denials]).toEqual([2, 2]);
    // Now is part of it, so that the window begins a millisecond after the same time a week ago.
    expect(seen.until).toBe(15 * DAY_MS + 1);
    expect([seen.until - seen.since, seen.since - seen.sinceBefore]).toEqual([7 * DAY_MS, 7 * DAY_MS]);
    expect(seen.buckets.map(({ start, denials }) => [start / DAY_MS, denials])).toEqual(
      [8, 9, 10, 11, 12, 13, 14, 15].map((day) => [day, day === 9 || day === 15 ? 1 : 0]),
    );
  });
});

test("[metric-export] all decisions of all time as a Prometheus counter", async () => {
  const box = openBox(tools, [pay("a", 7), pay("b", 1), say("done")]);
  await box.run("pay", { customer: "customer:ada" });
  const seen = await box.denials({ since: 0, by: METRIC_DIMENSIONS, outcomes: ["deny", "stage", "permit"] });
  const prompt = seen.groups[0]?.key.prompt?.slice(0, 12);
  expect(prometheusText(seen).split("\n").slice(2)).toEqual([
    `signalbox_decisions_total{outcome="deny",tool="pay",rail="action",code="too_much",rule="pay.authorise",model="scripted",prompt="${prompt}"} 1`,
    `signalbox_decisions_total{outcome="permit",tool="pay",rail="",code="",rule="pay.authorise",model="scripted",prompt="${prompt}"} 1`,
    "",
  ]);
});

test.each([
  ["an empty window", { since: 5, until: 5 }, "bad_query"],
  ["half a millisecond", { since: 0.5 }, "bad_query"],
  ["a dimension that is none", { by: ["colour"] }, "bad_query"],
  ["no bucket", { bucket: { minutes: 0 } }, "bad_query"],
  ["too many buckets", { since: 0, until: 1_001 * 60_000, bucket: { minutes: 1 } }, "bad_query"],
] as const)("%s is refused", async (_, query, code) => {
  const box = openBox([], []);
  await expect(box.denials(query as Parameters<typeof box.denials>[0])).rejects.toMatchObject({ code, exitCode: 2 });
});

test("a thousand buckets are not too many", async () => {
  const seen = await openBox([], []).denials({ since: 0, until: 1_000 * 60_000, bucket: { minutes: 1 } });
  expect(seen.buckets).toHaveLength(1_000);
});

test("a row that is no decision is told of and not counted, whatever it says", async () => {
  const whole = { tool: "pay", rule: "r", promptVersion: "p", policyVersion: "v", model: "m" };
  const denied = { ...whole, outcome: "deny" };
  const bodies = [
    { ...whole, outcome: "perhaps" },
    denied,
    { ...denied, denial: { rail: "action" } },
    { ...denied, denial: { rail: "action", code: 7 } },
    { ...denied, denial: "no" },
    { ...whole, tool: 7 },
    { tool: "pay", rule: "r" },
    { ...denied, denial: { rail: "action", code: "no_permit" } },
    whole,
  ];
  const store = openMemoryStore();
  store.scan = async (_kinds, visit) => {
    // The run whose decisions follow has no beginning: what another run began with is none of its.
    visit({ run: "q", seq: 1, at: 1, kind: "began", body: whole });
    bodies.forEach((body, i) => {
      visit({ run: "r", seq: i + 1, at: 1, kind: "decided", body });
    });
  };
  const seen = await openBox([], [], { store }).denials({ since: 0 });
  expect(seen.unreadable).toBe(7);
  expect(seen.totals).toEqual({ proposals: 2, permits: 1, staged: 0, denials: 1 });
});
