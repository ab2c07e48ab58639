/** Random worlds: tools of every placement, rules of every kind, and proposals that mostly fit and are sometimes just off. */
import { reservationsOf, usedOf } from "../../../spec/decision/caps.ts";
import { paramsOf } from "../../../spec/decision/params.ts";
import type {
  SaidAuthorise,
  SaidCap,
  SaidCase,
  SaidEvidence,
  SaidField,
  SaidHeld,
  SaidItem,
  SaidProvenance,
  SaidRule,
  SaidTerm,
  SaidTest,
  SaidTool,
  SaidVerdict,
} from "../../../spec/decision/said.ts";
import type { Json } from "../../../src/domain/json.ts";
import { PLACEMENTS } from "../../../src/domain/placement.ts";
import type { Sighting } from "../../../src/domain/provenance.ts";
import type { Draw } from "../../hostile/draw.ts";

/** Cases of one world, before another is made. */
export const CASES_PER_WORLD = 40;

export type SaidWorld = { readonly tools: readonly SaidTool[]; readonly rules: readonly SaidRule[] };

/** One of them, which may be nothing: `draw.pick` takes that for an empty list. */
function pick<const T>(draw: Draw, list: readonly T[]): T {
  return list[draw.below(list.length)] as T;
}

const NAMES = ["pay", "payout", "send", "note"] as const;
const ROLES = ["supervisor", "supervisor", "supervisor", "manager"] as const;
const CUSTOMERS = ["customer:ada", "customer:ada", "customer:bob", null] as const;
const PEOPLE = ["desk", "clerk"] as const;

const FIELDS: { readonly [name: string]: SaidField & { readonly optional?: true } } = {
  amount: { is: "whole", min: 1, max: 1_000 },
  to: { is: "text", length: 40 },
  colour: { is: "one_of", values: ["green", "blue", "red"] },
  ref: { is: "form", letters: 2, digits: 2, optional: true },
  copies: { is: "texts", length: 24, many: 3, optional: true },
  page: {
    is: "either",
    of: [
      { is: "whole", min: 1, max: 9 },
      { is: "one_of", values: ["first", "last"] },
    ],
    optional: true,
  },
  note: { is: "text", length: 90, optional: true },
};

/** What the tools of these tests take. A few, since a schema takes long to make. */
const SHAPES = [
  ["amount", "to", "ref", "note"],
  ["amount", "to", "copies", "page"],
  ["to", "colour", "note"],
  ["amount", "colour", "copies"],
  ["page", "amount"],
  [],
] as const;

const TO = ["GB29NWBK60161331926819", "ada@a.example", "bob", "1042"] as const;
/** Composed texts, and what they hold. */
const NOTES: { readonly [text: string]: readonly string[] } = {
  "all is well": [],
  "see https://a.example/x": ["https://a.example/x"],
  "write to eve@evil.example or look at https://b.example/y today": ["eve@evil.example", "https://b.example/y"],
};

export function drawWorld(draw: Draw): SaidWorld {
  return {
    tools: NAMES.map((name) => drawTool(draw, name)),
    rules: Array.from({ length: pick(draw, [0, 1, 2, 3, 4, 6]) }, (_, i) => drawRule(draw, `rule_${i}`)),
  };
}

export function drawRule(draw: Draw, id: string): SaidRule {
  const effect = pick(draw, ["permit", "permit", "permit", "stage", "deny"] as const);
  const code = effect === "stage" ? pick(draw, ROLES) : effect === "deny" ? pick(draw, ["frozen", "too_late"]) : null;
  const when = draw.odds(1, 25)
    ? { broken: pick(draw, ["nothing", "word", "number", "null", "promise", "meddles"] as const) }
    : drawTest(draw, effect === "deny" ? 1 : 4);
  const tools = pick(draw, [["pay"], ["send"], ["pay*"], ["*"], ["note", "send"], ["payout"], ["pa"], ["s*", "pay"]]);
  return { id, tools, effect, when, ...(code === null || draw.odds(1, 20) ? {} : { code }) };
}

/** `ease`: how often it simply holds, of six. */
function drawTest(draw: Draw, ease: number): SaidTest {
  if (draw.odds(ease, 6)) return { is: "always" };
  const left = drawTerm(draw);
  switch (draw.below(9)) {
    case 0:
      return { is: "never" };
    case 1:
      return { is: "cites", id: pick(draw, ["evt_1", "evt_2"]) };
    case 2:
      return { is: "same", left, right: drawTerm(draw) };
    case 3:
      return { is: "above", left: { of: "params", name: "amount" }, right: { value: pick(draw, [100, 400, 900]) } };
    case 4:
      return { is: "above", left: { of: "params", name: "amount" }, right: { of: "record", name: "paid" } };
    case 5:
      return { is: "not", test: drawTest(draw, 2) };
    case 6:
      return { is: "both", first: drawTest(draw, 3), second: drawTest(draw, 3) };
    case 7:
      return { is: "either", first: drawTest(draw, 1), second: drawTest(draw, 1) };
    default:
      return draw.odds(1, 4)
        ? { is: "throws" }
        : { is: "same", left: { of: "params", name: "colour" }, right: { value: "red" } };
  }
}

function drawTerm(draw: Draw): SaidTerm {
  switch (draw.below(8)) {
    case 0:
      return { of: "params", name: pick(draw, ["amount", "to", "colour", "page"]) };
    case 1:
      return { of: "record", name: pick(draw, ["paid", "status", "absent"]) };
    case 2:
      return { of: "attributes", name: pick(draw, ["team", "absent"]) };
    case 3:
      return { of: pick(draw, ["customer", "principal", "today", "cited", "step", "now"] as const) };
    case 4:
      return { value: pick(draw, ["open", "customer:ada", "desk", "sales"]) };
    case 5:
      return { value: pick(draw, [1, 2, 100]) };
    case 6:
      return { value: null };
    default:
      return { of: "customer" };
  }
}

function drawTool(draw: Draw, name: string): SaidTool {
  const names = pick(draw, SHAPES);
  const fields = Object.fromEntries(
    names.flatMap((field) => (FIELDS[field] === undefined ? [] : [[field, FIELDS[field]]])),
  );
  const placement = pick(draw, PLACEMENTS);
  const traced = draw.odds(1, 3) ? drawProvenance(draw, names) : null;
  return {
    ...{ name, placement, fields },
    schema: draw.odds(1, 25)
      ? pick(draw, ["refuses", "throws", "promises"] as const)
      : draw.odds(1, 6)
        ? "strips"
        : "sound",
    denials: ["too_much"],
    evidence: draw.odds(1, 2) ? drawEvidence(draw, names) : null,
    provenance: traced,
    authorise: draw.odds(1, 5) ? null : draw.odds(1, 3) ? "by_policy" : drawAuthorise(draw),
    caps: Array.from({ length: pick(draw, [0, 1, 1, 2, 3]) }, (_, i) => drawCap(draw, `cap_${i}`, names)),
  };
}

function drawProvenance(draw: Draw, names: readonly string[]): SaidProvenance | null {
  const known = names.filter((name) => ["to", "copies", "note", "amount"].includes(name));
  if (known.length === 0) return null;
  return Object.fromEntries(
    known
      .filter(() => draw.odds(2, 3))
      .map((field) => {
        const from = pick(draw, [["request"], ["trusted"], ["request", "trusted"]] as const);
        const stage = draw.odds(1, 3) ? { stage: pick(draw, ROLES) } : {};
        return [field, { from, ...stage, ...(field === "note" ? { inside: true } : {}) }];
      }),
  );
}

function drawEvidence(draw: Draw, names: readonly string[]): SaidEvidence {
  const justifies: { [field: string]: SaidEvidence["justifies"][string] } = {};
  for (const [field, item] of [
    ["amount", "sum"],
    ["to", "payee"],
  ] as const) {
    if (!names.includes(field) || draw.odds(2, 3)) continue;
    justifies[field] = draw.odds(1, 15) ? { broken: pick(draw, ["throws", "promise"] as const) } : { item };
  }
  return {
    min: pick(draw, [1, 1, 1, 2, 0]),
    maxAgeMs: draw.odds(1, 2) ? pick(draw, [1_000, 86_400_000]) : null,
    lists: draw.odds(1, 30) ? pick(draw, ["throws", "promises"] as const) : "items",
    justifies,
  };
}

function drawAuthorise(draw: Draw): SaidAuthorise {
  const cases = Array.from({ length: draw.below(3) }, () => ({ when: drawTest(draw, 1), verdict: drawVerdict(draw) }));
  return { cases, otherwise: draw.odds(3, 4) ? { says: "permit" } : drawVerdict(draw) };
}

function drawVerdict(draw: Draw): SaidVerdict {
  if (draw.odds(1, 12)) {
    return pick<SaidVerdict>(draw, [
      ...(["nothing", "word", "number", "null", "promise", "meddles", "throws"] as const).map((broken) => ({ broken })),
      { says: "stage_without_role" },
      { says: "unheard_of" },
      { says: "deny", code: "of_another_tool" },
    ]);
  }
  return pick<SaidVerdict>(draw, [
    { says: "permit" },
    { says: "permit" },
    { says: "stage", role: pick(draw, ROLES) },
    { says: "deny", code: "too_much" },
  ]);
}

const ZONES = ["Europe/Zurich", "UTC", "Australia/Lord_Howe"] as const;

function drawCap(draw: Draw, name: string, names: readonly string[]): SaidCap {
  const window = pick<SaidCap["window"]>(draw, [
    "per_run",
    { calendar: pick(draw, ["day", "week", "month"] as const), zone: pick(draw, ZONES) },
    { sliding: pick(draw, [1_000, 3_600_000, 86_400_000, 1_234_567]) },
  ]);
  const amount = draw.odds(1, 20)
    ? pick<NonNullable<SaidCap["amount"]>>(draw, [
        ...[-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "5"].map((value) => ({ value })),
        { broken: "throws" },
        { broken: "promise" },
      ])
    : pick<SaidCap["amount"] | undefined>(draw, [
        undefined,
        { value: pick(draw, [0, 1, 7]) },
        { of: "record", name: "paid" },
        names.includes("amount") ? { of: "params", name: "amount" } : undefined,
      ]);
  const key = draw.odds(1, 25)
    ? pick<NonNullable<SaidCap["key"]>>(draw, [
        { value: "" },
        { value: 7 },
        { broken: "throws" },
        { broken: "promise" },
      ])
    : pick<SaidCap["key"] | undefined>(draw, [
        undefined,
        { of: "customer" },
        { of: "principal" },
        names.includes("to") ? { of: "params", name: "to" } : undefined,
      ]);
  const own = { ...(amount === undefined ? {} : { amount }), ...(key === undefined ? {} : { key }) };
  return { name, limit: pick(draw, [0, 5, 1_000, 1_500, 9_007_199_254_740_991]), window, ...own };
}

/** Moments at which something changes: midnights, a week's, a month's and a year's end, and where summer time begins and ends. */
const MOMENTS = [
  ...["2026-03-28T23:00:00Z", "2026-03-29T01:00:00Z", "2026-03-29T22:00:00Z", "2026-10-25T01:00:00Z"],
  ...["2026-12-31T23:00:00Z", "2026-01-01T00:00:00Z", "2026-04-04T15:00:00Z", "2026-11-30T00:00:00Z"],
].map((moment) => Date.parse(moment));

const FAULTS = 30;

export function drawCase(draw: Draw, { tools, rules }: SaidWorld): SaidCase {
  const tool = pick(draw, tools);
  const now = pick(draw, MOMENTS) + pick(draw, [-1, 0, 1, 3_600_000, draw.below(86_400_000)]);
  const customer = pick(draw, CUSTOMERS);
  const principal = pick(draw, PEOPLE);
  const record = {
    items: drawItems(draw, tool, now, { customer, principal }),
    paid: pick(draw, [1, 100, 500, 1_000]),
    status: pick(draw, ["open", "shut"]),
  };
  const params = drawParams(draw, tool, record.items);
  const run = pick(draw, ["run-1", "run-2"]);
  const asked = {
    tool: tool.name,
    params,
    evidence: drawCited(draw),
  };
  const gone = draw.odds(1, 60);
  const about: SaidCase = {
    route: draw.odds(1, 60)
      ? pick(draw, ["unroutable", "actor_not_in_allowlist"] as const)
      : pick(draw, ["direct", "local", "adapter"] as const),
    tool: gone ? null : tool,
    asked,
    rules,
    facts: draw.odds(1, 25)
      ? { code: pick(draw, ["record_missing", "record_failed", "record_timeout", "record_unreadable"] as const) }
      : { record: draw.odds(1, 40) ? null : (record as unknown as Json) },
    principal: {
      id: principal,
      tools: draw.odds(1, 40) ? NAMES.filter((name) => name !== tool.name) : NAMES,
      attributes: draw.odds(1, 2) ? { team: "sales" } : {},
    },
    customer,
    ...{ run, outermost: draw.odds(1, 4) ? "run-0" : run, step: 1 + draw.below(3), now },
    today: new Date(now).toISOString().slice(0, 10),
    provenance: drawSightings(draw, tool, params),
    inside: NOTES,
    held: [],
    unread: draw.odds(1, 50) ? (tool.caps[0]?.name ?? null) : null,
    approval: draw.odds(1, 4) ? drawApproval(draw, now) : null,
  };
  return { ...about, held: drawHeld(draw, about, tool) };
}

function drawItems(
  draw: Draw,
  { evidence }: SaidTool,
  now: number,
  { customer, principal }: Whose,
): readonly SaidItem[] {
  const age = evidence?.maxAgeMs ?? 1_000;
  const fine = now - draw.below(age);
  return ["evt_1", "evt_2", "evt_3"].map((id) => {
    const at = draw.odds(1, 8) ? pick(draw, [now - age, now - age - 1, now + 300_000, now + 300_001]) : fine;
    const owner = draw.odds(1, 12)
      ? "customer:eve"
      : pick(draw, [undefined, undefined, customer ?? principal, principal]);
    const sum = draw.odds(1, 20) ? {} : { sum: pick(draw, [7, 100, 1_000]), payee: pick(draw, TO) };
    return {
      id: draw.odds(1, 40) ? "evt_1" : id,
      ...sum,
      ...(draw.odds(1, 20) ? {} : { at }),
      ...(owner === undefined ? {} : { owner }),
    };
  });
}

type Whose = { readonly customer: string | null; readonly principal: string };

function drawCited(draw: Draw): readonly string[] {
  if (draw.odds(3, 4)) return pick(draw, [["evt_1", "evt_2"], ["evt_1", "evt_2"], ["evt_3", "evt_2"], ["evt_1"]]);
  return pick(draw, [
    ...[
      ["evt_1"],
      ["evt_1"],
      ["evt_2"],
      ["evt_1", "evt_2"],
      ["evt_1", "evt_2"],
      ["evt_1", "evt_1"],
      ["evt_3", "evt_2", "evt_1"],
    ],
    ...[[], ["evt_9"], ["evt_1", "toString"], ["__proto__"], ["evt_3"]],
  ]);
}

function drawParams(draw: Draw, { fields }: SaidTool, items: readonly SaidItem[]): unknown {
  if (draw.odds(1, 80)) return pick<unknown>(draw, [null, [], "all", 7, true, undefined, new Date(0), [{}]]);
  const params: { [name: string]: unknown } = {};
  // Of several things that are no data, which is named first is nobody's business: so there is at most one.
  let odd = draw.odds(1, 12);
  for (const [name, field] of Object.entries(fields)) {
    if (field.optional === true && draw.odds(1, 2)) {
      if (draw.odds(1, 3)) params[name] = null;
      continue;
    }
    if (draw.odds(1, 60)) continue;
    if (odd && draw.odds(1, 3)) {
      odd = false;
      params[name] = drawOdd(draw);
    } else params[name] = draw.odds(1, FAULTS) ? drawWrong(draw, field) : drawRight(draw, name, field, items);
  }
  if (draw.odds(1, 40))
    params[pick(draw, ["approved", "toString", "amountMinor"])] = pick<unknown>(draw, [true, null, 1]);
  if (odd && draw.odds(1, 8))
    Object.defineProperty(params, pick(draw, ["__proto__", "constructor", "prototype"]), {
      value: {},
      enumerable: true,
    });
  return params;
}

function drawRight(draw: Draw, name: string, field: SaidField, items: readonly SaidItem[]): Json {
  switch (field.is) {
    case "whole":
      return draw.odds(1, 2)
        ? pick(draw, [field.min, field.max])
        : draw.odds(1, 2)
          ? Number(items[0]?.sum ?? 7)
          : pick(draw, [7, 100, 400, 401]);
    case "one_of":
      return pick(draw, field.values);
    case "text":
      if (name === "note") return pick(draw, Object.keys(NOTES));
      return draw.odds(1, 2)
        ? String(items[0]?.payee ?? "bob")
        : draw.odds(1, 10)
          ? "x".repeat(field.length)
          : pick(draw, TO);
    case "form":
      return pick(draw, ["AB12", "ZZ00"]);
    case "texts":
      return Array.from({ length: draw.below(field.many + 1) }, () => pick(draw, TO));
    case "either":
      return pick(draw, ["first", 3, 9]);
  }
}

/** What no tool should ever see. */
function drawOdd(draw: Draw): unknown {
  return pick<unknown>(draw, [
    ...[
      Number.NaN,
      Number.NEGATIVE_INFINITY,
      2 ** 53,
      -(2 ** 53),
      1e21,
      "\ud800",
      "a\udc00b",
      new Date(0),
      () => 7,
      7n,
    ],
    ...[
      Symbol("x"),
      new Map(),
      "x".repeat(70_000),
      nested(31),
      nested(32),
      nested(40),
      Array(3),
      Array(10_001).fill(0),
    ],
    Object.create({ amount: 7 }),
  ]);
}

/** Just off, or of another type. */
function drawWrong(draw: Draw, field: SaidField): unknown {
  if (draw.odds(1, 2)) {
    return pick<unknown>(draw, [null, true, "", "7", 7.5, -0.5, {}, [], ["x", 7], { amount: 7 }, "__proto__", 1e-7]);
  }
  switch (field.is) {
    case "whole":
      return pick(draw, [field.min - 1, field.max + 1, field.min + 0.5, field.max + 0.5, 1e9]);
    case "one_of":
      return pick(draw, ["Green", "green ", "toString"]);
    case "text":
      return pick(draw, ["x".repeat(field.length + 1), "é".repeat(field.length + 1), "x".repeat(65_000)]);
    case "form":
      return pick(draw, ["AB1", "ab12", "AB12\n", "AB123", "ÄB12", " AB12"]);
    case "texts":
      return pick(draw, [[...TO, ...TO], ["x".repeat(field.length + 1)], "bob", [null]]);
    case "either":
      return pick(draw, [0, 10, "middle", 1.5]);
  }
}

/** Objects in one another, of which the params are the outermost. */
function nested(depth: number): object {
  let inner: object = {};
  for (let i = 1; i < depth; i++) inner = { inner };
  return inner;
}

function drawSightings(draw: Draw, { provenance }: SaidTool, params: unknown): SaidCase["provenance"] {
  if (provenance === null || typeof params !== "object" || params === null) return {};
  const seen: { [path: string]: readonly Sighting[] } = {};
  const see = (path: string): void => {
    if (!draw.odds(1, 12)) seen[path] = drawSeen(draw);
  };
  for (const [name, value] of Object.entries(params)) {
    if (Array.isArray(value)) for (let i = 0; i < Math.min(3, value.length); i++) see(`${name}[${i}]`);
    else see(name);
    if (name !== "note" || typeof value !== "string") continue;
    // A composed text itself was seen by nobody, as a rule.
    if (draw.odds(9, 10)) delete seen[name];
    for (const one of Object.hasOwn(NOTES, value) ? (NOTES[value] ?? []) : []) see(`note{${one}}`);
  }
  return seen;
}

const REQUEST: Sighting = { source: "request", tool: null, path: "" };
const TRUSTED: Sighting = { source: "trusted", tool: "bank", path: "iban" };
const MAIL: Sighting = { source: "untrusted", tool: "mail", path: "body" };
const NOBODY: Sighting = { source: "untrusted", tool: null, path: "" };

function drawSeen(draw: Draw): readonly Sighting[] {
  return pick(draw, [
    [REQUEST, TRUSTED],
    [REQUEST, TRUSTED],
    [REQUEST, TRUSTED],
    [TRUSTED, MAIL],
    [MAIL, REQUEST],
    [REQUEST],
    [MAIL],
    [NOBODY],
    [],
  ]);
}

function drawApproval(draw: Draw, now: number): SaidCase["approval"] {
  const record = pick(draw, ["record", null]);
  const today = { params: "params", evidence: "cited", record, definition: "tool", policy: "rules", prompt: "prompt" };
  const approved: { [part: string]: string | null } = { ...today, role: pick(draw, ROLES) };
  while (draw.odds(1, 6)) approved[pick(draw, Object.keys(today))] = "another";
  const expiresAt = now + (draw.odds(1, 5) ? pick(draw, [-1, 0, 1]) : 1_000);
  return {
    approved: approved as NonNullable<SaidCase["approval"]>["approved"],
    today,
    expiresAt,
    approverMay: !draw.odds(1, 8),
  };
}

/** Use of each cap up to its very border, at the edges of its window and beside it. */
function drawHeld(draw: Draw, about: SaidCase, tool: SaidTool): readonly SaidHeld[] {
  if (tool.caps.length === 0 || !("record" in about.facts)) return [];
  const said = paramsOf(tool, about.asked.params);
  const wanted = "params" in said ? reservationsOf(about, tool, said.params, about.facts.record) : null;
  if (wanted === null) return [];
  const { now, outermost } = about;
  const held: SaidHeld[] = [];
  for (const { cap: name, key, amount, limit } of wanted) {
    const cap = tool.caps.find((one) => one.name === name);
    if (cap === undefined) continue;
    const small = Math.min(3, Math.floor(limit / 8));
    if (draw.odds(1, 2)) {
      for (const at of edgesOf(cap, now)) {
        if (draw.odds(1, 2))
          held.push({ cap: name, key, at, outermost: pick(draw, [outermost, "run-9"]), amount: small });
      }
      held.push({ cap: name, key: `${key}x`, at: now, outermost, amount: limit });
      held.push({ cap: `${name}x`, key, at: now, outermost, amount: limit });
    }
    const used = usedOf(cap, key, { ...about, held });
    const room = limit - used - amount + pick(draw, [-1, -1, 0, 0, 1, -5]);
    if (draw.odds(2, 3) && room > 0) held.push({ cap: name, key, at: now, outermost, amount: room });
  }
  return held;
}

function edgesOf({ window }: SaidCap, now: number): readonly number[] {
  if (window === "per_run") return [now, now - 1, now + 1];
  if (!("sliding" in window))
    return [now - 86_400_000, now - 7 * 86_400_000, now - 3_600_000, now - 1, now + 3_600_000];
  const { sliding } = window;
  const part = Math.ceil(sliding / 24);
  const first = Math.floor((now - sliding + 1) / part) * part;
  return [now - sliding, now - sliding + 1, now - sliding - part, first, first - 1, now + sliding, now + 1];
}

/** The params as they would be recorded, for a report. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value, (_key, one: unknown) =>
    typeof one === "bigint" || typeof one === "symbol" || typeof one === "function"
      ? String(one)
      : typeof one === "string"
        ? one.slice(0, 200)
        : Array.isArray(one)
          ? one.slice(0, 20)
          : one,
  );
  return String(text).slice(0, 4_000);
}
