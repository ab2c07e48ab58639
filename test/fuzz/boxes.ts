/** Processes over one store: boxes with the same or with other rules and declarations, whose tools act in the books. */
import type { CallContext, Model, Signalbox, Store, Tool } from "../../src/index.ts";
import type { countedIds, SimulatedClock } from "../../src/testing/simulated-clock.ts";
import { Builder, type Tried } from "../laws/decision/build.ts";
import type { Books, Proposed, Variant } from "./books.ts";
import { APPROVAL_MS, APPROVERS, PRINCIPALS, RULES, TOOLS } from "./world.ts";

/** What the tools of a box act in. Boxes are many and tools dear, so the tools stay and this changes. */
export type Stage = {
  books: Books;
  /** Called where a tool of a run of ours acts. */
  act: (variant: Variant, call: CallContext, proposed: Proposed) => unknown;
  /** What the model says next, as the text of a reply. */
  replies: string[];
};

export class Boxes {
  readonly #house: Tried;
  readonly #builder: Builder;
  readonly #stage: Stage;
  readonly #tools = new Map<string, readonly Tool[]>();

  constructor(house: Tried, stage: Stage) {
    this.#house = house;
    this.#builder = new Builder(house);
    this.#stage = stage;
  }

  open(variant: Variant, store: Store, clock: SimulatedClock, ids: ReturnType<typeof countedIds>): Signalbox {
    const stage = this.#stage;
    const model: Model = {
      name: "fuzz",
      kind: "scripted",
      where: "here",
      complete: async () => {
        const text = stage.replies.shift() ?? '{"kind":"conversation","text":"That is all."}';
        return { ok: true, text, finish: "stop", promptTokens: null, completionTokens: null };
      },
    };
    return this.#house.door.createSignalbox({
      ...{ model, store, clock, ids },
      tools: this.#toolsOf(variant),
      policies: this.#builder.rules(RULES[variant.rules] ?? []),
      // The functions are made from data, so their text does not tell them apart.
      policyVersion: variant.rules,
      principals: Object.fromEntries(Object.entries(PRINCIPALS).map(([id, tools]) => [id, { tools }])),
      approvers: Object.fromEntries(
        Object.entries(APPROVERS[variant.people] ?? {}).map(([id, roles]) => [id, { roles }]),
      ),
      approvalMs: APPROVAL_MS,
      zone: "Europe/Zurich",
    });
  }

  #toolsOf(variant: Variant): readonly Tool[] {
    const name = `${variant.rules} ${variant.tools} ${variant.people}`;
    const known = this.#tools.get(name);
    if (known !== undefined) return known;
    const stage = this.#stage;
    const tools = TOOLS.map((said): Tool => {
      const act: Tool["execute"] = ({ params, evidence }, call) =>
        stage.act(variant, call, { tool: said.name, params, evidence });
      const load = (): unknown => {
        if (stage.books.loads === "throws") throw new Error("no record today");
        return stage.books.loads === "missing" ? null : stage.books.record;
      };
      return {
        ...this.#builder.tool(said),
        description: variant.tools === "usual" ? `Does ${said.name}.` : `Does ${said.name} in another way.`,
        effect: said.effect,
        record: said.name === "look" ? null : load,
        execute: act,
        summarise: () => said.name,
      };
    });
    this.#tools.set(name, tools);
    return tools;
  }
}
