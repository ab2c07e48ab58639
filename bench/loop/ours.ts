/** Signalbox over the same workload, with every rail that its tool must have and every guardrail on. */
import { join } from "node:path";
import { openMemoryStore } from "../../src/adapters/store-memory/index.ts";
import { createSignalbox, definePolicy, defineTool, type Model, permit, type Tool, z } from "../../src/index.ts";
import type { Session } from "./variant.ts";
import { ANSWER, callOf, DESCRIPTION, type LookupParams, lookup, REQUEST, TOOL } from "./workload.ts";

/** More than any run here needs: what is measured is the counting, not the stop. */
const TURNS_MAX = 1_000;

const PARAMS = z.strictObject({ order: z.string().max(12), page: z.int().min(0) });

const policies = definePolicy([
  {
    id: "orders-of-this-shop",
    tools: [TOOL],
    effect: "deny",
    code: "foreign_order",
    when: ({ params }) => typeof params.order !== "string" || !params.order.startsWith("A-"),
  },
]);

type Perform = (params: LookupParams) => ReturnType<typeof lookup>;

/** What most tools of a desk are: reversible by staff, judged by code, safe to repeat. */
function staffTool(perform: Perform): Tool {
  return defineTool({
    name: TOOL,
    description: DESCRIPTION,
    placement: "staff-reversible",
    effect: "idempotent",
    params: PARAMS,
    denials: ["foreign_order"],
    authorise: () => permit(),
    execute: ({ params }) => perform(params),
    summarise: (result) => `${result.order} ${result.status}`,
  });
}

/** The same as if it could not be undone: a record, evidence, a cap, and once only. */
function irreversibleTool(perform: Perform): Tool {
  return defineTool({
    name: TOOL,
    description: DESCRIPTION,
    placement: "irreversible",
    effect: "once",
    params: PARAMS,
    denials: ["foreign_order"],
    record: ({ order }) => ({ order, events: [{ id: order }, { id: `${order}-returned` }] }),
    evidence: { min: 1, from: (record) => record.events },
    authorise: () => permit(),
    caps: [{ name: "lookups_per_day", limit: 1_000_000, window: { calendar: "day", zone: "UTC" } }],
    execute: ({ params }) => perform(params),
    summarise: (result) => `${result.order} ${result.status}`,
  });
}

/** A model without latency. It keeps nothing: what a test model remembers of 500 prompts is not the loop's cost. */
function instantModel(cites: boolean): Model & { begin(turns: number): void } {
  let turn = 0;
  let turns = 0;
  return {
    name: "instant",
    kind: "scripted",
    where: "this process",
    begin: (count) => {
      turn = 0;
      turns = count;
    },
    complete: async () => {
      turn += 1;
      const params = callOf(turn, turns);
      const said =
        params === null
          ? { kind: "conversation", text: ANSWER, tool: null, params: null, evidence: [] }
          : { kind: "action", text: null, tool: TOOL, params, evidence: cites ? [params.order] : [] };
      const text = JSON.stringify({ ...said, steps: null, query: null });
      return { ok: true, text, finish: "stop", promptTokens: null, completionTokens: null };
    },
  };
}

function open(
  store: NonNullable<Parameters<typeof createSignalbox>[0]["store"]>,
  toolOf: (perform: Perform) => Tool = staffTool,
  after: (run: string) => Promise<void> = async () => {},
): Session {
  const model = instantModel(toolOf === irreversibleTool);
  let lookups = 0;
  const tool = toolOf((params) => {
    lookups += 1;
    return lookup(params);
  });
  const box = createSignalbox({
    model,
    tools: [tool],
    policies,
    store,
    budgets: {
      turns: TURNS_MAX,
      modelCalls: TURNS_MAX,
      steps: TURNS_MAX,
      tokens: Number.MAX_SAFE_INTEGER,
      wallMs: 3_600_000,
    },
  });
  return {
    run: async (turns) => {
      model.begin(turns);
      lookups = 0;
      const outcome = await box.thread().run(REQUEST);
      if (outcome.ending !== "answered") throw new Error(`ended as ${outcome.ending}: ${outcome.detail}`);
      await after(outcome.run);
      return { lookups, text: outcome.text };
    },
    close: () => box.close(),
  };
}

export const oursInMemory = async (): Promise<Session> => open("memory");

export const oursDurable = async (folder: string): Promise<Session> => open(join(folder, "signalbox.db"));

export const oursAllRails = async (): Promise<Session> => open("memory", irreversibleTool);

/** A store in memory works out the chain when it is read; here it is read, so that this cost has a line as well. */
export async function oursRead(): Promise<Session> {
  const store = openMemoryStore();
  return open(store, staffTool, async (run) => {
    const rows = await store.readRows(run);
    if (rows.at(-1)?.hash.length !== 64) throw new Error("a row without its hash");
  });
}
