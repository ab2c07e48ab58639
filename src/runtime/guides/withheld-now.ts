import type { RefusalCode, WithheldCode } from "../../domain/served.ts";
import { type GuideState, publishedOf } from "../../guides/index.ts";
import { StoreError } from "../../ports/store.ts";
import type { Parts } from "../parts.ts";
import { circumstancesOf } from "./circumstances.ts";
import { guidesIn } from "./guide-parts.ts";
import { heldBack } from "./load-served.ts";

/** Why what is published is not served here and now, under the profile of the config. */
export type Withheld = { readonly code: WithheldCode | RefusalCode; readonly detail: string };

/** null where it is served, or where nothing is published under this id. */
export async function withheldNow(parts: Parts, state: GuideState, rule: string | null): Promise<Withheld | null> {
  const { profile: name, profiles } = guidesIn(parts);
  const [published, profile] = [rule === null ? null : publishedOf(state, rule), profiles.get(name)];
  if (published === null || profile === undefined) return null;
  try {
    const held = await heldBack(parts, state, published, circumstancesOf(parts, profile));
    return "kind" in held ? { code: held.code, detail: held.detail } : held.held;
  } catch (error) {
    // Where each rule stands is said also where the bytes of one are lost.
    if (!(error instanceof StoreError) || error.code !== "damaged") throw error;
    return { code: "revision_damaged", detail: error.message };
  }
}
