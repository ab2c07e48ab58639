import type { JsonObject } from "./json.ts";

/**
 * A GuideEvent: something that a tool saw while it worked (a lock screen, a modal dialog, a sandbox error). Rules on channel B
 * wait for one (design 5.3).
 */
export type GuideEvent = { readonly name: string; readonly facts: JsonObject };
