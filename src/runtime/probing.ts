import { redactText } from "../domain/redact.ts";
import { oneLine } from "../domain/result.ts";
import { wellFormed } from "../domain/text.ts";
import type { Probe } from "../ports/model.ts";
import { within } from "./deadline.ts";
import { type Journal, note } from "./journal.ts";
import type { Parts } from "./parts.ts";

/** What a canary found out about the model's server: asked once a process, and again where the server could not be reached. */
export type Probing = { asked: Promise<Probe | null> | null; found: Probe | null };

/**
 * Sees to it that the model's server was probed, and notes in the run what it is like. `ms`: how long it may take. What
 * fails here is not said here: the model call that follows will fail for the same reason, and says it.
 */
export async function probe(parts: Parts, journal: Journal, ms: number, cancel: AbortSignal | null): Promise<void> {
  const { model, probing } = parts;
  if (model.probe === undefined || journal.probed) return;
  if (probing.found === null) {
    probing.asked ??= ask(parts, ms, cancel);
    probing.found = await probing.asked;
    if (probing.found === null) probing.asked = null;
  }
  const found = probing.found;
  if (found === null || found.schema === "unreachable") return;
  journal.probed = true;
  const { schema, tools, tokeniser, windowTokens } = found;
  const detail = oneLine(redactText(wellFormed(found.detail), parts.redaction));
  const facts = { model: model.name, schema, tools, tokeniser, windowTokens, detail };
  note(journal, { kind: "probed", at: parts.clock.now(), ...facts });
}

async function ask({ model, clock }: Parts, ms: number, cancel: AbortSignal | null): Promise<Probe | null> {
  const timed = await within(clock, ms, cancel, (signal) => model.probe?.(signal) ?? null);
  return timed.kind === "value" && timed.value?.schema !== "unreachable" ? timed.value : null;
}
