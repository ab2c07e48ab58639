import type { Model, Probe } from "../../ports/model.ts";

/**
 * The probe of a model for all runs of a trial: each run is told what the first of them found, since a canary for each would
 * cost as much as a run of one turn. Where the server was not reached nothing was found, and the next run asks again.
 */
export function probeOnce(model: Model): Model["probe"] {
  const { probe } = model;
  if (probe === undefined) return undefined;
  let found: Probe | null = null;
  return async (signal) => {
    if (found !== null) return found;
    const said = await probe.call(model, signal);
    if (said?.schema !== "unreachable") found = said;
    return said;
  };
}
