import { createHash } from "node:crypto";
import type { RunOutcome, Signalbox, Store, Tool } from "../../src/index.ts";
import type { House } from "./house.ts";
import { replyTo } from "./replies.ts";
import { strict } from "./strict.ts";

/**
 * The run that is killed: sixteen steps by scripted replies, with tools of all three effects, a `once` tool that has a
 * probe and one that has none, caps per run and per day, denials, a re-ask, plans, short-circuits, and a receipt from an
 * earlier run of the thread. Clock and ids are fixed, so an uninterrupted run writes the same bytes every time.
 */
export type World = {
  /** A numbered point at which the process may be killed. */
  point(label: string): void;
  /** Makes a real effect: one line, durable when this returns. */
  effect(line: EffectLine): void;
  /** The effects so far, those of earlier processes included. */
  effects(): readonly EffectLine[];
  /** A call to the model, by the digest of its prompt. */
  called(digest: string): void;
};

export type EffectLine = {
  readonly tool: string;
  readonly run: string;
  readonly step: number;
  readonly key: string;
  readonly order: string;
  readonly amount: number;
};

/** A world in this process, for those who kill nobody. */
export function memoryWorld(point: World["point"] = () => {}): World & { readonly calls: readonly string[] } {
  const [effects, calls]: [EffectLine[], string[]] = [[], []];
  return {
    point,
    effect: (line) => void effects.push(line),
    effects: () => effects,
    called: (digest) => void calls.push(digest),
    calls,
  };
}

/** The runs, in their order. `break` is only for those who want an effect that throws. */
export const REQUESTS = ["prelude", "main"] as const;
export type Request = (typeof REQUESTS)[number] | "break";

export const ONCE_TOOLS: readonly string[] = ["refund", "send"];
/** The `once` tool that nobody can ask afterwards. */
export const WITHOUT_PROBE = "send";

const NOW = Date.UTC(2026, 10, 30, 12);
const THREAD = "thread1";
const ORDERS = ["A", "B", "C"] as const;
const OWNERS = { A: "customer:ada", B: "customer:bob", C: "customer:ada" } as const;
const PAID = 5_000;

export function runId(request: Request): string {
  return `run${String([...REQUESTS, "break"].indexOf(request) + 1).padStart(20, "0")}`;
}

export type Opened = {
  readonly box: Signalbox;
  /** Carries a run to its end, from wherever it is. `fresh`: nobody can have begun it yet, so it is not looked for. */
  carry(request: Request, fresh?: boolean): Promise<RunOutcome>;
};

/** Opens the scenario's box in a house, over a store and a world. */
export function openScenario(house: House, store: Store, world: World): Opened {
  let next = "";
  const box = house.door.createSignalbox({
    model: {
      name: "scripted",
      kind: "scripted",
      where: "test/crash/replies.ts",
      complete: async ({ system, messages }) => {
        const prompt = messages[0]?.content ?? "";
        world.called(createHash("sha256").update(`${system}\u0000${prompt}`).digest("hex"));
        world.point("model: called");
        const text = replyTo(prompt);
        return { ok: true, text, finish: "stop", promptTokens: null, completionTokens: null };
      },
    },
    tools: toolsOf(house, world),
    policies: house.door.definePolicy([
      { id: "letters", tools: ["send"], effect: "permit", when: () => true },
      {
        id: "no_letters_of_two",
        tools: ["send"],
        effect: "deny",
        code: "no",
        when: ({ params }) => params.copies === 2,
      },
    ]),
    store,
    budgets: { turns: 30, modelCalls: 60, steps: 40 },
    clock: house.testing.simulatedClock(NOW),
    ids: { next: () => next },
  });
  return {
    box,
    carry: async (request, fresh = false) => {
      next = runId(request);
      const begin = () => box.thread({ id: THREAD, customer: "customer:ada" }).run(request);
      if (fresh) return begin();
      try {
        return await box.resume(next);
      } catch (error) {
        if (!(error instanceof house.door.SignalboxError) || error.code !== "unknown_run") throw error;
        return begin();
      }
    },
  };
}

function toolsOf({ door }: House, world: World): readonly Tool[] {
  type Call = { readonly run: string; readonly step: number; readonly idempotencyKey: string };
  const act = (tool: string, { run, step, idempotencyKey: key }: Call, order: string, amount = 0): void => {
    world.point(`${tool}: before`);
    world.effect({ tool, run, step, key, order, amount });
    world.point(`${tool}: after`);
  };
  /** An order as the world has it now: what was given back on it follows from the effects. */
  const recordOf = (order: (typeof ORDERS)[number]) => {
    world.point("record: before");
    const keys = new Map(
      world
        .effects()
        .filter((line) => line.tool === "refund" && line.order === order)
        .map((line) => [line.key, line.amount]),
    );
    const refunded = [...keys.values()].reduce((sum, amount) => sum + amount, 0);
    world.point("record: after");
    return { paid: PAID, refunded, events: [1, 2].map((n) => ({ id: `ev${order}${n}`, owner: OWNERS[order] })) };
  };
  const receipt = (key: string, amount: number) => ({ receipt: key.slice(0, 8), amount });

  return [
    door.defineTool({
      name: "lookup",
      description: "Looks an order up.",
      placement: "internal",
      effect: "read",
      params: strict({ order: ORDERS }),
      execute: ({ params: { order } }, call) => {
        act("lookup", call, order);
        return { order, paid: PAID };
      },
      summarise: ({ order, paid }) => `${order} was paid with ${paid}`,
    }),
    door.defineTool({
      name: "tag",
      description: "Tags an order.",
      placement: "user-reversible",
      review: "the order's page",
      effect: "idempotent",
      params: strict({ order: ORDERS, tag: ["vip", "late", "done"] }),
      record: ({ order }) => recordOf(order),
      caps: [{ name: "tags", limit: 3, window: "per_run" }],
      execute: ({ params: { order, tag } }, call) => {
        act("tag", call, order);
        return { order, tag };
      },
      summarise: ({ order, tag }) => `${order} is tagged ${tag}`,
    }),
    door.defineTool({
      name: "refund",
      description: "Gives money back.",
      placement: "irreversible",
      effect: "once",
      params: strict({ order: ORDERS, amount: "whole" }),
      denials: ["over_paid"],
      record: ({ order }) => recordOf(order),
      evidence: { min: 1, from: ({ events }) => events },
      authorise: ({ params: { amount } }, { paid, refunded }) =>
        amount > 0 && refunded + amount <= paid ? door.permit() : door.deny("over_paid"),
      caps: [
        { name: "refunds_a_run", amount: ({ amount }) => amount, limit: 2_000, window: "per_run" },
        {
          name: "refunds_a_day",
          key: (_params, _record, { customer }) => customer ?? "nobody",
          amount: ({ amount }) => amount,
          limit: 2_100,
          window: { calendar: "day", zone: "UTC" },
        },
      ],
      probe: (_params, { idempotencyKey }) => {
        world.point("probe: before");
        const found = world.effects().find((line) => line.key === idempotencyKey);
        world.point("probe: after");
        return found === undefined ? null : receipt(found.key, found.amount);
      },
      execute: ({ params: { order, amount } }, call) => {
        act("refund", call, order, amount);
        return receipt(call.idempotencyKey, amount);
      },
      summarise: ({ amount }) => `refunded ${amount}`,
    }),
    door.defineTool({
      name: "send",
      description: "Sends a letter.",
      placement: "staff-reversible",
      effect: "once",
      params: strict({ order: ORDERS, copies: "whole" }),
      authorise: "by_policy",
      caps: [{ name: "letters", limit: 3, window: { calendar: "day", zone: "UTC" } }],
      execute: ({ params: { order, copies } }, call) => {
        if (copies === 3) throw new Error("the postman never came back");
        act("send", call, order);
        return { sent: order, copies };
      },
      summarise: ({ sent }) => `sent a letter about ${sent}`,
    }),
    door.defineTool({
      name: "ship",
      description: "Ships an order.",
      placement: "staff-reversible",
      effect: "idempotent",
      params: strict({ order: ORDERS }),
      authorise: () => door.permit(),
      caps: [{ name: "parcels", limit: 1, window: { calendar: "day", zone: "UTC" } }],
      execute: (): { shipped: boolean } => {
        world.point("ship: before");
        throw new door.EffectFailed("the warehouse is shut");
      },
      summarise: () => "shipped",
    }),
    door.defineActor({
      name: "builder",
      description: "Builds a page.",
      placement: "internal",
      effect: "idempotent",
      params: strict({ path: ["a.ts", "b.ts"], version: "whole" }),
      settles: ({ path }) => path,
      execute: ({ params: { path } }, call) => {
        act("builder", call, path);
        return { kind: "code_written" as const, path, verdict: "Pass" as const, retries: 0 };
      },
      summarise: ({ path }) => `wrote ${path}`,
    }),
  ];
}
