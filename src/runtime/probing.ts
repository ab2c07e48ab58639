import { canonicalJson } from "../domain/canonical.ts";
import { redactText } from "../domain/redact.ts";
import { oneLine } from "../domain/result.ts";
import { wellFormed } from "../domain/text.ts";
import type { Probe } from "../ports/model.ts";
import { within } from "./deadline.ts";
import { flush, type Journal, note } from "./journal.ts";
import type { Parts } from "./parts.ts";
import { countOf } from "./usage.ts";

/**
 * What a canary found out about the model's server. It is asked once a process, whoever comes first, and again some time
 * after the server could not be reached.
 */
export type Probing = { asked: Promise<void> | null; found: Probe | null; notBefore: number };

export function newProbing(): Probing {
  return { asked: null, found: null, notBefore: 0 };
}

/** One canary takes no longer, whatever the budgets of the run that came first. */
const PROBE_MS_MAX = 60_000;
/** A server that did not answer is left alone for so long: the calls themselves say what is wrong. */
const AGAIN_MS = 60_000;

/**
 * Sees to it that the model's server was probed, and notes in the run what it is like. `ms`: how long this run can wait.
 * What fails here is not said here: the model call that follows will fail for the same reason, and says it.
 */
export async function probe(parts: Parts, journal: Journal, ms: number, cancel: AbortSignal | null): Promise<void> {
  const { model, probing, clock } = parts;
  if (model.probe === undefined || journal.probed) return;
  if (probing.found === null) {
    if (probing.asked === null && clock.now() < probing.notBefore) return;
    // The canary is everybody's: a run that is cancelled or has no time left stops waiting, and the others go on.
    probing.asked ??= ask(parts);
    await within(clock, ms, cancel, () => probing.asked);
  }
  const found = probing.found;
  if (found === null) return;
  journal.probed = true;
  const { schema, tools, tokeniser } = found;
  if (schema === "unreachable") return;
  const windowTokens = countOf(found.windowTokens);
  const detail = oneLine(redactText(wellFormed(found.detail), parts.redaction));
  const facts = { model: model.name, schema, tools, tokeniser, windowTokens, detail };
  // A resume finds mostly what was found before.
  const { kind: _kind, at: _at, ...before } = journal.run.probed ?? { kind: "probed", at: 0 };
  if (canonicalJson(before) === canonicalJson(facts)) return;
  note(journal, { kind: "probed", at: clock.now(), ...facts });
  await flush(parts, journal);
}

async function ask({ model, clock, budgets, probing }: Parts): Promise<void> {
  const ms = Math.min(PROBE_MS_MAX, budgets.modelCallMs);
  const timed = await within(clock, ms, null, (signal) => model.probe?.(signal) ?? null);
  const found = timed.kind === "value" ? checkedProbe(timed.value) : null;
  probing.asked = null;
  if (found === null || found.schema === "unreachable") probing.notBefore = clock.now() + AGAIN_MS;
  else probing.found = found;
}

const SCHEMA: ReadonlySet<unknown> = new Set(
  Object.keys({ honoured: 0, ignored: 0, unclear: 0, error: 0, unreachable: 0 } satisfies Record<Probe["schema"], 0>),
);
const TOOLS: ReadonlySet<unknown> = new Set(
  Object.keys({ honoured: 0, ignored: 0, unclear: 0, error: 0, unasked: 0 } satisfies Record<Probe["tools"], 0>),
);

/** What a probe found, where it is of its type: an adapter may be anybody's code, and what it finds is recorded. */
function checkedProbe(found: Probe | null): Probe | null {
  if (typeof found !== "object" || found === null) return null;
  const { schema, tools, tokeniser, windowTokens, detail } = found;
  const known = SCHEMA.has(schema) && TOOLS.has(tools) && typeof tokeniser === "boolean";
  const window = windowTokens === null || Number.isSafeInteger(windowTokens);
  return known && window && typeof detail === "string" ? { schema, tools, tokeniser, windowTokens, detail } : null;
}
