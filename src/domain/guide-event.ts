import type { JsonObject } from "./json.ts";

/**
 * A GuideEvent: something that a tool saw while it worked (a lock screen, a modal dialog, a sandbox error). Rules on channel B
 * wait for one (design 5.3).
 */
export type GuideEvent = { readonly name: string; readonly facts: JsonObject };

/** What an event can be called. */
export const EVENT_NAME = /^[a-z][a-z0-9_.-]{0,63}$/;
export const EVENT_NAME_FORM = "1 to 64 of a-z, 0-9, `_`, `.` and `-`, beginning with a letter";

/** Bytes of an event as canonical JSON, its name and all of its facts. */
export const EVENT_BYTES_MAX = 4_096;

/** What is recorded where something was said that is no event, or not all of it: with one fact, `why`. */
export const BAD_EVENT = "bad_event";
