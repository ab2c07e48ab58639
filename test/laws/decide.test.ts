import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { definePolicy, type PolicyRule } from "../../src/domain/policy.ts";
import { defineTool } from "../../src/domain/tool.ts";
import { deny, permit, stage } from "../../src/domain/verdict.ts";
import { type DecideInput, decide, isAuthorised } from "../../src/rails/index.ts";
import { judge } from "../../src/testing/judge.ts";
import { seed } from "../seed.ts";

const send = defineTool({
  name: "send",
  description: "sends",
  placement: "staff-reversible",
  effect: "once",
  params: z.strictObject({ to: z.enum(["a", "b"]), n: z.int().min(0).max(9) }),
  authorise: "by_policy",
  execute: () => ({}),
  summarise: () => "sent",
});

const refund = defineTool({
  name: "refund",
  description: "refunds",
  placement: "irreversible",
  effect: "once",
  params: z.strictObject({
    orderId: z.string().max(8),
    amountMinor: z.int().min(1),
    note: z.string().max(3).optional(),
  }),
  denials: ["too_much"],
  record: (): { paid: number; events: { id: string; owner: string; at: number; amount: number }[] } => ({
    paid: 0,
    events: [],
  }),
  evidence: {
    min: 1,
    from: (order) => order.events,
    maxAgeMs: 1_000,
    justifies: { amountMinor: (item) => (item as { amount?: number }).amount ?? 0 },
  },
  authorise: ({ params }, order) => (params.amountMinor > order.paid ? deny("too_much") : permit()),
  caps: [
    {
      name: "day",
      limit: 100,
      window: { calendar: "day", zone: "Europe/Zurich" },
      amount: (params) => params.amountMinor,
    },
  ],
  execute: () => ({}),
  summarise: () => "refunded",
});

const order = (more: object = {}) => ({
  paid: 50,
  events: [{ id: "e1", owner: "customer:ada", at: 5_000, amount: 10 }],
  ...more,
});
const good = {
  params: { orderId: "1", amountMinor: 10 },
  evidence: ["e1"],
  record: order(),
  customer: "customer:ada",
  now: 5_500,
};

const effects = fc.constantFrom(
  "permit",
  "stage",
  "deny",
  "silent",
  "throw",
  "promise",
  "undefined",
) as fc.Arbitrary<string>;

function ruleOf(kind: string, i: number): PolicyRule {
  const effect = kind === "stage" || kind === "deny" ? kind : "permit";
  const when = (): boolean => {
    if (kind === "throw") throw new Error("broken rule");
    if (kind === "promise") return Promise.resolve(true) as unknown as boolean;
    if (kind === "undefined") return undefined as unknown as boolean;
    return kind !== "silent";
  };
  return { id: `rule${i}`, tools: i % 2 === 0 ? ["send"] : ["se*"], effect, when, code: `code_${effect}` };
}

/** What the rules say, said again slowly: any deny or broken rule denies; else any stage stages; else any permit permits. */
function expected(kinds: readonly string[]): string {
  if (kinds.some((kind) => ["deny", "throw", "promise", "undefined"].includes(kind))) return "deny";
  if (kinds.includes("stage")) return "stage";
  return kinds.includes("permit") ? "permit" : "deny";
}

describe("laws of the rails", () => {
  test("[rails-deny-overrides] deny overrides stage overrides permit, in any order", () => {
    fc.assert(
      fc.property(fc.array(effects, { maxLength: 6 }), fc.infiniteStream(fc.nat()), (kinds, chance) => {
        const input = { params: { to: "a", n: 1 } };
        const rules = kinds.map(ruleOf);
        const said = judge(send, { ...input, policies: rules });
        expect(said.outcome).toBe(expected(kinds));
        const shuffled = [...rules].map((rule) => ({ rule, at: chance.next().value })).sort((a, b) => a.at - b.at);
        expect(judge(send, { ...input, policies: shuffled.map(({ rule }) => rule) }).outcome).toBe(said.outcome);
        const denied = judge(send, { ...input, policies: [...rules, ruleOf("deny", 99)] });
        expect(denied.outcome).toBe("deny");
      }),
      { seed, numRuns: 2_000 },
    );
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("x");
      },
    ],
    ["returns nothing", () => undefined],
    ["promises", async () => permit()],
    ["returns true", () => true],
    ["returns a string", () => "permit"],
    ["denies with a code that is not its own", () => deny("other")],
    ["stages without a role", () => ({ effect: "stage" })],
  ])("[rails-silence-denies] an authorise that %s denies with policy_error", (_what, authorise) => {
    const tool = { ...refund, authorise: authorise as never };
    expect(judge(tool, good)).toMatchObject({ outcome: "deny", code: "policy_error" });
  });

  test("[rails-silence-denies] no rule, no permit", () => {
    expect(judge(send, { params: { to: "a", n: 1 } }).code).toBe("no_policy");
    expect(judge(send, { params: { to: "a", n: 1 }, policies: [ruleOf("silent", 0)] }).code).toBe("no_permit");
    expect(() => definePolicy([ruleOf("deny", 1), ruleOf("deny", 1)])).toThrow("declared twice");
  });

  test("a policy cannot change what it judges", () => {
    const meddling = {
      ...refund,
      authorise: (({ params }: { params: { amountMinor: number } }, record: { paid: number }) => {
        params.amountMinor = 1;
        record.paid = 1_000;
        return permit();
      }) as never,
    };
    expect(judge(meddling, good).code).toBe("policy_error");
  });

  test.each([
    ["nothing cited", { evidence: [] }, "evidence_missing"],
    [
      "the same id twice where two are needed",
      { evidence: ["e1", "e1"], tool: { ...refund, evidence: { ...refund.evidence, min: 2 } } },
      "evidence_missing",
    ],
    ["an id that is not there", { evidence: ["e9"] }, "evidence_unknown"],
    ["a prototype name", { evidence: ["__proto__"] }, "evidence_unknown"],
    ["one real and one invented", { evidence: ["e1", "toString"] }, "evidence_unknown"],
    ["somebody else's", { customer: "customer:bob" }, "evidence_foreign"],
    ["no record", { record: null }, "record_missing"],
    ["nobody's customer", { customer: undefined }, "evidence_foreign"],
    ["older than it may be", { now: 6_001 }, "evidence_stale"],
    ["dated in the future", { now: 5_000 - 300_001 }, "evidence_stale"],
    [
      "without a date",
      { record: order({ events: [{ id: "e1", owner: "customer:ada", amount: 10 }] }) },
      "evidence_stale",
    ],
    ["another amount than it vouches for", { params: { orderId: "1", amountMinor: 11 } }, "evidence_mismatch"],
    ["more than was paid", { record: order({ paid: 9 }) }, "too_much"],
  ])("[rails-evidence] %s is denied", (_what, change, code) => {
    const { tool = refund, ...rest } = change as { tool?: never };
    expect(judge(tool, { ...good, ...rest } as never)).toMatchObject({ outcome: "deny", code });
  });

  test("[rails-evidence] at the border of its age it still counts", () => {
    expect(judge(refund, { ...good, now: 6_000 }).outcome).toBe("permit");
  });

  test.each([
    [{ orderId: "1" }, "missing_key"],
    [{ orderId: "1", amountMinor: 10, approved: true }, "unknown_key"],
    [{ orderId: "1", amountMinor: "10" }, "wrong_type"],
    [{ orderId: "1", amountMinor: 10.5 }, "fraction"],
    [{ orderId: "1", amountMinor: 0 }, "out_of_bounds"],
    [{ orderId: "1", amountMinor: -10 }, "out_of_bounds"],
    [{ orderId: "123456789", amountMinor: 10 }, "out_of_bounds"],
    [{ orderId: "1", amountMinor: Number.NaN }, "number_out_of_range"],
    [{ orderId: "1", amountMinor: 2 ** 53 }, "unsafe_integer"],
    [{ orderId: "\ud800", amountMinor: 10 }, "lone_surrogate"],
    [JSON.parse('{"orderId":"1","amountMinor":10,"__proto__":{"x":1}}'), "forbidden_key"],
    [{ orderId: "1", amountMinor: 10, constructor: { prototype: { approved: true } } }, "forbidden_key"],
    [[], "wrong_type"],
    ["full", "wrong_type"],
    [{ orderId: "x".repeat(70_000), amountMinor: 10 }, "too_large"],
  ])("[rails-output-codes] params %j have their code", (params, code) => {
    expect(judge(refund, { ...good, params })).toMatchObject({ outcome: "deny", code });
    expect(({} as { approved?: unknown }).approved).toBeUndefined();
  });

  test("[rails-output-codes] an enum is an enum, and a schema that strips unknown keys does not hide them", () => {
    expect(judge(send, { params: { to: "Bob", n: 1 } }).code).toBe("not_in_enum");
    const stripping = { ...send, params: z.object({ to: z.string() }) as never };
    expect(judge(stripping, { params: { to: "a", amount: 9 } }).code).toBe("unknown_key");
  });

  test("[rails-permission] what a principal may not use is not callable", () => {
    expect(judge(refund, { ...good, principal: { tools: ["send"] } }).code).toBe("permission");
  });

  test("[rails-cap-exact] a cap holds at limit-1, limit and limit+1, and says what is left", () => {
    expect(judge(refund, { ...good, used: { day: 89 } }).outcome).toBe("permit");
    expect(judge(refund, { ...good, used: { day: 90 } }).outcome).toBe("permit");
    expect(judge(refund, { ...good, used: { day: 91 } })).toMatchObject({
      code: "cap_exceeded",
      detail: "day: 10 wanted, 9 of 100 left",
    });
  });

  test("[rails-cap-day] the window is the calendar day of the zone", () => {
    const at = (now: number): string | undefined =>
      judge({ ...refund, evidence: { ...refund.evidence, maxAgeMs: 1e15 } as never }, { ...good, now }).reservations[0]
        ?.window;
    // 2026-03-29 is the day on which Zurich goes to summer time: it begins at 23:00Z and has 23 hours.
    expect(at(Date.UTC(2026, 2, 28, 22, 59, 59, 999))).toBe("day:2026-03-28@Europe/Zurich");
    expect(at(Date.UTC(2026, 2, 28, 23, 0, 0, 0))).toBe("day:2026-03-29@Europe/Zurich");
    expect(at(Date.UTC(2026, 2, 29, 21, 59, 59, 999))).toBe("day:2026-03-29@Europe/Zurich");
    expect(at(Date.UTC(2026, 2, 29, 22, 0, 0, 0))).toBe("day:2026-03-30@Europe/Zurich");
  });

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "5"])(
    "[rails-cap-exact] an amount of %s denies",
    (amount) => {
      const tool = {
        ...refund,
        caps: [{ name: "day", limit: 100, window: "per_run" as const, amount: () => amount as number }],
      };
      expect(judge(tool, good).code).toBe("cap_error");
    },
  );

  test("a staged proposal reserves nothing", () => {
    const tool = { ...refund, authorise: () => stage("supervisor") };
    expect(judge(tool, good)).toMatchObject({ outcome: "stage", role: "supervisor", reservations: [] });
    // Today's used-up cap does not stop an approval that may come tomorrow; it is reserved when it commits.
    expect(judge(tool, { ...good, used: { day: 100 } }).outcome).toBe("stage");
  });

  test("[rails-one-mint] copies of an Authorised are not one", () => {
    const input: DecideInput = {
      proposal: { tool: "refund", params: good.params, evidence: good.evidence },
      route: "direct",
      tool: refund,
      policies: [],
      facts: { ok: true, record: good.record },
      context: {
        principal: { id: "p", tools: ["refund"], attributes: {} },
        customer: "customer:ada",
        thread: "t",
        run: "r",
        outermost: "r",
        step: 1,
        now: good.now,
        today: "1970-01-01",
        requests: [],
        provenance: {},
      },
      capUse: [{ cap: "day", key: "all", window: "day:1970-01-01@Europe/Zurich", used: 0 }],
    };
    const decision = decide(input);
    if (decision.outcome !== "permit") throw new Error("expected a permit");
    const token = decision.authorised;
    expect(isAuthorised(token, "r", 1, "refund")).toBe(true);
    for (const copy of [
      { ...token },
      structuredClone({ ...token }),
      JSON.parse(JSON.stringify(token)),
      Object.create(token),
      Object.create(Object.getPrototypeOf(token)),
    ]) {
      expect(isAuthorised(copy, "r", 1, "refund")).toBe(false);
    }
    expect(isAuthorised(token, "r", 2, "refund")).toBe(false);
    expect(isAuthorised(token, "other", 1, "refund")).toBe(false);
    expect(isAuthorised(token, "r", 1, "send")).toBe(false);
    const Class = token.constructor as new () => unknown;
    expect(() => new Class()).toThrow("only decide() mints");
  });

  test.each(["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"])(
    "[json-prototype] the tool name %s is unknown",
    (tool) => {
      const before = Object.getOwnPropertyNames(Object.prototype).join();
      const decision = decide({
        proposal: { tool, params: {}, evidence: [] },
        route: "direct",
        tool: new Map([["refund", refund]]).get(tool) ?? null,
        policies: [],
        facts: { ok: true, record: null },
        context: {
          principal: { id: "p", tools: [tool], attributes: {} },
          customer: null,
          thread: "t",
          run: "r",
          outermost: "r",
          step: 1,
          now: 0,
          today: "",
          requests: [],
          provenance: {},
        },
        capUse: [],
      });
      expect(decision).toMatchObject({ outcome: "deny", denial: { code: "unknown_tool" } });
      expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(before);
    },
  );
});
