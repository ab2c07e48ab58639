import {
  type Backtest,
  backtest,
  createSignalbox,
  defineTool,
  deny,
  EffectFailed,
  type Json,
  type JsonObject,
  type PolicyConfig,
  permit,
  rulesOf,
  type ScannedRow,
  type Signalbox,
  type Store,
  stage,
  type Verdict,
  z,
} from "signalbox";
import { scriptedModel, simulatedClock } from "signalbox/testing";
import { describe, expect, onTestFinished, test } from "vitest";

const NOW = Date.parse("2026-11-30T10:00:00Z");
const DAY = 86_400_000;

type Order = { readonly [fact: string]: Json };
type Authorise = (
  params: { amountMinor: number },
  order: Order,
  today: string,
) => Verdict<"exceeds_paid" | "outside_window" | "no_coupon">;

const CAP = {
  name: "refunded",
  limit: 100_000,
  window: { calendar: "day", zone: "UTC" },
  amount: (params: { amountMinor: number }) => params.amountMinor,
} as const;

/** The orders that the desk loads: facts by id. */
const ORDERS: { readonly [id: string]: Order } = {
  a: { paidMinor: 900, events: [{ id: "e" }], coupon: { code: "X" } },
  b: { paidMinor: 500, events: [{ id: "e" }] },
};

/** A refund tool with these rules, so that two versions of it differ in nothing else. */
function refund(
  authorise: Authorise,
  caps: readonly (typeof CAP | { name: string; limit: number; window: "per_run" })[] = [CAP],
  amountMax = 1_000,
) {
  return defineTool({
    name: "refund",
    description: "Refund an order.",
    placement: "irreversible",
    effect: "idempotent",
    params: z.strictObject({ orderId: z.enum(["a", "b", "c"]), amountMinor: z.int().min(1).max(amountMax) }),
    denials: ["exceeds_paid", "outside_window", "no_coupon"],
    record: ({ orderId }): Order | null => ORDERS[orderId] ?? null,
    evidence: { min: 1, from: () => [{ id: "e" }] },
    authorise: ({ params }, order, { today }) => authorise(params, order, today),
    caps: caps as readonly [typeof CAP],
    execute: ({ params }) => {
      if (params.amountMinor === 13) throw new EffectFailed("the line broke");
      return params.amountMinor;
    },
    summarise: (paid) => `refunded ${paid}`,
  });
}

const paidOnly: Authorise = ({ amountMinor }, order) =>
  amountMinor > Number(order.paidMinor) ? deny("exceeds_paid") : permit();

const note = (withRecord: boolean) =>
  defineTool({
    name: "note",
    description: "Note something.",
    placement: "internal",
    effect: "idempotent",
    params: z.strictObject({ text: z.string().max(20) }),
    ...(withRecord ? { record: () => ({ open: true }) } : {}),
    execute: () => null,
    summarise: () => "noted",
  });

function asked(orderId: string, amountMinor: number, evidence: readonly string[] = ["e"]): JsonObject {
  return { kind: "action", tool: "refund", params: { orderId, amountMinor }, evidence };
}

const ANSWER: JsonObject = { kind: "conversation", text: "done" };

/** A box that has recorded these runs, a day apart, each with its proposals. */
async function recorded(
  runs: readonly (readonly JsonObject[])[],
  rules: PolicyConfig = { tools: [refund(paidOnly), note(false)] },
): Promise<Signalbox> {
  const replies = runs.flatMap((run) => [...run, ANSWER]);
  const clock = simulatedClock(NOW - (runs.length - 1) * DAY);
  const box = createSignalbox({ ...rules, model: scriptedModel({ replies }), store: "memory", clock });
  onTestFinished(() => box.close());
  for (const [i] of runs.entries()) {
    if (i > 0) clock.advance(DAY);
    await box.run("please");
  }
  return box;
}

function against(box: Signalbox, rules: PolicyConfig, since: number | null = null): Promise<Backtest> {
  return backtest(box.parts.store, { current: box.parts, candidate: rulesOf(rules), since });
}

function flipsOf({ flips }: Backtest): readonly string[] {
  return flips.map(({ from, to, count, money }) => {
    const side = ({ outcome, code, role }: typeof from): string =>
      [outcome, code ?? role].filter((part) => part !== null).join(" ");
    return `${count} ${side(from)} -> ${side(to)} ${JSON.stringify(money)}`;
  });
}

describe("backtest", () => {
  test("[backtest-flips] what comes out otherwise is counted by code, with the money it moves and the approvals it adds", async () => {
    const box = await recorded([
      [asked("a", 100), asked("a", 901), asked("b", 400)],
      [asked("b", 450), asked("b", 1)],
    ]);
    expect(await against(box, { tools: [refund(paidOnly), note(false)] })).toMatchObject({
      proposals: 5,
      runs: 2,
      unchanged: 5,
      flipped: 0,
      unknown: 0,
      flips: [],
      simulatedCaps: [],
    });
    const stricter = await against(box, {
      tools: [
        refund(({ amountMinor }, order) => {
          if (amountMinor > Number(order.paidMinor)) return deny("exceeds_paid");
          if (amountMinor === 400) return deny("outside_window");
          return amountMinor > 400 ? stage("supervisor") : permit();
        }),
        note(false),
      ],
    });
    expect(flipsOf(stricter)).toEqual([
      '1 permit -> deny outside_window {"refunded":-400}',
      '1 permit -> stage supervisor {"refunded":-450}',
    ]);
    expect(stricter).toMatchObject({
      unchanged: 3,
      flipped: 2,
      approvals: { added: 1, removed: 0 },
      money: [{ cap: "refunded", recorded: 951, now: 101 }],
    });
    expect(stricter.flips[0]).toMatchObject({
      tools: { refund: 1 },
      to: { rule: "refund.authorise" },
      examples: [{ step: 3 }],
    });
    const looser = await against(box, { tools: [refund(() => permit()), note(false)] });
    expect(flipsOf(looser)).toEqual(['1 deny exceeds_paid -> permit {"refunded":901}']);
  });

  test("[backtest-flips] a rule of another name that says the same is no flip; another code or another limit of the schema is", async () => {
    const box = await recorded([[asked("a", 901), asked("a", 50)]]);
    const renamed = await against(box, { tools: [refund(paidOnly, [CAP], 60)] });
    expect(flipsOf(renamed)).toEqual(["1 deny exceeds_paid -> deny out_of_bounds {}"]);
    const byPolicy = await against(box, {
      tools: [refund(() => permit()), note(false)],
      policies: [
        {
          id: "no_more_than_paid",
          tools: ["refund"],
          effect: "deny",
          code: "exceeds_paid",
          when: ({ params }, order) => Number(params.amountMinor) > Number((order as Order).paidMinor),
        },
      ],
    });
    expect(byPolicy.flips).toEqual([]);
  });

  test("[backtest-unknown] a fact that was not kept makes it unknown, by name, whatever comes out", async () => {
    const box = await recorded([[asked("a", 100), asked("b", 600)]]);
    const reads = (authorise: Authorise) => against(box, { tools: [refund(authorise), note(false)] });
    for (const authorise of [
      (_, order) => (order.deliveredOn === undefined ? permit() : deny("outside_window")),
      (_, order) => ("deliveredOn" in order ? deny("outside_window") : permit()),
      (_, order) => (Object.hasOwn(order, "deliveredOn") ? permit() : deny("outside_window")),
      (_, order) => ((order.deliveredOn as string).length > 1 ? permit() : permit()),
      (_, { deliveredOn }) => (deliveredOn === null ? permit() : stage("supervisor")),
    ] as readonly Authorise[]) {
      const report = await reads(authorise);
      expect(report).toMatchObject({ unchanged: 0, flipped: 0, unknown: 2 });
      expect(report.unknowns).toEqual([
        expect.objectContaining({ why: "fact `deliveredOn`", tool: "refund", count: 2 }),
      ]);
    }
    const deep = await reads((_, order) =>
      (order.events as readonly JsonObject[]).every((event) => event.owner === undefined) ? permit() : permit(),
    );
    expect(deep.unknowns).toEqual([expect.objectContaining({ why: "fact `events[].owner`" })]);
  });

  test("[backtest-unknown] a denial that read nothing of it is known all the same", async () => {
    const box = await recorded([[asked("a", 100), asked("a", 901), asked("a", 5, [])]]);
    const report = await against(box, {
      tools: [refund(paidOnly), note(false)],
      policies: [
        {
          id: "late",
          tools: ["refund"],
          effect: "deny",
          code: "outside_window",
          when: (_, order) => (order as Order).deliveredOn === null,
        },
      ],
    });
    // The first is permitted by a rule that a fact would overrule; the second is denied already, the third by its evidence.
    expect(report).toMatchObject({ unchanged: 2, unknown: 1, flipped: 0 });
  });

  test("[backtest-unknown] what the rules that decided looked for in vain as well was not there to be kept", async () => {
    const withCoupon: Authorise = (params, order, today) =>
      order.coupon === undefined ? paidOnly(params, order, today) : permit();
    const box = await recorded([[asked("a", 100), asked("b", 100), asked("b", 501)]], {
      tools: [refund(withCoupon), note(false)],
    });
    const report = await against(box, {
      tools: [refund((_, order) => (order.coupon === undefined ? deny("no_coupon") : permit()))],
    });
    expect(flipsOf(report)).toEqual([
      "1 deny exceeds_paid -> deny no_coupon {}",
      '1 permit -> deny no_coupon {"refunded":-100}',
    ]);
    expect(report).toMatchObject({ unknown: 0, unchanged: 1 });
  });

  test("[backtest-unknown] rules that decided vouch for themselves", async () => {
    const withCoupon: Authorise = (_, order) => (order.coupon === undefined ? permit() : deny("no_coupon"));
    const rules = { tools: [refund(withCoupon), note(false)] };
    const box = await recorded([[asked("a", 100), asked("b", 100)]], rules);
    expect(await against(box, rules)).toMatchObject({ unchanged: 2, unknown: 0 });
  });

  test("[backtest-unknown] what a cap would ask of a proposal that is staged is not asked", async () => {
    const box = await recorded([[asked("a", 100)]]);
    const byFact = { ...CAP, name: "weighed", amount: (_: unknown, order: Order) => Number(order.weight) };
    const staged = await against(box, { tools: [refund(() => stage("supervisor"), [CAP, byFact as never])] });
    expect(flipsOf(staged)).toEqual(['1 permit -> stage supervisor {"refunded":-100}']);
    const permitted = await against(box, { tools: [refund(() => permit(), [CAP, byFact as never])] });
    expect(permitted.unknowns).toEqual([expect.objectContaining({ why: "fact `weight`" })]);
  });

  test("[backtest-unknown] a tool that loads a record now has none of what was decided before", async () => {
    const box = await recorded([
      [
        { kind: "action", tool: "note", params: { text: "x" } },
        { kind: "action", tool: "note", params: { text: 1 } },
        asked("c", 1),
      ],
    ]);
    const report = await against(box, { tools: [refund(paidOnly), note(true)] });
    expect(report.unknowns).toEqual([expect.objectContaining({ why: "the record of note", count: 1 })]);
    // What the output rail denies needs no record, and a record that there was not is still not there.
    expect(report).toMatchObject({ proposals: 3, unchanged: 2 });
  });

  test("[backtest-unknown] code that cannot be watched at its reading is unknown, not a flip", async () => {
    const box = await recorded([[asked("a", 100)]]);
    const report = await against(box, {
      tools: [refund((params, order, today) => paidOnly(params, structuredClone(order), today))],
    });
    expect(report.unknowns).toEqual([
      expect.objectContaining({ why: "what it reads of the record cannot be watched" }),
    ]);
  });

  test("a rule that copies the record is named, since its reading of the copy is not seen", async () => {
    const box = await recorded([[asked("a", 100)]]);
    const report = await against(box, {
      tools: [refund((params, order, today) => paidOnly(params, { ...order }, today))],
    });
    expect(report).toMatchObject({ unchanged: 1, listed: [{ tool: "refund", path: "", count: 1 }] });
  });

  test("rules cannot change the facts, as in a run", async () => {
    const box = await recorded([[asked("a", 100)]]);
    const report = await against(box, {
      tools: [
        refund((_, order) => {
          (order as { paidMinor: number }).paidMinor = 1;
          return permit();
        }),
      ],
    });
    expect(flipsOf(report)).toEqual(['1 permit -> deny policy_error {"refunded":-100}']);
  });

  test("[backtest-caps] the recorded use counts where there is one; of a new cap it is what is permitted now, and it is said so", async () => {
    const box = await recorded([[asked("a", 100), asked("a", 101), asked("a", 102)], [asked("a", 103)]]);
    const smaller = await against(box, { tools: [refund(paidOnly, [{ ...CAP, limit: 201 } as never])] });
    expect(flipsOf(smaller)).toEqual(['1 permit -> deny cap_exceeded {"refunded":-102}']);
    expect(smaller.simulatedCaps).toEqual([]);
    const perRun = await against(box, {
      tools: [refund(paidOnly, [CAP, { name: "per_run", limit: 2, window: "per_run" }])],
    });
    expect(flipsOf(perRun)).toEqual(['1 permit -> deny cap_exceeded {"refunded":-102}']);
    expect(perRun.simulatedCaps).toEqual(["per_run"]);
  });

  test("[backtest-caps] a failed effect holds nothing of a new cap", async () => {
    const box = await recorded([[asked("a", 13), asked("a", 14), asked("a", 15)]]);
    const report = await against(box, {
      tools: [refund(paidOnly, [CAP, { name: "per_run", limit: 2, window: "per_run" }])],
    });
    expect(report).toMatchObject({ flipped: 0, unchanged: 3 });
  });

  test("what a principal may not use any more is denied, and nobody may who is not declared", async () => {
    const box = await recorded([[asked("a", 100)]]);
    const tools = [refund(paidOnly), note(false)];
    const flips = async (principals: PolicyConfig["principals"]) =>
      flipsOf(await against(box, { tools, ...(principals === undefined ? {} : { principals }) }));
    expect(await flips({ operator: { tools: ["note"] } })).toEqual(['1 permit -> deny permission {"refunded":-100}']);
    expect(await flips({ "agent:new": { tools: "all" } })).toEqual(['1 permit -> deny permission {"refunded":-100}']);
    expect(await flips({ operator: { tools: "all" } })).toEqual([]);
    expect(flipsOf(await against(box, { tools: [note(false)] }))).toEqual([
      '1 permit -> deny unknown_tool {"refunded":-100}',
    ]);
  });

  test("--since counts what came later, and what came before still holds its caps", async () => {
    const perRun = {
      name: "all_refunds",
      limit: 250,
      window: { calendar: "day", zone: "UTC" },
      amount: (params: { amountMinor: number }) => params.amountMinor,
    } as never;
    const box = await recorded([[asked("a", 100)], [asked("a", 200), asked("a", 100)]]);
    const report = await against(box, { tools: [refund(paidOnly, [CAP, perRun])] }, NOW);
    expect(report).toMatchObject({ proposals: 2, runs: 1, since: NOW });
    expect(flipsOf(report)).toEqual(['1 permit -> deny cap_exceeded {"refunded":-100}']);
  });

  describe("of steps that a person approved", () => {
    const staging: Authorise = (params, order, today) =>
      params.amountMinor > 400 ? stage("supervisor") : paidOnly(params, order, today);

    /** A run that staged a refund of 450, which a person approved and which was done; `after` is what its row says instead. */
    async function approvedRun(after: JsonObject | null): Promise<(rules: PolicyConfig) => Promise<Backtest>> {
      const box = createSignalbox({
        tools: [refund(staging), note(false)],
        approvers: { "user:sue": { roles: ["supervisor"] } },
        model: scriptedModel({ replies: [asked("a", 450), ANSWER] }),
        store: "memory",
        clock: simulatedClock(NOW),
      });
      onTestFinished(() => box.close());
      const { run } = await box.run("please");
      await box.approvals.approve(`${run}-1`, { as: "user:sue" });
      expect(await box.resume(run)).toMatchObject({ ending: "answered", performed: 1 });
      const instead = (row: ScannedRow): ScannedRow => {
        const body = row.body as JsonObject;
        return after === null || (body.approvedBy ?? null) === null ? row : { ...row, body: { ...body, ...after } };
      };
      const { store } = box.parts;
      const scan: Store["scan"] = (kinds, visit) => store.scan(kinds, (row) => visit(instead(row)));
      return (rules) => backtest({ scan } as Store, { current: box.parts, candidate: rulesOf(rules), since: null });
    }

    const stagesAbove = (most: number, caps?: Parameters<typeof refund>[1]) => ({
      tools: [refund(({ amountMinor }) => (amountMinor > most ? stage("supervisor") : permit()), caps), note(false)],
    });

    test("[backtest-flips] what is staged again is carried by its approval, within the caps", async () => {
      const run = await approvedRun(null);
      expect(await run(stagesAbove(100))).toMatchObject({
        proposals: 2,
        unchanged: 2,
        money: [{ cap: "refunded", recorded: 450, now: 450 }],
      });
      const tight = await run(stagesAbove(100, [CAP, { name: "none", limit: 0, window: "per_run" }]));
      expect(flipsOf(tight)).toEqual(['1 permit -> deny cap_exceeded {"refunded":-450}']);
    });

    test("[backtest-flips] what needs no approval any more is counted and holds its caps once", async () => {
      const run = await approvedRun(null);
      expect(await run(stagesAbove(1_000))).toMatchObject({
        flipped: 1,
        unchanged: 1,
        approvals: { added: 0, removed: 1 },
        money: [{ cap: "refunded", recorded: 450, now: 450 }],
      });
    });

    test("an approval that could not be used cannot be used now, and what no rule decided stays as it was", async () => {
      const denial = (code: string) => ({ rail: "action", code, detail: code, retryable: false });
      for (const [rule, code] of [
        ["approval", "approval_stale"],
        ["approval", "approval_expired"],
        ["proposal", "not_json"],
        ["loop", "too_many_waiting"],
      ] as const) {
        const run = await approvedRun({ outcome: "deny", rule, denial: denial(code), reservations: [] });
        expect(await run(stagesAbove(100))).toMatchObject({ flipped: 0, unchanged: 2 });
      }
    });
  });

  describe("of rules that ask where a value was seen", () => {
    const contacts = (trusted: readonly string[]) =>
      defineTool({
        name: "contacts",
        description: "List contacts.",
        placement: "internal",
        effect: "read",
        params: z.strictObject({}),
        trusted,
        execute: () => [{ email: "bob@example.com", note: "eve@example.com" }],
        summarise: () => "contacts",
      });
    const send = (traced: boolean) =>
      defineTool({
        name: "send",
        description: "Send a message.",
        placement: "staff-reversible",
        effect: "idempotent",
        params: z.strictObject({ to: z.string().max(80) }),
        ...(traced ? { provenance: { to: { from: ["request", "trusted"] } } as const } : {}),
        authorise: () => permit(),
        execute: () => null,
        summarise: () => "sent",
      });
    const act = (tool: string, params: JsonObject = {}): JsonObject => ({ kind: "action", tool, params });
    const to = (address: string) => act("send", { to: address });

    test("[backtest-flips] it is traced again from what the ledger holds of the thread, by the trust that the other rules declare", async () => {
      const runs = [
        [to("bob@example.com"), act("contacts"), to("bob@example.com"), to("eve@example.com"), to("please")],
      ];
      const box = await recorded(runs, { tools: [contacts([]), send(false)] });
      const trusting = await against(box, { tools: [contacts(["[].email"]), send(true)] });
      expect(flipsOf(trusting)).toEqual([
        "1 permit -> deny provenance_missing {}",
        "1 permit -> deny provenance_untrusted {}",
      ]);
      expect(trusting).toMatchObject({ proposals: 5, unchanged: 3, unknown: 0 });
      const wary = await against(box, { tools: [contacts([]), send(true)] });
      expect(flipsOf(wary)).toEqual([
        "2 permit -> deny provenance_untrusted {}",
        "1 permit -> deny provenance_missing {}",
      ]);
    });

    test("what earlier runs of the thread saw counts, and other threads' does not", async () => {
      const clock = simulatedClock(NOW);
      const replies = [
        act("contacts"),
        ANSWER,
        to("bob@example.com"),
        ANSWER,
        to("bob@example.com"),
        ANSWER,
        to("carl@example.com"),
        ANSWER,
      ];
      const tools = [contacts(["[].email"]), send(true)];
      const box = createSignalbox({ tools, model: scriptedModel({ replies }), store: "memory", clock });
      onTestFinished(() => box.close());
      const thread = box.thread();
      await thread.run("look");
      await thread.run("send it");
      await box.run("send it");
      await thread.run("and to carl@example.com");
      const same = await against(box, { tools });
      expect(same).toMatchObject({ proposals: 4, unchanged: 4, unknown: 0 });
      const open = await against(box, { tools: [contacts(["[].email"]), send(false)] });
      expect(flipsOf(open)).toEqual(["1 deny provenance_missing -> permit {}"]);
    });
  });
});
