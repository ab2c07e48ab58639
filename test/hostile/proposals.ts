/** Proposals that a model could make: good ones for this run, and good ones with something wrong. */
import type { Json, JsonObject } from "../../src/domain/json.ts";
import type { Draw } from "./draw.ts";
import type { Proposed } from "./meant.ts";
import {
  ACCOUNTS,
  ADDRESSES,
  BROKEN_ACCOUNTS,
  CUSTOMERS,
  type Item,
  PRINCIPAL_IDS,
  PRINCIPALS,
  type PrincipalId,
  START,
} from "./world.ts";

/** For whom a run is, and what its model has heard of other runs. */
export type Aim = {
  readonly draw: Draw;
  readonly customer: string;
  readonly principal: PrincipalId;
  readonly runs: readonly string[];
};

const NAMES = [...ACCOUNTS.keys()];
const OWN: ReadonlyMap<string, readonly string[]> = new Map(
  CUSTOMERS.map((customer) => [
    customer,
    NAMES.filter((name) => ACCOUNTS.get(name)?.members.includes(customer) === true),
  ]),
);
const ITEMS = [...ACCOUNTS.values()].flatMap(({ items }) => items.map(({ id }) => id));
const AMOUNTS = [1, 1, 2, 3, 5, 8, 13, 20, 21, 34, 40, 55, 60, 99, 100, 150, 250];
const TOOLS = [
  "pay",
  "pay",
  "pay",
  "pay",
  "pay",
  "label",
  "label",
  "list",
  "list",
  "peek",
  "wire",
  "purge",
  "builder",
  "tell",
];
const USABLE: ReadonlyMap<PrincipalId, readonly string[]> = new Map(
  PRINCIPAL_IDS.map((id) => [id, TOOLS.filter((tool) => PRINCIPALS[id].some((one) => one === tool))]),
);
const NO_TOOLS = [
  "approve",
  "resume",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "PAY",
  "pay ",
  "раy",
  "",
];
const NO_ACCOUNTS = [
  ...BROKEN_ACCOUNTS,
  ...BROKEN_ACCOUNTS,
  "a9",
  "",
  "__proto__",
  "constructor",
  "a1\u0000",
  "a1 ",
  "á1",
];
const NO_IDS = ["evt_404", "__proto__", "constructor", "a1-a-new ", "A1-A-NEW", "", "*", "a1-a-new,ab-b-new"];
const PAYEES = ["payee-a", "payee-b", "payee-c", "payee-file", "payee-x", ""];
/** Whole numbers up to 2^53 - 1, and what is none. */
const NO_AMOUNTS: readonly Json[] = [
  ...[0, -1, -0, 0.5, 1.000001, 400, 401, 1_000, 1_001, 9_007_199_254_740_991, 1e15, -1e300, 1e21, 5e-324],
  ...["1", "1,000", "NaN", "", null, true, [], [1], {}, { $gt: 0 }],
];
const LONG = "x".repeat(69_000);

export function drawProposal(aim: Aim): Proposed {
  const { draw } = aim;
  const tool = draw.pick(draw.odds(1, 12) ? TOOLS : (USABLE.get(aim.principal) ?? TOOLS));
  const good = goodFor(tool, aim);
  if (!draw.odds(4, 10)) return good;
  const bad = spoil(good, aim);
  return draw.odds(1, 6) ? spoil(bad, aim) : bad;
}

/** What the rails would most likely permit, for as long as the caps do. */
export function goodFor(tool: string, aim: Aim): Proposed {
  const { draw, customer } = aim;
  const account = draw.pick(OWN.get(customer) ?? NAMES);
  const usable = (ACCOUNTS.get(account)?.items ?? []).filter((item) => isFine(item, customer));
  const item = usable[draw.below(usable.length)];
  const evidence = item === undefined ? [] : [item.id];
  switch (tool) {
    case "pay": {
      const params = { account, amountMinor: draw.pick(AMOUNTS), to: item?.payee ?? "" };
      return { tool, params: draw.odds(1, 4) ? { ...params, ref: "AB12" } : params, evidence };
    }
    case "wire":
      // Each of them ends its run, as it should: few are enough.
      return draw.odds(1, 6) ? { tool, params: { account, amountMinor: 5 }, evidence } : goodFor("pay", aim);
    case "label": {
      const params = { account, colour: draw.odds(1, 12) ? "red" : draw.pick(["green", "blue"]) };
      return { tool, params: draw.odds(1, 3) ? { ...params, note: "seen" } : params, evidence: [] };
    }
    case "list": {
      const page = draw.pick<Json>([1, 2, 9, "first", "last"]);
      const params = draw.pick<JsonObject>([{}, { status: "open" }, { page }, { status: "closed", page }]);
      return { tool, params, evidence: [] };
    }
    case "purge":
      return { tool, params: { account }, evidence: usable.slice(0, 2).map(({ id }) => id) };
    case "tell":
      return {
        tool,
        params: { to: draw.pick([ADDRESSES.said, ADDRESSES.said.toUpperCase(), ADDRESSES.listed]) },
        evidence: [],
      };
    case "builder":
      return { tool, params: { file: draw.pick(["a.ts", "b.ts", "c.ts"]) }, evidence: [] };
    default:
      return { tool: "peek", params: {}, evidence: [] };
  }
}

function isFine({ owner, at }: Item, customer: string): boolean {
  return (owner === undefined || owner === customer) && Math.abs(at - START) < 10 * 86_400_000;
}

/** Addresses that were not seen, or not where it counts, and one that was seen with white space around it. */
const NO_ADDRESSES = [
  ...[ADDRESSES.noted, ADDRESSES.noted, "ill@good.example", "bill@good.exampl", "bill", "good.example", ""],
  ...[
    "bill@good.example.",
    "bill@good.example@evil.example",
    "eve@evil.example,bill@good.example",
    "\u202ebill@good.example",
  ],
  ...["bi\u200bll@good.example", "bіll@good.example", "bill%40good.example", "mailto:bill@good.example", "__proto__"],
  ...["YmlsbEBnb29kLmV4YW1wbGU=", "ｂｉｌｌ@good.example", " bill@good.example\t", "bill@good.example\u0000"],
];

/** The same with one thing wrong. Some of it harms nothing. */
function spoil({ tool, params, evidence }: Proposed, { draw, runs }: Aim): Proposed {
  if (tool === "tell" && draw.odds(1, 2)) return { tool, params: { to: draw.pick(NO_ADDRESSES) }, evidence };
  switch (draw.below(14)) {
    case 0:
      return { tool: draw.pick([tool.toUpperCase(), `${tool} `, ...NO_TOOLS]), params, evidence };
    case 1:
      return { tool: draw.pick(TOOLS), params, evidence };
    case 2:
      return { tool, params: { ...params, [draw.pick(STRAY_KEYS)]: draw.pick(STRAY_VALUES) }, evidence };
    case 3: {
      const keys = Object.keys(params);
      const left = keys.length === 0 ? "" : draw.pick(keys);
      return { tool, params: Object.fromEntries(Object.entries(params).filter(([key]) => key !== left)), evidence };
    }
    case 4:
      return { tool, params: { ...params, amountMinor: draw.pick(NO_AMOUNTS) }, evidence };
    case 5:
      return { tool, params: { ...params, account: draw.pick([...NAMES, ...NO_ACCOUNTS]) }, evidence };
    case 6:
      return { tool, params: { ...params, to: draw.odds(1, 400) ? LONG : draw.pick(PAYEES) }, evidence };
    case 7:
      return { tool, params, evidence: [draw.pick(ITEMS)] };
    case 8:
      return { tool, params, evidence: [...evidence, draw.pick([...ITEMS, ...NO_IDS, ...runs])] };
    case 12:
      return { tool, params, evidence: evidence.map((id) => id.replace("new", draw.pick(["old", "next"]))) };
    case 9:
      return { tool, params, evidence: draw.pick([[], [draw.pick(NO_IDS)], [...evidence, ...evidence]]) };
    case 10:
      return {
        tool,
        params: { ...params, ref: draw.pick<Json>(["AB12", "AB12\n", "ab12", "AB1", null, 12]) },
        evidence,
      };
    case 11: {
      const keys = Object.keys(params);
      const key = keys.length === 0 ? "account" : draw.pick(keys);
      return {
        tool,
        params: { ...params, [key]: draw.pick<Json>([null, 0, "", "red", [], {}, false, "payee-b"]) },
        evidence,
      };
    }
    default:
      return { tool, params: { ...params, page: draw.pick<Json>([0, 10, "middle", 1.5, null, "1"]) }, evidence };
  }
}

const STRAY_KEYS = [
  "approved",
  "approvedBy",
  "toString",
  "valueOf",
  "evidence",
  "Account",
  "account ",
  "principal",
  "currency",
];
const STRAY_VALUES: readonly Json[] = [true, null, 0, "supervisor", { approved: true }, ["desk"]];
