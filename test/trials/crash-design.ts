import { design } from "../checks/trial-world.ts";

/** A small trial, so that it can be killed everywhere: 12 runs of its control, and 2 of its arms. */
export const CRASH_DESIGN = design({ controlPairs: 6, pairs: 1 });
export const CRASH_RUNS = 14;
