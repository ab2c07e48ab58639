/**
 * The desk of the end-to-end tests: a config as a user would write it, copied into a folder of its own as
 * signalbox.config.ts. What the model says and what differs from case to case stands beside it in desk.json; what really
 * happened is appended to effects.log, so that it can be counted from outside and across processes.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { type Config, defineActor, defineConfig, defineTool, deny, type Model, permit, stage, z } from "signalbox";
import { scriptedModel } from "signalbox/testing";

const near = (name: string): URL => new URL(name, import.meta.url);
const setting = JSON.parse(readFileSync(near("desk.json"), "utf8"));

function did(what: string): number {
  appendFileSync(near("effects.log"), `${what}\n`);
  return readFileSync(near("effects.log"), "utf8").split("\n").length - 1;
}

const look = defineTool({
  name: "look",
  description: setting.description ?? "Look something up.",
  placement: "internal",
  effect: "read",
  params: z.strictObject({ id: z.string() }),
  execute: ({ params }) => {
    if (params.id === "leak") return { id: params.id, token: setting.secret ?? "", note: `seen ${setting.secret}` };
    if (params.id === "throw") throw new Error(`cannot look: ${setting.secret}`);
    return { id: params.id };
  },
  summarise: (seen) => `looked at ${seen.id}${"note" in seen ? ` (${seen.note})` : ""}`,
});

const seer = defineActor({
  name: "seer",
  description: "Look ahead.",
  placement: "internal",
  effect: "read",
  params: z.strictObject({ id: z.string() }),
  execute: ({ params }) => ({ id: params.id }),
  summarise: (seen) => `saw ${seen.id}`,
});

const ceilingMinor: number = setting.ceilingMinor ?? 100;

/** Amounts: 7 is denied, 13 breaks off in the middle, above 1,000 a person has to approve. */
const pay = defineTool({
  name: "pay",
  description: "Pay an account.",
  placement: "irreversible",
  effect: "once",
  params: z.strictObject({ account: z.enum(["ada", "bob"]), amountMinor: z.int().min(1) }),
  denials: ["unlucky", "over_ceiling"],
  record: ({ account }) => ({ account, invoices: [{ id: `inv_${account}` }] }),
  evidence: { min: 1, from: (record) => record.invoices },
  authorise({ params }) {
    if (params.amountMinor === 7) return deny("unlucky", "seven is never paid");
    if (params.amountMinor > 1_000) return stage("supervisor");
    if (setting.ceilingMinor !== undefined && params.amountMinor > ceilingMinor) return deny("over_ceiling");
    return permit();
  },
  caps: [
    {
      name: "paid_per_run",
      limit: setting.perRunMinor ?? 900,
      window: "per_run",
      amount: (params) => params.amountMinor,
    },
    { name: "paid_per_day", limit: 2_000, window: { calendar: "day", zone: "UTC" }, amount: (p) => p.amountMinor },
  ],
  execute: ({ params }) => {
    if (params.amountMinor === 13) throw new Error("the line broke");
    return { receipt: did(`pay ${params.account} ${params.amountMinor}`), account: params.account };
  },
  summarise: (paid) => `paid ${paid.account} (receipt ${paid.receipt})`,
});

export const tools = [look, seer, pay];

const script = scriptedModel({ replies: setting.replies ?? [] });

/** The script, once the world has gone round: as with a server, what was written before is out. */
const unhurried: Model = {
  ...script,
  complete: async (request) => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return script.complete(request);
  },
};

const config = {
  model: setting.model ?? (setting.unhurried === true ? unhurried : script),
  tools,
  principals: { operator: { tools: "all" }, "agent:desk": { tools: ["look", "pay"] } },
  store: "./signalbox.db",
  ...setting.config,
} satisfies Config;

export default defineConfig(config);
