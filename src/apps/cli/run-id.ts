import { type Signalbox, SignalboxError, StoreError } from "../../index.ts";

/** A shorter beginning is no name: ids that were made in the same hour begin alike. */
const UNITS_MIN = 6;
const NAMED_MAX = 5;

/** The run that is meant: by its id, or by a beginning that only one id has. What no id begins with is left as it is. */
export async function runIdOf(box: Pick<Signalbox, "parts">, given: string): Promise<string> {
  if (given.length < UNITS_MIN) return given;
  const ids = await idsIn(box);
  if (ids.includes(given)) return given;
  const candidates = ids.filter((id) => id.startsWith(given));
  const [only, another] = candidates;
  if (only === undefined) return given;
  if (another === undefined) return only;
  const named = candidates.slice(-NAMED_MAX).reverse().join(", ");
  const more = candidates.length > NAMED_MAX ? `, and ${candidates.length - NAMED_MAX} older ones` : "";
  throw new SignalboxError("ambiguous_run", `${candidates.length} runs begin with ${given}`, {
    hint: `${named}${more}`,
  });
}

async function idsIn({ parts }: Pick<Signalbox, "parts">): Promise<readonly string[]> {
  try {
    return await parts.store.listRunIds();
  } catch (error) {
    // The command that reads the run meets the same refusal, and tells it under its own code.
    if (error instanceof StoreError) return [];
    throw error;
  }
}
