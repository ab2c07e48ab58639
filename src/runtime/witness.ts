import { OUTSIDE_REQUEST, type RunEvent } from "../domain/event.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Tool } from "../domain/tool.ts";
import { unreachable } from "../domain/unreachable.ts";
import { utf8Length } from "../domain/utf8.ts";
import { Seen } from "../rails/index.ts";

/** Who hears what is said and returned in a run, event by event, for what provenance asks. */
export type Witness = {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly seen: Seen;
  /** The params of each step that is open: what its result repeats of them is no news. */
  readonly open: Map<number, JsonObject>;
  /** Whether the thread around the run was read. */
  threadRead: boolean;
};

/** null where no tool declares provenance or trust: then nothing is traced, and nothing costs time. */
export function openWitness(tools: ReadonlyMap<string, Tool>): Witness | null {
  for (const { trusted, provenance } of tools.values()) {
    if (provenance !== null || trusted.length > 0)
      return { tools, seen: new Seen(), open: new Map(), threadRead: false };
  }
  return null;
}

/** Hears one event. What the model said is never among what was seen. */
export function witness(by: Witness, event: RunEvent): void {
  const { seen, tools } = by;
  switch (event.kind) {
    case "began":
      for (const request of event.earlierRequests) seen.request(request, utf8Length(request) > UNCUT_BYTES);
      // A nested run's request is a tool's words, or the model's.
      if (event.parent !== null) seen.words(event.request);
      else if (!event.outside || event.request !== OUTSIDE_REQUEST) seen.request(event.request);
      return;
    case "started":
      by.open.set(event.step, event.params);
      return;
    case "finished":
      if (event.outcome === "done" && event.error === null)
        seen.result(event.tool, tools.get(event.tool)?.trusted ?? [], by.open.get(event.step) ?? {}, event.result);
      by.open.delete(event.step);
      return;
    case "settled_before":
      // What of it is trusted was heard in the run that it is of, with the params that it was asked with.
      seen.result(event.tool, [], {}, event.result);
      return;
    case "retrieved":
      for (const { source, text } of event.passages) {
        seen.words(source);
        seen.words(text);
      }
      return;
    case "staged":
    case "approved":
    case "rejected":
    case "edited":
    case "probed":
    case "replied":
    case "model_failed":
    case "decided":
    case "injected":
    case "interrupted":
    case "continued":
    case "ended":
      return;
    default:
      unreachable(event);
  }
}

/** An earlier request with more bytes may have been cut at its bound of 4,096: then its last word may be half of one. */
const UNCUT_BYTES = 4_092;
