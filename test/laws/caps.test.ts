import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { openMemoryStore } from "../../src/adapters/store-memory/index.ts";
import { openSqliteStore } from "../../src/adapters/store-sqlite/index.ts";
import type { CapSlot } from "../../src/domain/cap.ts";
import { dayIn, weekOf } from "../../src/domain/dates.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { type CapRule, type DecisionContext, defineTool, type Tool } from "../../src/domain/tool.ts";
import type { Store } from "../../src/ports/store.ts";
import { capDemand, decide, describeCap, slidingPartMs, windowAt } from "../../src/rails/index.ts";
import { Carrier } from "../contract/carrier.ts";
import { seed, TWIN_SEED } from "../seed.ts";
import { changesOf, localDay, nextMidnight, Oracle, type OracleCap, type Wish, type Zone } from "./caps-oracle.ts";

const HOUR = 3_600_000;
const ZURICH = "Europe/Zurich";
const LORD_HOWE = "Australia/Lord_Howe";
/** No multiple of 24: its parts are a millisecond longer than a 24th. */
const SLIDING = 2 * HOUR + 1;

const TENANT_DAY: OracleCap = { name: "tenant_day", limit: 18, window: { calendar: "day", zone: ZURICH } };
const TENANT_SLIDING: OracleCap = { name: "tenant_sliding", limit: 12, window: { sliding: SLIDING } };
const TOOL_WEEK: OracleCap = { name: "tool_week", limit: 26, window: { calendar: "week", zone: LORD_HOWE } };
const GLOBAL_MONTH: OracleCap = { name: "global_month", limit: 44, window: { calendar: "month", zone: ZURICH } };
const GLOBAL_DAY: OracleCap = { name: "global_day", limit: 31, window: { calendar: "day", zone: LORD_HOWE } };

const CAPS = [TENANT_DAY, TENANT_SLIDING, TOOL_WEEK, GLOBAL_MONTH, GLOBAL_DAY];

const TOOLS = ["refund", "transfer"] as const;
const TENANTS = ["ada", "bob", "cyd"] as const;
type Ask = {
  readonly tool: (typeof TOOLS)[number];
  readonly tenant: (typeof TENANTS)[number];
  readonly amount: number;
};

/** Per tenant, per tool and global at once; the two tools share every cap. */
function wishesOf({ tool, tenant, amount }: Ask): readonly Wish[] {
  return [
    { cap: TENANT_DAY, key: tenant, amount },
    { cap: TENANT_SLIDING, key: tenant, amount },
    { cap: TOOL_WEEK, key: tool, amount },
    { cap: GLOBAL_MONTH, key: "all", amount },
    { cap: GLOBAL_DAY, key: "all", amount },
  ];
}

function toolNamed(name: string): Tool {
  const amount = (params: JsonObject): number => Number(params.amount);
  const tenant = (params: JsonObject): string => String(params.tenant);
  const rules: readonly CapRule<JsonObject, null>[] = [
    { ...TENANT_DAY, amount, key: tenant },
    { ...TENANT_SLIDING, amount, key: tenant },
    { ...TOOL_WEEK, amount, key: () => name },
    { ...GLOBAL_MONTH, amount },
    { ...GLOBAL_DAY, amount },
  ];
  const tool = defineTool({
    name,
    description: "moves money",
    placement: "internal",
    effect: "once",
    params: z.strictObject({ tenant: z.enum(TENANTS), amount: z.int().min(1) }),
    execute: () => null,
    summarise: () => "done",
  });
  return { ...tool, caps: rules as Tool["caps"] };
}

const BY_NAME = new Map(TOOLS.map((name) => [name, toolNamed(name)] as const));

/** A planted fault: what is read of the books instead of what should be. */
type Tamper = (slot: CapSlot) => CapSlot;

type Model = { now: number; readonly oracle: Oracle; readonly open: number[]; action: number };
type Real = { readonly carrier: Carrier; readonly tamper: Tamper; readonly tally: Map<string, number> };

function count(tally: Map<string, number>, what: string): void {
  tally.set(what, (tally.get(what) ?? 0) + 1);
}
type Step = fc.AsyncCommand<Model, Real, false>;

class Propose implements Step {
  readonly ask: Ask;
  constructor(ask: Ask) {
    this.ask = ask;
  }
  check = (): boolean => true;

  async run(model: Model, { carrier, tamper, tally }: Real): Promise<void> {
    const step = ++model.action;
    const tool = BY_NAME.get(this.ask.tool);
    if (tool === undefined) throw new Error("no such tool");
    const { tenant, amount } = this.ask;
    const params = { tenant, amount };
    const context: DecisionContext = {
      principal: { id: "p", tools: [...TOOLS], attributes: {} },
      customer: null,
      thread: "t",
      run: carrier.run,
      outermost: carrier.run,
      step,
      now: model.now,
      today: "1970-01-01",
      requests: [],
      provenance: {},
    };
    const demand = capDemand(tool, params, null, context);
    if (!demand.ok) throw new Error(demand.denial.detail);
    carrier.at = model.now;
    let code: string | null = null;
    let by = "permitted";
    await carrier.decide(
      { step, tool: tool.name, reservations: demand.wanted },
      ({ capUse }) => {
        const proposal = { tool: tool.name, params, evidence: [] };
        const facts = { ok: true, record: null } as const;
        const made = decide({ proposal, route: "direct", tool, policies: [], facts, context, capUse });
        if (made.outcome === "deny") {
          code = made.denial.code;
          by = made.denial.detail.split(":")[0] ?? "";
        }
        return made.outcome === "permit";
      },
      demand.slots.map(tamper),
    );
    count(tally, by);
    const wishes = wishesOf(this.ask);
    const must = model.oracle.must(model.now, wishes);
    count(tally, must);
    if (code === null) {
      // Never exceeded, whatever else.
      expect(must).not.toBe("deny");
      model.oracle.take(step, model.now, wishes);
      model.open.push(step);
    } else {
      expect(code).toBe("cap_exceeded");
      expect(must).not.toBe("permit");
    }
  }

  toString = (): string => `${this.ask.tool}(${this.ask.tenant}, ${this.ask.amount})`;
}

class Settle implements Step {
  readonly outcome: "done" | "failed" | "outcome_unknown";
  constructor(outcome: Settle["outcome"]) {
    this.outcome = outcome;
  }
  check = ({ open }: Readonly<Model>): boolean => open.length > 0;

  async run(model: Model, { carrier }: Real): Promise<void> {
    const step = model.open.shift() ?? 0;
    carrier.at = model.now;
    await carrier.settle(step, this.outcome);
    if (this.outcome === "failed") model.oracle.giveBack(step);
  }

  toString = (): string => `${this.outcome}()`;
}

/** What a clock can do; `pick` chooses among the moments in question. */
const CLOCKS: { readonly [name: string]: (model: Readonly<Model>, pick: number) => number } = {
  later: ({ now }, pick) => now + (pick % (5 * 60_000)),
  back: ({ now }) => now - HOUR,
  midnight: ({ now }, pick) => nextMidnight(pick % 2 === 0 ? ZURICH : LORD_HOWE, now) + ((pick % 3) - 1),
  days: ({ now }, pick) => now + (1 + (pick % 9)) * 24 * HOUR,
  border: ({ now, oracle }, pick) => {
    const taken = oracle.moments;
    return (taken[pick % Math.max(1, taken.length)] ?? now) + SLIDING + ((pick % 3) - 1);
  },
  part: ({ now, oracle }, pick) => {
    const taken = oracle.moments;
    return (taken[pick % Math.max(1, taken.length)] ?? now) + SLIDING + slidingPartMs(SLIDING) + ((pick % 3) - 1);
  },
};

class Clock implements Step {
  readonly how: string;
  readonly pick: number;
  constructor(how: string, pick: number) {
    this.how = how;
    this.pick = pick;
  }
  check = (): boolean => true;

  async run(model: Model): Promise<void> {
    model.now = CLOCKS[this.how]?.(model, this.pick) ?? model.now;
  }

  toString = (): string => `clock ${this.how} ${this.pick}`;
}

const YEARS = [2025, 2026, 2027];
const zones: readonly Zone[] = [ZURICH, LORD_HOWE];
/** Where a sequence begins: an hour or less before a change of offset either way, or the end of a week, month or year. */
const starts = fc
  .tuple(
    fc.constantFrom(
      ...zones.flatMap((zone) => changesOf(zone, YEARS)),
      ...["2026-02-28", "2026-05-31", "2026-12-31", "2027-01-03"].map((day) => Date.parse(`${day}T23:00:00Z`)),
    ),
    fc.constantFrom(-HOUR, -1, 0, 1, -20 * 60_000),
  )
  .map(([at, by]) => at + by);

const asks = fc.record({
  tool: fc.constantFrom(...TOOLS),
  tenant: fc.constantFrom(...TENANTS),
  amount: fc.integer({ min: 1, max: 7 }),
});

const propose: fc.Arbitrary<Step> = asks.map((ask) => new Propose(ask));
const steps: readonly fc.Arbitrary<Step>[] = [
  propose,
  propose,
  propose,
  fc.constantFrom("done" as const, "failed" as const, "outcome_unknown" as const).map((outcome) => new Settle(outcome)),
  fc
    .tuple(fc.constantFrom(...Object.keys(CLOCKS)), fc.nat({ max: 1_000_000 }))
    .map(([how, pick]) => new Clock(how, pick)),
];

/** Runs sequences against the oracle, each in a run of its own of a store that `open` gives. */
function sequences(
  numRuns: number,
  open: () => Store,
  tamper: Tamper = (slot) => slot,
  tally = new Map<string, number>(),
  from = seed,
) {
  let n = 0;
  const law = fc.asyncProperty(
    starts,
    fc.commands([...steps], { maxCommands: 40, size: "max" }),
    async (now, commands) => {
      const store = open();
      const carrier = new Carrier(store, `r${++n}`);
      carrier.at = now;
      await carrier.begin();
      const model = (): Model => ({ now, oracle: new Oracle(), open: [], action: 0 });
      await fc.asyncModelRun(() => ({ model: model(), real: { carrier, tamper, tally } }), commands);
      expect(await store.checkBooks()).toEqual([]);
      await store.close();
    },
  );
  return fc.check(law, { seed: from, numRuns, endOnFailure: true });
}

describe("[rails-cap-day] [rails-cap-week-month] [rails-cap-sliding] [rails-cap-shared] caps against a list that is scanned", () => {
  test("10,000 sequences in memory", async () => {
    const tally = new Map<string, number>();
    const { failed, counterexample, errorInstance } = await sequences(10_000, openMemoryStore, undefined, tally);
    expect({ failed, counterexample, why: String(errorInstance ?? "") }).toMatchObject({ failed: false });
    // Otherwise the test is empty: every cap has stood in the way, and every verdict was asked for.
    for (const what of ["permitted", ...CAPS.map(({ name }) => name), "permit", "deny", "either"]) {
      expect(tally.get(what) ?? 0, what).toBeGreaterThan(100);
    }
  }, 120_000);

  test("and some on SQLite", async () => {
    const directory = mkdtempSync(join(tmpdir(), "signalbox-caps-"));
    let file = 0;
    const open = (): Store => openSqliteStore({ path: join(directory, `${++file}.db`) });
    const { failed, counterexample, errorInstance } = await sequences(25, open);
    expect({ failed, counterexample, why: String(errorInstance ?? "") }).toMatchObject({ failed: false });
    rmSync(directory, { recursive: true });
  });

  test.each<[string, Tamper]>([
    [
      "the oldest part leaves early",
      (slot) => ranged(slot, ({ from, below }) => ({ from: plusParts(from, 1), below })),
    ],
    [
      "the oldest part stays too long",
      (slot) => ranged(slot, ({ from, below }) => ({ from: plusParts(from, -1), below })),
    ],
    ["what lies ahead is free", (slot) => ranged(slot, ({ from }) => ({ from, below: `${slot.window}!` }))],
    ["only the part of the moment is read", ({ cap, key, window }) => ({ cap, key, window })],
  ])(
    "a twin is caught: %s",
    async (_, tamper) => {
      // A reservation beside a range that was not read is refused by the store too, or let through: both are seen here.
      const { failed } = await sequences(10_000, openMemoryStore, tamper, undefined, TWIN_SEED);
      expect(failed).toBe(true);
    },
    120_000,
  );
});

function ranged(
  slot: CapSlot,
  change: (range: NonNullable<CapSlot["range"]>) => NonNullable<CapSlot["range"]>,
): CapSlot {
  return slot.range === undefined ? slot : { ...slot, range: change(slot.range) };
}

function plusParts(name: string, parts: number): string {
  const [head = "", at = ""] = name.split("@");
  return `${head}@${String(Math.max(0, Number(at) + parts * slidingPartMs(SLIDING))).padStart(16, "0")}`;
}

describe("the names of windows", () => {
  test("[rails-cap-day] days of two zones are those of the rules of summer time, a whole year long", () => {
    for (const zone of zones) {
      for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 2); at += HOUR / 4) {
        const border = dayIn(zone, at) !== dayIn(zone, at - 1) ? [at - 1, at, at + 1] : [at];
        for (const moment of border) expect(dayIn(zone, moment)).toBe(localDay(zone, moment));
      }
    }
  });

  test.each([
    // ISO 8601: Monday first, and the week of the year's first Thursday is the first.
    ["2026-01-01", "2026-W01"],
    ["2025-12-29", "2026-W01"],
    ["2025-12-28", "2025-W52"],
    ["2026-12-31", "2026-W53"],
    ["2027-01-03", "2026-W53"],
    ["2027-01-04", "2027-W01"],
    ["2024-12-30", "2025-W01"],
    ["2021-01-03", "2020-W53"],
    ["2000-01-02", "1999-W52"],
    ["1970-01-01", "1970-W01"],
    ["1969-12-28", "1969-W52"],
  ])("[rails-cap-week-month] %s is in %s", (day, week) => expect(weekOf(day)).toBe(week));

  test("[rails-cap-week-month] a week and a month end at midnight in their zone", () => {
    const at = (calendar: "week" | "month", zone: string, iso: string) =>
      windowAt({ calendar, zone }, Date.parse(iso), "r").window;
    expect(at("week", ZURICH, "2026-11-29T22:59:59.999Z")).toBe("week:2026-W48@Europe/Zurich");
    expect(at("week", ZURICH, "2026-11-29T23:00:00.000Z")).toBe("week:2026-W49@Europe/Zurich");
    expect(at("month", ZURICH, "2026-11-30T22:59:59.999Z")).toBe("month:2026-11@Europe/Zurich");
    expect(at("month", ZURICH, "2026-11-30T23:00:00.000Z")).toBe("month:2026-12@Europe/Zurich");
    expect(at("month", "Pacific/Kiritimati", "2026-12-31T09:59:59.999Z")).toBe("month:2026-12@Pacific/Kiritimati");
    expect(at("month", "Pacific/Kiritimati", "2026-12-31T10:00:00.000Z")).toBe("month:2027-01@Pacific/Kiritimati");
  });

  test.each([1_000, 1_001, 24_000, 86_400_000, SLIDING])(
    "[rails-cap-sliding] of %i ms: counted for N and at most a part longer, at N-1, N and N+1",
    (lengthMs) => {
      const partMs = slidingPartMs(lengthMs);
      const counted = (takenAt: number, now: number): boolean => {
        const { window } = windowAt({ sliding: lengthMs }, takenAt, "r");
        const { range } = windowAt({ sliding: lengthMs }, now, "r");
        return range !== undefined && range.from <= window && window < range.below;
      };
      const begin = Math.ceil(1_764_460_800_000 / partMs) * partMs;
      for (const into of [0, 1, partMs - 2, partMs - 1]) {
        const taken = begin + into;
        expect(counted(taken, taken + lengthMs - 1)).toBe(true);
        // It leaves when the last moment of its part does.
        const leaves = begin + partMs - 1 + lengthMs;
        expect(counted(taken, leaves - 1)).toBe(true);
        expect(counted(taken, leaves)).toBe(false);
        expect(leaves - taken).toBeLessThanOrEqual(lengthMs + partMs);
        // What lies ahead of a clock that was set back counts, however far.
        for (const back of [1, HOUR, 400 * 24 * HOUR]) expect(counted(taken, taken - back)).toBe(true);
      }
      expect(counted(0, lengthMs - 1)).toBe(true);
      expect(counted(-5, 0)).toBe(true);
    },
  );

  test.each<[CapRule<JsonObject, null>["window"], string]>([
    ["per_run", "c: 5 a run"],
    [{ calendar: "week", zone: "UTC" }, "c: 5 a week (UTC)"],
    [{ sliding: 86_400_000 }, "c: 5 any 24 hours"],
    [{ sliding: 2 * 86_400_000 }, "c: 5 any 2 days"],
    [{ sliding: 90 * 60_000 }, "c: 5 any 90 minutes"],
    [{ sliding: 1_001 }, "c: 5 any 1001 milliseconds"],
  ])("%j in words", (window, text) => expect(describeCap({ name: "c", limit: 5, window })).toBe(text));

  test("[rails-cap-sliding] the last moment of a part counts for exactly N", () => {
    const { window } = windowAt({ sliding: 24_000 }, 9_999, "r");
    const from = (now: number) => windowAt({ sliding: 24_000 }, now, "r").range?.from ?? "";
    expect(from(9_999 + 23_999) <= window).toBe(true);
    expect(from(9_999 + 24_000) <= window).toBe(false);
  });
});
