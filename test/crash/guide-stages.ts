import { createSignalbox, type Signalbox, type Store } from "../../src/index.ts";
import { scriptedModel } from "../../src/testing/index.ts";

/** What two rules go through, one transaction a stage. Each begins where the records say that the stage before has ended. */
export const STAGES = ["verify", "approve a", "approve b", "publish", "revoke b", "withdraw a"] as const;

export function openStages(store: string | Store, folder: string): Signalbox {
  return createSignalbox({
    model: scriptedModel({ replies: [] }),
    tools: [],
    store,
    approvers: { "user:sue": { roles: ["guides"] } },
    guides: folder,
  });
}

/** The stage that comes next by what is recorded, or null where all of them are done. Nothing but the chain is asked. */
export async function nextStage(box: Signalbox): Promise<(typeof STAGES)[number] | null> {
  const [a, b] = (await box.guides.status()).map(({ state }) => state);
  if (a === "draft") return "verify";
  if (a === "verified") return "approve a";
  if (b === "verified") return "approve b";
  if (a === "approved") return "publish";
  if (b === "published") return "revoke b";
  return a === "published" ? "withdraw a" : null;
}

export async function carryStage(box: Signalbox, stage: (typeof STAGES)[number]): Promise<void> {
  const word = { as: "user:sue", why: "read it" };
  const id = async (rule: string) => {
    const status = (await box.guides.status()).find((one) => one.rule === rule);
    return `${rule}@${status?.revision}`;
  };
  switch (stage) {
    case "verify":
      await box.guides.verify();
      return;
    case "approve a":
    case "approve b":
      await box.guides.approve(await id(stage.slice(-1)), word);
      return;
    case "publish":
      await box.guides.publish(["a", "b"], word);
      return;
    case "revoke b":
      await box.guides.revoke(await id("b"), word);
      return;
    case "withdraw a":
      await box.guides.withdraw("a", word);
      return;
  }
}
