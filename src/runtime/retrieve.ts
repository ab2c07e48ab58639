import type { Passage } from "../domain/event.ts";
import { redactText } from "../domain/redact.ts";
import { wellFormed } from "../domain/text.ts";
import { utf8Prefix } from "../domain/utf8.ts";
import { within } from "./deadline.ts";
import { type Journal, note } from "./journal.ts";
import type { Parts } from "./parts.ts";

const PASSAGES_MAX = 8;
const PASSAGE_BYTES_MAX = 4_096;

/** Asks the memory. Without one, or where it fails, nothing was found, and the run says so. */
export async function retrieve(
  parts: Parts,
  journal: Journal,
  query: string,
  cancel: AbortSignal | null,
): Promise<void> {
  const memory = parts.memory;
  const ms = journal.run.began?.budgets.toolMs ?? 1;
  const timed = await within(parts.clock, ms, cancel, (signal) => memory?.search(query, signal) ?? []);
  const at = parts.clock.now();
  if (timed.kind === "cancelled") {
    return note(journal, { kind: "interrupted", at, ending: "cancelled", detail: "cancelled during a retrieval" });
  }
  const found = timed.kind === "value" ? timed.value : [];
  note(journal, {
    kind: "retrieved",
    at,
    query,
    passages: found.slice(0, PASSAGES_MAX).map((passage) => clean(passage, parts)),
  });
}

function clean(passage: Passage, parts: Parts): Passage {
  const text = (raw: unknown): string =>
    utf8Prefix(redactText(wellFormed(String(raw)), parts.redaction), PASSAGE_BYTES_MAX);
  return { source: text(passage.source), text: text(passage.text) };
}
