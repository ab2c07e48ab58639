/**
 * The one workload of the figure `loop`: a model that calls `lookup` with other arguments each turn and then answers.
 * Everything is derived from the number of the turn, so each peer is given the same work, byte for byte.
 *
 * A run of N turns is N replies of the model: N - 1 calls of the tool and the answer.
 */

export const TOOL = "lookup";
export const DESCRIPTION = "Look up one page of an order.";
export const SYSTEM = "You are the desk of a shop. Look up what you need, then answer.";
export const REQUEST = "What became of all of these orders?";
export const ANSWER = "All of these orders are on their way.";

export type LookupParams = { readonly order: string; readonly page: number };

export type LookupResult = {
  readonly order: string;
  readonly page: number;
  readonly status: string;
  readonly customer: string;
  readonly lines: readonly {
    readonly sku: string;
    readonly title: string;
    readonly quantity: number;
    readonly priceMinor: number;
  }[];
  readonly totalMinor: number;
  readonly carrier: string;
  readonly updatedAt: string;
  readonly note: string;
};

/** What the model says in one turn: the params of its call, or null for the answer. */
export function callOf(turn: number, turns: number): LookupParams | null {
  return turn >= turns ? null : { order: `A-${1000 + turn}`, page: turn };
}

/** What the tool finds, about 450 bytes of JSON and other bytes each turn. */
export function lookup({ order, page }: LookupParams): LookupResult {
  const priceMinor = 1_990 + page * 7;
  return {
    order,
    page,
    status: page % 2 === 0 ? "in_transit" : "delivered",
    customer: `customer-${40_000 + page}`,
    lines: [
      { sku: `SKU-${page}-1`, title: "Reading lamp, brass", quantity: 1, priceMinor },
      { sku: `SKU-${page}-2`, title: "Desk mat, wool felt", quantity: 2, priceMinor: priceMinor + 310 },
    ],
    totalMinor: priceMinor * 3 + 620,
    carrier: "Northern Parcel",
    updatedAt: `2026-05-${String(10 + (page % 20))}T08:30:00Z`,
    note: `Parcel ${700_000 + page} was handed over at the depot and signed for at the door.`,
  };
}

/** A message list as most frameworks and servers hold it. */
export type Message =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string | null; readonly tool_calls?: readonly ToolCall[] }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

export type ToolCall = {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
};

/** What the model says in one turn, as an OpenAI-compatible server puts it. */
export function saidIn(turn: number, turns: number): Message & { readonly role: "assistant" } {
  const params = callOf(turn, turns);
  if (params === null) return { role: "assistant", content: ANSWER };
  const call = { name: TOOL, arguments: JSON.stringify(params) };
  return { role: "assistant", content: null, tool_calls: [{ id: `call_${turn}`, type: "function", function: call }] };
}

/** A run's own bytes: what the model said and the tool returned, as JSON of a conventional message list. */
export function ownBytes(turns: number): number {
  const messages: Message[] = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    messages.push(saidIn(turn, turns));
    const params = callOf(turn, turns);
    if (params === null) continue;
    messages.push({ role: "tool", tool_call_id: `call_${turn}`, content: JSON.stringify(lookup(params)) });
  }
  return Buffer.byteLength(JSON.stringify(messages));
}
