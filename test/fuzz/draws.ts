/** What is proposed and said: mostly what fits, often at a border, and sometimes what nobody should ever send. */
import type { Draw } from "../hostile/draw.ts";
import type { Proposed } from "./books.ts";
import { type FuzzTool, PAYEES, REFS, TOOLS } from "./world.ts";

const AMOUNTS = [1, 99, 100, 101, 300, 301, 400, 401, 500, 501, 600, 601, 900, 901, 999, 1_000] as const;
const COLOURS = ["green", "blue", "red"] as const;

/** `favourite`: the tool that is wanted most, so that its caps come to their end. */
export function drawProposed(draw: Draw, favourite: FuzzTool): Proposed {
  const tool = draw.odds(1, 2) ? favourite : draw.pick(TOOLS);
  const name = draw.odds(1, 40) ? drawName(draw) : tool.name;
  const params = draw.odds(1, 25) ? drawHostile(draw) : drawParams(draw, tool);
  const isFree = tool.evidence === null && draw.odds(1, 3);
  return { tool: name as string, params, evidence: isFree ? [] : drawEvidence(draw) };
}

export function drawParams(draw: Draw, { name }: Pick<FuzzTool, "name">): { [field: string]: unknown } {
  const params: { [field: string]: unknown } = {};
  switch (name) {
    case "pay":
    case "refund":
      Object.assign(params, { amount: draw.pick(AMOUNTS), to: draw.odds(2, 3) ? PAYEES[0] : PAYEES[1] });
      break;
    case "label":
      Object.assign(params, { colour: draw.pick(COLOURS), ref: draw.pick(REFS) });
      break;
    case "wipe":
      Object.assign(params, { ref: draw.pick(REFS) });
      break;
  }
  if (draw.odds(1, 20))
    params[draw.pick(["approved", "toString", "note", "amountMinor"])] = draw.odds(1, 2) ? null : true;
  const [field] = Object.keys(params);
  if (field !== undefined && draw.odds(1, 25)) params[field] = drawHostile(draw);
  return params;
}

function drawEvidence(draw: Draw): readonly string[] {
  if (draw.odds(5, 6)) return draw.odds(1, 3) ? ["evt_1"] : ["evt_1", "evt_6"];
  return draw.pick([
    ...[
      [],
      ["evt_3"],
      ["evt_2", "evt_1"],
      ["evt_4", "evt_1"],
      ["evt_5"],
      ["evt_1", "evt_1"],
      ["__proto__"],
      ["evt_1", "constructor"],
      ["evt_9"],
    ],
    // What is no list of short texts at all.
    ...([
      7,
      "evt_1",
      [7],
      [null],
      ["\ud800"],
      ["x".repeat(2_000)],
      Array(65).fill("evt_1"),
      { 0: "evt_1" },
    ] as unknown as string[][]),
  ]);
}

export const DO_NOT_LOOK = "do not look";

const PROTOTYPE_NAMES = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"] as const;

export function drawName(draw: Draw): unknown {
  return draw.pick<unknown>([
    ...PROTOTYPE_NAMES,
    "",
    " ",
    "pay ",
    "PAY",
    "p\u0430y",
    "x".repeat(500),
    "\ud800",
    7,
    {},
    [],
  ]);
}

/** Bombs, half characters, names of prototypes, numbers at every border, and what is no data. */
export function drawHostile(draw: Draw): unknown {
  return draw.pick(HOSTILE)();
}

const HOSTILE: readonly (() => unknown)[] = [
  ...[
    0,
    -0,
    -1,
    0.5,
    1e-9,
    1_000.5,
    1e21,
    2 ** 31,
    2 ** 53 - 1,
    2 ** 53,
    -(2 ** 53),
    5e-324,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ].map((number) => () => number),
  ...[
    "",
    "\ud800",
    "\udc00x",
    "😀",
    "\u0000",
    "\u202egnp",
    "1; DROP TABLE rows",
    "x".repeat(41),
    "x".repeat(70_000),
  ].map((text) => () => text),
  ...PROTOTYPE_NAMES.map((name) => () => JSON.parse(`{"${name}":{"approved":true}}`) as unknown),
  () => null,
  () => true,
  () => nested("[", "]", 40),
  () => nested('{"a":', "}", 31, "1"),
  () => nested('{"a":', "}", 33, "1"),
  () => Array(10_001).fill(0),
  () => Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`k${i}`, i])),
  () => "y".repeat(300_000),
  () => new Date(0),
  () => new Map([["amount", 1]]),
  () => 7n,
  () => Symbol("amount"),
  () => () => 1,
  () => new Proxy({ amount: 1 }, { ownKeys: throws }),
  () => new Proxy({ amount: 1, to: PAYEES[0] }, { getOwnPropertyDescriptor: throws }),
  () => Object.defineProperty({}, "amount", { enumerable: true, get: throws }),
  () => Object.assign(Object.create({ amount: 1 }), { to: PAYEES[0] }) as unknown,
  () => {
    const circle: { [name: string]: unknown } = {};
    circle.again = circle;
    return circle;
  },
];

function throws(): never {
  throw new Error(DO_NOT_LOOK);
}

function nested(open: string, close: string, depth: number, inmost = ""): unknown {
  return JSON.parse(open.repeat(depth) + inmost + close.repeat(depth));
}
