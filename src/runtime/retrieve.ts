import type { Passage } from "../domain/event.ts";
import { isJsonObject } from "../domain/json.ts";
import { redactText } from "../domain/redact.ts";
import { oneLine } from "../domain/result.ts";
import { wellFormed } from "../domain/text.ts";
import { utf8Prefix } from "../domain/utf8.ts";
import { within } from "./deadline.ts";
import { textOf } from "./error.ts";
import { type Journal, note } from "./journal.ts";
import type { Parts } from "./parts.ts";

const PASSAGES_MAX = 8;
const PASSAGE_BYTES_MAX = 4_096;

/** Asks the memory. Without one nothing is found; where it fails, the event says so, and nothing is claimed. */
export async function retrieve(
  parts: Parts,
  journal: Journal,
  query: string,
  cancel: AbortSignal | null,
): Promise<void> {
  const memory = parts.memory;
  const ms = journal.run.began?.budgets.toolMs ?? 1;
  // What it gave is read inside of the deadline's guard, since reading a stranger's value may throw.
  const timed = await within(parts.clock, ms, cancel, async (signal) =>
    memory === null ? [] : passagesOf(await memory.search(query, signal), parts),
  );
  const at = parts.clock.now();
  const retrieved = { kind: "retrieved" as const, at, query };
  switch (timed.kind) {
    case "cancelled":
      return note(journal, { kind: "interrupted", at, ending: "cancelled", detail: "cancelled during a retrieval" });
    case "timeout":
      return note(journal, { ...retrieved, passages: [], failed: `no answer within ${ms} ms` });
    case "threw": {
      const failed = oneLine(redactText(textOf(timed.error), parts.redaction)) || "it gave no reason";
      return note(journal, { ...retrieved, passages: [], failed });
    }
    case "value":
      return note(journal, { ...retrieved, passages: timed.value, failed: null });
  }
}

/** The first passages that are some. Throws where nothing of what came is one: that is no answer, not an empty one. */
function passagesOf(found: unknown, parts: Parts): readonly Passage[] {
  if (!Array.isArray(found)) throw new Error("it gave no list of passages");
  const passages: Passage[] = [];
  for (const one of found) {
    if (passages.length === PASSAGES_MAX) break;
    if (!isJsonObject(one)) continue;
    const { source, text } = one;
    if (typeof source !== "string" || typeof text !== "string") continue;
    passages.push({ source: clean(source, parts), text: clean(text, parts) });
  }
  if (passages.length === 0 && found.length > 0) throw new Error("it gave no passage with a source and a text");
  return passages;
}

function clean(text: string, parts: Parts): string {
  return utf8Prefix(redactText(wellFormed(text), parts.redaction), PASSAGE_BYTES_MAX);
}
