import assert from "node:assert/strict";
import type { RunOutcome, Store } from "../../src/index.ts";
import type { House } from "../crash/house.ts";
import { strict } from "../crash/strict.ts";
import { replaced } from "./faults.ts";

/**
 * Two owners of one run: while the first waits for something, a second takes the run up and carries it to its end. The
 * first must notice at its next write, whatever that is, and stop; nothing of what it still had in mind is written.
 */
export async function oneOwner(house: House, open: () => Store): Promise<void> {
  for (const waitsIn of ["the tool", "the model"] as const) await twoOwners(house, open, waitsIn);
}

async function twoOwners(house: House, open: () => Store, waitsIn: "the tool" | "the model"): Promise<void> {
  const sent: string[] = [];
  const arrived = promise();
  const released = promise();
  const owner = (name: string, store: Store) => {
    const hold = async (where: string): Promise<void> => {
      if (name !== "first" || where !== waitsIn) return;
      arrived.resolve();
      await released.promise;
    };
    return house.door.createSignalbox({
      store,
      clock: house.testing.simulatedClock(0),
      ids: { next: () => `run-of-${waitsIn.replace(" ", "-")}` },
      model: {
        name: "scripted",
        kind: "scripted",
        where: "a script",
        complete: async ({ messages }) => {
          const prompt = messages[0]?.content ?? "";
          if (!prompt.includes("NEWEST RESULT")) return said({ kind: "action", tool: "look", params: {} });
          await hold("the model");
          // The first owner's reply cannot be read, so that its next write is no decision but a plain row.
          if (name === "first" && waitsIn === "the model") return said("not JSON");
          if (prompt.includes("sent a letter")) return said({ kind: "conversation", text: "Sent." });
          return said({ kind: "action", tool: "send", params: {} });
        },
      },
      tools: [
        house.door.defineTool({
          name: "look",
          description: "Looks.",
          placement: "internal",
          effect: "read",
          params: strict({}),
          execute: async () => {
            await hold("the tool");
            return { by: name };
          },
          summarise: () => "looked",
        }),
        house.door.defineTool({
          name: "send",
          description: "Sends a letter.",
          placement: "internal",
          effect: "once",
          params: strict({}),
          execute: () => {
            sent.push(name);
            return { sent: name };
          },
          summarise: () => "sent a letter",
        }),
      ],
    });
  };
  // The claim keeps a second owner out; here it is taken away, to see that the chain alone stops the first.
  const unclaimed = () => replaced(open(), { claim: async () => {}, release: async () => {} });
  const [first, second] = [owner("first", unclaimed()), owner("second", unclaimed())];
  const carrying = first.run("send it").then(outcomeText, (error: unknown) => `threw ${error}`);
  await arrived.promise;
  const [entry] = await second.runs();
  assert.ok(entry !== undefined);
  const outcome = await second.resume(entry.run);
  assert.equal(outcome.ending, "answered", `the second owner, while the first waits for ${waitsIn}`);
  const before = JSON.stringify(await second.events(entry.run));
  released.resolve();
  assert.match(await carrying, /^failed: .*somebody else carries it/, "the first owner stops and says why");
  assert.deepEqual(sent, ["second"], "the letter was sent once");
  assert.equal(JSON.stringify(await second.events(entry.run)), before, "the first owner wrote nothing more");
  assert.deepEqual((await second.verifyLedger()).faults, []);
  await Promise.all([first.close(), second.close()]);
}

function outcomeText({ ending, detail }: RunOutcome): string {
  return `${ending}: ${detail}`;
}

function said(reply: object | string) {
  const text = typeof reply === "string" ? reply : JSON.stringify(reply);
  return { ok: true as const, text, finish: "stop", promptTokens: null, completionTokens: null };
}

function promise(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
