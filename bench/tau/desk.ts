import { customerId } from "../../examples/tau/rule.ts";
import { createSignalbox, defineConfig, type Model, type PolicyRule, type Tool } from "../../src/index.ts";
import { simulatedClock } from "../../src/testing/index.ts";

/** One of the services as a figure drives it: what is the same in each of its conversations. */
export type Desk = {
  readonly agent: string;
  readonly tools: readonly Tool[];
  /** The names of the tools that change the service's records. */
  readonly writes: readonly string[];
  readonly policies: readonly PolicyRule[];
  /** The moment at which every conversation takes place, in milliseconds since 1970-01-01T00:00Z. */
  readonly now: number;
  readonly zone: string;
};

export type Conversation = { readonly services: object; readonly model: Model; readonly userId: string };

/** A box for one conversation: its own world, its own store, so that nothing carries over to the next. */
export function openBox(desk: Desk, { services, model, userId }: Conversation) {
  const box = createSignalbox(
    defineConfig({
      model,
      tools: desk.tools,
      policies: desk.policies,
      services,
      principals: { [desk.agent]: { tools: desk.tools.map((tool) => tool.name), attributes: {} } },
      store: "memory",
      // Time stands still: every recorded conversation takes place at that moment.
      clock: simulatedClock(desk.now),
      zone: desk.zone,
      budgets: { turns: 60, modelCalls: 80, steps: 60 },
    }),
  );
  return { box, thread: box.thread({ as: desk.agent, customer: customerId(userId) }) };
}

/**
 * The same desk with one rule for every tool in the place of its policy: the control beside a figure. What such a desk gets
 * right, it gets right for nothing. The desk that always permits has no evidence and no caps either; schemas stay.
 */
export function controlDesk(desk: Desk, effect: "permit" | "deny"): Desk {
  const rule = { id: `control: always ${effect}`, tools: ["*"], when: () => true };
  if (effect === "deny") return { ...desk, policies: [{ ...rule, effect, code: "control" }] };
  const tools = desk.tools.map(
    (tool): Tool => ({ ...tool, placement: "user-reversible", review: "none: a control", evidence: null, caps: [] }),
  );
  return { ...desk, tools, policies: [{ ...rule, effect }] };
}
