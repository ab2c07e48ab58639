import { StoreError } from "../../ports/store.ts";
import { SignalboxError } from "../error.ts";
import type { Parts } from "../parts.ts";

/** How often something is said again because other processes have written to the chain in the meantime. */
const TRIES = 32;

/**
 * Says something in the guides' chain: `once` reads the chain, judges, and appends. What is said by one box is said in turn, and
 * again, from what is there by then, where somebody else wrote in between.
 *
 * @throws SignalboxError `guides_busy` where somebody else was quicker every time.
 */
export function say<T>({ guideBook }: Parts, once: () => Promise<T>): Promise<T> {
  const turn = guideBook.turn.then(() => tried(once));
  guideBook.turn = turn.then(nothing, nothing);
  return turn;
}

function nothing(): void {}

async function tried<T>(once: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await once();
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "conflict") throw error;
      if (tries < TRIES) continue;
      throw new SignalboxError("guides_busy", `others wrote to the guides each of ${TRIES} times: nothing was said`, {
        ...{ exitCode: 1, cause: error },
        hint: "say it again",
      });
    }
  }
}
