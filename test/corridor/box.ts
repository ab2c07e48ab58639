import {
  type Config,
  createSignalbox,
  defineTool,
  type Model,
  type ModelReply,
  type ModelRequest,
  permit,
  type RunEvent,
  type Signalbox,
  type Tool,
  z,
} from "../../src/index.ts";
import { countedIds, type ScriptedReply, scriptedModel, simulatedClock } from "../../src/testing/index.ts";

/** A tool that does what the test says; its placement lets it pass without rails. */
export function plainTool(name: string, execute: Tool["execute"], more: Partial<Tool> = {}): Tool {
  const tool = defineTool({
    name,
    description: `does ${name}`,
    placement: "internal",
    effect: "read",
    params: z.strictObject({ n: z.int().optional(), s: z.string().optional() }),
    execute: () => null,
    summarise: (result) => `${name} gave ${JSON.stringify(result)}`,
  });
  return { ...tool, execute, ...more };
}

/** An irreversible `once` tool with every rail, which permits. */
export function payTool(execute: Tool["execute"], more: Partial<Tool> = {}): Tool {
  const tool = defineTool({
    name: "pay",
    description: "pays",
    placement: "irreversible",
    effect: "once",
    params: z.strictObject({ id: z.string().max(8), amountMinor: z.int().min(1).max(1_000_000) }),
    denials: ["too_much"],
    record: () => ({
      events: [
        { id: "e1", owner: "customer:ada" },
        { id: "e2", owner: "customer:bob" },
      ],
    }),
    evidence: { min: 1, from: (record) => record.events },
    authorise: () => permit(),
    caps: [
      { name: "paid", limit: 1_000, window: { calendar: "day", zone: "UTC" }, amount: (params) => params.amountMinor },
    ],
    execute: () => ({}),
    summarise: () => "paid",
  });
  return { ...tool, execute, ...more };
}

export const pay = (id: string, amountMinor: number, evidence: readonly string[] = ["e1"]): ScriptedReply => ({
  kind: "action",
  tool: "pay",
  params: { id, amountMinor },
  evidence: [...evidence],
});
export const act = (tool: string, params: { readonly [key: string]: never | number | string } = {}): ScriptedReply => ({
  kind: "action",
  tool,
  params: { ...params },
});
export const say = (text: string): ScriptedReply => ({ kind: "conversation", text });

export type TestBox = Signalbox & { readonly seen: RunEvent[] };

/** A box in memory with a script, a clock in the hand and counted ids. */
export function openBox(
  tools: readonly Tool[],
  replies: Iterable<ScriptedReply>,
  more: Partial<Config> = {},
): Signalbox {
  return createSignalbox({
    model: scriptedModel({ replies }),
    tools,
    store: "memory",
    clock: simulatedClock(1_000_000),
    ids: countedIds(),
    ...more,
  });
}

/** A model that says what the test says, as a server's does, and keeps what it was asked. `call` counts from 1. */
export function liveModel(
  says: (request: ModelRequest, call: number) => string | ModelReply,
  more: Partial<Model> = {},
): Model & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    name: "m",
    kind: "live",
    where: "here",
    requests,
    complete: async (request) => {
      requests.push(request);
      const said = says(request, requests.length);
      if (typeof said !== "string") return said;
      return { ok: true, text: said, finish: "stop", promptTokens: null, completionTokens: null };
    },
    ...more,
  };
}

/** What a canary found of a server that does as it is told. */
export const found = { schema: "honoured", tools: "unasked", tokeniser: true, windowTokens: null, detail: "" } as const;
