import {
  defineTool,
  deny,
  type Json,
  type PolicyConfig,
  permit,
  readScenario,
  rulesOf,
  SignalboxError,
  type Simulation,
  simulate,
  stage,
  z,
} from "signalbox";
import { describe, expect, test } from "vitest";

const NOW = Date.parse("2026-11-30T10:00:00Z");

/** Pays once; what it may do hangs on everything that a scenario says. */
const pay = defineTool({
  name: "pay",
  description: "Pay an account.",
  placement: "irreversible",
  effect: "once",
  params: z.strictObject({ account: z.enum(["ada", "bob"]), amountMinor: z.int().min(1) }),
  denials: ["not_asked", "closed", "too_early"],
  record: (): { open: boolean; invoices: { id: string; owner: string }[] } => {
    throw new Error("a scenario calls no service");
  },
  evidence: { min: 1, from: (record) => record.invoices },
  authorise({ params }, record, { requests, today, principal }) {
    if (!record.open) return deny("closed");
    if (!requests.some((request) => request.includes(params.account))) return deny("not_asked");
    if (today < "2026-11-30") return deny("too_early");
    return params.amountMinor > Number(principal.attributes.ceiling ?? 100) ? stage("supervisor") : permit();
  },
  caps: [
    {
      name: "paid_per_day",
      limit: 150,
      window: { calendar: "day", zone: "UTC" },
      amount: (params) => params.amountMinor,
    },
    { name: "payments_per_run", limit: 2, window: "per_run" },
  ],
  execute: () => {
    throw new Error("a simulation performs nothing");
  },
  summarise: () => "paid",
});

const note = defineTool({
  name: "note",
  description: "Note something.",
  placement: "internal",
  effect: "idempotent",
  params: z.strictObject({ text: z.string() }),
  execute: () => null,
  summarise: () => "noted",
});

const CONFIG: PolicyConfig = {
  tools: [pay, note],
  principals: { "agent:desk": { tools: ["pay"], attributes: { ceiling: 80 } }, "agent:clerk": { tools: ["note"] } },
};

const record = { open: true, invoices: [{ id: "inv_1", owner: "customer:ada" }] };

function proposal(amountMinor: Json, more: Json = {}) {
  return {
    proposal: { tool: "pay", params: { account: "ada", amountMinor }, evidence: ["inv_1"], ...(more as object) },
  };
}

function run(steps: readonly Json[], more: object = {}, config: PolicyConfig = CONFIG): Simulation {
  const scenario = readScenario({
    schema: "signalbox.scenario/1",
    principal: "agent:desk",
    customer: "customer:ada",
    now: NOW,
    requests: ["pay ada"],
    records: [{ tool: "pay", params: { account: "ada" }, record }],
    steps,
    ...more,
  } as Json);
  if (!scenario.ok) throw new Error(scenario.why.detail);
  return simulate(rulesOf(config), scenario.value);
}

/** Each verdict as `allow`, `deny CODE`, `stage ROLE`. */
function said({ verdicts }: Simulation): readonly string[] {
  return verdicts.map(({ outcome, code, role }) => [outcome, code ?? role].filter((part) => part !== null).join(" "));
}

describe("simulate", () => {
  test("[simulate-rails] the verdicts are those of the rails, with the deciding rule", () => {
    const { verdicts, ok, scenario } = run([
      proposal(50),
      proposal(81),
      proposal(0),
      { proposal: { tool: "pya", params: {} } },
      { proposal: { tool: "note", params: { text: "x" } } },
    ]);
    expect({ ok, scenario }).toEqual({ ok: true, scenario: null });
    expect(said({ verdicts } as Simulation)).toEqual([
      "allow",
      "stage supervisor",
      "deny out_of_bounds",
      "deny unknown_tool",
      "deny permission",
    ]);
    expect(verdicts.map(({ rule }) => rule)).toEqual(["pay.authorise", "pay.authorise", "output", "output", "input"]);
    expect(verdicts[0]).toMatchObject({
      index: 0,
      params: { account: "ada", amountMinor: 50 },
      evidence: ["inv_1"],
      reservations: [
        { cap: "paid_per_day", key: "all", window: "day:2026-11-30@UTC", amount: 50, limit: 150 },
        { cap: "payments_per_run", key: "all", amount: 1, limit: 2 },
      ],
      expected: null,
      asExpected: null,
    });
  });

  test("[simulate-rails] the order in a scenario counts: a record, a request and the time hold for what stands after them", () => {
    const simulation = run([
      proposal(10),
      { record: { tool: "pay", record: { ...record, open: false } } },
      proposal(11),
      { record: { tool: "pay", params: { amountMinor: 12 }, record } },
      proposal(12),
      proposal(13),
      { now: NOW - 86_400_000 },
      proposal(12, { params: { account: "ada", amountMinor: 12 }, evidence: ["inv_9"] }),
      { record: { tool: "pay", record } },
      proposal(14),
      { now: NOW },
      { proposal: { tool: "pay", params: { account: "bob", amountMinor: 1 }, evidence: ["inv_1"] } },
      { request: "and bob too" },
      { proposal: { tool: "pay", params: { account: "bob", amountMinor: 1 }, evidence: ["inv_1"] } },
    ]);
    expect(said(simulation)).toEqual([
      "allow",
      "deny closed",
      "allow",
      "deny closed",
      "settled",
      "deny too_early",
      "deny not_asked",
      "allow",
    ]);
  });

  test("without a record in the scenario there is none, and null says so as well", () => {
    expect(said(run([proposal(1)], { records: [] }))).toEqual(["deny record_missing"]);
    expect(said(run([{ record: { tool: "pay", record: null } }, proposal(1)]))).toEqual(["deny record_missing"]);
    expect(said(run([proposal(1)], { records: [{ tool: "pay", params: { account: "bob" }, record }] }))).toEqual([
      "deny record_missing",
    ]);
  });

  test("[simulate-rails] a permitted proposal holds its caps for the next, a failed result gives them back, another request begins another run", () => {
    expect(said(run([proposal(80), proposal(70), proposal(1)]))).toEqual(["allow", "allow", "deny cap_exceeded"]);
    expect(said(run([proposal(80), proposal(71), proposal(70)]))).toEqual(["allow", "deny cap_exceeded", "allow"]);
    const failed = { result: { tool: "pay", result: null, outcome: "failed" } };
    expect(said(run([proposal(80), failed, proposal(79), proposal(71)]))).toEqual(["allow", "allow", "allow"]);
    expect(
      said(run([proposal(1), proposal(2), { request: "pay ada again" }, proposal(3), proposal(4), proposal(5)])),
    ).toEqual(["allow", "allow", "allow", "allow", "deny cap_exceeded"]);
    expect(said(run([proposal(51), proposal(50)], { caps: [{ cap: "paid_per_day", used: 100 }] }))).toEqual([
      "deny cap_exceeded",
      "allow",
    ]);
    expect(said(run([proposal(51)], { caps: [{ cap: "paid_per_day", key: "somebody", used: 100 }] }))).toEqual([
      "allow",
    ]);
  });

  test("[simulate-rails] a window that slides counts what was held in all of it, as time goes on in the scenario", () => {
    const send = defineTool({
      name: "send",
      description: "Send one.",
      placement: "staff-reversible",
      effect: "idempotent",
      params: z.strictObject({}),
      authorise: () => permit(),
      caps: [{ name: "sent", limit: 2, window: { sliding: 3_600_000 } }],
      execute: () => null,
      summarise: () => "sent",
    });
    const one = { proposal: { tool: "send", params: {} } };
    const steps = [one, { now: NOW + 1_800_000 }, one, one, { now: NOW + 3_600_000 + 150_000 }, one, one];
    const config = { tools: [send] };
    expect(said(run(steps, { principal: "operator", records: [] }, config))).toEqual([
      "allow",
      "allow",
      "deny cap_exceeded",
      "allow",
      "deny cap_exceeded",
    ]);
  });

  test("[simulate-rails] the same once action again is settled, after a failure it may be made again, and of an unknown outcome it is denied", () => {
    const result = (outcome: string) => ({ result: { tool: "pay", result: { receipt: 1 }, outcome } });
    expect(said(run([proposal(1), proposal(1)]))).toEqual(["allow", "settled"]);
    expect(said(run([proposal(1), result("done"), { request: "pay ada again" }, proposal(1)]))).toEqual([
      "allow",
      "settled",
    ]);
    expect(said(run([proposal(1), result("failed"), proposal(1)]))).toEqual(["allow", "allow"]);
    expect(said(run([proposal(1), result("outcome_unknown"), proposal(1)]))).toEqual(["allow", "deny outcome_open"]);
  });

  test("a principal is the config's, or as the scenario says", () => {
    const asked = (principal: Json) => said(run([proposal(90)], { principal }));
    expect(asked("agent:desk")).toEqual(["stage supervisor"]);
    expect(asked({ id: "agent:desk", attributes: { ceiling: 90 } })).toEqual(["allow"]);
    expect(asked({ id: "agent:desk", tools: [] })).toEqual(["deny permission"]);
    expect(asked({ id: "agent:new", tools: "all" })).toEqual(["allow"]);
    expect(said(run([proposal(90)], { principal: "agent:clerk" }))).toEqual(["deny permission"]);
    const { principals: _, ...open } = CONFIG;
    expect(said(run([proposal(90)], { principal: "anybody" }, open))).toEqual(["allow"]);
  });

  test.each([
    [{ principal: "agent:dekk" }, 'principal: the config has no principal "agent:dekk"; did you mean "agent:desk"?'],
    [
      { principal: { id: "agent:x", tools: ["pya"] } },
      'principal.tools: the config has no tool "pya"; did you mean "pay"?',
    ],
    [
      { caps: [{ cap: "paid_per_dya", used: 1 }] },
      'caps[0].cap: the config has no cap "paid_per_dya"; did you mean "paid_per_day"?',
    ],
  ])("[simulate-format] what the config does not have is refused: %j", (more, message) => {
    expect(() => run([proposal(1)], more)).toThrow(new SignalboxError("bad_scenario", message));
  });

  test("[simulate-expect] an expectation that does not hold is told, in each of its parts", () => {
    const expected = (expect: object) => run([proposal(81, { expect } as Json)]);
    expect(expected({ outcome: "stage" })).toMatchObject({ ok: true, verdicts: [{ asExpected: true }] });
    expect(expected({ outcome: "stage", role: "supervisor", rule: "pay.authorise" }).ok).toBe(true);
    for (const wrong of [
      { outcome: "allow" },
      { outcome: "stage", role: "boss" },
      { outcome: "stage", rule: "x" },
      { outcome: "stage", code: "x" },
    ]) {
      expect(expected(wrong)).toMatchObject({ ok: false, verdicts: [{ asExpected: false }] });
    }
  });

  test("declared secrets are replaced as in a run", () => {
    const { verdicts } = run(
      [{ proposal: { tool: "note", params: { text: "the key is hunter22" } } }],
      { principal: "agent:clerk" },
      { ...CONFIG, redact: { values: ["hunter22"] } },
    );
    expect(verdicts[0]?.params).toEqual({ text: "the key is [redacted]" });
  });

  test("a config needs no model to be judged by, and is checked as ever", () => {
    expect(() => rulesOf({ ...CONFIG, toosl: [] } as never)).toThrow('unknown key "toosl"; did you mean "tools"?');
    expect(() => rulesOf(null as never)).toThrow("must be an object");
  });
});
