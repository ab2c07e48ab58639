import { type Signalbox, SignalboxError, StoreError } from "../../index.ts";

/** A shorter part is no name: too many ids share it. */
const UNITS_MIN = 4;
const NAMED_MAX = 5;
const HOW = `give its id, at least ${UNITS_MIN} characters of its beginning or end, or last`;

/**
 * The run that is meant: by its id, by a beginning or an end that only one id has, or as `last`. Ids that were made in the
 * same hour begin alike, so it is mostly the end that tells them apart. What no id has is left as it is.
 */
export async function runIdOf(box: Pick<Signalbox, "parts">, given: string): Promise<string> {
  const ids = await idsIn(box);
  // The command that reads the run meets the same refusal, and tells it under its own code.
  if (ids === null || ids.includes(given)) return given;
  if (given === "last") return newest(box, ids);
  if (given.length < UNITS_MIN) {
    throw new SignalboxError("usage", `"${given}" is too short to name a run`, { hint: HOW });
  }
  const part = given.toLowerCase();
  const candidates = ids.filter((id) => {
    const whole = id.toLowerCase();
    return whole.startsWith(part) || whole.endsWith(part);
  });
  const [only, another] = candidates;
  if (only === undefined) return given;
  if (another === undefined) return only;
  const named = candidates.slice(-NAMED_MAX).reverse().join(", ");
  const more = candidates.length > NAMED_MAX ? `, and ${candidates.length - NAMED_MAX} older ones` : "";
  throw new SignalboxError("ambiguous_run", `${candidates.length} runs begin or end with ${given}`, {
    hint: `${named}${more}`,
  });
}

/** The newest run, or where that is nested in a step of another, whose thread is `RUN.STEP`, the one that it is part of. */
async function newest({ parts }: Pick<Signalbox, "parts">, ids: readonly string[]): Promise<string> {
  let at = ids.length - 1;
  for (;;) {
    const id = ids[at];
    if (id === undefined) throw new SignalboxError("unknown_run", "there is no run yet");
    const entry = await parts.store.readRun(id);
    const parent = /^(.+)\.[0-9]+$/.exec(entry?.thread ?? "")?.[1];
    const before = parent === undefined ? -1 : ids.indexOf(parent);
    // A parent began before; anything else is only named so.
    if (before < 0 || before >= at) return id;
    at = before;
  }
}

async function idsIn({ parts }: Pick<Signalbox, "parts">): Promise<readonly string[] | null> {
  try {
    return await parts.store.listRunIds();
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}
